"""The way in: a file becomes a table."""

from typing import BinaryIO, Literal

from formwright.domain.datasources.parsers.base import HEAD_BYTES, Dialect, Table, TableUnreadable, detect_format
from formwright.domain.datasources.parsers.csv import CsvTable
from formwright.domain.datasources.parsers.xlsx import XlsxTable

Kind = Literal["csv", "xlsx"]
_DETECT = Dialect()


def open_table(file: BinaryIO, kind: Kind, dialect: Dialect = _DETECT) -> Table:
    """The table in an open file, which can seek and stays open; `TableUnreadable` where there is none.

    Of an .xlsx all is read at once, of a CSV a row at a time: its file must not change meanwhile.
    """
    file.seek(0)
    head = file.read(HEAD_BYTES)
    if not head:
        raise TableUnreadable("table.empty", "The file is empty.")
    _check_format(detect_format(head), head, kind)
    return XlsxTable(file, dialect) if kind == "xlsx" else CsvTable(file, dialect)


def _check_format(detected: str, head: bytes, kind: Kind) -> None:
    if detected == "html":
        detail = "This is a page in HTML and no table: often a page that asks to sign in. Download the file itself."
        raise TableUnreadable("table.html", detail)
    if detected == "xlsx" and kind == "csv":
        raise TableUnreadable(
            "table.kind", "This is an Office file, such as .xlsx or .xls. Send it as .xlsx, or save it as CSV."
        )
    if detected and detected != "xlsx":
        raise TableUnreadable("table.kind", f"This looks like {detected}. Save the table as CSV or .xlsx.")
    if not detected and kind == "xlsx":
        raise TableUnreadable(
            "table.kind", "The file isn't a valid .xlsx or .xls file. If it is text with separators, send it as CSV."
        )
