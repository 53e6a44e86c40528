"""Creates a backup while the server is running: a snapshot of the database, and the files and keys it needs."""

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import asyncpg

from formwright import __version__, migrations
from formwright.backup.archive import Archive, create_archive
from formwright.backup.database_dump import copy_sqlite, dump_postgres
from formwright.backup.models import (
    DATA_FOLDER_MEMBERS,
    FILES,
    FORMAT,
    POSTGRES,
    SECRET,
    SQLITE,
    BackupError,
    Manifest,
    ProgressCallback,
    has_secret,
    secret_fingerprint,
)
from formwright.bootstrap import secret_key
from formwright.core.blobs import BlobStore, ContentMissing, ReceivedBlob, open_blob_store
from formwright.settings import Settings

_MAX_MEMORY_BYTES = 8 * 1024 * 1024
_FILES = (
    "SELECT DISTINCT place, hash, size, idle IS NULL FROM files"
    " WHERE state <> 'LEAVING' ORDER BY place, idle IS NULL DESC"
)


@dataclass(frozen=True, slots=True)
class FileContent:
    """The content of a file to back up. `is_used`: a submission refers to it, or it is a form's."""

    place: str
    sha256: str
    size: int
    is_used: bool


async def back_up(
    settings: Settings, to: Path, progress: ProgressCallback, *, database: bool = True, files: bool = True
) -> tuple[Path, Manifest]:
    """Create a backup as an archive, or under a new name in a folder. Returns its path and manifest.

    The database is copied before the files. That is consistent because contents of files never change, and are kept for
    a day after nothing refers to them any more. Raises `BackupError`.
    """
    path, secret = _archive_path(to), _load_secret(settings)
    try:
        with (
            create_archive(path) as archive,
            tempfile.TemporaryDirectory(".part", ".formwright-", path.parent) as folder,
        ):
            revision, contents = await _add_database(settings, archive, Path(folder), progress, included=database)
            _add_data_folder(settings, archive, secret_fingerprint(secret))
            missing = await _add_files(settings, archive, contents, progress) if files else []
            manifest = Manifest(
                format=FORMAT,
                made=datetime.now(UTC).isoformat(timespec="seconds"),
                version=__version__,
                revision=revision,
                secret=secret_fingerprint(secret),
                entries=archive.entries,
                missing=missing,
            )
            archive.write_manifest(manifest)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"The backup {path} cannot be written: {getattr(error, 'strerror', error)}.") from error
    return path, manifest


def _archive_path(to: Path) -> Path:
    """Return the path of the archive. Raises `BackupError` if it exists already."""
    path = to / f"formwright-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.tar.gz" if to.is_dir() else to
    if path.exists():
        raise BackupError(f"{path} already exists. Choose another name.")
    if not path.parent.is_dir():
        raise BackupError(f"There is no folder {path.parent}. Create it first.")
    return path


def _load_secret(settings: Settings) -> str:
    """Return the secret of the installation. Does not create one, unlike `secret_key`."""
    if not settings.secret_key and not (settings.data_dir / SECRET).exists():
        raise BackupError(f"There is no installation in {settings.data_dir}. Set the data folder with --data-dir.")
    return secret_key(settings)


async def _add_database(
    settings: Settings, archive: Archive, folder: Path, progress: ProgressCallback, *, included: bool
) -> tuple[str, list[FileContent]]:
    """Add the database unless it is excluded. Returns its revision, and the contents of files to back up."""
    if settings.is_postgres:
        # pg_dump does not report its progress.
        progress("database", 0, 0)
        here, _ = await migrations.current(settings)
        if included:
            dump_postgres(settings.database_url, folder / POSTGRES)
            _add_with_progress(archive, POSTGRES, folder / POSTGRES, progress)
        return here if included and here else "", await _postgres_contents(settings.database_url)
    copy = folder / SQLITE
    copy_sqlite(settings.sqlite_path, copy, progress)
    if included:
        _add_with_progress(archive, SQLITE, copy, progress)
    connection = sqlite3.connect(copy)
    try:
        [(revision,)] = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        return revision if included else "", _unique_contents(connection.execute(_FILES).fetchall())
    finally:
        connection.close()


def _add_with_progress(archive: Archive, name: str, path: Path, progress: ProgressCallback) -> None:
    done, total = 0, path.stat().st_size

    def report(size: int) -> None:
        nonlocal done
        done += size
        progress("archive, bytes", done, total)

    archive.add_path(name, path, report)


async def _postgres_contents(url: str) -> list[FileContent]:
    """Return the contents of files, as listed after the dump: those added in between are superfluous but harmless."""
    try:
        connection = await asyncpg.connect(url, timeout=10)
        try:
            return _unique_contents(await connection.fetch(_FILES))
        finally:
            await connection.close()
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise BackupError(f"The files in the database cannot be listed: {error}.") from error


def _unique_contents(rows: Iterable[Iterable[object]]) -> list[FileContent]:
    """Return one content for each place. Those of submissions come first in `rows`, so they take precedence."""
    found: dict[str, FileContent] = {}
    for place, sha256, size, is_used in rows:
        found.setdefault(str(place), FileContent(str(place), str(sha256), int(str(size)), bool(is_used)))
    return list(found.values())


def _add_data_folder(settings: Settings, archive: Archive, fingerprint: str) -> None:
    for name in DATA_FOLDER_MEMBERS:
        if name == SECRET and not has_secret(settings.data_dir, fingerprint):
            # The operator sets another secret, so the one in the folder is not in use.
            continue
        for path in _list_files(settings.data_dir / name):
            # An email may have been sent and deleted since the dump.
            with suppress(FileNotFoundError):
                archive.add_path(str(path.relative_to(settings.data_dir)), path)


def _list_files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.is_file() and file.suffix != ".part")


async def _add_files(
    settings: Settings, archive: Archive, files: list[FileContent], progress: ProgressCallback
) -> list[str]:
    """Add the contents of files. Returns the places of those that belong to a submission and are missing or damaged."""
    contents = open_blob_store(settings.files_url, settings.files_folder)
    missing = []
    try:
        for number, content in enumerate(files, 1):
            if not await _add_content(contents, archive, content) and content.is_used:
                missing.append(content.place)
            progress("files", number, len(files))
    finally:
        await contents.close()
    return missing


async def _add_content(contents: BlobStore, archive: Archive, content: FileContent) -> bool:
    """Add the content of a file. Returns False if it is missing or does not match its row."""
    with tempfile.SpooledTemporaryFile(_MAX_MEMORY_BYTES) as file:
        received = ReceivedBlob(file)
        try:
            async for chunk in await contents.read(content.place, 0, content.size):
                received.append(chunk)
        except ContentMissing:
            return False
        file.seek(0)
        if (received.size, received.hash) != (content.size, content.sha256):
            return False
        archive.add(FILES + content.place, file, content.size)
        return True
