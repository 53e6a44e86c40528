"""Response compression by Accept-Encoding (RFC 9110, 8.4 and 12.5.3), with zstd before gzip because it is faster.

Only the API, its reference and feeds are compressed: pages contain secrets next to echoed text (BREACH), static files
stored compressed, and most uploads already are. Each encoding is a representation of its own, so its strong ETag gets
a suffix, which `conditional` recognises. Streamed responses stay streams.
"""

import asyncio
import zlib
from collections.abc import Iterable
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Protocol

import zstandard

from formwright.asgi.types import ASGIApp, Message, Receive, Scope, Send

MIN_BYTES = 1024
"""Smaller responses fit into one packet anyway."""
_KINDS = (b"application/json", b"application/geo+json", b"application/problem+json", b"application/xml", b"text/")
_ENCODINGS = ("zstd", "gzip")
_UNCOMPRESSED_STATUSES = (HTTPStatus.NO_CONTENT, HTTPStatus.PARTIAL_CONTENT, HTTPStatus.NOT_MODIFIED)
# gzip takes 4 ms for a page of a thousand rows, which would block the event loop.
_THREAD_BYTES = 128 * 1024
# 31: the largest window, 15, plus 16, with which zlib writes the header of gzip (RFC 1952).
_GZIP_LEVEL, _ZSTD_LEVEL, _GZIP_FORMAT = 4, 1, 31


VARY = (b"vary", b"Accept-Encoding")
_LENGTH = b"content-length"

Header = tuple[bytes, bytes]


class _Compressor(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


def _create_compressor(encoding: str) -> _Compressor:
    if encoding == "zstd":
        return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compressobj()
    return zlib.compressobj(_GZIP_LEVEL, wbits=_GZIP_FORMAT)


def compression_middleware(app: ASGIApp) -> ASGIApp:
    """Middleware that compresses large and streamed responses of the interfaces with `compress`."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["state"]["interface"].compress:
            await app(scope, receive, send)
            return
        accept = next((value for name, value in scope["headers"] if name == b"accept-encoding"), b"")
        await app(scope, receive, _CompressedResponse(send, choose_encoding(accept.decode("latin-1"))).send_message)

    return serve


def choose_encoding(accept: str) -> str:
    """Return the supported encoding that an Accept-Encoding prefers; empty if none is acceptable."""
    weights = dict(_parse_weight(part) for part in accept.lower().split(","))
    # `max` returns the first of several equal items, so zstd wins a tie.
    best = max(_ENCODINGS, key=lambda name: weights.get(name, weights.get("*", 0.0)))
    weight = weights.get(best, weights.get("*", 0.0))
    return best if weight > 0 and weight >= weights.get("identity", 0.0) else ""


def _parse_weight(part: str) -> tuple[str, float]:
    name, _, rest = part.partition(";")
    value = rest.strip().removeprefix("q=") if rest.strip() else "1"
    try:
        return name.strip(), float(value)
    except ValueError:
        return name.strip(), 0.0


class _CompressedResponse:
    """Buffers the response headers until the body begins, then decides whether to compress."""

    def __init__(self, send: Send, encoding: str) -> None:
        self._send, self._encoding = send, encoding
        self._head: Any = None
        self._compressor: _Compressor | None = None

    async def send_message(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._head = message
        elif message["type"] == "http.response.body" and self._head is not None:
            await self._begin(message)
        elif message["type"] == "http.response.body" and self._compressor is not None:
            await self._compress_chunk(message)
        else:
            await self._send(message)

    async def _begin(self, message: Any) -> None:
        head, self._head = self._head, None
        more = message.get("more_body", False)
        if more and self._encoding and is_compressible(head["status"], head["headers"]):
            self._compressor = _create_compressor(self._encoding)
            head["headers"] = _with_encoding(head["headers"], self._encoding)
            await self._send(head)
            await self._compress_chunk(message)
            return
        if not more:
            body = message.get("body", b"")
            head["headers"], message["body"] = await compress_response(
                head["status"], head["headers"], body, self._encoding
            )
        await self._send(head)
        await self._send(message)

    async def _compress_chunk(self, message: Any) -> None:
        assert self._compressor is not None  # noqa: S101
        more = message.get("more_body", False)
        pressed = self._compressor.compress(message.get("body", b"")) + (b"" if more else self._compressor.flush())
        # The compressor buffers: for most small chunks it returns nothing, which needs no message.
        if pressed or not more:
            message["body"] = pressed
            await self._send(message)


async def compress_response(
    status: int, headers: Iterable[Header], body: bytes, encoding: str
) -> tuple[list[Header], bytes]:
    """Return headers and body of a complete response in this encoding, or unchanged if compression isn't worthwhile."""
    headers = list(headers)
    if status == HTTPStatus.NOT_MODIFIED:
        # A 304 has the header fields of the full response (RFC 9110, 15.4.5).
        return [*headers, VARY], body
    if not is_compressible(status, headers):
        return headers, body
    if not encoding or len(body) < MIN_BYTES:
        return [*headers, VARY], body
    content = await _compress(encoding, body)
    had_length = any(name.lower() == _LENGTH for name, _ in headers)
    length = [(_LENGTH, b"%d" % len(content))] if had_length else []
    return [*_with_encoding(headers, encoding), *length], content


async def _compress(encoding: str, body: bytes) -> bytes:
    press = _create_compressor(encoding)
    if len(body) > _THREAD_BYTES:
        return await asyncio.to_thread(lambda: press.compress(body) + press.flush())
    return press.compress(body) + press.flush()


def is_compressible(status: int, headers: Iterable[Header]) -> bool:
    """Whether a response is text that is not yet compressed."""
    named = {name.lower(): value for name, value in headers}
    return b"content-encoding" not in named and _is_text(status, named.get(b"content-type", b""))


@lru_cache(maxsize=256)
def varies(status: int, media_type: bytes) -> bool:
    """Whether a response of this media type depends on Accept-Encoding."""
    # A 304 has the header fields of the full response (RFC 9110, 15.4.5).
    return status == HTTPStatus.NOT_MODIFIED or _is_text(status, media_type)


def _is_text(status: int, media_type: bytes) -> bool:
    return status not in _UNCOMPRESSED_STATUSES and media_type.startswith(_KINDS)


def _with_encoding(headers: Iterable[Header], encoding: str) -> list[Header]:
    kept = [(name, _suffix_etag(name, value, encoding)) for name, value in headers if name.lower() != _LENGTH]
    return [*kept, VARY, (b"content-encoding", encoding.encode())]


def _suffix_etag(name: bytes, value: bytes, encoding: str) -> bytes:
    # A weak ETag may be the same for several encodings (RFC 9110, 8.8.1), so it needs no suffix.
    if name.lower() == b"etag" and value.startswith(b'"'):
        return value[:-1] + b"-" + encoding.encode() + b'"'
    return value
