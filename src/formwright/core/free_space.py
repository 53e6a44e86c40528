"""A guard of a folder's free space, with which uploads are rejected before the disk is full and everything fails."""

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import structlog

from formwright.core.errors import Unavailable

_CHECK_INTERVAL_S = 2.0
_PROBE = 1024 * 1024
_RETRY_S = 60

log = structlog.get_logger()


class StorageFull(Unavailable):
    """There is too little free space to store more."""

    code = "storage.full"
    detail = "The server's disk is almost full, so nothing was stored. Try again later."
    wait_s = _RETRY_S


class FreeSpace:
    """Checks whether a folder has at least `min_free` bytes of free space (0: no minimum), every two seconds at most.

    Once space is low, it must exceed the minimum by 10% before it counts as sufficient again.
    """

    def __init__(self, folder: Path, min_free: int) -> None:
        self._folder, self._min_free = folder, min_free
        self._is_low, self._checked_at = False, -_CHECK_INTERVAL_S
        self._probed_at, self._probe_error = -_CHECK_INTERVAL_S, ""

    @property
    def is_low(self) -> bool:
        """Whether there is too little free space."""
        if self._min_free and time.monotonic() - self._checked_at >= _CHECK_INTERVAL_S:
            self._checked_at = time.monotonic()
            self._update()
        return self._is_low

    def check(self) -> None:
        """Raise `StorageFull` if there is too little free space."""
        if self.is_low:
            raise StorageFull()

    def _update(self) -> None:
        with suppress(OSError):  # If the folder cannot be read, the caller gets that error when it uses the folder.
            free = shutil.disk_usage(self._folder).free
            # Without this margin, a disk that is nearly full would alternate between accepting and rejecting uploads.
            is_low = free < (self._min_free * 11 // 10 if self._is_low else self._min_free)
            if is_low != self._is_low:
                log.warning("free space is low" if is_low else "free space is sufficient again", free=free)
            self._is_low = is_low

    def probe(self) -> None:
        """Raise `OSError` if the folder cannot store a file of 1 MiB; tried every two seconds at most. This blocks."""
        if time.monotonic() - self._probed_at >= _CHECK_INTERVAL_S:
            self._probed_at, self._probe_error = time.monotonic(), self._try_to_write()
        if self._probe_error:
            raise OSError(self._probe_error)

    def _try_to_write(self) -> str:
        try:
            with tempfile.TemporaryFile(dir=self._folder) as file:
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, _PROBE)  # Reserves the space without writing.
                else:
                    file.write(bytes(_PROBE))
        except OSError as error:
            return str(error)
        return ""
