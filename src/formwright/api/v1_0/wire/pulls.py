"""Pulls: where a datasource's rows are fetched, how often, and how that went."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from formwright.api.v1_0.wire.bad_rows import BadRowShape, bad_rows
from formwright.api.v1_0.wire.basics import Request, Resource, Timestamp, given, optional_time
from formwright.domain.datasources import pull as model
from formwright.domain.datasources.pull import PullStatus, PullWish, duration_of

Url = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2048,
        description="An https address of a CSV, an .xlsx or .xls file, a JSON array of objects, or a JSON object whose"
        " `rows` are one. No redirect is followed.",
    ),
]
Every = Annotated[
    str,
    Meta(
        max_length=20,
        description="An ISO 8601 duration from 15 minutes to a week; a day where none is named.",
        examples=["PT15M", "PT6H", "P1D"],
    ),
]
HeaderName = Annotated[str, Meta(min_length=1, max_length=100)]
HeaderValue = Annotated[str, Meta(min_length=1, max_length=4000)]
Headers = Annotated[dict[HeaderName, HeaderValue | None], Meta(max_length=model.MAX_HEADERS)]


class PullCreate(Request):
    """Where rows are to be fetched."""

    url: Url
    headers: Annotated[
        dict[HeaderName, HeaderValue],
        Meta(max_length=model.MAX_HEADERS, description="Sent along, kept encrypted, never shown again."),
    ] = {}
    every: Every = "P1D"

    def wish(self) -> PullWish:
        """What the domain makes a pull from."""
        return PullWish(self.url, dict(self.headers), self.every)


class PullUpdate(Request):
    """What of a pull is to be another; what is left out stays."""

    url: Url | UnsetType = UNSET
    headers: Annotated[
        Headers | UnsetType,
        Meta(
            description="All headers from then on; null keeps the value that is there, unless the URL leads to"
            " another server.",
        ),
    ] = UNSET
    every: Every | UnsetType = UNSET

    def wish(self) -> PullWish:
        """What the domain changes a pull to."""
        return PullWish(given(self.url), given(self.headers), given(self.every))


class Pull(Resource):
    """Where rows are fetched, and how that went."""

    url: str
    headers: Annotated[dict[str, None], Meta(description="The names of the headers that are sent along.")]
    every: Annotated[str, Meta(description="ISO 8601.")]
    status: Annotated[PullStatus | None, Meta(description="Of the last pull; null before the first.")]
    last_started: Timestamp | None
    last_ended: Timestamp | None
    duration_ms: Annotated[int | None, Meta(description="Of the last pull that ended.")]
    rows: Annotated[int | None, Meta(description="How many the last pull that succeeded brought.")]
    detail: Annotated[str, Meta(description="Why the last pull failed; empty when it did not.")]
    bad_rows: Annotated[list[BadRowShape], Meta(description="The first 100 of the rows for which it failed.")]
    next_due: Annotated[Timestamp | None, Meta(description="Null while it runs.")]


def pull(record: model.Pull) -> Pull:
    """The record as the API shows it."""
    return Pull(
        url=record.url,
        headers=dict.fromkeys(record.headers),
        every=duration_of(record.every_s),
        status=record.status,
        last_started=optional_time(record.started),
        last_ended=optional_time(record.ended),
        duration_ms=record.took,
        rows=record.rows,
        detail=record.detail,
        bad_rows=bad_rows(record.bad),
        next_due=optional_time(record.due),
    )
