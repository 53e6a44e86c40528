"""Which processes of one `formwright serve` are serving, shared by all of them."""

import mmap


class ProcessBoard:
    """One byte of shared memory per process, 1 while that process serves.

    The parent creates it before it forks. Each process sets its own byte, and the parent clears the byte of one that
    died; a single byte needs no lock.
    """

    def __init__(self, count: int) -> None:
        self._states = mmap.mmap(-1, count)
        self._count = count

    def set_serving(self, index: int, serving: bool) -> None:
        """Record that a process starts or stops serving."""
        self._states[index] = int(serving)

    def is_serving(self, index: int) -> bool:
        """Return whether a process is serving."""
        return self._states[index] == 1

    def missing(self) -> int:
        """Return the number of processes that are not serving."""
        return self._count - sum(self._states[: self._count])


class ServingProcess:
    """A process, and its entry on the board."""

    def __init__(self, board: ProcessBoard, index: int) -> None:
        self.board, self._index = board, index

    def started(self) -> None:
        """Record that this process is about to accept connections."""
        self.board.set_serving(self._index, True)
