"""Permissions of the data folder. It contains secrets, so only the user that runs the server may access it."""

import stat
from pathlib import Path

_PRIVATE = 0o700


def make_private_folder(folder: Path) -> None:
    """Create the folder and its missing parents, each with mode 0700. A folder that exists keeps its mode."""
    # `mkdir(parents=True)` applies the mode to the last folder only; its parents get the mode of the umask.
    for missing in reversed([parent for parent in (folder, *folder.parents) if not parent.exists()]):
        missing.mkdir(mode=_PRIVATE, exist_ok=True)


def find_permissive_mode(folder: Path) -> str:
    """Return the mode of the folder, such as `0755`, if other users can access it, or else an empty string."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    return f"{mode:04o}" if mode & ~_PRIVATE & 0o777 else ""
