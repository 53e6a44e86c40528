"""Editing, approving, rejecting and deleting submissions. The previous state is stored as a revision."""

from dataclasses import dataclass

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid
from formwright.core.events import Event, EventType, changed_properties
from formwright.core.pagination import Page, Window
from formwright.domain.files import service as files
from formwright.domain.forms import versions
from formwright.domain.forms.answers import validation as answer_validation
from formwright.domain.forms.links import link_limits
from formwright.domain.forms.lookups import find_lookups, validate_with_rows
from formwright.domain.submissions import (
    answer_index_store,
    attachments,
    comment_store,
    lookup_snapshots,
    return_link_store,
    revision_store,
    service,
    store,
)
from formwright.domain.submissions.models import (
    Revision,
    Submission,
    SubmissionChanged,
    SubmissionNotSubmitted,
    SubmissionStatus,
)
from formwright.domain.submissions.text_search.document import build_text


@dataclass(frozen=True, slots=True)
class SubmissionEdit:
    """The properties of a submission to change; UNSET leaves a property as it is.

    With `expected_revision`, the edit fails if the submission has another revision.
    """

    data: dict[str, object] | UnsetType = UNSET
    status: SubmissionStatus | UnsetType = UNSET
    external_id: str | UnsetType | None = UNSET
    user_id: str | UnsetType | None = UNSET
    location: str | UnsetType | None = UNSET
    submitted: int | UnsetType = UNSET
    note: str | UnsetType | None = UNSET
    expected_revision: int | None = None


async def get_editable(tx: ReadTransaction, actor: Actor, *, submission_id: str) -> Submission:
    """Return a submission to edit; raises `SubmissionNotFound` or, for a draft, `SubmissionNotSubmitted`."""
    record = await service.get(tx, actor, submission_id=submission_id, permission=Permission.SUBMISSIONS_EDIT)
    if record.status is SubmissionStatus.STARTED:
        raise SubmissionNotSubmitted()
    return record


