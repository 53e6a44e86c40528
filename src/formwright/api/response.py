"""Responses of the API, which are compressed if the client supports it."""

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from litestar.types import Send

from formwright.asgi.compression import MIN_BYTES, VARY, choose_encoding, compress_response, varies

T = TypeVar("T")

_BODILESS = (204, 304)


@dataclass(slots=True)
class PreencodedJson(Generic[T]):
    """A response of shape `T`, already encoded as JSON. `id` is that of the resource, if it is a single one.

    `next` is the URL of the next page, which is sent in a `Link` header too (RFC 8288).
    """

    content: bytes
    id: str = ""
    next: str | None = None


@dataclass(slots=True)
class ApiResponse:
    """A status, a body with its media type, and additional headers."""

    status: int
    content: bytes = b""
    media_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    async def send(self, send: Send, accept_encoding: str) -> None:
        """Send the response in one of the encodings that the client accepts."""
        headers, body = self._headers(), self.content
        if len(body) >= MIN_BYTES and (encoding := choose_encoding(accept_encoding)):
            headers, body = await compress_response(self.status, headers, body, encoding)
        elif "content-encoding" not in self.headers and varies(self.status, self.media_type.encode()):
            headers.append(VARY)
        if self.status not in _BODILESS:
            headers.append((b"content-length", b"%d" % len(body)))
        start: Any = {"type": "http.response.start", "status": self.status, "headers": headers}
        await send(start)
        end: Any = {"type": "http.response.body", "body": body}
        await send(end)

    def _headers(self) -> list[tuple[bytes, bytes]]:
        own = [(name.encode(), value.encode("latin-1")) for name, value in self.headers.items()]
        return [(b"content-type", self.media_type.encode()), *own] if self.media_type else own
