"""Creating, changing, listing and searching data sources. `imports.importer` imports their rows."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec
from msgspec import UNSET, UnsetType

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, Rollback, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, require
from formwright.core.events import Event, EventType, changed_properties
from formwright.core.pagination import OLDEST_FIRST, Page, Position, TimeFilter, Window, cut_page
from formwright.domain.datasources import (
    cell_types,
    import_store,
    row_search,
    row_store,
    store,
    sync_store,
    uniqueness,
    version_store,
)
from formwright.domain.datasources.imports import importer
from formwright.domain.datasources.imports.row_sources import RowSource
from formwright.domain.datasources.imports.validation import build_columns
from formwright.domain.datasources.limits import MAX_ROWS
from formwright.domain.datasources.models import (
    CellType,
    Column,
    DataRow,
    Datasource,
    DatasourceBusy,
    DatasourceNotFound,
    ImportMode,
    ImportPlan,
    ImportRecord,
    ImportResult,
    RowFilter,
    RowTimes,
)
from formwright.domain.datasources.sync.service import PullSettings

LOOKUP_PAGE_ROWS = 50
"""How many rows a lookup returns at most."""
MAX_LOOKUP_SKIP = 1000
"""How many rows a lookup may skip to continue its list."""


@dataclass(frozen=True, slots=True)
class DatasourceChanges:
    """Changes to a data source; None, or UNSET for the external id, keeps a value.

    Without `types`, an import detects the types in its rows.
    """

    name: str | None = None
    key_column: str | None = None
    types: Mapping[str, CellType] | None = None
    external_id: str | UnsetType | None = UNSET

    def external_id_after(self, before: str | None) -> str | None:
        """Return the external id after the change."""
        return before if self.external_id is UNSET else self.external_id


async def create(
    db: Database, actor: Actor, fields: DatasourceChanges, rows: RowSource, plan: ImportPlan, *, datasource_id: str
) -> tuple[Datasource, ImportResult]:
    """Create a data source with its rows. Without a key column, the first column is the key.

    Raises `Invalid` with every invalid row and creates nothing, unless the plan skips them.
    """
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    name, key = fields.name or "", fields.key_column or (rows.header[0] if rows.header else "")
    columns = build_columns(rows.header, key, dict(fields.types or {}))
    if not columns:
        raise Invalid.at("/columns", "datasource.columns.missing", "Name the columns, or send rows that have some.")
    external_id = fields.external_id_after(None)
    async with db.reading() as tx:
        await uniqueness.check_taken(tx, scope, name, external_id, datasource_id)
    empty = Datasource(datasource_id, scope.customer_id, name, key, columns, 0, 0, 0, 0, 0, 0, 0, external_id)
    return await importer.import_rows(db, actor, empty, key, columns, rows, plan, external_id=external_id)


async def import_rows(
    db: Database,
    actor: Actor,
    rows: RowSource,
    plan: ImportPlan,
    changes: DatasourceChanges = DatasourceChanges(),
    *,
    datasource_id: str,
) -> tuple[Datasource, ImportResult]:
    """Import rows into a data source. Raises `Invalid` with every invalid row and changes nothing, unless the plan
    skips them."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    async with db.reading() as tx:
        datasource = await get(tx, actor, datasource_id=datasource_id)
        external_id = changes.external_id_after(datasource.external_id)
        await uniqueness.check_taken(tx, scope, changes.name, external_id, datasource.id)
    key = changes.key_column or datasource.key_column
    if not rows.is_complete:
        existing = datasource.column_names if plan.mode is ImportMode.REPLACE else (key,)
        rows.header = tuple(dict.fromkeys((*existing, *rows.header)))
    fixed = {column.name: column.type for column in datasource.columns if column.fixed}
    types = fixed if changes.types is None else dict(changes.types)
    columns = build_columns(rows.header, key, {name: kind for name, kind in types.items() if name in rows.header})
    return await importer.import_rows(
        db, actor, datasource, key, columns, rows, plan, name=changes.name, external_id=external_id
    )


async def update(
    db: Database,
    actor: Actor,
    change: DatasourceChanges,
    pull_settings: PullSettings | None = None,
    *,
    datasource_id: str,
    dry_run: bool = False,
) -> Datasource:
    """Change the name, the external id, the types of columns or the pull of a data source.

    Raises `Invalid` if a cell cannot be converted to the type chosen for its column. With `dry_run`, everything is
    checked and nothing is saved.
    """
    allow(actor, Permission.DATASOURCES_EDIT)
    async with db.reading(long=True) as tx:
        datasource = await get(tx, actor, datasource_id=datasource_id)
        if change.key_column not in (None, datasource.key_column):
            detail = "Changing the key column requires the rows. Send them in the same request."
            raise Invalid.at("/keyColumn", "datasource.key_column.rows", detail)
        columns = await _detect_types(tx, datasource, change.types) if change.types is not None else datasource.columns
        external_id = change.external_id_after(datasource.external_id)
        after = replace(datasource, name=change.name or datasource.name, columns=columns, external_id=external_id)
        if pull_settings is not None and not await pull_settings.differ_from_stored(tx, datasource):
            pull_settings = None
    with suppress(Rollback):
        async with db.writing() as tx:
            if after != datasource or pull_settings is not None:
                after = await _save_update(tx, datasource, after, pull_settings)
            if dry_run:
                raise Rollback()
    return after


