"""What comes back of a GET: its head at once, its body piece by piece, all within bounds."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus

import aiohttp

from formwright.core.outbound.faults import fault

_MIB = 1024 * 1024
HEADERS = ("content-type", "etag", "last-modified")
_LONGEST_HEADER = 1000


class FetchFailed(Exception):
    """Nothing whole came. The text is one line of ASCII, and holds no address that a name led to."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is waited for: bytes; seconds for a connection, for all, and without a single byte."""

    size: int = 256 * _MIB
    connect_s: float = 5
    whole_s: float = 300
    idle_s: float = 30


USUAL = Bounds()


class Waiting:
    """Waits for the network until all must be there, and never for long without progress."""

    def __init__(self, bounds: Bounds, url: str) -> None:
        self._bounds, self._url = bounds, url
        self._end = asyncio.get_running_loop().time() + bounds.whole_s

    def once(self) -> asyncio.Timeout:
        """Bounds a single wait."""
        return asyncio.timeout_at(min(self._end, asyncio.get_running_loop().time() + self._bounds.idle_s))

    def words(self, error: Exception) -> FetchFailed:
        """What the client raised, for the owner of the URL."""
        if isinstance(error, aiohttp.ConnectionTimeoutError):
            return FetchFailed(f"timeout: no connection within {self._bounds.connect_s:g} s")
        if isinstance(error, aiohttp.ClientPayloadError):
            return FetchFailed("cut off: the answer ended before it was whole")
        if not isinstance(error, TimeoutError):
            return FetchFailed(": ".join(fault(error, self._url)))
        if asyncio.get_running_loop().time() >= self._end:
            return FetchFailed(f"timeout: no whole answer within {self._bounds.whole_s:g} s")
        return FetchFailed(f"timeout: nothing came for {self._bounds.idle_s:g} s")


class Fetched:
    """An answer of whatever status. `headers` are those that matter (lower-case), as far as they are ASCII."""

    def __init__(self, response: aiohttp.ClientResponse, waiting: Waiting, bounds: Bounds) -> None:
        self._response, self._waiting, self._bounds = response, waiting, bounds
        self.status = response.status
        found = ((name, response.headers.get(name, "")) for name in HEADERS)
        self.headers: Mapping[str, str] = {
            name: value for name, value in found if value.isascii() and 0 < len(value) <= _LONGEST_HEADER
        }

    @property
    def refusal(self) -> str:
        """In a sentence, that this status brings nothing; empty where it does."""
        if self.status == HTTPStatus.OK:
            return ""
        if 300 <= self.status <= 399 and self.status != HTTPStatus.NOT_MODIFIED:
            return (
                f"The server answered {self.status}, a redirect, which is not followed: name the address it leads to."
            )
        return f"The server answered {self.status} instead of 200."

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body. `FetchFailed` where it is too large, too slow or cut off."""
        size = 0
        if (told := self._response.content_length) is not None and told > self._bounds.size:
            raise self._too_large()
        while chunk := await self._next():
            size += len(chunk)
            if size > self._bounds.size:
                raise self._too_large()
            yield chunk

    async def _next(self) -> bytes:
        try:
            async with self._waiting.once():
                return await self._response.content.readany()
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise self._waiting.words(error) from error

    def _too_large(self) -> FetchFailed:
        return FetchFailed(f"too large: more than {self._bounds.size // _MIB or self._bounds.size / _MIB:g} MiB")
