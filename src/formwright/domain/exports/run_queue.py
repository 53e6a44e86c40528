"""How workers find due exports and claim their runs.

A worker claims a run with a lease that expires, and every write checks the token of the lease. So a run of a killed
worker is claimed again, and a worker that has lost its lease changes nothing.
"""

from dataclasses import dataclass, replace

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.customers import service as customers
from formwright.domain.exports import service, store
from formwright.domain.exports.delivery import run_folder
from formwright.domain.exports.events import ExportCompleted, ExportFailed
from formwright.domain.exports.models import DAY_MS, RETENTION_DAYS, Export, ExportRun, ExportState, RunFile

LEASE_MS = 60_000
"""How long a worker may go without renewing its lease before another one may claim the run."""
MAX_TRIES = 3
_MAX_DETAIL = 1000

find_next_due = store.find_next_due
find_due_accounts = store.find_due_accounts
list_expired = store.list_expired


@dataclass(frozen=True, slots=True)
class ClaimedRun:
    """A run that a worker has claimed, and its export."""

    export: Export
    run: ExportRun
    lease: str
    is_repeat: bool
    """Whether another worker has begun the run before."""


class RunLeaseLost(Exception):
    """The worker has lost the lease on its run, or the export was deleted."""


async def start_due(tx: WriteTransaction, customer_id: str, now: int) -> int:
    """Add a run for each export of the account that is due, and return how many exports were.

    An export that is due while it still runs is skipped, and so are the times that passed while no worker was running.
    """
    scope = Scope(customer_id)
    if not await store.list_due(tx, scope, now):
        return 0
    stamp = await account_lock.next_timestamp(tx, customer_id)
    due = await store.list_due(tx, scope, now)
    zone = (await customers.get(tx, actors.system(customer_id))).time_zone
    for export in due:
        schedule = export.settings.schedule
        await store.set_due(tx, export, schedule.next_time(now, zone) if schedule else None)
        if not await store.find_active_run(tx, scope, export.id):
            await service.begin_run(tx, export, stamp)
    return len(due)


async def claim(tx: WriteTransaction, customer_id: str, now: int) -> ClaimedRun | None:
    """Claim the run of the account that has been due for longest; None if there is none.

    A run that has been interrupted too often fails instead.
    """
    scope = Scope(customer_id)
    if await store.lock_due_run(tx, scope, now) is None:
        return None
    # With the account lock, everything that changed before this time has been committed.
    stamp = await account_lock.next_timestamp(tx, customer_id)
    locked = await store.lock_due_run(tx, scope, now)
    # Also if its form is in the trash: then the run fails and says so.
    export = await store.find(tx, Scope(customer_id, with_deleted=True), locked[0].export_id) if locked else None
    if locked is None or export is None:
        return None
    run, tries = locked
    if run.state is ExportState.WAITING:
        run = replace(run, state=ExportState.RUNNING, started=now, through=stamp)
    # Also when it is repeated: the export may have been changed since, and has no `since` then.
    run = replace(run, since=export.through if export.settings.incremental else None)
    destination = export.settings.destination
    location = destination.location(customer_id, run_folder(run)) if destination else None
    run = replace(run, location=location, updated=stamp, revision=run.revision + 1)
    claimed = ClaimedRun(export, run, crypto.new_secret(""), is_repeat=tries > 0)
    await store.claim(tx, claimed.run, claimed.lease, now + LEASE_MS)
    if tries >= MAX_TRIES:
        await fail(tx, claimed, "The server was stopped each time while this export was running.", now)
        return None
    return claimed


async def renew_lease(tx: WriteTransaction, claimed: ClaimedRun, now: int, rows: int) -> bool:
    """Extend the lease and save the number of submissions so far; return False if the worker has lost the lease."""
    return await store.renew_lease(tx, claimed.run, claimed.lease, now + LEASE_MS, rows)


async def complete(tx: WriteTransaction, claimed: ClaimedRun, files: list[RunFile], now: int) -> ExportRun:
    """Save that the files of a run are stored. Raises `RunLeaseLost`."""
    rows = files[-1].rows
    changed = replace(claimed.run, state=ExportState.COMPLETED, files=files, rows=rows)
    run = await _finish(tx, claimed, replace(changed, expires=now + RETENTION_DAYS * DAY_MS), now)
    export = await store.find(tx, Scope(run.customer_id, with_deleted=True), run.export_id)
    if export and export.coverage == claimed.export.coverage:
        await store.set_through(tx, run)
    tx.record(ExportCompleted(run.customer_id, run))
    return run


async def fail(tx: WriteTransaction, claimed: ClaimedRun, detail: str, now: int) -> ExportRun:
    """Save why a run failed. Raises `RunLeaseLost`."""
    run = await _finish(tx, claimed, replace(claimed.run, state=ExportState.FAILED, detail=detail[:_MAX_DETAIL]), now)
    tx.record(ExportFailed(run.customer_id, run))
    return run


async def _finish(tx: WriteTransaction, claimed: ClaimedRun, changed: ExportRun, now: int) -> ExportRun:
    stamp = await account_lock.next_timestamp(tx, changed.customer_id)
    run = replace(changed, ended=now, updated=stamp, revision=changed.revision + 1)
    if not await store.finish(tx, run, claimed.lease):
        raise RunLeaseLost()
    return run


async def is_deleted(tx: ReadTransaction, claimed: ClaimedRun) -> bool:
    """Whether the export of a run was deleted."""
    scope = Scope(claimed.export.customer_id, with_deleted=True)
    return await store.find(tx, scope, claimed.export.id) is None


async def forget_files(tx: WriteTransaction, run: ExportRun) -> None:
    """Save that the files of a run were deleted."""
    await store.forget_files(tx, run)
