"""Rows that were not taken in, and why.

Pulls: where a datasource's rows are fetched, how often, and how that went.

Datasources, their rows and their imports.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    CustomerId,
    DatasourceId,
    ImportId,
    Name,
    Request,
    Resource,
    Timestamp,
    optional_time,
    value_or_none,
)
from formwright.asgi.validation import read_body
from formwright.core.clock import rfc3339
from formwright.core.errors import MOST_ERRORS, Invalid, ValidationFault, pointer
from formwright.domain.datasources import cell_types, models
from formwright.domain.datasources import models as model
from formwright.domain.datasources.imports.row_sources import JsonRows, RawRows
from formwright.domain.datasources.models import (
    CellType,
    ImportCounts,
    ImportMode,
    ImportRecord,
    ImportResult,
    ImportSource,
    ImportStatus,
    PullStatus,
    PullUpdate,
    format_duration,
)
from formwright.domain.datasources.parsers.base import BadRow
from formwright.domain.datasources.service import DatasourceChanges


class RowError(Resource):
    """A row that was not taken in."""

    line: Annotated[int, Meta(description="In the file, from 1; of JSON rows the index and one.")]
    column: str | None
    code: str
    detail: str


def bad_rows(rows: Sequence[BadRow]) -> list[RowError]:
    """The rows as the API shows them."""
    return [RowError(line=row.line, column=row.column, code=row.code, detail=row.detail) for row in rows]


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


class DatasourcePullCreate(Request):
    """Where rows are to be fetched."""

    url: Url
    headers: Annotated[
        dict[HeaderName, HeaderValue],
        Meta(max_length=model.MAX_HEADERS, description="Sent along, kept encrypted, never shown again."),
    ] = {}
    every: Every = "P1D"

    def to_request(self) -> PullUpdate:
        """What the domain makes a pull from."""
        return PullUpdate(self.url, dict(self.headers), self.every)


class DatasourcePullUpdate(Request):
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

    def to_request(self) -> PullUpdate:
        """What the domain changes a pull to."""
        return PullUpdate(value_or_none(self.url), value_or_none(self.headers), value_or_none(self.every))


class DatasourcePull(Resource):
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
    bad_rows: Annotated[list[RowError], Meta(description="The first 100 of the rows for which it failed.")]
    next_due: Annotated[Timestamp | None, Meta(description="Null while it runs.")]


def pull(record: model.Pull) -> DatasourcePull:
    """The record as the API shows it."""
    return DatasourcePull(
        url=record.url,
        headers=dict.fromkeys(record.headers),
        every=format_duration(record.every_s),
        status=record.status,
        last_started=optional_time(record.started),
        last_ended=optional_time(record.ended),
        duration_ms=record.took,
        rows=record.rows,
        detail=record.detail,
        bad_rows=bad_rows(record.bad),
        next_due=optional_time(record.due),
    )


Column = Annotated[str, Meta(min_length=1, max_length=200)]
StoredCells = Annotated[
    msgspec.Raw,
    Meta(
        description="Values by column, each as the column's type; null where the cell is empty.",
        examples=[{"number": "C-1", "name": "Harbour Ltd"}],
        extra_json_schema={"type": "object", "additionalProperties": True},
    ),
]
Cells = dict[Column, str | int | float | bool | None]
Row = Annotated[msgspec.Raw, Meta(extra_json_schema=msgspec.json.schema(Cells))]
"""Decoded and checked by `checked_rows`: a million cells at once would hold up everybody."""
Rows = Annotated[list[Row], Meta(examples=[[{"number": "C-1", "name": "Harbour Ltd"}]])]
Types = Annotated[
    dict[Column, CellType],
    Meta(description="Fixes the types of these columns: a cell that does not fit is a bad row. Others are found."),
]
KeyColumn = Annotated[Column, Meta(description="The column whose value is unique in each row.")]


_row = msgspec.json.Decoder(Cells)


def validate_rows(rows: Sequence[msgspec.Raw]) -> RawRows:
    """The rows, each of which has been looked at; `Invalid` with the first errors."""
    found: list[ValidationFault] = []
    for index, row in enumerate(rows):
        found += _row_errors(row, index)
        if len(found) > MOST_ERRORS:
            break
    if found:
        raise Invalid(found)
    return RawRows(rows)


def _row_errors(row: msgspec.Raw, index: int) -> list[ValidationFault]:
    with suppress(msgspec.DecodeError):
        _row.decode(row)
        if b"\\u0000" not in bytes(row):
            return []
    try:
        read_body(bytes(row), Cells)
    except Invalid as error:
        return [replace(fault, pointer=pointer("rows", index) + fault.pointer) for fault in error.faults]
    return []


class DatasourceCreate(Request):
    """A new datasource with its rows."""

    name: Name
    key_column: KeyColumn
    columns: Annotated[list[Column], Meta(description="Where none are named, they are those of the rows.")] = []
    types: Types = {}
    rows: Rows = []
    pull: Annotated[
        DatasourcePullCreate | None,
        Meta(description="Instead of `rows`: fetch them from a URL, at once and then again."),
    ] = None

    def change(self) -> DatasourceChanges:
        """What the domain makes a datasource from, and its rows."""
        return DatasourceChanges(self.name, self.key_column, self.types)

    def incoming(self) -> JsonRows:
        """Its rows."""
        return JsonRows(validate_rows(self.rows), self.columns)


class DatasourceUpdate(Request):
    """What of a datasource is to be another; what is left out stays."""

    name: Name | UnsetType = UNSET
    key_column: KeyColumn | UnsetType = UNSET
    columns: Annotated[
        list[Column] | UnsetType, Meta(description="With `rows`: the columns that there are from then on.")
    ] = UNSET
    types: Types | UnsetType = UNSET
    rows: Annotated[Rows | UnsetType, Meta(description="Replace all rows.")] = UNSET
    pull: Annotated[
        DatasourcePullUpdate | UnsetType | None, Meta(description="Instead of `rows`; null takes the pull away.")
    ] = UNSET

    def change(self) -> DatasourceChanges:
        """What changes beside the rows."""
        return DatasourceChanges(value_or_none(self.name), value_or_none(self.key_column), value_or_none(self.types))

    def incoming(self) -> JsonRows | None:
        """The rows that replace all; None where they stay."""
        return None if self.rows is UNSET else JsonRows(validate_rows(self.rows), value_or_none(self.columns) or ())


class DatasourceRowsWrite(Request):
    """Rows by the names of their columns."""

    rows: Rows

    def incoming(self) -> JsonRows:
        """The rows."""
        return JsonRows(validate_rows(self.rows))


class RowImportQuery(msgspec.Struct, rename="camel", kw_only=True):
    """How rows are taken in, and how a file of them is read."""

    dry_run: Annotated[bool, Meta(description="Answer what would happen, and change nothing.")] = False
    skip_bad_rows: Annotated[
        bool, Meta(description="Take the good rows in and name the bad ones; else one bad row refuses all.")
    ] = False
    delimiter: Annotated[
        Annotated[str, Meta(min_length=1, max_length=1)] | None,
        Meta(description="What parts the cells of a CSV; else it is found."),
    ] = None
    encoding: Annotated[
        Annotated[str, Meta(max_length=40)] | None,
        Meta(description="Of a CSV file; else a byte order mark, the `charset` of its type, UTF-8 or windows-1252."),
    ] = None
    sheet: Annotated[
        Annotated[str, Meta(max_length=200)] | None, Meta(description="Of an .xlsx or .xls file; else the first one.")
    ] = None


class DatasourceUpdateQuery(RowImportQuery, kw_only=True):
    """With a file: what it replaces besides the rows."""

    key_column: Annotated[KeyColumn | None, Meta(description="With a file: its column whose value is unique.")] = None


class DatasourceCreateQuery(DatasourceUpdateQuery, kw_only=True):
    """With a file: what JSON says in the body."""

    name: Annotated[Name | None, Meta(description="With a file: the datasource's name.")] = None


class RowListQuery(PageQuery, kw_only=True):
    """Which rows."""

    q: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        Meta(
            description="Rows that hold all these words: three or more letters anywhere, two where a word"
            " begins, one so in the first 20,000 rows."
            " Case and accents do not count.",
        ),
    ] = None
    key: Annotated[Annotated[str, Meta(max_length=500)] | None, Meta(description="The row with this key.")] = None

    def to_search(self) -> models.RowFilter:
        """What the domain looks for."""
        return models.RowFilter(text=self.q or "", key=self.key)


class Datasource(Resource):
    """A table of outside data."""

    # How its pulls go; whoever sets another one makes another revision.
    drifting: ClassVar[tuple[str, ...]] = ("pull",)

    id: DatasourceId
    customer_id: CustomerId
    name: str
    key_column: str
    columns: list[str]
    types: Annotated[dict[str, CellType], Meta(description="What the cells of each column are.")]
    row_count: int
    version: Annotated[int, Meta(description="Counts the imports that changed something.")]
    pull: Annotated[DatasourcePull | None, Meta(description="Where its rows are fetched, and how that went last.")]
    created: Timestamp
    updated: Timestamp
    revision: int


class ImportReport(Resource):
    """What an import did or, tried only, would do."""

    inserted: int
    updated: int
    unchanged: int
    deleted: int
    skipped: Annotated[int, Meta(description="Bad rows that were left out.")]
    version: Annotated[int, Meta(description="The datasource's version from then on.")]
    dry_run: bool
    bad_rows: Annotated[list[RowError], Meta(description="Up to 1,000 of the bad rows.")]


class DatasourceWithImport(Datasource):
    """The datasource, and what became of the rows that were sent."""

    import_: Annotated[ImportReport | None, Meta(description="Null where no rows were sent.")] = msgspec.field(
        name="import"
    )


class DatasourceImport(Resource):
    """A past import; `detail` says why it failed."""

    id: ImportId
    datasource_id: DatasourceId
    source: ImportSource
    mode: ImportMode
    status: ImportStatus
    inserted: int
    updated: int
    unchanged: int
    deleted: int
    skipped: int
    version: Annotated[int, Meta(description="The datasource's version after it.")]
    bad_rows: Annotated[list[RowError], Meta(description="The first 100 of the bad rows.")]
    detail: str
    started: Timestamp
    ended: Timestamp


class DatasourceRow(Resource):
    """One row of it."""

    key: Annotated[str, Meta(description="The value of the key column, as text.")]
    data: StoredCells


def datasource(record: models.Datasource) -> Datasource:
    """The record as the API shows it."""
    return Datasource(**_members(record))


def datasource_with_import(record: models.Datasource, report: ImportResult | None) -> DatasourceWithImport:
    """The record with what became of its rows."""
    return DatasourceWithImport(**_members(record), import_=None if report is None else import_report(report))


def _members(record: models.Datasource) -> dict[str, Any]:
    return {
        "id": record.id,
        "customer_id": record.customer_id,
        "name": record.name,
        "key_column": record.key_column,
        "columns": list(record.names),
        "types": {column.name: column.type for column in record.columns},
        "row_count": record.row_count,
        "version": record.version,
        "pull": pull(record.pull) if record.pull else None,
        "created": rfc3339(record.created),
        "updated": rfc3339(record.updated),
        "revision": record.revision,
    }


def import_report(report: ImportResult) -> ImportReport:
    """The report as the API shows it."""
    return ImportReport(
        **_counts(report.counts), version=report.version, dry_run=report.dry_run, bad_rows=bad_rows(report.bad)
    )


def datasource_import(record: ImportRecord) -> DatasourceImport:
    """A past import as the API shows it."""
    return DatasourceImport(
        id=record.id,
        datasource_id=record.datasource_id,
        source=record.source,
        mode=record.mode,
        status=record.status,
        **_counts(record.counts),
        version=record.version,
        bad_rows=bad_rows(record.bad),
        detail=record.detail,
        started=rfc3339(record.started),
        ended=rfc3339(record.created),
    )


def _counts(counts: ImportCounts) -> dict[str, int]:
    return {
        "inserted": counts.inserted,
        "updated": counts.updated,
        "unchanged": counts.unchanged,
        "deleted": counts.deleted,
        "skipped": counts.skipped,
    }


def row(of: models.Datasource, record: models.DataRow) -> DatasourceRow:
    """A row as the API shows it."""
    kept = msgspec.json.decode(record.data, type=dict[str, str])
    return DatasourceRow(key=record.key, data=msgspec.Raw(msgspec.json.encode(cell_types.to_values(of.columns, kept))))
