"""Shapes of Datasources.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

ColumnType: TypeAlias = Literal["boolean", "date", "datetime", "decimal", "integer", "text"]
"""What the cells of a column are."""


class Datasource(TypedDict):
    """A table of outside data."""

    id: str
    customerId: str
    name: str
    keyColumn: str
    columns: list[str]
    types: dict[str, ColumnType]
    rowCount: int
    version: int
    pull: DatasourcePull | None
    created: str
    updated: str
    revision: int


class DatasourceCreate(TypedDict):
    """A new datasource with its rows."""

    name: str
    keyColumn: str
    columns: NotRequired[list[str]]
    types: NotRequired[dict[str, ColumnType]]
    rows: NotRequired[list[dict[str, str | int | float | bool | None]]]
    pull: NotRequired[DatasourcePullCreate | None]


class DatasourceImport(TypedDict):
    """A past import."""

    id: str
    datasourceId: str
    source: ImportSource
    mode: ImportMode
    status: ImportStatus
    inserted: int
    updated: int
    unchanged: int
    deleted: int
    skipped: int
    version: int
    badRows: list[RowError]
    detail: str
    started: str
    ended: str


class DatasourcePull(TypedDict):
    """Where rows are fetched, and how that went."""

    url: str
    headers: dict[str, None]
    every: str
    status: DatasourcePullStatus | None
    lastStarted: str | None
    lastEnded: str | None
    durationMs: int | None
    rows: int | None
    detail: str
    badRows: list[RowError]
    nextDue: str | None


class DatasourcePullCreate(TypedDict):
    """Where rows are to be fetched."""

    url: str
    headers: NotRequired[dict[str, str]]
    every: NotRequired[str]


DatasourcePullStatus: TypeAlias = Literal["DONE", "FAILED", "RUNNING", "UNCHANGED"]
"""How the last pull went."""


class DatasourcePullUpdate(TypedDict):
    """What of a pull is to be another."""

    url: NotRequired[str]
    headers: NotRequired[dict[str, str | None]]
    every: NotRequired[str]


class DatasourceRow(TypedDict):
    """One row of it."""

    key: str
    data: dict[str, Any]


class DatasourceRowsWrite(TypedDict):
    """Rows by the names of their columns."""

    rows: list[dict[str, str | int | float | bool | None]]


class DatasourceUpdate(TypedDict):
    """What of a datasource is to be another."""

    name: NotRequired[str]
    keyColumn: NotRequired[str]
    columns: NotRequired[list[str]]
    types: NotRequired[dict[str, ColumnType]]
    rows: NotRequired[list[dict[str, str | int | float | bool | None]]]
    pull: NotRequired[DatasourcePullUpdate | None]


DatasourceWithImport = TypedDict(
    "DatasourceWithImport",
    {
        "id": "str",
        "customerId": "str",
        "name": "str",
        "keyColumn": "str",
        "columns": "list[str]",
        "types": "dict[str, ColumnType]",
        "rowCount": "int",
        "version": "int",
        "pull": "DatasourcePull | None",
        "created": "str",
        "updated": "str",
        "revision": "int",
        "import": "ImportReport | None",
    },
)
"""The datasource, and what became of the rows that were sent."""


ImportMode: TypeAlias = Literal["REPLACE", "UPSERT"]
"""What happens to rows that do not come."""


class ImportReport(TypedDict):
    """What an import did or, tried only, would do."""

    inserted: int
    updated: int
    unchanged: int
    deleted: int
    skipped: int
    version: int
    dryRun: bool
    badRows: list[RowError]


ImportSource: TypeAlias = Literal["CSV", "JSON", "PULL", "XLSX"]
"""How the rows came."""


ImportStatus: TypeAlias = Literal["DONE", "FAILED"]
"""How it ended."""


class RowError(TypedDict):
    """A row that was not taken in."""

    line: int
    column: str | None
    code: str
    detail: str
