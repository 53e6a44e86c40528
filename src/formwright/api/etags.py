"""Conditional requests (RFC 9110, 13): what a caller knows of a resource is its ETag, made of what it was answered."""

import hashlib
import re

from formwright.api.errors import RequestError

_ENCODED = re.compile(r'-(?:gzip|zstd)"$')
_TAGS = re.compile(r'\s*(?:(\*)|(W/)?("[\x21\x23-\x7e\x80-\xff]*"))\s*(?:,|$)')


class PreconditionFailed(RequestError):
    status = 412
    code = "precondition.failed"
    detail = (
        "The resource is no longer as If-Match says: somebody changed it meanwhile. Read it again, apply your change to"
        " what it is now, and send that with the new ETag."
    )


def etag(content: bytes, steady: bytes | None = None) -> str:
    """The strong ETag of an answer: the same for the same bytes, another for others.

    `steady`: the answer without what changes by itself. It comes first, and is all that If-Match asks for. Else nobody
    could change, on the condition that nobody else did, what the world changes all the time.
    """
    return f'"{_digest(content)}"' if steady is None else f'"{_digest(steady)}.{_digest(content)}"'


def _digest(part: bytes) -> str:
    return hashlib.blake2b(part, digest_size=12).hexdigest()


def fits(header: str, tag: str, *, weakly: bool = False) -> bool:
    """Whether a list of ETags, or `*`, names this one. Compared `weakly` (If-None-Match) a `W/` before it is no matter;
    else (If-Match) it is no matter what has changed by itself.

    What is no list of ETags names none.
    """
    return bool(named(header, tag, weakly=weakly))


def named(header: str, tag: str, *, weakly: bool = False) -> str:
    """By which ETag a list names this one: itself, or that of a compressed answer of the same state; empty for none."""
    at = 0
    while at < len(header):
        found = _TAGS.match(header, at)
        if found is None:
            return ""
        star, weak, known = found.groups()
        if star:
            return tag
        plain = _ENCODED.sub('"', known)
        if plain == tag if weakly else not weak and _steady(plain) == _steady(tag):
            return str(known)
        at = found.end()
    return ""


def _steady(tag: str) -> str:
    return tag.strip('"').partition(".")[0]
