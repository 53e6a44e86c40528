"""Events, subscribers, and the deliveries between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from formwright.core.errors import Conflict, NotFound
from formwright.domain.webhooks.health import Health

MAX_SUBSCRIBERS = 100
TEST_SEQUENCE = 0
"""The sequence of what is sent as a test, and stands in no log."""


class SubscriberStatus(StrEnum):
    """Whether events are delivered; those of a disabled subscriber wait."""

    ACTIVE = "ACTIVE"
    DISABLED = "DISABLED"


class InvocationStatus(StrEnum):
    """How a delivery stands."""

    PENDING = "PENDING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"
    """It waited until its event was not kept any more."""


class LoggedEvent(Struct, frozen=True):
    """An event as it was recorded; `body` is what is delivered, byte for byte.

    `trace`: the place of its cause in a trace, where that was traced; written, and read with its deliveries only.
    """

    id: str
    customer_id: str
    sequence: int
    type: str
    form_id: str | None
    created: int
    body: str
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A receiver. `types` are exact or end in `*`; no types and no forms mean all.

    `secret` is sealed, as are `headers` and the secrets before it in `retiring`, each with the moment of its end.
    """

    id: str
    customer_id: str
    name: str
    url: str
    types: tuple[str, ...]
    form_ids: tuple[str, ...]
    status: SubscriberStatus
    reason: str | None
    secret: str
    retiring: tuple[tuple[str, int], ...]
    headers: str
    header_names: tuple[str, ...]
    health: Health
    created: int
    updated: int
    revision: int


@dataclass(frozen=True, slots=True)
class SubscriptionFilter:
    """Which events a subscriber wants: `types` and `form_ids` as it has them."""

    id: str
    customer_id: str
    types: tuple[str, ...]
    form_ids: tuple[str, ...]

    def matches(self, type_: str, form_id: str | None) -> bool:
        """Whether an event is for it."""
        wanted = not self.types or any(matches_pattern(pattern, type_) for pattern in self.types)
        return wanted and (not self.form_ids or form_id in self.form_ids)


def matches_pattern(pattern: str, type_: str) -> bool:
    """Whether a type is this one, or begins as one that ends in `*`."""
    return type_.startswith(pattern[:-1]) if pattern.endswith("*") else type_ == pattern


@dataclass(frozen=True, slots=True)
class NewSubscriber:
    """What a subscriber is made from."""

    name: str
    url: str
    types: Sequence[str]
    form_ids: Sequence[str]
    headers: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SubscriberChange:
    """What of a subscriber is to be another; None leaves it."""

    name: str | None = None
    url: str | None = None
    types: Sequence[str] | None = None
    form_ids: Sequence[str] | None = None
    status: SubscriberStatus | None = None
    headers: Mapping[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event on its way to one subscriber, taken by a worker until its lease ends.

    `previous` is the sequence of the event before it for this subscriber, 0 for the first; None where it is not known.
    `secrets` and `headers` are sealed.
    """

    id: str
    customer_id: str
    subscriber_id: str
    event_id: str
    sequence: int
    previous: int | None
    attempts: int
    lease: str
    url: str
    secrets: tuple[str, ...]
    headers: str
    body: str
    earlier_attempts: int = 0
    """How many of `tries` were made before its schedule began anew."""
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try: what came back, or what went wrong. Times in milliseconds."""

    number: int
    started: int
    duration: int
    outcome: str
    status_code: int | None = None
    error: str | None = None
    response_body: str | None = None


@dataclass(frozen=True, slots=True)
class Invocation:
    """A delivery as people and systems see it; `due` is when the next try is, None when it has ended."""

    id: str
    customer_id: str
    subscriber_id: str
    event_id: str
    sequence: int
    type: str
    status: InvocationStatus
    attempt_count: int
    due: int | None
    created: int
    attempts: tuple[Attempt, ...] = ()


class EventCatalogue(Protocol):
    """What is known of events outside this room: how they are called, and the bytes of one that is a test."""

    @property
    def types(self) -> Mapping[str, tuple[str, str]]:
        """Each type of event: its category, and what causes it."""

    def build_test_event(self, customer_id: str, event_id: str, now: int) -> LoggedEvent:
        """An event that tells of nothing but that events arrive."""


class SubscriberNotFound(NotFound):
    """No such subscriber in this account."""

    code = "subscriber.not_found"
    detail = "There is no such subscriber in this account."


class InvocationNotFound(NotFound):
    """No such invocation of this subscriber."""

    code = "invocation.not_found"
    detail = "This subscriber has no such invocation."


class SubscriberIsDisabled(Conflict):
    """Nothing is sent to it."""

    code = "subscriber.is_disabled"
    detail = "This subscriber is disabled, so nothing is sent to it. Enable it first."


class SubscriberGone(Conflict):
    """The subscriber was deleted; only the log of what was sent to it is here."""

    code = "subscriber.gone"
    detail = "This subscriber was deleted, so nothing is sent to it any more."


class InvocationEnded(Conflict):
    """It waits for nothing any more."""

    code = "invocation.ended"
    detail = "This delivery has ended already; there is nothing to cancel."


class InvocationInProgress(Conflict):
    """A worker has it in hand."""

    code = "invocation.under_way"
    detail = "This delivery is being sent right now. Try again in a moment."


class EventExpired(Conflict):
    """There is nothing left of it to be sent."""

    code = "invocation.not_kept"
    detail = "The event of this delivery is not kept any more, so it cannot be sent again."


class EventNotFound(NotFound):
    """No such event in this account's log."""

    code = "event.not_found"
    detail = "There is no such event in this account's log."


class SubscriberLimitReached(Conflict):
    """The account has all the subscribers it may have."""

    code = "subscriber.limit_reached"
    detail = f"An account has at most {MAX_SUBSCRIBERS} subscribers. Delete one that is no longer used."
