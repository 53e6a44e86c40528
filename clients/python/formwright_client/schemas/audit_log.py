"""Schemas of Audit log."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, final


@final
class AuditActor(TypedDict):
    """The person or program that made the change."""

    type: AuditActorType
    """The type of an actor. `user`: a user. `key`: an API key. `link`: somebody with a form's fill link.
    `system`: Formwright or its command line. `nobody`: somebody who was not signed in.
    """
    id: str | None
    """The id of the user or key; for a link, that of its form. Null for `system` and `nobody`."""
    name: str | None
    """The name of the user or the key at that time."""


AuditActorType: TypeAlias = Literal["key", "link", "nobody", "system", "user"]
"""The type of an actor. `user`: a user. `key`: an API key. `link`: somebody with a form's fill link.
`system`: Formwright or its command line. `nobody`: somebody who was not signed in.
"""


@final
class AuditEntry(TypedDict):
    """A change that was made in the account."""

    id: str
    """The id of an audit entry."""
    customerId: str
    """The id of the account."""
    timestamp: str
    """A time in RFC 3339 format, in UTC with milliseconds."""
    actor: AuditActor
    """The person or program that made the change."""
    action: str
    """What was done, as `noun.verb`. If an event was recorded, this is its type."""
    resource: AuditResource
    """The resource that was changed."""
    changed: list[str]
    """The names of the properties that changed, without their values."""
    address: str | None
    """The IP address of the caller, or null if there was no request."""
    requestId: str | None
    """The id of the request, which also identifies its entry in the server's log."""


@final
class AuditResource(TypedDict):
    """The resource that was changed."""

    type: str
    """The type of the resource, as in `action`."""
    id: str
    """The id of the resource."""
    name: str | None
    """Its name at that time, or null if it has none."""
