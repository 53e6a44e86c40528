"""The archive of a backup: a tar whose last member, the manifest, lists all others with size and SHA-256."""

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

_CHUNK_BYTES = 1024 * 1024
_GZIP_SUFFIXES = (".tar.gz", ".tgz")
_FASTEST = 1
_MAX_MANIFEST_BYTES = 1024 * 1024 * 1024


class _MeasuredStream(io.RawIOBase):
    """Passes a stream on while it computes its size and SHA-256."""

    def __init__(self, stream: IO[bytes], on_read: Callable[[int], None] = lambda size: None) -> None:
        self._stream, self._digest, self._on_read, self.size = stream, hashlib.sha256(), on_read, 0

    def read(self, size: int = -1) -> bytes:
        chunk = self._stream.read(size)
        self._digest.update(chunk)
        self.size += len(chunk)
        self._on_read(len(chunk))
        return chunk

    @property
    def entry(self) -> Entry:
        return Entry(self.size, self._digest.hexdigest())


class Archive:
    """An archive that is being written."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.entries: dict[str, Entry] = {}

    def add(self, name: str, stream: IO[bytes], size: int, on_read: Callable[[int], None] = lambda size: None) -> None:
        """Add `size` bytes of a stream as a member. `on_read` is called with the size of each chunk."""
        measured = _MeasuredStream(stream, on_read)
        self._tar.addfile(_tar_info(name, size), measured)
        self.entries[name] = measured.entry

    def add_path(self, name: str, path: Path, on_read: Callable[[int], None] = lambda size: None) -> None:
        """Add the current content of a file."""
        with path.open("rb") as stream:
            self.add(name, stream, os.fstat(stream.fileno()).st_size, on_read)

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest. An archive without one is not a valid backup."""
        content = msgspec.json.format(msgspec.json.encode(manifest))
        self._tar.addfile(_tar_info(MANIFEST, len(content)), io.BytesIO(content))


def _tar_info(name: str, size: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o600
    return info


@contextmanager
def create_archive(path: Path) -> Iterator[Archive]:
    """Yield an archive to write to. It gets its name once the block ends without an error, after an fsync.

    Only its owner can read it, because it contains secrets.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            with _open_tar(file, gzip=path.name.endswith(_GZIP_SUFFIXES)) as tar:
                yield Archive(tar)
            file.flush()
            os.fsync(file.fileno())
        _publish(temporary, path)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _open_tar(file: IO[bytes], *, gzip: bool) -> tarfile.TarFile:
    if gzip:
        return tarfile.open(fileobj=file, mode="w:gz", compresslevel=_FASTEST, format=tarfile.PAX_FORMAT)
    return tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT)


def _publish(temporary: Path, path: Path) -> None:
    """Durably rename the archive, unless a file with that name was created in the meantime."""
    try:
        # Unlike a rename, this fails if the name exists.
        path.hardlink_to(temporary)
    except FileExistsError:
        raise BackupError(f"{path} already exists. Choose another name.") from None
    except OSError:
        # The file system does not support hard links.
        temporary.rename(path)
    fsync_folder(path.parent)


def fsync_folder(folder: Path) -> None:
    """Write the entries of a folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def open_archive(path: Path) -> Iterator[Iterator[tuple[str, IO[bytes], int]]]:
    """Yield the name, content and size of each member, including the manifest. Raises `BackupError`."""
    try:
        with tarfile.open(path, "r|*") as tar:
            yield _members(path, tar)
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: BaseException) -> BackupError:
    reason = getattr(error, "strerror", None) or str(error).rstrip(".") or type(error).__name__
    return BackupError(f"{path} cannot be read as a backup: {reason}.")


def _members(path: Path, tar: tarfile.TarFile) -> Iterator[tuple[str, IO[bytes], int]]:
    for info in tar:
        stream = tar.extractfile(info) if info.isreg() else None
        if stream is None or not _is_known_member(info.name):
            raise BackupError(f"{path} is not a Formwright backup: it contains {info.name!r}.")
        yield info.name, stream, info.size


def _is_known_member(name: str) -> bool:
    parts = name.split("/")
    is_safe = all(part not in ("", ".", "..") for part in parts) and "\\" not in name and "\0" not in name
    is_known = name in (MANIFEST, SQLITE, POSTGRES) or parts[0] in DATA_FOLDER_MEMBERS or f"{parts[0]}/" == FILES
    return is_safe and is_known


def verify_archive(path: Path, on_read: Callable[[int], None] = lambda size: None) -> Manifest:
    """Read all members, compare them with the manifest, and return it. Raises `BackupError` for any difference."""
    try:
        manifest, found = _read(path, on_read)
    except OSError as error:
        raise _unreadable(path, error) from error
    if manifest is None:
        raise BackupError(f"{path} is incomplete: its end is missing. Create another backup.")
    for name in sorted(found.keys() | manifest.entries.keys()):
        if found.get(name) != manifest.entries.get(name):
            raise BackupError(f"{path} is damaged: {name} has changed since it was written. Create another backup.")
    return manifest


def _read(path: Path, on_read: Callable[[int], None]) -> tuple[Manifest | None, dict[str, Entry]]:
    found: dict[str, Entry] = {}
    manifest: Manifest | None = None
    with open_archive(path) as members:
        for name, stream, size in members:
            if name == MANIFEST:
                manifest = _manifest(path, stream, size)
                continue
            measured = _MeasuredStream(stream, on_read)
            copy_stream(measured, None)
            found[name] = measured.entry
    return manifest, found


def _manifest(path: Path, stream: IO[bytes], size: int) -> Manifest:
    content = stream.read(min(size, _MAX_MANIFEST_BYTES))
    try:
        # Read by itself, because the manifest of a newer version may not fit the type.
        format_ = msgspec.json.decode(content).get("format")
        if isinstance(format_, int) and format_ > FORMAT:
            raise BackupError(f"{path} was created by a newer version of Formwright (format {format_}): use that one.")
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, AttributeError) as error:
        raise BackupError(f"{path} is damaged: its {MANIFEST} cannot be read.") from error


def copy_stream(stream: Any, into: IO[bytes] | None, entry: Entry | None = None) -> None:
    """Copy a stream. Raises `BackupError` if its size or SHA-256 differ from `entry`."""
    measured = _MeasuredStream(stream)
    while chunk := measured.read(_CHUNK_BYTES):
        if into:
            into.write(chunk)
    if entry and measured.entry != entry:
        raise BackupError("The backup changed while it was being read. Nothing was restored.")
