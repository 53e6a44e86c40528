"""Clears away rows that no version needs any more, and datasources whose first import never ended."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import Database, WriteTransaction
from formwright.domain.datasources import import_store, row_store, segment_compaction, store
from formwright.domain.datasources.limits import ROW_RETENTION_MS
from formwright.domain.datasources.models import Datasource

_BATCH_ROWS = 1000


async def delete_ended_rows(db: Database, now: int) -> int:
    """Answers how many rows went. What is interrupted is finished by the next call."""
    gone = 0
    async with db.reading(long=True) as tx:
        with_ended = await row_store.find_datasources_with_ended_rows(tx)
        never_made = await store.find_abandoned(tx, now)
    for customer_id, datasource_id in with_ended:
        scope = Scope(customer_id)
        async with db.reading() as tx:
            datasource = await store.find(tx, scope, datasource_id)
            version = await import_store.version_before(tx, scope, datasource_id, now - ROW_RETENTION_MS)
        if datasource and version:
            gone += await _repeat_in_batches(db, replace(datasource, version=version), row_store.delete_ended)
        if datasource:
            await segment_compaction.compact(db, datasource)
    for datasource in never_made:
        gone += await _repeat_in_batches(db, datasource, row_store.undo_import)
        async with db.writing() as tx:
            await store.abandon(tx, datasource)
    return gone


async def _repeat_in_batches(
    db: Database, datasource: Datasource, delete_batch: Callable[[WriteTransaction, Datasource, int], Awaitable[int]]
) -> int:
    gone = 0
    while True:
        async with db.writing() as tx:
            count = await delete_batch(tx, datasource, _BATCH_ROWS)
        if not count:
            return gone
        gone += count
