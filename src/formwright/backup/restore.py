"""Restores an installation from a backup.

Everything is unpacked into a staging folder, and then moved into place in one step. Existing data is moved
aside. If anything fails, the installation stays as it was.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from formwright import migrations
from formwright.backup.archive import copy_stream, fsync_folder, open_archive, verify_archive
from formwright.backup.database_dump import check_no_tables, load_postgres
from formwright.backup.database_lock import DatabaseDamaged, open_exclusively, remove_journal
from formwright.backup.models import (
    DATA_FOLDER_MEMBERS,
    FILES,
    MANIFEST,
    POSTGRES,
    SECRET,
    SQLITE,
    BackupError,
    Entry,
    Manifest,
    ProgressCallback,
    has_secret,
    secret_fingerprint,
)
from formwright.core.blobs import BlobStore, ReceivedBlob, open_blob_store
from formwright.core.data_folder import make_private_folder
from formwright.settings import Settings

_JOURNALS = ("-wal", "-shm", "-journal")


def find_existing(settings: Settings, manifest: Manifest) -> list[str]:
    """Return the names in the data folder that belong to an installation and that the restore would replace."""
    database = settings.sqlite_path.name
    databases = (
        [*(database + suffix for suffix in _JOURNALS), database]
        if not settings.is_postgres and manifest.database
        else []
    )
    files = [settings.files_folder.name] if manifest.contents and not settings.files_url else []
    names = [*DATA_FOLDER_MEMBERS, *files, *databases]
    return [name for name in names if (settings.data_dir / name).exists()]


@contextmanager
def swap_into_place(settings: Settings, manifest: Manifest, stage: Path) -> Iterator[Path | None]:
    """Move the staged members into place, and yield the folder with the previous ones, or None if there were none.

    If the block fails, everything is moved back. The database is replaced last, in one step.
    """
    data_dir, old = settings.data_dir, find_existing(settings, manifest)
    aside = data_dir / f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}" if old else None
    done: list[tuple[Path, Path]] = []
    try:
        for name in old:
            _move_aside(data_dir / name, aside or data_dir, last=name == settings.sqlite_path.name, moves=done)
        for name in _staged_names(settings, stage):
            _move(stage / name, data_dir / name, done)
        fsync_folder(data_dir)
        yield aside
    except BaseException:
        for source, target in reversed(done):
            target.replace(source)
            # `replace` does nothing if both names are hard links to the same file.
            target.unlink(missing_ok=True)
        if aside:
            with suppress(OSError):
                aside.rmdir()
        raise


def _move_aside(path: Path, aside: Path, *, last: bool, moves: list[tuple[Path, Path]]) -> None:
    aside.mkdir(mode=0o700, exist_ok=True)
    if last:
        # Keep the database in place until it is replaced: a server that starts now must not create a new one.
        with suppress(OSError):
            (aside / path.name).hardlink_to(path)
            moves.append((path, aside / path.name))
            return
    _move(path, aside / path.name, moves)


def _move(source: Path, target: Path, moves: list[tuple[Path, Path]]) -> None:
    source.replace(target)
    moves.append((source, target))


def _staged_names(settings: Settings, stage: Path) -> list[str]:
    """Return the names of the staged members, with the database last."""
    known = [*DATA_FOLDER_MEMBERS, settings.files_folder.name, settings.sqlite_path.name]
    return [name for name in known if (stage / name).exists()]


_MAX_MEMORY_BYTES = 8 * 1024 * 1024
_STAGE_PREFIX = ".restoring-"


@dataclass(frozen=True, slots=True)
class RestoreOptions:
    """What the operator allows: to replace an installation, and to restore without the secret of the backup."""

    replace: bool = False
    without_secret: bool = False


async def restore(
    settings: Settings, path: Path, options: RestoreOptions, progress: ProgressCallback
) -> tuple[Manifest, Path | None]:
    """Restore a backup. Returns its manifest, and the folder with the previous installation (None if there was none).

    Raises `BackupError` if it fails; the installation then stays as it was.
    """
    manifest = verify_backup(path, progress)
    _check_fits(settings, path, manifest, options)
    await _check_replaceable(settings, manifest, options)
    try:
        make_private_folder(settings.data_dir)
        for leftover in settings.data_dir.glob(f"{_STAGE_PREFIX}*"):  # of a restore that was killed
            shutil.rmtree(leftover)
        with tempfile.TemporaryDirectory(dir=settings.data_dir, prefix=_STAGE_PREFIX) as folder:
            stage = Path(folder)
            await _unpack_all(settings, path, manifest, stage, progress)
            if not (settings.secret_key or options.without_secret or has_secret(stage, manifest.secret)):
                raise _secret_missing_error(path)
            return manifest, await _activate(settings, manifest, stage, progress)
    except OSError as error:
        raise BackupError(f"Not restored: {error.filename or settings.data_dir}: {error.strerror}.") from error


def verify_backup(path: Path, progress: ProgressCallback) -> Manifest:
    """Read a backup completely, verify it, and return its manifest. Raises `BackupError`."""
    done = 0

    def report(size: int) -> None:
        nonlocal done
        done += size
        progress("checking, bytes", done, 0)

    return verify_archive(path, report)


def _check_fits(settings: Settings, path: Path, manifest: Manifest, options: RestoreOptions) -> None:
    if manifest.revision and not migrations.is_known_revision(manifest.revision):
        raise BackupError(
            f"{path} was created by Formwright {manifest.version}. This version does not know its tables (revision"
            f" {manifest.revision}): install that version or a newer one."
        )
    if manifest.database == SQLITE and settings.is_postgres:
        raise BackupError(
            f"{path} contains a SQLite database. Restore it without FORMWRIGHT_DATABASE_URL, then copy it to PostgreSQL"
            " with `formwright db copy`."
        )
    if manifest.database == POSTGRES and not settings.is_postgres:
        raise BackupError(
            f"{path} contains a PostgreSQL database. Set the URL of an empty one with FORMWRIGHT_DATABASE_URL or"
            " --database-url."
        )
    secret = settings.secret_key
    if not (
        options.without_secret
        or (secret_fingerprint(secret) == manifest.secret if secret else SECRET in manifest.entries)
    ):
        raise _secret_missing_error(path, " and differs from yours" if secret else "")


def _secret_missing_error(path: Path, more: str = "") -> BackupError:
    return BackupError(
        f"The secret key of {path} is not in it{more}. Set FORMWRIGHT_SECRET_KEY to that of the original installation."
        " If it is lost, use --without-secret to restore the rest."
    )


async def _check_replaceable(settings: Settings, manifest: Manifest, options: RestoreOptions) -> None:
    if manifest.database == POSTGRES:
        await check_no_tables(settings.database_url)
    found = find_existing(settings, manifest)
    if found and not options.replace:
        raise BackupError(
            f"There is already an installation in {settings.data_dir} ({', '.join(found)}). Restore into another"
            " folder, or use --replace, which moves it aside."
        )
    if manifest.database == SQLITE and settings.sqlite_path.exists():
        # A damaged database is moved aside like any other.
        with suppress(DatabaseDamaged), open_exclusively(settings.sqlite_path):
            pass


async def _unpack_all(
    settings: Settings, path: Path, manifest: Manifest, stage: Path, progress: ProgressCallback
) -> None:
    """Unpack all members into the staging folder.

    If contents of files are stored elsewhere, such as in a bucket, they are written there directly, because contents
    never change.
    """
    contents = open_blob_store(settings.files_url, stage / "files") if manifest.contents else None
    number = 0
    try:
        with open_archive(path) as members:
            for name, stream, _ in members:
                if contents and name.startswith(FILES):
                    await _store_content(contents, name.removeprefix(FILES), stream, manifest.entries[name])
                    progress("files", number := number + 1, manifest.contents)
                elif name != MANIFEST:
                    _unpack_member(
                        stage / (settings.sqlite_path.name if name == SQLITE else name), stream, manifest, name
                    )
    finally:
        if contents:
            await contents.close()


def _unpack_member(path: Path, stream: IO[bytes], manifest: Manifest, name: str) -> None:
    make_private_folder(path.parent)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        # Compared again, because the archive may have changed since it was verified.
        copy_stream(stream, file, manifest.entries.get(name))


async def _store_content(contents: BlobStore, place: str, stream: IO[bytes], entry: Entry) -> None:
    with tempfile.SpooledTemporaryFile(_MAX_MEMORY_BYTES) as file:
        copy_stream(stream, file, entry)
        await contents.put(place, ReceivedBlob(file))


async def _activate(settings: Settings, manifest: Manifest, stage: Path, progress: ProgressCallback) -> Path | None:
    """Upgrade the tables and move everything into place. With PostgreSQL, the database is loaded last."""
    progress("tables", 0, 0)
    if manifest.database == SQLITE:
        await migrations.upgrade(replace(settings, data_dir=stage))
        if settings.sqlite_path.exists():
            with suppress(DatabaseDamaged), open_exclusively(settings.sqlite_path) as connection:
                remove_journal(connection)
    dump = stage / POSTGRES
    # Everything must be on disk before it is moved into place.
    os.sync()
    with swap_into_place(settings, manifest, stage) as aside:
        if manifest.database == POSTGRES:
            load_postgres(settings.database_url, dump)
            await migrations.upgrade(settings)
    return aside
