"""A local proxy with the SSRF guard, for libraries that resolve host names themselves.

The library connects to the proxy, which resolves the name, checks all of its addresses and connects to one of them. So
the checked address is the one that is used. Only who knows the password in `url` can use the proxy.
"""

import asyncio
import base64
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address

import structlog
from yarl import URL

from formwright.core.net.guarded_resolver import Lookup, SystemResolver
from formwright.core.net.http_client import UNREACHABLE
from formwright.core.net.ssrf_guard import AddressPolicy, ForbiddenUrl

_CONNECT_S = 5
_HEAD_S = 10
_CHUNK = 256 * 1024
_END = b"\r\n\r\n"

log = structlog.get_logger()


class ProxyRejected(Exception):
    """The proxy cannot connect. The message has no resolved addresses."""


class GuardedProxy:
    """A proxy for `http` and, with `CONNECT`, for `https`. `failure` says why the latest connection failed."""

    def __init__(self, policy: AddressPolicy, lookup: Lookup) -> None:
        self._policy, self._lookup = policy, lookup
        self._password = secrets.token_urlsafe(24)
        self.url = ""
        self.failure = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle a connection: one request of `http`, or a tunnel."""
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
                await self._handle_or_reject(reader, writer)
        finally:
            writer.close()

    async def _handle_or_reject(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._handle(reader, writer)
        except (ProxyRejected, ForbiddenUrl) as error:
            self.failure = str(error)
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close" + _END)
            await writer.drain()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_HEAD_S):
            head = await reader.readuntil(_END)
        request, *headers = head.removesuffix(_END).decode("latin-1").split("\r\n")
        method, target, _ = request.split(" ", 2)
        is_tunnel = method == "CONNECT"
        expected = base64.b64encode(f"formwright:{self._password}".encode()).decode()
        if f"proxy-authorization: basic {expected}" not in [_lower_name(header) for header in headers]:
            raise ProxyRejected("wrong password of the proxy")
        upstream, outgoing = await self._connect(self._policy.check_url(f"https://{target}" if is_tunnel else target))
        if is_tunnel:
            writer.write(b"HTTP/1.1 200 OK" + _END)
        else:
            kept = [header for header in headers if not header.lower().startswith("proxy-")]
            outgoing.write("\r\n".join([request, *kept]).encode("latin-1") + _END)
        try:
            await asyncio.gather(_copy(reader, outgoing), _copy(upstream, writer))
        finally:
            outgoing.close()

    async def _connect(self, url: URL) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            addresses = await self._lookup(url.host or "")
            self._policy.check_addresses(map(ip_address, addresses), plain=url.scheme == "http")
        except (OSError, ForbiddenUrl) as error:
            # The message does not distinguish them, as in `http_client`.
            log.info("outbound request not sent", host=url.host, reason=str(error))
            raise ProxyRejected(UNREACHABLE) from error
        for address in addresses:
            with suppress(OSError):  # TimeoutError too
                async with asyncio.timeout(_CONNECT_S):
                    return await asyncio.open_connection(address, url.port)
        raise ProxyRejected("the server does not accept connections")


def _lower_name(header: str) -> str:
    name, _, value = header.partition(":")
    kind, _, token = value.strip().partition(" ")
    return f"{name.lower()}: {kind.lower()} {token}"


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(_CHUNK):
        writer.write(chunk)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


@asynccontextmanager
async def open_guarded_proxy(policy: AddressPolicy) -> AsyncIterator[GuardedProxy]:
    """Start a proxy on the loopback address. It ends with the block, and so do its connections."""
    resolver = SystemResolver()
    proxy = GuardedProxy(policy, resolver)
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(proxy.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    proxy.url = f"http://formwright:{proxy._password}@127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        resolver.close()
