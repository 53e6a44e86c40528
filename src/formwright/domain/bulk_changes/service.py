"""Starting, continuing, stopping and undoing bulk changes."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from msgspec import UNSET

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.batching import in_batches
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.core.errors import DomainError, Invalid, require
from formwright.domain.bulk_changes import store
from formwright.domain.bulk_changes.models import (
    MAX_NOTE,
    MAX_TOTAL,
    RETENTION_MS,
    STEP_SIZE,
    UNCHANGED,
    UNDO_PERIOD_MS,
    UNDOABLE,
    BulkAction,
    BulkChange,
    BulkChangeNotFound,
    NewChange,
    Outcome,
    Progress,
    Target,
)
from formwright.domain.submissions import bulk
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import Submission, SubmissionFilter, SubmissionNotFound, SubmissionStatus
from formwright.domain.submissions.review import SubmissionEdit, find_revision

_REVIEWED = {BulkAction.APPROVE: SubmissionStatus.APPROVED, BulkAction.REJECT: SubmissionStatus.REJECTED}


async def start(tx: WriteTransaction, actor: Actor, new: NewChange) -> BulkChange:
    """Store a bulk change of the acting user, without doing any of its steps. Raises `Invalid`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    await _check(tx, actor, new)
    change = BulkChange(
        id=tx.new_id("blk"),
        customer_id=scope.customer_id,
        user_id=actor.user_id or "",
        action=new.action,
        is_stopped=False,
        note=new.note,
        assignee_id=new.assignee_id,
        undone_id=new.undone_id,
        origin=new.origin,
        total=len(new.targets),
        created=now,
        touched=now,
    )
    starts = range(0, len(new.targets), STEP_SIZE)
    await store.insert(tx, change, [new.targets[start : start + STEP_SIZE] for start in starts])
    return change


async def _check(tx: ReadTransaction, actor: Actor, new: NewChange) -> None:
    if not new.targets:
        raise Invalid.at("/targets", "value.required", "Select at least one submission.")
    if len(new.targets) > MAX_TOTAL:
        detail = f"Filter the list to at most {MAX_TOTAL:,} submissions."
        raise Invalid.at("/targets", "value.too_many", detail)
    if len(new.note) > MAX_NOTE:
        raise Invalid.at("/note", "value.too_long", f"Enter at most {MAX_NOTE:,} characters.")
    if new.action is BulkAction.ASSIGN:
        if not new.assignee_id:
            raise Invalid.at("/assigneeId", "value.required", "Choose a person.")
        await submissions.check_user(tx, actor, new.assignee_id)


async def list_targets(tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter) -> Sequence[Target]:
    """Return all submissions that match the filter, in its order; one more than allowed if there are too many."""
    found = await submissions.list_revisions(tx, actor, criteria, limit=MAX_TOTAL + 1)
    return [Target(submission_id, revision) for submission_id, revision in found]


def wait_before(change: BulkChange, now: int) -> int:
    """Return for how many milliseconds the steps must wait, so that somebody can undo a deletion."""
    return max(0, change.created + UNDO_PERIOD_MS - now) if change.action is BulkAction.DELETE else 0


