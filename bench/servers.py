"""Starts the measured servers and reads their processor time (Linux: /proc)."""

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
_BASELINE_COMMAND = (
    "from granian import Granian; from granian.constants import Interfaces, Loops;"
    "Granian('bench.baseline:app', interface=Interfaces.ASGI, address='127.0.0.1', port={port}, workers={workers},"
    " loop=Loops.uvloop, websockets=False, log_level='warning').serve()"
)


class Server:
    """A running server."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int, begun_s: float) -> None:
        self.process, self.port = process, port
        self.start_s = begun_s
        """The seconds from its start to its first response."""

    @property
    def host(self) -> str:
        """The value of the Host header."""
        return f"127.0.0.1:{self.port}"

    def cpu(self) -> float:
        """The processor time in seconds that its processes have used so far."""
        return sum(_cpu(pid) for pid in list_process_tree(self.process.pid))


@contextmanager
def run_formwright(folder: Path, database_url: str, **variables: str) -> Iterator[Server]:
    """Serve the application like an operator does, with worker and log; `variables` are its settings."""
    port = _free_port()
    command = [sys.executable, "-m", "formwright", "serve", "--insecure-http", "--port", str(port)]
    with _run_server(command, environment(folder, database_url) | variables, port, folder / "formwright.log") as server:
        yield server


def environment(folder: Path, database_url: str) -> dict[str, str]:
    """Return the environment of commands on this data. Compiled modules are cached, like in an installation."""
    variables_ = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONDONTWRITEBYTECODE" and not name.startswith("FORMWRIGHT_")
    }
    return variables_ | {
        "FORMWRIGHT_DATA_DIR": str(folder),
        "FORMWRIGHT_DATABASE_URL": database_url,
        "FORMWRIGHT_RATE_LIMIT": "0",
        "PYTHONPATH": "src",
    }


@contextmanager
def run_baseline(folder: Path, database: str, workers: int = 1) -> Iterator[Server]:
    """Serve the baseline with the same HTTP server and this many processes."""
    port = _free_port()
    command = [sys.executable, "-c", _BASELINE_COMMAND.format(port=port, workers=workers)]
    with _run_server(command, os.environ | {"BENCH_DATABASE": database}, port, folder / "bare.log") as server:
        yield server


@contextmanager
def _run_server(command: list[str], environment: dict[str, str], port: int, log: Path) -> Iterator[Server]:
    with log.open("wb") as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            _wait(process, port, log)
            yield Server(process, port, time.perf_counter() - started)
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


def list_process_tree(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield pid
    with suppress(FileNotFoundError):  # The process has ended.
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from list_process_tree(int(child))


def create_demo(folder: Path, database_url: str) -> dict[str, str]:
    """Create the demo account of this data; return its key and ids."""
    command = [sys.executable, "-m", "formwright", "demo", "--json"]
    account: dict[str, str] = json.loads(subprocess.check_output(command, env=environment(folder, database_url)))
    return account


def _cpu(pid: int) -> float:
    """Return utime + stime: fields 14 and 15 of proc(5)'s `stat`, counted after the name in brackets."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def cpu_ms_by_process(pids: Sequence[int]) -> dict[int, float]:
    """Return the processor time so far of each process with its children, in ms (Linux: `schedstat`).

    Background work of PostgreSQL, such as vacuum, is not included.
    """
    times: dict[int, float] = {}
    for pid in (pid_ for parent in pids for pid_ in list_process_tree(parent)):
        with suppress(FileNotFoundError):  # The process has ended.
            command_line = Path(f"/proc/{pid}/cmdline").read_bytes()
            if not command_line.startswith(b"postgres:") or b"127.0.0.1(" in command_line:
                tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
                times[pid] = sum(int(task.read_text().split()[0]) for task in tasks) / 1e6
    return times


def memory_mb(server: Server) -> float:
    """Return the current memory of its processes, in MB (Linux: VmRSS)."""
    status = "".join(Path(f"/proc/{pid}/status").read_text() for pid in list_process_tree(server.process.pid))
    return sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1000
