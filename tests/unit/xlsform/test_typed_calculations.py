"""Calculations of questions whose type is not that of the result, and of notes, mean what they mean in JavaRosa."""

from pathlib import Path
from typing import Any

import msgspec
from unit.xlsform.javarosa_comparison import find_differences
from unit.xlsform.odk import needs_java
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform

COLUMNS = "type name label calculation"
QUESTIONS = [
    ["integer", "n", "N", ""],
    ["text", "t", "T", ""],
    ["date", "day", "Day", ""],
    ["note", "said", "Said", ""],
    ["begin group", "group", "Group", "field-list"],
    ["text", "inner", "Inner", ""],
    ["end group", "", "", ""],
    ["note", "shown", "Shown", "concat('n is ', ${n})"],
    ["note", "number", "Number", "${n} * 2"],
    ["calculate", "of_note", "", "concat(${shown}, '!')"],
    ["calculate", "empty_note", "", "if(${said} = ${said}, 'same', 'other')"],
    ["calculate", "empty_group", "", "if(${group} = '1', 'one', 'none')"],
    ["calculate", "mixed", "", "if(${n} > 1, 'many', if(${n} = 1, 5, ''))"],
    ["calculate", "compared", "", "if(${mixed} = 5, 'five', 'no')"],
    ["calculate", "moment", "", "format-date(date-time(${day}), '%Y')"],
    ["calculate", "born", "", "format-date(decimal-date-time(${day}) - 365.25 * ${n}, '%Y/%m/%d')"],
    ["integer", "as_number", "As number", "${t}"],
    ["text", "as_text", "As text", "${n} + 1"],
    ["text", "yes", "Yes", "yes"],
    ["text", "text_of_truth", "Text of truth", "${n} > 1"],
    ["decimal", "number_of_truth", "Number of truth", "not(${n} > 1)"],
    ["select_one yn", "choice_of_truth", "Choice of truth", "contains(${t}, '7')"],
    ["select_multiple yn", "choices_of_truth", "Choices of truth", "${t} = '7' or ${n} = 2"],
    ["calculate", "mixed_truth", "", "if(${n} > 1, ${t} = '12', 'no')"],
]
FILLINGS: list[dict[str, Any]] = [
    {},
    {"n": 1, "t": "7", "day": "2026-03-01", "group": {"inner": "1"}},
    {"n": 2, "t": "12", "day": "1960-02-29"},
    {"n": 1, "t": "3"},
]


@needs_java
def test_calculations_of_typed_questions_and_notes_agree_with_javarosa(tmp_path: Path) -> None:
    content = survey(*QUESTIONS, columns=COLUMNS, choices=[["list_name", "name", "label"], ["yn", "y", "Yes"]])
    assert not [note.detail for note in import_xlsform(content).report if note.code == "xlsform.rule_left_out"]
    assert find_differences(tmp_path, content, FILLINGS) == {}


def test_a_location_reads_its_coordinates_from_a_text() -> None:
    rows = [["text", "t", "T", ""], ["geopoint", "p", "P", "concat(${t}, ' 2.5 0 0')"], ["geopoint", "q", "Q", "${t}"]]
    form = import_xlsform(survey(*rows, columns=COLUMNS))
    fields = {field["name"]: field for field in msgspec.to_builtins(form.definition_fields)}
    assert fields["p_text"]["calculate"] == "(answered.t ? t : '') + ' 2.5 0 0'"
    assert fields["p"]["calculate"] == "{'latitude': number(p_text.words()[0]), 'longitude': number(p_text.words()[1])}"
    assert fields["q"]["calculate"] == "{'latitude': number(t.words()[0]), 'longitude': number(t.words()[1])}"
    content, notes = export_xlsform(form.name, Definition(form.definition_fields, form.settings))
    assert not [note for note in notes if note.code == "xlsform.rule_left_out"]
    again = {field["name"]: field for field in msgspec.to_builtins(import_xlsform(content).definition_fields)}
    assert {name: again[name].get("calculate") for name in again} == {
        name: fields[name].get("calculate") for name in fields
    }


@needs_java
def test_locations_that_are_calculated_agree_with_javarosa(tmp_path: Path) -> None:
    rows = [["text", "t", "T", ""], ["geopoint", "p", "P", "concat(${t}, ' 2.5 0 0')"]]
    rows += [["calculate", "north", "", "selected-at(${p}, 0) * 2"], ["calculate", "east", "", "selected-at(${p}, 1)"]]
    rows += [["calculate", "accuracy", "", "if(string-length(${p}) > 0, selected-at(${p}, 3) + 1, 5)"]]
    rows += [["calculate", "is_set", "", "if(${p} != '', 'yes', 'no')"]]
    rows += [["calculate", "copy", "", "${p}"], ["calculate", "of_copy", "", "selected-at(${copy}, 1)"]]
    found = find_differences(tmp_path, survey(*rows, columns=COLUMNS), [{"t": "1.5"}, {"t": "-3"}])
    assert {path: values[2] for path, values in found.items()} == dict.fromkeys(("p", "copy"), "-3.0 2.5 0.0 0.0")


def test_constraints_of_notes_without_an_answer_have_no_effect() -> None:
    columns = "type name label calculation constraint"
    rows = [["note", "n", "N", "", "count-selected(.) > 1"], ["note", "m", "M", "'x'", ". = 'y'"]]
    form = import_xlsform(survey(*rows, columns=columns))
    assert [(note.code, note.row) for note in form.report] == [("xlsform.no_effect", 2)]
    assert [field.get("validIf") for field in msgspec.to_builtins(form.definition_fields)] == [None, "m == 'y'"]


def test_a_note_stays_a_note_if_its_calculation_is_left_out() -> None:
    form = import_xlsform(survey(["integer", "n", "N", ""], ["note", "s", "S", "foo(${n})"], columns=COLUMNS))
    assert [field["type"] for field in msgspec.to_builtins(form.definition_fields)] == ["integer", "note"]
    assert [note.column for note in form.report if note.code == "xlsform.rule_left_out"] == ["calculation"]
