"""Choices from the answers in the rows of a repeat: `select_one ${name}`."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from unit.xlsform.odk import find_errors, needs_java, to_xform
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.rules.program import compile_program
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform
from formwright.domain.forms.xlsform.report import NoteEffect

ROSTER = [
    ["begin repeat", "people", "People", "", ""],
    ["text", "who", "Who", "", ""],
    ["integer", "age", "Age", "", ""],
    ["range", "stars", "Stars", "", "", "rating", "start=1 end=5 step=1"],
    ["end repeat", "", "", "", ""],
]


def imported(type_: str, choice_filter: str = "", constraint: str = "") -> ImportedForm:
    columns = "type name label choice_filter constraint appearance parameters"
    head = [type_, "head", "Head", choice_filter, constraint]
    choices = [["list_name", "name", "label"], ["unused", "a", "A"]]
    return import_xlsform(survey(*ROSTER, head, columns=columns, choices=choices))


def lost(found: ImportedForm) -> list[str]:
    """Return what is lost, except for the remark of pyxform that it does not know `select_multiple ${name}`."""
    losses = (NoteEffect.QUESTIONS, NoteEffect.RULES)
    return [note.detail for note in found.report if note.effect in losses and "pyxform" not in note.detail]


@pytest.mark.parametrize(
    ("type_", "rule"),
    [
        ("select_one ${who}", "people.exists(row, has(row.who) && row.who == head)"),
        ("select one ${age}", "people.exists(row, has(row.age) && string(row.age) == head)"),
        ("select_one ${stars}", "people.exists(row, has(row.stars) && string(row.stars) == head)"),
        ("select_multiple ${who}", None),
    ],
)
def test_people_type_one_of_the_answers(type_: str, rule: str | None) -> None:
    found = imported(type_, "${who} != ''" if "who" in type_ else "")
    assert lost(found) == []
    assert "xlsform.answer_choices" in [note.code for note in found.report]
    head = msgspec.to_builtins(found.definition_fields)[1]
    assert (head["type"], head.get("validIf")) == ("text", rule)


def test_other_answers_are_refused() -> None:
    program = compile_program(imported("select_one ${who}").definition_fields)
    rows = [{"who": "Ada", "age": 3}, {"age": 4}, {"who": "Bo"}]
    answers: dict[str, Any] = {"people": rows, "head": "Bo"}
    assert program.evaluate(answers).violations == []
    [(path, _, what)] = program.evaluate(answers | {"head": "Cy"}).violations
    assert (path, what) == (("head",), "rule")


def test_filters_of_answers_are_reported() -> None:
    [detail] = lost(imported("select_one ${who}", "${age} > 17"))
    assert detail.endswith("because its choices are answers: ${age} > 17")
    assert "Whether the answer to head is one of the choices is not checked." in lost(imported("select_one ${missing}"))


@pytest.mark.slow
@needs_java
def test_exports_have_the_choices_again(tmp_path: Path) -> None:
    found = imported("select_one ${who}", "${who} != ''", "string-length(.) < 9")
    content, notes = export_xlsform("F", Definition(found.definition_fields, found.settings), "f")
    assert [note.detail for note in notes if note.code == "xlsform.rule_left_out"] == []
    xform = to_xform(content)
    assert """<itemset nodeset="/data/people[ ./who  != '']">""" in xform
    assert 'constraint="string-length(.) &lt; 9"' in xform
    assert find_errors(tmp_path, {"form": content}) == {"form": ""}
    assert import_xlsform(content).definition_fields == found.definition_fields
