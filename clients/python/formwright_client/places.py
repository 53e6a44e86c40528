"""Where a reader of the event log remembers how far it has come."""

import os
from pathlib import Path
from typing import Protocol


class Place(Protocol):
    """Keeps one number. Give your own where it belongs beside your data, in the transaction that stores the event."""

    def read(self) -> int | None:
        """The sequence of the last event that has been dealt with; None where there is none yet."""

    def write(self, sequence: int) -> None:
        """Keep it, so that a crash does not undo it."""


class FilePlace:
    """Keeps it in a file. A crash leaves the old number or the new one. For one process at a time."""

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
