"""Lines of the audit log."""

from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import AuditId, CustomerId, Moment, Resource, Timestamp, optional_ms
from formwright.core.clock import rfc3339
from formwright.domain.audit.models import By, Entry, Filter

_ACTION = r"^[a-z_]{1,40}[.](\*|[a-z_]{1,40})$(?!\n)"
_Word = Annotated[str, Meta(max_length=100)]


class AuditActor(Resource):
    """Who did it."""

    type: Annotated[
        By,
        Meta(
            description="A person, an API key, whoever held a fill link, the platform or its operator, or nobody who"
            " had signed in."
        ),
    ]
    id: Annotated[str | None, Meta(description="The person's, the key's, or that of the form whose link was used.")]
    name: Annotated[str | None, Meta(description="What it was called at the time.")]


class AuditResource(Resource):
    """What it was done to."""

    type: str
    id: str
    name: Annotated[str | None, Meta(description="What it was called at the time; null where it has no name.")]


class AuditEntry(Resource):
    """One thing that was done in the account. It never changes."""

    id: AuditId
    customer_id: CustomerId
    timestamp: Timestamp
    actor: AuditActor
    action: Annotated[str, Meta(description="`noun.verb`; that of an event where one was recorded.")]
    resource: AuditResource
    changed: Annotated[list[str], Meta(description="The members that were changed; never what is in them.")]
    address: Annotated[str | None, Meta(description="The address from which the request came; null without one.")]
    request_id: Annotated[str | None, Meta(description="The request's id; it leads to the line in the server's log.")]


class AuditQuery(PageQuery):
    """Which lines are meant."""

    actor: Annotated[_Word, Meta(description="The id of a person, a key, or the form whose link was used.")] | None = (
        None
    )
    action: (
        Annotated[
            str,
            Meta(pattern=_ACTION, description="`form.created`, or `form.*` for all of a noun.", examples=["form.*"]),
        ]
        | None
    ) = None
    resource_type: Annotated[_Word, Meta(description="The noun of the action: `form`, `key`, `user`.")] | None = None
    resource_id: Annotated[_Word, Meta(description="The id of what something was done to.")] | None = None
    from_: Annotated[Moment, Meta(description="At this time or later.")] | None = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[Moment, Meta(description="Before this time.")] | None = None

    def to_filter(self) -> Filter:
        """The domain's filter."""
        return Filter(
            actor_id=self.actor or "",
            action=self.action or "",
            resource_type=self.resource_type or "",
            resource_id=self.resource_id or "",
            since=optional_ms(self.from_),
            until=optional_ms(self.to),
        )


def entry(record: Entry) -> AuditEntry:
    """The record as the API shows it."""
    hand = record.hand
    return AuditEntry(
        id=record.id,
        customer_id=record.customer_id,
        timestamp=rfc3339(record.at),
        actor=AuditActor(type=hand.by, id=hand.id or None, name=hand.name or None),
        action=record.action,
        resource=AuditResource(type=record.resource_type, id=record.resource_id, name=record.resource_name or None),
        changed=list(record.changed),
        address=hand.address or None,
        request_id=hand.request_id or None,
    )
