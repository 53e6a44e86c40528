"""Schemas of data sources, their rows and imports."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    DatasourceId,
    DecimalMark,
    ExternalId,
    ImportId,
    Name,
    RequestBody,
    Resource,
    Revision,
    Timestamp,
    Updated,
    require,
    value_or_none,
)
from formwright.api.v1_0.schemas.datasource_pulls import (
    DatasourcePull,
    DatasourcePullCreate,
    DatasourcePullUpdate,
    DatasourceRowError,
    bad_rows,
    pull,
)
from formwright.api.v1_0.schemas.lists import ChangesQuery
from formwright.asgi.validation import read_body
from formwright.core.clock import rfc3339
from formwright.core.errors import MAX_ERRORS, Invalid, ValidationFault, pointer
from formwright.domain.datasources import models
from formwright.domain.datasources.imports.row_sources import JsonRows, RawRows
from formwright.domain.datasources.models import (
    CellType,
    ImportMode,
    ImportRecord,
    ImportResult,
    ImportSource,
    ImportStatus,
)
from formwright.domain.datasources.service import DatasourceChanges

Column = Annotated[str, Meta(min_length=1, max_length=200)]
Cells = dict[Column, str | int | float | bool | None]
Row = Annotated[msgspec.Raw, Meta(extra_json_schema=msgspec.json.schema(Cells))]
"""A row that is still JSON. `validate_rows` decodes one after another: a million cells at once would block other
requests."""
Rows = Annotated[
    list[Row],
    Meta(description="Rows as objects, keyed by column name.", examples=[[{"number": "C-1", "name": "Harbour Ltd"}]]),
]
Types = Annotated[
    dict[Column, CellType],
    Meta(
        description="Fixed types of columns, by name: a cell of another type makes its row invalid. The types of other"
        " columns are inferred from the cells."
    ),
]
KeyColumn = Annotated[
    Column, Meta(description="The name of the column whose values identify the rows: each row has a different one.")
]


_row = msgspec.json.Decoder(Cells)


def validate_rows(rows: Sequence[msgspec.Raw]) -> RawRows:
    """Return the rows after validating each of them. Raises `Invalid` with the first errors."""
    errors: list[ValidationFault] = []
    for index, row in enumerate(rows):
        errors += _row_errors(row, index)
        if len(errors) > MAX_ERRORS:
            break
    if errors:
        raise Invalid(errors)
    return RawRows(rows)


def _row_errors(row: msgspec.Raw, index: int) -> list[ValidationFault]:
    with suppress(msgspec.DecodeError):
        # Most rows are valid, and this is all that they need. `read_body` finds what is wrong with the others.
        _row.decode(row)
        # JSON can only contain NUL as this escape (RFC 8259, section 7).
        if b"\\u0000" not in bytes(row):
            return []
    try:
        read_body(bytes(row), Cells)
    except Invalid as error:
        return [replace(fault, pointer=pointer("rows", index) + fault.pointer) for fault in error.faults]
    return []


class DatasourceCreate(RequestBody):
    """A new data source with its rows, or with a pull."""

    name: Annotated[Name, Meta(description="The name, which must be unique in the account.")]
    key_column: KeyColumn
    columns: Annotated[list[Column], Meta(description="The names of the columns. Default: those of the rows.")] = []
    types: Types = {}
    rows: Rows = []
    pull: Annotated[
        DatasourcePullCreate | None,
        Meta(description="Instead of `rows`: a URL to fetch them from, now and at regular intervals."),
    ] = None
    external_id: Annotated[
        ExternalId | None, Meta(description="Your own id for the data source, which must be unique in the account.")
    ] = None

    def change(self) -> DatasourceChanges:
        return DatasourceChanges(self.name, self.key_column, self.types, self.external_id)

    def parse_rows(self) -> JsonRows:
        """Return the validated rows. Raises `Invalid`."""
        return JsonRows(validate_rows(self.rows), self.columns)


class DatasourceUpdate(RequestBody):
    """The properties of a data source to change. Those you omit stay unchanged."""

    name: Annotated[Name | UnsetType, Meta(description="The name, which must be unique in the account.")] = UNSET
    key_column: KeyColumn | UnsetType = UNSET
    columns: Annotated[list[Column] | UnsetType, Meta(description="With `rows`: the names of all columns.")] = UNSET
    types: Types | UnsetType = UNSET
    rows: Annotated[Rows | UnsetType, Meta(description="Replaces all rows.")] = UNSET
    pull: Annotated[
        DatasourcePullUpdate | UnsetType | None,
        Meta(description="A pull to add or change, instead of `rows`; null removes it."),
    ] = UNSET
    external_id: Annotated[ExternalId | UnsetType | None, Meta(description="Your own id; null removes it.")] = UNSET

    def change(self) -> DatasourceChanges:
        return DatasourceChanges(
            value_or_none(self.name), value_or_none(self.key_column), value_or_none(self.types), self.external_id
        )

    def parse_rows(self) -> JsonRows | None:
        """Return the validated rows, or None if the body has none. Raises `Invalid`."""
        return None if self.rows is UNSET else JsonRows(validate_rows(self.rows), value_or_none(self.columns) or ())


class DatasourceUpsert(DatasourceUpdate, kw_only=True):
    """A data source by your own id.

    A new one requires `name` and `keyColumn`; what you omit of another stays unchanged.
    """

    external_id: ExternalId

    def to_new(self) -> DatasourceCreate:
        """Return the data source to create, without its pull. Raises `Invalid` if a required property is missing."""
        require(self, "name", "key_column")
        return DatasourceCreate(
            name=value_or_none(self.name) or "",
            key_column=value_or_none(self.key_column) or "",
            columns=value_or_none(self.columns) or [],
            types=value_or_none(self.types) or {},
            rows=value_or_none(self.rows) or [],
            external_id=self.external_id,
        )


class DatasourceRowsWrite(RequestBody):
    """Rows to import."""

    rows: Rows

    def parse_rows(self) -> JsonRows:
        """Return the validated rows. Raises `Invalid`."""
        return JsonRows(validate_rows(self.rows))


class RowImportQuery(msgspec.Struct, rename="camel", kw_only=True):
    """Options of an import, and how a file is read."""

    dry_run: Annotated[
        bool, Meta(description="Validate the request and return the usual response, without changing anything.")
    ] = False
    skip_bad_rows: Annotated[
        bool, Meta(description="Import the valid rows and report the invalid ones. Otherwise one of them rejects all.")
    ] = False
    delimiter: Annotated[
        Annotated[str, Meta(min_length=1, max_length=1)] | None,
        Meta(description="The delimiter of a CSV file. Default: detected."),
    ] = None
    encoding: Annotated[
        Annotated[str, Meta(max_length=40)] | None,
        Meta(
            description="The encoding of a CSV file. Default: by its byte order mark, the `charset` of `Content-Type`,"
            " or detected. A file whose encoding is not certain is rejected."
        ),
    ] = None
    decimal_mark: Annotated[
        DecimalMark | None,
        Meta(
            description="The decimal mark of the numbers of a file that are text. Default: decided from all of them. A"
            " column of numbers such as `1.234` is text if it remains unclear."
        ),
    ] = None
    sheet: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        Meta(description="The sheet of a workbook to read. Default: the first visible one."),
    ] = None


class DatasourceUpdateQuery(RowImportQuery, kw_only=True):
    """Options of an update with a file."""

    key_column: Annotated[KeyColumn | None, Meta(description="With a file: the name of the key column.")] = None


class DatasourceCreateQuery(DatasourceUpdateQuery, kw_only=True):
    """Options of a creation with a file. With JSON, they are part of the body."""

    name: Annotated[Name | None, Meta(description="With a file: the name of the data source.")] = None
    external_id: Annotated[ExternalId | None, Meta(description="With a file: your own id for the data source.")] = None


class DatasourceQuery(ChangesQuery, kw_only=True):
    """Filters of the list of data sources."""

    external_id: Annotated[ExternalId | None, Meta(description="Only the data source with this external id.")] = None


class Datasource(Resource):
    """A table of external data that forms can look up."""

    # The progress of pulls. Changing the pull itself increases the revision.
    drifting: ClassVar[tuple[str, ...]] = ("pull",)

    id: DatasourceId
    customer_id: CustomerId
    name: Annotated[str, Meta(description="The name of the data source.")]
    external_id: Annotated[str | None, Meta(description="Your own id for the data source.")]
    key_column: Annotated[str, Meta(description="The name of the column whose values identify the rows.")]
    columns: Annotated[list[str], Meta(description="The names of the columns, in order.")]
    types: Annotated[dict[str, CellType], Meta(description="The types of the columns, by name.")]
    row_count: Annotated[int, Meta(description="The number of rows.")]
    version: Annotated[int, Meta(description="Increases by 1 with each import that changes a row.")]
    pull: Annotated[
        DatasourcePull | None,
        Meta(description="Where the rows are fetched from, and the last result. Null if they are not pulled."),
    ]
    created: Created
    updated: Updated
    revision: Revision


Inserted = Annotated[int, Meta(description="The number of rows that were inserted.")]
UpdatedRows = Annotated[int, Meta(description="The number of rows that were updated.")]
Unchanged = Annotated[int, Meta(description="The number of rows that stayed the same.")]
Deleted = Annotated[int, Meta(description="The number of rows that were deleted.")]
Skipped = Annotated[int, Meta(description="The number of invalid rows that were skipped.")]


class DatasourceImportReport(Resource):
    """The result of an import, or of a dry run."""

    inserted: Inserted
    updated: UpdatedRows
    unchanged: Unchanged
    deleted: Deleted
    skipped: Skipped
    version: Annotated[int, Meta(description="The version of the data source after the import.")]
    dry_run: Annotated[bool, Meta(description="Whether this was a dry run, which changed nothing.")]
    bad_rows: Annotated[list[DatasourceRowError], Meta(description="The invalid rows, at most 1,000 of them.")]


class DatasourceWithImport(Datasource):
    """A data source, and the result of the import that the request contained."""

    import_: Annotated[
        DatasourceImportReport | None,
        Meta(description="The result of the import; null if the request contained no rows."),
    ] = msgspec.field(name="import")


class DatasourceImport(Resource):
    """A past import."""

    id: ImportId
    datasource_id: DatasourceId
    source: ImportSource
    mode: ImportMode
    status: ImportStatus
    inserted: Inserted
    updated: UpdatedRows
    unchanged: Unchanged
    deleted: Deleted
    skipped: Skipped
    version: Annotated[int, Meta(description="The version of the data source after the import.")]
    bad_rows: Annotated[list[DatasourceRowError], Meta(description="The first 100 invalid rows.")]
    detail: Annotated[str, Meta(description="Why the import failed; empty if it did not.")]
    started: Annotated[Timestamp, Meta(description="When the import started.")]
    ended: Annotated[Timestamp, Meta(description="When the import ended.")]


def datasource(record: models.Datasource) -> Datasource:
    return Datasource.of(
        record,
        columns=record.column_names,
        types={column.name: column.type for column in record.columns},
        pull=pull(record.pull) if record.pull else None,
    )


def datasource_with_import(record: models.Datasource, report: ImportResult | None) -> DatasourceWithImport:
    return DatasourceWithImport.of(datasource(record), import_=None if report is None else import_report(report))


def import_report(report: ImportResult) -> DatasourceImportReport:
    return DatasourceImportReport.of(report, **asdict(report.counts), bad_rows=bad_rows(report.bad))


def datasource_import(record: ImportRecord) -> DatasourceImport:
    return DatasourceImport.of(
        record, **asdict(record.counts), bad_rows=bad_rows(record.bad), ended=rfc3339(record.created)
    )
