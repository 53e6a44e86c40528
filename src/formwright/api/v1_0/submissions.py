"""Submissions.

The files of a submission.

Compare what another system holds with what is here, and close the holes.
"""

from dataclasses import asdict, replace
from urllib.parse import urlencode

from formwright.api.context import RequestContext
from formwright.api.operations import operation
from formwright.api.pagination import List, PageQuery
from formwright.api.response import PreencodedJson
from formwright.api.v1_0.form_checks import check_forms
from formwright.api.v1_0.schemas import submissions as wire
from formwright.asgi.validation import QueryInvalid
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.core.pagination import Page, Place
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.files import models
from formwright.domain.files import service as files
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.submissions import reconciliation, rendered_json, review
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.answer_filters import parse_conditions
from formwright.domain.submissions.models import (
    ExternalIdTaken,
    SubmissionFilter,
    SubmissionNotFound,
    SubmissionNotSubmitted,
)

_SUBMISSIONS = "/customers/{customerId}/submissions"
_LONG_PAGE = 100


@operation(
    "GET",
    ("listSubmissions", "/submissions"),
    ("listCustomerSubmissions", _SUBMISSIONS),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound,),
)
async def list_submissions(call: RequestContext, query: wire.SubmissionQuery) -> PreencodedJson[List[wire.Submission]]:
    """List submissions, filtered by form, status, person, task, time and answers.

    To keep a copy up to date, read with `order=updated`: what changes while you page comes at the end. Answers are
    compared as the fields of the forms asked for have them; with neither `formId` nor `folderId`, those of all forms.
    """
    async with call.reading(long=query.limit > _LONG_PAGE or bool(query.answers)) as tx:
        wanted = query.to_filter()
        if query.folder_id:
            inside = await forms.list_ids_below(tx, call.actor, folder_id=query.folder_id)
            wanted = wanted.restrict_to_forms(inside)
        page = await submissions.rendered_page(
            tx, call.actor, await _with_answers(call, tx, wanted, query), query.window()
        )
    return call.ready_listing(page)


async def _with_answers(
    call: RequestContext, tx: ReadTransaction, wanted: SubmissionFilter, query: wire.SubmissionQuery
) -> SubmissionFilter:
    if wanted.matches_nothing or not query.answers:
        return wanted
    met, faults = await parse_conditions(tx, call.actor, query.answers, form_ids=wanted.form_ids)
    if faults:
        raise QueryInvalid(faults)
    return replace(wanted, answers=met)


@operation(
    "GET",
    ("getSubmission", _SUBMISSIONS + "/{submissionId}"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound, SubmissionNotFound),
)
async def get_submission(call: RequestContext, submission_id: str) -> PreencodedJson[wire.Submission]:
    """Read one submission with its answers."""
    async with call.reading() as tx:
        return PreencodedJson(await submissions.get_rendered(tx, call.actor, submission_id=submission_id))


