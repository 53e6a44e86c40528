"""What the first bytes of a file look like, whatever it is sent as.

What a table is, and when it is none.

What a header and a row have to be, whichever file they come from.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from formwright.core.workbooks.models import column_letters
from formwright.domain.datasources.limits import MAX_CELL, MAX_COLUMN_NAME, MAX_COLUMNS

HEAD_BYTES = 4096
"""Bytes that are enough to tell."""

WORKBOOK = "xlsx"
"""The answer for every workbook that may be read, an .xls too."""

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_MAGICS = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", WORKBOOK),  # An .xls, or any Office file with a password.
    (b"%PDF-", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "a document in RTF"),
)
_HTML = re.compile(rb"<(!doctype\s+html|html|head|body|table|script|meta|!--)|<\?xml.*<html", re.DOTALL)
_JSON = re.compile(rb'[\[{]\s*(["\[{\]}]|$)')
_BOM_BYTES = b"\xef\xbb\xbf\xff\xfe \t\r\n"


def detect_format(head: bytes) -> str:
    """What it is: `html`, `xlsx` (or .xls), a noun with its article, or nothing where it may be a table of text."""
    if head.startswith(_ZIP):
        return _detect_zip_format(head)
    for magic, format_name in _MAGICS:
        if head.startswith(magic):
            return format_name
    # Without NUL and marks, UTF-16 looks as UTF-8 does.
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


def parse_header(cells: Sequence[str], line: int, first: int = 1) -> tuple[str, ...]:
    """The names without the blank ones behind the last; `first` is the number of the first column in its sheet."""
    width = filled_width(cells)
    if width > MAX_COLUMNS:
        detail = f"The header names {width} columns; {MAX_COLUMNS} are the most. Leave out what no form needs."
        raise TableUnreadable("table.columns.too_many", detail, line)
    seen: dict[str, str] = {}
    for number, name in enumerate(cells[:width], start=first):
        place = f"Column {number} ({column_letters(number)})"
        _check_name(name, place, line)
        if name in seen:
            detail = f"{place} has the name {name!r}, and so has {seen[name]}. Name each column once."
            raise TableUnreadable("table.header.taken", detail, line)
        seen[name] = place.lower().replace(column_letters(number).lower(), column_letters(number))
    return tuple(seen)


def _check_name(name: str, place: str, line: int) -> None:
    if not name:
        detail = f"{place} has no name. The first row must name every column: name it, or remove it."
        raise TableUnreadable("table.header.blank", detail, line)
    if len(name) > MAX_COLUMN_NAME:
        detail = (
            f"{place} has a name of {len(name)} characters; at most {MAX_COLUMN_NAME}. The first row must hold names."
        )
        raise TableUnreadable("table.header.too_long", detail, line)
    if "\0" in name:
        detail = f"{place} has a name with a NUL character. Remove it, or save the file as CSV UTF-8."
        raise TableUnreadable("table.header.nul", detail, line)


def check_row(cells: list[str], header: Sequence[str], line: int) -> tuple[int, list[str]] | BadRow:
    """The row of an odd width, with a very long text or with a NUL: in order after all, or bad."""
    if len(cells) < len(header):
        return _ragged_row(len(cells), header, line)
    if (width := filled_width(cells)) > len(header):
        return _ragged_row(width, header, line)
    for name, cell in zip(header, cells, strict=False):
        if len(cell) > MAX_CELL:
            return cell_too_long(line, name, f"holds {len(cell)} characters")
        if "\0" in cell:
            detail = f"The cell in {name!r} holds a NUL character. Remove it, or save the file as CSV UTF-8."
            return BadRow(line, name, "cell.nul", detail)
    return line, cells[: len(header)]


def cell_too_long(line: int, column: str | None, holds: str) -> BadRow:
    """The fault of a cell that is too long."""
    cell = f"The cell in {column!r}" if column else "A cell"
    return BadRow(line, column, "cell.too_long", f"{cell} {holds}; {MAX_CELL} are the most. Shorten it.")


def filled_width(cells: Sequence[str]) -> int:
    """How many cells there are up to the last that is not empty."""
    width = len(cells)
    while width and not cells[width - 1]:
        width -= 1
    return width


def _ragged_row(width: int, header: Sequence[str], line: int) -> BadRow:
    detail = f"The row has {width} cells and the header {len(header)}. Each row needs one for each column."
    return BadRow(line, None, "row.ragged", detail)
