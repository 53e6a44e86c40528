"""Invites."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    CustomerId,
    ExternalId,
    FormId,
    InviteId,
    Moment,
    Request,
    Resource,
    StoredAnswers,
    SubmissionId,
    Timestamp,
    UserId,
    optional_ms,
    optional_time,
    storable_ms,
)
from formwright.api.v1_0.schemas.tasks import Message, PrefilledAnswers
from formwright.api.v1_0.schemas.users import Email
from formwright.core.clock import rfc3339
from formwright.domain.invites import models
from formwright.domain.invites.models import InviteStatus
from formwright.domain.users.models import normalise_email


class InviteCreate(Request):
    """A form, and the person who is asked to fill it: an address, or a user of the account."""

    form_id: FormId
    email: Email | None = None
    user_id: UserId | None = None
    name: Annotated[str, Meta(max_length=200, description="How the mail greets her.")] = ""
    message: Annotated[Message, Meta(description="Stands in the mail as text, whatever is in it.")] = ""
    data: PrefilledAnswers = {}
    expires_at: Annotated[Moment, Meta(description="When the link ends; in 30 days, where it is not given.")] | None = (
        None
    )
    remind_at: (
        Annotated[
            Moment | None,
            Meta(
                description="When to remind who has not begun by then. Two days before the end, where it is not given"
                " and the invite lasts four days or longer; null: not at all."
            ),
        ]
        | UnsetType
    ) = UNSET
    external_id: ExternalId | None = None

    def to_domain(self) -> models.NewInvite:
        """What the domain makes an invite from."""
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
    list[InviteCreate], Meta(min_length=1, max_length=1000, description="All of them are made, or none.")
]


class InviteQuery(PageQuery):
    """Which invites are meant. The period is half-open: from <= t < to."""

    form_id: Annotated[list[FormId], Meta(description="May be repeated.")] = []
    status: Annotated[list[InviteStatus], Meta(description="May be repeated.")] = []
    email: Email | None = None
    user_id: UserId | None = None
    external_id: ExternalId | None = None
    from_: Annotated[Moment, Meta(description="Made at this time or later.")] | None = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[Moment, Meta(description="Made before this time.")] | None = None

    def to_filter(self) -> models.Filter:
        """What the domain looks for."""
        email = None if self.email is None else normalise_email(self.email)
        since, until = optional_ms(self.from_), optional_ms(self.to)
        return models.Filter(self.form_id, self.status, email, self.user_id, self.external_id, since, until)


class Invite(Resource):
    """A person who is asked to fill a form, and how far it has come."""

    id: InviteId
    customer_id: CustomerId
    form_id: FormId
    status: InviteStatus
    email: str
    user_id: UserId | None
    name: str
    message: str
    data: StoredAnswers
    expires_at: Timestamp
    remind_at: Timestamp | None
    reminded_at: Timestamp | None
    external_id: str | None
    submission_id: Annotated[SubmissionId | None, Meta(description="What she filled in, from the first answer on.")]
    reason: Annotated[str | None, Meta(description="Why the mail failed, or why she declined.")]
    sent_at: Timestamp | None
    opened_at: Timestamp | None
    started_at: Timestamp | None
    completed_at: Timestamp | None
    created: Timestamp
    updated: Timestamp
    revision: int


def invite(record: models.Invite) -> Invite:
    """The record as the API shows it."""
    return Invite(
        id=record.id,
        customer_id=record.customer_id,
        form_id=record.form_id,
        status=record.status,
        email=record.email,
        user_id=record.user_id,
        name=record.name,
        message=record.message,
        data=msgspec.Raw(record.data),
        expires_at=rfc3339(record.expires),
        remind_at=optional_time(record.remind),
        reminded_at=optional_time(record.reminded),
        external_id=record.external_id,
        submission_id=record.submission_id,
        reason=record.reason,
        sent_at=optional_time(record.sent),
        opened_at=optional_time(record.opened),
        started_at=optional_time(record.started),
        completed_at=optional_time(record.completed),
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )
