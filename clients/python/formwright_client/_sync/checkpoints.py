"""Storage for the position in the event log up to which events have been processed."""

# Generated from `_async/checkpoints.py` by `make openapi`. Do not edit.

import os
from pathlib import Path
from typing import Protocol

from formwright_client._sync.runtime import run_blocking
from formwright_client.sequence_file import read_sequence, write_sequence


class Checkpoint(Protocol):
    """Stores the sequence of the last processed event.

    Write your own to store it in the transaction in which you process the event.
    """

    def load(self) -> int | None:
        """Return the stored sequence, or None if there is none yet."""

    def save(self, sequence: int) -> None:
        """Store the sequence durably, so that it survives a crash."""


class FileCheckpoint:
    """Stores the sequence in a file, for one process at a time. After a crash, the file has the old or the new one.

    Args:
        path: The file. It is created when the first event has been processed.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def load(self) -> int | None:
        """Return the stored sequence, or None if there is no file yet."""
        return run_blocking(read_sequence, self._path)

    def save(self, sequence: int) -> None:
        """Replace the file."""
        run_blocking(write_sequence, self._path, sequence)


class MemoryCheckpoint:
    """Stores the sequence until the process ends.

    Args:
        sequence: The sequence to start after; None starts with the oldest event.
    """

    def __init__(self, sequence: int | None = None) -> None:
        self._sequence = sequence

    def load(self) -> int | None:
        """Return the stored sequence, or None if there is none yet."""
        return self._sequence

    def save(self, sequence: int) -> None:
        """Store the sequence."""
        self._sequence = sequence
