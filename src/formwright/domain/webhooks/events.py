"""What can happen to a subscriber."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.webhooks.models import Subscriber


@dataclass(frozen=True, slots=True)
class SubscriberEvent(Event):
    """What all of them carry: the subscriber as it is from then on."""

    subscriber: Subscriber


@dataclass(frozen=True, slots=True)
class SubscriberFailing(SubscriberEvent):
    """Nothing has arrived there for a day, although it was tried."""

    type = "subscriber.failing"


@dataclass(frozen=True, slots=True)
class SubscriberDisabled(SubscriberEvent):
    """Nothing is sent there any more: for five days nothing arrived, or it answered 410."""

    type = "subscriber.disabled"
