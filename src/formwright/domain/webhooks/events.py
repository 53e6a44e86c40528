"""Events about subscribers."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.webhooks.models import Subscriber


@dataclass(frozen=True, slots=True)
class SubscriberEvent(Event):
    """Base class; `subscriber` is the state after the event."""

    subscriber: Subscriber


@dataclass(frozen=True, slots=True)
class SubscriberFailing(SubscriberEvent):
    """Deliveries have been failing for a day."""

    type = "subscriber.failing"


@dataclass(frozen=True, slots=True)
class SubscriberDisabled(SubscriberEvent):
    """Delivery has stopped, because attempts failed for five days or the receiver responded 410 Gone."""

    type = "subscriber.disabled"
