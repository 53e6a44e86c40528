"""What a table is, and when it is none."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is to be read. What is `None` is found: of an .xlsx, the first sheet that can be seen."""

    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None


class TableUnreadable(Exception):
    """The file as a whole cannot be read. `code` is stable; `detail` says what to do."""

    def __init__(self, code: str, detail: str, line: int | None = None) -> None:
        super().__init__(detail)
        self.code, self.detail, self.line = code, detail, line


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be taken, and why. `line` counts as in `Table.rows`; `column` is its name in the header."""

    line: int
    column: str | None
    code: str
    detail: str


class Table(Protocol):
    """A header, and rows that are read from the file as they are asked for."""

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns: none blank, none twice."""

    @property
    def dialect(self) -> Dialect:
        """How it is read: as was said, or as was found."""

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of the sheets that it might be; none of a CSV."""

    def rows(self) -> Iterator[tuple[int, list[str]] | BadRow]:
        """Each row that is not empty: where it begins, and one text a column, `""` where there is nothing.

        The line counts from 1: of a CSV it is the line of the file, of an .xlsx the sheet's row. May be called again,
        which goes back to the start of the file: only the last iterator is good. `TableUnreadable` may come at any row.
        """
