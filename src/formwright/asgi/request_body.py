"""Reads bodies of requests up to a limit."""

from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from formwright.asgi.validation import BodyTooLarge


class BodySource(Protocol):
    """A request whose body has not been read yet."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    def stream(self) -> AsyncIterator[bytes]: ...


async def read_limited_body(request: BodySource, max_bytes: int) -> bytes:
    """Return the whole body. Raises `BodyTooLarge` as soon as it is known to have more than `max_bytes`.

    A body whose Content-Length says so is not read at all.
    """
    declared = request.headers.get("content-length", "")
    # `int` raises an error for more than 4,300 digits. No real length has 19, and the loop limits such bodies, too.
    if declared.isdecimal() and len(declared) < 19 and int(declared) > max_bytes:
        raise BodyTooLarge()
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > max_bytes:
            raise BodyTooLarge()
    return bytes(content)
