"""The outermost middleware: request id, scheme and client address, security headers, host check, access log."""

import asyncio
import ipaddress
import re
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import structlog

from formwright.asgi.interfaces import PAGES, Interface
from formwright.asgi.request_errors import BadRequest, HostUnknown, RequestError
from formwright.asgi.request_limits import find_excess
from formwright.asgi.types import ASGIApp, Message, Receive, Scope, Send
from formwright.core.auth.allowed_hosts import AllowedHosts, parse_host_name
from formwright.core.auth.request_context import Caller, current_caller
from formwright.core.ids import Ids
from formwright.core.metrics import Metrics
from formwright.core.tracing import Span, Tracer
from formwright.settings import Network, Settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# The ID is logged and sent back in a header, so it must not contain line breaks or other control characters.
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._\-]{1,128}")
_BODILESS = ("GET", "HEAD", "OPTIONS")
_LINGER_S = 30.0
"""How long to drain an unread request body."""
_YEAR_S = 31_536_000
_TYPES = re.compile(r":\w+\}")

Gate = Callable[[Scope, Receive], Receive]
"""Wraps `receive` to limit the request body."""
Refusal = Callable[[RequestError], ASGIApp]
"""Returns the application that responds to a request that is rejected before anything else looks at it."""

DRAIN_SIGNAL = signal.SIGUSR1
"""The signal that tells worker processes that they will be stopped soon."""

log = structlog.get_logger("formwright.request")


class ShutdownNotice:
    """Whether this process is about to stop. It still responds, but asks clients to close their connections."""

    now = False

    def install(self) -> None:
        """Install the signal handler. Call it from the main thread of a server process."""
        signal.signal(DRAIN_SIGNAL, self._begin)

    def _begin(self, number: int, frame: object) -> None:
        self.now = True


