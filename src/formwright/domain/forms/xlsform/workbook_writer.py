"""Writes the sheets of an exported form to an .xlsx file."""

import datetime
import io
from collections.abc import Mapping, Sequence

import xlsxwriter

from formwright.core.formulas import looks_like_formula
from formwright.domain.forms.xlsform.languages import language_heading

Cells = dict[tuple[str, str], str]
"""A row: texts by column and language."""
_FIXED_DATE = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
"""The creation date in the workbook. It is fixed, so that the same form always results in the same file."""


def write_workbook(sheets: Mapping[str, tuple[list[str], list[Cells]]]) -> bytes:
    """Return the file with these sheets: the headings and the rows of each."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as workbook:
        workbook.set_properties({"created": _FIXED_DATE})
        bold = workbook.add_format({"bold": True})
        # Marks a cell as text in Excel. Does not change the value of the cell.
        quoted = workbook.add_format({"quote_prefix": True})
        for name, (headings, rows) in sheets.items():
            sheet = workbook.add_worksheet(name)
            sheet.freeze_panes(1, 0)
            for place, heading in enumerate(headings):
                sheet.write_string(0, place, heading, bold)
            for number, row in enumerate(rows, start=1):
                for (column, tag), text in row.items():
                    # Always write text: a label that begins with = is not a formula.
                    format_ = quoted if looks_like_formula(text) else None
                    sheet.write_string(number, _column_index(headings, column, tag), text, format_)
    return content.getvalue()


def _column_index(headings: Sequence[str], column: str, tag: str) -> int:
    if column in headings:
        return headings.index(column)
    if tag:
        return headings.index(f"{column}::{language_heading(tag)}")
    return next(place for place, heading in enumerate(headings) if heading.startswith(f"{column}::"))
