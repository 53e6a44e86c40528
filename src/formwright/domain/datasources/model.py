"""Datasources and their rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.kernel.errors import Conflict, NotFound

MAX_ROWS = 1_000_000
MAX_COLUMNS = 200
MAX_KEY = 500
Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Datasource:
    """A table of outside data; `key_column` is the column whose value is unique. Times in milliseconds."""

    id: str
    customer_id: str
    name: str
    key_column: str
    columns: tuple[str, ...]
    row_count: int
    created: int
    updated: int
    revision: int


@dataclass(frozen=True, slots=True)
class DataRow:
    """One row: its place, its key, and its cells as a JSON object."""

    position: int
    key: str
    data: str


@dataclass(frozen=True, slots=True)
class Search:
    """Which rows are wanted: with all words of `text` in the key or these columns, with the cells of `by`."""

    text: str
    columns: Sequence[str]
    by: Mapping[str, str]
    key: str | None = None
    skip: int = 0


@dataclass(frozen=True, slots=True)
class NewDatasource:
    """What a datasource is made from; without `columns` they are those of the rows, in the order of their first use."""

    name: str
    key_column: str
    columns: Sequence[str]
    rows: Sequence[Mapping[str, Cell]]


class DatasourceNotFound(NotFound):
    """No such datasource in this account."""

    code = "datasource.not_found"
    detail = "There is no such datasource in this account."


class DatasourceNameTaken(Conflict):
    """The account has a datasource of this name."""

    code = "datasource.name_taken"
    detail = "This account has a datasource with this name already. Choose another name."
