"""`formwright serve`: checks the options, reporting errors in one line, and then runs the server processes."""

import asyncio
import errno
import ipaddress
import multiprocessing
import os
import resource
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVarTuple

import structlog
import uvloop
from granian import loops
from granian.constants import Interfaces, Loops, SSLProtocols
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels

from formwright.asgi.middleware import DRAIN_SIGNAL
from formwright.asgi.request_limits import MAX_HEADER_BYTES
from formwright.cli.supervisor import Supervisor, activated_socket
from formwright.cli.tls import check_certificate, ensure_localhost_certificate
from formwright.core.data_folder import find_permissive_mode
from formwright.settings import Settings, SettingsError

log = structlog.get_logger()
PORT = 8443
_STOP_TIMEOUT_S = 30
_PORT_TIMEOUT_S = 3.0
"""The processes of a killed server keep the port for a moment."""
_PARENT_CHECK_S = 0.5
_MAX_CONNECTIONS, _RESERVED_FILES = 4096, 256
"""Connections per process, most of which are idle browsers. Further connections wait until one is closed."""
_KEEP_ALIVE_INTERVAL_MS, _KEEP_ALIVE_TIMEOUT_S = 30_000, 20
"""HTTP/2 keeps connections open indefinitely. This detects clients that vanish without closing them, such as phones."""
_MAX_HEAD_BYTES = 2 * MAX_HEADER_BYTES
"""The server itself rejects larger headers. The application explains its own, lower limit in its response."""
_MAX_CONCURRENT_STREAMS = 100
"""Requests at a time on one HTTP/2 connection. RFC 9113, 5.1.2, recommends not to allow fewer."""
_OPEN_FILES, _UNLIMITED = resource.RLIMIT_NOFILE, 2**31
Args = TypeVarTuple("Args")
_SIGNALS = (signal.SIGINT, signal.SIGTERM, DRAIN_SIGNAL)
"""The signals that the server processes handle: to stop, or to announce that they will be stopped."""


@dataclass(frozen=True, slots=True)
class ListenOptions:
    """Where the server listens, and with which certificate. Without a certificate it serves plain HTTP."""

    host: str
    port: int
    workers: int
    cert: Path | None
    key: Path | None
    drain: float = 0
    """Seconds to keep serving after SIGTERM, so that load balancers can send requests elsewhere."""
    activated: socket.socket | None = None
    """A listening socket from the service manager, which keeps it open while the server restarts."""

    @property
    def base_url(self) -> str:
        """The URL of the server on this machine."""
        host = "localhost" if _is_loopback(self.host) or self.host in ("0.0.0.0", "::") else self.host  # noqa: S104
        name = f"[{host}]" if ":" in host else host
        return f"{'https' if self.cert else 'http'}://{name}:{self.port}"


def resolve_listen_options(
    settings: Settings, *, host: str, port: int, workers: int, cert: Path | None, key: Path | None, drain: float = 0
) -> ListenOptions:
    """Check and complete the options. Raises `SettingsError` or `CertificateError`.

    The port comes last: that it is in use may be temporary, or hide another error that the operator has to fix anyway.
    """
    if settings.insecure_http:
        if cert or key:
            raise SettingsError("--insecure-http serves without a certificate: omit --tls-cert and --tls-key.")
        if not _is_loopback(host):
            raise SettingsError(
                f"--insecure-http serves plain HTTP on loopback only (127.0.0.1, ::1, localhost), not on {host}."
            )
    elif cert is None and key is None:
        local = ensure_localhost_certificate(settings.data_dir / "tls", [host])
        cert, key = local.cert, local.key
    elif cert is None or key is None:
        raise SettingsError("--tls-cert and --tls-key must be used together.")
    else:
        check_certificate(cert, key)
    if settings.metrics_port == port:
        raise SettingsError(f"--metrics-port must differ from --port, {port}.")
    activated = activated_socket()
    if activated:
        host, port = _address_of(activated, settings)
    else:
        _check_port_free(host, port, "--port")
    return ListenOptions(host, port, workers, cert, key, drain, activated)


def _address_of(activated: socket.socket, settings: Settings) -> tuple[str, int]:
    """Return host and port of a socket from a service manager. The same rules apply as for `--host`."""
    if activated.family not in (socket.AF_INET, socket.AF_INET6):
        raise SettingsError("The service manager must pass a TCP socket.")
    host, port = activated.getsockname()[:2]
    if settings.insecure_http and not _is_loopback(host):
        raise SettingsError(f"--insecure-http serves plain HTTP on loopback only; the passed socket is on {host}.")
    return host, port


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def warn_if_accessible(folder: Path) -> None:
    """Warn if other users of the machine can access the data folder.

    The mode is not changed, because the operator may have given access to a group on purpose.
    """
    if folder.is_dir() and (mode := find_permissive_mode(folder)):
        log.warning(
            "other users of this machine can access the data folder, which contains secrets",
            folder=str(folder),
            mode=mode,
            fix=f"chmod 700 {folder}",
        )


