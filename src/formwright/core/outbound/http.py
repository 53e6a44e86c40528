"""Posts to addresses that customers name, and reads from them, through the wall."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from time import perf_counter

import aiohttp
from yarl import URL

from formwright import __version__
from formwright.core.outbound.faults import UNTIMED, PostFailed, fault
from formwright.core.outbound.fetch import Bounds, Fetched, Waiting
from formwright.core.outbound.names import Gate, Lookup, OpenGate, SystemNames, judge, opened_here
from formwright.core.outbound.wall import Wall

__all__ = ["Answer", "Outbound", "PostFailed"]

READ_MAX = 16 * 1024
KEPT = 2 * 1024
KEPT_HEADERS = ("retry-after", "content-type")
# Servers hang up on idle connections after 2 to 75 s: a shorter wait, or a post now and then meets a dead one.
IDLE_S = 1.0
# The client warns of larger bodies when they come as plain bytes.
AT_ONCE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, of whatever status: the headers that matter (lower-case) and the first 2 KiB of the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool
    duration_ms: int


class Outbound:
    """A client that follows nothing, remembers nothing and believes no proxy of the environment.

    Connections are kept for a second; each was made to an address that the wall let through. To be made in a running
    loop. `per_host` bounds the connections to one host; a post waits for a free one within its `connect_s`. With a
    `proxy` of the operator's all goes through it; what a name leads to is then judged here too, as far as it is known.
    """

    def __init__(
        self,
        wall: Wall,
        *,
        lookup: Lookup | None = None,
        ssl_context: ssl.SSLContext | None = None,
        per_host: int = 10,
        proxy: str = "",
    ) -> None:
        self._names = SystemNames()
        self._wall, self._lookup, self._proxy = wall, lookup or self._names, URL(proxy) if proxy else None
        # A wall changes never, so what it said of a URL's text stays true. What a name resolves into is never kept.
        self._read = lru_cache(maxsize=4096)(wall.check_url)
        trust = True if ssl_context is None else ssl_context
        kind = OpenGate if proxy else Gate
        gates = {scheme: kind(wall, self._lookup, plain=scheme == "http") for scheme in ("https", "http")}
        self._kept = {scheme: _session(gate, trust, per_host, keep=True) for scheme, gate in gates.items()}
        self._fresh = {scheme: _session(gate, trust, per_host, keep=False) for scheme, gate in gates.items()}

    async def post(
        self, url: str, *, headers: Mapping[str, str], body: bytes, deadline_s: float = 15, connect_s: float = 5
    ) -> Answer:
        """One try. `deadline_s` bounds all of it: waiting, resolving, connecting, sending and reading.

        Raises `PostFailed`; never for a status. Reads at most 16 KiB and then hangs up.
        """
        start = perf_counter()
        try:
            async with asyncio.timeout(deadline_s):
                status, kept, text, truncated = await self._exchange(self._read(url), headers, body, connect_s)
        except aiohttp.ConnectionTimeoutError:
            raise PostFailed("timeout", f"no connection within {connect_s:g} s", _since(start)) from None
        except TimeoutError:
            raise PostFailed("timeout", f"no whole answer within {deadline_s:g} s", _since(start)) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            kind, detail = fault(error, url)
            raise PostFailed(kind, detail, 0 if detail in UNTIMED else _since(start)) from error
        return Answer(status, kept, text, truncated, _since(start))

    async def _exchange(
        self, url: URL, headers: Mapping[str, str], body: bytes, connect_s: float
    ) -> tuple[int, Mapping[str, str], bytes, bool]:
        await self._judge(url)
        response = await self._send(url, headers, body, _limits(connect_s))
        try:
            text, truncated = await _start_of(response.content)
        finally:
            response.close()  # after a whole answer, the connection is back in the pool already
        found = ((name, response.headers.get(name, "")) for name in KEPT_HEADERS)
        return response.status, {name: value for name, value in found if value and value.isascii()}, text, truncated

    async def _judge(self, url: URL) -> None:
        """Without a proxy, each connection is judged when it is made."""
        if self._proxy:
            await judge(self._wall, self._lookup, url)

    async def _send(
        self, url: URL, headers: Mapping[str, str], body: bytes, limits: aiohttp.ClientTimeout
    ) -> aiohttp.ClientResponse:
        """The start of an answer. A server may hang up on a kept connection just as it is used, or without saying so:
        then once more on a fresh one. Should both arrive, they carry the same id."""
        with opened_here() as opened:
            try:
                return await _post(self._kept[url.scheme], url, headers, body, limits, self._proxy)
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
                if opened or isinstance(error, aiohttp.ClientConnectorError):
                    raise
        return await _post(self._fresh[url.scheme], url, headers, body, limits, self._proxy)

    @asynccontextmanager
    async def get(self, url: str, *, headers: Mapping[str, str], bounds: Bounds) -> AsyncIterator[Fetched]:
        """An answer, open while the block lasts, on a connection of its own. Follows nothing.

        Raises `FetchFailed`; never for a status.
        """
        waiting = Waiting(bounds, url)
        try:
            read = self._read(url)
            async with waiting.once():
                await self._judge(read)
                response = await self._fresh[read.scheme].get(
                    read, headers=headers, allow_redirects=False, timeout=_limits(bounds.connect_s), proxy=self._proxy
                )
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise waiting.words(error) from error
        try:
            yield Fetched(response, waiting, bounds)
        finally:
            response.close()

    async def close(self) -> None:
        """Hang up on everybody. Posts and reads under way fail."""
        for session in (*self._kept.values(), *self._fresh.values()):
            await session.close()
        self._names.close()


async def _post(
    session: aiohttp.ClientSession,
    url: URL,
    headers: Mapping[str, str],
    body: bytes,
    limits: aiohttp.ClientTimeout,
    proxy: URL | None,
) -> aiohttp.ClientResponse:
    data = body if len(body) <= AT_ONCE else BytesIO(body)
    return await session.post(url, data=data, headers=headers, allow_redirects=False, timeout=limits, proxy=proxy)


def _session(gate: Gate, trust: ssl.SSLContext | bool, per_host: int, *, keep: bool) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(
        resolver=gate,
        use_dns_cache=False,
        socket_factory=gate.open,
        ssl=trust,
        limit=0,  # bounded by the worker: one limit for all would let hanging receivers use it up
        limit_per_host=per_host,
        force_close=not keep,
        keepalive_timeout=IDLE_S if keep else None,
    )
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        read_bufsize=READ_MAX,
        headers={"User-Agent": f"Formwright/{__version__}", "Accept-Encoding": "identity"},
    )


@lru_cache(maxsize=16)
def _limits(connect_s: float) -> aiohttp.ClientTimeout:
    # The client rounds long limits up to whole seconds unless told not to; the total is ours.
    return aiohttp.ClientTimeout(total=None, connect=connect_s, ceil_threshold=float("inf"))


async def _start_of(content: aiohttp.StreamReader) -> tuple[bytes, bool]:
    kept, size = bytearray(), 0
    while size < READ_MAX:
        chunk = await content.readany()
        if not chunk:
            return bytes(kept), size > KEPT
        size += len(chunk)
        kept += chunk[: KEPT - len(kept)]
    return bytes(kept), True


def _since(start: float) -> int:
    return round((perf_counter() - start) * 1000)
