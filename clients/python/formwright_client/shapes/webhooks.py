"""Shapes of Webhooks.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Attempt(TypedDict):
    """One try to deliver."""

    number: int
    started: str
    durationMs: int
    outcome: str
    statusCode: int | None
    error: str | None
    answer: str | None


class Day(TypedDict):
    """What a form has of a day."""

    formId: str
    day: str
    count: int
    checksum: str


class Difference(TypedDict):
    """What differs."""

    missing: list[HeldHere]
    stale: list[HeldHere]
    deleted: list[str]


class EventList(TypedDict):
    """A page of the event log."""

    items: list[Event]
    next: str | None
    oldestAvailable: int | None
    newestAvailable: int | None


class EventType(TypedDict):
    """A type of event."""

    type: str
    category: str
    description: str
    schema: dict[str, Any]
    example: dict[str, Any]


class Event(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: dict[str, Any]
    erased: NotRequired[bool]


class HeldHere(TypedDict):
    """A submission as it is here."""

    id: str
    revision: int


class Invocation(TypedDict):
    """The delivery of one event to one subscriber, with its tries."""

    id: str
    subscriberId: str
    eventId: str
    sequence: int
    type: str
    status: InvocationStatus
    tries: int
    nextTry: str | None
    attempts: list[Attempt]
    created: str


InvocationStatus: TypeAlias = Literal["CANCELLED", "EXPIRED", "FAILED", "PENDING", "SUCCEEDED"]
"""How a delivery stands."""


class Pair(TypedDict):
    """A submission as the other side holds it."""

    id: str
    revision: int


class Reconciliation(TypedDict):
    """What the other side holds of a part of the submissions."""

    submissions: list[Pair]
    formIds: NotRequired[list[str]]
    submittedFrom: NotRequired[str | None]
    submittedTo: NotRequired[str | None]


class ReplayWish(TypedDict):
    """What is to be sent once more."""

    afterSequence: NotRequired[int | None]
    since: NotRequired[str | None]
    types: NotRequired[list[str]]


class Replayed(TypedDict):
    """What was put on its way."""

    count: int
    throughSequence: int
    more: bool


class Rotation(TypedDict):
    """How the secret is to be replaced."""

    overlapHours: NotRequired[int]


class Subscriber(TypedDict):
    """A receiver of events."""

    id: str
    customerId: str
    name: str
    url: str
    types: list[str]
    formIds: list[str]
    headers: dict[str, None]
    status: SubscriberStatus
    reason: str | None
    failingSince: str | None
    heldUntil: str | None
    oldSecretUntil: str | None
    created: str
    updated: str
    revision: int


class SubscriberChange(TypedDict):
    """What of a subscriber is to be another."""

    url: NotRequired[str]
    name: NotRequired[str]
    types: NotRequired[list[str]]
    formIds: NotRequired[list[str]]
    status: NotRequired[SubscriberStatus]
    headers: NotRequired[dict[str, str | None]]


class SubscriberCreate(TypedDict):
    """Where events are to be sent, and which."""

    url: str
    name: NotRequired[str]
    types: NotRequired[list[str]]
    formIds: NotRequired[list[str]]
    headers: NotRequired[dict[str, str]]


class SubscriberMade(TypedDict):
    """A new subscriber, with the secret that signs what is sent to it."""

    id: str
    customerId: str
    name: str
    url: str
    types: list[str]
    formIds: list[str]
    headers: dict[str, None]
    status: SubscriberStatus
    reason: str | None
    failingSince: str | None
    heldUntil: str | None
    oldSecretUntil: str | None
    created: str
    updated: str
    revision: int
    secret: str


SubscriberStatus: TypeAlias = Literal["ACTIVE", "DISABLED"]
"""Whether events are delivered."""