class _DrainingReceive:
    """Passes the request body on and can drain what the application did not read."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._over = receive, False

    async def receive(self) -> Any:
        """Return the next message."""
        message: Any = await self._receive()
        self._over = not message.get("more_body", False)
        return message

    async def drain(self) -> None:
        """Read and discard the remaining body, for `_LINGER_S` at most.

        In HTTP/2 the server resets the stream after the response while the body still arrives, and often drops the
        response with it, so a client uploading a large file would not see why it was rejected.
        """
        if self._over:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_S):
                while not self._over:
                    await self.receive()


class RequestMiddleware:
    """Wraps the application. Never logs queries, headers or bodies, because they contain answers and secrets."""

    def __init__(
        self,
        app: Any,
        interfaces: Iterable[Interface],
        settings: Settings,
        ids: Ids,
        gate: Gate,
        refuse: Refusal,
        metrics: Metrics | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self.app, self._settings, self._ids, self._gate = app, settings, ids, gate
        self.interfaces = {interface.prefix: interface for interface in interfaces}
        self._hosts = AllowedHosts(settings.allowed_hosts, settings.base_url, settings.host)
        self._refuse = refuse
        self._metrics, self._tracer = metrics, tracer
        self.leaving = ShutdownNotice()

    def find_interface(self, path: str) -> Interface:
        """Return the interface that serves this path, by its first segment."""
        return self.interfaces.get("/".join(path.split("/", 2)[:2]), PAGES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # First, because all that follows parses the headers, of which a few compressed kilobytes can be megabytes.
        error = find_excess(scope)
        headers = dict(scope["headers"])
        if b"cookie" in headers and not error:
            _join_cookies(scope)
        request_id = _request_id(headers) or self._ids.new("req")
        _apply_proxy_headers(scope, headers, self._settings.trusted_proxies)
        scope.setdefault("state", {})["request_id"] = request_id
        span = self._tracer.start_request(str(scope["method"]), headers) if self._tracer else None
        address = client_address(scope, self._settings.trusted_proxies)
        caller = Caller(address, request_id, trace=span.traceparent if span else "")
        added = [(b"x-request-id", request_id.encode()), (b"x-content-type-options", b"nosniff")]
        if scope["scheme"] == "https":
            added.append((b"strict-transport-security", b"max-age=%d" % _YEAR_S))
        if self.leaving.now and scope["http_version"] in ("1.0", "1.1"):
            # In HTTP/2 the server sends GOAWAY itself.
            added.append((b"connection", b"close"))
        # RFC 9110, 9.3.2: HEAD is handled like GET, without the body.
        inner_scope = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        interface = inner_scope["state"]["interface"] = self.find_interface(scope["path"])
        inner_scope["state"]["is_head"] = scope["method"] == "HEAD"
        inner_scope["state"]["is_secure"] = _is_secure(scope, self._settings)
        entry = _AccessLogEntry(scope, inner_scope, caller)
        draining = (
            _DrainingReceive(receive) if scope["http_version"] == "2" and scope["method"] not in _BODILESS else None
        )
        receive = draining.receive if draining else receive

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                entry.record_start(message["status"])
                headers = _with_secure_cookies(scope, message["headers"])
                message["headers"] = [*headers, (b"cross-origin-resource-policy", _resource_policy(headers)), *added]
            elif scope["method"] == "HEAD" and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        # Checked only now, so that refused requests are logged and counted, too.
        error = error or _find_host_error(inner_scope, self._hosts)
        token = current_caller.set(caller)
        try:
            if error:
                await self._refuse(error)(inner_scope, receive, send_on)
            elif interface.app:
                await interface.app(inner_scope, receive, send_on)
            else:
                await self.app(inner_scope, self._gate(inner_scope, receive), send_on)
        finally:
            entry.write(self._settings.slow_ms)
            if self._metrics:
                entry.count(self._metrics)
            if span:
                entry.trace(span)
            current_caller.reset(token)
        # Only after the log entry and the metrics, whose durations must not include the rest of the upload.
        if draining:
            await draining.drain()


class _AccessLogEntry:
    """The access log entry, metrics and trace of a request."""

    __slots__ = ("_caller", "_inner_scope", "_scope", "_start", "_waited_s", "status")

    def __init__(self, scope: Any, inner_scope: Any, caller: Caller) -> None:
        # If the application raises an error before it responds, the server sends a 500.
        self.status = 500
        self._scope, self._inner_scope, self._caller, self._start = scope, inner_scope, caller, time.perf_counter()
        self._waited_s = 0.0

    def record_start(self, status: int) -> None:
        """Note the status and the time to first byte; the rest depends on the network and the client."""
        self.status, self._waited_s = status, self._passed()

    def write(self, slow_ms: int) -> None:
        """Write the access log entry, and a warning if the response took at least `slow_ms` (0: never) to start."""
        interface = self._inner_scope["state"]["interface"]
        about = {
            "request_id": self._caller.request_id,
            "method": self._scope["method"],
            "path": f"{interface.prefix}/…" if interface.redact else self._scope["path"],
            "status": self.status,
        }
        log.info("request", **about, ms=round(self._passed() * 1000, 1))
        waited_ms = (self._waited_s or self._passed()) * 1000
        if slow_ms and waited_ms >= slow_ms:
            database = {"database_ms": round(self._caller.database_s * 1000, 1), "statements": self._caller.statements}
            log.warning("slow request", **about, operation=self._operation(), ms=round(waited_ms, 1), **database)

    def count(self, metrics: Metrics) -> None:
        """Record the request in the metrics."""
        metrics.record_request(self._operation(), self.status, self._passed(), self._caller.database_s)

    def trace(self, span: Span) -> None:
        """End the trace span."""
        span.end(self._operation(), self.status, self._caller.request_id, self._caller.database_s)

    def _passed(self) -> float:
        return time.perf_counter() - self._start

    def _operation(self) -> str:
        """Return the name of the API operation or the route pattern of the page: a label of low cardinality."""
        if name := self._inner_scope["state"].get("operation"):
            return str(name)
        handler = self._inner_scope.get("route_handler")
        if handler is None:
            return "none"
        return handler.name or f"{self._inner_scope['method']} {_TYPES.sub('}', self._inner_scope['path_template'])}"


def _with_secure_cookies(scope: Any, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Mark all cookies `Secure` over HTTPS, including HTTPS terminated by a proxy."""
    if scope["scheme"] != "https":
        return list(headers)
    return [(name, _secure_cookie(value) if name.lower() == b"set-cookie" else value) for name, value in headers]


