"""What all parsers share: the `Table` protocol, format detection, and the rules for headers and rows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from formwright.core.tables.numbers import DecimalMark
from formwright.core.workbooks.models import column_letters

MAX_COLUMNS = 200
MAX_COLUMN_NAME = 200
HEAD_BYTES = 4096
"""How many bytes from the start of a file `detect_format` needs."""

WORKBOOK = "xlsx"
"""What `detect_format` returns for all supported workbooks, including .xls."""

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_MAGICS = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", WORKBOOK),  # An .xls file, or any Office file with a password.
    (b"%PDF-", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "an RTF document"),
)
_HTML = re.compile(rb"<(!doctype\s+html|html|head|body|table|script|meta|!--)|<\?xml.*<html", re.DOTALL)
_JSON = re.compile(rb'[\[{]\s*(["\[{\]}]|$)')
_BOM_BYTES = b"\xef\xbb\xbf\xff\xfe \t\r\n"


def detect_format(head: bytes) -> str:
    """Return the format of a file with these first bytes.

    The result is `html`, `xlsx` (also for .xls), the English name of an unsupported format for error messages (`a PDF`,
    `JSON`), or an empty string if the file may be a text table.
    """
    if head.startswith(_ZIP):
        return _detect_zip_format(head)
    for magic, format_name in _MAGICS:
        if head.startswith(magic):
            return format_name
    # Without NUL bytes and byte order marks, UTF-16 text in ASCII looks like UTF-8.
    text = head.replace(b"\0", b"").lstrip(_BOM_BYTES).lower()
    if _HTML.match(text):
        return "html"
    if text.startswith(b"<?xml"):
        return "XML"
    return "JSON" if _JSON.match(text) else ""


def _detect_zip_format(head: bytes) -> str:
    if b"opendocument.spreadsheet" in head[:200]:
        return "an OpenDocument spreadsheet (.ods)"
    if b"Index/" in head[:200]:
        return "a Numbers spreadsheet"
    office = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/")
    return WORKBOOK if head[30:60].startswith(office) else "a ZIP archive"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to read a file. None means to detect it, or to read the first visible sheet.

    Tables do not use the decimal mark, but those who read numbers in them do.
    """

    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None
    decimal_mark: DecimalMark | None = None


@dataclass(frozen=True, slots=True)
class CellRules:
    """How to treat cells: how many characters they may have, and whether to remove white space around them.

    With `marks_numbers`, numbers of a workbook are `NumberCell`s, which distinguishes them from text.
    """

    max_length: int = 10_000
    strip: bool = True
    marks_numbers: bool = False

    def clean(self, cell: str) -> str:
        """Return the cell, without the white space around it unless that is kept."""
        return cell.strip() if self.strip else cell


DEFAULT_RULES = CellRules()


class TableUnreadable(Exception):
    """The file as a whole cannot be read as a table. `code` is stable; `detail` tells the user what to do."""

    def __init__(self, code: str, detail: str, line: int | None = None) -> None:
        super().__init__(detail)
        self.code, self.detail, self.line = code, detail, line


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be imported, and why. `line` counts as in `Table.rows`; `column` is a name in the header."""

    line: int
    column: str | None
    code: str
    detail: str


class FileTable(Protocol):
    """A table in an open file: a header, and rows that are read lazily."""

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns, which are unique and not blank."""

    @property
    def dialect(self) -> Dialect:
        """How the file is read: as requested, or as detected."""

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of the sheets of a workbook; empty for CSV."""

    @property
    def encoding_sample(self) -> tuple[str, ...]:
        """Some cells that are not ASCII, unless the file says how they are encoded."""

    def rows(self) -> Iterator[tuple[int, list[str]] | BadRow]:
        """Yield each row that is not empty: its line number, and one string per column, `""` for empty cells.

        Lines are counted from 1: the line in a CSV file where the row begins, or the row of the sheet. Calling this
        again returns to the start of the file and invalidates earlier iterators. Raises `TableUnreadable`, possibly
        after some rows.
        """


def parse_header(cells: Sequence[str], line: int, first: int = 1) -> tuple[str, ...]:
    """Return the column names without trailing blanks. Raises `TableUnreadable` if they are not valid.

    `first` is the number of the first column in the sheet, for error messages.
    """
    width = filled_width(cells)
    if width > MAX_COLUMNS:
        detail = (
            f"The header has {width} columns; at most {MAX_COLUMNS} are allowed. Remove columns that no form needs."
        )
        raise TableUnreadable("table.columns.too_many", detail, line)
    seen: dict[str, str] = {}
    for number, name in enumerate(cells[:width], start=first):
        place = f"Column {number} ({column_letters(number)})"
        _check_name(name, place, line)
        if name in seen:
            detail = f"{place} has the same name as {seen[name]}: {name!r}. Rename one of them."
            raise TableUnreadable("table.header.taken", detail, line)
        seen[name] = place.lower().replace(column_letters(number).lower(), column_letters(number))
    return tuple(seen)


def _check_name(name: str, place: str, line: int) -> None:
    if not name:
        detail = f"{place} has no name. The first row must contain the name of every column. Name or remove it."
        raise TableUnreadable("table.header.blank", detail, line)
    if len(name) > MAX_COLUMN_NAME:
        detail = (
            f"The name of {place[0].lower()}{place[1:]} has {len(name)} characters; at most {MAX_COLUMN_NAME} are"
            " allowed. The first row must contain the column names."
        )
        raise TableUnreadable("table.header.too_long", detail, line)
    if "\0" in name:
        detail = f"The name of {place[0].lower()}{place[1:]} contains a NUL character. Remove it, or save as CSV UTF-8."
        raise TableUnreadable("table.header.nul", detail, line)


def check_row(
    cells: list[str], header: Sequence[str], line: int, max_length: int = DEFAULT_RULES.max_length
) -> tuple[int, list[str]] | BadRow:
    """Check a row of unusual width or length, or with NUL characters; return the row, or what is wrong with it."""
    if len(cells) < len(header):
        return _ragged_row(len(cells), header, line)
    if (width := filled_width(cells)) > len(header):
        return _ragged_row(width, header, line)
    for name, cell in zip(header, cells, strict=False):
        if len(cell) > max_length:
            return cell_too_long(line, name, f"has {len(cell)} characters", max_length)
        if "\0" in cell:
            detail = f"The cell in {name!r} contains a NUL character. Remove it, or save the file as CSV UTF-8."
            return BadRow(line, name, "cell.nul", detail)
    return line, cells[: len(header)]


def cell_too_long(line: int, column: str | None, length: str, max_length: int = DEFAULT_RULES.max_length) -> BadRow:
    """Return the error for a cell that is too long; `length` is its predicate, such as `has 10001 characters`."""
    cell = f"The cell in {column!r}" if column else "A cell"
    return BadRow(line, column, "cell.too_long", f"{cell} {length}; at most {max_length} are allowed. Shorten it.")


def filled_width(cells: Sequence[str]) -> int:
    """Return the number of cells without the trailing empty ones."""
    width = len(cells)
    while width and not cells[width - 1]:
        width -= 1
    return width


def _ragged_row(width: int, header: Sequence[str], line: int) -> BadRow:
    detail = f"The row has {width} cells and the header has {len(header)}. Every row needs one cell per column."
    return BadRow(line, None, "row.ragged", detail)
