"""The media of a form as one ZIP archive, which takes them to another form, account or installation."""

import asyncio
import unicodedata
import zipfile
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from typing import IO, cast

from formwright.core.auth.actor import Actor
from formwright.core.blobs import HEAD, BlobStore, ReceivedBlob
from formwright.core.db.interface import Database
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.file_uses import FileUse
from formwright.domain.files import form_media, zip_stream
from formwright.domain.files.filenames import sanitize_filename
from formwright.domain.files.media_types import detect_media_type
from formwright.domain.files.models import File

MAX_ARCHIVE = form_media.MAX_TOTAL_SIZE + 1024 * 1024
"""The size of an archive: that of the media of a form, and their names."""
_CHUNK = 1024 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED, _UTF8 = 0x1, 0x800
"""Bits of the general purpose flag of an entry (APPNOTE.TXT, 4.4.4)."""
_IGNORED = (zip_stream.MISSING, "thumbs.db", "desktop.ini")
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError)
"""What `zipfile` raises for archives that are damaged, locked, or use features that it does not know."""


async def iter_zip(blobs: BlobStore, media: Sequence[File]) -> AsyncGenerator[bytes, None]:
    """Yield an archive of these media. Those whose content has been lost are listed in `missing.txt`."""
    async for chunk in zip_stream.iter_zip(blobs, _iter_members(media)):
        yield chunk


async def _iter_members(media: Sequence[File]) -> AsyncIterator[zip_stream.Member]:
    for file in media:
        yield file.name, file


async def add_all(
    db: Database, blobs: BlobStore, actor: Actor, received: ReceivedBlob, *, form_id: str, dry_run: bool = False
) -> list[File]:
    """Add the files of an archive to the media of a form, and return them by name.

    Folders and hidden files are ignored. Before it adds any, it checks all: raises `Invalid` with the errors of all
    files, or `TooManyMedia`.
    """
    entries = await asyncio.to_thread(_check, received.file)
    async with db.reading() as tx:
        sizes = {name: entry.file_size for name, entry in entries.items()}
        await form_media.check_limits(tx, actor, form_id=form_id, sizes=sizes)
    added = []
    with _open(received.file) as archive:
        for name, entry in sorted(entries.items()):
            async with blobs.receive(_iter_content(archive, entry), form_media.MAX_SIZE) as content:
                added.append(
                    await form_media.add(
                        db, blobs, actor, content, form_id=form_id, name=name, type_="", dry_run=dry_run
                    )
                )
    return added


def _check(file: IO[bytes]) -> Mapping[str, zipfile.ZipInfo]:
    """Read all files of the archive, and return them by the names that they get. Raises `Invalid`."""
    found: dict[str, zipfile.ZipInfo] = {}
    faults: list[ValidationFault] = []
    left = form_media.MAX_TOTAL_SIZE
    try:
        with _open(file) as archive:
            for entry in filter(_is_media, archive.infolist()):
                where = pointer(_path(entry))
                try:
                    name = _check_entry(archive, entry, left)
                except Invalid as error:
                    faults += [replace(fault, pointer=where) for fault in error.faults]
                    continue
                if name in found:
                    faults.append(ValidationFault(where, "media.archive", f"Another file is named {name}, too."))
                found[name] = entry
                left -= entry.file_size
    except _DAMAGE:
        raise _unreadable("The file isn't a ZIP archive, is damaged, or has a password.") from None
    if faults:
        raise Invalid(faults)
    if not found:
        raise _unreadable("There are no files in the archive.")
    return found


def _unreadable(detail: str) -> Invalid:
    return Invalid.at("", "media.archive", detail)


def _open(file: IO[bytes]) -> zipfile.ZipFile:
    return zipfile.ZipFile(cast(IO[bytes], _SmallReads(file)))


class _SmallReads:
    """A file that is read in small parts. `zipfile` reads the list of all files at once, which could have gigabytes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes. Raises `BadZipFile` if those are more than a chunk."""
        content = self._file.read(_CHUNK + 1 if size < 0 else min(size, _CHUNK + 1))
        if len(content) > _CHUNK:
            raise zipfile.BadZipFile("The list of files is too large.")
        return content


def _is_media(entry: zipfile.ZipInfo) -> bool:
    """Whether this is a file, and none that a system has added."""
    parts = PurePosixPath(entry.filename.lower()).parts
    return (
        not entry.is_dir()
        and not any(part.startswith((".", "__macosx")) for part in parts)
        and (parts[-1] not in _IGNORED)
    )


def _check_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> str:
    """Return the name that the file gets. Raises `Invalid`, or an exception of `_DAMAGE`."""
    if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _METHODS:
        raise zipfile.BadZipFile("The file is locked, or compressed in an unusual way.")
    if entry.file_size == 0:
        raise Invalid.at("", "file.empty", "The file is empty.")
    if entry.file_size > form_media.MAX_SIZE:
        raise form_media.too_large()
    if entry.file_size > left:
        raise form_media.TooManyMedia()
    head = b""
    # To the end, because `zipfile` verifies the checksum only then.
    for chunk in _chunks(archive, entry):
        head += chunk[: HEAD - len(head)]
    path = _path(entry)
    return sanitize_filename(path, detect_media_type(FileUse.MEDIA, "", path, head))


def _path(entry: zipfile.ZipInfo) -> str:
    """Return the path of a file. Some systems write UTF-8 without saying so, and letters apart from their accents."""
    path = entry.filename
    if not entry.flag_bits & _UTF8:
        with suppress(UnicodeError):
            # Without the flag, `zipfile` has decoded the name as CP437 (APPNOTE.TXT, appendix D).
            path = path.encode("cp437").decode()
    return unicodedata.normalize("NFC", path)


def _chunks(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield the content. It has the size that the archive states, or an exception of `_DAMAGE` is raised."""
    with archive.open(entry) as content:
        while chunk := content.read(_CHUNK):
            yield chunk


async def _iter_content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> AsyncIterator[bytes]:
    chunks = _chunks(archive, entry)
    while chunk := await asyncio.to_thread(next, chunks, b""):
        yield chunk
