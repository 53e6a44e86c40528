"""Shapes of Webhooks.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class ClientSubmissionState(TypedDict):
    """A submission as the other side holds it."""

    id: str
    revision: int


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


class EventList(TypedDict):
    """A page of the event log."""

    items: list[Event]
    next: str | None
    oldestAvailable: int | None
    newestAvailable: int | None


class EventReplay(TypedDict):
    """What was put on its way."""

    count: int
    throughSequence: int
    more: bool


class EventReplayCreate(TypedDict):
    """What is to be sent once more."""

    afterSequence: NotRequired[int | None]
    since: NotRequired[str | None]
    types: NotRequired[list[str]]


class EventType(TypedDict):
    """A type of event."""

    type: str
    category: str
    description: str
    schema: dict[str, Any]
    example: dict[str, Any]


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
    attempts: list[InvocationAttempt]
    created: str


class InvocationAttempt(TypedDict):
    """One try to deliver."""

    number: int
    started: str
    durationMs: int
    outcome: str
    statusCode: int | None
    error: str | None
    answer: str | None


InvocationStatus: TypeAlias = Literal["CANCELLED", "EXPIRED", "FAILED", "PENDING", "SUCCEEDED"]
"""Status of a delivery."""


class ReconciliationDay(TypedDict):
    """What a form has of a day."""

    formId: str
    day: str
    count: int
    checksum: str


class ReconciliationDifference(TypedDict):
    """What differs."""

    missing: list[SubmissionState]
    stale: list[SubmissionState]
    deleted: list[str]


class ReconciliationRequest(TypedDict):
    """What the other side holds of a part of the submissions."""

    submissions: list[ClientSubmissionState]
    formIds: NotRequired[list[str]]
    submittedFrom: NotRequired[str | None]
    submittedTo: NotRequired[str | None]


class SecretRotation(TypedDict):
    """How the secret is to be replaced."""

    overlapHours: NotRequired[int]


class SubmissionState(TypedDict):
    """A submission as it is here."""

    id: str
    revision: int


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


class SubscriberCreate(TypedDict):
    """Where events are to be sent, and which."""

    url: str
    name: NotRequired[str]
    types: NotRequired[list[str]]
    formIds: NotRequired[list[str]]
    headers: NotRequired[dict[str, str]]


SubscriberStatus: TypeAlias = Literal["ACTIVE", "DISABLED"]
"""Whether events are delivered."""


class SubscriberUpdate(TypedDict):
    """What of a subscriber is to be another."""

    url: NotRequired[str]
    name: NotRequired[str]
    types: NotRequired[list[str]]
    formIds: NotRequired[list[str]]
    status: NotRequired[SubscriberStatus]
    headers: NotRequired[dict[str, str | None]]


class SubscriberWithSecret(TypedDict):
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
