"""Schemas of the audit log."""

from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.v1_0.schemas.base import (
    AuditId,
    CustomerId,
    Moment,
    Resource,
    Timestamp,
    earliest_of,
    latest_of,
)
from formwright.api.v1_0.schemas.lists import CreatedQuery
from formwright.core.clock import rfc3339
from formwright.domain.audit import models
from formwright.domain.audit.models import AuditActorType, AuditFilter

_ACTION = r"^[a-z_]{1,40}[.](\*|[a-z_]{1,40})$(?!\n)"
_Text = Annotated[str, Meta(max_length=100)]


class AuditActor(Resource):
    """The person or program that made the change."""

    type: AuditActorType
    id: Annotated[
        str | None,
        Meta(description="The id of the user or key; for a link, that of its form. Null for `system` and `nobody`."),
    ]
    name: Annotated[str | None, Meta(description="The name of the user or the key at that time.")]


class AuditResource(Resource):
    """The resource that was changed."""

    type: Annotated[str, Meta(description="The type of the resource, as in `action`.", examples=["form"])]
    id: Annotated[str, Meta(description="The id of the resource.")]
    name: Annotated[str | None, Meta(description="Its name at that time, or null if it has none.")]


class AuditEntry(Resource):
    """A change that was made in the account. Entries never change."""

    id: AuditId
    customer_id: CustomerId
    timestamp: Timestamp
    actor: AuditActor
    action: Annotated[
        str,
        Meta(
            description="What was done, as `noun.verb`. If an event was recorded, this is its type.",
            examples=["form.updated"],
        ),
    ]
    resource: AuditResource
    changed: Annotated[list[str], Meta(description="The names of the properties that changed, without their values.")]
    address: Annotated[str | None, Meta(description="The IP address of the caller, or null if there was no request.")]
    request_id: Annotated[
        str | None, Meta(description="The id of the request, which also identifies its entry in the server's log.")
    ]


class AuditQuery(CreatedQuery):
    """Filters of the audit log."""

    actor: (
        Annotated[_Text, Meta(description="Only changes by this user or key, or through this form's link: its id.")]
        | None
    ) = None
    action: (
        Annotated[
            str,
            Meta(
                pattern=_ACTION,
                description="Only this action, such as `form.created`, or all actions of a noun: `form.*`.",
                examples=["form.*"],
            ),
        ]
        | None
    ) = None
    resource_type: (
        Annotated[_Text, Meta(description="Only changes of this type of resource.", examples=["form"])] | None
    ) = None
    resource_id: Annotated[_Text, Meta(description="Only changes of this resource.")] | None = None
    from_: Annotated[Moment, Meta(description="The same as `createdFrom`.")] | None = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[Moment, Meta(description="The same as `createdTo`.")] | None = None

    def to_filter(self) -> AuditFilter:
        return AuditFilter(
            actor_id=self.actor or "",
            action=self.action or "",
            resource_type=self.resource_type or "",
            resource_id=self.resource_id or "",
            since=latest_of(self.from_, self.created_from),
            until=earliest_of(self.to, self.created_to),
        )


def entry(record: models.AuditEntry) -> AuditEntry:
    actor = record.actor
    return AuditEntry.of(
        record,
        timestamp=rfc3339(record.at),
        actor=AuditActor(type=actor.type, id=actor.id or None, name=actor.name or None),
        resource=AuditResource(type=record.resource_type, id=record.resource_id, name=record.resource_name or None),
        address=actor.address or None,
        request_id=actor.request_id or None,
    )