async def edit(tx: WriteTransaction, actor: Actor, changes: SubmissionEdit, *, submission_id: str) -> Submission:
    """Edit, approve or reject a submission. If nothing changes, no revision is created.

    The note is removed when the status changes, unless the edit sets a new one. Raises `SubmissionNotFound`,
    `SubmissionNotSubmitted`, `SubmissionChanged`, `ExternalIdTaken` or `Invalid`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    previous = await get_editable(tx, actor, submission_id=submission_id)
    if changes.expected_revision is not None and changes.expected_revision != previous.revision:
        raise SubmissionChanged()
    other_id = changes.external_id if changes.external_id != previous.external_id else None
    if other_id:
        await service.check_external_id(tx, scope, previous.form_id, other_id)
    if changes.user_id and changes.user_id != previous.user_id:
        await service.check_user(tx, actor, changes.user_id)
    edited = await _with_answers(tx, actor, _with_properties(previous, changes), changes)
    if edited == previous:
        return previous
    changed = replace(edited, updated=now, updated_by=actor.author_id, revision=previous.revision + 1)
    await revision_store.copy_current(tx, scope, previous.id)
    version = await versions.get(tx, actor, form_id=changed.form_id, version_id=changed.version_id)
    text = await build_text(tx, answer_validation.compile_version(version), changed)
    await store.update(tx, changed, search_text=text)
    tx.record(
        Event(
            EventType.SUBMISSION_UPDATED,
            scope.customer_id,
            changed,
            changed=changed_properties(previous, changed),
        )
    )
    return changed


def _with_properties(previous: Submission, changes: SubmissionEdit) -> Submission:
    status = previous.status if changes.status is UNSET else changes.status
    note = previous.note if status is previous.status else None
    return replace(
        previous,
        status=status,
        external_id=previous.external_id if changes.external_id is UNSET else changes.external_id,
        user_id=previous.user_id if changes.user_id is UNSET else changes.user_id,
        location=previous.location if changes.location is UNSET else changes.location,
        submitted=previous.submitted if changes.submitted is UNSET else changes.submitted,
        note=note if changes.note is UNSET else changes.note or None,
    )


async def _with_answers(
    tx: WriteTransaction, actor: Actor, submission: Submission, changes: SubmissionEdit
) -> Submission:
    """Return the submission with the new answers, validated against the version they were given for.

    Lookups may keep rows that have been deleted from the data source since.
    """
    stored = msgspec.json.decode(submission.data)
    if changes.data is UNSET or changes.data == stored:
        return submission
    version = await versions.get(tx, actor, form_id=submission.form_id, version_id=submission.version_id)
    # As when it was submitted: a correction must not change somebody's age.
    seen = await service.find_device_time(
        tx, actor, answer_validation.compile_version(version), submission.device_time, submission.at
    )
    data, errors, known = await validate_with_rows(tx, actor, version, changes.data, device_time=seen)
    if data == stored and not errors:
        # The answers came without the calculated ones, or in another order.
        return submission
    rows = await find_lookups(tx, actor, version, data, known=known)
    errors += lookup_snapshots.unknown_row_errors(version, rows, submission.lookups)
    errors += await lookup_snapshots.filter_errors(tx, actor, version, data, rows, submission.data)
    purpose = Permission.SUBMISSIONS_EDIT
    errors += await attachments.attach(tx, actor, version, submission_id=submission.id, data=data, purpose=purpose)
    if errors:
        raise Invalid(errors)
    snapshots = lookup_snapshots.encode_snapshots(rows, submission.lookups)
    return replace(submission, data=msgspec.json.encode(data).decode(), lookups=snapshots)


async def delete(
    tx: WriteTransaction, actor: Actor, *, submission_id: str, expected_revision: int | None = None
) -> None:
    """Delete a submission with its revisions and files. The event log keeps the answers in past events."""
    scope, _ = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    submission = await service.get(tx, actor, submission_id=submission_id, permission=Permission.SUBMISSIONS_EDIT)
    if expected_revision is not None and expected_revision != submission.revision:
        raise SubmissionChanged()
    await files.release(tx, actor, submission_id=submission_id)
    await _delete_rows(tx, scope, submission)
    tx.record(Event(EventType.SUBMISSION_DELETED, scope.customer_id, submission))


async def erase(tx: WriteTransaction, actor: Actor, *, submission_id: str) -> None:
    """Delete a submission with its revisions; its event contains no personal data. The caller takes care of its files.

    The caller holds the account lock. Does nothing if the submission does not exist.
    """
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    submission = await store.find(tx, scope, submission_id)
    if submission is None:
        return
    await _delete_rows(tx, scope, submission)
    # The invite is removed, too: erasure searches the event log for deleted submissions by their invite.
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
    tx.record(Event(EventType.SUBMISSION_DELETED, scope.customer_id, bare))


async def _delete_rows(tx: WriteTransaction, scope: Scope, submission: Submission) -> None:
    await revision_store.delete_all(tx, scope, submission.id)
    await comment_store.delete_all(tx, scope, submission.id)
    await answer_index_store.delete_entries(tx, scope, [submission.id])
    await store.delete(tx, scope, submission.id)
    if submission.client_id is not None:
        await return_link_store.delete_all(tx, scope, submission.id)
        is_counted = submission.task_id is None and submission.status is not SubmissionStatus.STARTED
        await link_limits.release_response(
            tx, scope.customer_id, form_id=submission.form_id, submission_id=submission.id, is_counted=is_counted
        )


async def list_revisions(tx: ReadTransaction, actor: Actor, window: Window, *, submission_id: str) -> Page[Revision]:
    """Return a page of a submission's revisions, oldest first; the last one is the current state."""
    await service.get(tx, actor, submission_id=submission_id)
    return await revision_store.page(tx, allow(actor, Permission.SUBMISSIONS_READ), submission_id, window)


async def find_revision(tx: ReadTransaction, actor: Actor, *, submission_id: str, revision: int) -> Revision | None:
    """Return an earlier revision of a submission; None if there is none with this number."""
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    return await revision_store.find(tx, scope, submission_id, revision)
