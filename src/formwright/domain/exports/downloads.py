"""Downloads: one-time runs that people request on pages, and find there for an hour.

A download is for its user only. A worker writes its file with the permissions that the user has then. Whoever reads
what it contains checks that the user still may.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import msgspec

from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor, Scope
from formwright.core.blobs import BlobStore
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.core.errors import Unavailable
from formwright.core.work_kinds import WorkKind
from formwright.domain.exports import service, store
from formwright.domain.exports.execution import delete_run
from formwright.domain.exports.models import MAX_DOWNLOADS, Download, ExportRun, ExportState


async def start(tx: WriteTransaction, actor: Actor, download: Download, form_id: str | None = None) -> ExportRun:
    """Add a download, which a worker begins right after the commit, and return it.

    If the user has the same one in progress, return that one. Raises `Unavailable` if too many are in progress.
    """
    # With the account lock, the second request of a double click finds the download of the first one.
    now = await account_lock.next_timestamp(tx, actor.customer_id)
    known = await list_by_user(tx, actor, now)
    for run in known:
        if run.is_running and run.download and run.download.is_same(download):
            return run
    await _expire_oldest(tx, known)
    run = service.new_run(tx, actor.customer_id, "", form_id, now)
    caller = request_context.current_caller.get()
    download = msgspec.structs.replace(download, address=caller.address if caller else "")
    run = replace(run, user_id=actor.user_id, download=download)
    await store.insert_run(tx, run, due=0)
    tx.schedule(WorkKind.DOWNLOAD, run.customer_id, 0)
    return run


async def _expire_oldest(tx: WriteTransaction, known: Sequence[ExportRun]) -> None:
    """End failed downloads, and the oldest finished ones until there is room for another."""
    failed = [run for run in known if run.state is ExportState.FAILED]
    completed = [run for run in known if run.state is ExportState.COMPLETED]
    surplus = len(known) - len(failed) + 1 - MAX_DOWNLOADS
    if surplus > len(completed):
        raise Unavailable(
            f"You already have {MAX_DOWNLOADS} exports in progress. Wait for one to finish or cancel one."
        )
    for run in [*failed, *completed[len(completed) - max(surplus, 0) :]]:
        await store.expire_download(tx, run)


async def list_by_user(tx: ReadTransaction, actor: Actor, now: int) -> list[ExportRun]:
    """Return the downloads of the user, newest first."""
    return await store.list_downloads(tx, Scope(actor.customer_id), actor.user_id or "", now)


async def find(tx: ReadTransaction, actor: Actor, now: int, *, run_id: str) -> ExportRun | None:
    """Return a download; None if it belongs to someone else, has expired or does not exist."""
    return next((run for run in await list_by_user(tx, actor, now) if run.id == run_id), None)


async def remove(db: Database, files: BlobStore, run: ExportRun) -> None:
    """Remove a download and its file. If it is in progress, this cancels it."""
    async with db.writing() as tx:
        await store.expire_download(tx, run)
    # Otherwise, the cleanup deletes the file.
    with suppress(Unavailable):
        await delete_run(db, files, run)
