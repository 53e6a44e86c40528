"""Background jobs of staged files: analysing and importing them, with progress for everybody in the account."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import BinaryIO, cast

import structlog

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import BlobStore
from formwright.core.db.interface import Database
from formwright.core.errors import DomainError, Invalid, Unavailable, ValidationFault
from formwright.core.tables.base import BadRow, FileTable, TableUnreadable
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.cell_types import TypeDetector
from formwright.domain.datasources.imports.row_sources import (
    RowSource,
    RowTexts,
    TableRows,
    open_row_table,
    to_invalid,
)
from formwright.domain.datasources.limits import MAX_NAME
from formwright.domain.datasources.models import (
    CellType,
    Column,
    Datasource,
    DatasourceNameTaken,
    ImportMode,
    ImportPlan,
    ImportResult,
    ImportSource,
)
from formwright.domain.datasources.service import DatasourceChanges
from formwright.domain.datasources.staged_files import store
from formwright.domain.datasources.staged_files.models import (
    HEARTBEAT_TIMEOUT_MS,
    MAX_FILE,
    Choices,
    Preview,
    Upload,
    UploadBusy,
    UploadState,
    preview_rows,
    suggest_key_column,
)

_PROGRESS_INTERVAL_S = 1.0
_MAX_REPORTED = 100
_INTERRUPTED = ValidationFault(
    "", "datasource.upload.interrupted", "The operation was interrupted, and nothing was changed. Try again."
)
_FAILED = ValidationFault(
    "", "datasource.upload.failed", "A server error occurred, and nothing was changed. Try again."
)

log = structlog.get_logger()


class CountedRows:
    """Wraps rows and counts them for the progress display. An import iterates twice, so each pass is half the work."""

    def __init__(self, rows: RowSource, total: int = 0) -> None:
        self._rows, self.header, self.is_complete = rows, rows.header, rows.is_complete
        self._total, self._passes, self.row_count = total, 0, 0

    def keep_keys(self, key_column: str) -> None:
        self._rows.keep_keys(key_column)

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        if self._passes:
            self._total = self.row_count
        self._passes, self.row_count = self._passes + 1, 0
        for row in self._rows.rows(types):
            self.row_count += 1
            yield row

    def to_validation_fault(self, row: BadRow) -> ValidationFault:
        return self._rows.to_validation_fault(row)

    @property
    def progress(self) -> int:
        """The completed share of both passes, in thousandths; -1 if the number of rows is unknown."""
        share = min(self.row_count / self._total, 1) if self._total else 0
        return int(500 * (max(self._passes - 1, 0) + share)) if self._total else -1


async def start(db: Database, actor: Actor, upload: Upload, state: UploadState, choices: Choices) -> Upload:
    """Reserve the file for a job and return it in its new state. Raises `UploadBusy` while another job runs."""
    allow(actor, Permission.DATASOURCES_EDIT)
    async with db.writing() as tx:
        if not await store.try_start(tx, upload, state, choices, tx.now(), tx.now() - HEARTBEAT_TIMEOUT_MS):
            raise UploadBusy()
    return replace(upload, state=state, choices=choices)


async def analyze(db: Database, contents: BlobStore, actor: Actor, upload: Upload) -> None:
    """Analyse a file that `start` reserved: find out what it contains and what importing it would change."""

    async def work(table: FileTable, progress: Callable[[CountedRows], None]) -> Preview:
        return await _analyze(db, actor, upload, table, progress)

    await _run(db, contents, upload, UploadState.LOOKED, work)


async def import_file(db: Database, contents: BlobStore, actor: Actor, upload: Upload) -> None:
    """Import a file that `start` reserved, and delete its content when that has succeeded."""

    async def work(table: FileTable, progress: Callable[[CountedRows], None]) -> Preview:
        rows = CountedRows(TableRows(table, upload.choices.dialect.decimal_mark), upload.preview.total)
        progress(rows)
        key = upload.preview.key_column
        _, report = await _import(db, actor, upload, rows, key, dry_run=False)
        return replace(upload.preview, counts=report.counts, bad=report.bad[:_MAX_REPORTED], faults=())

    if await _run(db, contents, upload, UploadState.DONE, work):
        await contents.delete(upload.blob_key)


Work = Callable[[FileTable, Callable[[CountedRows], None]], Awaitable[Preview]]


async def _run(db: Database, contents: BlobStore, upload: Upload, success_state: UploadState, work: Work) -> bool:
    """Run a job, report its progress, and save its result even if it fails. Returns whether it succeeded.

    After a failure, the file can be analysed again, and its preview contains the errors.
    """
    counted: list[CountedRows] = []
    reporter = asyncio.create_task(_report_progress(db, upload, counted))
    found = upload.preview
    state = UploadState.LOOKED
    try:
        async with _open_content(contents, upload) as file:
            table = await asyncio.to_thread(open_row_table, file, upload.kind, upload.choices.dialect)
            found, state = await work(table, counted.append), success_state
    except TableUnreadable as error:
        found = Preview(dialect=upload.choices.dialect, sheets=found.sheets, faults=to_invalid(error).faults)
    except DomainError as error:
        found = replace(found, faults=_to_faults(error))
    except asyncio.CancelledError:
        found = replace(found, faults=[_INTERRUPTED])
        raise
    except Exception:
        log.exception("staged file failed", upload=upload.id)
        found = replace(found, faults=[_FAILED])
    finally:
        reporter.cancel()
        async with db.writing() as tx:
            await store.finish(tx, upload, state, found, tx.now())
    return state is success_state


async def _report_progress(db: Database, upload: Upload, counted: list[CountedRows]) -> None:
    while True:
        await asyncio.sleep(_PROGRESS_INTERVAL_S)
        seen, done = (counted[-1].row_count, counted[-1].progress) if counted else (0, -1)
        # The progress is also the sign that the job is alive, so it has to go on when the database is back.
        with suppress(Unavailable):
            async with db.writing() as tx:
                await store.save_progress(tx, upload, seen, done, tx.now())


@asynccontextmanager
async def _open_content(contents: BlobStore, upload: Upload) -> AsyncIterator[BinaryIO]:
    chunks = await contents.read(upload.blob_key, 0, upload.size)
    async with contents.receive(chunks, MAX_FILE) as received:
        yield cast(BinaryIO, received.file)


async def _analyze(
    db: Database, actor: Actor, upload: Upload, table: FileTable, progress: Callable[[CountedRows], None]
) -> Preview:
    choices, header, types = upload.choices, table.header, upload.choices.types or {}
    columns = [Column(name, types.get(name, CellType.TEXT), name in types) for name in header]
    sample = table.encoding_sample
    found = Preview(dialect=table.dialect, encoding_sample=sample, sheets=table.sheets, columns=columns)
    try:
        found = replace(found, rows=await asyncio.to_thread(preview_rows, table))
        key = await _choose_key_column(db, actor, upload, table)
        source = TableRows(table, choices.dialect.decimal_mark)
        source.keep_keys(key)
        found = replace(found, key_column=key, rows=await asyncio.to_thread(preview_rows, source))
        rows = CountedRows(source)
        progress(rows)
        datasource, report = await _try_import(db, actor, upload, rows, key)
    except TableUnreadable as error:
        return replace(found, faults=to_invalid(error).faults)
    except DomainError as error:
        return replace(found, faults=_to_faults(error))
    columns_by_name = {column.name: column for column in datasource.columns}
    columns = [columns_by_name[name] for name in header]
    faults = await validate_name(db, actor, upload, choices.name)
    return replace(found, columns=columns, counts=report.counts, bad=report.bad[:_MAX_REPORTED], faults=faults)


async def _choose_key_column(db: Database, actor: Actor, upload: Upload, table: FileTable) -> str:
    """Return the chosen key column, or that of the data source, or the first column whose values are unique."""
    if upload.choices.key_column in table.header:
        return upload.choices.key_column or ""
    if not upload.is_new:
        async with db.reading() as tx:
            key = (await datasources.get(tx, actor, datasource_id=upload.datasource_id)).key_column
        if upload.choices.mode is ImportMode.UPSERT or key in table.header:
            return key
    return await asyncio.to_thread(suggest_key_column, table)


async def _try_import(
    db: Database, actor: Actor, upload: Upload, rows: CountedRows, key: str
) -> tuple[Datasource, ImportResult]:
    """Run the import as a dry run, without the chosen name: if it is taken, that is reported with the other errors."""
    nameless = replace(upload, choices=replace(upload.choices, name=upload.id, skip_bad=True))
    return await _import(db, actor, nameless, rows, key, dry_run=True)


async def _import(
    db: Database, actor: Actor, upload: Upload, rows: RowSource, key: str, *, dry_run: bool
) -> tuple[Datasource, ImportResult]:
    choices = upload.choices
    plan = ImportPlan(ImportSource(upload.kind.upper()), choices.mode, choices.skip_bad, dry_run)
    types = {name: kind for name, kind in (choices.types or {}).items() if name in rows.header}
    if upload.is_new:
        new = DatasourceChanges(choices.name, key, types)
        return await datasources.create(db, actor, new, rows, plan, datasource_id=upload.datasource_id)
    fixed = None if choices.types is None or choices.mode is ImportMode.UPSERT else types
    change = DatasourceChanges(None, key, fixed)
    return await datasources.import_rows(db, actor, rows, plan, change, datasource_id=upload.datasource_id)


async def validate_name(db: Database, actor: Actor, upload: Upload, name: str) -> list[ValidationFault]:
    """Return why a new data source cannot have this name; empty if it can."""
    if not upload.is_new:
        return []
    if not 0 < len(name) <= MAX_NAME:
        return [ValidationFault("", "datasource.name", f"Enter a name of 1 to {MAX_NAME} characters.")]
    async with db.reading() as tx:
        if await datasources.is_name_taken(tx, actor, name):
            return _to_faults(DatasourceNameTaken())
    return []


def _to_faults(error: DomainError) -> list[ValidationFault]:
    return (
        list(error.faults[:_MAX_REPORTED])
        if isinstance(error, Invalid)
        else [ValidationFault("", error.code, error.text)]
    )
