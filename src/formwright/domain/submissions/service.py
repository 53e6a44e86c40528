"""Service functions for submissions: find, list and import. `respond` saves and submits those of people."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.clock import SystemClock
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, require
from formwright.core.events import Event, EventType
from formwright.core.pagination import Page, RenderedPage, Window
from formwright.domain.customers import service as customers
from formwright.domain.forms import service as forms
from formwright.domain.forms.answers.validation import CompiledVersion, compile_version
from formwright.domain.forms.location_fields import LocationPath
from formwright.domain.forms.lookups import (
    NO_ROWS,
    LookupAnswer,
    filtered_out_errors,
    find_filtered_out,
    find_lookups,
    unknown_row_errors,
    validate_with_rows,
)
from formwright.domain.forms.models import Version
from formwright.domain.forms.rules.device_time import device_time_at, is_device_time
from formwright.domain.submissions import attachments, lookup_snapshots, store
from formwright.domain.submissions.answer_pages import NO_ANSWERS, AnswersPage
from formwright.domain.submissions.models import (
    ExternalIdTaken,
    Submission,
    SubmissionFilter,
    SubmissionImport,
    SubmissionNotFound,
    SubmissionStatus,
)
from formwright.domain.submissions.text_search.document import build_text
from formwright.domain.users import service as people
from formwright.domain.users.models import UserNotFound

Answers = dict[str, object]


async def get(
    tx: ReadTransaction, actor: Actor, *, submission_id: str, permission: Permission = Permission.SUBMISSIONS_READ
) -> Submission:
    """Return a submission for which the actor has the permission; raises `SubmissionNotFound`."""
    return require(await store.find(tx, allow(actor, permission), submission_id), SubmissionNotFound)


async def get_rendered(tx: ReadTransaction, actor: Actor, *, submission_id: str) -> bytes:
    """Return a submission as the JSON object of the API; raises `SubmissionNotFound`."""
    return require(
        await store.find_rendered(tx, allow(actor, Permission.SUBMISSIONS_READ), submission_id), SubmissionNotFound
    )


async def find_by_client_id(tx: ReadTransaction, scope: Scope, *, form_id: str, client_id: str) -> Submission | None:
    """Return the submission with this client id, or None. For packages that created the client id themselves."""
    return await store.find_by_client_id(tx, scope, form_id, client_id)


async def find(tx: ReadTransaction, scope: Scope, submission_id: str) -> Submission | None:
    """Return the submission if it is in the scope, or None. For packages that check the access themselves."""
    return await store.find(tx, scope, submission_id)


async def page(tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, window: Window) -> Page[Submission]:
    """Return a page of the submissions that match the filter, in its order."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return Page([], None) if criteria.matches_nothing else await store.page(tx, scope, criteria, window)


async def rendered_page(tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, window: Window) -> RenderedPage:
    """Return a page of the submissions that match the filter, in its order, as JSON objects of the API."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return (
        RenderedPage(b"", None) if criteria.matches_nothing else await store.rendered_page(tx, scope, criteria, window)
    )


async def positions_page(
    tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, path: LocationPath, window: Window
) -> RenderedPage:
    """Return the positions of a page of the submissions that match the filter, in its order, as JSON for a map.

    Each position has four items: the id without its prefix, the row (0 outside repeats), longitude and latitude. The id
    is empty for a submission without a position.
    """
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    if criteria.matches_nothing:
        return RenderedPage(b"", None)
    return await store.positions_page(tx, scope, criteria, path, window)


async def answers_page(tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, window: Window) -> AnswersPage:
    """Return a page of the submissions that match the filter, ordered by submission, for reading their answers fast."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return NO_ANSWERS if criteria.matches_nothing else await store.answers_page(tx, scope, criteria, window)


async def list_revisions(
    tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, *, limit: int
) -> Sequence[tuple[str, int]]:
    """Return the id and the revision of the first `limit` matching submissions, in the filter's order."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return [] if criteria.matches_nothing else await store.list_revisions(tx, scope, criteria, limit)


async def previous_page(
    tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, window: Window
) -> Page[Submission]:
    """Return the page before `window.after`, in the filter's order; `next` is where the page before that one ends."""
    reversed_page = await page(tx, actor, criteria.reversed, window)
    return Page(reversed_page.items[::-1], reversed_page.next)


async def count(tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter, *, limit: int) -> int:
    """Return the number of matching submissions, but no more than `limit`, because counting a million is slow."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return 0 if criteria.matches_nothing else await store.count(tx, scope, criteria, limit)


async def count_by_form(tx: ReadTransaction, actor: Actor, form_ids: Sequence[str], *, limit: int) -> dict[str, int]:
    """Return the number of submissions by form id without drafts, but no more than `limit` for each form."""
    counted = [status for status in SubmissionStatus if status is not SubmissionStatus.STARTED]
    filters = {form_id: SubmissionFilter(form_ids=[form_id], statuses=counted) for form_id in form_ids}
    return {form_id: await count(tx, actor, criteria, limit=limit) for form_id, criteria in filters.items()}


async def count_answered(
    tx: ReadTransaction, actor: Actor, *, form_id: str, field: str | None, repeat: str | None = None
) -> int:
    """Return how many submissions of a form have an answer to a field, or to one in any row of the repeat."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    if field is None:
        return 0
    return await store.count_answered(tx, scope, form_id, field, repeat.split("/") if repeat else ())


