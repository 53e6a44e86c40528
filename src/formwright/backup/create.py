"""Creates a backup while the server runs: a snapshot of the database, and all files and keys it needs."""

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

_IN_MEMORY = 8 * 1024 * 1024
_FILES = (
    "SELECT DISTINCT place, hash, size, submission_id IS NOT NULL FROM files"
    " WHERE state <> 'LEAVING' ORDER BY place, submission_id IS NOT NULL DESC"
)


@dataclass(frozen=True, slots=True)
class FileContent:
    """A content that belongs to the backup; `named`: an answer names it."""

    place: str
    sha256: str
    size: int
    named: bool


async def back_up(
    settings: Settings, to: Path, tell: ProgressCallback, *, database: bool = True, files: bool = True
) -> tuple[Path, Manifest]:
    """Take a backup into an archive, or into a folder under a name of its own. Raises `BackupError`.

    First the database, then the files: those that it names are never changed, and kept for a day when nobody needs
    them any more.
    """
    path, secret = _path(to), _secret(settings)
    try:
        with (
            create_archive(path) as archive,
            tempfile.TemporaryDirectory(".part", ".formwright-", path.parent) as folder,
        ):
            revision, wanted = await _database(settings, archive, Path(folder), tell, taken=database)
            _beside(settings, archive, secret_fingerprint(secret))
            missing = await _files(settings, archive, wanted, tell) if files else []
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


def _path(to: Path) -> Path:
    """The archive's name. A folder is one that is there."""
    path = to / f"formwright-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.tar.gz" if to.is_dir() else to
    if path.exists():
        raise BackupError(f"There is a {path} already: name another.")
    if not path.parent.is_dir():
        raise BackupError(f"There is no folder {path.parent}: make it first.")
    return path


def _secret(settings: Settings) -> str:
    """The installation's; none is made, which would be another one."""
    if not settings.secret_key and not (settings.data_dir / SECRET).exists():
        raise BackupError(f"There is no installation in {settings.data_dir}: name the data folder with --data-dir.")
    return secret_key(settings)


async def _database(
    settings: Settings, archive: Archive, folder: Path, tell: ProgressCallback, *, taken: bool
) -> tuple[str, list[FileContent]]:
    """Put the database in; answers its revision and the files that it names."""
    if settings.is_postgres:
        # The programs of PostgreSQL say nothing of how far they are.
        tell("database", 0, 0)
        here, _ = await migrations.current(settings)
        if taken:
            dump_postgres(settings.database_url, folder / POSTGRES)
            _archive(archive, POSTGRES, folder / POSTGRES, tell)
        return here if taken and here else "", await _wanted_on_postgres(settings.database_url)
    copy = folder / SQLITE
    copy_sqlite(settings.sqlite_path, copy, tell)
    if taken:
        _archive(archive, SQLITE, copy, tell)
    connection = sqlite3.connect(copy)
    try:
        [(revision,)] = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        return revision if taken else "", _wanted(connection.execute(_FILES).fetchall())
    finally:
        connection.close()


def _archive(archive: Archive, name: str, path: Path, tell: ProgressCallback) -> None:
    done, total = 0, path.stat().st_size

    def heard(size: int) -> None:
        nonlocal done
        done += size
        tell("archive, bytes", done, total)

    archive.add_path(name, path, heard)


async def _wanted_on_postgres(url: str) -> list[FileContent]:
    """List the files after the dump: files added in between are superfluous but harmless."""
    try:
        connection = await asyncpg.connect(url, timeout=10)
        try:
            return _wanted(await connection.fetch(_FILES))
        finally:
            await connection.close()
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise BackupError(f"The files of the database cannot be listed: {error}.") from error


def _wanted(rows: Iterable[Iterable[object]]) -> list[FileContent]:
    """One for each place; what a submission names comes before what waits for one."""
    found: dict[str, FileContent] = {}
    for place, sha256, size, named in rows:
        found.setdefault(str(place), FileContent(str(place), str(sha256), int(str(size)), bool(named)))
    return list(found.values())


def _beside(settings: Settings, archive: Archive, mark: str) -> None:
    for name in DATA_FOLDER_MEMBERS:
        if name == SECRET and not has_secret(settings.data_dir, mark):
            # One that was before the operator's would open nothing.
            continue
        for path in _within(settings.data_dir / name):
            # An email may have been sent and deleted since the dump.
            with suppress(FileNotFoundError):
                archive.add_path(str(path.relative_to(settings.data_dir)), path)


def _within(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from sorted(one for one in path.rglob("*") if one.is_file() and one.suffix != ".part")


async def _files(settings: Settings, archive: Archive, wanted: list[FileContent], tell: ProgressCallback) -> list[str]:
    """Put the contents in; answers the places of those that an answer names and that are not sound."""
    contents = open_blob_store(settings.files_url, settings.files_folder)
    missing = []
    try:
        for number, one in enumerate(wanted, 1):
            if not await _content(contents, archive, one) and one.named:
                missing.append(one.place)
            tell("files", number, len(wanted))
    finally:
        await contents.close()
    return missing


async def _content(contents: BlobStore, archive: Archive, one: FileContent) -> bool:
    """Put one in, if it is there and what its row says."""
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
        arrived = ReceivedBlob(file)
        try:
            async for chunk in await contents.read(one.place, 0, one.size):
                arrived.append(chunk)
        except ContentMissing:
            return False
        file.seek(0)
        if (arrived.size, arrived.hash) != (one.size, one.sha256):
            return False
        archive.add(FILES + one.place, file, one.size)
        return True
