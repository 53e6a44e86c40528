"""Tries every target of the Makefile once: `make release-check`. Each must succeed in a clone of the current commit.

The clone is removed afterwards, so that no target changes this folder. Targets come from the Makefile, so a new one is
tried without further ado. All are tried, also after one has failed.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)
_ITSELF = "release-check"
_LAST = "clean"
"""Removes what the others need."""
_START_S, _STOP_S = 1800, 60


def list_targets(makefile: str) -> list[str]:
    """Return the targets of a Makefile in its order, except the one that calls this, and with `clean` at the end."""
    found = dict.fromkeys(name for name in _TARGET.findall(makefile) if name not in (_ITSELF, _LAST))
    return [*found, *([_LAST] if re.search(rf"^{_LAST}:", makefile, re.MULTILINE) else [])]


def try_target(name: str, folder: Path) -> bool:
    """Run a target in a folder, and return whether it succeeded. A server succeeds if it listens and can be stopped."""
    if name == "run":
        return _try_server(folder)
    return subprocess.run(["make", name], cwd=folder, stdin=subprocess.DEVNULL, check=False).returncode == 0


def _try_server(folder: Path) -> bool:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["make", "run", f"ARGS=--port {port}"]
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        if not _listens(port, process):
            return False
        os.killpg(process.pid, signal.SIGTERM)
        # make ends by the signal, and with a status of 2 if its command did.
        return process.wait(_STOP_S) in (0, 2, -signal.SIGTERM)
    except subprocess.TimeoutExpired:
        return False
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _listens(port: int, process: "subprocess.Popen[bytes]") -> bool:
    """Wait until something listens on the port, and return whether it did before the process ended."""
    deadline = time.monotonic() + _START_S
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.1)
    return False


def main(root: Path, chosen: list[str]) -> int:
    """Try all targets, or those chosen, and return the exit status."""
    results: dict[str, tuple[bool, float]] = {}
    with tempfile.TemporaryDirectory(prefix="formwright-release-") as folder:
        clone = Path(folder, "clone")
        subprocess.run(["git", "-c", "safe.directory=*", "clone", "--quiet", str(root), str(clone)], check=True)
        for name in chosen or list_targets((clone / "Makefile").read_text(encoding="utf-8")):
            print(f"release-check: make {name}", flush=True)
            started = time.monotonic()
            results[name] = try_target(name, clone), time.monotonic() - started
        shutil.rmtree(clone, ignore_errors=True)
    print("\nrelease-check:")
    for name, (is_good, seconds) in results.items():
        print(f"  {'passed' if is_good else 'FAILED'}  {seconds:6.0f} s  make {name}")
    return 0 if all(is_good for is_good, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(ROOT, sys.argv[1:]))
