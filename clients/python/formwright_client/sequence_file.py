"""A file that contains one number."""

import os
from pathlib import Path


def read_sequence(path: Path) -> int | None:
    """Return the number, or None if there is no file."""
    try:
        return int(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return None


def write_sequence(path: Path, sequence: int) -> None:
    """Replace the file. After a crash, it has either the old number or the new one."""
    new = path.with_name(path.name + ".new")
    with new.open("w", encoding="ascii") as file:
        file.write(f"{sequence}\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
