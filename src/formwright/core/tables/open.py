"""Opens a file as a table."""

from typing import BinaryIO, Literal

from formwright.core.tables.base import (
    DEFAULT_RULES,
    HEAD_BYTES,
    CellRules,
    Dialect,
    FileTable,
    TableUnreadable,
    detect_format,
)
from formwright.core.tables.csv import CsvTable
from formwright.core.tables.xlsx import open_sheet

Kind = Literal["csv", "xlsx"]
_DETECT = Dialect()


def open_table(file: BinaryIO, kind: Kind, dialect: Dialect = _DETECT, rules: CellRules = DEFAULT_RULES) -> FileTable:
    """Return the table in an open, seekable file, which the caller closes. Raises `TableUnreadable` if it is not one.

    A workbook is read completely. A CSV file is read row by row, so it must not change while the table is used.
    """
    file.seek(0)
    head = file.read(HEAD_BYTES)
    if not head:
        raise TableUnreadable("table.empty", "The file is empty.")
    _check_format(detect_format(head), head, kind)
    return open_sheet(file, dialect, rules) if kind == "xlsx" else CsvTable(file, dialect, rules)


def _check_format(detected: str, head: bytes, kind: Kind) -> None:
    if detected == "html":
        detail = "The file is an HTML page, such as a sign-in page, and not a table. Download the table itself."
        raise TableUnreadable("table.html", detail)
    if detected == "xlsx" and kind == "csv":
        raise TableUnreadable(
            "table.kind", "The file is an Office file, such as .xlsx or .xls. Send it as .xlsx, or save it as CSV."
        )
    if detected and detected != "xlsx":
        raise TableUnreadable("table.kind", f"The file looks like {detected}. Save the table as CSV or .xlsx.")
    if not detected and kind == "xlsx":
        raise TableUnreadable(
            "table.kind", "The file is not a valid .xlsx or .xls file. If it is delimited text, send it as CSV."
        )