async def run_step(tx: WriteTransaction, actor: Actor, *, change_id: str) -> bool:
    """Do the next step. Return whether further steps are left to do.

    The step and its outcome are committed together. Several processes may do steps of the same change: the account
    lock keeps them from doing one twice.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    change = await _get(tx, scope, actor, change_id)
    step = await store.next_step(tx, scope, change.id)
    if step is None or change.is_stopped or wait_before(change, tx.now()):
        return False
    number, targets = step
    changes = [await _to_change(tx, actor, change, target) for target in targets]
    results = await bulk.apply(tx, actor, changes)
    outcomes = [_to_outcome(target, result) for target, result in zip(targets, results, strict=True)]
    await store.save_outcomes(tx, change, number, outcomes, now)
    return True


async def _to_change(
    tx: ReadTransaction, actor: Actor, change: BulkChange, target: Target
) -> bulk.Change | DomainError:
    edit = SubmissionEdit(expected_revision=target.revision)
    match change.action:
        case BulkAction.DELETE:
            return bulk.Deletion(target.submission_id, target.revision)
        case BulkAction.ASSIGN:
            edit = replace(edit, user_id=change.assignee_id)
        case BulkAction.UNDO:
            earlier = await find_revision(tx, actor, submission_id=target.submission_id, revision=target.revision - 1)
            if earlier is None:
                return SubmissionNotFound()
            edit = replace(edit, status=earlier.status, note=earlier.note, user_id=earlier.user_id)
        case BulkAction.APPROVE | BulkAction.REJECT:
            edit = replace(edit, status=_REVIEWED[change.action], note=change.note or UNSET)
    return bulk.Edit(target.submission_id, edit)


def _to_outcome(target: Target, result: bulk.Outcome) -> Outcome:
    match result:
        case DomainError():
            return Outcome(target.submission_id, code=result.code, detail=str(result))
        case Submission():
            code = UNCHANGED if result.revision == target.revision else ""
            return Outcome(target.submission_id, result.revision, code)
    return Outcome(target.submission_id)


async def get(tx: ReadTransaction, actor: Actor, *, change_id: str) -> Progress:
    """Return a bulk change of the acting user and how far it is. Raises `BulkChangeNotFound`."""
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    change = await _get(tx, scope, actor, change_id)
    return Progress(
        change,
        await store.list_outcomes(tx, scope, change.id),
        await store.find_undo_id(tx, scope, change.user_id, change.id),
    )


async def load_start(tx: ReadTransaction, actor: Actor) -> tuple[int, Sequence[BulkChange]]:
    """Return from where a bulk change can start, and the acting user's bulk changes that have steps left, newest first.

    It starts at the account's last change (milliseconds): a list that is read afterwards shows everything up to then.
    """
    return await store.load_start(tx, allow(actor, Permission.SUBMISSIONS_READ), actor.user_id or "")


async def stop(tx: WriteTransaction, actor: Actor, *, change_id: str) -> BulkChange:
    """Do no further steps after the one that is being done."""
    return await _set_stopped(tx, actor, change_id, stopped=True)


async def resume(tx: WriteTransaction, actor: Actor, *, change_id: str) -> BulkChange:
    """Mark a change that was stopped or interrupted as running. The caller does its steps."""
    return await _set_stopped(tx, actor, change_id, stopped=False)


async def _set_stopped(tx: WriteTransaction, actor: Actor, change_id: str, *, stopped: bool) -> BulkChange:
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    change = await _get(tx, scope, actor, change_id)
    await store.set_stopped(tx, change, now, stopped=stopped)
    return change


async def undo(tx: WriteTransaction, actor: Actor, *, change_id: str) -> BulkChange:
    """Start the bulk change that undoes another, or return it if it was started before.

    It leaves submissions alone that somebody has changed since. A deletion is ended instead and returned: what is not
    deleted yet stays. Raises `BulkChangeNotFound` for undos, and for deletions that are finished.
    """
    scope, _ = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    change = await _get(tx, scope, actor, change_id)
    if known := await store.find_undo_id(tx, scope, change.user_id, change.id):
        return await _get(tx, scope, actor, known)
    if change.action is BulkAction.DELETE and await store.next_step(tx, scope, change.id):
        return await _end(tx, scope, change)
    if change.action not in UNDOABLE:
        raise BulkChangeNotFound()
    outcomes = await store.list_outcomes(tx, scope, change.id)
    targets = [Target(outcome.submission_id, outcome.revision) for outcome in outcomes if not outcome.code]
    await store.set_stopped(tx, change, tx.now(), stopped=True)
    return await start(tx, actor, NewChange(BulkAction.UNDO, targets, origin=change.origin, undone_id=change.id))


async def _end(tx: WriteTransaction, scope: Scope, change: BulkChange) -> BulkChange:
    """Do none of the steps that are left."""
    done = len(await store.list_outcomes(tx, scope, change.id))
    await store.remove_open_steps(tx, change, done)
    return replace(change, total=done)


async def _get(tx: ReadTransaction, scope: Scope, actor: Actor, change_id: str) -> BulkChange:
    return require(await store.find(tx, scope, actor.user_id or "", change_id), BulkChangeNotFound)


async def delete_expired(db: Database, now: int) -> None:
    """Delete the bulk changes of all accounts that were started more than a day ago."""
    await in_batches(db, partial(store.delete_expired, before=now - RETENTION_MS))
