"""Writing the files of a run, and storing them.

Files are written to a temporary folder, and stored under keys that depend on the run only. A run that is repeated
after a crash overwrites them. They can be downloaded once the run is saved as completed, in one transaction.
"""

import asyncio
import hashlib
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.blobs import BlobStore, ReceivedBlob
from formwright.core.clock import rfc3339
from formwright.core.data_folder import make_private_folder
from formwright.core.db.interface import Database
from formwright.core.offload import offload
from formwright.domain.exports.delivery import DestinationWriter, open_destination, run_folder
from formwright.domain.exports.destinations import DestinationRules
from formwright.domain.exports.formats import FORMATS, Format, Writer
from formwright.domain.exports.models import Export, ExportRun, Progress, RunFile
from formwright.domain.exports.planning import FormPlan, plan_run
from formwright.domain.exports.reading import iter_batches
from formwright.domain.exports.run_queue import MAX_TRIES, ClaimedExport, ClaimedRun, forget_files, list_expired
from formwright.domain.exports.table import Table
from formwright.domain.files.filenames import MAX_LENGTH, without_bidi_controls

MANIFEST = "manifest.json"
MAX_FILES = 1000
_FOLDER_PREFIX = "run-"
_UNSAFE = frozenset('/\\:*?"<>|#%{}^[]`~')
"""Not allowed in file names of Windows, or changed by stores of files."""
_NO_TIME_LIMIT = float("inf")
_CLEANUP_BATCH = 100
_LEFT_S = {_FOLDER_PREFIX: 86_400.0, "usr_": 3_600.0}
"""After how long folders are no longer used: those of runs, and those of downloads of earlier versions."""


@dataclass(frozen=True, slots=True)
class Storage:
    """Where files are stored, and the folder in which they are written first."""

    files: BlobStore
    folder: Path
    rules: DestinationRules


def file_key(run: ExportRun, number: int) -> str:
    """Return the key of a file of a run in the file storage."""
    return f"exports/{run.customer_id}/{run.id}/{number}"


async def write_files(
    db: Database, storage: Storage, claimed: ClaimedExport, now: int, progress: Progress
) -> list[RunFile]:
    """Write and store the files of a run, and return them; the last one is the manifest.

    An export of all forms has a file for each form with matching submissions. Raises `ExportRejected`.
    """
    export, run = claimed.export, claimed.run
    async with db.reading(long=True) as tx:
        owner, plans = await plan_run(tx, export, run, now)
    async with _temporary_folder(storage) as folder, open_destination(storage.rules, export) as destination:
        if destination and claimed.is_repeat:
            # The manifest is deleted first: with it, readers would take the folder for complete.
            await destination.clear(run_folder(run), MANIFEST)
        writer = _RunWriter(db, storage, export, run, progress, destination)
        for plan in plans:
            await writer.write_form(owner, plan, folder, keep_empty=export.form_id is not None)
        await writer.write_manifest(folder)
    return writer.files


@asynccontextmanager
async def _temporary_folder(storage: Storage) -> AsyncIterator[Path]:
    await asyncio.to_thread(make_private_folder, storage.folder)
    with tempfile.TemporaryDirectory(prefix=_FOLDER_PREFIX, dir=storage.folder) as folder:
        yield Path(folder)


def _create_file(folder: Path) -> IO[bytes]:
    """Return an empty file. It is opened at once: a thread that is not awaited any more would leave it open."""
    return (folder / "file").open("w+b")


async def store_download(
    storage: Storage, claimed: ClaimedRun, name: str, write: Callable[[IO[bytes], Path], Awaitable[None]]
) -> RunFile:
    """Store the file that `write` writes, given the file and a folder for temporary files."""
    async with _temporary_folder(storage) as folder:
        with _create_file(folder) as file:
            await write(file, folder)
            # Each try has a key of its own: a worker that has lost its lease must not replace the file of another one.
            return await _store_file(storage, claimed.run, claimed.tries, name, file)


async def _store_file(storage: Storage, run: ExportRun, number: int, name: str, file: IO[bytes]) -> RunFile:
    size, digest = await asyncio.to_thread(_measure, file)
    key = file_key(run, number)
    await storage.files.put(key, ReceivedBlob(file))
    return RunFile(name, 0, size, digest, key)


