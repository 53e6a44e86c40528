"""Datasources, their rows and their imports."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.paging import PageQuery
from formwright.api.v1_0.wire import pulls
from formwright.api.v1_0.wire.bad_rows import BadRowShape, bad_rows
from formwright.api.v1_0.wire.basics import Name, Request, Resource, Timestamp, given
from formwright.api.v1_0.wire.ids import CustomerId, DatasourceId, ImportId
from formwright.core.kernel.clock import rfc3339
from formwright.core.kernel.errors import MOST_ERRORS, Fault, Invalid, pointer
from formwright.domain.datasources import cells, model
from formwright.domain.datasources.imports import Counts, ImportRecord, ImportStatus, Mode, Report, Source
from formwright.domain.datasources.incoming import JsonRows, RawRows
from formwright.domain.datasources.model import CellType
from formwright.domain.datasources.service import Change
from formwright.reading import read_body

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


def checked_rows(rows: Sequence[msgspec.Raw]) -> RawRows:
    """The rows, each of which has been looked at; `Invalid` with the first errors."""
    found: list[Fault] = []
    for index, row in enumerate(rows):
        found += _row_errors(row, index)
        if len(found) > MOST_ERRORS:
            break
    if found:
        raise Invalid(found)
    return RawRows(rows)


def _row_errors(row: msgspec.Raw, index: int) -> list[Fault]:
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
        pulls.PullCreate | None, Meta(description="Instead of `rows`: fetch them from a URL, at once and then again.")
    ] = None

    def change(self) -> Change:
        """What the domain makes a datasource from, and its rows."""
        return Change(self.name, self.key_column, self.types)

    def incoming(self) -> JsonRows:
        """Its rows."""
        return JsonRows(checked_rows(self.rows), self.columns)


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
        pulls.PullUpdate | UnsetType | None, Meta(description="Instead of `rows`; null takes the pull away.")
    ] = UNSET

    def change(self) -> Change:
        """What changes beside the rows."""
        return Change(given(self.name), given(self.key_column), given(self.types))

    def incoming(self) -> JsonRows | None:
        """The rows that replace all; None where they stay."""
        return None if self.rows is UNSET else JsonRows(checked_rows(self.rows), given(self.columns) or ())


class RowsGiven(Request):
    """Rows by the names of their columns."""

    rows: Rows

    def incoming(self) -> JsonRows:
        """The rows."""
        return JsonRows(checked_rows(self.rows))


class RowsQuery(msgspec.Struct, rename="camel", kw_only=True):
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


class ReplaceQuery(RowsQuery, kw_only=True):
    """With a file: what it replaces besides the rows."""

    key_column: Annotated[KeyColumn | None, Meta(description="With a file: its column whose value is unique.")] = None


class NewQuery(ReplaceQuery, kw_only=True):
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

    def wanted(self) -> model.Search:
        """What the domain looks for."""
        return model.Search(text=self.q or "", key=self.key)


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
    pull: Annotated[pulls.Pull | None, Meta(description="Where its rows are fetched, and how that went last.")]
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
    bad_rows: Annotated[list[BadRowShape], Meta(description="Up to 1,000 of the bad rows.")]


class DatasourceWithImport(Datasource):
    """The datasource, and what became of the rows that were sent."""

    import_: Annotated[ImportReport | None, Meta(description="Null where no rows were sent.")] = msgspec.field(
        name="import"
    )


class Import(Resource):
    """A past import; `detail` says why it failed."""

    id: ImportId
    datasource_id: DatasourceId
    source: Source
    mode: Mode
    status: ImportStatus
    inserted: int
    updated: int
    unchanged: int
    deleted: int
    skipped: int
    version: Annotated[int, Meta(description="The datasource's version after it.")]
    bad_rows: Annotated[list[BadRowShape], Meta(description="The first 100 of the bad rows.")]
    detail: str
    started: Timestamp
    ended: Timestamp


class DatasourceRow(Resource):
    """One row of it."""

    key: Annotated[str, Meta(description="The value of the key column, as text.")]
    data: StoredCells


def datasource(record: model.Datasource) -> Datasource:
    """The record as the API shows it."""
    return Datasource(**_members(record))


def with_import(record: model.Datasource, report: Report | None) -> DatasourceWithImport:
    """The record with what became of its rows."""
    return DatasourceWithImport(**_members(record), import_=None if report is None else import_report(report))


def _members(record: model.Datasource) -> dict[str, Any]:
    return {
        "id": record.id,
        "customer_id": record.customer_id,
        "name": record.name,
        "key_column": record.key_column,
        "columns": list(record.names),
        "types": {column.name: column.type for column in record.columns},
        "row_count": record.row_count,
        "version": record.version,
        "pull": pulls.pull(record.pull) if record.pull else None,
        "created": rfc3339(record.created),
        "updated": rfc3339(record.updated),
        "revision": record.revision,
    }


def import_report(report: Report) -> ImportReport:
    """The report as the API shows it."""
    return ImportReport(
        **_counts(report.counts), version=report.version, dry_run=report.dry_run, bad_rows=bad_rows(report.bad)
    )


def past_import(record: ImportRecord) -> Import:
    """A past import as the API shows it."""
    return Import(
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


def _counts(counts: Counts) -> dict[str, int]:
    return {
        "inserted": counts.inserted,
        "updated": counts.updated,
        "unchanged": counts.unchanged,
        "deleted": counts.deleted,
        "skipped": counts.skipped,
    }


def row(of: model.Datasource, record: model.DataRow) -> DatasourceRow:
    """A row as the API shows it."""
    kept = msgspec.json.decode(record.data, type=dict[str, str])
    return DatasourceRow(key=record.key, data=msgspec.Raw(msgspec.json.encode(cells.shown(of.columns, kept))))
