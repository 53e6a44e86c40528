"""Changes of many submissions in one request."""

from formwright.api.context import WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import submission_bulk as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.offload import offload
from formwright.domain.submissions import bulk
from formwright.domain.submissions.models import BulkRejected

OPERATIONS = OperationGroup("Submissions", writes=Permission.SUBMISSIONS_CREATE)


@OPERATIONS.declare(
    "POST",
    ("changeSubmissions", "/customers/{customerId}/submissions/bulk"),
    raises=(BulkRejected, Invalid),
)
async def change_submissions(
    call: WriteContext, body: schemas.RawSubmissionBulkRequest
) -> schemas.SubmissionBulkResult:
    """Change many submissions.

    Creates, updates, reviews and deletes up to 1,000 submissions in one request, in the order of `items`. Each item is
    validated like the request to the single operation, and needs the same permission.

    The response is 200 even if items were rejected: each item of the response has the status of the single operation
    and, if it was rejected, a `problem`. Check `failed`. With `atomic`, one rejected item rejects the request: the
    response is 422 `submission.bulk_rejected`, its `errors` are those of all items, and nothing is changed.

    The accepted changes are committed together before the response is sent. If you get no response, either all of them
    were committed or none; repeat the request with the same `Idempotency-Key` to find out.

    Records one event for each change, in the order of `items`: `submission.submitted`, `submission.updated` or
    `submission.deleted`.
    """
    call.ctx.check_space()
    changes = await offload(body.read_changes)
    outcomes = await bulk.apply(call.tx, call.actor, changes)
    # The transaction ends with the request and not with the block above, so an error here rolls all changes back.
    if body.atomic and (errors := schemas.find_errors(changes, outcomes)):
        raise BulkRejected(errors)
    return schemas.result(changes, outcomes, call.request.request_id)
