"""Rows that come in, before anything is known of them but their columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, overload

import msgspec

from formwright.core.kernel.errors import Fault, Invalid, pointer
from formwright.domain.datasources import cells
from formwright.domain.datasources.cells import Types
from formwright.domain.datasources.model import Cell
from formwright.domain.datasources.tables.model import BadRow, Table, TableUnreadable

Texts = Sequence[str | None]
"""The cells of a row, one a column; None where the row says nothing of the column."""


class Incoming(Protocol):
    """Where rows come from. It can be gone through more than once."""

    header: tuple[str, ...]
    whole: bool
    """Whether these are all columns that there shall be."""

    def rows(self, types: Types | None = None) -> Iterator[tuple[int, Texts] | BadRow]:
        """Each row with its line, or why it is none; `types` sees the cells go by."""

    def fault(self, row: BadRow) -> Fault:
        """The bad row as a fault of what was sent."""


class RawRows(Sequence[Mapping[str, Cell]]):
    """Rows as the JSON they came as. Each is decoded when it is its turn: together they would fill the memory, and
    nothing else could run while they are made and taken down."""

    def __init__(self, rows: Sequence[msgspec.Raw]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Cell]: ...

    @overload
    def __getitem__(self, index: slice) -> "RawRows": ...

    def __getitem__(self, index: int | slice) -> "Mapping[str, Cell] | RawRows":
        return RawRows(self._rows[index]) if isinstance(index, slice) else _row.decode(self._rows[index])

    def __iter__(self) -> Iterator[Mapping[str, Cell]]:
        return map(_row.decode, self._rows)


_row = msgspec.json.Decoder(dict[str, Cell])


class JsonRows:
    """Rows that came as JSON objects; their line is their index and one."""

    def __init__(self, rows: Sequence[Mapping[str, Cell]], columns: Sequence[str] = ()) -> None:
        self.header = tuple(columns or dict.fromkeys(column for row in rows for column in row))
        self.whole = bool(columns)
        self._rows = rows

    def rows(self, types: Types | None = None) -> Iterator[tuple[int, Texts] | BadRow]:
        known = set(self.header)
        for line, row in enumerate(self._rows, 1):
            if unknown := row.keys() - known:
                yield BadRow(line, min(unknown), "datasource.column.unknown", "There is no such column.")
                continue
            if types:
                types.see_values([row.get(column) for column in self.header])
            yield line, [cells.text_of(row[column]) if column in row else None for column in self.header]

    def fault(self, row: BadRow) -> Fault:
        where = pointer("rows", row.line - 1, *([row.column] if row.column is not None else []))
        return Fault(where, row.code, row.detail)


class TableRows:
    """Rows of a file. In a fault, `#row=` is followed by the line of the file, after RFC 7111."""

    whole = True

    def __init__(self, table: Table) -> None:
        self.header = table.header
        self._table = table

    def rows(self, types: Types | None = None) -> Iterator[tuple[int, Texts] | BadRow]:
        try:
            for row in self._table.rows():
                if types and not isinstance(row, BadRow):
                    types.see_texts(row[1])
                yield row
        except TableUnreadable as error:
            raise unreadable(error) from None

    def fault(self, row: BadRow) -> Fault:
        where = f"Line {row.line}" + (f", column {row.column!r}" if row.column is not None else "")
        return Fault(f"#row={row.line}", row.code, f"{where}: {row.detail}")


def unreadable(error: TableUnreadable) -> Invalid:
    """A file that is no table, as a fault of what was sent."""
    where = f"#row={error.line}" if error.line else ""
    return Invalid.at(where, error.code, f"Line {error.line}: {error.detail}" if error.line else error.detail)
