"""The parent of the server processes: it owns the listening socket and restarts children that die.

Granian alone would stop all workers if one of them dies twice within 5.5 seconds. On Linux, each of its workers would
bind its own socket, which is lost together with the worker.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Timer
from typing import Any

import structlog
from granian import net
from granian.server import MPServer

from formwright import migrations
from formwright.asgi.middleware import DRAIN_SIGNAL
from formwright.core.db.interface import DatabaseUnreachable
from formwright.core.lazy_import import LazyModule
from formwright.processes import ProcessBoard, ServingProcess
from formwright.settings import Settings

_FIRST_DELAY_S, _LONGEST_DELAY_S = 0.25, 8.0
"""The delay before a child that died before serving is restarted. It doubles with each failure."""
_PROBE_S, _LOG_EVERY_S = 0.5, 5.0
_ACTIVATED_FD = 3
"""The first socket from a service manager: SD_LISTEN_FDS_START of sd_listen_fds(3)."""

_app = LazyModule("formwright.app")
log = structlog.get_logger()


def activated_socket() -> socket.socket | None:
    """Return the listening socket that a service manager such as systemd passed to this process, if any."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
        return None
    return socket.socket(fileno=os.dup(_ACTIVATED_FD))


def _listen(host: str, port: int, backlog: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    # Closed connections of the previous server in the state TIME_WAIT would otherwise keep the port for a minute.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(backlog)
    return listener


class RestartSchedule:
    """When each child that died is restarted.

    A child that had served is restarted immediately. One that dies before it serves is restarted indefinitely, with a
    delay that doubles up to 8 seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: dict[int, int] = {}
        self._restart_at: dict[int, float] = {}

    def add(self, index: int, *, had_served: bool) -> float:
        """Schedule the restart of a child that died, and return the delay in seconds."""
        failures = 0 if had_served else self._failures.get(index, 0) + 1
        self._failures[index] = failures
        # The exponent is limited, because 2 ** 1024 does not fit into a float.
        delay = min(_FIRST_DELAY_S * 2 ** min(failures - 1, 10), _LONGEST_DELAY_S) if failures else 0.0
        self._restart_at[index] = self._clock() + delay
        return delay

    def seconds_until_next(self) -> float | None:
        """Return the time until the next restart in seconds, or None if none is scheduled."""
        return max(0.0, min(self._restart_at.values()) - self._clock()) if self._restart_at else None

    def take_due(self) -> list[int]:
        """Return the indexes of the children to restart now, and remove them from the schedule."""
        due = [index for index, at in self._restart_at.items() if at <= self._clock()]
        for index in due:
            del self._restart_at[index]
        return due


class Supervisor(MPServer):
    """Keeps its children running as long as it runs itself."""

    drain = 0.0
    _sso: Any
    _shd: Any
    _draining = _failed = _ever_served = False

    def run(self, listener: socket.socket | None) -> None:
        """Serve until stopped. `listener` is the socket from a service manager, if any."""
        # Children fork with the application already imported, so they start fast and share its memory.
        self._passed_listener, self._board, self._schedule = listener, ProcessBoard(self.workers), RestartSchedule()
        _app.from_environment  # noqa: B018
        self.serve(target_loader=None)

    def signal_handler_interrupt(self, *args: object, **kwargs: object) -> None:
        """Stop. With a drain time, the first SIGTERM only tells the children to announce it, and stops them later."""
        if not self.drain or self._draining or args[:1] != (signal.SIGTERM,):
            super().signal_handler_interrupt(*args, **kwargs)  # type: ignore[no-untyped-call]
            return
        self._draining = True
        for process in self.wrks:
            if process.inner.is_alive():
                with suppress(ProcessLookupError):
                    os.kill(process.inner.pid, DRAIN_SIGNAL)
        timer = Timer(self.drain, super().signal_handler_interrupt)
        timer.daemon = True
        timer.start()

    def _init_shared_socket(self) -> None:
        """Bind one socket in the parent: connections wait in its queue while children restart.

        Each child inherits the socket and closes its copy as soon as it stops accepting. Once all have stopped, the
        port refuses connections, unless a service manager keeps the socket for the next server.
        """
        self._sso = self._passed_listener or _listen(self.bind_addr, self.bind_port, self.backlog)
        self._sso.setblocking(False)
        self._shd = net.SocketHolder(self._sso.fileno(), False, self.backlog)  # type: ignore[attr-defined,call-arg]

    def _spawn_worker(self, idx: int, target: Any, callback_loader: Any, socket_loader: Any = None) -> Any:
        del callback_loader, socket_loader
        load = partial(_load_application, ServingProcess(self._board, idx))
        return super()._spawn_worker(idx, target, load)

    def _serve_loop(self, spawn_target: Any, target_loader: Any) -> None:
        while True:
            self.main_loop_interrupt.wait(self._schedule.seconds_until_next())
            self.main_loop_interrupt.clear()
            if self.interrupt_signal or self._failed:
                break
            if self.reload_signal:
                self._reload(spawn_target, target_loader)  # type: ignore[no-untyped-call]
            while self.interrupt_children:
                self._note_death(self.interrupt_children.pop(0))
            for index in self._schedule.take_due():
                self._restart(index, spawn_target)

    def _note_death(self, index: int) -> None:
        had_served, code = self._board.is_serving(index), self.wrks[index].inner.exitcode
        self._board.set_serving(index, False)
        self._ever_served = self._ever_served or had_served or self._board.missing() < self.workers
        if not self._ever_served and code is not None and code > 0:
            # It exited by itself on the first start. Restarting it would only hide a configuration error.
            log.error("the server cannot start", exit_status=code)
            self._failed = True
            self.main_loop_interrupt.set()
            return
        delay = self._schedule.add(index, had_served=had_served)
        log.warning("a process died and is restarted", process=index + 1, exit_status=code, delay_s=delay)

    def _restart(self, index: int, spawn_target: Any) -> None:
        self.wrks[index] = self._spawn_worker(index, spawn_target, None)
        self.wrks[index].start()  # type: ignore[no-untyped-call]

    def shutdown(self, exit_code: int = 0) -> None:
        """Stop the children. The exit status is 1 if the first start failed."""
        super().shutdown(exit_code or int(self._failed))  # type: ignore[no-untyped-call]


def _load_application(process: ServingProcess) -> Any:
    """Return the application, in a child. Waits while PostgreSQL is down.

    The child has no signal handlers yet, so SIGTERM ends it immediately.
    """
    settings = Settings.from_environment()
    _wait_for_database(settings)
    return _app.from_environment(process)


def _wait_for_database(settings: Settings) -> None:
    parent, logged = os.getppid(), -_LOG_EVERY_S
    while settings.is_postgres and os.getppid() == parent:
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(migrations.current(settings))
        except DatabaseUnreachable as error:
            if time.monotonic() - logged >= _LOG_EVERY_S:
                log.warning("waiting for the database", detail=str(error))
                logged = time.monotonic()
            time.sleep(_PROBE_S)
        else:
            return
        finally:
            loop.close()
    if os.getppid() != parent:
        sys.exit(1)
