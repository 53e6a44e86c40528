"""Writing the files of a run, and storing them.

Files are written to a temporary folder, and stored under keys that depend on the run only. A run that is repeated
after a crash overwrites them. They can be downloaded once the run is saved as completed, in one transaction.
"""

import asyncio
import hashlib
import tempfile
from collections.abc import Callable
from contextlib import suppress
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
from formwright.domain.exports.models import Export, ExportRun, RunFile
from formwright.domain.exports.planning import FormPlan, plan_run
from formwright.domain.exports.reading import iter_batches
from formwright.domain.exports.run_queue import ClaimedRun
from formwright.domain.exports.table import Table
from formwright.domain.files.filenames import MAX_LENGTH, without_bidi_controls

MANIFEST = "manifest.json"
MAX_FILES = 1000
_UNSAFE = frozenset('/\\:*?"<>|#%{}^[]`~')
"""Not allowed in file names of Windows, or changed by stores of files."""
_NO_TIME_LIMIT = float("inf")

ReportRows = Callable[[int], None]
"""Is called with the number of submissions written so far."""


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
    db: Database, storage: Storage, claimed: ClaimedRun, now: int, report: ReportRows
) -> list[RunFile]:
    """Write and store the files of a run, and return them; the last one is the manifest.

    An export of all forms has a file for each form with matching submissions. Raises `ExportRejected`.
    """
    export, run = claimed.export, claimed.run
    async with db.reading(long=True) as tx:
        owner, plans = await plan_run(tx, export, run, now)
    await asyncio.to_thread(make_private_folder, storage.folder)
    async with open_destination(storage.rules, export) as destination:
        if destination and claimed.is_repeat:
            await destination.clear(run_folder(run), MANIFEST)
        writer = _RunWriter(db, storage, export, run, report, destination)
        with tempfile.TemporaryDirectory(prefix="run-", dir=storage.folder) as folder:
            for plan in plans:
                await writer.write_form(owner, plan, Path(folder), keep_empty=export.form_id is not None)
            await writer.write_manifest(Path(folder))
    return writer.files


class _RunWriter:
    def __init__(
        self,
        db: Database,
        storage: Storage,
        export: Export,
        run: ExportRun,
        report: ReportRows,
        destination: DestinationWriter | None,
    ) -> None:
        self._db, self._storage, self._export, self._run, self._report = db, storage, export, run, report
        self._destination = destination
        self._rows = 0
        self.files: list[RunFile] = []

    async def write_form(self, owner: Actor, plan: FormPlan, folder: Path, *, keep_empty: bool) -> None:
        """Write the file of a form, and store it if it has submissions."""
        kind = self._export.settings.format.lower()
        path = folder / "file"
        with await asyncio.to_thread(path.open, "w+b") as file:
            rows = await self._write(owner, plan, kind, file, folder)
            if rows or keep_empty:
                await self._store(file, self._unique_name(plan.form.name, kind), rows)

    async def _write(self, owner: Actor, plan: FormPlan, kind: str, file: IO[bytes], folder: Path) -> int:
        format_, rows = FORMATS[kind], 0
        writer = await open_writer(format_, file, plan.table, folder)
        try:
            batches = iter_batches(self._db, owner, format_, plan.table, plan.criteria, timeout_s=_NO_TIME_LIMIT)
            async for batch in batches:
                await offload(writer.add, batch)
                rows += len(batch)
                self._rows += len(batch)
                self._report(self._rows)
            await asyncio.to_thread(writer.close)
        except BaseException:
            writer.abandon()
            raise
        return rows

    async def write_manifest(self, folder: Path) -> None:
        """Store the list of files."""
        run, files = self._run, [msgspec.to_builtins(file) for file in self.files]
        manifest = {
            "exportId": run.export_id,
            "runId": run.id,
            "format": self._export.settings.format,
            "since": None if run.since is None else rfc3339(run.since),
            "through": None if run.through is None else rfc3339(run.through),
            "rows": self._rows,
            "files": [{name: file[name] for name in ("name", "rows", "size", "sha256")} for file in files],
        }
        path = folder / "file"
        with await asyncio.to_thread(path.open, "w+b") as file:
            await asyncio.to_thread(file.write, msgspec.json.format(msgspec.json.encode(manifest), indent=2))
            await self._store(file, MANIFEST, self._rows)

    async def _store(self, file: IO[bytes], name: str, rows: int) -> None:
        size, digest = await asyncio.to_thread(_measure, file)
        key = file_key(self._run, len(self.files))
        await self._storage.files.put(key, ReceivedBlob(file))
        if self._destination:
            await self._destination.put(f"{run_folder(self._run)}/{name}", file)
        self.files.append(RunFile(name, rows, size, digest, key))

    def _unique_name(self, form_name: str, kind: str) -> str:
        """Return the name of the form with the extension, and with a number if another file has it already."""
        plain = "".join(letter if letter.isprintable() and letter not in _UNSAFE else "_" for letter in form_name)
        stem = without_bidi_controls(plain).strip(" .")[: MAX_LENGTH - 20] or "form"
        names = {file.name.casefold() for file in self.files}
        numbers = (f"{stem}{f' {number}' if number > 1 else ''}.{kind}" for number in range(1, MAX_FILES * 1000))
        return next(name for name in numbers if name.casefold() not in names)


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


def _measure(file: IO[bytes]) -> tuple[int, str]:
    """Return the size and the SHA-256 of a file."""
    file.flush()
    size = file.seek(0, 2)
    file.seek(0)
    return size, hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


async def delete_run_files(files: BlobStore, run: ExportRun) -> None:
    """Delete the files of a run from the storage, also those that are not listed because the run did not complete."""
    number = 0
    while number < len(run.files) or await files.exists(file_key(run, number)):
        await files.delete(file_key(run, number))
        number += 1
