"""Schemas of subscribers and their deliveries."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    Created,
    EventId,
    FormId,
    InvocationId,
    Moment,
    Name,
    RequestBody,
    Resource,
    SubscriberId,
    Timestamp,
    optional_ms,
    optional_time,
    value_or_none,
)
from formwright.api.v1_0.schemas.events import CATALOGUE
from formwright.api.v1_0.schemas.subscriber import Subscriber, subscriber
from formwright.core.errors import Invalid
from formwright.domain.webhooks import models
from formwright.domain.webhooks.models import InvocationStatus, SubscriberStatus
from formwright.domain.webhooks.redelivery import FailedRetry, Replay, ReplayRequest

_NOUNS = sorted({name.partition(".")[0] for name in CATALOGUE})
TypePattern = Annotated[
    str,
    Meta(
        pattern=rf"^(\*|({'|'.join(_NOUNS)})\.\*|{'|'.join(sorted(CATALOGUE)).replace('.', '[.]')})$(?!\n)",
        description="An event type, all types of a noun (`submission.*`), or `*`.",
        examples=["submission.submitted"],
    ),
]


_NAME = Meta(description="The name of the subscriber.")
_TYPES = Meta(max_length=100, description="The event types that the subscriber receives. Empty: all types.")
_FORM_IDS = Meta(
    max_length=500,
    description="The forms whose events the subscriber receives. Empty: all events, including those without a form.",
)


class SubscriberCreate(RequestBody):
    """A new subscriber: a URL, and the events it receives."""

    url: Annotated[str, Meta(min_length=1, max_length=2048, description="The `https` URL that receives the events.")]
    name: Annotated[Name, _NAME] = "Webhook"
    types: Annotated[list[TypePattern], _TYPES] = []
    form_ids: Annotated[list[FormId], _FORM_IDS] = []
    headers: Annotated[
        dict[str, str],
        Meta(
            max_length=20,
            description="Headers sent with each delivery. They are stored encrypted; their values are not shown again.",
        ),
    ] = {}

    def to_domain(self) -> models.NewSubscriber:
        return models.NewSubscriber(self.name, self.url, self.types, self.form_ids, self.headers)


class SubscriberUpdate(RequestBody):
    """The properties of a subscriber to change. Those you omit stay unchanged."""

    url: (
        Annotated[str, Meta(min_length=1, max_length=2048, description="The `https` URL that receives the events.")]
        | UnsetType
    ) = UNSET
    name: Annotated[Name, _NAME] | UnsetType = UNSET
    types: Annotated[list[TypePattern], _TYPES] | UnsetType = UNSET
    form_ids: Annotated[list[FormId], _FORM_IDS] | UnsetType = UNSET
    status: (
        Annotated[
            SubscriberStatus,
            Meta(description="While it is `DISABLED`, new events wait. They are sent once it is `ACTIVE` again."),
        ]
        | UnsetType
    ) = UNSET
    headers: (
        Annotated[
            dict[str, str | None],
            Meta(
                max_length=20,
                description="All headers from now on. Null keeps the current value of a header, unless you change the"
                " URL to another server.",
            ),
        ]
        | UnsetType
    ) = UNSET

    def change(self) -> models.SubscriberChange:
        return models.SubscriberChange(
            value_or_none(self.name),
            value_or_none(self.url),
            value_or_none(self.types),
            value_or_none(self.form_ids),
            value_or_none(self.status),
            value_or_none(self.headers),
        )


class SecretRotation(RequestBody):
    """Options for replacing the secret of a subscriber."""

    overlap_hours: Annotated[
        int,
        Meta(ge=0, le=168, description="How many hours the old secret signs deliveries too. 0: it stops immediately."),
    ] = 24


class EventReplayCreate(RequestBody):
    """The events to send again. Use exactly one of `afterSequence` and `since`."""

    after_sequence: Annotated[int, Meta(ge=0, le=2**53, description="Send events with a greater sequence.")] | None = (
        None
    )
    since: Annotated[Moment, Meta(description="Send events recorded at or after this time.")] | None = None
    types: Annotated[
        list[TypePattern], Meta(max_length=100, description="Of the subscriber's types, only these. Empty: all.")
    ] = []

    def to_request(self) -> ReplayRequest:
        """Return the replay to start. Raises `Invalid` unless exactly one start is given."""
        if (self.after_sequence is None) == (self.since is None):
            raise Invalid.at("/afterSequence", "replay.from", "Use either afterSequence or since.")
        return ReplayRequest(self.after_sequence, optional_ms(self.since), self.types)


class EventReplay(Resource):
    """The deliveries that a replay created."""

    count: Annotated[int, Meta(description="The number of deliveries that were created.")]
    through_sequence: Annotated[int, Meta(description="The sequence up to which the log was replayed.")]
    more: Annotated[
        bool,
        Meta(description="Whether there are more events: then repeat with `throughSequence` as `afterSequence`."),
    ]


class FailedInvocationRetry(Resource):
    """The deliveries that are sent again."""

    count: Annotated[int, Meta(description="The number of deliveries that are sent again.")]
    more: Annotated[bool, Meta(description="Whether there may be more failed deliveries: then repeat the request.")]


class InvocationQuery(PageQuery):
    """Filters of the list of deliveries."""

    status: Annotated[InvocationStatus, Meta(description="Only deliveries with this status.")] | None = None


class SubscriberWithSecret(Subscriber):
    """A subscriber with its new secret."""

    secret: Annotated[
        str,
        Meta(
            description="The secret that signs the deliveries: `whsec_` and base64 (Standard Webhooks 1.0.0). It is not"
            " shown again."
        ),
    ]


class InvocationAttempt(Resource):
    """One attempt of a delivery."""

    number: Annotated[int, Meta(description="Counts the attempts, from 1.")]
    started: Annotated[Timestamp, Meta(description="When the attempt started.")]
    duration_ms: Annotated[int, Meta(description="The duration of the attempt in milliseconds.")]
    outcome: Annotated[
        str,
        Meta(
            description="`success` (a 2xx status), `refused` (any other status), `interrupted` (the worker stopped), or"
            " the reason of the failure: `dns`, `forbidden`, `connect`, `tls`, `timeout`, `reset`, `protocol`,"
            " `secret` or `failed`."
        ),
    ]
    status_code: Annotated[int | None, Meta(description="The status of the response; null if there was none.")]
    error: Annotated[str | None, Meta(description="An explanation of the failure for people.")]
    answer: Annotated[str | None, Meta(description="The first 2 KiB of the response body.")]


class Invocation(Resource):
    """The delivery of one event to one subscriber, with its attempts."""

    id: InvocationId
    subscriber_id: SubscriberId
    event_id: EventId
    sequence: Annotated[
        int, Meta(description="The position of the event in the log; 0 for a test event, which is not in it.")
    ]
    type: Annotated[str, Meta(description="The type of the event.")]
    status: InvocationStatus
    tries: Annotated[int, Meta(description="The number of attempts that were made.")]
    next_try: Annotated[
        Timestamp | None, Meta(description="When the next attempt is due; null if the delivery has ended.")
    ]
    attempts: Annotated[list[InvocationAttempt], Meta(description="The attempts, oldest first.")]
    created: Created


def subscriber_with_secret(record: models.Subscriber, secret: str) -> SubscriberWithSecret:
    return SubscriberWithSecret.of(subscriber(record), secret=secret)


def event_replay(record: Replay) -> EventReplay:
    return EventReplay(count=record.count, through_sequence=record.through, more=record.more)


def failed_retry(record: FailedRetry) -> FailedInvocationRetry:
    return FailedInvocationRetry(count=record.count, more=record.more)


def invocation(record: models.Invocation) -> Invocation:
    return Invocation.of(
        record,
        tries=record.attempt_count,
        next_try=optional_time(None if record.due is None else max(record.due, record.created)),
        attempts=[_attempt(attempt) for attempt in record.attempts],
    )


def _attempt(record: models.Attempt) -> InvocationAttempt:
    return InvocationAttempt.of(record, duration_ms=record.duration, answer=record.response_body)
