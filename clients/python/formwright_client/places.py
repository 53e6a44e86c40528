"""Storage for the position in the event log up to which events have been processed."""

import os
from pathlib import Path
from typing import Protocol


class Place(Protocol):
    """Stores one number. Implement your own to store it in the transaction in which you process the event."""

    def read(self) -> int | None:
        """Return the sequence of the last processed event, or None if there is none yet."""

    def write(self, sequence: int) -> None:
        """Store it durably, so that a crash does not undo it."""


class FilePlace:
    """Stores it in a file. After a crash, it has either the old number or the new one. For one process at a time."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def read(self) -> int | None:
        try:
            return int(self._path.read_text(encoding="ascii"))
        except FileNotFoundError:
            return None

    def write(self, sequence: int) -> None:
        new = self._path.with_name(self._path.name + ".new")
        with new.open("w", encoding="ascii") as file:
            file.write(f"{sequence}\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._path)


class MemoryPlace:
    """Keeps it as long as the process lives."""

    def __init__(self, sequence: int | None = None) -> None:
        self._sequence = sequence

    def read(self) -> int | None:
        return self._sequence

    def write(self, sequence: int) -> None:
        self._sequence = sequence
