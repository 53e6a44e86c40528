"""Creating table files, and reading them."""

import csv
import io
from collections.abc import Sequence
from typing import Any

import pytest
import xlsxwriter

from formwright.core.tables.base import BadRow, Dialect, FileTable, TableUnreadable
from formwright.core.tables.open import Kind, open_table

Rows = Sequence[Sequence[Any]]
FOUND = Dialect()


def written(rows: Rows, encoding: str = "utf-8", **how: Any) -> bytes:
    """Return a CSV file written by Python's csv module."""
    text = io.StringIO(newline="")
    csv.writer(text, **how).writerows(rows)
    return text.getvalue().encode(encoding)


def workbook(rows: Rows, *, top: int = 0, left: int = 0, sheet: str | None = None, **formats: str) -> bytes:
    """A sheet with these rows; `formats` are the number formats of columns, such as `B="yyyy-mm-dd"`."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        page = book.add_worksheet(sheet)
        for column, format_ in formats.items():
            page.set_column(f"{column}:{column}", None, book.add_format({"num_format": format_}))
        for number, row in enumerate(rows):
            page.write_row(top + number, left, row)
    return content.getvalue()


def table(content: bytes, kind: Kind = "csv", dialect: Dialect = FOUND) -> FileTable:
    return open_table(io.BytesIO(content), kind, dialect)


def read(content: bytes, kind: Kind = "csv", dialect: Dialect = FOUND) -> list[list[str]]:
    """Return the header and all rows; none of them is invalid."""
    found = table(content, kind, dialect)
    rows = list(found.rows())
    assert not [row for row in rows if isinstance(row, BadRow)]
    return [list(found.header), *(row[1] for row in rows if isinstance(row, tuple))]


def lines(content: bytes, kind: Kind = "csv") -> list[int]:
    """Return the line numbers of the rows."""
    return [row.line if isinstance(row, BadRow) else row[0] for row in table(content, kind).rows()]


def bad(content: bytes, kind: Kind = "csv") -> list[tuple[int, str | None, str]]:
    """Return the invalid rows as line, column and code, and check that their details are complete sentences."""
    rows = [row for row in table(content, kind).rows() if isinstance(row, BadRow)]
    assert all(row.detail.endswith(".") for row in rows)
    return [(row.line, row.column, row.code) for row in rows]


def refused(content: bytes, kind: Kind = "csv", dialect: Dialect = FOUND) -> TableUnreadable:
    """Return the error when the file is opened or read."""
    with pytest.raises(TableUnreadable) as caught:
        list(table(content, kind, dialect).rows())
    assert caught.value.detail.endswith(".")
    return caught.value
