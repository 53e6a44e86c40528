"""Imports: every row or none.

The first pass looks at everything and writes nothing. The second writes the rows for the version that comes next, in
short transactions, so that a large import never keeps others from writing. The last transaction lets the datasource
be at that version: only then is anything seen, together, with its event. What is interrupted is never seen; the next
import takes it back.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, Rollback, WriteTransaction
from formwright.core.errors import Unavailable
from formwright.core.events import AuditNote
from formwright.domain.datasources import events, import_store, row_store, segment_compaction, store
from formwright.domain.datasources.imports import diff
from formwright.domain.datasources.imports.diff import BATCH_ROWS, PreparedRow, RowDiff
from formwright.domain.datasources.imports.row_sources import RowSource
from formwright.domain.datasources.imports.validation import CheckedRows, check_rows, merge_columns
from formwright.domain.datasources.limits import MAX_ROWS
from formwright.domain.datasources.models import (
    Column,
    Datasource,
    DatasourceBusy,
    DatasourceNameTaken,
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
"""How long an import may be silent before another may begin."""
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
) -> tuple[Datasource, ImportResult]:
    """Take rows in. `columns` are those of `incoming`, with the types that are fixed; `name` is another for it.

    Raises `Invalid` with every bad row, or `DatasourceBusy` while another import is under way; then nothing is changed.
    `of` may be new: it is there when the import is done.
    """
    allow(actor, Permission.DATASOURCES_EDIT)
    checked = await asyncio.to_thread(check_rows, source, tuple(columns), key_column)
    target = replace(datasource, key_column=key_column, name=datasource.name if name is None else name)
    work = _Import(db, actor, datasource, target, source, checked, plan)
    if checked.bad and not plan.skip_bad:
        await work.refuse()
    return await (work.try_only() if plan.dry_run else work.run())


class _Import:
    """One import under way. `read` is the datasource as it was before its rows were looked at, which takes long."""

    def __init__(
        self,
        db: Database,
        actor: Actor,
        read: Datasource,
        of: Datasource,
        incoming: RowSource,
        found: CheckedRows,
        plan: ImportPlan,
    ) -> None:
        self._db, self._actor, self._read, self._of, self._plan = db, actor, read, of, plan
        self._named = of.version == 0 or of.name != read.name
        self._incoming, self._found = incoming, found
        self._columns: tuple[Column, ...] = found.columns
        self._before = of
        self._sorting = RowDiff(of, plan.mode, found.bad_count)
        self._lease = ""
        self._started = 0

    async def refuse(self) -> None:
        """Say what is wrong with the rows, in the history too."""
        faults = [self._incoming.fault(row) for row in self._found.bad]
        count = self._found.bad_count
        words = f"{count:,} rows cannot be taken in, so none was: `errors` names them."
        error = InvalidRows(faults, words, self._found.bad[:_MAX_STORED_BAD_ROWS], count)
        # A pull that fails is written down together with its state.
        if self._of.version and self._plan.source is not ImportSource.PULL:
            with suppress(Rollback):
                await self._note_failed(str(error))
        raise error

    async def _note_failed(self, why: str) -> None:
        async with self._db.writing() as tx:
            self._started = tx.now()
            now = await account_lock.next_timestamp(tx, self._of.customer_id)
            await import_store.insert(tx, self._record(tx, ImportStatus.FAILED, now, why))
            if self._plan.dry_run:
                raise Rollback()

    async def try_only(self) -> tuple[Datasource, ImportResult]:
        """Count what would happen, and say what would be."""
        async with self._db.writing() as writing:
            # It writes nothing: it has the time, and whoever calls has conditions checked in it.
            now = writing.now()
        self._settle(self._of)
        if not self._of.row_count:
            self._sorting.counts.inserted = self._found.good
        async with self._db.reading(long=True) as tx:
            found = await store.find(tx, Scope(self._of.customer_id), self._of.id)
            self._before = replace(found, pull=self._of.pull) if found else self._of
            batches = self._batches() if self._of.row_count else iter(())
            while batch := await asyncio.to_thread(next, batches, None):
                await self._sorting.sort_out(tx, batch)
        self._sorting.end()
        after = self._result(self._of, now)
        return after, self._report(after.version)

    async def run(self) -> tuple[Datasource, ImportResult]:
        after, report = await (self._at_once() if self._found.good <= BATCH_ROWS else self._in_steps())
        if report.counts.updated + report.counts.deleted > BATCH_ROWS:
            await segment_compaction.compact(self._db, after)
        return after, report

    async def _at_once(self) -> tuple[Datasource, ImportResult]:
        async with self._db.writing() as tx:
            if await self._begin(tx):
                await row_store.undo_import(tx, self._of, MAX_ROWS)
            for batch in self._batches():
                await self._write(tx, batch)
            self._sorting.end()
            for gone in await self._sorting.deleted(tx):
                await row_store.end_rows(tx, self._of, self._next, gone)
            if self._sorting.counts.inserted or self._sorting.counts.updated:
                await segment_compaction.merge_last(tx, self._of, self._next)
            return await self._finish(tx)

    async def _in_steps(self) -> tuple[Datasource, ImportResult]:
        async with self._db.writing() as tx:
            left = await self._begin(tx)
        try:
            return await self._steps(left=left)
        except BaseException:
            with suppress(Unavailable):
                await self._give_up()
            raise

    async def _steps(self, *, left: bool) -> tuple[Datasource, ImportResult]:
        if left:
            await self._step(self._undo, again=True)
        batches = self._batches()
        while batch := await asyncio.to_thread(next, batches, None):
            await self._step(partial(self._write, batch=batch))
        self._sorting.end()
        async with self._db.reading(long=True) as reading:
            deleted = await self._sorting.deleted(reading)
        for gone in deleted:
            await self._step(partial(row_store.end_rows, datasource=self._of, until=self._next, numbers=gone))
        async with self._db.writing() as tx:
            await account_lock.hold(tx, self._of.customer_id)
            await self._hold(tx)
            result = await self._finish(tx)
        async with self._db.writing() as tx:
            await row_store.analyze(tx)
        return result

    async def _step(self, work: Callable[[WriteTransaction], Awaitable[object]], *, again: bool = False) -> None:
        """Do work in a transaction of its own; `again` until it answers that nothing was left to do."""
        while True:
            async with self._db.writing() as tx:
                await self._hold(tx)
                left = await work(tx)
            if not (again and left):
                return

    async def _undo(self, tx: WriteTransaction) -> int:
        return await row_store.undo_import(tx, self._of, BATCH_ROWS)

    @property
    def _next(self) -> int:
        return self._of.version + 1

    async def _begin(self, tx: WriteTransaction) -> bool:
        """Take the datasource for this import alone, as it is now; answers whether an earlier one never ended."""
        self._started, self._lease = tx.now(), tx.new_id("imp")
        scope = Scope(self._of.customer_id)
        # Before anything else, as every change: two who take one name wait for each other, and nobody for both.
        await account_lock.hold(tx, scope.customer_id)
        await self._take_name(tx, scope)
        if self._of.version == 0:
            await store.reserve(tx, self._of)
        taken = await store.acquire_lease(tx, scope, self._of.id, self._lease, self._started, self._started + LEASE_MS)
        if taken is None:
            raise DatasourceBusy()
        if self._plan.guard:
            await self._plan.guard(tx)
        now, left = taken
        if now.version and (now.key_column, _fixed_columns(now)) != (self._read.key_column, _fixed_columns(self._read)):
            raise DatasourceBusy("Its columns were changed at this moment. Try again.")
        self._before = now
        self._settle(replace(now, key_column=self._of.key_column, name=self._of.name if self._named else now.name))
        return left

    async def _take_name(self, tx: WriteTransaction, scope: Scope) -> None:
        if not self._named:
            return
        await store.free_abandoned_name(tx, scope, self._of.name, tx.now())
        if await store.is_name_reserved(tx, scope, self._of.name, self._of.id):
            raise DatasourceNameTaken()

    def _settle(self, of: Datasource) -> None:
        self._of = of
        self._sorting = RowDiff(of, self._plan.mode, self._found.bad_count)
        keep = self._plan.mode is ImportMode.UPSERT
        empty = of.row_count == 0
        self._columns = merge_columns(of.columns, self._found, empty=empty) if keep else self._found.columns

    def _batches(self) -> Iterator[list[PreparedRow]]:
        return diff.prepare_batches(self._incoming, self._found, self._columns, BATCH_ROWS)

    async def _hold(self, tx: WriteTransaction) -> None:
        """Go on only while the datasource is ours."""
        if not await store.renew_lease(tx, Scope(self._of.customer_id), self._of.id, self._lease, tx.now() + LEASE_MS):
            raise DatasourceBusy("The import took too long without a sign of life, and another one began.")

    async def _write(self, tx: WriteTransaction, batch: list[PreparedRow]) -> None:
        ended, rows = await self._sorting.sort_out(tx, batch)
        if ended:
            await row_store.end_rows(tx, self._of, self._next, ended)
        if rows:
            first = (self._of.place << 32) + self._of.next_number
            await row_store.insert(tx, self._of, self._next, first, rows)
            self._of = replace(self._of, next_number=self._of.next_number + len(rows))

    async def _finish(self, tx: WriteTransaction) -> tuple[Datasource, ImportResult]:
        """Let it be seen."""
        # Of a large import others have had their turn meanwhile, and may have taken the name.
        await self._take_name(tx, Scope(self._of.customer_id))
        now = await account_lock.next_timestamp(tx, self._of.customer_id)
        before = self._of
        after = self._result(before, now)
        if after is not before:
            tx.record(events.DatasourceImported(before.customer_id, after))
        else:
            tx.audit(AuditNote(before.customer_id, "datasource.imported", before.id, before.name))
        await store.save_and_release(tx, after)
        await import_store.insert(tx, self._record(tx, ImportStatus.DONE, now, "", after.version))
        return after, self._report(after.version)

    def _result(self, before: Datasource, now: int) -> Datasource:
        """The datasource with the rows; itself where they change nothing."""
        then = replace(before, columns=self._columns)
        if before.version and not self._sorting.counts.changed and then == self._before:
            return before
        return replace(
            then,
            row_count=self._sorting.row_count,
            version=before.version + 1,
            created=before.created or now,
            updated=now,
            revision=before.revision + 1,
        )

    def _report(self, version: int) -> ImportResult:
        return ImportResult(self._sorting.counts, version, self._found.bad, self._plan.dry_run)

    def _record(
        self, tx: WriteTransaction, status: ImportStatus, now: int, detail: str, version: int = 0
    ) -> ImportRecord:
        return ImportRecord(
            id=tx.new_id("imp"),
            customer_id=self._of.customer_id,
            datasource_id=self._of.id,
            source=self._plan.source,
            mode=self._plan.mode,
            status=status,
            counts=self._sorting.counts if status is ImportStatus.DONE else ImportCounts(),
            version=version or self._of.version,
            bad=self._found.bad[:_MAX_STORED_BAD_ROWS],
            detail=detail,
            by_kind=self._actor.kind,
            by_id=self._actor.id,
            started=self._started,
            created=now,
        )

    async def _give_up(self) -> None:
        """Take back what was written, and let others begin."""
        with suppress(DatasourceBusy):
            await self._step(self._undo, again=True)
            async with self._db.writing() as tx:
                await self._hold(tx)
                await store.abandon(tx, self._of)


def _fixed_columns(datasource: Datasource) -> list[Column]:
    return [column for column in datasource.columns if column.fixed]