async def import_submission(
    tx: WriteTransaction, actor: Actor, *, form_id: str, payload: SubmissionImport
) -> Submission:
    """Create a complete submission for the published version of the form, as another system sends it.

    Raises `Invalid` if the answers are invalid or name rows that do not exist, and `ExternalIdTaken`.
    """
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    form, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=payload.version_id)
    compiled = compile_version(version)
    device_time = await find_device_time(tx, actor, compiled, payload.device_time, payload.submitted_at or now)
    data, rows, errors = await _check_answers(tx, actor, compiled, payload, device_time)
    if payload.external_id:
        await check_external_id(tx, scope, form.id, payload.external_id)
    submitted = now if payload.submitted_at is None else payload.submitted_at
    submission = replace(
        build_draft(tx, scope, form.id, version.id, data, now),
        status=SubmissionStatus.SUBMITTED,
        external_id=payload.external_id,
        user_id=payload.user_id,
        location=payload.location,
        lookups=lookup_snapshots.encode_snapshots(rows) if rows else None,
        started=submitted,
        submitted=submitted,
        updated_by=actor.author_id,
        device_time=device_time,
    )
    if compiled.has_file_fields:
        errors += await attachments.attach(tx, actor, version, submission_id=submission.id, data=data)
    if errors:
        raise Invalid(errors)
    published = version.id if compiled.has_indexed_fields else None
    text = await build_text(tx, compiled, submission)
    await store.insert(tx, submission, published=published, search_text=text)
    tx.record(Event(EventType.SUBMISSION_SUBMITTED, scope.customer_id, submission, is_silent=payload.is_silent))
    return submission


async def _check_answers(
    tx: ReadTransaction, actor: Actor, compiled: CompiledVersion, payload: SubmissionImport, device_time: str | None
) -> tuple[Answers, list[LookupAnswer], list[ValidationFault]]:
    """Return the answers with the rules applied, the rows they refer to, and the errors of both."""
    version, known = compiled.version, NO_ROWS
    sent = await compiled.fill_initial_answers_async(payload.data, device_time)
    if compiled.fills_hidden:
        data, errors, known = await validate_with_rows(tx, actor, version, sent, device_time=device_time)
    else:
        data, errors = await compiled.validate_async(sent, device_time=device_time)
    rows: list[LookupAnswer] = []
    if compiled.has_lookups:
        rows = await find_lookups(tx, actor, version, data, known=known)
        errors += unknown_row_errors(version, rows)
        # Nobody saw the rows in an earlier version, so they are compared as they are now.
        errors += filtered_out_errors(version, find_filtered_out(version, data, rows, None))
    if payload.user_id:
        await check_user(tx, actor, payload.user_id)
    return data, rows, errors


async def find_import_errors(
    tx: ReadTransaction, actor: Actor, version: Version, payload: SubmissionImport
) -> list[ValidationFault]:
    """Return the errors for which `import_submission` would reject the submission, except that its id is taken.

    The caller has checked that the actor may answer this version, once for all rows of a batch.
    """
    try:
        compiled = compile_version(version)
        device_time = await find_device_time(tx, actor, compiled, payload.device_time, payload.submitted_at)
        data, _, errors = await _check_answers(tx, actor, compiled, payload, device_time)
    except Invalid as error:
        return list(error.faults)
    return errors + await attachments.find_errors(tx, actor, version, data=data)


async def find_device_time(
    tx: ReadTransaction, actor: Actor, compiled: CompiledVersion, given: str | None, at: int | None
) -> str | None:
    """Return what `today()` and `now()` show in the rules of a submission, or None if no rule depends on it.

    That is what the device showed, as `given`, or else the time in the account's time zone: `at`, or now. Raises
    `Invalid` if no clock can show the given time.
    """
    if given is not None and not is_device_time(given):
        raise Invalid.at("/deviceTime", "value.format", "This is not a date and time with an offset.")
    if not compiled.reads_clock or given is not None:
        return given if compiled.reads_clock else None
    zone = await customers.find_time_zone(tx, actor)
    return device_time_at(SystemClock().now() if at is None else at, zone)


async def find_taken_external_ids(
    tx: ReadTransaction, actor: Actor, external_ids: Sequence[str], *, form_id: str
) -> set[str]:
    """Return those of the ids that a submission of the form has."""
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    unused = await store.prefetch_unused_external_ids(tx, scope, form_id, external_ids) if external_ids else {}
    return set(external_ids) - {str(statement[-1]) for statement in unused}


async def check_external_id(tx: ReadTransaction, scope: Scope, form_id: str, external_id: str) -> None:
    """Raise `ExternalIdTaken` if a submission of the form has this external id."""
    if existing_id := await store.find_id_by_external_id(tx, scope, form_id, external_id):
        raise ExternalIdTaken(existing_id)


async def check_user(tx: ReadTransaction, actor: Actor, user_id: str) -> None:
    """Raise `Invalid` at `/userId` if the account has no user with this id."""
    try:
        await people.get(tx, actor, user_id=user_id)
    except UserNotFound as error:
        raise Invalid.at("/userId", error.code, error.detail) from None


def build_draft(
    tx: WriteTransaction,
    scope: Scope,
    form_id: str,
    version_id: str,
    data: Answers,
    now: int,
    client_id: str | None = None,
) -> Submission:
    """Return a new draft with these answers. `now` is the timestamp of the change in milliseconds."""
    return Submission(
        id=tx.new_id("sub"),
        customer_id=scope.customer_id,
        form_id=form_id,
        version_id=version_id,
        status=SubmissionStatus.STARTED,
        data=to_json(data),
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


def to_json(data: Answers) -> str:
    """Return answers as they are stored."""
    return msgspec.json.encode(data).decode()
