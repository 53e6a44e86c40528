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
"""A host name into its addresses, as text. Raises OSError."""

THREADS = 64
_CHECK_TIMEOUT_S = 2.0


_opened: ContextVar[list[socket.socket] | None] = ContextVar("opened", default=None)


@contextmanager
def track_opened_sockets() -> Iterator[list[socket.socket]]:
    """The sockets that this task opens within; none means that a kept connection served."""
    opened: list[socket.socket] = []
    token = _opened.set(opened)
    try:
        yield opened
    finally:
        _opened.reset(token)


class AddressForbidden(OSError):
    """A forbidden address. An OSError, because aiohttp passes only those on unchanged."""


class ProxyTargetForbidden(AddressForbidden):
    """A forbidden address that a proxy should have called."""


class SystemResolver:
    """The machine's own lookup, remembering nothing.

    In threads of its own, and a name once at a time: a name server that hangs holds one of them, where the loop's
    few (uvloop: two) would soon all wait for it. Tries of the same moment share an answer.
    """

    def __init__(self, ask: Callable[[str], Sequence[str]] | None = None) -> None:
        self._ask = ask or _resolve_name
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="names")
        self._asking: dict[str, asyncio.Future[Sequence[str]]] = {}

    async def __call__(self, host: str) -> Sequence[str]:
        asking = self._asking.get(host)
        if asking is None:
            asking = asyncio.get_running_loop().run_in_executor(self._threads, self._ask, host)
            self._asking[host] = asking
            asking.add_done_callback(lambda _: self._asking.pop(host, None))
        return await asyncio.shield(asking)  # one waiter's deadline is not the others'

    def close(self) -> None:
        """Wait for no lookup: a thread that hangs ends when the system gives up."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _resolve_name(host: str) -> Sequence[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in found]


class GuardedResolver(AbstractResolver):
    """Where one kind of connection passes the wall: names when they are resolved, and every socket before it is made.

    The second covers what needs no resolving: the client never asks its resolver about a literal address.
    """

    def __init__(self, policy: AddressPolicy, lookup: Lookup, *, plain: bool) -> None:
        self._policy, self._lookup, self._plain = policy, lookup, plain

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        addresses = await self._lookup(host)
        if not addresses:
            raise OSError("the name has no address")
        self._judge(addresses)
        return [_result(host, port, address) for address in addresses]

    def open(self, info: tuple[int, int, int, str, tuple[str | int, ...]]) -> socket.socket:
        """The socket for an address that passes; raises `AddressForbidden` for any other."""
        family, kind, protocol, _, place = info
        self._judge((str(place[0]),))
        made = socket.socket(family, kind, protocol)
        if (opened := _opened.get()) is not None:
            opened.append(made)
        return made

    def _judge(self, addresses: Iterable[str]) -> None:
        try:
            self._policy.check_addresses(map(ip_address, addresses), plain=self._plain)
        except ForbiddenUrl as error:
            raise AddressForbidden(error.reason) from None

    async def close(self) -> None:
        pass


class UnrestrictedResolver(GuardedResolver):
    """To the operator's own proxy, and nowhere else: what is asked of it is judged before, by `judge`."""

    def _judge(self, addresses: Iterable[str]) -> None:
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
