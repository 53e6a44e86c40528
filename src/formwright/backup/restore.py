"""Puts what was restored in the place of what was there, which is kept aside; or leaves all as it was.

Brings an installation back from a backup: everything is made ready beside, and then put in place.
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

_LOGS = ("-wal", "-shm", "-journal")


def find_existing(settings: Settings, manifest: Manifest) -> list[str]:
    """The names in the data folder that belong to an installation and would be another's afterwards."""
    database = settings.sqlite_path.name
    databases = [*(database + log for log in _LOGS), database] if not settings.is_postgres and manifest.database else []
    files = [settings.files_folder.name] if manifest.contents and not settings.files_url else []
    names = [*DATA_FOLDER_MEMBERS, *files, *databases]
    return [name for name in names if (settings.data_dir / name).exists()]


@contextmanager
def swap_into_place(settings: Settings, manifest: Manifest, stage: Path) -> Iterator[Path | None]:
    """Change the names; should the block fail, change them back. The database comes last, in one step."""
    here, old = settings.data_dir, find_existing(settings, manifest)
    aside = here / f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}" if old else None
    done: list[tuple[Path, Path]] = []
    try:
        for name in old:
            _put_aside(here / name, aside or here, last=name == settings.sqlite_path.name, done=done)
        for name in _ordered(settings, stage):
            _move(stage / name, here / name, done)
        fsync_folder(here)
        yield aside
    except BaseException:
        for source, target in reversed(done):
            target.replace(source)
            # Two names of one file are left both.
            target.unlink(missing_ok=True)
        if aside:
            with suppress(OSError):
                aside.rmdir()
        raise


def _put_aside(path: Path, aside: Path, *, last: bool, done: list[tuple[Path, Path]]) -> None:
    aside.mkdir(mode=0o700, exist_ok=True)
    if last:
        # There is a database at every moment: a server that is started just now makes no new one.
        with suppress(OSError):
            (aside / path.name).hardlink_to(path)
            done.append((path, aside / path.name))
            return
    _move(path, aside / path.name, done)


def _move(source: Path, target: Path, done: list[tuple[Path, Path]]) -> None:
    source.replace(target)
    done.append((source, target))


def _ordered(settings: Settings, stage: Path) -> list[str]:
    """What was laid out for the data folder, the database last."""
    known = [*DATA_FOLDER_MEMBERS, settings.files_folder.name, settings.sqlite_path.name]
    return [name for name in known if (stage / name).exists()]


_IN_MEMORY = 8 * 1024 * 1024
_STAGE = ".restoring-"


@dataclass(frozen=True, slots=True)
class RestoreOptions:
    """What the operator allows: to put aside what is there, and to go on without the secret of the backup."""

    replace: bool = False
    without_secret: bool = False


async def restore(
    settings: Settings, path: Path, wish: RestoreOptions, tell: ProgressCallback
) -> tuple[Manifest, Path | None]:
    """Restore a backup; answers what was in it, and where that was put which was there before.

    `BackupError` says why not; then everything is as it was.
    """
    manifest = verify_backup(path, tell)
    _check_fits(settings, path, manifest, wish)
    await _check_free(settings, manifest, wish)
    try:
        make_private_folder(settings.data_dir)
        for left in settings.data_dir.glob(f"{_STAGE}*"):  # by one that was killed
            shutil.rmtree(left)
        with tempfile.TemporaryDirectory(dir=settings.data_dir, prefix=_STAGE) as folder:
            stage = Path(folder)
            await _lay_out(settings, path, manifest, stage, tell)
            if not (settings.secret_key or wish.without_secret or has_secret(stage, manifest.secret)):
                raise _no_secret(path)
            return manifest, await _put_in_place(settings, manifest, stage, tell)
    except OSError as error:
        raise BackupError(f"Not restored: {error.filename or settings.data_dir}: {error.strerror}.") from error


def verify_backup(path: Path, tell: ProgressCallback) -> Manifest:
    """Whether a backup is whole and as it was written, to the last byte; what is in it."""
    done = 0

    def heard(size: int) -> None:
        nonlocal done
        done += size
        tell("checking, bytes", done, 0)

    return verify_archive(path, heard)


