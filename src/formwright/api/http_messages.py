"""Requests of the API, whose parts are parsed when they are first used, and its responses.

Responses are compressed if the client supports it.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl

from litestar.types import Receive, Send

from formwright.api.deprecations import Announcement
from formwright.asgi.compression import MIN_BYTES, VARY, choose_encoding, compress_response, varies
from formwright.asgi.request_errors import BadRequest
from formwright.asgi.validation import MAX_BODY, BodyTooLarge
from formwright.domain.api_keys.rate_limits import RateLimitStatus

T = TypeVar("T")

_BODILESS = (204, 304)


class ApiRequest:
    """A request. `path_params` are set after routing."""

    def __init__(self, scope: Any, receive: Receive) -> None:
        self.scope = scope
        self.path = _plain(scope["path"])
        self.path_params: Mapping[str, str] = {}
        self.method: str = scope["method"]
        # By lower-case name. The first value of a repeated header counts.
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
        self.allowance: RateLimitStatus | None = None
        self.deprecated: Announcement | None = None
        self._receive = receive
        self._body: bytes | None = None

    @cached_property
    def query(self) -> list[tuple[str, str]]:
        """The query parameters in order. Invalid UTF-8 is replaced by U+FFFD."""
        raw: bytes = self.scope["query_string"]
        return parse_qsl(raw.decode("latin-1"), keep_blank_values=True, errors="replace")

    @property
    def request_id(self) -> str:
        """The id of the request, which identifies its entry in the log."""
        return str(self.scope["state"]["request_id"])

    @property
    def content_length(self) -> int:
        """The length in the Content-Length header. Bodies that are too large are rejected without reading them."""
        length = self.headers.get("content-length", "")
        return int(length[:20]) if length.isascii() and length.isdigit() else 0

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives."""
        more = True
        while more:
            part, more = await self._part()
            if part:
                yield part

    async def body(self) -> bytes:
        """Return the whole body. Raises `BodyTooLarge`, immediately if Content-Length is too large.

        It is kept, because a request is served again if its API key turns out to have been changed.
        """
        if self._body is None:
            self._body = await self._read_body()
        return self._body

    async def _read_body(self) -> bytes:
        if self.content_length > MAX_BODY:
            raise BodyTooLarge()
        part, more = await self._part()
        content = bytearray(part) if more else part
        while more and len(content) <= MAX_BODY:
            part, more = await self._part()
            content += part
        if len(content) > MAX_BODY:
            raise BodyTooLarge()
        return bytes(content)

    async def _part(self) -> tuple[bytes, bool]:
        """Return the next part of the body, and whether more follow."""
        event: Any = await self._receive()
        if event["type"] == "http.disconnect":
            raise BadRequest()
        return event.get("body", b""), event.get("more_body", False)


def _plain(path: str) -> str:
    """Return the path without a trailing slash and with single slashes."""
    return "/" + "/".join(filter(None, path.split("/"))) if path.endswith("/") or "//" in path else path


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