@operation(
    "POST",
    ("createSubmission", "/customers/{customerId}/forms/{formId}/submissions"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_CREATE,
    status=201,
    location=_SUBMISSIONS + "/{id}",
    raises=(CustomerNotFound, FormNotFound, FormNotPublished, FormArchived, ExternalIdTaken, Invalid),
    together=True,
)
async def create_submission(
    call: RequestContext, form_id: str, body: wire.SubmissionCreate
) -> PreencodedJson[wire.Submission]:
    """Hand in a filled form for the published version.

    The answers are checked as those of a person are: all faults are answered at once, each with its pointer. The row
    that a lookup names has to be there; `lookups` keeps it as it is now, and the fields it is mapped to stay as sent.
    """
    call.ctx.check_space()
    async with call.writing(together=True, prefetch=forms.prefetch(call.actor, form_id=form_id)) as tx:
        record = await submissions.import_submission(tx, call.actor, form_id=form_id, payload=body.to_import())
    return PreencodedJson(rendered_json.render(record), record.id)


@operation(
    "PUT",
    ("updateSubmission", _SUBMISSIONS + "/{submissionId}"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_EDIT,
    raises=(CustomerNotFound, SubmissionNotFound, SubmissionNotSubmitted, ExternalIdTaken, Invalid),
)
async def update_submission(
    call: RequestContext, submission_id: str, body: wire.SubmissionUpdate
) -> PreencodedJson[wire.Submission]:
    """Correct, approve or reject a submission that was sent.

    Answers are checked against the version they were made with. What it was before is kept as a revision; what changes
    nothing makes none. A submission that was only begun is not changed.
    """
    async with call.writing() as tx:
        record = await review.edit(tx, call.actor, body.change(), submission_id=submission_id)
    return PreencodedJson(rendered_json.render(record), record.id)


@operation(
    "DELETE",
    ("deleteSubmission", _SUBMISSIONS + "/{submissionId}"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_EDIT,
    status=204,
    raises=(CustomerNotFound, SubmissionNotFound),
)
async def delete_submission(call: RequestContext, submission_id: str) -> None:
    """Delete a submission with its revisions and files.

    The event log goes on telling what it told; `submission.deleted` ends the story.
    """
    async with call.writing() as tx:
        await review.delete(tx, call.actor, submission_id=submission_id)


@operation(
    "GET",
    ("listSubmissionRevisions", _SUBMISSIONS + "/{submissionId}/revisions"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound, SubmissionNotFound),
)
async def list_submission_revisions(
    call: RequestContext, submission_id: str, query: PageQuery
) -> List[wire.SubmissionRevision]:
    """List what a submission was since it was first sent, and what it is, in the order of the changes."""
    async with call.reading() as tx:
        page = await review.list_revisions(tx, call.actor, query.window(), submission_id=submission_id)
    return call.listing(page, wire.revision)


OPERATIONS = [
    *list_submissions,
    *get_submission,
    *create_submission,
    *update_submission,
    *delete_submission,
    *list_submission_revisions,
]


@operation(
    "GET",
    ("listSubmissionFiles", "/customers/{customerId}/submissions/{submissionId}/files"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound, SubmissionNotFound),
)
async def list_submission_files(
    call: RequestContext, submission_id: str, query: PageQuery
) -> List[wire.SubmissionFile]:
    """List the files of a submission, in the order in which they were uploaded.

    Each has a link that needs no key and ends after 15 minutes; list them again for new ones.
    """
    async with call.reading() as tx:
        await submissions.get(tx, call.actor, submission_id=submission_id)
        page = await files.of_submission(tx, call.actor, query.window(), submission_id=submission_id)
    return call.listing(page, lambda record: _linked(call, record))


def _linked(call: RequestContext, record: models.File) -> wire.SubmissionFile:
    link = call.ctx.file_links.to(record.customer_id, record.id, call.ctx.clock.now())
    return wire.file(record, call.url(f"/files/{record.id}?{urlencode(asdict(link))}"), link.expires)


FILE_OPERATIONS = [*list_submission_files]


_RECONCILE = "/webhooks/customer/{customerId}/reconcile"


@operation(
    "POST",
    ("reconcileSubmissions", _RECONCILE),
    tag="Webhooks",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound, Invalid),
)
async def reconcile(call: RequestContext, body: wire.ReconciliationRequest) -> wire.ReconciliationDifference:
    """Say what differs: send the id and the revision of each submission that you hold, at most 10,000.

    `missing` are those of the named forms and time that you did not send, `stale` those that have another revision
    here, `deleted` those that are not here any more. Nothing is changed.
    """
    async with call.reading(long=True) as tx:
        await check_forms(tx, call.actor, body.form_ids)
        return wire.difference(await reconciliation.compare(tx, call.actor, body.to_scope(), body.revisions_by_id()))


@operation(
    "GET",
    ("listReconciliationDays", _RECONCILE),
    tag="Webhooks",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound,),
)
async def list_reconciliation_days(
    call: RequestContext, query: wire.ReconciliationDayQuery
) -> List[wire.ReconciliationDay]:
    """Count the submissions of each form and day, with a checksum over their ids and revisions.

    Where your own differs, send that day's ids and revisions. A page holds whole days, so it may have more entries
    than `limit`.
    """
    async with call.reading(long=True) as tx:
        found, following = await reconciliation.list_days(tx, call.actor, query.to_scope(), query.limit)
    return call.listing(Page(found, None if following is None else Place(following, "")), wire.day)


RECONCILIATION_OPERATIONS = [*reconcile, *list_reconciliation_days]
