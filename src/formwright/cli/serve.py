"""`formwright serve`: checks that fail with one clear line, then the processes that answer."""

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
from granian.http import HTTP2Settings
from granian.log import LogLevels

from formwright.asgi.middleware import DRAIN_SIGNAL
from formwright.cli.supervisor import Supervisor, activated_socket
from formwright.cli.tls import check_certificate, ensure_localhost_certificate
from formwright.core.data_folder import find_permissive_mode
from formwright.settings import Settings, SettingsError

log = structlog.get_logger()
PORT = 8443
_STOP_WITHIN_S = 30
_FREE_WITHIN_S = 3.0
"""Those of a server that was killed have the port for a moment more."""
_LOOK_S = 0.5
_CONNECTIONS, _OWN_FILES = 4096, 256
"""Most are those of browsers that have nothing to ask just now. One more than this waits until another has gone."""
_ASK_MS, _ANSWER_S = 30_000, 20
"""A browser that has gone without a word, as phones do, is noticed by this: HTTP/2 has connections stay for ever."""
_FILES, _ENDLESS = resource.RLIMIT_NOFILE, 2**31
Told = TypeVarTuple("Told")
_TOLD = (signal.SIGINT, signal.SIGTERM, DRAIN_SIGNAL)
"""What the processes are told by signals: to stop, or that they will be stopped."""


@dataclass(frozen=True, slots=True)
class ListenOptions:
    """Where the server listens, and with which certificate; none: plain HTTP."""

    host: str
    port: int
    workers: int
    cert: Path | None
    key: Path | None
    drain: float = 0
    """Seconds to go on answering after SIGTERM, while who sends requests finds out and goes elsewhere."""
    activated: socket.socket | None = None
    """The listening socket of the service manager, which keeps it while the server restarts."""

    @property
    def base_url(self) -> str:
        """The address under which it is called from this machine."""
        host = "localhost" if _is_loopback(self.host) or self.host in ("0.0.0.0", "::") else self.host  # noqa: S104
        name = f"[{host}]" if ":" in host else host
        return f"{'https' if self.cert else 'http'}://{name}:{self.port}"


def resolve_listen_options(
    settings: Settings, *, host: str, port: int, workers: int, cert: Path | None, key: Path | None, drain: float = 0
) -> ListenOptions:
    """Check everything that serving needs; `SettingsError` or `CertificateError` says what is wrong."""
    if settings.insecure_http:
        if cert or key:
            raise SettingsError("--insecure-http serves without a certificate: leave --tls-cert and --tls-key out.")
        if not _is_loopback(host):
            raise SettingsError(
                f"--insecure-http serves plain HTTP on loopback only (127.0.0.1, ::1, localhost), not on {host}."
            )
    elif cert is None and key is None:
        made = ensure_localhost_certificate(settings.data_dir / "tls", [host])
        cert, key = made.cert, made.key
    elif cert is None or key is None:
        raise SettingsError("--tls-cert and --tls-key go together: name both.")
    else:
        check_certificate(cert, key)
    activated = activated_socket()
    if activated:
        host, port = _address_of(activated, settings)
    else:
        _check_free(host, port, "--port")
    return ListenOptions(host, port, workers, cert, key, drain, activated)


def _address_of(activated: socket.socket, settings: Settings) -> tuple[str, int]:
    """Where the socket of a service manager listens; it is bound by the same rules as one of our own."""
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
    """Warn if other users of the machine can enter the data folder. The mode stays: a group may have it on purpose."""
    if folder.is_dir() and (mode := find_permissive_mode(folder)):
        log.warning(
            "other users of this machine can enter the data folder, which holds secrets",
            folder=str(folder),
            mode=mode,
            fix=f"chmod 700 {folder}",
        )


def check_metrics(settings: Settings, port: int = 0) -> None:
    """Check that figures can be told where they are to be; `SettingsError` where another, or `serve` itself, has the
    port."""
    if settings.metrics_port:
        if settings.metrics_port == port:
            raise SettingsError(f"--metrics-port must be another than --port, {port}.")
        _check_free(settings.metrics_host, settings.metrics_port, "--metrics-port")


