"""Checks that the generated files in the repository are those that the sources generate."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

# A clone may belong to another user than the one who runs the checks, which git would refuse.
_GIT = ("git", "-c", "safe.directory=*")


class FilesChanged(Exception):
    """A command changed files of the repository; the text says which, and what to do."""


def check_unchanged(command: Sequence[str], root: Path) -> None:
    """Run a command, and raise `FilesChanged` if it changed, created or removed a file that git does not ignore.

    Changes that were there before do not count, so that you can run the checks before you commit.
    """
    before = _snapshot(root)
    subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, check=True)
    changes = _git(root, "diff", before, _snapshot(root))
    if changes:
        raise FilesChanged(
            f"{changes}\nGenerated files are out of date. Run this, and commit what it writes: {' '.join(command)}"
        )


def _snapshot(root: Path) -> str:
    """Return the id of a tree with all files, which uses an index of its own."""
    with tempfile.TemporaryDirectory() as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        _git(root, "add", "--all", **index)
        return _git(root, "write-tree", **index)


def _git(root: Path, *arguments: str, **variables: str) -> str:
    done = subprocess.run(
        [*_GIT, *arguments], cwd=root, env=os.environ | variables, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.strip()
