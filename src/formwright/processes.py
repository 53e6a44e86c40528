"""Which processes of one `formwright serve` are serving, known to all of them."""

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
        """Note that a process starts or stops serving."""
        self._states[index] = int(serving)

    def is_serving(self, index: int) -> bool:
        """Whether this process serves."""
        return self._states[index] == 1

    def missing(self) -> int:
        """How many processes do not serve right now."""
        return self._count - sum(self._states[: self._count])


class ServingProcess:
    """The place of one process on its board."""

    def __init__(self, board: ProcessBoard, index: int) -> None:
        self.board, self._index = board, index

    def started(self) -> None:
        """Note that this process is about to accept connections."""
        self.board.set_serving(self._index, True)
