"""Spreadsheets written for a test."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import xlsxwriter

Sheets = Mapping[str, Sequence[Sequence[Any]]]


def workbook(sheets: Sheets) -> bytes:
    """The .xlsx with these rows of cells; a text that begins with `=` is a formula, as a person would type it."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return content.getvalue()


def survey(*rows: Sequence[Any], columns: str = "type name label", **sheets: Sequence[Sequence[Any]]) -> bytes:
    """A form with this survey; `columns` are its headings. It has a title and a language."""
    settings = [["form_title", "default_language"], ["A form", "en"]]
    return workbook({"survey": [columns.split(" "), *rows], "settings": settings, **sheets})
