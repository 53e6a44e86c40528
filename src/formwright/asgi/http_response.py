"""Responses to programs, which are compressed if the client supports it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from formwright.asgi.compression import MIN_BYTES, VARY, choose_encoding, compress_response, varies
from formwright.asgi.types import Send

# A 204 must not have a Content-Length, and in a 304 it would be that of the full response (RFC 9110, 8.6).
_BODILESS = (204, 304)


@dataclass(slots=True)
class HttpResponse:
    """A status, a body with its media type, and additional headers. `chunks` is a body that is not known yet."""

    status: int
    content: bytes = b""
    media_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    chunks: AsyncGenerator[bytes, None] | None = None

    async def send(self, send: Send, accept_encoding: str, *, is_head: bool = False) -> None:
        """Send the response in one of the encodings that the client accepts; without creating chunks for HEAD."""
        if self.chunks is not None:
            await self._send_chunks(send, self.chunks, is_head=is_head)
            return
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

    async def _send_chunks(self, send: Send, chunks: AsyncGenerator[bytes, None], *, is_head: bool) -> None:
        """Send the body while it is created. An error cuts it off, so that the client notices that it is incomplete."""
        start: Any = {"type": "http.response.start", "status": self.status, "headers": self._headers()}
        await send(start)
        async with aclosing(chunks):
            while not is_head and (chunk := await anext(chunks, None)) is not None:
                if chunk:
                    part: Any = {"type": "http.response.body", "body": chunk, "more_body": True}
                    await send(part)
        end: Any = {"type": "http.response.body", "body": b""}
        await send(end)

    def _headers(self) -> list[tuple[bytes, bytes]]:
        own = [(name.encode(), value.encode("latin-1")) for name, value in self.headers.items()]
        return [(b"content-type", self.media_type.encode()), *own] if self.media_type else own
