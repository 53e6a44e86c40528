"""Saving and submitting a form that a person fills in."""

from typing import Any

import msgspec
from msgspec.structs import replace

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.events import Event, EventType
from formwright.domain.forms import service as forms
from formwright.domain.forms.answers import validation as answer_validation
from formwright.domain.forms.answers.validation import compile_version
from formwright.domain.forms.links import link_limits
from formwright.domain.forms.lookups import SeenVersions, find_lookups, validate_with_rows
from formwright.domain.forms.models import Form
from formwright.domain.submissions import attachments, lookup_snapshots, revision_store, store
from formwright.domain.submissions.models import (
    NO_ORIGIN,
    AlreadySubmitted,
    Submission,
    SubmissionOrigin,
    SubmissionStatus,
)
from formwright.domain.submissions.service import Answers, build_draft, find_device_time, to_json
from formwright.domain.submissions.text_search.document import build_text


def draft_answers(record: Submission | None, prefill: str) -> tuple[dict[str, Any], int]:
    """Return the answers and the revision of a draft. If there is no draft, return the prefilled answers and 0."""
    draft = record if record and record.status is SubmissionStatus.STARTED else None
    data: dict[str, Any] = msgspec.json.decode(draft.data if draft else prefill)
    return data, draft.revision if draft else 0


async def save_draft(
    tx: WriteTransaction,
    actor: Actor,
    *,
    form_id: str,
    version_id: str,
    client_id: str,
    data: Answers,
    origin: SubmissionOrigin = NO_ORIGIN,
) -> Submission:
    """Save the answers of a form that is being filled in; the first call creates the submission.

    A submission that was already submitted is returned unchanged.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_CREATE)
    form, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=version_id)
    if errors := answer_validation.find_unknown_answers(version, data):
        raise Invalid(errors)
    submission = await store.find_by_client_id(tx, scope, form_id, client_id)
    if origin.is_limited and (submission is None or submission.status is SubmissionStatus.STARTED):
        await link_limits.check_accepting(tx, form, tx.now())
    if submission is None:
        submission = _with_origin(build_draft(tx, scope, form_id, version_id, data, now, client_id), origin)
        await _insert_draft(tx, submission, form, await build_text(tx, compile_version(version), submission))
    elif submission.status is SubmissionStatus.STARTED:
        submission = _with_answers(submission, version_id, data, now)
        await store.update(tx, submission, search_text=await build_text(tx, compile_version(version), submission))
    else:
        return submission
    # The result is ignored: errors of attachments are reported on submission, and must not prevent saving the draft.
    await attachments.attach(tx, actor, version, submission_id=submission.id, data=data)
    return submission


async def find_rejected(tx: ReadTransaction, actor: Actor, *, form_id: str, client_id: str) -> Submission | None:
    """Return the submission with this client id if it was rejected, for the person who filled it in.

    Knowing the client id is the authorisation, because only their page has it.
    """
    submission = await store.find_by_client_id(tx, allow(actor, Permission.SUBMISSIONS_CREATE), form_id, client_id)
    rejected = submission is not None and submission.status is SubmissionStatus.REJECTED
    return submission if rejected else None


async def submit(
    tx: WriteTransaction,
    actor: Actor,
    *,
    form_id: str,
    version_id: str,
    client_id: str,
    data: Answers,
    seen_versions: SeenVersions | None = None,
    origin: SubmissionOrigin = NO_ORIGIN,
    device_time: str | None = None,
) -> tuple[Submission, bool]:
    """Submit a filled-in form. Returns the submission, and whether this call submitted it.

    If the form was already submitted with the same client id and the same answers, the existing submission is returned
    with False; with other answers, `AlreadySubmitted` is raised, because they would be lost silently. A rejected
    submission can be submitted again with other answers.

    Raises `Invalid` if the answers are invalid. Looked-up rows that have been deleted or filtered out, but whose
    versions are in `seen_versions`, are accepted: the form may have been filled in on a phone without a connection.
    For the same reason, rules see `device_time` as the current time, not the time at which the submission arrives.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_CREATE)
    form, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=version_id)
    device_time = await find_device_time(tx, actor, compile_version(version), device_time, tx.now())
    data, errors, known = await validate_with_rows(
        tx, actor, version, data, seen_versions=seen_versions, device_time=device_time
    )
    existing = await store.find_by_client_id(tx, scope, form_id, client_id)
    if existing and not _accepts_answers(existing, data):
        return _require_same_answers(existing, data, errors), False
    submission = existing or _with_origin(build_draft(tx, scope, form_id, version_id, data, now, client_id), origin)
    if origin.is_limited and submission.status is SubmissionStatus.STARTED:
        # A correction of a rejected submission has been counted already.
        await _admit(tx, form, submission, origin)
    rows = await find_lookups(tx, actor, version, data, seen_versions, known)
    accepted = existing.data if existing and existing.status is SubmissionStatus.REJECTED else None
    errors += await lookup_snapshots.filter_errors(tx, actor, version, data, rows, accepted)
    if errors := errors + await attachments.attach(tx, actor, version, submission_id=submission.id, data=data):
        raise Invalid(errors)
    if existing is None:
        await _insert_draft(tx, submission, form)
    elif existing.status is SubmissionStatus.REJECTED:
        await revision_store.copy_current(tx, scope, existing.id)
    submission = replace(
        _with_answers(submission, version_id, data, now),
        status=SubmissionStatus.SUBMITTED,
        submitted=now,
        lookups=lookup_snapshots.encode_snapshots(rows),
        note=None,
        updated_by=actor.author_id,
        device_time=device_time,
    )
    await store.update(tx, submission, search_text=await build_text(tx, compile_version(version), submission))
    tx.record(Event(EventType.SUBMISSION_SUBMITTED, scope.customer_id, submission))
    return submission, True


async def _admit(tx: WriteTransaction, form: Form, submission: Submission, origin: SubmissionOrigin) -> None:
    is_invited = submission.invite_id is not None
    await link_limits.admit_response(tx, form, submission_id=submission.id, is_invited=is_invited, device=origin.device)


def _require_same_answers(submission: Submission, data: Answers, errors: list[ValidationFault]) -> Submission:
    if errors:
        raise Invalid(errors)
    if not _has_answers(submission, data):
        raise AlreadySubmitted()
    return submission


def _accepts_answers(submission: Submission, data: Answers) -> bool:
    """Whether the submission accepts these answers: a draft, or a rejected submission with other answers than before.

    The answers that were rejected may arrive a second time, because a client repeats its request.
    """
    rejected = submission.status is SubmissionStatus.REJECTED
    return submission.status is SubmissionStatus.STARTED or (rejected and not _has_answers(submission, data))


def _has_answers(submission: Submission, data: Answers) -> bool:
    stored: Answers = msgspec.json.decode(submission.data)
    return stored == data


async def _insert_draft(
    tx: WriteTransaction, submission: Submission, form: Form, search_text: str | None = None
) -> None:
    await store.insert(tx, submission, published=form.published_version_id, search_text=search_text)
    tx.record(Event(EventType.SUBMISSION_STARTED, submission.customer_id, submission))


def _with_origin(submission: Submission, origin: SubmissionOrigin) -> Submission:
    return replace(submission, user_id=origin.user_id, task_id=origin.task_id, invite_id=origin.invite_id)


def _with_answers(submission: Submission, version_id: str, data: Answers, now: int) -> Submission:
    return replace(submission, version_id=version_id, data=to_json(data), updated=now, revision=submission.revision + 1)
