"""Schemas of Webhooks."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final


@final
class ClientSubmissionState(TypedDict):
    """A submission in your copy."""

    id: str
    """The id of a submission."""
    revision: int
    """The revision in your copy."""


@final
class EventReplay(TypedDict):
    """The deliveries that a replay created."""

    count: int
    """The number of deliveries that were created."""
    throughSequence: int
    """The sequence up to which the log was replayed."""
    more: bool
    """Whether there are more events: then repeat with `throughSequence` as `afterSequence`."""


@final
class EventReplayCreate(TypedDict):
    """The events to send again."""

    afterSequence: NotRequired[int | None]
    """Send events with a greater sequence."""
    since: NotRequired[str | None]
    """Send events recorded at or after this time."""
    types: NotRequired[list[str]]
    """Of the subscriber's types, only these. Empty: all."""


@final
class EventType(TypedDict):
    """An event type."""

    type: str
    """The name of the event type."""
    category: str
    """The category of the event type."""
    description: str
    """What causes the event."""
    schema: dict[str, Any]
    """The JSON Schema (2020-12) of the whole event."""
    example: dict[str, Any]
    """An example of the event."""


@final
class FailedInvocationRetry(TypedDict):
    """The deliveries that are sent again."""

    count: int
    """The number of deliveries that are sent again."""
    more: bool
    """Whether there may be more failed deliveries: then repeat the request."""


@final
class Invocation(TypedDict):
    """The delivery of one event to one subscriber, with its attempts."""

    id: str
    """The id of a delivery."""
    subscriberId: str
    """The id of a subscriber."""
    eventId: str
    """The id of an event."""
    sequence: int
    """The position of the event in the log; 0 for a test event, which is not in it."""
    type: str
    """The type of the event."""
    status: InvocationStatus
    """The status of a delivery. `PENDING`: an attempt is due or running. `SUCCEEDED`: the subscriber
    acknowledged the event. `FAILED`: all attempts failed. `CANCELLED`: the delivery was cancelled.
    `EXPIRED`: the event was deleted before it could be delivered.
    """
    tries: int
    """The number of attempts that were made."""
    nextTry: str | None
    """When the next attempt is due; null if the delivery has ended."""
    attempts: list[InvocationAttempt]
    """The attempts, oldest first."""
    created: str
    """When the resource was created."""


@final
class InvocationAttempt(TypedDict):
    """One attempt of a delivery."""

    number: int
    """Counts the attempts, from 1."""
    started: str
    """When the attempt started."""
    durationMs: int
    """The duration of the attempt in milliseconds."""
    outcome: str
    """`success` (a 2xx status), `refused` (any other status), `interrupted` (the worker stopped), or the
    reason of the failure: `dns`, `forbidden`, `connect`, `tls`, `timeout`, `reset`, `protocol`, `secret`
    or `failed`.
    """
    statusCode: int | None
    """The status of the response; null if there was none."""
    error: str | None
    """An explanation of the failure for people."""
    answer: str | None
    """The first 2 KiB of the response body."""


InvocationStatus: TypeAlias = Literal["CANCELLED", "EXPIRED", "FAILED", "PENDING", "SUCCEEDED"]
"""The status of a delivery. `PENDING`: an attempt is due or running. `SUCCEEDED`: the subscriber
acknowledged the event. `FAILED`: all attempts failed. `CANCELLED`: the delivery was cancelled.
`EXPIRED`: the event was deleted before it could be delivered.
"""


@final
class ReconciliationDay(TypedDict):
    """The submissions of a form on one day."""

    formId: str
    """The id of a form."""
    day: str
    """The UTC day on which they were submitted (or started, if they are not submitted)."""
    count: int
    """The number of submissions."""
    checksum: str
    """The SHA-256, in hexadecimal, of the lines `id:revision`, sorted by id, each ending in a line feed."""


@final
class ReconciliationDifference(TypedDict):
    """The differences between the server and your copy."""

    missing: list[SubmissionState]
    """Submissions that are missing from your copy."""
    stale: list[SubmissionState]
    """Submissions with another revision on the server."""
    deleted: list[str]
    """Submissions that no longer exist on the server."""


