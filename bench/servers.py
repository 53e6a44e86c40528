"""The servers that are measured: started for a while, with what the processor did for them (Linux: /proc)."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_START_S = 60
_TICKS = os.sysconf("SC_CLK_TCK")
_SERVE_BARE = (
    "from granian import Granian; from granian.constants import Interfaces, Loops;"
    "Granian('bench.baseline:app', interface=Interfaces.ASGI, address='127.0.0.1', port={port}, workers={workers},"
    " loop=Loops.uvloop, websockets=False, log_level='warning').serve()"
)


class Server:
    """A running server."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int, begun_s: float) -> None:
        self.process, self.port = process, port
        self.begun_s = begun_s
        """So long it took to its first answer."""

    @property
    def host(self) -> str:
        """As the Host header names it."""
        return f"127.0.0.1:{self.port}"

    def cpu(self) -> float:
        """The processor time in seconds that its processes have used so far."""
        return sum(_cpu(pid) for pid in family(self.process.pid))


@contextmanager
def formwright(folder: Path, database_url: str, **variables: str) -> Iterator[Server]:
    """The platform as it is served: with its worker and its log; `variables` as an operator sets them."""
    port = _free_port()
    command = [sys.executable, "-m", "formwright", "serve", "--insecure-http", "--port", str(port)]
    with _served(command, environment(folder, database_url) | variables, port, folder / "formwright.log") as server:
        yield server


def environment(folder: Path, database_url: str) -> dict[str, str]:
    """For the platform's commands on this data. Compiled modules are kept, as wherever it is installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {
        "FORMWRIGHT_DATA_DIR": str(folder),
        "FORMWRIGHT_DATABASE_URL": database_url,
        "FORMWRIGHT_RATE_LIMIT": "0",
        "PYTHONPATH": "src",
    }


@contextmanager
def bare(folder: Path, database: str, workers: int = 1) -> Iterator[Server]:
    """The bare limit, served by the same server in so many processes."""
    port = _free_port()
    command = [sys.executable, "-c", _SERVE_BARE.format(port=port, workers=workers)]
    with _served(command, os.environ | {"BENCH_DATABASE": database}, port, folder / "bare.log") as server:
        yield server


@contextmanager
def _served(command: list[str], environment: dict[str, str], port: int, log: Path) -> Iterator[Server]:
    with log.open("wb") as output:
        began = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            _wait(process, port, log)
            yield Server(process, port, time.perf_counter() - began)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(40)


def _wait(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    deadline = time.monotonic() + _START_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/health/live")
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            time.sleep(0.02)
        else:
            connection.close()
            return
    raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def family(pid: int) -> Iterator[int]:
    """A process and all that come from it."""
    yield pid
    with suppress(FileNotFoundError):  # It has ended meanwhile.
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from family(int(child))


def demo(folder: Path, database_url: str) -> dict[str, str]:
    """The demo account of this data, and its key."""
    command = [sys.executable, "-m", "formwright", "demo", "--json"]
    made: dict[str, str] = json.loads(subprocess.check_output(command, env=environment(folder, database_url)))
    return made


def _cpu(pid: int) -> float:
    """utime and stime: fields 14 and 15 of proc(5)'s `stat`, counted behind the name in brackets."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def worked(pids: Sequence[int]) -> dict[int, float]:
    """What processors have done so far for each of these processes and their children, in ms (Linux: `schedstat`).

    What PostgreSQL does by itself, like its vacuum, is not in it.
    """
    found: dict[int, float] = {}
    for pid in (one for parent in pids for one in family(parent)):
        with suppress(FileNotFoundError):  # It has ended meanwhile.
            named = Path(f"/proc/{pid}/cmdline").read_bytes()
            if not named.startswith(b"postgres:") or b"127.0.0.1(" in named:
                tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
                found[pid] = sum(int(task.read_text().split()[0]) for task in tasks) / 1e6
    return found


def memory_mb(server: Server) -> float:
    """What its processes have in memory now, in MB (Linux: VmRSS)."""
    told = "".join(Path(f"/proc/{pid}/status").read_text() for pid in family(server.process.pid))
    return sum(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmRSS")) / 1000
