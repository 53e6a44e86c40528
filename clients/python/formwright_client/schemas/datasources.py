"""Schemas of Datasources."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final


@final
class Datasource(TypedDict):
    """A table of external data that forms can look up."""

    id: str
    """The id of a data source."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the data source."""
    externalId: str | None
    """Your own id for the data source."""
    keyColumn: str
    """The name of the column whose values identify the rows."""
    columns: list[str]
    """The names of the columns, in order."""
    types: dict[str, DatasourceColumnType]
    """The types of the columns, by name."""
    rowCount: int
    """The number of rows."""
    version: int
    """Increases by 1 with each import that changes a row."""
    pull: DatasourcePull | None
    """Where the rows are fetched from, and the last result. Null if they are not pulled."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


DatasourceColumnType: TypeAlias = Literal["boolean", "date", "datetime", "decimal", "integer", "text"]
"""The type of the cells in a column. Cells are stored as text and converted to this type when they are
read.
"""


@final
class DatasourceCreate(TypedDict):
    """A new data source with its rows, or with a pull."""

    name: str
    """The name, which must be unique in the account."""
    keyColumn: str
    """The name of the column whose values identify the rows: each row has a different one."""
    columns: NotRequired[list[str]]
    """The names of the columns. Default: those of the rows."""
    types: NotRequired[dict[str, DatasourceColumnType]]
    """Fixed types of columns, by name: a cell of another type makes its row invalid. The types of other
    columns are inferred from the cells.
    """
    rows: NotRequired[list[dict[str, str | int | float | bool | None]]]
    """Rows as objects, keyed by column name."""
    pull: NotRequired[DatasourcePullCreate | None]
    """Instead of `rows`: a URL to fetch them from, now and at regular intervals."""
    externalId: NotRequired[str | None]
    """Your own id for the data source, which must be unique in the account."""


@final
class DatasourceImport(TypedDict):
    """A past import."""

    id: str
    """The id of an import."""
    datasourceId: str
    """The id of a data source."""
    source: DatasourceImportSource
    """The format in which the rows arrived, or `PULL` if the server fetched them from a URL."""
    mode: DatasourceImportMode
    """How an import treats existing rows that it does not contain. `REPLACE`: they are deleted. `UPSERT`:
    they are kept.
    """
    status: DatasourceImportStatus
    """The result of an import. `DONE`: rows were imported. `FAILED`: nothing was changed."""
    inserted: int
    """The number of rows that were inserted."""
    updated: int
    """The number of rows that were updated."""
    unchanged: int
    """The number of rows that stayed the same."""
    deleted: int
    """The number of rows that were deleted."""
    skipped: int
    """The number of invalid rows that were skipped."""
    version: int
    """The version of the data source after the import."""
    badRows: list[DatasourceRowError]
    """The first 100 invalid rows."""
    detail: str
    """Why the import failed; empty if it did not."""
    started: str
    """When the import started."""
    ended: str
    """When the import ended."""


DatasourceImportMode: TypeAlias = Literal["REPLACE", "UPSERT"]
"""How an import treats existing rows that it does not contain. `REPLACE`: they are deleted. `UPSERT`:
they are kept.
"""


@final
class DatasourceImportReport(TypedDict):
    """The result of an import, or of a dry run."""

    inserted: int
    """The number of rows that were inserted."""
    updated: int
    """The number of rows that were updated."""
    unchanged: int
    """The number of rows that stayed the same."""
    deleted: int
    """The number of rows that were deleted."""
    skipped: int
    """The number of invalid rows that were skipped."""
    version: int
    """The version of the data source after the import."""
    dryRun: bool
    """Whether this was a dry run, which changed nothing."""
    badRows: list[DatasourceRowError]
    """The invalid rows, at most 1,000 of them."""


DatasourceImportSource: TypeAlias = Literal["CSV", "JSON", "PULL", "XLSX"]
"""The format in which the rows arrived, or `PULL` if the server fetched them from a URL."""

DatasourceImportStatus: TypeAlias = Literal["DONE", "FAILED"]
"""The result of an import. `DONE`: rows were imported. `FAILED`: nothing was changed."""


@final
class DatasourcePull(TypedDict):
    """The pull of a data source, and the result of the last one."""

    url: str
    """The URL from which the rows are fetched."""
    headers: dict[str, None]
    """The names of the headers sent with each request. Their values are not shown and are null."""
    every: str
    """The time between two pulls, as an ISO 8601 duration."""
    status: DatasourcePullStatus | None
    """The status of the last pull; null before the first."""
    lastStarted: str | None
    """When the last pull started."""
    lastEnded: str | None
    """When the last pull ended."""
    durationMs: int | None
    """The duration of the last pull that has ended, in milliseconds."""
    rows: int | None
    """The number of rows in the last successful pull."""
    detail: str
    """Why the last pull failed; empty if it did not."""
    badRows: list[DatasourceRowError]
    """The first 100 invalid rows of a failed pull."""
    nextDue: str | None
    """When the next pull is due; null while one is running."""


@final
class DatasourcePullCreate(TypedDict):
    """A URL from which the rows of a data source are fetched at regular intervals."""

    url: str
    """An `https` URL of a CSV, .xlsx or .xls file, a JSON array of objects, or a JSON object whose `rows`
    property is such an array. Redirects are not followed.
    """
    headers: NotRequired[dict[str, str]]
    """Headers sent with each request. They are stored encrypted; their values are not shown again."""
    every: NotRequired[str]
    """The time between two pulls: an ISO 8601 duration from 15 minutes to a week. Default: a day."""


DatasourcePullStatus: TypeAlias = Literal["DONE", "FAILED", "RUNNING", "UNCHANGED"]
"""The status of the last pull. `RUNNING`: in progress. `DONE`: rows were imported. `UNCHANGED`:
successful, without new data. `FAILED`: failed, and nothing was changed.
"""


@final
class DatasourcePullUpdate(TypedDict):
    """The properties of a pull to change."""

    url: NotRequired[str]
    """An `https` URL of a CSV, .xlsx or .xls file, a JSON array of objects, or a JSON object whose `rows`
    property is such an array. Redirects are not followed.
    """
    headers: NotRequired[dict[str, str | None]]
    """All headers from now on. Null keeps the current value of a header, unless you change the URL to
    another server.
    """
    every: NotRequired[str]
    """The time between two pulls: an ISO 8601 duration from 15 minutes to a week. Default: a day."""


@final
class DatasourceRow(TypedDict):
    """A row of a data source."""

    key: str
    """The value of the key column, as a text."""
    data: dict[str, Any]
    """The cells by column name, with the type of the column; null if a cell is empty."""
    created: str
    """When the row was created."""
    updated: str
    """When the row last changed. Unchanged rows of imports keep it."""


@final
class DatasourceRowError(TypedDict):
    """An invalid row, which was not imported."""

    line: int
    """The line in the file, or the position in a JSON array, counted from 1."""
    column: str | None
    """The name of the column; null if the error concerns the whole row."""
    code: str
    """A stable code of the error."""
    detail: str
    """An explanation for people."""


@final
class DatasourceRowsWrite(TypedDict):
    """Rows to import."""

    rows: list[dict[str, str | int | float | bool | None]]
    """Rows as objects, keyed by column name."""


@final
class DatasourceUpdate(TypedDict):
    """The properties of a data source to change."""

    name: NotRequired[str]
    """The name, which must be unique in the account."""
    keyColumn: NotRequired[str]
    """The name of the column whose values identify the rows: each row has a different one."""
    columns: NotRequired[list[str]]
    """With `rows`: the names of all columns."""
    types: NotRequired[dict[str, DatasourceColumnType]]
    """Fixed types of columns, by name: a cell of another type makes its row invalid. The types of other
    columns are inferred from the cells.
    """
    rows: NotRequired[list[dict[str, str | int | float | bool | None]]]
    """Rows as objects, keyed by column name."""
    pull: NotRequired[DatasourcePullUpdate | None]
    """A pull to add or change, instead of `rows`; null removes it."""
    externalId: NotRequired[str | None]
    """Your own id; null removes it."""


@final
class DatasourceUpsert(TypedDict):
    """A data source by your own id."""

    name: NotRequired[str]
    """The name, which must be unique in the account."""
    keyColumn: NotRequired[str]
    """The name of the column whose values identify the rows: each row has a different one."""
    columns: NotRequired[list[str]]
    """With `rows`: the names of all columns."""
    types: NotRequired[dict[str, DatasourceColumnType]]
    """Fixed types of columns, by name: a cell of another type makes its row invalid. The types of other
    columns are inferred from the cells.
    """
    rows: NotRequired[list[dict[str, str | int | float | bool | None]]]
    """Rows as objects, keyed by column name."""
    pull: NotRequired[DatasourcePullUpdate | None]
    """A pull to add or change, instead of `rows`; null removes it."""
    externalId: str
    """Your own id for the resource."""


DatasourceWithImport = TypedDict(
    "DatasourceWithImport",
    {
        "id": "str",
        "customerId": "str",
        "name": "str",
        "externalId": "str | None",
        "keyColumn": "str",
        "columns": "list[str]",
        "types": "dict[str, DatasourceColumnType]",
        "rowCount": "int",
        "version": "int",
        "pull": "DatasourcePull | None",
        "created": "str",
        "updated": "str",
        "revision": "int",
        "import": "DatasourceImportReport | None",
    },
)
"""A data source, and the result of the import that the request contained."""


@final
class RowRestoration(TypedDict):
    """The row to restore."""

    key: str
    """The key of the row."""
