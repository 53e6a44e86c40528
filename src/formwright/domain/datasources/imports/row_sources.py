"""Sources of rows to import: JSON, CSV, .xlsx and .xls, from requests and from pulled files."""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, Protocol, overload

import msgspec

from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.tables.base import (
    HEAD_BYTES,
    BadRow,
    CellRules,
    Dialect,
    FileTable,
    TableUnreadable,
    detect_format,
)
from formwright.core.tables.encodings import parse_charset
from formwright.core.tables.numbers import DecimalMark, NumberCell, list_readings, to_machine_notation
from formwright.core.tables.open import Kind, open_table
from formwright.domain.datasources import cell_types
from formwright.domain.datasources.cell_types import TypeDetector
from formwright.domain.datasources.imports.number_columns import NumberColumns, find_number_columns
from formwright.domain.datasources.models import Cell

RowTexts = Sequence[str | None]
"""The cells of a row in the order of the columns; None if the row does not specify the column."""


class RowSource(Protocol):
    """Rows to import. They can be iterated more than once."""

    header: tuple[str, ...]
    is_complete: bool
    """Whether `header` lists all columns of the table, rather than only those that occur in the rows."""

    def keep_keys(self, key_column: str) -> None:
        """Say which column has the keys, whose text remains as it is."""

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        """Yield each row with its line number, or a `BadRow`. Adds the cells of each row to `types`."""

    def to_validation_fault(self, row: BadRow) -> ValidationFault:
        """Return the validation error that reports the row to the sender."""


class RawRows(Sequence[Mapping[str, Cell]]):
    """Rows as undecoded JSON. Each row is decoded when it is accessed: decoding all of them at once would use a lot of
    memory, and allocating and freeing it would block other requests."""

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
    """Rows from JSON objects. The line number of a row is its index plus one."""

    def __init__(self, rows: Sequence[Mapping[str, Cell]], columns: Sequence[str] = ()) -> None:
        self.header = tuple(columns or dict.fromkeys(column for row in rows for column in row))
        self.is_complete = bool(columns)
        self._rows = rows

    def keep_keys(self, key_column: str) -> None:
        """Do nothing: all values of JSON remain as they are."""

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        known = set(self.header)
        for line, row in enumerate(self._rows, 1):
            if unknown := row.keys() - known:
                detail = "There is no column with this name."
                yield BadRow(line, min(unknown), "datasource.column.unknown", detail)
                continue
            if types:
                types.add_values([row.get(column) for column in self.header])
            yield line, [cell_types.to_text(row[column]) if column in row else None for column in self.header]

    def to_validation_fault(self, row: BadRow) -> ValidationFault:
        where = pointer("rows", row.line - 1, *([row.column] if row.column is not None else []))
        return ValidationFault(where, row.code, row.detail)


class DistinctRows:
    """The first row of each key in a source. Rows without a key are left out."""

    def __init__(self, source: RowSource, key_column: str) -> None:
        self.source, self._key = source, key_column
        self.header, self.is_complete = source.header, source.is_complete

    def keep_keys(self, key_column: str) -> None:
        self.source.keep_keys(key_column)

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        place = self.header.index(self._key) if self._key in self.header else None
        seen = set[str]()
        for row in self.source.rows(types):
            if place is not None and not isinstance(row, BadRow):
                key = (row[1][place] or "").strip()
                if not key or key in seen:
                    continue
                seen.add(key)
            yield row

    def to_validation_fault(self, row: BadRow) -> ValidationFault:
        return self.source.to_validation_fault(row)


