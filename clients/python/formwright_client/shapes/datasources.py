"""Shapes of Datasources.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Datasource(TypedDict):
    """A table of external data that forms can look up."""

    id: str
    customerId: str
    name: str
    keyColumn: str
    columns: list[str]
    types: dict[str, DatasourceColumnType]
    rowCount: int
    version: int
    pull: DatasourcePull | None
    created: str
    updated: str
    revision: int


DatasourceColumnType: TypeAlias = Literal["boolean", "date", "datetime", "decimal", "integer", "text"]
"""The type of the cells in a column."""


class DatasourceCreate(TypedDict):
    """A new data source with its rows, or with a pull."""

    name: str
    keyColumn: str
    columns: NotRequired[list[str]]
    types: NotRequired[dict[str, DatasourceColumnType]]
    rows: NotRequired[list[dict[str, str | int | float | bool | None]]]
    pull: NotRequired[DatasourcePullCreate | None]


class DatasourceImport(TypedDict):
    """A past import."""

    id: str
    datasourceId: str
    source: DatasourceImportSource
    mode: DatasourceImportMode
    status: DatasourceImportStatus
    inserted: int
    updated: int
    unchanged: int
    deleted: int
    skipped: int
    version: int
    badRows: list[DatasourceRowError]
    detail: str
    started: str
    ended: str


DatasourceImportMode: TypeAlias = Literal["REPLACE", "UPSERT"]
"""How an import treats existing rows that it does not contain."""


class DatasourceImportReport(TypedDict):
    """The result of an import, or of a dry run."""

    inserted: int
    updated: int
    unchanged: int
    deleted: int
    skipped: int
    version: int
    dryRun: bool
    badRows: list[DatasourceRowError]


DatasourceImportSource: TypeAlias = Literal["CSV", "JSON", "PULL", "XLSX"]
"""The format in which the rows arrived, or `PULL` if the server fetched them from a URL."""


DatasourceImportStatus: TypeAlias = Literal["DONE", "FAILED"]
"""The result of an import."""


class DatasourcePull(TypedDict):
    """The pull of a data source, and the result of the last one."""

    url: str
    headers: dict[str, None]
    every: str
    status: DatasourcePullStatus | None
    lastStarted: str | None
    lastEnded: str | None
    durationMs: int | None
    rows: int | None
    detail: str
    badRows: list[DatasourceRowError]
    nextDue: str | None


class DatasourcePullCreate(TypedDict):
    """A URL from which the rows of a data source are fetched at regular intervals."""

    url: str
    headers: NotRequired[dict[str, str]]
    every: NotRequired[str]


DatasourcePullStatus: TypeAlias = Literal["DONE", "FAILED", "RUNNING", "UNCHANGED"]
"""The status of the last pull."""


class DatasourcePullUpdate(TypedDict):
    """The properties of a pull to change."""

    url: NotRequired[str]
    headers: NotRequired[dict[str, str | None]]
    every: NotRequired[str]


class DatasourceRow(TypedDict):
    """A row of a data source."""

    key: str
    data: dict[str, Any]


class DatasourceRowError(TypedDict):
    """An invalid row, which was not imported."""

    line: int
    column: str | None
    code: str
    detail: str


class DatasourceRowsWrite(TypedDict):
    """Rows to import."""

    rows: list[dict[str, str | int | float | bool | None]]


class DatasourceUpdate(TypedDict):
    """The properties of a data source to change."""

    name: NotRequired[str]
    keyColumn: NotRequired[str]
    columns: NotRequired[list[str]]
    types: NotRequired[dict[str, DatasourceColumnType]]
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
