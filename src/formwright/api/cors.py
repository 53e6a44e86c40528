"""Cross-origin resource sharing (Fetch standard, section 3.3): lets the operator open the API to other origins.

Cookies are never allowed: the API does not use them, and the pages, which do, are not opened to other origins.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from formwright.asgi.types import ASGIApp, Message, Receive, Scope, Send

ANY = "*"
_REQUEST_HEADERS = (
    "Accept, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Api-Key, X-Request-Id, Traceparent, Tracestate"
)
_RESPONSE_HEADERS = (
    "Allow, Content-Disposition, Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy,"
    " Retry-After, Sunset, X-Request-Id"
)
_MAX_AGE_S = 7200
"""The longest time for which all browsers cache a preflight response."""


def cors_middleware(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    """Return an application that pages of these origins may call. Without origins, it is `app` itself."""
    if not origins:
        return app

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        method = str(cast(Any, scope)["method"])
        request_headers = {name: value.decode("latin-1") for name, value in scope["headers"]}

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_cors_headers(method, request_headers, message, origins)]
            await send(message)

        await app(scope, receive, send_with_headers)

    return serve


def _cors_headers(
    method: str, request_headers: dict[bytes, str], message: Any, origins: Sequence[str]
) -> Iterable[tuple[bytes, bytes]]:
    """Yield the headers that allow the page to read this response or, for a preflight request, to send its request."""
    origin = request_headers.get(b"origin", "")
    # Also for origins that are not allowed: otherwise, a cache could reuse this response for an origin that is.
    if ANY not in origins:
        yield b"vary", b"Origin"
    if not origin or (origin not in origins and ANY not in origins):
        return
    yield b"access-control-allow-origin", (ANY if ANY in origins else origin).encode("latin-1")
    # Without this header, OPTIONS is an ordinary request and not a preflight (Fetch standard, section 3.3).
    if method == "OPTIONS" and b"access-control-request-method" in request_headers:
        allowed = next((value for name, value in message["headers"] if name.lower() == b"allow"), b"")
        yield b"access-control-allow-methods", allowed
        yield b"access-control-allow-headers", _REQUEST_HEADERS.encode()
        yield b"access-control-max-age", b"%d" % _MAX_AGE_S
    else:
        yield b"access-control-expose-headers", _RESPONSE_HEADERS.encode()
