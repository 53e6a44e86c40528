"""The verbs of submissions."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.pagination import Page, RenderedPage, Window
from formwright.domain.forms import answer_validation
from formwright.domain.forms import service as forms
from formwright.domain.forms.lookups import Seen, looked_up, unknown
from formwright.domain.forms.models import Form
from formwright.domain.submissions import attachments, events, lookup_snapshots, revision_store, store
from formwright.domain.submissions.models import (
    NO_ORIGIN,
    AlreadySubmitted,
    ExternalIdTaken,
    Submission,
    SubmissionFilter,
    SubmissionImport,
    SubmissionNotFound,
    SubmissionOrigin,
    SubmissionStatus,
)
from formwright.domain.users import service as people
from formwright.domain.users.models import UserNotFound

Answers = dict[str, object]


async def get(tx: ReadTransaction, actor: Actor, *, submission_id: str) -> Submission:
    """One submission of the account."""
    submission = await store.find(tx, allow(actor, Permission.SUBMISSIONS_READ), submission_id)
    if submission is None:
        raise SubmissionNotFound()
    return submission


async def get_rendered(tx: ReadTransaction, actor: Actor, *, submission_id: str) -> bytes:
    """The same, as the API shows it."""
    found = await store.find_rendered(tx, allow(actor, Permission.SUBMISSIONS_READ), submission_id)
    if found is None:
        raise SubmissionNotFound()
    return found


async def find_by_client_id(tx: ReadTransaction, scope: Scope, *, form_id: str, client_id: str) -> Submission | None:
    """The submission that was begun under this id, for rooms that gave the id."""
    return await store.find_by_client_id(tx, scope, form_id, client_id)


def draft_answers(record: Submission | None, prefill: str) -> tuple[dict[str, Any], int]:
    """What an unfinished submission holds, and its revision; without one what was given beforehand, and 0."""
    unfinished = record if record and record.status is SubmissionStatus.STARTED else None
    data: dict[str, Any] = msgspec.json.decode(unfinished.data if unfinished else prefill)
    return data, unfinished.revision if unfinished else 0


async def find(tx: ReadTransaction, scope: Scope, submission_id: str) -> Submission | None:
    """The submission, where there is one in the scope; for rooms that lead to it themselves."""
    return await store.find(tx, scope, submission_id)


async def page(tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, window: Window) -> Page[Submission]:
    """The account's submissions that fit the filter, in the filter's order."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return Page([], None) if criteria.matches_nothing else await store.page(tx, scope, criteria, window)


async def rendered_page(tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, window: Window) -> RenderedPage:
    """The same, as the API shows them."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return (
        RenderedPage(b"", None) if criteria.matches_nothing else await store.rendered_page(tx, scope, criteria, window)
    )


async def page_before(
    tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, window: Window
) -> Page[Submission]:
    """The page that ends just before a place, in the filter's order; `next` is where the one before it ends."""
    back = await page(tx, actor, criteria.reversed, window)
    return Page(back.items[::-1], back.next)


async def count(tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, *, limit: int) -> int:
    """How many there are, but not beyond `most`: to count a million takes longer than to read a page of them."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return 0 if criteria.matches_nothing else await store.count(tx, scope, criteria, limit)


async def count_by_form(tx: ReadTransaction, actor: Actor, form_ids: Sequence[str], *, limit: int) -> dict[str, int]:
    """How many submissions each of these forms has, by its id, and not beyond `most`."""
    return {form_id: await count(tx, actor, SubmissionFilter(form_ids=[form_id]), limit=limit) for form_id in form_ids}


async def count_answered(
    tx: ReadTransaction, actor: Actor, *, form_id: str, field: str | None, repeat: str | None = None
) -> int:
    """How many submissions of a form hold an answer to a field; inside a repeat: in any of its rows."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    if field is None:
        return 0
    if repeat is not None:
        return await store.count_answered_in_rows(tx, scope, form_id, repeat, field)
    return await store.count_answered(tx, scope, form_id, field)


async def import_submission(
    tx: WriteTransaction, actor: Actor, *, form_id: str, payload: SubmissionImport
) -> Submission:
    """A submission that a system hands in, whole, for the published version. The rows it names have to be there."""
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    form, version = await forms.to_answer(tx, actor, form_id=form_id)
    data, found = await answer_validation.judge(version, payload.data)
    rows = await looked_up(tx, actor, version, data)
    found += unknown(version, rows)
    found += await lookup_snapshots.filter_errors(tx, actor, version, data, rows, None)
    if payload.user_id:
        await check_user(tx, actor, payload.user_id)
    if payload.external_id and await store.has_external_id(tx, scope, form.id, payload.external_id):
        raise ExternalIdTaken()
    submitted = now if payload.submitted_at is None else payload.submitted_at
    submission = replace(
        _build_draft(tx, scope, form.id, version.id, data, now),
        status=SubmissionStatus.SUBMITTED,
        external_id=payload.external_id,
        user_id=payload.user_id,
        location=payload.location,
        lookups=lookup_snapshots.encode_snapshots(rows),
        started=submitted,
        submitted=submitted,
        updated_by=actor.hand,
    )
    if found := found + await attachments.attach(tx, actor, version, submission_id=submission.id, data=data):
        raise Invalid(found)
    await store.insert(tx, submission, published=version.id)
    tx.record(events.SubmissionSubmitted(scope.customer_id, submission))
    return submission


