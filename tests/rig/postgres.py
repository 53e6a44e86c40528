"""A real PostgreSQL server for tests: made in a temporary folder, on a free port of 127.0.0.1, gone afterwards."""

import ctypes
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

from rig import machine

START_SECONDS = 30
STOP_SECONDS = 30
LOG_LINES = 20
PORTS = range(20_000, 32_000)  # below those that Linux and others lend to outgoing connections

# Small, but with the server's usual manners. No socket file: its path might be longer than one may be.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "timezone": "UTC",
}
# Nothing need outlive a loss of power. The order of commits, and what a killed server recovers, stay as they are.
HASTE = {"fsync": "off", "full_page_writes": "off"}


class PostgresError(Exception):
    """The server did not do as told; carries the end of what it said."""


class Server:
    """A server that runs, and what tests ask of it. Cheap to make from what another process was told of it."""

    def __init__(self, programs: Path, port: int) -> None:
        self.programs = programs
        self.port = port

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def create_database(self, name: str, template: str | None = None) -> str:
        """Makes an empty database, or a copy of `template` (to which nobody may be connected); returns its URL."""
        self._tool("createdb", *(["--template", template] if template else []), name)
        return self.url(name)

    def drop_database(self, name: str) -> None:
        """Removes the database, also when somebody is still connected to it."""
        self._tool("dropdb", "--force", "--if-exists", name)

    def _tool(self, program: str, *arguments: str) -> None:
        login = ["--host=127.0.0.1", f"--port={self.port}", "--username=postgres", "--no-password"]
        done = subprocess.run(
            [self.programs / program, *login, *arguments], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise PostgresError(done.stderr.strip())


class Cluster(Server):
    """A server of our own, for a `with` block. `durable` turns fsync on, for proofs of durability and for figures."""

    def __init__(self, *, durable: bool = False) -> None:
        super().__init__(machine.postgresql(), _free_port())
        self._settings = SETTINGS if durable else SETTINGS | HASTE
        self._owner = _owner()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="formwright-postgres-"))
        try:
            self._make()
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Starts the server, on the same port as before, and returns when it takes connections."""
        (self._data / "postmaster.pid").unlink(missing_ok=True)
        settings = [f"--{name}={value}" for name, value in self._settings.items()]
        self._process = self._spawn("postgres", "-D", str(self._data), f"--port={self.port}", *settings)
        self._wait_until_ready(self._process)

    @property
    def pid(self) -> int | None:
        """The server's process, the parent of all that work for it."""
        return self._process.pid if self._process else None

    def stop(self, *, immediate: bool = False) -> None:
        """Stops the server: cleanly, or at once as a crash would, so that the next `start` has to recover."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGQUIT if immediate else signal.SIGINT)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def close(self) -> None:
        """Stops the server and removes its files."""
        self.stop(immediate=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def _log(self) -> Path:
        return self._folder / "log"

    def _make(self) -> None:
        if self._owner:
            shutil.chown(self._folder, self._owner.pw_uid, self._owner.pw_gid)
        common = ["-D", str(self._data), "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"]
        # Not every system has C.UTF-8; C sorts the same, byte by byte, and only knows fewer capitals.
        for locale in ("C.UTF-8", "C"):
            if self._spawn("initdb", *common, f"--locale={locale}").wait() == 0:
                return
        raise PostgresError(f"initdb failed:\n{self._last_words()}")

    def _spawn(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Runs a program as the owner of the cluster, its words going to the log."""
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [self.programs / program, *arguments],
                user=self._owner.pw_uid if self._owner else None,
                group=self._owner.pw_gid if self._owner else None,
                extra_groups=[] if self._owner else None,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # A session of its own: Ctrl-C is for the tests, which then stop the server themselves.
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._ready():
            if process.poll() is not None or time.monotonic() > deadline:
                raise PostgresError(f"PostgreSQL did not start on port {self.port}:\n{self._last_words()}")
            time.sleep(0.01)

    def _ready(self) -> bool:
        """Line 8 of this file tells the state (PostgreSQL: `utils/pidfile.h`)."""
        try:
            lines = (self._data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) > 7 and lines[7].strip() == "ready"

    def _last_words(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-LOG_LINES:])


class Copy(Cluster):
    """A replica of a server that runs, for a `with` block: made from it as it is now, and following it from then on."""

    def __init__(self, primary: Server, **settings: str) -> None:
        super().__init__()
        self._primary, self._settings = primary, self._settings | settings

    def _make(self) -> None:
        if self._owner:
            shutil.chown(self._folder, self._owner.pw_uid, self._owner.pw_gid)
        login = ["--host=127.0.0.1", f"--port={self._primary.port}", "--username=postgres", "--no-password"]
        done = self._spawn(
            "pg_basebackup", *login, "-D", str(self._data), "-R", "-X", "stream", "--checkpoint=fast", "--no-sync"
        )
        if done.wait() != 0:
            raise PostgresError(f"pg_basebackup failed:\n{self._last_words()}")


def _owner() -> pwd.struct_passwd | None:
    """Whom the server runs as: it refuses to be root, then Debian's `postgres` or at least `nobody` must do."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _free_port() -> int:
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def _end_with_parent() -> None:
    """Between fork and exec: should the tests be killed, Linux ends the server as well (PR_SET_PDEATHSIG)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)
