"""Durations: seconds, and how people write them."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.durations import MAX_SECONDS
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform
from formwright.domain.submissions.imports.cell_format import CellFormat, CellInvalid
from formwright.domain.submissions.imports.cells import parse_cell

FORMAT = CellFormat("Europe/Berlin")


def duration(**properties: Any) -> AnyField:
    document = {"type": "duration", "name": "shift", "label": "Shift", **properties}
    field: AnyField = msgspec.convert(document, AnyField)
    return field


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 min"), (59, "59 s"), (5400, "1 h 30 min"), (3600, "1 h"), (3661, "1 h 1 min 1 s"), (-90, "-1 min 30 s")],
)
def test_a_duration_is_shown_with_its_units(seconds: int, text: str) -> None:
    assert duration().format_answer(seconds, DisplayContext("en", "Europe/Berlin")) == text


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1:30", 5400),
        (" 100:00 ", 360_000),
        ("0:00:07", 7),
        ("1 h 30 min", 5400),
        ("1h 30min", 5400),
        ("90 min", 5400),
        ("45 s", 45),
        ("5400", 5400),
        ("5400.0", 5400),
    ],
)
def test_cells_of_imports_have_hours_and_minutes_or_seconds(text: str, seconds: int) -> None:
    assert parse_cell(duration(), text, FORMAT) == seconds


@pytest.mark.parametrize("text", ["1:75", "1:3", "half an hour", "1 h 30", "١:٣٠", ":30", "h"])
def test_other_cells_are_refused(text: str) -> None:
    with pytest.raises(CellInvalid):
        parse_cell(duration(), text, FORMAT)


def test_limits_are_checked_when_a_form_is_published() -> None:
    [fault] = find_errors([duration(min=7200, max=3600)])
    assert (fault.code, fault.pointer) == ("field.range", "/fields/0/min")
    for wrong in ({"min": -1}, {"max": MAX_SECONDS + 1}, {"default": 1.5}):
        with pytest.raises(msgspec.ValidationError):
            duration(**wrong)


@pytest.mark.parametrize("properties", [{}, {"min": 900, "max": 36_000, "default": 5400, "required": True}])
def test_xlsform_has_it_as_an_integer_with_an_appearance(properties: dict[str, Any]) -> None:
    field = duration(**properties)
    workbook, *_ = export_xlsform("Form", Definition([field], FormSettings()), "form", {})
    [imported] = import_xlsform(workbook).definition_fields
    assert imported == field


def test_an_imported_limit_that_no_duration_can_have_stays_a_rule() -> None:
    field = msgspec.structs.replace(duration(), valid_if="shift >= -5")
    workbook, *_ = export_xlsform("Form", Definition([field], FormSettings()), "form", {})
    [imported] = import_xlsform(workbook).definition_fields
    assert imported.valid_if == "shift >= -5"


def test_an_imported_default_that_is_no_duration_is_reported() -> None:
    row = ["integer", "shift", "Shift", "duration", "-5"]
    found = import_xlsform(survey(row, columns="type name label appearance default"))
    assert [one.default for one in found.definition_fields] == [UNSET]
    assert [one.code for one in found.report] == ["xlsform.default_invalid"]
