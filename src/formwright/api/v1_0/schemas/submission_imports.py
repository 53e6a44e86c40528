"""Schemas of imports of submissions."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    DecimalMark,
    FormId,
    ImportId,
    Resource,
    Revision,
    Timestamp,
    Updated,
    VersionId,
    optional_time,
)
from formwright.asgi.validation import QueryInvalid
from formwright.core.errors import ValidationFault
from formwright.domain.customers.service import is_time_zone
from formwright.domain.submissions.imports.models import ImportOptions, SubmissionImportStatus, SubmissionsImport


class DateOrder(StrEnum):
    """Which part of a date such as `3/4/2026` comes first."""

    DAY = "day"
    MONTH = "month"


class SubmissionImportQuery(msgspec.Struct, rename="camel", kw_only=True):
    """The query parameters of an import."""

    columns: Annotated[
        dict[str, list[str]],
        Meta(
            description="The name of the column for each field or property, such as `columns.site=Location` and"
            " `columns.submittedAt=Received`. Columns you do not name are skipped. Default: columns are mapped by their"
            " names, which are those of fields, labels of fields, or properties: `externalId`, `submittedAt`, `userId`,"
            " `latitude`, `longitude`, `accuracy`, and `id`, to which rows of repeats in other sheets refer. Write"
            " `columns.answers.userId` for a field that has the name of a property."
        ),
    ] = {}
    skip_unmapped: Annotated[
        bool, Meta(description="Whether to skip columns that have the name of no field. Otherwise they are an error.")
    ] = False
    skip_bad_rows: Annotated[
        bool,
        Meta(description="Whether to import the valid rows if others are invalid. Otherwise it is all or nothing."),
    ] = False
    check_only: Annotated[bool, Meta(description="Whether to check all rows without importing any.")] = False
    silent: Annotated[
        bool, Meta(description="Whether to send no webhooks. The events are logged. Requires `webhooks:manage`.")
    ] = False
    time_zone: Annotated[
        Annotated[str, Meta(max_length=100)] | None,
        Meta(description="The time zone of times without an offset (IANA). Default: the account's."),
    ] = None
    decimal_mark: Annotated[
        DecimalMark | None,
        Meta(
            description="The decimal mark of the numbers that are text, also in a workbook. Default: decided from all"
            " of them; numbers such as `1.234` are rejected if it remains unclear."
        ),
    ] = None
    first_in_dates: Annotated[
        DateOrder | None,
        Meta(
            description="What comes first in dates with slashes, such as `3/4/2026`. Default: decided from all of"
            " them; such dates are rejected if it remains unclear."
        ),
    ] = None
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
    sheet: Annotated[
        Annotated[str, Meta(max_length=100)] | None,
        Meta(description="The sheet with the submissions. Default: the first visible one."),
    ] = None
    name: Annotated[str, Meta(max_length=200, description="The name of the file, to recognise the import.")] = ""
    dry_run: Annotated[
        bool,
        Meta(
            description="Check the file and its columns, and return the usual response, without importing anything."
            " To check the rows too, use `checkOnly`."
        ),
    ] = False

    def to_options(self, encoding: str | None, time_zone: str) -> ImportOptions:
        """Return the options; `encoding` and `time_zone` apply unless the query has others."""
        if self.time_zone is not None and not is_time_zone(self.time_zone):
            raise QueryInvalid([ValidationFault("?timeZone", "query.value", "There is no such time zone.")])
        return ImportOptions(
            columns={name: values[-1] for name, values in self.columns.items()} or None,
            skip_unmapped=self.skip_unmapped,
            skip_bad=self.skip_bad_rows,
            check_only=self.check_only,
            silent=self.silent,
            encoding=self.encoding or encoding,
            delimiter=self.delimiter,
            sheet=self.sheet,
            time_zone=self.time_zone or time_zone,
            decimal_comma=None if self.decimal_mark is None else self.decimal_mark is DecimalMark.COMMA,
            day_first=None if self.first_in_dates is None else self.first_in_dates is DateOrder.DAY,
        )


class SubmissionImportListQuery(PageQuery, kw_only=True):
    """The query parameters of the list of imports."""

    form_id: Annotated[FormId | None, Meta(description="Only imports into this form.")] = None


class ImportRowError(msgspec.Struct):
    """Why a row was rejected."""

    line: Annotated[
        int, Meta(description="The line of a CSV file, or the row of the sheet, from 1; 0 if it is not about a row.")
    ]
    column: Annotated[str | None, Meta(description="The name of the column; null if it is not about a column.")]
    code: Annotated[str, Meta(description="A code for the kind of error. Stable.")]
    detail: Annotated[str, Meta(description="What is wrong and how to fix it, in English.")]


class SubmissionImport(Resource):
    """An import of submissions from a file. Counts are numbers of rows."""

    id: ImportId
    customer_id: CustomerId
    form_id: FormId
    version_id: Annotated[VersionId, Meta(description="The version of the form that the rows answer.")]
    status: Annotated[
        SubmissionImportStatus,
        Meta(
            description="`QUEUED`, `CHECKING` (nothing is written yet) and `IMPORTING` while it runs. `DONE`: the valid"
            " rows were imported, or with `checkOnly` they would be. `REJECTED`: rows are invalid, and nothing was"
            " imported. `FAILED`: an error stopped it after `imported` rows."
        ),
    ]
    file_name: Annotated[str, Meta(description="The name of the file.")]
    columns: Annotated[dict[str, str], Meta(description="The column of each field (`answers.…`) and property.")]
    encoding: Annotated[
        str | None, Meta(description="The encoding with which a CSV file is read: the requested or the detected one.")
    ]
    delimiter: Annotated[
        str | None, Meta(description="The delimiter of a CSV file; null if it has a single column, or is a workbook.")
    ]
    sheet: Annotated[str | None, Meta(description="The sheet of a workbook that has the submissions.")]
    time_zone: Annotated[str, Meta(description="The time zone of times without an offset (IANA).")]
    decimal_mark: Annotated[
        DecimalMark | None,
        Meta(description="The decimal mark, as requested or decided; null if no number has one, or it is unclear."),
    ]
    first_in_dates: Annotated[
        DateOrder | None,
        Meta(
            description="What comes first in dates with slashes, as requested or decided; null if there are none, or it"
            " is unclear."
        ),
    ]
    skip_bad_rows: Annotated[bool, Meta(description="Whether valid rows are imported if others are invalid.")]
    check_only: Annotated[bool, Meta(description="Whether rows are only checked.")]
    silent: Annotated[bool, Meta(description="Whether no webhooks are sent.")]
    total: Annotated[int | None, Meta(description="Rows in the file; null until all have been checked.")]
    checked: Annotated[int, Meta(description="Rows that have been checked.")]
    imported: Annotated[int, Meta(description="Rows that have been imported.")]
    rejected: Annotated[int, Meta(description="Rows that are invalid.")]
    errors: Annotated[
        list[ImportRowError],
        Meta(description="The errors of invalid rows, in their order: at most 1000, and at most 5 for each row."),
    ]
    created: Created
    updated: Updated
    revision: Revision
    ended_at: Annotated[Timestamp | None, Meta(description="When it ended; null while it runs.")]


def submission_import(record: SubmissionsImport) -> SubmissionImport:
    """Return an import."""
    return SubmissionImport.of(
        record,
        columns=dict(record.options.columns or {}),
        encoding=record.options.encoding,
        delimiter=record.options.delimiter,
        sheet=record.options.sheet,
        time_zone=record.options.time_zone,
        decimal_mark=_decimal_mark(record.options.decimal_comma),
        first_in_dates=_date_order(record.options.day_first),
        skip_bad_rows=record.options.skip_bad,
        check_only=record.options.check_only,
        silent=record.options.silent,
        total=record.total or None,
        errors=[ImportRowError(one.line, one.column, one.code, one.detail) for one in record.errors],
        ended_at=optional_time(record.ended),
    )


def _decimal_mark(is_comma: bool | None) -> DecimalMark | None:
    return None if is_comma is None else DecimalMark.COMMA if is_comma else DecimalMark.POINT


def _date_order(is_day_first: bool | None) -> DateOrder | None:
    return None if is_day_first is None else DateOrder.DAY if is_day_first else DateOrder.MONTH