async def check_user(tx: ReadTransaction, actor: Actor, user_id: str) -> None:
    """`Invalid` for an id that names nobody of the account."""
    try:
        await people.get(tx, actor, user_id=user_id)
    except UserNotFound as error:
        raise Invalid.at("/userId", error.code, error.detail) from None


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
    """Keep the unfinished answers of somebody who is filling a form. The first save begins the submission.

    What was submitted already is left as it is and answered.
    """
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    form, version = await forms.to_answer(tx, actor, form_id=form_id, version_id=version_id)
    if found := answer_validation.unknown(version, data):
        raise Invalid(found)
    submission = await store.find_by_client_id(tx, scope, form_id, client_id)
    if submission is None:
        submission = _with_origin(_build_draft(tx, scope, form_id, version_id, data, now, client_id), origin)
        await _insert_draft(tx, submission, form)
    elif submission.status is SubmissionStatus.STARTED:
        submission = _with_answers(submission, version_id, data, now)
        await store.update(tx, submission)
    else:
        return submission
    # What cannot be attached is told when the form is sent; here the rest has to be kept.
    await attachments.attach(tx, actor, version, submission_id=submission.id, data=data)
    return submission


async def find_rejected(tx: ReadTransaction, actor: Actor, *, form_id: str, client_id: str) -> Submission | None:
    """What was rejected, for who filled it in: she knows the id that her page gave it, as nobody else does."""
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
    seen: Seen | None = None,
    origin: SubmissionOrigin = NO_ORIGIN,
) -> tuple[Submission, bool]:
    """Take in a filled form. Sent again with the same client id it is the same submission, and False says so.

    What was rejected may come again with other answers, and then stands as sent anew.

    A row that is gone since it was `seen`, or that the filter offers no more, is no reason to refuse: it may come from
    a phone that was away.
    `SubmittedAlready` when it comes again with other answers: they would be lost without a word.
    """
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    form, version = await forms.to_answer(tx, actor, form_id=form_id, version_id=version_id)
    data, errors = await answer_validation.judge(version, data)
    existing = await store.find_by_client_id(tx, scope, form_id, client_id)
    if existing and not _accepts_answers(existing, data):
        return _require_same_answers(existing, data, errors), False
    submission = existing or _with_origin(_build_draft(tx, scope, form_id, version_id, data, now, client_id), origin)
    rows = await looked_up(tx, actor, version, data, seen)
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
        updated_by=actor.hand,
    )
    await store.update(tx, submission)
    tx.record(events.SubmissionSubmitted(scope.customer_id, submission))
    return submission, True


def _require_same_answers(submission: Submission, data: Answers, errors: list[ValidationFault]) -> Submission:
    if errors:
        raise Invalid(errors)
    if not _has_answers(submission, data):
        raise AlreadySubmitted()
    return submission


def _accepts_answers(submission: Submission, data: Answers) -> bool:
    """Whether answers are awaited. What was sent before it was rejected may arrive a second time, and is no new one."""
    rejected = submission.status is SubmissionStatus.REJECTED
    return submission.status is SubmissionStatus.STARTED or (rejected and not _has_answers(submission, data))


def _has_answers(submission: Submission, data: Answers) -> bool:
    known: Answers = msgspec.json.decode(submission.data)
    return known == data


async def _insert_draft(tx: WriteTransaction, submission: Submission, form: Form) -> None:
    await store.insert(tx, submission, published=form.published_version_id)
    tx.record(events.SubmissionStarted(submission.customer_id, submission))


def _build_draft(
    tx: WriteTransaction,
    scope: Scope,
    form_id: str,
    version_id: str,
    data: Answers,
    now: int,
    client_id: str | None = None,
) -> Submission:
    return Submission(
        id=tx.new_id("sub"),
        customer_id=scope.customer_id,
        form_id=form_id,
        version_id=version_id,
        status=SubmissionStatus.STARTED,
        data=_to_json(data),
        external_id=None,
        user_id=None,
        task_id=None,
        client_id=client_id,
        location=None,
        lookups=None,
        started=now,
        submitted=None,
        created=now,
        updated=now,
        revision=1,
    )


def _with_origin(submission: Submission, origin: SubmissionOrigin) -> Submission:
    return replace(submission, user_id=origin.user_id, task_id=origin.task_id, invite_id=origin.invite_id)


def _with_answers(submission: Submission, version_id: str, data: Answers, now: int) -> Submission:
    return replace(
        submission, version_id=version_id, data=_to_json(data), updated=now, revision=submission.revision + 1
    )


def _to_json(data: Answers) -> str:
    return msgspec.json.encode(data).decode()
