"""Limits of the URL and headers of a request to any interface, checked before anything parses them.

HTTP/2 compresses headers (HPACK, RFC 7541), so that a few kilobytes can expand to megabytes, and parsers of cookies and
queries create several objects for each value. With these limits, one request costs little, whoever sends it.
"""

from typing import Any

from formwright.asgi.request_errors import RequestError

MAX_PATH_CHARS = 2048
"""Maximum length of the decoded path. Routers cache a number of paths, so this also limits their memory."""
MAX_QUERY_BYTES = 16 * 1024
MAX_QUERY_PARAMETERS = 200
MAX_HEADER_BYTES = 64 * 1024
"""Maximum size of all header names and values together."""
MAX_HEADERS = 100
MAX_COOKIE_BYTES = 8 * 1024
"""Maximum size of all cookies together. Ours need less than 2 KiB; others belong to the same host or domain."""
MAX_COOKIES = 50


class UrlTooLong(RequestError):
    status = 414
    code = "url.too_long"
    detail = (
        f"The URL is too long. Its path may have {MAX_PATH_CHARS:,} characters, and its query {MAX_QUERY_BYTES // 1024}"
        f" KiB and {MAX_QUERY_PARAMETERS} parameters."
    )


class HeadersTooLarge(RequestError):
    status = 431
    code = "headers.too_large"
    detail = (
        f"The request has too many headers or cookies. It may have {MAX_HEADERS} headers of {MAX_HEADER_BYTES // 1024}"
        f" KiB in total, and {MAX_COOKIES} cookies of {MAX_COOKIE_BYTES // 1024} KiB in total."
    )


def find_excess(scope: Any) -> RequestError | None:
    """Return the error of a request whose URL or headers exceed a limit, or None."""
    query: bytes = scope["query_string"]
    is_long = len(query) > MAX_QUERY_BYTES or query.count(b"&") >= MAX_QUERY_PARAMETERS
    if is_long or len(scope["path"]) > MAX_PATH_CHARS:
        return UrlTooLong()
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    if len(headers) > MAX_HEADERS or sum(len(name) + len(value) for name, value in headers) > MAX_HEADER_BYTES:
        return HeadersTooLarge()
    # HTTP/2 lets a browser send each cookie in a header of its own (RFC 9113, 8.2.3).
    cookies = [value for name, value in headers if name == b"cookie"]
    if sum(map(len, cookies)) > MAX_COOKIE_BYTES or sum(value.count(b";") + 1 for value in cookies) > MAX_COOKIES:
        return HeadersTooLarge()
    return None
