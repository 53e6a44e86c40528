"""`formwright` as an operator runs it: real processes with their own data, that can be stopped, killed and read."""

import asyncio
import ctypes
import json
import multiprocessing
import os
import random
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from formwright.cli.main import main
from formwright.settings import Settings
from rig.postgres import PORTS

# A process that has read all the programs already and is then divided for each command: a second saved each time.
_ready = multiprocessing.get_context("forkserver")
_ready.set_forkserver_preload(["formwright.cli.main", "formwright.app", "formwright.migrations.upgrading"])

START_SECONDS = 30
STOP_SECONDS = 20


def free_port() -> int:
    """A port of the range that the system gives to no outgoing connection."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def environment(**variables: str) -> dict[str, str]:
    """This process's environment, with these `FORMWRIGHT_…` variables and no others of them."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("FORMWRIGHT_")}
    return own | {f"FORMWRIGHT_{name}": value for name, value in variables.items()}


def command(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run `formwright` to its end, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        wide = environment(**variables) | {"COLUMNS": "200", "TERM": "dumb"}
        child = _ready.Process(target=_run, args=(arguments, wide, out, err), daemon=True)
        child.start()
        child.join(60)
        assert child.exitcode is not None, f"formwright {' '.join(arguments)} does not end"
        return subprocess.CompletedProcess(arguments, child.exitcode, out.read_text(), err.read_text())


Child = multiprocessing.process.BaseProcess


def spawn(arguments: tuple[str, ...], variables: dict[str, str], out: Path, err: Path) -> Child:
    """Run a `formwright` that stays, in a session of its own: its group is its `pid`."""
    child = _ready.Process(target=_stay, args=(arguments, environment(**variables), out, err), daemon=True)
    child.start()
    return child


def run_aside(work: Callable[..., None], *arguments: object) -> Child:
    """Do something of the tests' own in another process."""
    child = _ready.Process(target=work, args=arguments, daemon=True)
    child.start()
    return child


def _stay(arguments: tuple[str, ...], variables: dict[str, str], out: Path, err: Path) -> None:
    os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: it ends with the tests, also with killed ones.
    # A daemon of `multiprocessing` may have no children; a server has.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    # What a server makes of itself begins with all that is read already.
    multiprocessing.set_start_method("fork", force=True)
    _run(arguments, variables, out, err)


def _run(arguments: tuple[str, ...], variables: dict[str, str], out: Path, err: Path) -> None:
    for path, descriptor in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), descriptor)
    sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
    sys.argv = ["formwright", *arguments]
    os.environ.clear()
    os.environ.update(variables)
    sys.exit(main())


class Server:
    """`formwright serve`, or another command that stays, over TLS on a free port."""

    def __init__(self, data: Path, *, database_url: str = "", port: int = 0, **variables: str) -> None:
        self.data, self.port = data, port or free_port()
        self._words, self._log = data / "server.words", data / "server.log"
        own = {"DATA_DIR": str(data), "DATABASE_URL": database_url, "PORT": str(self.port), "RATE_LIMIT": "0"}
        self._variables = own | variables
        self._process: Child | None = None

    def settings(self) -> Settings:
        """Its settings, for a house of the test's own beside it."""
        return Settings.from_environment({f"FORMWRIGHT_{name}": value for name, value in self._variables.items()})

    @property
    def base_url(self) -> str:
        return f"https://localhost:{self.port}"

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.is_alive()

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Another command on the same data, in the same environment."""
        return command(*arguments, **self._variables)

    def demo(self) -> dict[str, str]:
        done = self.command("demo", "--json")
        assert done.returncode == 0, done.stderr
        made: dict[str, str] = json.loads(done.stdout)
        return made

    async def start(self, *arguments: str) -> float:
        """Start it; answers how many seconds passed until its first answer."""
        begun = time.monotonic()
        self.spawn("serve", *arguments)
        while not await self._answers():
            assert self.running, f"it ended with {self._process and self._process.exitcode}: {self.log()}"
            assert time.monotonic() < begun + START_SECONDS, self.log()
            await asyncio.sleep(0.02)
        return time.monotonic() - begun

    def spawn(self, *arguments: str) -> None:
        """Run a command that stays, in a session of its own, so that its whole family can be killed at once."""
        self._words.touch()
        self._log.touch()
        self._process = spawn(arguments, self._variables, self._words, self._log)

    def kill(self) -> None:
        """SIGKILL to all its processes: nobody has time to put anything away."""
        if self._process is None or self._process.pid is None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            self._process.kill()  # It has no group of its own yet, and so no family.
        self._process.join()

    def kill_first(self) -> int:
        """SIGKILL to its first process alone: those that answer are left behind, as the group that this names."""
        assert self._process is not None
        assert self._process.pid is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        return self._process.pid

    async def stop(self) -> tuple[int, float]:
        """SIGTERM, as a service manager does it: the exit status, and the seconds it took."""
        assert self._process is not None
        begun = time.monotonic()
        self._process.terminate()
        await asyncio.to_thread(self._process.join, STOP_SECONDS)
        assert self._process.exitcode is not None, f"it does not stop\n{self.log()}"
        return self._process.exitcode, time.monotonic() - begun

    def close(self) -> None:
        """Leave nothing running."""
        if self.running:
            self.kill()

    def words(self) -> str:
        """What it told its operator, on standard output: there stands what to sign in with."""
        return self._words.read_text()

    def log(self) -> str:
        """Its log, on standard error: there must stand no secret."""
        return self._log.read_text()

    def trust(self) -> ssl.SSLContext:
        """What a careful client does: trust the authority that the server made, and nobody else."""
        return ssl.create_default_context(cafile=self.data / "tls" / "ca.pem")

    def client(self, **headers: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.base_url, verify=self.trust(), headers=headers)

    async def _answers(self) -> bool:
        if not _listens(self.port):
            return False
        try:
            async with self.client() as http:
                return (await http.get("/sign-in")).status_code == 200
        except httpx.TransportError:
            return False


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def eventually(look: Any, seconds: float = 30) -> Any:
    """The first true answer of `look()`; AssertionError when there is none in time."""
    end = time.monotonic() + seconds
    while not (found := await look()):
        assert time.monotonic() < end, "it never came to be"
        await asyncio.sleep(0.02)
    return found
