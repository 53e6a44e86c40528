"""What is refused before a cell is read, and what becomes of odd cells."""

import datetime
import io
import zipfile

import pytest
from unit.xlsform.workbooks import survey, workbook

from formwright.core.errors import Invalid
from formwright.domain.forms.xlsform import sheets
from formwright.domain.forms.xlsform.importer import import_xlsform

PLAIN = survey(["text", "a", "A"])
SHEET = "xl/worksheets/sheet1.xml"


def refused(content: bytes) -> tuple[str, str]:
    with pytest.raises(Invalid) as caught:
        import_xlsform(content)
    fault = caught.value.faults[0]
    return fault.pointer, fault.code


def with_part(name: str, part: bytes) -> bytes:
    """The plain form with one part in another's place."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as old, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            if member != name:
                new.writestr(member, old.read(member))
        new.writestr(name, part)
    return content.getvalue()


def sheet(rows: str) -> bytes:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'.encode()


def test_the_plain_form_is_taken() -> None:
    assert [field.name for field in import_xlsform(PLAIN).definition_fields] == ["a"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not_xlsx"),
        (b"type,name\ntext,a\n", "not_xlsx"),
        (b"PK\x03\x04" + b"\0" * 40, "not_xlsx"),
        (PLAIN[: len(PLAIN) // 2], "not_xlsx"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "not_xlsx"),
        (b"x" * (sheets.MAX_FILE_BYTES + 1), "too_large"),
        (with_part("xl/workbook.xml", b"<workbook><open>"), "not_xlsx"),
        (with_part("xl/workbook.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), "not_xlsx"),
    ],
)
def test_what_is_no_spreadsheet_is_refused(content: bytes, code: str) -> None:
    assert refused(content) == ("", f"xlsform.{code}")


def test_a_sheet_that_spans_the_whole_grid_is_refused() -> None:
    far = sheet('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    assert refused(with_part(SHEET, far)) == ("", "xlsform.bomb")


def test_more_than_is_unpacked_is_refused() -> None:
    assert refused(with_part(SHEET, sheet(" " * (sheets.MAX_UNPACKED_BYTES + 1))))[1] == "xlsform.bomb"


def test_a_password_is_named() -> None:
    content = bytearray(PLAIN)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(signature)
        content[place + offset] |= 1
    assert refused(bytes(content))[1] == "xlsform.old_or_locked"


def test_a_form_without_a_survey_is_refused() -> None:
    assert refused(workbook({"choices": [["list_name"]], "settings": []})) == ("/survey", "xlsform.survey_missing")
    assert refused(workbook({"survey": [["type", "name", "label"]]})) == ("/survey", "xlsform.empty")


def test_a_heading_that_stands_twice_is_refused() -> None:
    assert refused(survey(["text", "a", "A", "B"], columns="type name label label"))[1] == "xlsform.column_twice"


def test_a_list_of_ten_thousand_choices_is_refused_by_name() -> None:
    choices = [["list_name", "name", "label"], *(["villages", f"v{n}", f"Village {n}"] for n in range(10_000))]
    content = survey(["select_one villages", "a", "A"], choices=choices)
    assert refused(content) == ("/choices/villages", "xlsform.too_many_options")


def test_more_than_five_hundred_fields_are_refused() -> None:
    assert refused(survey(*(["text", f"a{n}", "A"] for n in range(501)))) == ("/survey", "xlsform.too_many_fields")


def test_more_rows_than_are_read_are_refused() -> None:
    rows = [["text", f"a{n}", "A"] for n in range(sheets.MAX_SURVEY_ROWS + 1)]
    assert refused(survey(*rows)) == ("/survey", "xlsform.too_many_rows")


def test_a_formula_is_not_computed_and_is_named() -> None:
    found = import_xlsform(survey(["text", "a", '=HYPERLINK("http://example.org","x")'], ["text", "b", "B"]))
    notes = [(n.sheet, n.row, n.column) for n in found.report if n.code == "xlsform.formula"]
    assert notes == [("survey", 2, "C")]
    assert found.definition_fields[0].label == "0"  # What the writer of this file stored with it.


def test_cells_are_read_as_people_mean_them() -> None:
    content = survey(
        ["integer", "a", 2026, True, 5],
        ["text", "b", 1.5, False, datetime.time(14, 30)],
        ["text", "c", "non\u00a0breaking", "", None],
        columns="type name label required default",
    )
    a, b, c = import_xlsform(content).definition_fields
    assert (a.label, a.required, b.label, b.required, c.label) == ("2026", True, "1.5", False, "non breaking")


def test_sheets_that_are_no_part_of_a_form_are_named() -> None:
    found = import_xlsform(survey(["text", "a", "A"], notes=[["remember"]], entities=[["dataset"], ["trees"]]))
    assert {("notes", "xlsform.sheet_unknown"), ("entities", "xlsform.sheet_dropped")} <= {
        (note.sheet, note.code) for note in found.report
    }
