"""Rows that come in, before anything is known of them but their columns.

What was pulled, as rows: CSV, .xlsx, .xls or JSON, whatever the server calls it.
"""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, Protocol, overload

import msgspec

from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.domain.datasources import cell_types
from formwright.domain.datasources.cell_types import TypeDetector
from formwright.domain.datasources.models import Cell
from formwright.domain.datasources.parsers.base import (
    HEAD_BYTES,
    BadRow,
    Dialect,
    Table,
    TableUnreadable,
    detect_format,
)
from formwright.domain.datasources.parsers.csv import parse_charset
from formwright.domain.datasources.parsers.open import open_table

RowTexts = Sequence[str | None]
"""The cells of a row, one a column; None where the row says nothing of the column."""


class RowSource(Protocol):
    """Where rows come from. It can be gone through more than once."""

    header: tuple[str, ...]
    whole: bool
    """Whether these are all columns that there shall be."""

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        """Each row with its line, or why it is none; `types` sees the cells go by."""

    def fault(self, row: BadRow) -> ValidationFault:
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
        return RawRows(self._rows[index]) if isinstance(index, slice) else _row_decoder.decode(self._rows[index])

    def __iter__(self) -> Iterator[Mapping[str, Cell]]:
        return map(_row_decoder.decode, self._rows)


_row_decoder = msgspec.json.Decoder(dict[str, Cell])


class JsonRows:
    """Rows that came as JSON objects; their line is their index and one."""

    def __init__(self, rows: Sequence[Mapping[str, Cell]], columns: Sequence[str] = ()) -> None:
        self.header = tuple(columns or dict.fromkeys(column for row in rows for column in row))
        self.whole = bool(columns)
        self._rows = rows

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        known = set(self.header)
        for line, row in enumerate(self._rows, 1):
            if unknown := row.keys() - known:
                yield BadRow(line, min(unknown), "datasource.column.unknown", "There is no such column.")
                continue
            if types:
                types.see_values([row.get(column) for column in self.header])
            yield line, [cell_types.to_text(row[column]) if column in row else None for column in self.header]

    def fault(self, row: BadRow) -> ValidationFault:
        where = pointer("rows", row.line - 1, *([row.column] if row.column is not None else []))
        return ValidationFault(where, row.code, row.detail)


class TableRows:
    """Rows of a file. In a fault, `#row=` is followed by the line of the file, after RFC 7111."""

    whole = True

    def __init__(self, table: Table) -> None:
        self.header = table.header
        self._table = table

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        try:
            for row in self._table.rows():
                if types and not isinstance(row, BadRow):
                    types.see_texts(row[1])
                yield row
        except TableUnreadable as error:
            raise to_invalid(error) from None

    def fault(self, row: BadRow) -> ValidationFault:
        where = f"Line {row.line}" + (f", column {row.column!r}" if row.column is not None else "")
        return ValidationFault(f"#row={row.line}", row.code, f"{where}: {row.detail}")


def to_invalid(error: TableUnreadable) -> Invalid:
    """A file that is no table, as a fault of what was sent."""
    where = f"#row={error.line}" if error.line else ""
    return Invalid.at(where, error.code, f"Line {error.line}: {error.detail}" if error.line else error.detail)


MAX_JSON = 32 * 1024 * 1024
_MIB = 1024 * 1024


class _RowsDocument(msgspec.Struct):
    """Rows as our own API takes them."""

    rows: list[dict[str, Cell]]


_decoder = msgspec.json.Decoder(list[dict[str, Cell]] | _RowsDocument)


def open_row_source(file: BinaryIO, content_type: str) -> RowSource:
    """The rows in an open file, which stays open; `TableUnreadable` where there are none.

    Where the content says what it is, that counts: servers call a CSV many things.
    """
    file.seek(0)
    detected = detect_format(file.read(HEAD_BYTES))
    kind = content_type.partition(";")[0].strip().lower()
    if detected == "xlsx":
        return TableRows(open_table(file, "xlsx"))
    if detected == "JSON" or (not detected and (kind == "application/json" or kind.endswith("+json"))):
        return _read_json(file)
    return TableRows(open_table(file, "csv", Dialect(encoding=parse_charset(content_type))))


def _read_json(file: BinaryIO) -> JsonRows:
    file.seek(0)
    raw = file.read(MAX_JSON + 1).removeprefix(codecs.BOM_UTF8)
    if len(raw) > MAX_JSON:
        raise TableUnreadable("table.json", f"JSON is read up to {MAX_JSON // _MIB} MiB; a CSV may be larger.")
    try:
        found = _decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        detail = f"This is no JSON array of objects, and no object with such `rows`: {str(error)[:200]}."
        raise TableUnreadable("table.json", detail) from None
    rows = found.rows if isinstance(found, _RowsDocument) else found
    if b"\\u0000" in raw and any("\0" in str(part) for row in rows for cell in row.items() for part in cell):
        raise TableUnreadable("table.json", "This holds the character NUL, which cannot be stored.")
    return JsonRows(rows)
