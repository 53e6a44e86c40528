"""Operations on comments on submissions."""

from formwright.api.context import ReadContext, WriteContext, base_url
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import submission_comments as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.submissions import comments
from formwright.domain.submissions.comment_emails import CommentMailer
from formwright.domain.submissions.models import (
    CommentByOther,
    CommentLimitReached,
    CommentNotFound,
    SubmissionNotFound,
)

_COMMENTS = "/customers/{customerId}/submissions/{submissionId}/comments"
OPERATIONS = OperationGroup("Submissions", reads=Permission.SUBMISSIONS_READ, writes=Permission.SUBMISSIONS_EDIT)


@OPERATIONS.declare("GET", ("listSubmissionComments", _COMMENTS), raises=(SubmissionNotFound,))
async def list_submission_comments(
    call: ReadContext, submission_id: str, query: PageQuery
) -> List[schemas.SubmissionComment]:
    """List the comments on a submission.

    Returns the comments of reviewers, oldest first.
    """
    page = await comments.page(call.tx, call.actor, query.window(), submission_id=submission_id)
    return call.listing(page, schemas.SubmissionComment.of)


@OPERATIONS.declare(
    "POST",
    ("createSubmissionComment", _COMMENTS),
    location=_COMMENTS + "/{id}",
    raises=(SubmissionNotFound, CommentLimitReached, Invalid),
)
async def create_submission_comment(
    call: WriteContext, submission_id: str, body: schemas.SubmissionCommentCreate
) -> schemas.SubmissionComment:
    """Comment on a submission.

    Adds a comment, which is plain text without leading and trailing white space. Each user in `mentions`, except the
    author, receives an email with a link to the submission; the email contains neither the comment nor answers. A user
    who cannot see the submission cannot be mentioned: the response is 422 with the error
    `comment.mention_without_access`. To mention users, you need the permission `people:read`.

    A submission can have 500 comments; one more returns 409 `comment.limit_reached`.

    Records the event `comment.created`.
    """
    mailer = CommentMailer(call.ctx.secret_box, base_url(call.ctx, call.request))
    record = await comments.create(call.tx, call.actor, mailer, body.to_domain(), submission_id=submission_id)
    return schemas.SubmissionComment.of(record)


@OPERATIONS.declare(
    "GET",
    ("getSubmissionComment", _COMMENTS + "/{commentId}"),
    raises=(SubmissionNotFound, CommentNotFound),
)
async def get_submission_comment(call: ReadContext, submission_id: str, comment_id: str) -> schemas.SubmissionComment:
    """Get a comment on a submission."""
    return schemas.SubmissionComment.of(
        await comments.get(call.tx, call.actor, submission_id=submission_id, comment_id=comment_id)
    )


@OPERATIONS.declare(
    "DELETE",
    ("deleteSubmissionComment", _COMMENTS + "/{commentId}"),
    raises=(SubmissionNotFound, CommentNotFound, CommentByOther),
)
async def delete_submission_comment(call: WriteContext, submission_id: str, comment_id: str) -> None:
    """Delete a comment on a submission.

    Deletes a comment that you wrote. For a comment of another user or API key, the response is 403
    `comment.by_other`.

    Records the event `comment.deleted`, whose `data` is the last state of the comment.
    """
    await comments.delete(call.tx, call.actor, submission_id=submission_id, comment_id=comment_id)
