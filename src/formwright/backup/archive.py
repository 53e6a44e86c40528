"""The archive: a tar whose last member, the manifest, names every other with its size and its SHA-256."""

import hashlib
import io
import lzma
import os
import secrets
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from formwright.backup.models import (
    DATA_FOLDER_MEMBERS,
    FILES,
    FORMAT,
    MANIFEST,
    POSTGRES,
    SQLITE,
    BackupError,
    Entry,
    Manifest,
)

_CHUNK = 1024 * 1024
_ZIPPED = (".tar.gz", ".tgz")
_QUICKLY = 1
_LARGEST_MANIFEST = 1024 * 1024 * 1024


class _Counted(io.RawIOBase):
    """Hands a stream on, and knows the SHA-256 and the size of what went through."""

    def __init__(self, stream: IO[bytes], heard: Callable[[int], None] = lambda size: None) -> None:
        self._stream, self._digest, self._heard, self.size = stream, hashlib.sha256(), heard, 0

    def read(self, size: int = -1) -> bytes:
        chunk = self._stream.read(size)
        self._digest.update(chunk)
        self.size += len(chunk)
        self._heard(len(chunk))
        return chunk

    @property
    def entry(self) -> Entry:
        return Entry(self.size, self._digest.hexdigest())


class Archive:
    """An archive that is being written."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.entries: dict[str, Entry] = {}

    def add(self, name: str, stream: IO[bytes], size: int, heard: Callable[[int], None] = lambda size: None) -> None:
        """Put `size` bytes of a stream in under a name."""
        counted = _Counted(stream, heard)
        self._tar.addfile(_about(name, size), counted)
        self.entries[name] = counted.entry

    def add_path(self, name: str, path: Path, heard: Callable[[int], None] = lambda size: None) -> None:
        """Put in what a file holds at this moment."""
        with path.open("rb") as stream:
            self.add(name, stream, os.fstat(stream.fileno()).st_size, heard)

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest. An archive without one is not a valid backup."""
        content = msgspec.json.format(msgspec.json.encode(manifest))
        self._tar.addfile(_about(MANIFEST, len(content)), io.BytesIO(content))


def _about(name: str, size: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o600
    return info


@contextmanager
def create_archive(path: Path) -> Iterator[Archive]:
    """An archive that has its name once the block is left normally and all is on the disk; until then another.

    Readable to the operator alone: the secrets are in it.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            with _writing(file, zipped=path.name.endswith(_ZIPPED)) as tar:
                yield Archive(tar)
            file.flush()
            os.fsync(file.fileno())
        _name(part, path)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def _writing(file: IO[bytes], *, zipped: bool) -> tarfile.TarFile:
    if zipped:
        return tarfile.open(fileobj=file, mode="w:gz", compresslevel=_QUICKLY, format=tarfile.PAX_FORMAT)
    return tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT)


def _name(part: Path, path: Path) -> None:
    """Durably give the archive its name, unless a file of that name was created in the meantime."""
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise BackupError(f"There is a {path} already: name another.") from None
    except OSError:
        # No second names on this file system.
        part.rename(path)
    fsync_folder(path.parent)


def fsync_folder(folder: Path) -> None:
    """Have the names in a folder written to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def open_archive(path: Path) -> Iterator[Iterator[tuple[str, IO[bytes], int]]]:
    """Yield name, content and size of each member and the manifest; raises `BackupError` if it is not an archive."""
    try:
        with tarfile.open(path, "r|*") as tar:
            yield _members(path, tar)
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: BaseException) -> BackupError:
    words = getattr(error, "strerror", None) or str(error).rstrip(".") or type(error).__name__
    return BackupError(f"{path} cannot be read as a backup: {words}.")


def _members(path: Path, tar: tarfile.TarFile) -> Iterator[tuple[str, IO[bytes], int]]:
    for info in tar:
        stream = tar.extractfile(info) if info.isreg() else None
        if stream is None or not _is_ours(info.name):
            raise BackupError(f"{path} is no backup of Formwright: it holds {info.name!r}.")
        yield info.name, stream, info.size


def _is_ours(name: str) -> bool:
    parts = name.split("/")
    plain = all(part not in ("", ".", "..") for part in parts) and "\\" not in name and "\0" not in name
    begin = parts[0] + "/"
    known = name in (MANIFEST, SQLITE, POSTGRES) or (parts[0] in DATA_FOLDER_MEMBERS) or begin == FILES
    return plain and known


def verify_archive(path: Path, heard: Callable[[int], None] = lambda size: None) -> Manifest:
    """The manifest, once every member was read and found to be as it says. `BackupError` names what is not."""
    try:
        manifest, found = _read(path, heard)
    except OSError as error:
        raise _unreadable(path, error) from error
    if manifest is None:
        raise BackupError(f"{path} is not whole: its end is missing. Take another backup.")
    for name in sorted(found.keys() | manifest.entries.keys()):
        if found.get(name) != manifest.entries.get(name):
            raise BackupError(f"{path} is damaged: {name} is not as it was written. Take another backup.")
    return manifest


def _read(path: Path, heard: Callable[[int], None]) -> tuple[Manifest | None, dict[str, Entry]]:
    found: dict[str, Entry] = {}
    manifest: Manifest | None = None
    with open_archive(path) as members:
        for name, stream, size in members:
            if name == MANIFEST:
                manifest = _manifest(path, stream, size)
                continue
            counted = _Counted(stream, heard)
            copy_stream(counted, None)
            found[name] = counted.entry
    return manifest, found


def _manifest(path: Path, stream: IO[bytes], size: int) -> Manifest:
    content = stream.read(min(size, _LARGEST_MANIFEST))
    try:
        made = msgspec.json.decode(content).get("format")
        if isinstance(made, int) and made > FORMAT:
            raise BackupError(f"{path} was made by a newer Formwright (format {made}): restore it with that one.")
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, AttributeError) as error:
        raise BackupError(f"{path} is damaged: its {MANIFEST} cannot be read.") from error


def copy_stream(stream: Any, into: IO[bytes] | None, entry: Entry | None = None) -> None:
    """Read a stream to its end, and write it; `BackupError` where it is not what `entry` says."""
    counted = _Counted(stream)
    while chunk := counted.read(_CHUNK):
        if into:
            into.write(chunk)
    if entry and counted.entry != entry:
        raise BackupError("The backup changed while it was read. Nothing was restored.")
