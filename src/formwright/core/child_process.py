"""Runs code in a process of its own, with limits of memory and processor time.

Files from other people may be malicious, so what reads them inherits no environment variables and no open files.
"""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

_slots = threading.BoundedSemaphore(2)
"""At most two limited processes run at once per server process, using at most twice the memory limit together."""
_TIMEOUT_FACTOR = 4
"""Seconds of wall-clock time per second of processor time, because the machine may be busy."""
_STOPPED = {-signal.SIGABRT, -signal.SIGKILL, -signal.SIGXCPU, -signal.SIGSEGV}
"""Exit codes of a process that has exceeded its limits."""


class LimitsExceeded(Exception):
    """The process needed more memory or time than it may use."""


def python_command(module: str, *arguments: str) -> list[str]:
    """Return the command that calls `main()` of a module, with the import path of this process."""
    paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 - an empty path is the working directory.
    code = f"import sys; sys.path[:] = {paths!r}; from {module} import main; main()"
    return [sys.executable, "-I", "-S", "-c", code, *arguments]


def run_limited(module: str, *arguments: str, cpu_s: int, **streams: Any) -> subprocess.CompletedProcess[bytes]:
    """Call `main()` of a module, which must call `limit_this_process` first, and wait until it is done.

    `streams` are the arguments `input`, `stdin`, `stdout` and `stderr` of `subprocess.run`. This blocks, so call it in
    a thread. Raises `LimitsExceeded`.
    """
    # Some builds of Python need this variable to find their shared library.
    environment = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    command, timeout = python_command(module, *arguments), _TIMEOUT_FACTOR * cpu_s
    try:
        with _slots:
            completed = subprocess.run(command, env=environment, timeout=timeout, check=False, **streams)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise LimitsExceeded() from None
    if completed.returncode in _STOPPED:
        raise LimitsExceeded()
    return completed


def limit_this_process(memory: int, cpu_s: int) -> None:
    """Limit this process to `memory` bytes of address space and `cpu_s` seconds of processor time."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # The soft limit sends SIGXCPU, which a library could catch. A second later, the hard limit sends SIGKILL.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    # The memory of the process contains the file, which a core dump would write to the disk.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # If the machine runs out of memory, the kernel ends this process first and not the server.
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