def _resource_policy(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Which pages may embed a response (`Cross-Origin-Resource-Policy`): ours, or any where CORS allows the caller.

    Browsers check this header for requests without CORS. It keeps answers and files out of the process of a page of
    another origin, where they could be read through the processor (Spectre).
    """
    allowed = any(name.lower() == b"access-control-allow-origin" for name, _ in headers)
    return b"cross-origin" if allowed else b"same-origin"


def _secure_cookie(cookie: bytes) -> bytes:
    return cookie if b"; secure" in cookie.lower() else cookie + b"; Secure"


def _find_host_error(scope: Any, hosts: AllowedHosts) -> RequestError | None:
    """Return the error of a request whose host is malformed or unknown, or None; `scope` has one host afterwards.

    RFC 9112, 3.2: HTTP/1.1 without a host, or with several, is rejected. Only HTTP/1.0 may omit it. In HTTP/2
    Granian passes `host` or, if there is none, `:authority`, so what is checked here is what links would name.
    """
    sent = named = [value for name, value in scope["headers"] if name == b"host"]
    if named in ([], [b""]) and scope["http_version"] in ("1", "1.0"):
        named = [b"localhost"]
    if len(named) != 1 and (scope["http_version"] != "2" or len({one.lower() for one in named}) != 1):
        return BadRequest()
    host = named[0].decode("latin-1")
    if parse_host_name(host) is None:
        return BadRequest()
    if sent != named[:1]:
        others = [(name, value) for name, value in scope["headers"] if name != b"host"]
        scope["headers"] = [*others, (b"host", named[0])]
    # Load balancers check health at whatever address a process has.
    return None if scope["state"]["interface"].any_address or hosts.allows(host) else HostUnknown()


def _join_cookies(scope: Any) -> None:
    """HTTP/2 lets a browser send each cookie in a header of its own (RFC 9113, 8.2.3); applications expect one."""
    cookies = [value for name, value in scope["headers"] if name == b"cookie"]
    if len(cookies) > 1:
        others = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        scope["headers"] = [*others, (b"cookie", b"; ".join(cookies))]


def _request_id(headers: dict[bytes, bytes]) -> str:
    given = headers.get(b"x-request-id", b"")
    return given.decode() if _REQUEST_ID.fullmatch(given) else ""


def _apply_proxy_headers(scope: Any, headers: dict[bytes, bytes], trusted: Sequence[Network]) -> None:
    """Apply the forwarded scheme and host if the request comes from a trusted proxy."""
    if not trusted or not _is_in(scope.get("client"), trusted):
        return
    # Only the last value comes from the trusted proxy: the client may have sent the others itself.
    if proto := headers.get(b"x-forwarded-proto", b"").rpartition(b",")[2].strip().decode("latin-1"):
        scope["scheme"] = "https" if proto == "https" else "http"
        scope.setdefault("state", {})["forwarded"] = True
    if host := headers.get(b"x-forwarded-host", b"").rpartition(b",")[2].strip():
        scope["headers"] = [(k, v) for k, v in scope["headers"] if k != b"host"] + [(b"host", host)]


def client_address(scope: Any, trusted: Sequence[Network]) -> str:
    """Return the client address: the last address in X-Forwarded-For that is not a trusted proxy; empty if unknown.

    Entries further left could be forged by the client.
    """
    here = (scope.get("client") or ("",))[0]
    if not trusted:
        return _normalise_address(here)
    sent = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    came = _address(here)
    for named in reversed(sent.decode("latin-1").split(",")):
        if not came or not _within(came, trusted) or not (before := _address(named.strip())):
            break
        came = before
    return str(came or "")


@lru_cache(maxsize=4096)
def _normalise_address(text: str) -> str:
    return str(_address(text) or "")


def _address(text: str) -> Address | None:
    """Parse an address, with or without a port. IPv4-mapped IPv6 addresses become IPv4."""
    bare = text.rpartition("]")[0][1:] if text.startswith("[") else text.partition(":")[0] if "." in text else text
    for one in (text, bare):
        try:
            address = ipaddress.ip_address(one)
        except ValueError:
            continue
        return getattr(address, "ipv4_mapped", None) or address
    return None


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _is_in(client: Any, networks: Sequence[Network]) -> bool:
    address = _address(client[0]) if client else None
    return address is not None and _within(address, networks)


def _is_secure(scope: Any, settings: Settings) -> bool:
    """Whether the request came over HTTPS, or plain HTTP is enabled and no proxy is involved."""
    if scope["scheme"] == "https":
        return True
    return settings.insecure_http and not scope["state"].get("forwarded", False)
