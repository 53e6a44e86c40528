"""HTTP client for customer-supplied URLs: webhook posts and datasource downloads, behind the SSRF guard.

Errors do not distinguish a name with a forbidden address from a name that does not exist. Otherwise any user could find
out which names exist in the operator's network. The log distinguishes them.
"""

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from io import BytesIO
from time import perf_counter
from typing import Literal

import aiohttp
import structlog
from yarl import URL

from formwright import __version__
from formwright.core.net.guarded_resolver import (
    AddressForbidden,
    GuardedResolver,
    Lookup,
    ProxyTargetForbidden,
    SystemResolver,
    UnrestrictedResolver,
    check_proxy_target,
    track_opened_sockets,
)
from formwright.core.net.ssrf_guard import AddressPolicy, ForbiddenUrl

Kind = Literal["dns", "forbidden", "connect", "tls", "timeout", "reset", "protocol"]

# aiohttp's messages for data after the end of a response, which it parses as the next response.
_TRAILING_DATA_ERRORS = ("Bad status line", "Data after")
_TRAILING_DATA_HINT = " (not HTTP, or a longer body than announced, such as a 204 response with a body)"


UNREACHABLE = "the host name does not exist, or its address is not allowed"
NO_TUNNEL = "the proxy could not connect"
WITHOUT_DURATION = frozenset({UNREACHABLE, NO_TUNNEL})
"""The duration of these is not reported either, because resolving an internal name is often faster than failing to."""

log = structlog.get_logger()


class PostFailed(Exception):
    """No complete response was received. `kind` is stable; `detail` is a line of ASCII without resolved addresses."""

    def __init__(self, kind: Kind, detail: str, duration_ms: int = 0) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail, self.duration_ms = kind, detail, duration_ms


def classify_error(error: Exception, url: str) -> tuple[Kind, str]:
    """Return the kind and message of an error of the client, except timeouts."""
    inner = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if isinstance(inner, ForbiddenUrl):
        return "forbidden", str(inner)  # This can be specific, because it depends on the URL only.
    if isinstance(inner, ProxyTargetForbidden | aiohttp.ClientHttpProxyError):
        return "connect", _log_reason(NO_TUNNEL, inner, url)
    if isinstance(inner, AddressForbidden) or isinstance(error, aiohttp.ClientConnectorDNSError):
        return "dns", _log_reason(UNREACHABLE, inner, url)
    if isinstance(error, aiohttp.ClientSSLError) or isinstance(error.__cause__, ssl.SSLError):
        return "tls", _describe(inner)
    if isinstance(error, aiohttp.ClientConnectorError):
        return "connect", _describe(inner)
    if isinstance(error, aiohttp.ClientConnectionError | OSError):
        return "reset", _describe(inner)
    detail = _describe(inner)
    return "protocol", detail + _TRAILING_DATA_HINT if detail.startswith(_TRAILING_DATA_ERRORS) else detail


def _log_reason(detail: str, error: Exception, url: str) -> str:
    """Log the reason for the operator, and return the message for the owner of the URL."""
    status = getattr(error, "status", None)
    # Only the host, because the path may contain secrets.
    log.info("outbound request not sent", host=URL(url).host, reason=_describe(error), proxy_status=status)
    return detail


