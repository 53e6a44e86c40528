"""Pages of other origins that may call the API from a browser: those that the operator names, and no others.

Nothing is allowed with cookies: the API knows nobody by them, and pages, which do, are never opened to other origins.
After the Fetch standard, 3.3.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from formwright.api.router import PREFIX

ANY = "*"
_SENT = (
    "Accept, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Api-Key, X-Request-Id, Traceparent, Tracestate"
)
_READ = (
    "Allow, Content-Disposition, Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy,"
    " Retry-After, Sunset, X-Request-Id"
)
_REMEMBERED_S = 7200
"""The longest that all browsers take."""


def cors_middleware(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    """The application, opened to pages of these origins; as it is without any."""
    if not origins:
        return app

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["path"].startswith(f"{PREFIX}/"):
            await app(scope, receive, send)
            return
        method = str(cast(Any, scope)["method"])
        asked = {name: value.decode("latin-1") for name, value in scope["headers"]}

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_told(method, asked, message, origins)]
            await send(message)

        await app(scope, receive, say)

    return serve


def _told(method: str, asked: dict[bytes, str], message: Any, origins: Sequence[str]) -> Iterable[tuple[bytes, bytes]]:
    """What the browser is told: whether the page may read this answer and, before a call, how it may call."""
    origin = asked.get(b"origin", "")
    if ANY not in origins:
        yield b"vary", b"Origin"
    if not origin or (origin not in origins and ANY not in origins):
        return
    yield b"access-control-allow-origin", (ANY if ANY in origins else origin).encode("latin-1")
    if method == "OPTIONS" and b"access-control-request-method" in asked:
        allowed = next((value for name, value in message["headers"] if name.lower() == b"allow"), b"")
        yield b"access-control-allow-methods", allowed
        yield b"access-control-allow-headers", _SENT.encode()
        yield b"access-control-max-age", b"%d" % _REMEMBERED_S
    else:
        yield b"access-control-expose-headers", _READ.encode()
