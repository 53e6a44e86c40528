"""What an imported form does in another way than ODK is in its report, and what no report can say is the same."""

from typing import Any

import pytest
from msgspec import UNSET
from unit.xlsform.workbooks import survey

from formwright.domain.forms.rules.program import compile_program
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform


def import_questions(*rows: list[str]) -> ImportedForm:
    columns = "type name label calculation default trigger parameters"
    asked = [["integer", "n", "N"], ["text", "t", "T"], ["date", "day", "Day"]]
    choices = [["list_name", "name", "label"], ["ab", "a", "A"], ["ab", "b", "B"]]
    return import_xlsform(survey(*asked, *rows, columns=columns, choices=choices))


def codes_of(found: ImportedForm, row: int) -> list[str]:
    return [note.code.removeprefix("xlsform.") for note in found.report if note.row == row]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["integer", "q", "Q", "", "${n} + 1"], ["default_later"]),
        (["text", "q", "Q", "", "concat(${t}, '!')"], ["default_later"]),
        (["date", "q", "Q", "", "today()"], []),
        (["integer", "q", "Q", "concat(${t}, '-')"], ["result_type"]),
        (["decimal", "q", "Q", "${t}"], ["result_type"]),
        (["date", "q", "Q", "if(${n} > 1, 'yes', 'no')"], ["result_type"]),
        (["integer", "q", "Q", "${day}"], ["result_type"]),
        (["select_one ab", "q", "Q", "date(${day})"], ["result_type"]),
        (["integer", "q", "Q", "${n} * 2"], []),
        (["date", "q", "Q", "${day}"], []),
        (["range", "q", "Q", "${n} * 2", "", "${n}", "start=0 end=10 step=1"], ["range"]),
        (["range", "q", "Q", "${n} * 2", "", "", "start=0 end=10 step=1"], []),
    ],
)
def test_the_report_names_computed_answers_that_differ(cells: list[str], expected: list[str]) -> None:
    assert codes_of(import_questions(cells), 5) == expected


@pytest.mark.parametrize(
    ("answers", "expected"), [({"t": "7", "n": 1}, "7"), ({"t": "x", "n": 1}, None), ({"n": 3}, "4")]
)
def test_a_text_is_empty_if_its_result_is_no_number(answers: dict[str, Any], expected: str | None) -> None:
    found = import_questions(["text", "q", "Q", "if(not(${n} > 1), number(${t}), ${n} + 1)"])
    settled = compile_program(found.definition_fields).evaluate(answers)
    assert settled.answers.get("q") == expected


@pytest.mark.parametrize(
    ("answers", "expected"), [({}, (None, "NaN-")), ({"n": 2}, ("1", "1-")), ({"t": "x"}, ("A", "A-"))]
)
def test_only_a_part_of_a_text_may_be_no_number(answers: dict[str, Any], expected: tuple[str | None, str]) -> None:
    """JavaRosa stores nothing if the whole result is NaN."""
    value = "if(${t} != '', 'A', ${n} - 1)"
    found = import_questions(["calculate", "q", "", value], ["calculate", "r", "", f"concat({value}, '-')"])
    settled = compile_program(found.definition_fields).evaluate(answers).answers
    assert (settled.get("q") or None, settled["r"]) == expected


def test_a_computed_answer_outside_of_a_constraint_is_there() -> None:
    """A property `min` would keep the page from setting it."""
    columns = "type name label calculation trigger constraint"
    rows = [["integer", "n", "N"], ["integer", "q", "Q", "${n} - 1", "${n}", ". >= 5"]]
    asked = import_xlsform(survey(*rows, columns=columns)).definition_fields[1]
    assert (asked.valid_if, asked.default_rule, asked.min) == ("q >= 5", "n - 1", UNSET)


def test_the_report_names_triggers_that_are_calculated() -> None:
    rows = [
        ["integer", "q", "Q", "${n} + 1"],
        ["integer", "r", "R", "${n}", "", "${q}"],
        ["text", "s", "S", "", "", "${n}"],
    ]
    found = import_questions(*rows)
    assert [(note.row, note.code) for note in found.report] == [(6, "xlsform.trigger_computed")]


def test_the_report_names_defaults_that_a_filter_may_remove() -> None:
    columns = "type name label choice_filter default"
    rows = [["integer", "n", "N"], ["select_one ab", "q", "Q", "name = 'b' or ${n} > 1", "a"]]
    choices = [["list_name", "name", "label"], ["ab", "a", "A"], ["ab", "b", "B"]]
    found = import_xlsform(survey(*rows, columns=columns, choices=choices))
    assert [(note.row, note.column, note.code) for note in found.report] == [(3, "default", "xlsform.default_later")]


def test_a_list_may_have_the_name_of_one_in_external_choices() -> None:
    """In ODK, each question has the choices of the sheet that its type names."""
    content = survey(
        ["select_one places", "q", "Q", ""],
        ["select_one_external places", "other", "Other", "land=${q}"],
        columns="type name label choice_filter",
        choices=[["list_name", "name", "label"], ["places", "a", "A"], ["places", "b", "B"]],
        external_choices=[["list_name", "name", "label", "land"], ["places", "x", "X", "a"]],
    )
    source = ChoiceSource("dat_00000000000000000000000001", "name", ("name", "label", "land"), "places")
    asked, looked_up = import_xlsform(content, "", {"places": source}).definition_fields
    assert [option.value for option in asked.options] == ["a", "b"]
    assert looked_up.datasource_id == source.id
