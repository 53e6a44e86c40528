"""Shapes of Webhooks.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class ClientSubmissionState(TypedDict):
    """A submission in your copy."""

    id: str
    revision: int


class Event(TypedDict):
    """A change in the account."""

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
    """The deliveries that a replay created."""

    count: int
    throughSequence: int
    more: bool


class EventReplayCreate(TypedDict):
    """The events to send again."""

    afterSequence: NotRequired[int | None]
    since: NotRequired[str | None]
    types: NotRequired[list[str]]


class EventType(TypedDict):
    """An event type."""

    type: str
    category: str
    description: str
    schema: dict[str, Any]
    example: dict[str, Any]


class Invocation(TypedDict):
    """The delivery of one event to one subscriber, with its attempts."""

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
    """One attempt of a delivery."""

    number: int
    started: str
    durationMs: int
    outcome: str
    statusCode: int | None
    error: str | None
    answer: str | None


InvocationStatus: TypeAlias = Literal["CANCELLED", "EXPIRED", "FAILED", "PENDING", "SUCCEEDED"]
"""The status of a delivery."""


class ReconciliationDay(TypedDict):
    """The submissions of a form on one day."""

    formId: str
    day: str
    count: int
    checksum: str


class ReconciliationDifference(TypedDict):
    """The differences between the server and your copy."""

    missing: list[SubmissionState]
    stale: list[SubmissionState]
    deleted: list[str]


class ReconciliationRequest(TypedDict):
    """The submissions in your copy, and which of the server's submissions to compare them with."""

    submissions: list[ClientSubmissionState]
    formIds: NotRequired[list[str]]
    submittedFrom: NotRequired[str | None]
    submittedTo: NotRequired[str | None]


class SecretRotation(TypedDict):
    """Options for replacing the secret of a subscriber."""

    overlapHours: NotRequired[int]


class SubmissionState(TypedDict):
    """A submission on the server."""

    id: str
    revision: int


class Subscriber(TypedDict):
    """A webhook."""

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
    """A new subscriber."""

    url: str
    name: NotRequired[str]
    types: NotRequired[list[str]]
    formIds: NotRequired[list[str]]
    headers: NotRequired[dict[str, str]]


SubscriberStatus: TypeAlias = Literal["ACTIVE", "DISABLED"]
"""The status of a subscriber."""


class SubscriberUpdate(TypedDict):
    """The properties of a subscriber to change."""

    url: NotRequired[str]
    name: NotRequired[str]
    types: NotRequired[list[str]]
    formIds: NotRequired[list[str]]
    status: NotRequired[SubscriberStatus]
    headers: NotRequired[dict[str, str | None]]


class SubscriberWithSecret(TypedDict):
    """A subscriber with its new secret."""

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
