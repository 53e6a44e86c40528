"""The verbs of datasources; how rows are taken in is in `importing`."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, Rollback, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.events import AuditNote
from formwright.core.events import changed as differing
from formwright.core.pagination import Page, Place, Window, cut_page
from formwright.domain.datasources import cell_types, import_store, row_search, row_store, store, sync_store
from formwright.domain.datasources.imports import importer
from formwright.domain.datasources.imports.row_sources import Incoming
from formwright.domain.datasources.imports.validation import columns_of
from formwright.domain.datasources.limits import MAX_ROWS
from formwright.domain.datasources.models import (
    CellType,
    Column,
    DataRow,
    Datasource,
    DatasourceBusy,
    DatasourceNameTaken,
    DatasourceNotFound,
    ImportRecord,
    Mode,
    Plan,
    Report,
    Search,
)
from formwright.domain.datasources.sync.service import Setting

OFFERED = 50
"""How many rows a lookup offers at once."""
DEEPEST = 1000
"""How many rows somebody who looks one up may skip."""
_MOST_KEYS = 1000


@dataclass(frozen=True, slots=True)
class Change:
    """What of a datasource is to be another; None leaves it. Without `types`, they are found again in new rows."""

    name: str | None = None
    key_column: str | None = None
    types: Mapping[str, CellType] | None = None


async def create(
    db: Database, actor: Actor, new: Change, rows: Incoming, plan: Plan, *, datasource_id: str
) -> tuple[Datasource, Report]:
    """A new datasource with all its rows, or none and the faults. Where no key column is named it is the first."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    name, key = new.name or "", new.key_column or (rows.header[0] if rows.header else "")
    columns = columns_of(rows.header, key, dict(new.types or {}))
    if not columns:
        raise Invalid.at("/columns", "datasource.columns.missing", "Name the columns, or send rows that have some.")
    async with db.reading() as tx:
        if await store.name_taken(tx, scope, name):
            raise DatasourceNameTaken()
    empty = Datasource(datasource_id, scope.customer_id, name, key, columns, 0, 0, 0, 0, 0, 0, 0)
    return await importer.import_rows(db, actor, empty, key, columns, rows, plan)


async def import_rows(
    db: Database, actor: Actor, rows: Incoming, plan: Plan, change: Change = Change(), *, datasource_id: str
) -> tuple[Datasource, Report]:
    """Take rows into a datasource: all, or none and the faults."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    async with db.reading() as tx:
        of = await get(tx, actor, datasource_id=datasource_id)
        if change.name is not None and await store.name_taken(tx, scope, change.name, of.id):
            raise DatasourceNameTaken()
    key = change.key_column or of.key_column
    if not rows.whole:
        kept = of.names if plan.mode is Mode.REPLACE else (key,)
        rows.header = tuple(dict.fromkeys((*kept, *rows.header)))
    fixed = {column.name: column.type for column in of.columns if column.fixed}
    wanted = fixed if change.types is None else dict(change.types)
    columns = columns_of(rows.header, key, {name: kind for name, kind in wanted.items() if name in rows.header})
    return await importer.import_rows(db, actor, of, key, columns, rows, plan, name=change.name)


async def alter(
    db: Database,
    actor: Actor,
    change: Change,
    pull: Setting | None = None,
    *,
    datasource_id: str,
    dry_run: bool = False,
) -> Datasource:
    """Another name, other types of columns, another pull; `Invalid` where a cell cannot be shown as its type.

    With `dry_run` all of it is done, and nothing is kept.
    """
    allow(actor, Permission.DATASOURCES_EDIT)
    async with db.reading(long=True) as tx:
        of = await get(tx, actor, datasource_id=datasource_id)
        if change.key_column not in (None, of.key_column):
            detail = "Another key column needs the rows: send them too."
            raise Invalid.at("/keyColumn", "datasource.key_column.rows", detail)
        columns = await _retyped(tx, of, change.types) if change.types is not None else of.columns
        after = replace(of, name=change.name or of.name, columns=columns)
    with suppress(Rollback):
        async with db.writing() as tx:
            if after != of or pull is not None:
                after = await _altered(tx, of, after, pull)
            if dry_run:
                raise Rollback()
    return after


async def _altered(tx: WriteTransaction, of: Datasource, wanted: Datasource, pull: Setting | None) -> Datasource:
    scope = Scope(of.customer_id)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    taken = await store.lease(tx, scope, of.id, tx.new_id("imp"), tx.now(), 0)
    if taken is None:
        raise DatasourceBusy()
    if taken[1]:
        # What an interrupted import left would be seen with the next one.
        await row_store.undo(tx, of, MAX_ROWS)
    if await store.find(tx, scope, of.id) != of:
        raise DatasourceBusy("It was changed at this moment. Try again.")
    if await store.name_reserved(tx, scope, wanted.name, of.id):
        raise DatasourceNameTaken()
    after = replace(wanted, updated=now, revision=of.revision + 1)
    if pull is not None:
        after = await pull.apply(tx, after)
    await store.release(tx, after)
    tx.audit(AuditNote(scope.customer_id, "datasource.updated", of.id, after.name, differing(of, after)))
    return after


async def _retyped(tx: ReadTransaction, of: Datasource, types: Mapping[str, CellType]) -> tuple[Column, ...]:
    """The columns with these types fixed and all others found again."""
    columns = columns_of(of.names, of.key_column, dict(types))
    found, number = cell_types.Types(columns), (of.place << 32) - 1
    while rows := await row_store.after(tx, of, number, 1000):
        await asyncio.to_thread(_look, found, columns, rows)
        number = rows[-1].number
    return found.columns()


def _look(found: cell_types.Types, columns: Sequence[Column], rows: Sequence[DataRow]) -> None:
    for row in rows:
        kept = msgspec.json.decode(row.data, type=dict[str, str])
        for column in columns:
            if column.fixed and not cell_types.fits(column.type, kept.get(column.name, "")):
                detail = f"The row {row.key!r} has {kept[column.name][:50]!r} there, which is no {column.type.value}."
                raise Invalid([ValidationFault("/types", "datasource.cell.type", detail)])
        found.see_texts([kept.get(column.name) for column in columns])


async def get(tx: ReadTransaction, actor: Actor, *, datasource_id: str) -> Datasource:
    """One datasource of the account."""
    scope = allow(actor, Permission.DATASOURCES_READ)
    datasource = await store.find(tx, scope, datasource_id)
    if datasource is None:
        raise DatasourceNotFound()
    return replace(datasource, pull=await sync_store.find(tx, scope, datasource_id))


async def name_taken(tx: ReadTransaction, actor: Actor, name: str, but: str = "") -> bool:
    """Whether a datasource other than `but` has this name."""
    return await store.name_taken(tx, allow(actor, Permission.DATASOURCES_READ), name, but)


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Datasource]:
    """The account's datasources in the order in which they were made."""
    scope = allow(actor, Permission.DATASOURCES_READ)
    found = await store.page(tx, scope, window)
    pulled = await sync_store.find_all(tx, scope, [one.id for one in found.items])
    return replace(found, items=[replace(one, pull=pulled.get(one.id)) for one in found.items])