async def _save_update(
    tx: WriteTransaction, datasource: Datasource, updated: Datasource, pull_settings: PullSettings | None
) -> Datasource:
    scope = Scope(datasource.customer_id)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    taken = require(await store.acquire_lease(tx, scope, datasource.id, tx.new_id("imp"), tx.now(), 0), DatasourceBusy)
    if taken[1]:
        # Otherwise rows left behind by an interrupted import would become visible with the next version.
        await row_store.undo_import(tx, datasource, MAX_ROWS)
    if await store.find(tx, scope, datasource.id) != datasource:
        raise DatasourceBusy("The data source has just been changed by another request. Try again.")
    await uniqueness.check_reserved(tx, scope, updated.name, updated.external_id, datasource.id)
    after = replace(updated, updated=now, revision=datasource.revision + 1)
    if pull_settings is not None:
        after = await pull_settings.apply(tx, after)
    await store.save_and_release(tx, after)
    tx.record(
        Event(EventType.DATASOURCE_UPDATED, scope.customer_id, after, changed=changed_properties(datasource, after))
    )
    return after


async def _detect_types(
    tx: ReadTransaction, datasource: Datasource, types: Mapping[str, CellType]
) -> tuple[Column, ...]:
    """Return the columns with these types fixed, and the types of all others detected from the rows."""
    columns = build_columns(datasource.column_names, datasource.key_column, dict(types))
    detector, number = cell_types.TypeDetector(columns), (datasource.place << 32) - 1
    while rows := await row_store.list_after(tx, datasource, number, 1000):
        await asyncio.to_thread(_detect_from_rows, detector, columns, rows)
        number = rows[-1].number
    return detector.columns()


def _detect_from_rows(detector: cell_types.TypeDetector, columns: Sequence[Column], rows: Sequence[DataRow]) -> None:
    for row in rows:
        cells = msgspec.json.decode(row.data, type=dict[str, str])
        for column in columns:
            if column.fixed and not cell_types.is_convertible(column.type, cells.get(column.name, "")):
                detail = (
                    f"{cells[column.name][:50]!r} in column {column.name!r} of row {row.key!r} is not of type"
                    f" {column.type.value}. Choose another type or correct the row."
                )
                raise Invalid([ValidationFault("/types", "datasource.cell.type", detail)])
        detector.add_texts([cells.get(column.name) for column in columns])


async def get(tx: ReadTransaction, actor: Actor, *, datasource_id: str) -> Datasource:
    """Return a data source of the account with its pull. Raises `DatasourceNotFound`."""
    scope = allow(actor, Permission.DATASOURCES_READ)
    datasource = require(await store.find(tx, scope, datasource_id), DatasourceNotFound)
    return replace(datasource, pull=await sync_store.find(tx, scope, datasource_id))


async def find_by_name(tx: ReadTransaction, actor: Actor, name: str) -> Datasource | None:
    """Return the data source with this name, which is unique in the account, without its pull; None if none has it."""
    return await store.find_by_name(tx, allow(actor, Permission.DATASOURCES_READ), name)


async def find_by_external_id(tx: ReadTransaction, actor: Actor, external_id: str) -> Datasource | None:
    """Return the data source with this external id, without its pull; None if none has it."""
    return await store.find_by_external_id(tx, allow(actor, Permission.DATASOURCES_READ), external_id)


async def is_name_taken(tx: ReadTransaction, actor: Actor, name: str, excluded_id: str = "") -> bool:
    """Return whether a data source other than `excluded_id` has this name."""
    return await store.is_name_taken(tx, allow(actor, Permission.DATASOURCES_READ), name, excluded_id)


async def page(
    tx: ReadTransaction,
    actor: Actor,
    window: Window,
    times: TimeFilter = OLDEST_FIRST,
    *,
    external_id: str | None = None,
) -> Page[Datasource]:
    """Return a page of the account's data sources, with their pulls, by default oldest first."""
    scope = allow(actor, Permission.DATASOURCES_READ)
    found = await store.page(tx, scope, window, times, external_id)
    pulls = await sync_store.find_all(tx, scope, [datasource.id for datasource in found.items])
    return replace(found, items=[replace(datasource, pull=pulls.get(datasource.id)) for datasource in found.items])