class _RunWriter:
    def __init__(
        self,
        db: Database,
        storage: Storage,
        export: Export,
        run: ExportRun,
        progress: Progress,
        destination: DestinationWriter | None,
    ) -> None:
        self._db, self._storage, self._export, self._run, self._progress = db, storage, export, run, progress
        self._destination = destination
        self.files: list[RunFile] = []

    async def write_form(self, owner: Actor, plan: FormPlan, folder: Path, *, keep_empty: bool) -> None:
        """Write the file of a form, and store it if it has submissions."""
        kind = self._export.settings.format.lower()
        with _create_file(folder) as file:
            rows = await write_table(self._db, owner, FORMATS[kind], plan, file, folder, self._progress)
            if rows or keep_empty:
                await self._store(file, self._unique_name(plan.form.name, kind), rows)

    async def write_manifest(self, folder: Path) -> None:
        """Store the list of files."""
        run, files = self._run, [msgspec.to_builtins(file) for file in self.files]
        manifest = {
            "exportId": run.export_id,
            "runId": run.id,
            "format": self._export.settings.format,
            "since": None if run.since is None else rfc3339(run.since),
            "through": None if run.through is None else rfc3339(run.through),
            "rows": self._progress.rows,
            "files": [{name: file[name] for name in ("name", "rows", "size", "sha256")} for file in files],
        }
        with _create_file(folder) as file:
            await asyncio.to_thread(file.write, msgspec.json.format(msgspec.json.encode(manifest), indent=2))
            await self._store(file, MANIFEST, self._progress.rows)

    async def _store(self, file: IO[bytes], name: str, rows: int) -> None:
        stored = await _store_file(self._storage, self._run, len(self.files), name, file)
        if self._destination:
            await self._destination.put(f"{run_folder(self._run)}/{name}", file)
        self.files.append(msgspec.structs.replace(stored, rows=rows))

    def _unique_name(self, form_name: str, kind: str) -> str:
        """Return the name of the form with the extension, and with a number if another file has it already."""
        plain = "".join(letter if letter.isprintable() and letter not in _UNSAFE else "_" for letter in form_name)
        # Leaves room for a number and the extension.
        stem = without_bidi_controls(plain).strip(" .")[: MAX_LENGTH - 20] or "form"
        # On Windows and macOS, names that differ in case only are the same file.
        names = {file.name.casefold() for file in self.files}
        numbers = (f"{stem}{f' {number}' if number > 1 else ''}.{kind}" for number in range(1, MAX_FILES * 1000))
        return next(name for name in numbers if name.casefold() not in names)


async def write_table(
    db: Database,
    actor: Actor,
    format_: Format,
    plan: FormPlan,
    file: IO[bytes],
    folder: Path,
    progress: Progress,
    *,
    timeout_s: float = _NO_TIME_LIMIT,
) -> int:
    """Write the submissions of a form to a file, and return their number. Temporary files go into the folder."""
    before, progress.has_read_all = progress.rows, False
    writer = await open_writer(format_, file, plan.table, folder)
    try:
        async for batch in iter_batches(db, actor, format_, plan.table, plan.criteria, timeout_s=timeout_s):
            await offload(writer.add, batch)
            progress.rows += len(batch)
        progress.has_read_all = True
        await _close(writer)
    except BaseException:
        writer.abandon()
        raise
    return progress.rows - before


async def open_writer(format_: Format, file: IO[bytes], table: Table, folder: Path) -> Writer:
    """Return the writer of a file. If this is cancelled, nothing of it remains."""
    opening = asyncio.ensure_future(asyncio.to_thread(format_.open_writer, file, table, folder))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        # The thread still starts the process that writes the file, which nobody would end.
        with suppress(Exception):
            (await opening).abandon()
        raise


async def _close(writer: Writer) -> None:
    """Finish a file. If this is cancelled, wait for the thread, which would write to a file that is closed."""
    closing = asyncio.ensure_future(asyncio.to_thread(writer.close))
    try:
        await asyncio.shield(closing)
    except asyncio.CancelledError:
        with suppress(Exception):
            await closing
        raise


def _measure(file: IO[bytes]) -> tuple[int, str]:
    """Return the size and the SHA-256 of a file."""
    file.flush()
    size = file.seek(0, 2)
    file.seek(0)
    return size, hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


async def delete_run_files(files: BlobStore, run: ExportRun) -> None:
    """Delete the files of a run from the storage, also those that are not listed because the run did not complete."""
    number, count = 0, MAX_TRIES if run.download else len(run.files)
    while number < count or await files.exists(file_key(run, number)):
        await files.delete(file_key(run, number))
        number += 1


async def delete_run(db: Database, files: BlobStore, run: ExportRun) -> None:
    """Delete the files of a run, and the run itself if it has no export."""
    # Files first: after a crash in between, the run is still listed as expired, and the next cleanup repeats this.
    await delete_run_files(files, run)
    async with db.writing() as tx:
        await forget_files(tx, run)


async def delete_expired(db: Database, files: BlobStore, now: int) -> None:
    """Delete the files of runs that have expired or whose export was deleted, and expired downloads."""
    while True:
        async with db.reading() as tx:
            expired = await list_expired(tx, now, _CLEANUP_BATCH)
        for run in expired:
            await delete_run(db, files, run)
        if len(expired) < _CLEANUP_BATCH:
            return


def delete_left_files(folder: Path) -> None:
    """Delete the temporary folders of processes that were killed."""
    for prefix, age_s in _LEFT_S.items():
        for path in folder.glob(f"{prefix}*"):
            with suppress(OSError):
                if path.stat().st_mtime < time.time() - age_s:
                    shutil.rmtree(path, ignore_errors=True)
