"""DNS resolution behind the SSRF guard: every address is checked before a connection is made."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from formwright.core.net.ssrf_guard import AddressPolicy, ForbiddenUrl

Lookup = Callable[[str], Awaitable[Sequence[str]]]
"""Resolves a host name to its addresses, as text. Raises `OSError`."""

THREADS = 64
"""Each lookup blocks one while a name server does not respond."""
_CHECK_TIMEOUT_S = 2.0


_opened_sockets: ContextVar[list[socket.socket] | None] = ContextVar("opened_sockets", default=None)


@contextmanager
def track_opened_sockets() -> Iterator[list[socket.socket]]:
    """Yield a list of the sockets opened within the block; if it stays empty, a kept-alive connection was used."""
    opened: list[socket.socket] = []
    token = _opened_sockets.set(opened)
    try:
        yield opened
    finally:
        _opened_sockets.reset(token)


class AddressForbidden(OSError):
    """The address is forbidden. An `OSError`, because aiohttp does not wrap those."""


class ProxyTargetForbidden(AddressForbidden):
    """A request to a proxy has a target with a forbidden address."""


class SystemResolver:
    """The resolver of the operating system, without a cache.

    It has its own threads, because a name server that hangs would soon block the few threads of the event loop (two
    with uvloop). Concurrent lookups of the same name share a thread and the result.
    """

    def __init__(self, resolve: Callable[[str], Sequence[str]] | None = None) -> None:
        self._resolve = resolve or _resolve_name
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="names")
        self._pending: dict[str, asyncio.Future[Sequence[str]]] = {}

    async def __call__(self, host: str) -> Sequence[str]:
        pending = self._pending.get(host)
        if pending is None:
            pending = asyncio.get_running_loop().run_in_executor(self._threads, self._resolve, host)
            self._pending[host] = pending
            pending.add_done_callback(lambda _: self._pending.pop(host, None))
        # Shielded, because a timeout of one caller must not cancel the lookup for the others.
        return await asyncio.shield(pending)

    def close(self) -> None:
        """Stop without waiting for lookups. A thread that hangs ends when the operating system gives up."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _resolve_name(host: str) -> Sequence[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in found]


class GuardedResolver(AbstractResolver):
    """Checks the addresses of one scheme (`plain`: http) when a name is resolved, and before each socket is opened.

    The second check covers URLs with literal addresses, for which the client does not call the resolver.
    """

    def __init__(self, policy: AddressPolicy, lookup: Lookup, *, plain: bool) -> None:
        self._policy, self._lookup, self._plain = policy, lookup, plain

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        addresses = await self._lookup(host)
        if not addresses:
            raise OSError("the name has no address")
        self._check(addresses)
        return [_result(host, port, address) for address in addresses]

    def open_socket(self, info: tuple[int, int, int, str, tuple[str | int, ...]]) -> socket.socket:
        """Return a socket for the address, or raise `AddressForbidden`."""
        family, kind, protocol, _, address = info
        self._check((str(address[0]),))
        created = socket.socket(family, kind, protocol)
        if (opened := _opened_sockets.get()) is not None:
            opened.append(created)
        return created

    def _check(self, addresses: Iterable[str]) -> None:
        try:
            self._policy.check_addresses(map(ip_address, addresses), plain=self._plain)
        except ForbiddenUrl as error:
            raise AddressForbidden(error.reason) from None

    async def close(self) -> None:
        pass


class UnrestrictedResolver(GuardedResolver):
    """For connections to the operator's proxy only. `check_proxy_target` checks the targets of its requests."""

    def _check(self, addresses: Iterable[str]) -> None:
        del addresses


async def check_proxy_target(policy: AddressPolicy, lookup: Lookup, url: URL) -> None:
    """Check a URL that a proxy will call; raises `ProxyTargetForbidden` if it resolves to a forbidden address.

    A name unknown here may be known to the proxy, which needs an SSRF guard of its own.
    """
    try:
        async with asyncio.timeout(_CHECK_TIMEOUT_S):
            found = await lookup(url.raw_host or "")
    except OSError:  # TimeoutError too
        return
    try:
        policy.check_addresses(map(ip_address, found), plain=url.scheme == "http")
    except ForbiddenUrl as error:
        raise ProxyTargetForbidden(error.reason) from None


def _result(host: str, port: int, address: str) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)
