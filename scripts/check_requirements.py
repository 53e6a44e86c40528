"""Checks that the programs the tests need are installed. As root on Debian, installs them; otherwise lists them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from fixtures import host_programs, node

ROOT = Path(__file__).resolve().parents[1]

NEEDED: dict[str, Callable[[], Path]] = {
    "postgresql": host_programs.postgresql,
    "pgbouncer": host_programs.pgbouncer,
    host_programs.HEADLESS_SHELL: host_programs.chromium,
    host_programs.CALC: host_programs.libreoffice,
    "poppler-utils": host_programs.pdftotext,
}


def missing() -> dict[str, str]:
    """Return the Debian packages that are missing, with a message for each."""
    gone = {}
    for package, find in NEEDED.items():
        try:
            find()
        except host_programs.Missing as error:
            gone[package] = str(error)
    return gone


def slow() -> set[str]:
    """Return the missing packages without which the tests only run more slowly."""
    return (
        set()
        if os.environ.get("CHROMIUM") or shutil.which(host_programs.HEADLESS_SHELL)
        else {host_programs.HEADLESS_SHELL}
    )


def install(packages: list[str]) -> None:
    """Install Debian packages with apt-get. Does not fail: the caller checks again."""
    print(f"Installing {' and '.join(packages)} with apt-get", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", "--quiet=2", *command], env=environment, stdin=subprocess.DEVNULL, check=False)


def node_missing() -> str:
    """Return a message if Node.js is neither installed nor could be installed into .venv; else an empty string."""
    try:
        node.node()
    except host_programs.Missing:
        print("Installing Node.js into .venv", flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        subprocess.run([*pip, "-r", str(ROOT / "requirements" / "node.txt")], stdin=subprocess.DEVNULL, check=False)
    try:
        node.node()
    except host_programs.Missing as error:
        return str(error)
    return ""


def main() -> int:
    gone = missing()
    if os.geteuid() == 0 and shutil.which("apt-get") and (packages := gone.keys() | slow()):
        install(sorted(packages))
        gone = missing()
    messages = [*filter(None, [*gone.values(), node_missing()])]
    for message in messages:
        print(message, file=sys.stderr)
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