class TableRows:
    """Rows of a file. Validation errors point to a line with the fragment `#row=`, following RFC 7111.

    Numbers with decimal commas or groups of digits become `1234.5`. A column whose numbers have two readings is text.
    """

    is_complete = True

    def __init__(self, table: FileTable, decimal_mark: DecimalMark | None = None) -> None:
        self.header = table.header
        self._table, self._mark, self._key = table, decimal_mark, ""
        self._numbers: NumberColumns | None = None

    def keep_keys(self, key_column: str) -> None:
        if key_column != self._key:
            self._key, self._numbers = key_column, None

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        try:
            numbers = self._numbers = self._numbers or self._find_numbers()
            if types:
                _check_unclear(types, numbers)
            for row in self._table.rows():
                if not isinstance(row, BadRow):
                    self._convert(row[1], numbers)
                    if types:
                        types.add_texts(row[1])
                yield row
        except TableUnreadable as error:
            raise to_invalid(error) from None

    def _find_numbers(self) -> NumberColumns:
        rows = (row for row in self._table.rows() if not isinstance(row, BadRow))
        delimiter = self._table.dialect.delimiter
        return find_number_columns(self.header, rows, key_column=self._key, delimiter=delimiter, known=self._mark)

    def _convert(self, cells: list[str], numbers: NumberColumns) -> None:
        for index, mark in numbers.converted.items():
            if type(cells[index]) is not NumberCell:
                cells[index] = to_machine_notation(cells[index], mark) or cells[index]
        if self._table.sheets:
            cells[:] = map(str, cells)  # Numbers are marked.

    def to_validation_fault(self, row: BadRow) -> ValidationFault:
        where = f"Line {row.line}" + (f", column {row.column!r}" if row.column is not None else "")
        return ValidationFault(f"#row={row.line}", row.code, f"{where}: {row.detail}")


def _check_unclear(types: TypeDetector, numbers: NumberColumns) -> None:
    """Let columns be text whose numbers have two readings. Raises `Invalid` if one has to be a number."""
    for index, place in numbers.unclear.items():
        if not types.set_text(index):
            shown = " or ".join(map(str, list_readings(place.text).values()))
            detail = f"{place} has two readings: {shown}. Set the decimal mark of the file, a point or a comma."
            raise Invalid.at("?decimalMark", "datasource.decimal_mark", detail)


_ROW_RULES = CellRules(marks_numbers=True)


def open_row_table(file: BinaryIO, kind: Kind, dialect: Dialect) -> FileTable:
    """Open a file for `TableRows`. Raises `TableUnreadable` if it is not a table."""
    return open_table(file, kind, dialect, _ROW_RULES)


def to_invalid(error: TableUnreadable) -> Invalid:
    """Return the validation error for a file that cannot be read as a table."""
    where = f"#row={error.line}" if error.line else ""
    return Invalid.at(where, error.code, f"Line {error.line}: {error.detail}" if error.line else error.detail)


MAX_JSON = 32 * 1024 * 1024
_MIB = 1024 * 1024


class _RowsDocument(msgspec.Struct):
    """The format in which this API accepts rows."""

    rows: list[dict[str, Cell]]


_decoder = msgspec.json.Decoder(list[dict[str, Cell]] | _RowsDocument)


def open_row_source(file: BinaryIO, content_type: str) -> RowSource:
    """Return the rows of an open file, which the caller closes. Raises `TableUnreadable` if it is not a table.

    The content takes precedence over the content type, because servers send CSV files with many different types.
    """
    file.seek(0)
    detected = detect_format(file.read(HEAD_BYTES))
    kind = content_type.partition(";")[0].strip().lower()
    if detected == "xlsx":
        return TableRows(open_row_table(file, "xlsx", Dialect()))
    if detected == "JSON" or (not detected and (kind == "application/json" or kind.endswith("+json"))):
        return _read_json(file)
    return TableRows(open_row_table(file, "csv", Dialect(encoding=parse_charset(content_type))))


def _read_json(file: BinaryIO) -> JsonRows:
    file.seek(0)
    raw = file.read(MAX_JSON + 1).removeprefix(codecs.BOM_UTF8)
    if len(raw) > MAX_JSON:
        detail = f"The JSON is larger than {MAX_JSON // _MIB} MiB. Send a CSV file instead, which may be larger."
        raise TableUnreadable("table.json", detail)
    try:
        document = _decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        detail = "The file is neither a JSON array of objects nor an object with such an array as `rows`"
        raise TableUnreadable("table.json", f"{detail}: {str(error)[:200]}.") from None
    rows = document.rows if isinstance(document, _RowsDocument) else document
    if b"\\u0000" in raw and any("\0" in str(part) for row in rows for cell in row.items() for part in cell):
        raise TableUnreadable("table.json", "A value contains a NUL character, which cannot be stored. Remove it.")
    return JsonRows(rows)
