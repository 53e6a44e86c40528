"""Datasources, their columns and rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from formwright.core.kernel.errors import Conflict, NotFound
from formwright.domain.datasources.pull import Pull

FOREVER = 2**62
"""The version at which a row ends that has not ended."""

Cell = str | int | float | bool | None


class CellType(StrEnum):
    """What the cells of a column are. They are kept as text, and shown as this."""

    TEXT = "text"
    INTEGER = "integer"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `fixed` when somebody said its type, else it was found in the cells and may still change."""

    name: str
    type: CellType = CellType.TEXT
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Datasource:
    """A table of outside data; `key_column` is the column whose value is unique. Times in milliseconds.

    `version` counts the imports that changed something; `place` and `next_number` say where its rows' numbers are.
    """

    id: str
    customer_id: str
    name: str
    key_column: str
    columns: tuple[Column, ...]
    row_count: int
    version: int
    place: int
    next_number: int
    created: int
    updated: int
    revision: int
    pull: Pull | None = field(default=None, compare=False)
    """Where its rows are fetched; only what is to be shown has it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True, slots=True)
class DataRow:
    """One row: its number, its key, and its cells as a JSON object of texts; an empty cell is not in it."""

    number: int
    key: str
    data: str


class NewRow(NamedTuple):
    """A row that is to be written: its key, its cells as JSON, and the same cells."""

    key: str
    data: str
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Search:
    """Which rows are wanted: with all words of `text` in the key or the shown columns, with the cells of `by`.

    A word of three or more letters is found anywhere, a shorter one where a word begins. Case and accents do not count.
    """

    text: str = ""
    shown: frozenset[str] | None = None
    """The columns in which words may be found; None means all."""
    by: Mapping[str, str] | None = None
    key: str | None = None
    skip: int = 0


class DatasourceNotFound(NotFound):
    """No such datasource in this account."""

    code = "datasource.not_found"
    detail = "There is no such datasource in this account."


class DatasourceNameTaken(Conflict):
    """The account has a datasource of this name."""

    code = "datasource.name_taken"
    detail = "This account has a datasource with this name already. Choose another name."


class DatasourceBusy(Conflict):
    """Another import into it is under way."""

    code = "datasource.busy"
    detail = "Rows are being imported into this datasource right now. Try again when that is done."
