"""The way in: a file becomes a table."""

from typing import BinaryIO, Literal

from formwright.domain.datasources.parsers.base import HEAD, Dialect, Table, TableUnreadable, looks_like
from formwright.domain.datasources.parsers.csv import CsvTable
from formwright.domain.datasources.parsers.xlsx import XlsxTable

Kind = Literal["csv", "xlsx"]
_AS_IT_IS = Dialect()


def open_table(file: BinaryIO, kind: Kind, dialect: Dialect = _AS_IT_IS) -> Table:
    """The table in an open file, which can seek and stays open; `TableUnreadable` where there is none.

    Of an .xlsx all is read at once, of a CSV a row at a time: its file must not change meanwhile.
    """
    file.seek(0)
    head = file.read(HEAD)
    if not head:
        raise TableUnreadable("table.empty", "The file is empty.")
    _check(looks_like(head), head, kind)
    return XlsxTable(file, dialect) if kind == "xlsx" else CsvTable(file, dialect)


def _check(what: str, head: bytes, kind: Kind) -> None:
    if what == "html":
        detail = "This is a page in HTML and no table: often a page that asks to sign in. Download the file itself."
        raise TableUnreadable("table.html", detail)
    if what == "xlsx" and kind == "csv":
        raise TableUnreadable(
            "table.kind", "This is an Office file, such as .xlsx or .xls. Send it as .xlsx, or save it as CSV."
        )
    if what and what != "xlsx":
        raise TableUnreadable("table.kind", f"This looks like {what}. Save the table as CSV or .xlsx.")
    if not what and kind == "xlsx":
        raise TableUnreadable(
            "table.kind", "The file isn't a valid .xlsx or .xls file. If it is text with separators, send it as CSV."
        )
