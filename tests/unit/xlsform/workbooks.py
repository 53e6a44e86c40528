"""Creates workbooks for tests."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import xlsxwriter

Sheets = Mapping[str, Sequence[Sequence[Any]]]


def workbook(sheets: Sheets) -> bytes:
    """Return an .xlsx file with these rows of cells. A text that begins with `=` is a formula."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return content.getvalue()


def survey(*rows: Sequence[Any], columns: str = "type name label", **sheets: Sequence[Sequence[Any]]) -> bytes:
    """Return a form with this survey, a title and a language. `columns` are the headings."""
    settings = [["form_title", "default_language"], ["A form", "en"]]
    return workbook({"survey": [columns.split(" "), *rows], "settings": settings, **sheets})
