"""Workbooks that are rejected before any cell is read, and unusual cells."""

import datetime
import io
import zipfile

import pytest
from unit.xlsform.odk import to_xform
from unit.xlsform.workbooks import survey, workbook

from formwright.core.errors import Invalid
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import ChoiceField, TextField
from formwright.domain.forms.xlsform import sheets
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform

PLAIN = survey(["text", "a", "A"])
SHEET = "xl/worksheets/sheet1.xml"


def rejection(content: bytes) -> tuple[str, str]:
    with pytest.raises(Invalid) as caught:
        import_xlsform(content)
    fault = caught.value.faults[0]
    return fault.pointer, fault.code


def replace_part(name: str, part: bytes) -> bytes:
    """Return the minimal workbook with one part replaced."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as old, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            if member != name:
                new.writestr(member, old.read(member))
        new.writestr(name, part)
    return content.getvalue()


def worksheet(rows: str) -> bytes:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'.encode()


def test_the_minimal_form_is_read() -> None:
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
        (replace_part("xl/workbook.xml", b"<workbook><open>"), "not_xlsx"),
        (replace_part("xl/workbook.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), "not_xlsx"),
    ],
)
def test_other_files_are_rejected(content: bytes, code: str) -> None:
    assert rejection(content) == ("", f"xlsform.{code}")


def test_a_sheet_that_spans_the_whole_grid_is_rejected() -> None:
    far = worksheet('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    assert rejection(replace_part(SHEET, far)) == ("", "xlsform.bomb")


def test_large_unpacked_content_is_rejected() -> None:
    assert rejection(replace_part(SHEET, worksheet(" " * (sheets.MAX_UNPACKED_BYTES + 1))))[1] == "xlsform.bomb"


def test_password_protection_is_reported() -> None:
    content = bytearray(PLAIN)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(signature)
        content[place + offset] |= 1
    assert rejection(bytes(content))[1] == "xlsform.old_or_locked"


def test_a_workbook_without_a_survey_is_rejected() -> None:
    assert rejection(workbook({"choices": [["list_name"]], "settings": []})) == ("/survey", "xlsform.survey_missing")
    assert rejection(workbook({"survey": [["type", "name", "label"]]})) == ("/survey", "xlsform.empty")


def test_duplicate_headings_are_rejected() -> None:
    assert rejection(survey(["text", "a", "A", "B"], columns="type name label label"))[1] == "xlsform.column_twice"


def test_a_list_of_ten_thousand_choices_is_rejected_by_name_if_lookups_cannot_have_it() -> None:
    choices = [["list_name", "name", "label"], *(["villages", f"v{n}", f"Village {n}"] for n in range(10_000))]
    content = survey(["rank villages", "a", "A"], choices=choices)
    assert rejection(content) == ("/choices/villages", "xlsform.too_many_options")


def test_more_than_1500_fields_are_rejected() -> None:
    assert rejection(survey(*(["text", f"a{n}", "A"] for n in range(1501)))) == ("/survey", "xlsform.too_many_fields")


def test_too_many_rows_are_rejected() -> None:
    rows = [["text", f"a{n}", "A"] for n in range(sheets.MAX_SURVEY_ROWS + 1)]
    assert rejection(survey(*rows)) == ("/survey", "xlsform.too_many_rows")


def test_empty_rows_do_not_count() -> None:
    content = survey(["text", "a", "A"], *([] for _ in range(30_000)), ["text", "b", "B"], ["nonsense", "c", "C"])
    found = import_xlsform(content)
    assert [field.name for field in found.definition_fields] == ["a", "b"]
    assert [note.row for note in found.report if note.code == "xlsform.type_unknown"] == [30_004]


def test_formulas_are_reported_and_not_calculated() -> None:
    found = import_xlsform(survey(["text", "a", '=HYPERLINK("http://example.org","x")'], ["text", "b", "B"]))
    notes = [(n.sheet, n.row, n.column) for n in found.report if n.code == "xlsform.formula"]
    assert notes == [("survey", 2, "C")]
    assert found.definition_fields[0].label == "0"  # The value that the library stored with the formula.


def test_numbers_and_dates_are_read_as_displayed() -> None:
    content = survey(
        ["integer", "a", 2026, True, 5],
        ["text", "b", 1.5, False, datetime.time(14, 30)],
        ["text", "c", "non\u00a0breaking", "", None],
        columns="type name label required default",
    )
    a, b, c = import_xlsform(content).definition_fields
    assert (a.label, a.required, b.label, b.required, c.label) == ("2026", True, "1.5", False, "non breaking")


def test_quotes_are_those_that_pyxform_stores() -> None:
    content = survey(
        ["select_one l", "a", "Don\u2019t"],
        ["text", "b", "B", "${a} = \u2018it\u2019s\u2019"],
        ["text", "c", "C", "${a} = \u201cit\u2019s\u201d"],
        columns="type name label relevant",
        choices=[["list_name", "name", "label"], ["l", "it\u2019s", "It"]],
    )
    found = import_xlsform(content)
    a, _, c = found.definition_fields
    assert isinstance(a, ChoiceField)
    assert (a.label, a.options[0].value) == ("Don't", "it's")
    assert c.visible_if == 'a == "it\'s"' or c.visible_if == "a == 'it\\'s'"
    exported, _ = export_xlsform("F", Definition(found.definition_fields, found.settings), "f")
    for one in (content, exported):
        assert "<name>it's</name>" in to_xform(one)


@pytest.mark.parametrize(
    ("setting", "label", "default"),
    [("", "A b", "x y"), ("yes", "A b", "x y"), ("no", "A   b", "x  y"), ("NO", "A   b", "x  y")],
)
def test_spaces_are_kept_if_the_settings_want_it(setting: str, label: str, default: str) -> None:
    content = survey(
        ["text", "a", "A   b", "x  y"],
        ["select_one l", "c", "C", ""],
        columns="type name label default",
        choices=[["list_name", "name", "label"], ["l", "p  q", "P  q"]],
        settings=[["form_title", "clean_text_values"], ["F  G", setting]],
    )
    found = import_xlsform(content)
    a, c = found.definition_fields
    assert isinstance(a, TextField)
    assert isinstance(c, ChoiceField)
    assert (a.label, a.default, c.options[0].value, c.options[0].label) == (label, default, "p  q", "P  q")
    assert f"<label>{label}</label>" in to_xform(content)
    exported, _ = export_xlsform("F", Definition(found.definition_fields, found.settings), "f")
    assert f"<label>{label}</label>" in to_xform(exported)


def test_unknown_sheets_are_reported() -> None:
    found = import_xlsform(survey(["text", "a", "A"], notes=[["remember"]], entities=[["dataset"], ["trees"]]))
    assert {("notes", "xlsform.sheet_unknown"), ("entities", "xlsform.kept")} <= {
        (note.sheet, note.code) for note in found.report
    }


def test_a_list_of_ten_thousand_choices_that_nothing_uses_is_left_out() -> None:
    choices = [["list_name", "name", "label"], *(["villages", f"v{n}", f"Village {n}"] for n in range(10_000))]
    found = import_xlsform(survey(["text", "a", "A"], choices=choices))
    assert [field.name for field in found.definition_fields] == ["a"]
    assert [(note.code, note.column, note.effect.value) for note in found.report] == [
        ("xlsform.no_effect", "list_name", "none")
    ]