def _check_fits(settings: Settings, path: Path, manifest: Manifest, wish: RestoreOptions) -> None:
    if manifest.revision and not migrations.is_known_revision(manifest.revision):
        raise BackupError(
            f"{path} was made by Formwright {manifest.version}, whose tables (revision {manifest.revision}) this one"
            " does not know yet: install that version or a newer one."
        )
    if manifest.database == SQLITE and settings.is_postgres:
        raise BackupError(
            f"{path} holds an SQLite database. Restore it without FORMWRIGHT_DATABASE_URL; then `formwright db copy`"
            " moves it to PostgreSQL."
        )
    if manifest.database == POSTGRES and not settings.is_postgres:
        raise BackupError(
            f"{path} holds a PostgreSQL database: name an empty one with FORMWRIGHT_DATABASE_URL or --database-url."
        )
    ours = settings.secret_key
    if not (
        wish.without_secret or (secret_fingerprint(ours) == manifest.secret if ours else SECRET in manifest.entries)
    ):
        raise _no_secret(path, " and is not yours" if ours else "")


def _no_secret(path: Path, why: str = "") -> BackupError:
    return BackupError(
        f"The secret of {path} is not in it{why}: set FORMWRIGHT_SECRET_KEY to that of the installation it was made of."
        " Should it be lost, --without-secret restores the rest."
    )


async def _check_free(settings: Settings, manifest: Manifest, wish: RestoreOptions) -> None:
    if manifest.database == POSTGRES:
        await check_no_tables(settings.database_url)
    found = find_existing(settings, manifest)
    if found and not wish.replace:
        raise BackupError(
            f"There is an installation in {settings.data_dir} already ({', '.join(found)}). Restore into another"
            " folder, or with --replace, which puts aside what is there."
        )
    if manifest.database == SQLITE and settings.sqlite_path.exists():
        # A wreck is put aside like anything else.
        with suppress(DatabaseDamaged), open_exclusively(settings.sqlite_path):
            pass


async def _lay_out(settings: Settings, path: Path, manifest: Manifest, stage: Path, tell: ProgressCallback) -> None:
    """Unpack into the stage. Contents of files that are kept elsewhere go there at once: they are never changed."""
    contents = open_blob_store(settings.files_url, stage / "files") if manifest.contents else None
    number = 0
    try:
        with open_archive(path) as members:
            for name, stream, _ in members:
                if contents and name.startswith(FILES):
                    await _keep(contents, name.removeprefix(FILES), stream, manifest.entries[name])
                    tell("files", number := number + 1, manifest.contents)
                elif name != MANIFEST:
                    _unpack(stage / (settings.sqlite_path.name if name == SQLITE else name), stream, manifest, name)
    finally:
        if contents:
            await contents.close()


def _unpack(path: Path, stream: IO[bytes], manifest: Manifest, name: str) -> None:
    make_private_folder(path.parent)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        copy_stream(stream, file, manifest.entries.get(name))


async def _keep(contents: BlobStore, place: str, stream: IO[bytes], entry: Entry) -> None:
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
        copy_stream(stream, file, entry)
        await contents.put(place, ReceivedBlob(file))


async def _put_in_place(settings: Settings, manifest: Manifest, stage: Path, tell: ProgressCallback) -> Path | None:
    """Bring the tables up to date, and change the names; on PostgreSQL the database comes last."""
    tell("tables", 0, 0)
    if manifest.database == SQLITE:
        await migrations.upgrade(replace(settings, data_dir=stage))
        if settings.sqlite_path.exists():
            with suppress(DatabaseDamaged), open_exclusively(settings.sqlite_path) as connection:
                remove_journal(connection)
    dumped = stage / POSTGRES
    # All of it is on the disk before anything gets its name.
    os.sync()
    with swap_into_place(settings, manifest, stage) as aside:
        if manifest.database == POSTGRES:
            load_postgres(settings.database_url, dumped)
            await migrations.upgrade(settings)
    return aside