async def search(tx: ReadTransaction, actor: Actor, text: str, *, limit: int) -> list[Datasource]:
    """Return up to `limit` data sources with the text in their name, or as their id, the newest first."""
    return await store.search(tx, allow(actor, Permission.DATASOURCES_READ), text, limit)


async def find_rows(
    tx: ReadTransaction, actor: Actor, row_filter: RowFilter, window: Window, *, datasource_id: str
) -> tuple[Datasource, Page[DataRow]]:
    """Return a page of the matching rows in the order of their last change: a row that changes moves to the end."""
    datasource = await get(tx, actor, datasource_id=datasource_id)
    start, end = await _find_number_range(tx, datasource, row_filter)
    if row_filter.key is not None:
        named = await row_store.find_by_keys(tx, datasource, [row_filter.key])
        return datasource, Page([row for row in named if start <= row.number < end], None)
    after = max(start - 1, window.after.number) if window.after else start - 1
    found = await row_search.find_rows(tx, datasource, row_filter, after=after, limit=window.limit + 1)
    found = [row for row in found if row.number < end]
    # The number alone is unique. A key would not fit into a cursor: it may be long and contain any character.
    return datasource, cut_page(found, window.limit, lambda row: Position(row.number, ""))


async def _find_number_range(tx: ReadTransaction, datasource: Datasource, row_filter: RowFilter) -> tuple[int, int]:
    """Return the numbers of the rows that changed in the period of the filter, from ≤ n < to."""
    start, end = datasource.place << 32, (datasource.place + 1) << 32
    if row_filter.updated_from is not None:
        start = await version_store.find_row_end(tx, datasource, row_filter.updated_from)
    if row_filter.updated_to is not None:
        end = await version_store.find_row_end(tx, datasource, row_filter.updated_to)
    return start, end


async def find_row_times(tx: ReadTransaction, datasource: Datasource, rows: Sequence[DataRow]) -> dict[int, RowTimes]:
    """Return when these rows were created and last changed, by row number."""
    versions = {row.since for row in rows} | {row.first_version for row in rows}
    times = await version_store.find_times(tx, datasource, versions) if versions else {}
    return {row.number: RowTimes(times[row.first_version], times[row.since]) for row in rows}


async def list_imports(tx: ReadTransaction, actor: Actor, window: Window, *, datasource_id: str) -> Page[ImportRecord]:
    """Return a page of the import history of a data source, newest first."""
    datasource = await get(tx, actor, datasource_id=datasource_id)
    return await import_store.page(tx, allow(actor, Permission.DATASOURCES_READ), datasource.id, window)


async def get_for_lookup(tx: ReadTransaction, actor: Actor, *, datasource_id: str) -> Datasource:
    """Return a data source to a person who fills in a form.

    The caller must have checked that the form has a lookup field for this data source.
    """
    return require(await store.find(tx, allow(actor, Permission.SUBMISSIONS_CREATE), datasource_id), DatasourceNotFound)


async def list_rows_after(tx: ReadTransaction, datasource: Datasource, number: int | None, limit: int) -> list[DataRow]:
    """Return up to `limit` rows after this row number, or the first rows if it is None, ordered by number."""
    return await row_store.list_after(tx, datasource, (datasource.place << 32) - 1 if number is None else number, limit)


async def find_latest_imports(tx: ReadTransaction, actor: Actor, ids: Sequence[str]) -> dict[str, ImportRecord]:
    """Return the newest import of each of these data sources, by data source id."""
    return await import_store.find_latest(tx, allow(actor, Permission.DATASOURCES_READ), ids)


async def look_up_rows(
    tx: ReadTransaction, actor: Actor, row_filter: RowFilter, *, datasource_id: str, keys: Sequence[str] = ()
) -> tuple[Datasource, list[DataRow]]:
    """Return up to 50 rows for a lookup field; the row whose key equals the search text comes first.

    With `keys`, return the rows with these keys instead.
    The caller must have checked that the form has a lookup field for this data source that shows these columns.
    """
    datasource = await get_for_lookup(tx, actor, datasource_id=datasource_id)
    typed = row_filter.text.strip()
    named = await row_store.find_by_keys(tx, datasource, keys or [typed]) if keys or typed else []
    exact = [row for row in named if row_search.has_cells(row.data, row_filter.cells)]
    if keys:
        return datasource, exact
    skip = min(row_filter.skip, MAX_LOOKUP_SKIP)
    first = (datasource.place << 32) - 1
    found = await row_search.find_rows(tx, datasource, row_filter, after=first, limit=skip + LOOKUP_PAGE_ROWS + 1)
    others = [row for row in found if row.key != typed]
    return datasource, [*exact, *others][skip : skip + LOOKUP_PAGE_ROWS]
