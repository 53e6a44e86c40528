"""Events, subscribers, and the deliveries between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from formwright.core.errors import Conflict, NotFound
from formwright.domain.webhooks.health import DeliveryHealth

MAX_SUBSCRIBERS = 100
TEST_SEQUENCE = 0
"""The sequence of test events, which are not in the log."""


class SubscriberStatus(StrEnum):
    """The status of a subscriber. `ACTIVE`: events are delivered. `DISABLED`: events wait until it is active again."""

    ACTIVE = "ACTIVE"
    DISABLED = "DISABLED"


class InvocationStatus(StrEnum):
    """The status of a delivery. `PENDING`: an attempt is due or running. `SUCCEEDED`: the subscriber acknowledged the
    event. `FAILED`: all attempts failed. `CANCELLED`: the delivery was cancelled. `EXPIRED`: the event was deleted
    before it could be delivered.
    """

    PENDING = "PENDING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"
    """The event was deleted from the log before it could be delivered."""


class LoggedEvent(Struct, frozen=True):
    """A stored event. `body` is delivered unchanged, byte for byte.

    `trace` is the trace context (W3C `traceparent`) of the request that caused the event, if that request was traced.
    It is stored with the event, but only read together with its deliveries. An event that `is_silent` gets no
    deliveries; that is not stored.
    """

    id: str
    customer_id: str
    sequence: int
    type: str
    form_id: str | None
    created: int
    body: str
    trace: str | None = None
    is_silent: bool = False


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A webhook subscription.

    `types` are exact event types or prefixes that end in `*`. Empty `types` or `form_ids` match everything.
    `secret` and `headers` are encrypted. `retiring` contains the previous secrets that still sign, encrypted, each with
    the time (milliseconds) at which it expires.
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
    health: DeliveryHealth
    created: int
    updated: int
    revision: int


@dataclass(frozen=True, slots=True)
class SubscriptionFilter:
    """The events that a subscriber receives; `types` and `form_ids` are those of `Subscriber`."""

    id: str
    customer_id: str
    types: tuple[str, ...]
    form_ids: tuple[str, ...]
    last_sequence: int
    """The sequence of the last event that was enqueued for it."""

    def matches(self, type_: str, form_id: str | None) -> bool:
        """Whether the subscriber receives an event of this type and form."""
        type_matches = not self.types or any(matches_pattern(pattern, type_) for pattern in self.types)
        return type_matches and (not self.form_ids or form_id in self.form_ids)


def matches_pattern(pattern: str, type_: str) -> bool:
    """Whether an event type equals the pattern, or starts with it if the pattern ends in `*`."""
    return type_.startswith(pattern[:-1]) if pattern.endswith("*") else type_ == pattern


@dataclass(frozen=True, slots=True)
class NewSubscriber:
    """Input for creating a subscriber."""

    name: str
    url: str
    types: Sequence[str]
    form_ids: Sequence[str]
    headers: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SubscriberChange:
    """Changes to a subscriber. None leaves a property as it is, as does a None value in `headers`."""

    name: str | None = None
    url: str | None = None
    types: Sequence[str] | None = None
    form_ids: Sequence[str] | None = None
    status: SubscriberStatus | None = None
    headers: Mapping[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """A delivery that a worker has claimed until its lease expires: one event for one subscriber.

    `previous` is the sequence of the previous event for this subscriber, 0 for the first event and None if unknown.
    `attempts` counts the current attempt. `secrets` and `headers` are encrypted.
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
    """How many of `attempts` were made before a manual retry restarted the schedule."""
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt: the receiver's response, or the error. Times in milliseconds."""

    number: int
    started: int
    duration: int
    outcome: str
    status_code: int | None = None
    error: str | None = None
    response_body: str | None = None


@dataclass(frozen=True, slots=True)
class Invocation:
    """A delivery as shown in the API and the pages.

    `due` is the time of the next attempt in milliseconds; None if there is none.
    """

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
    """What this package needs to know about event types: their names, and the bytes of a test event."""

    @property
    def types(self) -> Mapping[str, tuple[str, str]]:
        """The category and the cause of each event type, by its name."""

    def build_test_event(self, customer_id: str, event_id: str, now: int) -> LoggedEvent:
        """Return an event that only proves that events arrive. It is not logged."""


class SubscriberNotFound(NotFound):
    """No such subscriber in this account."""

    code = "subscriber.not_found"
    detail = "There is no such subscriber in this account."


class InvocationNotFound(NotFound):
    """No such invocation of this subscriber."""

    code = "invocation.not_found"
    detail = "This subscriber has no such invocation."


class SubscriberIsDisabled(Conflict):
    """A test or retry was requested for a disabled subscriber."""

    code = "subscriber.is_disabled"
    detail = "This subscriber is disabled and receives no events. Enable it first."


class SubscriberGone(Conflict):
    """The subscriber was deleted; only its delivery log is left."""

    code = "subscriber.gone"
    detail = "This subscriber was deleted, so its deliveries cannot be retried."


class InvocationEnded(Conflict):
    """The delivery is not pending."""

    code = "invocation.ended"
    detail = "This delivery is not pending, so it cannot be cancelled."


class InvocationInProgress(Conflict):
    """A worker is sending the delivery."""

    code = "invocation.under_way"
    detail = "This delivery is being sent right now. Try again in a moment."


class EventExpired(Conflict):
    """The event of the delivery was deleted from the log."""

    code = "invocation.not_kept"
    detail = "The event of this delivery is no longer stored, so it cannot be sent again."


class EventNotFound(NotFound):
    """No such event in this account's log."""

    code = "event.not_found"
    detail = "There is no such event in this account's log."


class SubscriberLimitReached(Conflict):
    """The account has reached `MAX_SUBSCRIBERS`."""

    code = "subscriber.limit_reached"
    detail = f"An account can have at most {MAX_SUBSCRIBERS} subscribers. Delete one that is no longer used."
