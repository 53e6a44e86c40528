"""Clears away rows that no version needs any more, and datasources whose first import never ended."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import Database, WriteTransaction
from formwright.domain.datasources import import_store, row_store, segment_compaction, store
from formwright.domain.datasources.limits import KEPT_MS
from formwright.domain.datasources.models import Datasource

_AT_ONCE = 1000


async def clear_ended(db: Database, now: int) -> int:
    """Answers how many rows went. What is interrupted is finished by the next call."""
    gone = 0
    async with db.reading(long=True) as tx:
        with_ended = await row_store.with_ended(tx)
        never_made = await store.never_made(tx, now)
    for customer_id, datasource_id in with_ended:
        scope = Scope(customer_id)
        async with db.reading() as tx:
            of = await store.find(tx, scope, datasource_id)
            version = await import_store.version_before(tx, scope, datasource_id, now - KEPT_MS)
        if of and version:
            gone += await _all(db, replace(of, version=version), row_store.forget)
        if of:
            await segment_compaction.tidy(db, of)
    for of in never_made:
        gone += await _all(db, of, row_store.undo)
        async with db.writing() as tx:
            await store.let_go(tx, of)
    return gone


async def _all(
    db: Database, of: Datasource, some: Callable[[WriteTransaction, Datasource, int], Awaitable[int]]
) -> int:
    gone = 0
    while True:
        async with db.writing() as tx:
            count = await some(tx, of, _AT_ONCE)
        if not count:
            return gone
        gone += count
