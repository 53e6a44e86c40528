"""Sees to what the tests need of the machine, before they run: installs it where it may, else says what is missing."""

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
}


def missing() -> dict[str, str]:
    """Debian's name of each package that is not here, and what to tell about it."""
    gone = {}
    for package, find in NEEDED.items():
        try:
            find()
        except host_programs.Missing as error:
            gone[package] = str(error)
    return gone


def slow() -> set[str]:
    """What the tests can do without, but are much slower then."""
    return (
        set()
        if os.environ.get("CHROMIUM") or shutil.which(host_programs.HEADLESS_SHELL)
        else {host_programs.HEADLESS_SHELL}
    )


def install(packages: list[str]) -> None:
    """Debian's packages by apt-get. What it has to say goes to the terminal; whether it helped is looked at after."""
    print(f"Installing Debian's {' and '.join(packages)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", "--quiet=2", *command], env=environment, stdin=subprocess.DEVNULL, check=False)


def node_missing() -> str:
    """What to tell of Node; nothing where it is here, or could be put into our environment as the pages' npm is."""
    try:
        node.node()
    except host_programs.Missing:
        print("Installing Node into .venv", flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        subprocess.run([*pip, "-r", str(ROOT / "requirements" / "node.txt")], stdin=subprocess.DEVNULL, check=False)
    try:
        node.node()
    except host_programs.Missing as error:
        return str(error)
    return ""


def main() -> int:
    gone = missing()
    if os.geteuid() == 0 and shutil.which("apt-get") and (wanted := gone.keys() | slow()):
        install(sorted(wanted))
        gone = missing()
    words = [*gone.values(), node_missing()]
    for text in filter(None, words):
        print(text, file=sys.stderr)
    return 1 if any(words) else 0


if __name__ == "__main__":
    sys.exit(main())
