"""What is done with a file of rows: it is looked through, and taken in. Others may see how far that is."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import BinaryIO, cast

import structlog

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.blobs import BlobStore
from formwright.core.db.interface import Database
from formwright.core.errors import DomainError, Invalid, ValidationFault
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.cell_types import Types
from formwright.domain.datasources.imports.row_sources import Incoming, TableRows, Texts, unreadable
from formwright.domain.datasources.limits import MAX_NAME
from formwright.domain.datasources.models import (
    CellType,
    Column,
    Datasource,
    DatasourceNameTaken,
    Mode,
    Plan,
    Report,
    Source,
)
from formwright.domain.datasources.parsers.base import BadRow, Table, TableUnreadable
from formwright.domain.datasources.parsers.open import open_table
from formwright.domain.datasources.service import Change
from formwright.domain.datasources.staged_files import store
from formwright.domain.datasources.staged_files.models import (
    MAX_FILE,
    SILENT_MS,
    Choices,
    Preview,
    State,
    Upload,
    UploadBusy,
    begins_with,
    key_among,
)

_NOTE_S = 1.0
_NAMED = 100
_STOPPED = ValidationFault(
    "", "datasource.upload.interrupted", "This was interrupted, and nothing was changed. Do it once more."
)
_BROKEN = ValidationFault(
    "", "datasource.upload.failed", "Something went wrong, and nothing was changed. It is not your fault. Try again."
)

log = structlog.get_logger()


class Counted:
    """Rows that are counted while they go by. They are gone through twice, so the first time is half the work."""

    def __init__(self, rows: Incoming, total: int = 0) -> None:
        self._rows, self.header, self.whole = rows, rows.header, rows.whole
        self._total, self._passes, self.seen = total, 0, 0

    def rows(self, types: Types | None = None) -> Iterator[tuple[int, Texts] | BadRow]:
        if self._passes:
            self._total = self.seen
        self._passes, self.seen = self._passes + 1, 0
        for row in self._rows.rows(types):
            self.seen += 1
            yield row

    def fault(self, row: BadRow) -> ValidationFault:
        return self._rows.fault(row)

    @property
    def done(self) -> int:
        """The share of both times, in thousandths; -1 where it is not known how many rows there are."""
        share = min(self.seen / self._total, 1) if self._total else 0
        return int(500 * (max(self._passes - 1, 0) + share)) if self._total else -1


async def begin(db: Database, actor: Actor, upload: Upload, state: State, choices: Choices) -> Upload:
    """Take the file for this work alone; `UploadBusy` while other work goes on."""
    allow(actor, Permission.DATASOURCES_EDIT)
    async with db.writing() as tx:
        if not await store.begin(tx, upload, state, choices, tx.now(), tx.now() - SILENT_MS):
            raise UploadBusy()
    return replace(upload, state=state, choices=choices)


async def look(db: Database, contents: BlobStore, actor: Actor, upload: Upload) -> None:
    """Find out what is in a file that `begin` took, and what would become of its rows."""

    async def work(table: Table, progress: Callable[[Counted], None]) -> Preview:
        return await _looked(db, actor, upload, table, progress)

    await _guarded(db, contents, upload, State.LOOKED, work)


async def take_in(db: Database, contents: BlobStore, actor: Actor, upload: Upload) -> None:
    """Import the rows of a file that `begin` took. Its content goes when that is done."""

    async def work(table: Table, progress: Callable[[Counted], None]) -> Preview:
        rows = Counted(TableRows(table), upload.preview.total)
        progress(rows)
        key = upload.preview.key_column
        _, report = await _import(db, actor, upload, rows, key, dry_run=False)
        return replace(upload.preview, counts=report.counts, bad=report.bad[:_NAMED], faults=())

    if await _guarded(db, contents, upload, State.DONE, work):
        await contents.remove(upload.place)


Work = Callable[[Table, Callable[[Counted], None]], Awaitable[Preview]]


async def _guarded(db: Database, contents: BlobStore, upload: Upload, then: State, work: Work) -> bool:
    """Do the work, tell how far it is, and write down what came of it, also when it fails; answers whether it did not.

    Where it failed the file still waits, with its faults.
    """
    counted: list[Counted] = []
    telling = asyncio.create_task(_tell(db, upload, counted))
    found = upload.preview
    state = State.LOOKED
    try:
        async with _opened(contents, upload) as file:
            table = await asyncio.to_thread(open_table, file, upload.kind, upload.choices.dialect)
            found, state = await work(table, counted.append), then
    except TableUnreadable as error:
        found = Preview(dialect=upload.choices.dialect, sheets=found.sheets, faults=unreadable(error).faults)
    except DomainError as error:
        found = replace(found, faults=_faults(error))
    except asyncio.CancelledError:
        found = replace(found, faults=[_STOPPED])
        raise
    except Exception:
        log.exception("a file of rows could not be worked on", upload=upload.id)
        found = replace(found, faults=[_BROKEN])
    finally:
        telling.cancel()
        async with db.writing() as tx:
            await store.finish(tx, upload, state, found, tx.now())
    return state is then


async def _tell(db: Database, upload: Upload, counted: list[Counted]) -> None:
    while True:
        await asyncio.sleep(_NOTE_S)
        seen, done = (counted[-1].seen, counted[-1].done) if counted else (0, -1)
        async with db.writing() as tx:
            await store.note(tx, upload, seen, done, tx.now())


@asynccontextmanager
async def _opened(contents: BlobStore, upload: Upload) -> AsyncIterator[BinaryIO]:
    chunks = await contents.read(upload.place, 0, upload.size)
    async with contents.receive(chunks, MAX_FILE) as arrived:
        yield cast(BinaryIO, arrived.file)


async def _looked(
    db: Database, actor: Actor, upload: Upload, table: Table, progress: Callable[[Counted], None]
) -> Preview:
    chosen, header, types = upload.choices, table.header, upload.choices.types or {}
    columns = [Column(name, types.get(name, CellType.TEXT), name in types) for name in header]
    found = Preview(dialect=table.dialect, sheets=table.sheets, columns=columns)
    try:
        found = replace(found, rows=await asyncio.to_thread(begins_with, table))
        key = await _key(db, actor, upload, table)
        found = replace(found, key_column=key)
        rows = Counted(TableRows(table))
        progress(rows)
        of, report = await _try(db, actor, upload, rows, key)
    except TableUnreadable as error:
        return replace(found, faults=unreadable(error).faults)
    except DomainError as error:
        return replace(found, faults=_faults(error))
    now = {column.name: column for column in of.columns}
    columns = [now[name] for name in header]
    faults = await name_faults(db, actor, upload, chosen.name)
    return replace(found, columns=columns, counts=report.counts, bad=report.bad[:_NAMED], faults=faults)


async def _key(db: Database, actor: Actor, upload: Upload, table: Table) -> str:
    """The key column that was chosen or is there; else the first one whose values are unique."""
    if upload.choices.key_column in table.header:
        return upload.choices.key_column or ""
    if not upload.fresh:
        async with db.reading() as tx:
            key = (await datasources.get(tx, actor, datasource_id=upload.datasource_id)).key_column
        if upload.choices.mode is Mode.UPSERT or key in table.header:
            return key
    return await asyncio.to_thread(key_among, table)


async def _try(db: Database, actor: Actor, upload: Upload, rows: Counted, key: str) -> tuple[Datasource, Report]:
    """Without the name: one that is taken is a fault beside others."""
    nameless = replace(upload, choices=replace(upload.choices, name=upload.id, skip_bad=True))
    return await _import(db, actor, nameless, rows, key, dry_run=True)


async def _import(
    db: Database, actor: Actor, upload: Upload, rows: Incoming, key: str, *, dry_run: bool
) -> tuple[Datasource, Report]:
    chosen = upload.choices
    plan = Plan(Source(upload.kind.upper()), chosen.mode, chosen.skip_bad, dry_run)
    types = {name: kind for name, kind in (chosen.types or {}).items() if name in rows.header}
    if upload.fresh:
        new = Change(chosen.name, key, types)
        return await datasources.create(db, actor, new, rows, plan, datasource_id=upload.datasource_id)
    fixed = None if chosen.types is None or chosen.mode is Mode.UPSERT else types
    change = Change(None, key, fixed)
    return await datasources.import_rows(db, actor, rows, plan, change, datasource_id=upload.datasource_id)


async def name_faults(db: Database, actor: Actor, upload: Upload, name: str) -> list[ValidationFault]:
    """Why a new datasource may not have this name."""
    if not upload.fresh:
        return []
    if not 0 < len(name) <= MAX_NAME:
        return [ValidationFault("", "datasource.name", f"Give the data source a name of 1 to {MAX_NAME} characters.")]
    async with db.reading() as tx:
        if await datasources.name_taken(tx, actor, name):
            return _faults(DatasourceNameTaken())
    return []


def _faults(error: DomainError) -> list[ValidationFault]:
    return list(error.faults[:_NAMED]) if isinstance(error, Invalid) else [ValidationFault("", error.code, str(error))]
