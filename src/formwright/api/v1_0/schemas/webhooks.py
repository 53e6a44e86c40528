"""Subscribers and invocations."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    EventId,
    FormId,
    InvocationId,
    Moment,
    Name,
    Request,
    Resource,
    SubscriberId,
    Timestamp,
    optional_ms,
    optional_time,
    value_or_none,
)
from formwright.api.v1_0.schemas.events import CATALOGUE
from formwright.api.v1_0.schemas.subscriber import Subscriber, members
from formwright.core.clock import rfc3339
from formwright.core.errors import Invalid
from formwright.domain.webhooks import models
from formwright.domain.webhooks.models import InvocationStatus, SubscriberStatus
from formwright.domain.webhooks.redelivery import Replay, ReplayRequest

_NOUNS = sorted({name.partition(".")[0] for name in CATALOGUE})
TypePattern = Annotated[
    str,
    Meta(
        pattern=rf"^(\*|({'|'.join(_NOUNS)})\.\*|{'|'.join(sorted(CATALOGUE)).replace('.', '[.]')})$(?!\n)",
        description="A type of event, `*`, or all of a noun: `submission.*`.",
        examples=["submission.submitted"],
    ),
]


class SubscriberCreate(Request):
    """Where events are to be sent, and which."""

    url: Annotated[str, Meta(min_length=1, max_length=2048, description="An https address.")]
    name: Name = "Webhook"
    types: Annotated[list[TypePattern], Meta(max_length=100, description="None: all.")] = []
    form_ids: Annotated[list[FormId], Meta(max_length=500, description="Only events of these forms. None: all.")] = []
    headers: Annotated[
        dict[str, str], Meta(max_length=20, description="Sent with each delivery. Kept encrypted, never shown.")
    ] = {}

    def to_domain(self) -> models.NewSubscriber:
        """What the domain makes a subscriber from."""
        return models.NewSubscriber(self.name, self.url, self.types, self.form_ids, self.headers)


class SubscriberUpdate(Request):
    """What of a subscriber is to be another; what is not named stays."""

    url: Annotated[str, Meta(min_length=1, max_length=2048, description="An https address.")] | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    types: Annotated[list[TypePattern], Meta(max_length=100, description="None: all.")] | UnsetType = UNSET
    form_ids: Annotated[list[FormId], Meta(max_length=500, description="None: all.")] | UnsetType = UNSET
    status: (
        Annotated[
            SubscriberStatus,
            Meta(description="What comes while it is disabled waits, and is sent once it is enabled."),
        ]
        | UnsetType
    ) = UNSET
    headers: (
        Annotated[
            dict[str, str | None],
            Meta(
                max_length=20, description="All of them from now on; null keeps a value, while the server is the same."
            ),
        ]
        | UnsetType
    ) = UNSET

    def change(self) -> models.SubscriberChange:
        """What the domain changes."""
        return models.SubscriberChange(
            value_or_none(self.name),
            value_or_none(self.url),
            value_or_none(self.types),
            value_or_none(self.form_ids),
            value_or_none(self.status),
            value_or_none(self.headers),
        )


class SecretRotation(Request):
    """How the secret is to be replaced."""

    overlap_hours: Annotated[
        int, Meta(ge=0, le=168, description="For so long the secret until now signs too. 0: no other signs any more.")
    ] = 24


class EventReplayCreate(Request):
    """What is to be sent once more: exactly one of `afterSequence` and `since`."""

    after_sequence: Annotated[int, Meta(ge=0, le=2**53, description="Events with a greater sequence.")] | None = None
    since: Annotated[Moment, Meta(description="Events of this moment and later.")] | None = None
    types: Annotated[list[TypePattern], Meta(max_length=100, description="Of those that it wants. None: all.")] = []

    def to_request(self) -> ReplayRequest:
        """What the domain replays; `Invalid` where it says both or neither."""
        if (self.after_sequence is None) == (self.since is None):
            raise Invalid.at("/afterSequence", "replay.from", "Say either afterSequence or since.")
        return ReplayRequest(self.after_sequence, optional_ms(self.since), self.types)


class EventReplay(Resource):
    """What was put on its way."""

    count: Annotated[int, Meta(description="So many deliveries were made.")]
    through_sequence: Annotated[int, Meta(description="The log was gone through up to here.")]
    more: Annotated[bool, Meta(description="Ask once more, with this as `afterSequence`: there is more behind it.")]


class InvocationQuery(PageQuery):
    """Which deliveries are meant."""

    status: Annotated[InvocationStatus, Meta(description="Only these.")] | None = None


class SubscriberWithSecret(Subscriber):
    """A new subscriber, with the secret that signs what is sent to it."""

    secret: Annotated[str, Meta(description="Shown only now. `whsec_` and base64 (Standard Webhooks 1.0.0).")]


class InvocationAttempt(Resource):
    """One try to deliver."""

    number: int
    started: Timestamp
    duration_ms: int
    outcome: Annotated[
        str,
        Meta(
            description="`success`, `refused` (an answer that is none), `interrupted`, or the kind"
            " of failure: dns, forbidden, connect, tls, timeout, reset, protocol, secret, failed."
        ),
    ]
    status_code: int | None
    error: str | None
    answer: Annotated[str | None, Meta(description="The first 2 KiB of what came back.")]


class Invocation(Resource):
    """The delivery of one event to one subscriber, with its tries."""

    id: InvocationId
    subscriber_id: SubscriberId
    event_id: EventId
    sequence: Annotated[int, Meta(description="The event's place in the log; 0 for a test, which stands in none.")]
    type: str
    status: InvocationStatus
    tries: int
    next_try: Annotated[Timestamp | None, Meta(description="When it is tried next; null when it has ended.")]
    attempts: list[InvocationAttempt]
    created: Timestamp


def subscriber_with_secret(record: models.Subscriber, secret: str) -> SubscriberWithSecret:
    """The same, with the secret."""
    return SubscriberWithSecret(**members(record), secret=secret)


def event_replay(record: Replay) -> EventReplay:
    """The record as the API shows it."""
    return EventReplay(count=record.count, through_sequence=record.through, more=record.more)


def invocation(record: models.Invocation) -> Invocation:
    """The record as the API shows it."""
    return Invocation(
        id=record.id,
        subscriber_id=record.subscriber_id,
        event_id=record.event_id,
        sequence=record.sequence,
        type=record.type,
        status=record.status,
        tries=record.attempt_count,
        next_try=optional_time(None if record.due is None else max(record.due, record.created)),
        attempts=[_attempt(attempt) for attempt in record.attempts],
        created=rfc3339(record.created),
    )


def _attempt(record: models.Attempt) -> InvocationAttempt:
    return InvocationAttempt(
        number=record.number,
        started=rfc3339(record.started),
        duration_ms=record.duration,
        outcome=record.outcome,
        status_code=record.status_code,
        error=record.error,
        answer=record.response_body,
    )
