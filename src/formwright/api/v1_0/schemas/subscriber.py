"""The schema of subscribers, used by responses and events."""

from typing import Annotated, ClassVar

from msgspec import Meta

from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    FormId,
    Resource,
    Revision,
    SubscriberId,
    Timestamp,
    Updated,
    optional_time,
)
from formwright.domain.webhooks import models
from formwright.domain.webhooks.models import SubscriberStatus


class Subscriber(Resource):
    """A webhook: a URL that receives events."""

    drifting: ClassVar[tuple[str, ...]] = ("failing_since", "held_until")

    id: SubscriberId
    customer_id: CustomerId
    name: Annotated[str, Meta(description="The name of the subscriber.")]
    url: Annotated[str, Meta(description="The URL that receives the events.")]
    types: Annotated[
        list[str],
        Meta(description="The event types it receives: exact types, `noun.*`, or `*`. Empty: all types."),
    ]
    form_ids: Annotated[
        list[FormId], Meta(description="The forms whose events it receives. Empty: all events, also without a form.")
    ]
    headers: Annotated[
        dict[str, None],
        Meta(description="The names of the headers sent with each delivery. Their values are not shown and are null."),
    ]
    status: SubscriberStatus
    reason: Annotated[str | None, Meta(description="Why the subscriber is disabled, or null if it is active.")]
    failing_since: Annotated[
        Timestamp | None,
        Meta(description="When the first of the current failures occurred, or null if the last attempt succeeded."),
    ]
    held_until: Annotated[
        Timestamp | None,
        Meta(
            description="The subscriber is paused because deliveries fail. This is the earliest time of the next"
            " attempt, or null if it is not paused."
        ),
    ]
    old_secret_until: Annotated[
        Timestamp | None,
        Meta(description="Until this time, deliveries are signed with a previous secret too. Null: only with one."),
    ]
    created: Created
    updated: Updated
    revision: Revision


def subscriber(record: models.Subscriber) -> Subscriber:
    return Subscriber.of(
        record,
        headers=dict.fromkeys(record.header_names),
        failing_since=optional_time(record.health.failing_since),
        held_until=optional_time(record.health.paused_until or None),
        old_secret_until=optional_time(max((until for _, until in record.retiring), default=None)),
    )
