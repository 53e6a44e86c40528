"""A subscriber as the API and its events show it."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from formwright.api.v1_0.schemas.base import CustomerId, FormId, Resource, SubscriberId, Timestamp, optional_time
from formwright.core.clock import rfc3339
from formwright.domain.webhooks import models
from formwright.domain.webhooks.models import SubscriberStatus


class Subscriber(Resource):
    """A receiver of events."""

    drifting: ClassVar[tuple[str, ...]] = ("failing_since", "held_until")

    id: SubscriberId
    customer_id: CustomerId
    name: str
    url: str
    types: list[str]
    form_ids: list[FormId]
    headers: Annotated[dict[str, None], Meta(description="The names of its own headers; no value is shown.")]
    status: SubscriberStatus
    reason: Annotated[str | None, Meta(description="Why it is disabled.")]
    failing_since: Annotated[
        Timestamp | None, Meta(description="The first try that failed since one succeeded; null while all is well.")
    ]
    held_until: Annotated[
        Timestamp | None,
        Meta(description="While deliveries fail, nothing is sent before then, and then one delivery at a time."),
    ]
    old_secret_until: Annotated[
        Timestamp | None, Meta(description="Until then, what is sent is signed with a secret before this one too.")
    ]
    created: Timestamp
    updated: Timestamp
    revision: int


def subscriber(record: models.Subscriber) -> Subscriber:
    """The record as the API shows it."""
    return Subscriber(**members(record))


def members(record: models.Subscriber) -> dict[str, Any]:
    """The same, by name."""
    return {
        "id": record.id,
        "customer_id": record.customer_id,
        "name": record.name,
        "url": record.url,
        "types": list(record.types),
        "form_ids": list(record.form_ids),
        "headers": dict.fromkeys(record.header_names),
        "status": record.status,
        "reason": record.reason,
        "failing_since": optional_time(record.health.failing_since),
        "held_until": optional_time(record.health.paused_until or None),
        "old_secret_until": optional_time(max((until for _, until in record.retiring), default=None)),
        "created": rfc3339(record.created),
        "updated": rfc3339(record.updated),
        "revision": record.revision,
    }
