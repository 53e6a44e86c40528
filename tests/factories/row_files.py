"""Files with rows for imports."""

import csv
import io
from collections.abc import Iterable, Sequence

import xlsxwriter

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def csv_file(rows: Iterable[Sequence[object]], delimiter: str = ",") -> bytes:
    """Return a CSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue().encode()


def xlsx_file(rows: Iterable[Sequence[object]], **more: Iterable[Sequence[object]]) -> bytes:
    """Return an .xlsx file; `more` are further sheets by name."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        for name, lines in {"": rows, **more}.items():
            sheet = book.add_worksheet(name or None)
            for number, row in enumerate(lines):
                sheet.write_row(number, 0, row)
    return content.getvalue()