def _describe(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        text = f"certificate: {error.verify_message}"
    elif isinstance(error, ssl.SSLError):
        text = (error.reason or "TLS failed").replace("_", " ").lower()
    elif isinstance(error, OSError) and error.errno:
        # The error number, because the message contains the resolved address. Resolver errors are negative.
        text = os.strerror(error.errno) if error.errno > 0 else error.strerror or "not found"
    elif isinstance(error, aiohttp.ClientResponseError):
        text = error.message
    else:
        text = str(error)
    first = next(iter(text.splitlines()), "").rstrip(" :")
    return first[:200].encode("ascii", "backslashreplace").decode() or "failed"


_MIB = 1024 * 1024
HEADERS = ("content-type", "etag", "last-modified")
_MAX_HEADER_LENGTH = 1000


class FetchFailed(Exception):
    """The download failed. The message is one line of ASCII without resolved addresses."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a download: bytes, and seconds to connect, in total, and without progress."""

    size: int = 256 * _MIB
    connect_s: float = 5
    whole_s: float = 300
    idle_s: float = 30


DEFAULT_BOUNDS = Bounds()


class FetchTimeout:
    """Applies the total and the idle timeout of a download."""

    def __init__(self, bounds: Bounds, url: str) -> None:
        self._bounds, self._url = bounds, url
        self._end = asyncio.get_running_loop().time() + bounds.whole_s

    def next_wait(self) -> asyncio.Timeout:
        """Return the timeout for the next wait."""
        return asyncio.timeout_at(min(self._end, asyncio.get_running_loop().time() + self._bounds.idle_s))

    def to_failure(self, error: Exception) -> FetchFailed:
        """Return the error for the owner of the URL."""
        if isinstance(error, aiohttp.ConnectionTimeoutError):
            return FetchFailed(f"timeout: no connection within {self._bounds.connect_s:g} s")
        if isinstance(error, aiohttp.ClientPayloadError):
            return FetchFailed("cut off: the response ended early")
        if not isinstance(error, TimeoutError):
            return FetchFailed(": ".join(classify_error(error, self._url)))
        if asyncio.get_running_loop().time() >= self._end:
            return FetchFailed(f"timeout: no complete response within {self._bounds.whole_s:g} s")
        return FetchFailed(f"timeout: no data for {self._bounds.idle_s:g} s")


class FetchResponse:
    """A response of any status. `headers` has the relevant ones in lower case, if they are ASCII."""

    def __init__(self, response: aiohttp.ClientResponse, timeout: FetchTimeout, bounds: Bounds) -> None:
        self._response, self._timeout, self._bounds = response, timeout, bounds
        self.status = response.status
        found = ((name, response.headers.get(name, "")) for name in HEADERS)
        self.headers: Mapping[str, str] = {
            name: value for name, value in found if value.isascii() and 0 < len(value) <= _MAX_HEADER_LENGTH
        }

    @property
    def status_error(self) -> str:
        """Why a response with this status has no usable content, as a sentence; empty for 200 and 304."""
        if self.status == HTTPStatus.OK:
            return ""
        if 300 <= self.status <= 399 and self.status != HTTPStatus.NOT_MODIFIED:
            return (
                f"The server responded with status {self.status}, a redirect. Redirects are not followed; enter the URL"
                " that it leads to."
            )
        return f"The server responded with status {self.status} instead of 200."

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the body. Raises `FetchFailed` if it is too large, too slow or incomplete."""
        size = 0
        if (announced := self._response.content_length) is not None and announced > self._bounds.size:
            raise self._too_large()
        while chunk := await self._next():
            size += len(chunk)
            if size > self._bounds.size:
                raise self._too_large()
            yield chunk

    async def _next(self) -> bytes:
        try:
            async with self._timeout.next_wait():
                return await self._response.content.readany()
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise self._timeout.to_failure(error) from error

    def _too_large(self) -> FetchFailed:
        return FetchFailed(f"too large: more than {self._bounds.size // _MIB or self._bounds.size / _MIB:g} MiB")


__all__ = ["HttpClient", "HttpResponse", "PostFailed"]

MAX_READ = 16 * 1024
MAX_BODY = 2 * 1024
RESPONSE_HEADERS = ("retry-after", "content-type")
# Servers close idle connections after 2 to 75 s. A shorter keep-alive avoids posting to a closed connection.
KEEPALIVE_S = 1.0
# aiohttp warns about larger bodies that are passed as bytes rather than as a file.
MAX_BYTES_BODY = 1024 * 1024


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response of any status: the relevant headers in lower case, and at most 2 KiB of the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool
    duration_ms: int


class HttpClient:
    """HTTP client without redirects, cookies or proxies from the environment.

    It only connects to addresses that the SSRF guard allows, and keeps connections alive for a second. Create it in a
    running event loop. `per_host` limits the connections to one host; a post waits up to `connect_s` for a free one.
    If the operator has a `proxy`, all requests go through it; targets whose names can be resolved here are checked too.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        lookup: Lookup | None = None,
        ssl_context: ssl.SSLContext | None = None,
        per_host: int = 10,
        proxy: str = "",
    ) -> None:
        self._names = SystemResolver()
        self._policy, self._lookup, self._proxy = policy, lookup or self._names, URL(proxy) if proxy else None
        # The policy never changes, so checks of URLs can be cached. Resolved addresses are never cached.
        self._check_url = lru_cache(maxsize=4096)(policy.check_url)
        trust = True if ssl_context is None else ssl_context
        kind = UnrestrictedResolver if proxy else GuardedResolver
        resolvers = {scheme: kind(policy, self._lookup, plain=scheme == "http") for scheme in ("https", "http")}
        self._keepalive_sessions = {
            scheme: _session(resolver, trust, per_host, keepalive=True) for scheme, resolver in resolvers.items()
        }
        self._single_use_sessions = {
            scheme: _session(resolver, trust, per_host, keepalive=False) for scheme, resolver in resolvers.items()
        }

    async def post(
        self, url: str, *, headers: Mapping[str, str], body: bytes, deadline_s: float = 15, connect_s: float = 5
    ) -> HttpResponse:
        """Post once. `deadline_s` covers everything: waiting, resolving, connecting, sending and reading.

        Raises `PostFailed`, but not for error statuses. Reads at most 16 KiB and then closes the connection.
        """
        start = perf_counter()
        try:
            async with asyncio.timeout(deadline_s):
                response = await self._exchange(self._check_url(url), headers, body, connect_s)
        except aiohttp.ConnectionTimeoutError:
            raise PostFailed("timeout", f"no connection within {connect_s:g} s", _elapsed_ms(start)) from None
        except TimeoutError:
            raise PostFailed("timeout", f"no complete response within {deadline_s:g} s", _elapsed_ms(start)) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            kind, detail = classify_error(error, url)
            raise PostFailed(kind, detail, 0 if detail in WITHOUT_DURATION else _elapsed_ms(start)) from error
        return HttpResponse(*response, _elapsed_ms(start))

    async def _exchange(
        self, url: URL, headers: Mapping[str, str], body: bytes, connect_s: float
    ) -> tuple[int, Mapping[str, str], bytes, bool]:
        await self._check_target(url)
        response = await self._send(url, headers, body, _client_timeout(connect_s))
        try:
            text, truncated = await _read_start(response.content)
        finally:
            response.close()  # Has no effect after a complete response: the connection is already back in the pool.
        found = ((name, response.headers.get(name, "")) for name in RESPONSE_HEADERS)
        return response.status, {name: value for name, value in found if value and value.isascii()}, text, truncated

    async def _check_target(self, url: URL) -> None:
        # Without a proxy, the resolver checks each connection.
        if self._proxy:
            await check_proxy_target(self._policy, self._lookup, url)

    async def _send(
        self, url: URL, headers: Mapping[str, str], body: bytes, limits: aiohttp.ClientTimeout
    ) -> aiohttp.ClientResponse:
        """Post and return the response without its body.

        If a kept-alive connection fails, the server may have closed it just before, so the post is retried once on a
        new connection. If both arrive, the receiver recognises the duplicate by the message id.
        """
        with track_opened_sockets() as opened:
            try:
                return await _post(self._keepalive_sessions[url.scheme], url, headers, body, limits, self._proxy)
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
                if opened or isinstance(error, aiohttp.ClientConnectorError):
                    raise
        return await _post(self._single_use_sessions[url.scheme], url, headers, body, limits, self._proxy)

    @asynccontextmanager
    async def get(self, url: str, *, headers: Mapping[str, str], bounds: Bounds) -> AsyncIterator[FetchResponse]:
        """Open a response on a new connection, without following redirects.

        Raises `FetchFailed`, but not for error statuses.
        """
        async with self.open("GET", url, headers=headers, bounds=bounds) as response:
            yield response

    @asynccontextmanager
    async def open(
        self, method: str, url: str, *, headers: Mapping[str, str], bounds: Bounds, body: bytes | None = None
    ) -> AsyncIterator[FetchResponse]:
        """Open the response to a request of any method, as `get` does."""
        timeout = FetchTimeout(bounds, url)
        try:
            parsed = self._check_url(url)
            async with timeout.next_wait():
                await self._check_target(parsed)
                response = await self._single_use_sessions[parsed.scheme].request(
                    method,
                    parsed,
                    headers=headers,
                    data=body,
                    allow_redirects=False,
                    timeout=_client_timeout(bounds.connect_s),
                    proxy=self._proxy,
                )
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise timeout.to_failure(error) from error
        try:
            yield FetchResponse(response, timeout, bounds)
        finally:
            response.close()

    async def close(self) -> None:
        """Close all connections. Running requests fail."""
        for session in (*self._keepalive_sessions.values(), *self._single_use_sessions.values()):
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
    data = body if len(body) <= MAX_BYTES_BODY else BytesIO(body)
    return await session.post(url, data=data, headers=headers, allow_redirects=False, timeout=limits, proxy=proxy)


