"""Submissions."""

from dataclasses import replace

from formwright.api.answer import Ready
from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.wire import submissions as wire
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import Invalid
from formwright.core.storage.database import Reading
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.model import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.submissions import changing, shown
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.conditions import conditions
from formwright.domain.submissions.model import ExternalIdTaken, Filter, SubmissionNotFound, SubmissionNotSubmitted
from formwright.reading import QueryInvalid

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
async def list_submissions(call: Call, query: wire.SubmissionQuery) -> Ready[List[wire.Submission]]:
    """List submissions, filtered by form, status, person, task, time and answers.

    To keep a copy up to date, read with `order=updated`: what changes while you page comes at the end. Answers are
    compared as the fields of the forms asked for have them; with neither `formId` nor `folderId`, those of all forms.
    """
    async with call.reading(long=query.limit > _LONG_PAGE or bool(query.answers)) as tx:
        wanted = query.filter()
        if query.folder_id:
            inside = await forms.ids_below(tx, call.actor, folder_id=query.folder_id)
            wanted = wanted.only_forms(inside)
        page = await submissions.page_shown(
            tx, call.actor, await _with_answers(call, tx, wanted, query), query.window()
        )
    return call.ready_listing(page)


async def _with_answers(call: Call, tx: Reading, wanted: Filter, query: wire.SubmissionQuery) -> Filter:
    if wanted.none or not query.answers:
        return wanted
    met, faults = await conditions(tx, call.actor, query.answers, form_ids=wanted.form_ids)
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
async def get_submission(call: Call, submission_id: str) -> Ready[wire.Submission]:
    """Read one submission with its answers."""
    async with call.reading() as tx:
        return Ready(await submissions.get_shown(tx, call.actor, submission_id=submission_id))


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
async def create_submission(call: Call, form_id: str, body: wire.SubmissionCreate) -> Ready[wire.Submission]:
    """Hand in a filled form for the published version.

    The answers are checked as those of a person are: all faults are answered at once, each with its pointer. The row
    that a lookup names has to be there; `lookups` keeps it as it is now, and the fields it is mapped to stay as sent.
    """
    call.house.check_space()
    async with call.writing(together=True, ahead=forms.ask(call.actor, form_id=form_id)) as tx:
        record = await submissions.bring_in(tx, call.actor, form_id=form_id, handed=body.handed())
    return Ready(shown.item(record), record.id)


@operation(
    "PUT",
    ("changeSubmission", _SUBMISSIONS + "/{submissionId}"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_EDIT,
    raises=(CustomerNotFound, SubmissionNotFound, SubmissionNotSubmitted, ExternalIdTaken, Invalid),
)
async def change_submission(call: Call, submission_id: str, body: wire.SubmissionChange) -> Ready[wire.Submission]:
    """Correct, approve or reject a submission that was sent.

    Answers are checked against the version they were made with. What it was before is kept as a revision; what changes
    nothing makes none. A submission that was only begun is not changed.
    """
    async with call.writing() as tx:
        record = await changing.change(tx, call.actor, body.change(), submission_id=submission_id)
    return Ready(shown.item(record), record.id)


@operation(
    "DELETE",
    ("deleteSubmission", _SUBMISSIONS + "/{submissionId}"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_EDIT,
    status=204,
    raises=(CustomerNotFound, SubmissionNotFound),
)
async def delete_submission(call: Call, submission_id: str) -> None:
    """Delete a submission with its revisions and files.

    The event log goes on telling what it told; `submission.deleted` ends the story.
    """
    async with call.writing() as tx:
        await changing.delete(tx, call.actor, submission_id=submission_id)


@operation(
    "GET",
    ("listRevisions", _SUBMISSIONS + "/{submissionId}/revisions"),
    tag="Submissions",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound, SubmissionNotFound),
)
async def list_revisions(call: Call, submission_id: str, query: PageQuery) -> List[wire.SubmissionRevision]:
    """List what a submission was since it was first sent, and what it is, in the order of the changes."""
    async with call.reading() as tx:
        page = await changing.revisions(tx, call.actor, query.window(), submission_id=submission_id)
    return call.listing(page, wire.revision)


OPERATIONS = [
    *list_submissions,
    *get_submission,
    *create_submission,
    *change_submission,
    *delete_submission,
    *list_revisions,
]
