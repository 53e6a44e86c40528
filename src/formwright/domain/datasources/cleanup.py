"""Deletes rows that no retained version contains, and data sources whose first import was interrupted."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import Database, WriteTransaction
from formwright.domain.datasources import import_store, row_store, segment_compaction, store
from formwright.domain.datasources.limits import ROW_RETENTION_MS
from formwright.domain.datasources.models import Datasource

_BATCH_ROWS = 1000


async def delete_ended_rows(db: Database, now: int) -> int:
    """Delete such rows and data sources of all accounts, and return the number of deleted rows.

    It works in small transactions. If it is interrupted, the next call continues.
    """
    deleted = 0
    async with db.reading(long=True) as tx:
        with_ended_rows = await row_store.find_datasources_with_ended_rows(tx)
        abandoned = await store.find_abandoned(tx, now)
    for customer_id, datasource_id in with_ended_rows:
        scope = Scope(customer_id)
        async with db.reading() as tx:
            datasource = await store.find(tx, scope, datasource_id)
            version = await import_store.version_before(tx, scope, datasource_id, now - ROW_RETENTION_MS)
        if datasource and version:
            deleted += await _repeat_in_batches(db, replace(datasource, version=version), row_store.delete_ended)
        if datasource:
            await segment_compaction.compact(db, datasource)
    for datasource in abandoned:
        # The rows first: after a crash in between, nothing would find them without the data source.
        deleted += await _repeat_in_batches(db, datasource, row_store.undo_import)
        async with db.writing() as tx:
            await store.abandon(tx, datasource)
    return deleted


async def _repeat_in_batches(
    db: Database, datasource: Datasource, delete_batch: Callable[[WriteTransaction, Datasource, int], Awaitable[int]]
) -> int:
    total = 0
    while True:
        async with db.writing() as tx:
            count = await delete_batch(tx, datasource, _BATCH_ROWS)
        if not count:
            return total
        total += count
