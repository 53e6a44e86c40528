"""ETags and conditional requests (RFC 9110, 13). The ETag of a resource is a hash of its representation."""

import hashlib
import re

from formwright.asgi.request_errors import RequestError

_ENCODED = re.compile(r'-(?:gzip|zstd)"$')
_TAGS = re.compile(r'\s*(?:(\*)|(W/)?("[\x21\x23-\x7e\x80-\xff]*"))\s*(?:,|$)')


class PreconditionFailed(RequestError):
    status = 412
    code = "precondition.failed"
    detail = (
        "The resource has changed since you read it, so its ETag no longer matches If-Match. Read it again, apply your"
        " change to the current state, and send it with the new ETag."
    )


def etag(content: bytes, stable_content: bytes | None = None) -> str:
    """Return the strong ETag of a response body: equal for equal bytes, different for different ones.

    `stable_content` is the body without properties that change by themselves, for example the time of the last
    delivery. Its hash comes first, and If-Match compares only this part. Otherwise a conditional change of such a
    resource would almost never succeed.
    """
    return f'"{_digest(content)}"' if stable_content is None else f'"{_digest(stable_content)}.{_digest(content)}"'


def _digest(part: bytes) -> str:
    return hashlib.blake2b(part, digest_size=12).hexdigest()


def matches(header: str, tag: str, *, weakly: bool = False) -> bool:
    """Return whether a list of ETags, or `*`, contains this one.

    The weak comparison (If-None-Match) ignores a `W/` prefix. The strong comparison (If-Match) ignores the part of the
    ETag for properties that change by themselves. A header that is not a list of ETags matches nothing.
    """
    return bool(find_match(header, tag, weakly=weakly))


def find_match(header: str, tag: str, *, weakly: bool = False) -> str:
    """Return the ETag of the list that matches this one, or an empty string.

    It may be the ETag of a compressed response with the same content.
    """
    at = 0
    while at < len(header):
        found = _TAGS.match(header, at)
        if found is None:
            return ""
        star, weak, known = found.groups()
        if star:
            return tag
        plain = _ENCODED.sub('"', known)
        if plain == tag if weakly else not weak and _stable_part(plain) == _stable_part(tag):
            return str(known)
        at = found.end()
    return ""


def _stable_part(tag: str) -> str:
    return tag.strip('"').partition(".")[0]
