"""Schemas of Invites."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final


@final
class Invite(TypedDict):
    """An invitation of one person to fill in a form, and its progress."""

    id: str
    """The id of an invite."""
    customerId: str
    """The id of the account."""
    formId: str
    """The id of a form."""
    status: InviteStatus
    """The status of an invite. `PENDING`: the email is queued, or there is no mail server. `SENT`: the mail
    server accepted it. `OPENED`: the person opened the form. `STARTED`: the first answer was saved.
    `COMPLETED`: the form was submitted. `DECLINED`: the person declined. `EXPIRED`: the link expired.
    `REVOKED`: the invite was revoked. `FAILED`: the email could not be sent.
    """
    email: str
    """The address to which the email is sent."""
    userId: str | None
    """The invited user; null if an email address was invited."""
    name: str
    """How the email greets the person."""
    message: str
    """Your message in the email and on the page."""
    data: dict[str, Any]
    """The pre-filled answers, by field name."""
    expiresAt: str
    """When the link expires."""
    remindAt: str | None
    """When the reminder is due; null: no reminder."""
    remindedAt: str | None
    """When the reminder was sent."""
    externalId: str | None
    """Your own id for the invite."""
    submissionId: str | None
    """The submission of this invite. Set from the first saved answer on."""
    reason: str | None
    """Why the email was not sent, or why the person declined; otherwise null."""
    sentAt: str | None
    """When the mail server accepted the email."""
    openedAt: str | None
    """When the person opened the form."""
    startedAt: str | None
    """When the first answer was saved."""
    completedAt: str | None
    """When the form was submitted."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class InviteCreate(TypedDict):
    """An invite."""

    formId: str
    """The form to fill in. It must have a published version."""
    email: NotRequired[str | None]
    """The email address of the person."""
    userId: NotRequired[str | None]
    """The user to invite, instead of an email address."""
    name: NotRequired[str]
    """How the email greets the person. Default: the name of the user."""
    message: NotRequired[str]
    """A message for the email and the page, shown as plain text."""
    data: NotRequired[dict[str, Any]]
    """Pre-filled answers, by field name. The answer of a lookup is the key of a row; the fields in its
    `mapping` are filled in from the row, unless they are included here.
    """
    expiresAt: NotRequired[str | None]
    """When the link expires. Default: in 30 days."""
    remindAt: NotRequired[str | None]
    """When to remind a person who has not begun. Default: two days before the invite expires, if it lasts
    four days or longer. Null: no reminder.
    """
    externalId: NotRequired[str | None]
    """Your own id. Repeating a request with the same id, form and person has no further effect."""


InviteStatus: TypeAlias = Literal[
    "COMPLETED", "DECLINED", "EXPIRED", "FAILED", "OPENED", "PENDING", "REVOKED", "SENT", "STARTED"
]
"""The status of an invite. `PENDING`: the email is queued, or there is no mail server. `SENT`: the mail
server accepted it. `OPENED`: the person opened the form. `STARTED`: the first answer was saved.
`COMPLETED`: the form was submitted. `DECLINED`: the person declined. `EXPIRED`: the link expired.
`REVOKED`: the invite was revoked. `FAILED`: the email could not be sent.
"""
