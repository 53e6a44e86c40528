"""A guard on the free space of a folder: what would fill the disk is refused while everything else still works."""

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
    """There is too little free space to take in more."""

    code = "storage.full"
    detail = "The server's disk is almost full, so nothing was stored. Try again later."
    wait_s = _RETRY_S


class FreeSpace:
    """Whether the folder has at least `least` bytes free (0: no minimum), asked every two seconds at most.

    Once it has less, a tenth more than `least` has to be free before it counts as enough again.
    """

    def __init__(self, folder: Path, least: int) -> None:
        self._folder, self._least = folder, least
        self._is_low, self._asked = False, -_CHECK_INTERVAL_S
        self._probed, self._failed = -_CHECK_INTERVAL_S, ""

    @property
    def is_low(self) -> bool:
        """Whether there is too little."""
        if self._least and time.monotonic() - self._asked >= _CHECK_INTERVAL_S:
            self._asked = time.monotonic()
            self._look()
        return self._is_low

    def check(self) -> None:
        """`StorageFull` if there is too little."""
        if self.is_low:
            raise StorageFull()

    def _look(self) -> None:
        with suppress(OSError):  # A folder that cannot be read is another fault, which the caller meets.
            free = shutil.disk_usage(self._folder).free
            short = free < (self._least * 11 // 10 if self._is_low else self._least)
            if short != self._is_low:
                log.warning("free space is short" if short else "free space is enough again", free=free)
            self._is_low = short

    def probe(self) -> None:
        """`OSError` if the folder takes no file of a mebibyte, tried every two seconds at most. For threads."""
        if time.monotonic() - self._probed >= _CHECK_INTERVAL_S:
            self._probed, self._failed = time.monotonic(), self._try()
        if self._failed:
            raise OSError(self._failed)

    def _try(self) -> str:
        try:
            with tempfile.TemporaryFile(dir=self._folder) as file:
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, _PROBE)  # Reserves the space and writes nothing.
                else:
                    file.write(bytes(_PROBE))
        except OSError as error:
            return str(error)
        return ""