def _check_free(host: str, port: int, option: str) -> None:
    until = time.monotonic() + _FREE_WITHIN_S
    while error := _why_not(host, port):
        if error.errno != errno.EADDRINUSE or time.monotonic() > until:
            why = error.strerror or str(error)
            raise SettingsError(
                f"Cannot listen on {host}, port {port}: {why}. Choose another with {option}."
            ) from error
        time.sleep(0.05)


def _why_not(host: str, port: int) -> OSError | None:
    """What keeps one from listening there."""
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


def run(where: ListenOptions) -> None:
    """Serve until stopped. Processes that die are started again."""
    # It is for the processes that serve: told itself, it would die and leave them behind.
    signal.signal(DRAIN_SIGNAL, signal.SIG_IGN)
    os.register_at_fork(before=_hold_signals, after_in_parent=_release_signals, after_in_child=_heed_signals)
    # Children have to be forked: they inherit the listening socket, and what the parent has imported.
    multiprocessing.set_start_method("fork", force=True)
    server = Supervisor(
        "formwright.app:from_environment",
        factory=True,
        interface=Interfaces.ASGI,
        address="127.0.0.1" if where.host == "localhost" else where.host,
        port=where.port,
        workers=where.workers,
        loop=Loops.uvloop,
        ssl_cert=where.cert,
        ssl_key=where.key,
        ssl_protocol_min=SSLProtocols.tls12,
        websockets=False,
        backpressure=_connections(),
        http2_settings=HTTP2Settings(keep_alive_interval=_ASK_MS, keep_alive_timeout=_ANSWER_S),
        respawn_failed_workers=True,
        workers_kill_timeout=_STOP_WITHIN_S,
        log_level=LogLevels.warning,
    )
    server.drain = where.drain
    server.run(where.activated)


def _connections() -> int:
    """How many connections each process takes. It may open as many files, where the system lets it, beside its own."""
    soft, hard = (_ENDLESS if one == resource.RLIM_INFINITY else one for one in resource.getrlimit(_FILES))
    files = max(soft, min(hard, _CONNECTIONS + _OWN_FILES))
    if files > soft:
        resource.setrlimit(_FILES, (files, resource.getrlimit(_FILES)[1]))
    return max(_OWN_FILES, min(_CONNECTIONS, files - _OWN_FILES))


class Loop(uvloop.Loop):
    """A loop that hears a signal at any time, and once. Granian has it run twice, and sets up the server in between.

    uvloop's own would keep what is told in between until it is told something else: it has nothing that wakes it then.
    And Granian, told again while it stops, may wait for itself: a terminal and a service manager tell all processes,
    then the first of them tells the others.
    """

    _told = False

    def add_signal_handler(self, sig: int, callback: Callable[[*Told], object], *args: *Told) -> None:
        """Call it soon, or as soon as the loop runs; nothing is called for any signal after the first."""

        def told(number: int, frame: object) -> None:
            if not self._told:
                self._told = True
                self.call_soon_threadsafe(callback, *args)

        signal.signal(sig, told)
        signal.siginterrupt(sig, False)

    def stay_with(self, parent: int) -> None:
        """Stop as if told to once this process is gone.

        When it was killed nobody else tells those it leaves behind, and they would keep the port for ever.
        """
        if os.getppid() == parent:
            self.call_later(_LOOK_S, self.stay_with, parent)
        else:
            signal.raise_signal(signal.SIGTERM)


@loops.register(Loops.uvloop)
def _loop() -> Loop:
    loop = Loop()
    asyncio.set_event_loop(loop)
    if _parent:
        loop.stay_with(_parent)
    return loop


_maker = _parent = 0
"""Who makes processes, and who made this one."""


def _hold_signals() -> None:
    """Have them wait while a process is born: it would lose those that come before it runs."""
    global _maker
    _maker = os.getpid()
    signal.pthread_sigmask(signal.SIG_BLOCK, _TOLD)


def _release_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _TOLD)


def _heed_signals() -> None:
    """Let a process that is told to stop before it serves stop at once.

    It is born with its parent's handlers, which only note the signal in a memory that nobody reads.
    """
    global _parent
    _parent = _maker
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    # It is heard once there is something that can leave.
    signal.signal(DRAIN_SIGNAL, signal.SIG_IGN)
    _release_signals()
