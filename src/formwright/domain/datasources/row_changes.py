"""Changes of single rows, and the lock that a data source's deletion takes. Each is a new version, like an import."""

from dataclasses import replace

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import require
from formwright.domain.datasources import row_store, segment_compaction, store, sync_store, version_store
from formwright.domain.datasources.limits import MAX_ROWS
from formwright.domain.datasources.models import DataRow, Datasource, DatasourceBusy, NewRow


async def find(tx: ReadTransaction, scope: Scope, datasource_id: str) -> Datasource | None:
    """Return a data source with its pull, or None. For packages that have checked a permission of their own."""
    datasource = await store.find(tx, scope, datasource_id)
    return replace(datasource, pull=await sync_store.find(tx, scope, datasource_id)) if datasource else None


async def find_row(tx: ReadTransaction, datasource: Datasource, key: str) -> DataRow | None:
    """Return the row with this key, or None."""
    rows = await row_store.find_by_keys(tx, datasource, [key])
    return rows[0] if rows else None


async def lock(tx: WriteTransaction, scope: Scope, datasource_id: str) -> Datasource:
    """Keep imports out until the commit, and return the data source.

    Undoes what an interrupted import has left. Raises `DatasourceBusy` if an import is in progress.
    """
    # The lease has already ended. What keeps imports out until the commit is the lock of the row.
    acquired = require(
        await store.acquire_lease(tx, scope, datasource_id, tx.new_id("imp"), tx.now(), 0), DatasourceBusy
    )
    datasource, was_interrupted = acquired
    if was_interrupted:
        await row_store.undo_import(tx, datasource, MAX_ROWS)
    return datasource


async def delete_row(tx: WriteTransaction, datasource: Datasource, row: DataRow) -> Datasource:
    """Delete a row and return the data source, which the caller has locked."""
    await row_store.end_rows(tx, datasource, datasource.version + 1, [row.number])
    return await _save(tx, replace(datasource, row_count=datasource.row_count - 1))


async def insert_row(
    tx: WriteTransaction, datasource: Datasource, key: str, data: str, created_in: int | None
) -> Datasource:
    """Insert a row, whose cells are JSON, and return the data source, which the caller has locked.

    Cells of columns that the data source no longer has are left out. `created_in` is the version that created the row,
    if the row existed before.
    """
    stored = msgspec.json.decode(data, type=dict[str, str])
    cells = {name: cell for name, cell in stored.items() if name in datasource.column_names}
    row = NewRow(key, msgspec.json.encode(cells).decode(), cells, created_in)
    number = (datasource.place << 32) + datasource.next_number
    await row_store.insert(tx, datasource, datasource.version + 1, number, [row])
    await segment_compaction.merge_last(tx, datasource, datasource.version + 1)
    counts = replace(datasource, row_count=datasource.row_count + 1, next_number=datasource.next_number + 1)
    return await _save(tx, counts)


async def _save(tx: WriteTransaction, datasource: Datasource) -> Datasource:
    after = replace(
        datasource,
        version=datasource.version + 1,
        updated=await account_lock.next_timestamp(tx, datasource.customer_id),
        revision=datasource.revision + 1,
    )
    await version_store.insert(tx, after)
    await store.save_and_release(tx, after)
    return after
