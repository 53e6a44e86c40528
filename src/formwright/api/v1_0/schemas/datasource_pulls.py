"""Schemas of the pulls of data sources, and of invalid rows."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from formwright.api.v1_0.schemas.base import RequestBody, Resource, Timestamp, optional_time, value_or_none
from formwright.core.tables.base import BadRow
from formwright.domain.datasources.models import MAX_HEADERS, Pull, PullStatus, PullUpdate, format_duration


class DatasourceRowError(Resource):
    """An invalid row, which was not imported."""

    line: Annotated[int, Meta(description="The line in the file, or the position in a JSON array, counted from 1.")]
    column: Annotated[str | None, Meta(description="The name of the column; null if the error concerns the whole row.")]
    code: Annotated[str, Meta(description="A stable code of the error.", examples=["datasource.cell.type"])]
    detail: Annotated[str, Meta(description="An explanation for people.")]


def bad_rows(rows: Sequence[BadRow]) -> list[DatasourceRowError]:
    return [DatasourceRowError.of(row) for row in rows]


Url = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2048,
        description="An `https` URL of a CSV, .xlsx or .xls file, a JSON array of objects, or a JSON object whose"
        " `rows` property is such an array. Redirects are not followed.",
    ),
]
PullInterval = Annotated[
    str,
    Meta(
        max_length=20,
        description="The time between two pulls: an ISO 8601 duration from 15 minutes to a week. Default: a day.",
        examples=["PT15M", "PT6H", "P1D"],
    ),
]
HeaderName = Annotated[str, Meta(min_length=1, max_length=100)]
HeaderValue = Annotated[str, Meta(min_length=1, max_length=4000)]
Headers = Annotated[dict[HeaderName, HeaderValue | None], Meta(max_length=MAX_HEADERS)]


class DatasourcePullCreate(RequestBody):
    """A URL from which the rows of a data source are fetched at regular intervals."""

    url: Url
    headers: Annotated[
        dict[HeaderName, HeaderValue],
        Meta(
            max_length=MAX_HEADERS,
            description="Headers sent with each request. They are stored encrypted; their values are not shown again.",
        ),
    ] = {}
    every: PullInterval = "P1D"

    def to_request(self) -> PullUpdate:
        return PullUpdate(self.url, dict(self.headers), self.every)


class DatasourcePullUpdate(RequestBody):
    """The properties of a pull to change. Those you omit stay unchanged."""

    url: Url | UnsetType = UNSET
    headers: Annotated[
        Headers | UnsetType,
        Meta(
            description="All headers from now on. Null keeps the current value of a header, unless you change the URL"
            " to another server.",
        ),
    ] = UNSET
    every: PullInterval | UnsetType = UNSET

    def to_request(self) -> PullUpdate:
        return PullUpdate(value_or_none(self.url), value_or_none(self.headers), value_or_none(self.every))


class DatasourcePull(Resource):
    """The pull of a data source, and the result of the last one."""

    url: Annotated[str, Meta(description="The URL from which the rows are fetched.")]
    headers: Annotated[
        dict[str, None],
        Meta(description="The names of the headers sent with each request. Their values are not shown and are null."),
    ]
    every: Annotated[str, Meta(description="The time between two pulls, as an ISO 8601 duration.", examples=["PT6H"])]
    status: Annotated[PullStatus | None, Meta(description="The status of the last pull; null before the first.")]
    last_started: Annotated[Timestamp | None, Meta(description="When the last pull started.")]
    last_ended: Annotated[Timestamp | None, Meta(description="When the last pull ended.")]
    duration_ms: Annotated[
        int | None, Meta(description="The duration of the last pull that has ended, in milliseconds.")
    ]
    rows: Annotated[int | None, Meta(description="The number of rows in the last successful pull.")]
    detail: Annotated[str, Meta(description="Why the last pull failed; empty if it did not.")]
    bad_rows: Annotated[list[DatasourceRowError], Meta(description="The first 100 invalid rows of a failed pull.")]
    next_due: Annotated[Timestamp | None, Meta(description="When the next pull is due; null while one is running.")]


def pull(record: Pull) -> DatasourcePull:
    return DatasourcePull.of(
        record,
        headers=dict.fromkeys(record.headers),
        every=format_duration(record.every_s),
        last_started=optional_time(record.started),
        last_ended=optional_time(record.ended),
        duration_ms=record.took,
        bad_rows=bad_rows(record.bad),
        next_due=optional_time(record.due),
    )
