"""Sheets: cells as text, sheets by name, and rejected workbooks."""

import datetime
import io
import zipfile
from typing import Any

import pytest
import xlsxwriter
from unit.tables.reads import bad, lines, read, refused, table, workbook

from formwright.core.tables.base import Dialect
from formwright.core.tables.xlsx import LIMITS

DAY, NOON = datetime.date(2026, 11, 21), datetime.datetime(2026, 11, 21, 12)  # noqa: DTZ001 - a sheet knows no zones.


def one(value: Any, format_: str = "General") -> str:
    """Return the text of a cell."""
    return read(workbook([["key", "value"], ["k", value]], B=format_), "xlsx")[1][1]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (-7.0, "-7"),
        (0.1, "0.1"),
        (1234567890123456, "1234567890123456"),
        (1e21, "1000000000000000000000"),
        (True, "true"),
        (False, "false"),
        (" spaces ", "spaces"),
        ("0007", "0007"),
        ("a\nb", "a\nb"),
        ("ü", "ü"),
        ("", ""),
    ],
)
def test_cells_become_text(value: Any, text: str) -> None:
    assert one(value) == text


@pytest.mark.parametrize(
    ("value", "format_", "text"),
    [
        (46347, "yyyy-mm-dd", "2026-11-21"),
        (46347.4166666667, "dd.mm.yyyy hh:mm", "2026-11-21T10:00:00"),
        (0.4166666667, "hh:mm:ss", "10:00:00"),
        (1.25, "[h]:mm:ss", "30:00:00"),
        (0.25, "0%", "0.25"),
    ],
)
def test_dates_and_times_become_iso_8601(value: float, format_: str, text: str) -> None:
    assert one(value, format_) == text


def book(write: Any, **options: Any) -> bytes:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True, **options}) as workbook:
        write(workbook)
    return content.getvalue()


def test_dates_of_the_1904_date_system() -> None:
    def write(workbook: Any) -> None:
        page, day = workbook.add_worksheet(), workbook.add_format({"num_format": "yyyy-mm-dd"})
        page.write_row(0, 0, ["day"])
        page.write_datetime(1, 0, NOON.replace(hour=0), day)

    assert read(book(write, date_1904=True), "xlsx") == [["day"], [DAY.isoformat()]]


def test_formulas_have_their_stored_values_and_errors_are_invalid() -> None:
    def write(workbook: Any) -> None:
        page = workbook.add_worksheet()
        page.write_row(0, 0, ["a", "b"])
        for row, value in enumerate([2, "x", "#REF!", "#N/A", True], start=1):
            page.write(row, 0, "k")
            page.write_formula(row, 1, "=Z9", None, value)
        page.write_row(6, 0, ["k", "#REF!"])

    content = book(write)
    assert bad(content, "xlsx") == [(4, "b", "cell.formula_error"), (5, "b", "cell.formula_error")]
    good = [row for row in table(content, "xlsx").rows() if isinstance(row, tuple)]
    assert good == [(2, ["k", "2"]), (3, ["k", "x"]), (6, ["k", "true"]), (7, ["k", "#REF!"])]
    assert "B4" in str(next(row for row in table(content, "xlsx").rows() if not isinstance(row, tuple)))


def test_an_error_in_the_header_is_rejected() -> None:
    def write(workbook: Any) -> None:
        page = workbook.add_worksheet()
        page.write(0, 0, "a")
        page.write_formula(0, 1, "=1/0", None, "#DIV/0!")

    assert refused(book(write), "xlsx").code == "table.header.error"


def test_a_table_can_start_in_any_cell() -> None:
    content = workbook([["a", "b"], ["1", "2"], [], ["3", ""]], top=3, left=2)
    assert read(content, "xlsx") == [["a", "b"], ["1", "2"], ["3", ""]]
    assert lines(content, "xlsx") == [5, 7]
    error = refused(workbook([["a", "", "b"]], top=3, left=2), "xlsx")
    assert (error.code, error.line) == ("table.header.blank", 4)
    assert "Column 4 (D)" in error.detail


def test_invalid_rows_have_their_number_in_the_sheet() -> None:
    rows = [["a", "b"], ["1"], ["1", "2", "3"], [], ["x" * 10_001, "2"], ["1", "2", " "]]
    assert bad(workbook(rows, top=1), "xlsx") == [(4, None, "row.ragged"), (6, "a", "cell.too_long")]


def test_rows_can_be_read_again() -> None:
    found = table(workbook([["a"], [1], [2]]), "xlsx")
    assert list(found.rows()) == list(found.rows()) == [(2, ["1"]), (3, ["2"])]


def test_the_first_visible_sheet_or_the_requested_one_is_read() -> None:
    def write(workbook: Any) -> None:
        workbook.add_chartsheet("Chart").set_chart(chart := workbook.add_chart({"type": "line"}))
        for name in ("Hidden", "First", "Second"):
            page = workbook.add_worksheet(name)
            page.write_row(0, 0, [name])
        chart.add_series({"values": "=First!$A$1"})
        workbook.get_worksheet_by_name("First").activate()
        workbook.get_worksheet_by_name("Hidden").hide()

    content = book(write)
    assert table(content, "xlsx").header == ("First",)
    assert table(content, "xlsx", Dialect(sheet="Second")).header == ("Second",)
    assert table(content, "xlsx", Dialect(sheet="Hidden")).header == ("Hidden",)
    for name in ("Third", "Chart", ""):
        error = refused(content, "xlsx", Dialect(sheet=name))
        assert error.code == "table.sheet"
        assert "'Hidden', 'First', 'Second'" in error.detail


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        (b"", "table.empty", "empty"),
        (workbook([]), "table.empty", "sheet"),
        (workbook([["a", "a"]]), "table.header.taken", "column 1 (A)"),
        (workbook([[f"c{n}" for n in range(201)]]), "table.columns.too_many", "200"),
        (b"a,b\n1,2\n", "table.kind", "send it as CSV"),
        (b"<html>", "table.html", "HTML"),
        (b"%PDF-1.7", "table.kind", "a PDF"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "table.kind", "damaged"),
        (workbook([["a"]])[:-300], "table.kind", "damaged"),
        (b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "table.kind", ".ods"),
    ],
)
def test_missing_sheets_are_rejected(content: bytes, code: str, says: str) -> None:
    error = refused(content, "xlsx")
    assert error.code == code
    assert says in error.detail


def test_a_sheet_that_needs_too_much_memory_is_rejected() -> None:
    def write(workbook: Any) -> None:
        workbook.add_worksheet().write_row(0, 0, ["a"])
        workbook.get_worksheet_by_name("Sheet1").write("XFD1000000", 1)

    error = refused(book(write), "xlsx")
    assert error.code == "table.zip_bomb"
    assert "CSV" in error.detail


def test_a_distant_cell_adds_no_rows() -> None:
    """A note in the last row of a narrow table and formats without values do not exceed the limits."""
    content = book(
        lambda workbook: (
            workbook.add_worksheet().write_column("A1", ["a", 1]) or workbook.worksheets()[0].write("A1000000", 2)
        )
    )
    assert lines(content, "xlsx") == [2, 1_000_000]


def test_a_file_that_is_too_large_is_rejected_before_it_is_read() -> None:
    content = io.BytesIO(workbook([["a"]]))
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("xl/media/picture.png", bytes(LIMITS.file))
    assert refused(content.getvalue(), "xlsx").code == "table.too_large"
