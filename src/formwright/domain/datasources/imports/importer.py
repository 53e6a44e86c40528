"""Atomic imports of any size.

The first pass validates all rows and writes nothing. The second pass writes the rows of the next version of the data
source in short transactions, so that a large import does not block other writers. Readers only see rows of the current
version, so the import becomes visible as a whole when the last transaction increments the version and records the
event. The rows of an interrupted import are never visible; the next import deletes them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, Rollback, WriteTransaction
from formwright.core.errors import Unavailable, require
from formwright.core.events import AuditNote, Event, EventType
from formwright.domain.datasources import (
    import_store,
    row_store,
    segment_compaction,
    store,
    uniqueness,
    version_store,
)
from formwright.domain.datasources.imports import diff
from formwright.domain.datasources.imports.diff import BATCH_ROWS, PreparedRow, RowDiff
from formwright.domain.datasources.imports.row_sources import RowSource
from formwright.domain.datasources.imports.validation import CheckedRows, check_rows, merge_columns
from formwright.domain.datasources.limits import MAX_ROWS
from formwright.domain.datasources.models import (
    Column,
    Datasource,
    DatasourceBusy,
    ImportCounts,
    ImportMode,
    ImportPlan,
    ImportRecord,
    ImportResult,
    ImportSource,
    ImportStatus,
    InvalidRows,
)

LEASE_MS = 120_000
"""How long an import keeps its lock without renewing it, after which another import may start."""
_MAX_STORED_BAD_ROWS = 100


async def import_rows(
    db: Database,
    actor: Actor,
    datasource: Datasource,
    key_column: str,
    columns: Sequence[Column],
    source: RowSource,
    plan: ImportPlan,
    *,
    name: str | None = None,
    external_id: str | None = None,
) -> tuple[Datasource, ImportResult]:
    """Import rows. `columns` are the columns of `source` with any fixed types; `name` renames the data source, and
    `external_id` is its external id from now on.

    If `datasource` is new, it is created. Raises `Invalid` with the invalid rows, or `DatasourceBusy` while another
    import is in progress; in both cases nothing changes.
    """
    allow(actor, Permission.DATASOURCES_EDIT)
    checked = await asyncio.to_thread(check_rows, source, tuple(columns), key_column)
    new_name = datasource.name if name is None else name
    target = replace(datasource, key_column=key_column, name=new_name, external_id=external_id)
    work = _Import(db, actor, datasource, target, source, checked, plan)
    if checked.bad and not plan.skip_bad:
        await work.reject()
    return await (work.dry_run() if plan.dry_run else work.run())


class _Import:
    """An import in progress.

    `read` is the data source as loaded before the rows were validated, which may have taken long; `datasource` is the
    same with the new name, external id and key column. `_identity` has the name and external id that this import sets.
    """

    def __init__(
        self,
        db: Database,
        actor: Actor,
        read: Datasource,
        datasource: Datasource,
        source: RowSource,
        checked: CheckedRows,
        plan: ImportPlan,
    ) -> None:
        self._db, self._actor, self._read, self._datasource, self._plan = db, actor, read, datasource, plan
        self._identity = {
            name: getattr(datasource, name)
            for name in ("name", "external_id")
            if datasource.version == 0 or getattr(datasource, name) != getattr(read, name)
        }
        self._source, self._checked = source, checked
        self._columns: tuple[Column, ...] = checked.columns
        self._before = datasource
        self._diff = RowDiff(datasource, plan.mode, checked.bad_count)
        self._lease = ""
        self._started = 0

    async def reject(self) -> None:
        """Record the failed import in the history and raise `InvalidRows`."""
        faults = [self._source.to_validation_fault(row) for row in self._checked.bad]
        count = self._checked.bad_count
        rows = "1 row is invalid" if count == 1 else f"{count:,} rows are invalid"
        detail = f"Nothing was imported, because {rows}; see `errors`."
        error = InvalidRows(faults, detail, self._checked.bad[:_MAX_STORED_BAD_ROWS], count)
        # The worker records a failed pull itself, together with the state of the pull.
        if self._datasource.version and self._plan.source is not ImportSource.PULL:
            with suppress(Rollback):
                await self._record_failure(str(error))
        raise error

    async def _record_failure(self, detail: str) -> None:
        async with self._db.writing() as tx:
            self._started = tx.now()
            now = await account_lock.next_timestamp(tx, self._datasource.customer_id)
            await import_store.insert(tx, self._record(tx, ImportStatus.FAILED, now, detail))
            if self._plan.dry_run:
                raise Rollback()

    async def dry_run(self) -> tuple[Datasource, ImportResult]:
        """Return what the import would result in, without writing anything."""
        async with self._db.writing() as writing:
            # Nothing is written, but the transaction provides the time and checks the request's preconditions.
            now = writing.now()
        self._prepare(self._datasource)
        if not self._datasource.row_count:
            self._diff.counts.inserted = self._checked.good
        async with self._db.reading(long=True) as tx:
            found = await store.find(tx, Scope(self._datasource.customer_id), self._datasource.id)
            self._before = replace(found, pull=self._datasource.pull) if found else self._datasource
            batches = self._batches() if self._datasource.row_count else iter(())
            while batch := await asyncio.to_thread(next, batches, None):
                await self._diff.compare_batch(tx, batch)
        self._diff.finish()
        after = self._result(self._datasource, now)
        return after, self._report(after.version)

    async def run(self) -> tuple[Datasource, ImportResult]:
        is_small = self._checked.good <= BATCH_ROWS
        after, report = await (self._import_in_one_transaction() if is_small else self._import_in_steps())
        # The import is committed and has succeeded, whether its tables can be optimised or not.
        with suppress(Unavailable):
            await self._optimize_tables(after, report, is_small=is_small)
        return after, report

    async def _optimize_tables(self, after: Datasource, report: ImportResult, *, is_small: bool) -> None:
        if not is_small:
            async with self._db.writing() as tx:
                await row_store.analyze(tx)
        if report.counts.updated + report.counts.deleted > BATCH_ROWS:
            await segment_compaction.compact(self._db, after)

    async def _import_in_one_transaction(self) -> tuple[Datasource, ImportResult]:
        async with self._db.writing() as tx:
            if await self._begin(tx):
                await row_store.undo_import(tx, self._datasource, MAX_ROWS)
            for batch in self._batches():
                await self._write_batch(tx, batch)
            self._diff.finish()
            for numbers in await self._diff.find_deleted(tx):
                await row_store.end_rows(tx, self._datasource, self._next_version, numbers)
            if self._diff.counts.inserted or self._diff.counts.updated:
                await segment_compaction.merge_last(tx, self._datasource, self._next_version)
            return await self._finish(tx)

    async def _import_in_steps(self) -> tuple[Datasource, ImportResult]:
        async with self._db.writing() as tx:
            must_undo = await self._begin(tx)
        try:
            return await self._run_steps(must_undo=must_undo)
        except BaseException:
            with suppress(Unavailable):
                await self._roll_back()
            raise

    async def _run_steps(self, *, must_undo: bool) -> tuple[Datasource, ImportResult]:
        if must_undo:
            await self._run_step(self._undo, repeat=True)
        batches = self._batches()
        while batch := await asyncio.to_thread(next, batches, None):
            await self._run_step(partial(self._write_batch, batch=batch))
        self._diff.finish()
        async with self._db.reading(long=True) as reading:
            deleted = await self._diff.find_deleted(reading)
        for numbers in deleted:
            end = partial(row_store.end_rows, datasource=self._datasource, until=self._next_version, numbers=numbers)
            await self._run_step(end)
        async with self._db.writing() as tx:
            # Before the lease, as in `_begin`, because opposite orders could deadlock.
            await account_lock.hold(tx, self._datasource.customer_id)
            await self._renew_lease(tx)
            return await self._finish(tx)

    async def _run_step(self, work: Callable[[WriteTransaction], Awaitable[object]], *, repeat: bool = False) -> None:
        """Run work in its own transaction; with `repeat`, until it returns a false value."""
        while True:
            async with self._db.writing() as tx:
                await self._renew_lease(tx)
                # In the same transaction as the lease: if another import has taken over, nothing is written.
                has_more = await work(tx)
            if not (repeat and has_more):
                return

    async def _undo(self, tx: WriteTransaction) -> int:
        return await row_store.undo_import(tx, self._datasource, BATCH_ROWS)

    @property
    def _next_version(self) -> int:
        return self._datasource.version + 1

    async def _begin(self, tx: WriteTransaction) -> bool:
        """Acquire the lease and reload the data source. Returns whether the rows of an interrupted import remain."""
        self._started, self._lease = tx.now(), tx.new_id("imp")
        scope = Scope(self._datasource.customer_id)
        # All changes take the account lock first. So two imports that claim the same name wait for each other, and
        # cannot deadlock.
        await account_lock.hold(tx, scope.customer_id)
        await self._reserve_identity(tx, scope)
        if self._datasource.version == 0:
            await store.reserve(tx, self._datasource)
        until = self._started + LEASE_MS
        leased = require(
            await store.acquire_lease(tx, scope, self._datasource.id, self._lease, self._started, until), DatasourceBusy
        )
        if self._plan.guard:
            await self._plan.guard(tx)
        now, must_undo = leased
        if now.version and (now.key_column, _fixed_columns(now)) != (self._read.key_column, _fixed_columns(self._read)):
            raise DatasourceBusy("The columns have just been changed by another request. Try again.")
        self._before = now
        self._prepare(replace(now, key_column=self._datasource.key_column, **self._identity))
        return must_undo

    async def _reserve_identity(self, tx: WriteTransaction, scope: Scope) -> None:
        if not self._identity:
            return
        new = self._datasource
        await store.free_abandoned(tx, scope, new.name, new.external_id, tx.now())
        await uniqueness.check_reserved(tx, scope, new.name, new.external_id, new.id)

    def _prepare(self, datasource: Datasource) -> None:
        self._datasource = datasource
        self._diff = RowDiff(datasource, self._plan.mode, self._checked.bad_count)
        if self._plan.mode is ImportMode.UPSERT:
            is_empty = datasource.row_count == 0
            self._columns = merge_columns(datasource.columns, self._checked, is_empty=is_empty)
        else:
            self._columns = self._checked.columns

    def _batches(self) -> Iterator[list[PreparedRow]]:
        return diff.prepare_batches(self._source, self._checked, self._columns, BATCH_ROWS)

    async def _renew_lease(self, tx: WriteTransaction) -> None:
        scope, until = Scope(self._datasource.customer_id), tx.now() + LEASE_MS
        if not await store.renew_lease(tx, scope, self._datasource.id, self._lease, until):
            raise DatasourceBusy("The import made no progress for too long, and another import has started.")

    async def _write_batch(self, tx: WriteTransaction, batch: list[PreparedRow]) -> None:
        ended, rows = await self._diff.compare_batch(tx, batch)
        if ended:
            await row_store.end_rows(tx, self._datasource, self._next_version, ended)
        if rows:
            first = (self._datasource.place << 32) + self._datasource.next_number
            await row_store.insert(tx, self._datasource, self._next_version, first, rows)
            self._datasource = replace(self._datasource, next_number=self._datasource.next_number + len(rows))

    async def _finish(self, tx: WriteTransaction) -> tuple[Datasource, ImportResult]:
        """Make the new version visible and release the lease."""
        # During a large import, another data source may have been given the name or the external id.
        await self._reserve_identity(tx, Scope(self._datasource.customer_id))
        now = await account_lock.next_timestamp(tx, self._datasource.customer_id)
        before = self._datasource
        after = self._result(before, now)
        if after is not before:
            await version_store.insert(tx, after)
            tx.record(Event(EventType.DATASOURCE_IMPORTED, before.customer_id, after))
        else:
            tx.audit(AuditNote(before.customer_id, "datasource.imported", before.id, before.name))
        await store.save_and_release(tx, after)
        await import_store.insert(tx, self._record(tx, ImportStatus.DONE, now, "", after.version))
        return after, self._report(after.version)

    def _result(self, before: Datasource, now: int) -> Datasource:
        """Return the data source after the import: `before` itself if the import changes nothing."""
        after = replace(before, columns=self._columns)
        if before.version and not self._diff.counts.has_changes and after == self._before:
            return before
        return replace(
            after,
            row_count=self._diff.row_count,
            version=before.version + 1,
            created=before.created or now,
            updated=now,
            revision=before.revision + 1,
        )

    def _report(self, version: int) -> ImportResult:
        return ImportResult(self._diff.counts, version, self._checked.bad, self._plan.dry_run)

    def _record(
        self, tx: WriteTransaction, status: ImportStatus, now: int, detail: str, version: int = 0
    ) -> ImportRecord:
        return ImportRecord(
            id=tx.new_id("imp"),
            customer_id=self._datasource.customer_id,
            datasource_id=self._datasource.id,
            source=self._plan.source,
            mode=self._plan.mode,
            status=status,
            counts=self._diff.counts if status is ImportStatus.DONE else ImportCounts(),
            version=version or self._datasource.version,
            bad=self._checked.bad[:_MAX_STORED_BAD_ROWS],
            detail=detail,
            by_kind=self._actor.kind,
            by_id=self._actor.id,
            started=self._started,
            created=now,
        )

    async def _roll_back(self) -> None:
        """Delete the rows written so far and release the lease."""
        # Another import has the lease now, and deletes these rows before its own.
        with suppress(DatasourceBusy):
            await self._run_step(self._undo, repeat=True)
            async with self._db.writing() as tx:
                await self._renew_lease(tx)
                await store.abandon(tx, self._datasource)


def _fixed_columns(datasource: Datasource) -> list[Column]:
    return [column for column in datasource.columns if column.fixed]
