"""XLSForm has a row for each field type, and each question type becomes one field type."""

import re
from collections import Counter

import pytest
from msgspec import UNSET
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import FIELD_CLASSES, AnswerKind, ChoiceField
from formwright.domain.forms.fields.options import Option
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform
from formwright.domain.forms.xlsform.question_types import parse_type
from formwright.domain.forms.xlsform.rule_cells import RULE_COLUMNS
from formwright.domain.forms.xlsform.types import FIELD_TYPES, TYPES

RULES = "relevant required readonly constraint calculation default trigger choice_filter repeat_count"


def test_every_field_type_has_a_row() -> None:
    missing, unknown = FIELD_CLASSES.keys() - TYPES.keys(), TYPES.keys() - FIELD_CLASSES.keys()
    assert missing == set(), f"xlsform/types.py has no row for {', '.join(sorted(missing))}"
    assert unknown == set(), f"xlsform/types.py has rows for types that do not exist: {', '.join(sorted(unknown))}"


@pytest.mark.parametrize("name", TYPES)
def test_expressions_know_the_answers_of_every_type_that_has_any(name: str) -> None:
    assert bool(TYPES[name].kind) == (FIELD_CLASSES[name].answer_kind is not AnswerKind.NONE)


@pytest.mark.parametrize("name", TYPES)
def test_limits_are_properties_of_the_type(name: str) -> None:
    if limits := TYPES[name].limits:
        assert {limits.least, limits.most} - {""} <= set(FIELD_CLASSES[name].__struct_fields__)


def test_every_question_type_becomes_one_field_type() -> None:
    read = Counter(question for one in TYPES.values() for question in one.reads)
    assert read.keys() == FIELD_TYPES.keys()
    assert {question for question, count in read.items() if count > 1} == set()


@pytest.mark.parametrize("question", sorted(FIELD_TYPES.keys() - {"group", "repeat", "select_from_answers"}))
def test_question_types_of_the_table_are_recognised(question: str) -> None:
    written = f"{question} list" if question.startswith(("select", "rank")) else question
    assert parse_type(written).type == question


@pytest.mark.parametrize("kind", ["geotrace", "geoshape"])
def test_lines_and_areas_begin_with_another_answer(kind: str) -> None:
    rows = [[kind, "a", "A", ""], [kind, "b", "B", "${a}"], [kind, "c", "C", "${last-saved#a}"]]
    found = import_xlsform(survey(*rows, columns="type name label default"))
    assert [field.default_rule for field in found.definition_fields] == [UNSET, "a", "lastSaved.a"]
    assert [(note.row, note.code) for note in found.report] == [(3, "xlsform.default_later")]
    exported, losses = export_xlsform("Form", Definition(found.definition_fields, found.settings))
    assert losses == []
    assert import_xlsform(exported).definition_fields == found.definition_fields


@pytest.mark.parametrize("column", RULES.split())
def test_reports_name_columns_of_the_workbook(column: str) -> None:
    """People who import a workbook know its columns, and have no properties that they could remove."""
    rule = (
        "${t}"
        if column == "trigger"
        else "${t} != '' and ${_me} != ''"
        if column == "relevant"
        else "concat(${t}, ${n})"
    )
    rows = [["text", "t", "T", ""], ["integer", "n", "N", ""]]
    for place, question in enumerate(sorted(FIELD_TYPES.keys() - {"group", "repeat", "select_from_answers"})):
        written = {"select_one": "select_one l", "select_multiple": "select_multiple l", "rank": "rank l"}.get(
            question, f"{question} l.csv" if question.endswith("_file") else question
        )
        rows.append([written, f"f{place}", "F", rule.replace("_me", f"f{place}")])
    rows += [["begin repeat", "r", "R", rule.replace("_me", "r")], ["text", "x", "X", ""], ["end repeat"]]
    choices = [["list_name", "name", "label"], ["l", "a", "A"], ["l", "b", "B"]]
    source = ChoiceSource("dat_01m7z1eatyepj81c6hba0kcp97", "name", ("name", "label"), "l")
    content = survey(*rows, columns=f"type name label {column}", choices=choices)
    found = import_xlsform(content, sources={"l.csv": source})
    members = {member for _, member in RULE_COLUMNS}
    named = [
        note.detail for note in found.report if members & set(re.findall(r"\w+", note.detail.partition(" was: ")[0]))
    ]
    assert named == []
    assert [note.detail for note in found.report if "Remove" in note.detail] == []


def test_places_and_files_are_not_shown_in_labels() -> None:
    rows = [[kind, kind, "Q", ""] for kind in ("geopoint", "geotrace", "geoshape", "file")]
    rows += [["image", "signature", "S", "signature"], ["text", "t", "T", ""]]
    names = [row[1] for row in rows]
    found = import_xlsform(
        survey(
            *rows,
            *(["note", f"n{name}", f"See ${{{name}}}", ""] for name in names),
            columns="type name label appearance",
        )
    )
    labels = [str(field.label) for field in found.definition_fields[len(rows) :]]
    assert labels == [*(f"See ${{{name}}}" for name in names[:-1]), "See {{t}}"]
    assert [note.code for note in found.report] == ["xlsform.text_with_answers"] * (len(rows) - 1)


def test_a_dollar_in_a_choice_is_reported_for_the_choices() -> None:
    field = ChoiceField(name="c", label="C", options=[Option("a", "A"), Option("b", "Costs ${5}")])
    [note] = export_xlsform("Form", Definition([field], FormSettings()))[1]
    assert (note.sheet, note.row, note.code) == ("choices", 3, "xlsform.text_with_answers")