def check_metrics_port(settings: Settings) -> None:
    """Raise `SettingsError` if the port of the metrics is in use."""
    if settings.metrics_port:
        _check_port_free(settings.metrics_host, settings.metrics_port, "--metrics-port")


def _check_port_free(host: str, port: int, option: str) -> None:
    deadline = time.monotonic() + _PORT_TIMEOUT_S
    while error := _bind_error(host, port):
        if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
            reason = error.strerror or str(error)
            raise SettingsError(
                f"Cannot listen on {host}, port {port}: {reason}. Choose another port with {option}."
            ) from error
        time.sleep(0.05)


def _bind_error(host: str, port: int) -> OSError | None:
    """Return the error of listening there, or None if it is possible."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error
    except OverflowError as error:
        return OSError(str(error))
    return None


def run(options: ListenOptions) -> None:
    """Serve until stopped. Processes that die are restarted."""
    # This signal is for the server processes. It would kill the parent, which would leave them behind.
    signal.signal(DRAIN_SIGNAL, signal.SIG_IGN)
    os.register_at_fork(before=_block_signals, after_in_parent=_unblock_signals, after_in_child=_reset_signals)
    # Children must be forked, because they inherit the listening socket and the imported modules.
    multiprocessing.set_start_method("fork", force=True)
    server = Supervisor(
        "formwright.app:from_environment",
        factory=True,
        interface=Interfaces.ASGI,
        # The socket has one address, while `localhost` often means both 127.0.0.1 and ::1.
        address="127.0.0.1" if options.host == "localhost" else options.host,
        port=options.port,
        workers=options.workers,
        loop=Loops.uvloop,
        ssl_cert=options.cert,
        ssl_key=options.key,
        # RFC 8996 forbids TLS 1.0 and 1.1.
        ssl_protocol_min=SSLProtocols.tls12,
        websockets=False,
        backpressure=_connection_limit(),
        http1_settings=HTTP1Settings(max_buffer_size=_MAX_HEAD_BYTES),
        http2_settings=HTTP2Settings(
            keep_alive_interval=_KEEP_ALIVE_INTERVAL_MS,
            keep_alive_timeout=_KEEP_ALIVE_TIMEOUT_S,
            max_concurrent_streams=_MAX_CONCURRENT_STREAMS,
            max_headers_size=_MAX_HEAD_BYTES,
        ),
        respawn_failed_workers=True,
        workers_kill_timeout=_STOP_TIMEOUT_S,
        log_level=LogLevels.warning,
    )
    server.drain = options.drain
    server.run(options.activated)


def _connection_limit() -> int:
    """Return the maximum number of connections per process, and raise the limit of open files accordingly."""
    soft, hard = (_UNLIMITED if n == resource.RLIM_INFINITY else n for n in resource.getrlimit(_OPEN_FILES))
    files = max(soft, min(hard, _MAX_CONNECTIONS + _RESERVED_FILES))
    if files > soft:
        resource.setrlimit(_OPEN_FILES, (files, resource.getrlimit(_OPEN_FILES)[1]))
    return max(_RESERVED_FILES, min(_MAX_CONNECTIONS, files - _RESERVED_FILES))


class Loop(uvloop.Loop):
    """An event loop that handles a signal at any time, but only once.

    Granian runs the loop twice, and sets up the server in between. uvloop would only handle a signal from that time
    once another one wakes it. Granian can also deadlock if it receives a second signal while it stops, which is common:
    terminals and service managers signal all processes, and then the parent signals its children.
    """

    _signalled = False

    def add_signal_handler(self, sig: int, callback: Callable[[*Args], object], *args: *Args) -> None:
        """Call `callback` soon, or as soon as the loop runs, for the first signal only."""

        def handle(number: int, frame: object) -> None:
            if not self._signalled:
                self._signalled = True
                self.call_soon_threadsafe(callback, *args)

        signal.signal(sig, handle)
        # `signal.signal` makes system calls fail with EINTR when the signal arrives. Native code may not retry them.
        signal.siginterrupt(sig, False)

    def watch_parent(self, parent: int) -> None:
        """Stop, as with SIGTERM, once the parent process is gone.

        If the parent is killed, nobody else stops its children, and they would keep the port forever.
        """
        if os.getppid() == parent:
            self.call_later(_PARENT_CHECK_S, self.watch_parent, parent)
        else:
            signal.raise_signal(signal.SIGTERM)


@loops.register(Loops.uvloop)
def _loop() -> Loop:
    loop = Loop()
    asyncio.set_event_loop(loop)
    if _parent:
        loop.watch_parent(_parent)
    return loop


_forking_process = _parent = 0
"""The ids of the process that forks, and of the parent of this process."""


def _block_signals() -> None:
    """Block signals during a fork: the child would lose those that arrive before it runs."""
    global _forking_process
    _forking_process = os.getpid()
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)


def _unblock_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _reset_signals() -> None:
    """Let signals that arrive before the child serves stop it immediately.

    The child inherits the handlers of its parent, which set variables that nobody reads in the child.
    """
    global _parent
    _parent = _forking_process
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    # The application handles this signal once it is loaded.
    signal.signal(DRAIN_SIGNAL, signal.SIG_IGN)
    _unblock_signals()