async def rows(
    tx: ReadTransaction, actor: Actor, wanted: Search, window: Window, *, datasource_id: str
) -> tuple[Datasource, Page[DataRow]]:
    """The rows that fit, in the order in which they last changed: one that changes moves to the end."""
    of = await get(tx, actor, datasource_id=datasource_id)
    after = window.after.number if window.after else (of.place << 32) - 1
    if wanted.key is not None:
        return of, Page(await row_store.by_key(tx, of, [wanted.key]), None)
    found = await row_search.search(tx, of, wanted, after=after, limit=window.limit + 1)
    # No two rows have the same number; a key may be longer than a cursor, and holds what it likes.
    return of, cut_page(found, window.limit, lambda row: Place(row.number, ""))


async def imports(tx: ReadTransaction, actor: Actor, window: Window, *, datasource_id: str) -> Page[ImportRecord]:
    """The past imports of a datasource, the newest first."""
    of = await get(tx, actor, datasource_id=datasource_id)
    return await import_store.page(tx, allow(actor, Permission.DATASOURCES_READ), of.id, window)


async def to_look_up(tx: ReadTransaction, actor: Actor, *, datasource_id: str) -> Datasource:
    """The datasource for somebody who fills a form; who calls answers for it that the form has a lookup into it."""
    of = await store.find(tx, allow(actor, Permission.SUBMISSIONS_CREATE), datasource_id)
    if of is None:
        raise DatasourceNotFound()
    return of


async def rows_behind(tx: ReadTransaction, of: Datasource, number: int | None, limit: int) -> list[DataRow]:
    """Its rows behind this number in order, or the first ones."""
    return await row_store.after(tx, of, (of.place << 32) - 1 if number is None else number, limit)


async def last_imports(tx: ReadTransaction, actor: Actor, ids: Sequence[str]) -> dict[str, ImportRecord]:
    """The newest import of each of these datasources."""
    return await import_store.last(tx, allow(actor, Permission.DATASOURCES_READ), ids)


async def look_up(
    tx: ReadTransaction, actor: Actor, wanted: Search, *, datasource_id: str
) -> tuple[Datasource, list[DataRow]]:
    """Up to 50 rows for somebody who fills a form; the one whose key was typed comes first.

    Who calls answers for it that the form has a lookup into this datasource, and that it shows these columns.
    """
    of = await to_look_up(tx, actor, datasource_id=datasource_id)
    typed = wanted.text.strip() if wanted.key is None else wanted.key
    named = await row_store.by_key(tx, of, [typed]) if typed else []
    exact = [row for row in named if row_search.has_cells(row.data, wanted.by)]
    if wanted.key is not None:
        return of, exact
    skip = min(wanted.skip, DEEPEST)
    first = (of.place << 32) - 1
    found = await row_search.search(tx, of, wanted, after=first, limit=skip + OFFERED + 1)
    others = [row for row in found if row.key != typed]
    return of, [*exact, *others][skip : skip + OFFERED]
