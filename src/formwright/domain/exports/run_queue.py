"""How workers find due exports and claim their runs.

A worker claims a run with a lease that expires, and every write checks the token of the lease. So a run of a killed
worker is claimed again, and a worker that has lost its lease changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.events import Event, EventType
from formwright.domain.customers import service as customers
from formwright.domain.exports import service, store
from formwright.domain.exports.delivery import run_folder
from formwright.domain.exports.models import (
    DAY_MS,
    DOWNLOAD_RETENTION_MS,
    RETENTION_DAYS,
    Export,
    ExportRun,
    ExportState,
    Progress,
    RunFile,
)

LEASE_MS = 60_000
"""How long a worker may go without renewing its lease before another one may claim the run."""
DOWNLOAD_LEASE_MS = 15_000
"""Shorter, because somebody waits for the file."""
MAX_TRIES = 3
_MAX_DETAIL = 1000
_STOPPED = "The server was stopped each time while this export was running."

find_next_due = store.find_next_due
find_due_accounts = store.find_due_accounts
list_expired = store.list_expired
find_next_download = store.find_next_download
find_accounts_with_downloads = store.find_accounts_with_downloads


@dataclass(frozen=True, slots=True)
class ClaimedRun:
    """A run that a worker has claimed."""

    run: ExportRun
    lease: str
    tries: int
    """How often the run has begun before."""

    @property
    def is_repeat(self) -> bool:
        """Whether another worker has begun the run before."""
        return self.tries > 0


@dataclass(frozen=True, slots=True)
class ClaimedExport(ClaimedRun):
    """A run of an export that a worker has claimed."""

    export: Export


class RunLeaseLost(Exception):
    """The worker has lost the lease on its run, or the export was deleted."""


async def start_due(tx: WriteTransaction, customer_id: str, now: int) -> int:
    """Add a run for each export of the account that is due, and return how many exports were.

    An export that is due while it still runs is skipped, and so are the times that passed while no worker was running.
    """
    scope = Scope(customer_id)
    # Checked before taking the account lock, for which other changes would wait, and again with it.
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


async def claim(tx: WriteTransaction, customer_id: str, now: int) -> ClaimedExport | None:
    """Claim the run of the account that has been due for longest; None if there is none.

    A run that has been interrupted too often fails instead.
    """
    scope = Scope(customer_id)
    due = await store.find_next_due(tx, customer_id)
    if due is None or due > now:
        return None
    # With the account lock, everything that changed before this time has been committed. Before the row is locked, as
    # in all changes of exports: two transactions that lock them in another order wait for each other.
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
    claimed = ClaimedExport(run, crypto.new_secret(""), tries, export)
    await store.claim(tx, claimed.run, claimed.lease, now + LEASE_MS)
    if tries >= MAX_TRIES:
        await fail(tx, claimed, _STOPPED, now)
        return None
    return claimed


async def claim_download(tx: WriteTransaction, customer_id: str, now: int) -> ClaimedRun | None:
    """Claim the download of the account that has been due for longest; None if there is none, as in `claim`."""
    locked = await store.lock_due_download(tx, Scope(customer_id), now)
    if locked is None:
        return None
    run, tries = locked
    run = replace(run, state=ExportState.RUNNING, started=run.started or now, updated=now)
    claimed = ClaimedRun(run, crypto.new_secret(""), tries)
    await store.claim(tx, run, claimed.lease, now + DOWNLOAD_LEASE_MS)
    if tries >= MAX_TRIES:
        await end_download(tx, claimed, now, run.rows, detail=_STOPPED)
        return None
    return claimed


async def end_download(
    tx: WriteTransaction, claimed: ClaimedRun, now: int, rows: int, files: Sequence[RunFile] = (), detail: str = ""
) -> None:
    """Save the file of a download, or in `detail` why it failed. Raises `RunLeaseLost`."""
    download = claimed.run.download
    if download and download.is_about_person:
        # Nothing keeps the name of somebody who was erased.
        download = structs.replace(download, query="", address="")
    changed = replace(
        claimed.run,
        download=download,
        state=ExportState.FAILED if detail else ExportState.COMPLETED,
        rows=rows,
        files=files,
        detail=detail[:_MAX_DETAIL],
        ended=now,
        expires=now + DOWNLOAD_RETENTION_MS,
        updated=now,
    )
    if not await store.finish(tx, changed, claimed.lease):
        raise RunLeaseLost()


async def renew_lease(tx: WriteTransaction, claimed: ClaimedRun, now: int, progress: Progress) -> bool:
    """Extend the lease and save the progress; return False if the worker has lost the lease."""
    run = replace(claimed.run, rows=progress.rows)
    if run.download and progress.has_read_all:
        run = replace(run, through=now)
    lease_ms = DOWNLOAD_LEASE_MS if run.download else LEASE_MS
    return await store.renew_lease(tx, run, claimed.lease, now + lease_ms)


async def complete(tx: WriteTransaction, claimed: ClaimedExport, files: list[RunFile], now: int) -> ExportRun:
    """Save that the files of a run are stored. Raises `RunLeaseLost`."""
    rows = files[-1].rows
    changed = replace(claimed.run, state=ExportState.COMPLETED, files=files, rows=rows)
    run = await _finish(tx, claimed, replace(changed, expires=now + RETENTION_DAYS * DAY_MS), now)
    export = await store.find(tx, Scope(run.customer_id, with_deleted=True), run.export_id)
    # If the form or the view was changed during the run, the next run has all submissions again.
    if export and export.coverage == claimed.export.coverage:
        await store.set_through(tx, run)
    tx.record(Event(EventType.EXPORT_COMPLETED, run.customer_id, run))
    return run


async def fail(tx: WriteTransaction, claimed: ClaimedRun, detail: str, now: int) -> ExportRun:
    """Save why a run failed. Raises `RunLeaseLost`."""
    run = await _finish(tx, claimed, replace(claimed.run, state=ExportState.FAILED, detail=detail[:_MAX_DETAIL]), now)
    tx.record(Event(EventType.EXPORT_FAILED, run.customer_id, run))
    return run


async def _finish(tx: WriteTransaction, claimed: ClaimedRun, changed: ExportRun, now: int) -> ExportRun:
    stamp = await account_lock.next_timestamp(tx, changed.customer_id)
    run = replace(changed, ended=now, updated=stamp, revision=changed.revision + 1)
    if not await store.finish(tx, run, claimed.lease):
        raise RunLeaseLost()
    return run


async def is_deleted(tx: ReadTransaction, run: ExportRun) -> bool:
    """Whether the export of a run was deleted, or the download."""
    scope = Scope(run.customer_id, with_deleted=True)
    if run.download is None:
        return await store.find(tx, scope, run.export_id) is None
    found = await store.find_run(tx, scope, run.id)
    return found is None or found.expires == 0


async def forget_files(tx: WriteTransaction, run: ExportRun) -> None:
    """Save that the files of a run were deleted."""
    await store.forget_files(tx, run)