def _session(
    resolver: GuardedResolver, trust: ssl.SSLContext | bool, per_host: int, *, keepalive: bool
) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(
        resolver=resolver,
        use_dns_cache=False,
        socket_factory=resolver.open_socket,
        ssl=trust,
        limit=0,  # The worker limits the total. A limit here could be used up by receivers that hang.
        limit_per_host=per_host,
        force_close=not keepalive,
        keepalive_timeout=KEEPALIVE_S if keepalive else None,
    )
    return aiohttp.ClientSession(
        connector=connector,
        # Customers share the session, so a cookie would also be sent in requests of other customers.
        cookie_jar=aiohttp.DummyCookieJar(),
        # A few compressed kilobytes can expand to gigabytes.
        auto_decompress=False,
        trust_env=False,
        read_bufsize=MAX_READ,
        headers={"User-Agent": f"Formwright/{__version__}", "Accept-Encoding": "identity"},
    )


@lru_cache(maxsize=16)
def _client_timeout(connect_s: float) -> aiohttp.ClientTimeout:
    # Without `ceil_threshold`, aiohttp rounds long timeouts up to whole seconds. Callers apply the total timeout.
    return aiohttp.ClientTimeout(total=None, connect=connect_s, ceil_threshold=float("inf"))


async def _read_start(content: aiohttp.StreamReader) -> tuple[bytes, bool]:
    """Read up to `MAX_READ` bytes; return the first `MAX_BODY` of them, and whether there are more."""
    start, size = bytearray(), 0
    while size < MAX_READ:
        chunk = await content.readany()
        if not chunk:
            return bytes(start), size > MAX_BODY
        size += len(chunk)
        start += chunk[: MAX_BODY - len(start)]
    return bytes(start), True


def _elapsed_ms(start: float) -> int:
    return round((perf_counter() - start) * 1000)
