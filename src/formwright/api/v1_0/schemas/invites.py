"""Schemas of invites."""

from dataclasses import replace
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    ExternalId,
    FormId,
    InviteId,
    Moment,
    RequestBody,
    Resource,
    Revision,
    StoredAnswers,
    SubmissionId,
    Timestamp,
    Updated,
    UserId,
    earliest_of,
    latest_of,
    optional_time,
    storable_ms,
)
from formwright.api.v1_0.schemas.lists import ChangesQuery
from formwright.api.v1_0.schemas.tasks import Message, PrefilledAnswers
from formwright.api.v1_0.schemas.users import Email
from formwright.core.clock import rfc3339
from formwright.domain.invites import models
from formwright.domain.invites.models import InviteStatus
from formwright.domain.users.models import normalise_email


class InviteCreate(RequestBody):
    """An invite: a form, and the person to fill it in. Identify the person by exactly one of `email` and `userId`."""

    form_id: Annotated[FormId, Meta(description="The form to fill in. It must have a published version.")]
    email: Annotated[Email | None, Meta(description="The email address of the person.")] = None
    user_id: Annotated[UserId | None, Meta(description="The user to invite, instead of an email address.")] = None
    name: Annotated[
        str, Meta(max_length=200, description="How the email greets the person. Default: the name of the user.")
    ] = ""
    message: Annotated[Message, Meta(description="A message for the email and the page, shown as plain text.")] = ""
    data: PrefilledAnswers = {}
    expires_at: Annotated[Moment, Meta(description="When the link expires. Default: in 30 days.")] | None = None
    remind_at: (
        Annotated[
            Moment | None,
            Meta(
                description="When to remind a person who has not begun. Default: two days before the invite expires, if"
                " it lasts four days or longer. Null: no reminder."
            ),
        ]
        | UnsetType
    ) = UNSET
    external_id: Annotated[
        ExternalId | None,
        Meta(description="Your own id. Repeating a request with the same id, form and person has no further effect."),
    ] = None

    def to_domain(self) -> models.NewInvite:
        return models.NewInvite(
            form_id=self.form_id,
            email=self.email,
            user_id=self.user_id,
            name=self.name,
            message=self.message,
            data=self.data,
            expires=storable_ms(self.expires_at, "expiresAt"),
            remind=UNSET if self.remind_at is UNSET else storable_ms(self.remind_at, "remindAt"),
            external_id=self.external_id,
        )


Invites = Annotated[
    list[InviteCreate], Meta(min_length=1, max_length=1000, description="Invites to create: all of them, or none.")
]


class InviteQuery(ChangesQuery):
    """Filters of the list of invites. Periods are half-open: from <= t < to."""

    form_id: Annotated[list[FormId], Meta(description="Only invites for this form. May be repeated.")] = []
    status: Annotated[list[InviteStatus], Meta(description="Only invites with this status. May be repeated.")] = []
    email: Annotated[Email | None, Meta(description="Only invites to this email address.")] = None
    user_id: Annotated[UserId | None, Meta(description="Only invites to this user.")] = None
    external_id: Annotated[ExternalId | None, Meta(description="Only the invite with this external id.")] = None
    from_: Annotated[Moment, Meta(description="The same as `createdFrom`.")] | None = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[Moment, Meta(description="The same as `createdTo`.")] | None = None

    def to_filter(self) -> models.InviteFilter:
        email = None if self.email is None else normalise_email(self.email)
        since, until = latest_of(self.from_, self.created_from), earliest_of(self.to, self.created_to)
        times = replace(self.times(), created_from=since, created_to=until)
        return models.InviteFilter(self.form_id, self.status, email, self.user_id, self.external_id, times)


class Invite(Resource):
    """An invitation of one person to fill in a form, and its progress."""

    id: InviteId
    customer_id: CustomerId
    form_id: FormId
    status: InviteStatus
    email: Annotated[str, Meta(description="The address to which the email is sent.")]
    user_id: Annotated[UserId | None, Meta(description="The invited user; null if an email address was invited.")]
    name: Annotated[str, Meta(description="How the email greets the person.")]
    message: Annotated[str, Meta(description="Your message in the email and on the page.")]
    data: Annotated[StoredAnswers, Meta(description="The pre-filled answers, by field name.")]
    expires_at: Annotated[Timestamp, Meta(description="When the link expires.")]
    remind_at: Annotated[Timestamp | None, Meta(description="When the reminder is due; null: no reminder.")]
    reminded_at: Annotated[Timestamp | None, Meta(description="When the reminder was sent.")]
    external_id: Annotated[str | None, Meta(description="Your own id for the invite.")]
    submission_id: Annotated[
        SubmissionId | None, Meta(description="The submission of this invite. Set from the first saved answer on.")
    ]
    reason: Annotated[
        str | None, Meta(description="Why the email was not sent, or why the person declined; otherwise null.")
    ]
    sent_at: Annotated[Timestamp | None, Meta(description="When the mail server accepted the email.")]
    opened_at: Annotated[Timestamp | None, Meta(description="When the person opened the form.")]
    started_at: Annotated[Timestamp | None, Meta(description="When the first answer was saved.")]
    completed_at: Annotated[Timestamp | None, Meta(description="When the form was submitted.")]
    created: Created
    updated: Updated
    revision: Revision


def invite(record: models.Invite) -> Invite:
    return Invite.of(
        record,
        data=msgspec.Raw(record.data),
        expires_at=rfc3339(record.expires),
        remind_at=optional_time(record.remind),
        reminded_at=optional_time(record.reminded),
        sent_at=optional_time(record.sent),
        opened_at=optional_time(record.opened),
        started_at=optional_time(record.started),
        completed_at=optional_time(record.completed),
    )
