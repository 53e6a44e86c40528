"""How a submission changes once it was sent: corrected, approved, rejected, deleted. What it was before is kept."""

from dataclasses import dataclass

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from formwright.core import events as core_events
from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid
from formwright.core.pagination import Page, Window
from formwright.domain.files import service as files
from formwright.domain.forms import answer_validation, versions
from formwright.domain.forms.lookups import looked_up
from formwright.domain.submissions import (
    answer_index,
    attachments,
    events,
    lookup_snapshots,
    revision_store,
    service,
    store,
)
from formwright.domain.submissions.models import (
    ExternalIdTaken,
    Revision,
    Submission,
    SubmissionChanged,
    SubmissionNotFound,
    SubmissionNotSubmitted,
    SubmissionStatus,
)


@dataclass(frozen=True, slots=True)
class SubmissionEdit:
    """What changes of a submission; what is not set stays. `seen` is the revision that was looked at, if it matters."""

    data: dict[str, object] | UnsetType = UNSET
    status: SubmissionStatus | UnsetType = UNSET
    external_id: str | UnsetType | None = UNSET
    user_id: str | UnsetType | None = UNSET
    location: str | UnsetType | None = UNSET
    submitted: int | UnsetType = UNSET
    note: str | UnsetType | None = UNSET
    expected_revision: int | None = None


async def get_editable(tx: ReadTransaction, actor: Actor, *, submission_id: str) -> Submission:
    """A submission that the actor may change; `SubmissionNotSubmitted` while it is only begun."""
    record = await store.find(tx, allow(actor, Permission.SUBMISSIONS_EDIT), submission_id)
    if record is None:
        raise SubmissionNotFound()
    if record.status is SubmissionStatus.STARTED:
        raise SubmissionNotSubmitted()
    return record


async def edit(tx: WriteTransaction, actor: Actor, changes: SubmissionEdit, *, submission_id: str) -> Submission:
    """Correct or judge what was sent. Nothing new is no change. A note stays until the status changes."""
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    was = await store.find(tx, scope, submission_id)
    if was is None:
        raise SubmissionNotFound()
    if was.status is SubmissionStatus.STARTED:
        raise SubmissionNotSubmitted()
    if changes.expected_revision is not None and changes.expected_revision != was.revision:
        raise SubmissionChanged()
    other_id = changes.external_id if changes.external_id != was.external_id else None
    if other_id and await store.has_external_id(tx, scope, was.form_id, other_id):
        raise ExternalIdTaken()
    if changes.user_id and changes.user_id != was.user_id:
        await service.check_user(tx, actor, changes.user_id)
    now_is = await _with_answers(tx, actor, _with_properties(was, changes), changes)
    if now_is == was:
        return was
    changed = replace(now_is, updated=now, updated_by=actor.hand, revision=was.revision + 1)
    await revision_store.copy_current(tx, scope, was.id)
    await store.update(tx, changed)
    tx.record(events.SubmissionUpdated(scope.customer_id, changed, changed=core_events.changed(was, changed)))
    return changed


def _with_properties(was: Submission, changes: SubmissionEdit) -> Submission:
    status = was.status if changes.status is UNSET else changes.status
    said = was.note if status is was.status else None
    return replace(
        was,
        status=status,
        external_id=was.external_id if changes.external_id is UNSET else changes.external_id,
        user_id=was.user_id if changes.user_id is UNSET else changes.user_id,
        location=was.location if changes.location is UNSET else changes.location,
        submitted=was.submitted if changes.submitted is UNSET else changes.submitted,
        note=said if changes.note is UNSET else changes.note or None,
    )


async def _with_answers(
    tx: WriteTransaction, actor: Actor, submission: Submission, changes: SubmissionEdit
) -> Submission:
    """The answers checked against the version they were made with; the rows that they named before may be gone."""
    known = msgspec.json.decode(submission.data)
    if changes.data is UNSET or changes.data == known:
        return submission
    version = await versions.get(tx, actor, form_id=submission.form_id, version_id=submission.version_id)
    data, found = await answer_validation.judge(version, changes.data)
    if data == known and not found:
        # Sent without what is calculated, or in another order.
        return submission
    rows = await looked_up(tx, actor, version, data)
    found += lookup_snapshots.unknown_row_errors(version, rows, submission.lookups)
    found += await lookup_snapshots.filter_errors(tx, actor, version, data, rows, submission.data)
    purpose = Permission.SUBMISSIONS_EDIT
    found += await attachments.attach(tx, actor, version, submission_id=submission.id, data=data, purpose=purpose)
    if found:
        raise Invalid(found)
    kept = lookup_snapshots.encode_snapshots(rows, submission.lookups)
    return replace(submission, data=msgspec.json.encode(data).decode(), lookups=kept)


async def delete(
    tx: WriteTransaction, actor: Actor, *, submission_id: str, expected_revision: int | None = None
) -> None:
    """Take a submission away with its revisions and files. Of its answers the event log keeps what was told of it."""
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    await account_lock.next_timestamp(tx, scope.customer_id)
    submission = await store.find(tx, scope, submission_id)
    if submission is None:
        raise SubmissionNotFound()
    if expected_revision is not None and expected_revision != submission.revision:
        raise SubmissionChanged()
    await files.let_go(tx, actor, submission_id=submission_id)
    await _delete_rows(tx, scope, submission_id)
    tx.record(events.SubmissionDeleted(scope.customer_id, submission))


async def erase(tx: WriteTransaction, actor: Actor, *, submission_id: str) -> None:
    """Take a submission away with its revisions; nothing of it is told but that it is gone. Its files are others' care.

    The caller holds the account's order.
    """
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    submission = await store.find(tx, scope, submission_id)
    if submission is None:
        return
    await _delete_rows(tx, scope, submission_id)
    # Nor by which invite it came: what was deleted is looked for in the log by it.
    bare = replace(
        submission,
        data="{}",
        external_id=None,
        user_id=None,
        invite_id=None,
        location=None,
        lookups=None,
        note=None,
    )
    tx.record(events.SubmissionDeleted(scope.customer_id, bare))


async def _delete_rows(tx: WriteTransaction, scope: Scope, submission_id: str) -> None:
    await revision_store.delete_all(tx, scope, submission_id)
    await answer_index.remove_submission(tx, scope, submission_id=submission_id)
    await store.delete(tx, scope, submission_id)


async def list_revisions(tx: ReadTransaction, actor: Actor, window: Window, *, submission_id: str) -> Page[Revision]:
    """How it was since it was first sent, and how it is now at the end."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    if await store.find(tx, scope, submission_id) is None:
        raise SubmissionNotFound()
    return await revision_store.page(tx, scope, submission_id, window)
