"""The data folder holds secrets: only the user that runs the platform gets into it."""

import stat
from pathlib import Path

_PRIVATE = 0o700


def make_private_folder(folder: Path) -> None:
    """Create the folder and its missing parents, each with mode 0700. A folder that exists keeps its mode."""
    # `mkdir(parents=True)` gives the mode to the last folder only, and the umask's to those above it.
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(mode=_PRIVATE, exist_ok=True)


def find_permissive_mode(folder: Path) -> str:
    """The mode of a folder that other users of the machine can read or enter, such as `0755`; empty if none can."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    return f"{mode:04o}" if mode & ~_PRIVATE & 0o777 else ""
