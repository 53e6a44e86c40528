"""Imports of submissions, and files for them."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import httpx
import xlsxwriter
from actors import Account

from factories.requests import PREFIX, get
from formwright.domain.submissions.imports.cells import escape_text
from formwright.worker.submission_imports import ImportWorker

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
Rows = Iterable[Sequence[Any]]


def csv_file(rows: Rows, delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    """Return the rows as CSV, as our exports write it: text is quoted, and formulas are escaped."""
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([escape_text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return written.getvalue().encode(encoding)


def xlsx_file(sheets: Mapping[str, Rows]) -> bytes:
    """Return a workbook. Text never becomes a formula."""
    whole = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(whole, options) as book:
        moment = book.add_format({"num_format": "d.m.yy hh:mm"})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for column, cell in enumerate(row):
                    if isinstance(cell, str):
                        sheet.write_string(number, column, cell)
                    elif isinstance(cell, date):
                        sheet.write_datetime(number, column, cell, moment)
                    elif cell is not None:
                        sheet.write(number, column, cell)
    return whole.getvalue()


async def send(
    account: Account, form: Mapping[str, Any], content: bytes, type_: str = CSV, **query: str
) -> httpx.Response:
    """Start an import and return the response, whatever its status."""
    path = f"{PREFIX}/customers/{account.id}/forms/{form['id']}/submission-imports"
    return await account.api.post(path, params=query, content=content, headers={"content-type": type_})


async def imported(
    account: Account, form: Mapping[str, Any], content: bytes, type_: str = CSV, **query: str
) -> dict[str, Any]:
    """Import a file, wait for the worker, and return the ended import."""
    response = await send(account, form, content, type_, **query)
    assert response.status_code == 201, response.text
    worker = ImportWorker(account.ctx)
    # Other tests may have left imports, and a batch takes only some of them.
    while await worker.run_batch():
        pass
    found: dict[str, Any] = await get(account, f"/customers/{account.id}/submission-imports/{response.json()['id']}")
    assert found["endedAt"] is not None, found
    return found


async def submissions_of(account: Account, form: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the submissions of a form, oldest first."""
    found = await get(account, f"/customers/{account.id}/submissions", formId=form["id"], limit=1000)
    items: list[dict[str, Any]] = found["items"]
    return items
