"""Schemas of comments on submissions."""

from typing import Annotated

from msgspec import Meta

from formwright.api.v1_0.schemas.base import (
    CommentId,
    Created,
    CustomerId,
    FormId,
    RequestBody,
    Resource,
    SubmissionId,
    UserId,
)
from formwright.domain.submissions import models

MAX_BODY = 4000
MAX_MENTIONS = 20


class SubmissionCommentCreate(RequestBody):
    """A new comment on a submission."""

    body: Annotated[
        str, Meta(min_length=1, max_length=MAX_BODY, description="Plain text. Markup in it is shown as it is.")
    ]
    mentions: Annotated[
        list[UserId],
        Meta(
            max_length=MAX_MENTIONS,
            description="The users to mention, each once. They receive an email, and must be able to see the"
            " submission.",
        ),
    ] = []

    def to_domain(self) -> models.NewComment:
        return models.NewComment(self.body, self.mentions)


class SubmissionComment(Resource):
    """A comment on a submission."""

    id: CommentId
    customer_id: CustomerId
    submission_id: SubmissionId
    form_id: FormId
    author_id: Annotated[
        str,
        Meta(
            description="The id of the user or API key that wrote the comment.",
            examples=["usr_01h455vb4pex5vsknk084sn02q"],
        ),
    ]
    body: Annotated[str, Meta(description="The comment as plain text. Escape it before you add it to HTML.")]
    mentions: Annotated[list[UserId], Meta(description="The mentioned users.")]
    created: Created