@final
class ReconciliationRequest(TypedDict):
    """The submissions in your copy, and which of the server's submissions to compare them with."""

    submissions: list[ClientSubmissionState]
    """The submissions in your copy."""
    formIds: NotRequired[list[str]]
    """Compare only submissions of these forms. Empty: of all forms."""
    submittedFrom: NotRequired[str | None]
    """Only submissions submitted at or after this time (or started, if they are not submitted)."""
    submittedTo: NotRequired[str | None]
    """Only submissions submitted before this time (or started, if they are not submitted)."""


@final
class SecretRotation(TypedDict):
    """Options for replacing the secret of a subscriber."""

    overlapHours: NotRequired[int]
    """How many hours the old secret signs deliveries too. 0: it stops immediately."""


@final
class SubmissionState(TypedDict):
    """A submission on the server."""

    id: str
    """The id of a submission."""
    revision: int
    """The current revision on the server."""


@final
class Subscriber(TypedDict):
    """A webhook."""

    id: str
    """The id of a subscriber."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the subscriber."""
    url: str
    """The URL that receives the events."""
    types: list[str]
    """The event types it receives: exact types, `noun.*`, or `*`. Empty: all types."""
    formIds: list[str]
    """The forms whose events it receives. Empty: all events, also without a form."""
    headers: dict[str, None]
    """The names of the headers sent with each delivery. Their values are not shown and are null."""
    status: SubscriberStatus
    """The status of a subscriber. `ACTIVE`: events are delivered. `DISABLED`: events wait until it is active
    again.
    """
    reason: str | None
    """Why the subscriber is disabled, or null if it is active."""
    failingSince: str | None
    """When the first of the current failures occurred, or null if the last attempt succeeded."""
    heldUntil: str | None
    """The subscriber is paused because deliveries fail. This is the earliest time of the next attempt, or
    null if it is not paused.
    """
    oldSecretUntil: str | None
    """Until this time, deliveries are signed with a previous secret too. Null: only with one."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class SubscriberCreate(TypedDict):
    """A new subscriber."""

    url: str
    """The `https` URL that receives the events."""
    name: NotRequired[str]
    """The name of the subscriber."""
    types: NotRequired[list[str]]
    """The event types that the subscriber receives. Empty: all types."""
    formIds: NotRequired[list[str]]
    """The forms whose events the subscriber receives. Empty: all events, including those without a form."""
    headers: NotRequired[dict[str, str]]
    """Headers sent with each delivery. They are stored encrypted; their values are not shown again."""


SubscriberStatus: TypeAlias = Literal["ACTIVE", "DISABLED"]
"""The status of a subscriber. `ACTIVE`: events are delivered. `DISABLED`: events wait until it is active
again.
"""


@final
class SubscriberUpdate(TypedDict):
    """The properties of a subscriber to change."""

    url: NotRequired[str]
    """The `https` URL that receives the events."""
    name: NotRequired[str]
    """The name of the subscriber."""
    types: NotRequired[list[str]]
    """The event types that the subscriber receives. Empty: all types."""
    formIds: NotRequired[list[str]]
    """The forms whose events the subscriber receives. Empty: all events, including those without a form."""
    status: NotRequired[SubscriberStatus]
    """While it is `DISABLED`, new events wait. They are sent once it is `ACTIVE` again."""
    headers: NotRequired[dict[str, str | None]]
    """All headers from now on. Null keeps the current value of a header, unless you change the URL to
    another server.
    """


@final
class SubscriberWithSecret(TypedDict):
    """A subscriber with its new secret."""

    id: str
    """The id of a subscriber."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the subscriber."""
    url: str
    """The URL that receives the events."""
    types: list[str]
    """The event types it receives: exact types, `noun.*`, or `*`. Empty: all types."""
    formIds: list[str]
    """The forms whose events it receives. Empty: all events, also without a form."""
    headers: dict[str, None]
    """The names of the headers sent with each delivery. Their values are not shown and are null."""
    status: SubscriberStatus
    """The status of a subscriber. `ACTIVE`: events are delivered. `DISABLED`: events wait until it is active
    again.
    """
    reason: str | None
    """Why the subscriber is disabled, or null if it is active."""
    failingSince: str | None
    """When the first of the current failures occurred, or null if the last attempt succeeded."""
    heldUntil: str | None
    """The subscriber is paused because deliveries fail. This is the earliest time of the next attempt, or
    null if it is not paused.
    """
    oldSecretUntil: str | None
    """Until this time, deliveries are signed with a previous secret too. Null: only with one."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""
    secret: str
    """The secret that signs the deliveries: `whsec_` and base64 (Standard Webhooks 1.0.0). It is not shown
    again.
    """
