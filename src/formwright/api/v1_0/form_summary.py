"""The operation that summarizes the submissions of a form."""

from dataclasses import replace

import msgspec

from formwright.api.context import RequestContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import summaries as schemas
from formwright.api.v1_0.submission_filters import complete_filter
from formwright.asgi.timeouts import disable_timeout
from formwright.asgi.validation import QueryInvalid
from formwright.core.auth.permissions import Permission
from formwright.core.errors import ValidationFault
from formwright.domain.forms.models import FormNotFound
from formwright.domain.saved_views.models import ViewNotFound
from formwright.domain.submissions.models import SearchNotReady, SearchTooBroad
from formwright.domain.summaries import service as summaries
from formwright.domain.summaries.service import CannotSplit

OPERATIONS = OperationGroup("Submissions", reads=Permission.SUBMISSIONS_READ)


@OPERATIONS.declare(
    "GET",
    ("getFormSummary", "/customers/{customerId}/forms/{formId}/summary"),
    raises=(FormNotFound, ViewNotFound, SearchTooBroad, SearchNotReady),
)
async def get_form_summary(call: RequestContext, form_id: str, query: schemas.FormSummaryQuery) -> schemas.FormSummary:
    """Summarize the submissions of a form.

    Counts the submissions that `listSubmissions` returns for the same filters, and returns for each field what suits
    its `kind`: the count and share of options, the distribution of numbers, answers over time, the newest texts and
    most frequent words. Days and hours are in the time zone of the account.

    Answers are counted by the version that was filled in. Fields that the published version no longer has are
    `removed`, and a field that has changed its kind is returned once for each kind, with the `versions` that have it.

    `splitBy` adds `split`, which has the same summaries of the submissions with the same answer to a single choice.

    All matching submissions are read, so the response can take seconds if there are hundreds of thousands of them. It
    is faster if all fields are indexed and nothing is filtered. With `view`, only the fields among its columns are
    returned, if it has any.
    """
    disable_timeout()
    async with call.reading(long=True) as tx:
        plan = await summaries.plan(tx, call.actor, form_id=form_id)
        given = replace(query.to_filter(), form_ids=[form_id])
        filter_, view = await complete_filter(call, tx, given, query)
    if view:
        plan = replace(plan, names=view.settings.answer_names)
    if query.split_by is not None:
        try:
            plan = plan.split_by(query.split_by)
        except CannotSplit:
            detail = "This form has no single choice with this name that its summary can be split by."
            raise QueryInvalid([ValidationFault("?splitBy", "query.split", detail)]) from None
    found = await summaries.compute(call.ctx.db, call.actor, plan, filter_)
    return msgspec.convert(found, schemas.FormSummary, from_attributes=True)
