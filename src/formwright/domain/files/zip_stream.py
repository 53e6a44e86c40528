"""Files as a ZIP archive, which is created while it is sent.

Neither the contents nor the archive are ever held in memory or on disk: only one chunk of a file is, and a few hundred
bytes for each file that is already in the archive.
"""

import asyncio
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator
from datetime import UTC, datetime
from typing import IO, cast

from formwright.core.blobs import BlobStore, ContentMissing
from formwright.domain.files.models import File

MISSING = "missing.txt"
Member = tuple[str, File]
"""The path in the archive, and the file."""


async def iter_zip(blobs: BlobStore, members: AsyncIterator[Member]) -> AsyncGenerator[bytes, None]:
    """Yield a ZIP archive with these files. Those whose content has been lost are listed in `missing.txt`."""
    written = _Written()
    missing: list[str] = []
    with zipfile.ZipFile(cast(IO[bytes], written), "w") as archive:
        async for path, file in members:
            size = 0
            with archive.open(_zip_entry(path, file), "w", force_zip64=True) as entry:
                async for chunk in _iter_content(blobs, file):
                    size += len(chunk)
                    await asyncio.to_thread(entry.write, chunk)
                    yield written.take()
            if size != file.size:
                missing.append(path)
            yield written.take()
        if missing:
            archive.writestr(MISSING, "".join(f"{path}\n" for path in missing))
    yield written.take()


class _Written:
    """A file object that hands over what was written to it. Without `tell` and `seek`, `zipfile` streams to it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """There is nothing to flush."""

    def take(self) -> bytes:
        """Return what was written since the last call."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _zip_entry(path: str, file: File) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, datetime.fromtimestamp(file.created / 1000, UTC).timetuple()[:6])
    # Photos and office documents are compressed already.
    entry.compress_type = zipfile.ZIP_DEFLATED if file.type.startswith("text/") else zipfile.ZIP_STORED
    # The upper 16 bits are the permissions of Unix. Without any, some programs extract files that nobody can read.
    entry.external_attr = 0o600 << 16
    return entry


async def _iter_content(blobs: BlobStore, file: File) -> AsyncIterator[bytes]:
    try:
        content = await blobs.read(file.blob_key, 0, file.size)
    except ContentMissing:
        return
    async for chunk in content:
        yield chunk
