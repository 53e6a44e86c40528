"""Operations on submissions."""

from formwright.api.context import ReadContext, RequestContext, WriteContext
from formwright.api.http_messages import PreencodedJson
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import submissions as schemas
from formwright.api.v1_0.submission_expansions import expand
from formwright.api.v1_0.submission_filters import complete_filter, select_names, sort_by_answer
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.pagination import RenderedPage
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.saved_views.models import ViewNotFound
from formwright.domain.submissions import rendered_json, review
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import (
    ExternalIdTaken,
    SearchNotReady,
    SearchTooBroad,
    SubmissionNotFound,
    SubmissionNotSubmitted,
)

_SUBMISSIONS = "/customers/{customerId}/submissions"
_LONG_PAGE_LIMIT = 100
"""Reading more takes milliseconds, in which SQLite would block the event loop."""

OPERATIONS = OperationGroup("Submissions", reads=Permission.SUBMISSIONS_READ, writes=Permission.SUBMISSIONS_EDIT)


@OPERATIONS.declare(
    "GET",
    ("listSubmissions", "/submissions"),
    ("listCustomerSubmissions", _SUBMISSIONS),
    raises=(ViewNotFound, SearchTooBroad, SearchNotReady),
)
async def list_submissions(
    call: RequestContext, query: schemas.SubmissionQuery
) -> PreencodedJson[schemas.SubmissionList]:
    """List submissions.

    A submission is listed if it matches all filters. To keep a copy up to date, use `order=updated`: submissions that
    change while you page move to the end. Deletions are reported by the event log only.

    Conditions on answers are compared according to the fields of the forms you select with `formId` or `folderId`, or
    of all forms if you use neither. `/submissions` and `/customers/{customerId}/submissions` are equivalent.

    `view` uses a saved view: its filter and order, and of the answers in `data` only its columns, if it has any. What
    you filter beside it replaces the same filter of the view, and each condition on an answer the one with the same
    name and operator. An unknown view returns 404 `view.not_found`.

    `sort` orders the submissions of one form by the answers to an indexed field.

    `fields` selects answers, and `expand` adds the names of the form, the user and the task.

    `count=true` adds `count`, the number of submissions that match the filters, and `countExceeded`, whether there are
    more than the 10,000 that are counted.
    """
    counts: dict[str, object] = {}
    is_long = query.limit > _LONG_PAGE_LIMIT or bool(query.answers or query.q or query.view or query.count)
    async with call.reading(long=is_long) as tx:
        filter_, view = await complete_filter(call, tx, query.to_filter(), query)
        if query.sort:
            filter_ = await sort_by_answer(call, tx, filter_, query.sort)
        page = await submissions.rendered_page(tx, call.actor, filter_, query.window())
        if query.count:
            # One more than the maximum tells whether there are more, without counting all of them.
            found = await submissions.count(tx, call.actor, filter_, limit=schemas.MAX_COUNT + 1)
            counts = {"count": min(found, schemas.MAX_COUNT), "countExceeded": found > schemas.MAX_COUNT}
        if query.expand:
            page = RenderedPage(await expand(tx, call.actor, page.items, query.expand), page.next)
    names = select_names(query, view)
    if names is not None:
        page = RenderedPage(rendered_json.select_answers(page.items, names), page.next)
    return call.ready_listing(page, **counts)


@OPERATIONS.declare("GET", ("getSubmission", _SUBMISSIONS + "/{submissionId}"), raises=(SubmissionNotFound,))
async def get_submission(call: ReadContext, submission_id: str) -> PreencodedJson[schemas.Submission]:
    """Get a submission.

    Returns the submission with its answers. For links to its files, use `listSubmissionFiles`.
    """
    return PreencodedJson(await submissions.get_rendered(call.tx, call.actor, submission_id=submission_id))


@OPERATIONS.declare(
    "POST",
    ("createSubmission", "/customers/{customerId}/forms/{formId}/submissions"),
    permission=Permission.SUBMISSIONS_CREATE,
    location=_SUBMISSIONS + "/{id}",
    raises=(FormNotFound, FormNotPublished, FormArchived, ExternalIdTaken, Invalid),
    grouped=True,
)
async def create_submission(
    call: RequestContext, form_id: str, body: schemas.SubmissionCreate
) -> PreencodedJson[schemas.Submission]:
    """Create a submission.

    Submits answers to the published version of a form. They are validated like the answers of a person, and all errors
    are reported at once, each with its pointer. The answer of a lookup must be the key of an existing row; `lookups`
    keeps the row in its current state, and answers to the fields it maps to stay as you send them.

    Use `externalId` to avoid duplicates: if the form already has a submission with the same id, the response is 409
    `submission.external_id_taken` with the id of that submission in `existingId` and its URL in `Location`. A form that
    has not been published or is archived returns 409 `form.not_published` or `form.archived`.

    Records the event `submission.submitted`.
    """
    call.ctx.check_space()
    async with call.writing(grouped=True, prefetch=forms.prefetch(call.actor, form_id=form_id)) as tx:
        record = await submissions.import_submission(tx, call.actor, form_id=form_id, payload=body.to_import())
    return PreencodedJson(rendered_json.render(record), record.id)


@OPERATIONS.declare(
    "PUT",
    ("updateSubmission", _SUBMISSIONS + "/{submissionId}"),
    raises=(SubmissionNotFound, SubmissionNotSubmitted, ExternalIdTaken, Invalid),
)
async def update_submission(
    call: WriteContext, submission_id: str, body: schemas.SubmissionUpdate
) -> PreencodedJson[schemas.Submission]:
    """Update a submission.

    Corrects, approves or rejects a submission. Properties you omit stay unchanged. `data` replaces all answers, which
    are validated against the version they were given for. The previous state is kept as a revision. A submission that
    has only been started cannot be updated: the response is 409 `submission.not_submitted`.

    Records the event `submission.updated`. A request that changes nothing creates no revision and no event.
    """
    record = await review.edit(call.tx, call.actor, body.change(), submission_id=submission_id)
    return PreencodedJson(rendered_json.render(record), record.id)


@OPERATIONS.declare("DELETE", ("deleteSubmission", _SUBMISSIONS + "/{submissionId}"), raises=(SubmissionNotFound,))
async def delete_submission(call: WriteContext, submission_id: str) -> None:
    """Delete a submission.

    Deletes the submission and its revisions immediately, and its files after a day; links to the files expire within 15
    minutes. Earlier events about it remain in the event log.

    Records the event `submission.deleted`, whose `data` is the last state of the submission.
    """
    await review.delete(call.tx, call.actor, submission_id=submission_id)


@OPERATIONS.declare(
    "GET",
    ("listSubmissionRevisions", _SUBMISSIONS + "/{submissionId}/revisions"),
    raises=(SubmissionNotFound,),
)
async def list_submission_revisions(
    call: ReadContext, submission_id: str, query: PageQuery
) -> List[schemas.SubmissionRevision]:
    """List the revisions of a submission.

    Returns each state of the submission since it was first submitted, oldest first. The last one is its current state.
    """
    page = await review.list_revisions(call.tx, call.actor, query.window(), submission_id=submission_id)
    return call.listing(page, schemas.revision)
