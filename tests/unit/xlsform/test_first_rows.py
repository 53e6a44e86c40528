"""Answers in a repeat that are read from outside are those in the first row, as in JavaRosa if there is one."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from unit.xlsform.javarosa_comparison import find_differences
from unit.xlsform.odk import needs_java
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform

COLUMNS = "type name label calculation relevant"
CHOICES = [["list_name", "name", "label"], ["abc", "1", "A"], ["abc", "2", "B"]]
FARMS = [
    ["integer", "n", "N", "", ""],
    ["begin repeat", "farms", "Farms", "", ""],
    ["text", "owner", "Owner", "", ""],
    ["select_one abc", "crop", "Crop", "", ""],
    ["select_multiple abc", "tools", "Tools", "", ""],
    ["integer", "extent", "Size", "", ""],
    ["begin repeat", "fields", "Fields", "", ""],
    ["decimal", "yield", "Yield", "", ""],
    ["end repeat", "", "", "", ""],
    ["calculate", "more", "", "${yield} + ${extent}", ""],
    ["end repeat", "", "", "", ""],
    ["begin repeat", "sales", "Sales", "", ""],
    ["text", "buyer", "Buyer", "", "${crop} = '1'"],
    ["integer", "price", "Price", "", "${crop} = 2 or ${extent} > ${n}"],
    ["calculate", "label", "", "concat(${owner}, '-', ${buyer})", ""],
    ["end repeat", "", "", "", ""],
    ["calculate", "first", "", "concat(${owner}, '-', ${extent}, '-', ${tools})", ""],
    ["calculate", "sum_of_two", "", "${yield} + ${extent}", ""],
    ["calculate", "has_second", "", "if(selected(${tools}, '2'), 'yes', 'no')", ""],
    ["calculate", "all_extents", "", "sum(${extent}) + count(${farms})", ""],
]
FILLINGS: list[dict[str, Any]] = [
    {"n": 1},
    {"n": 1, "farms": [{"owner": "a", "extent": 4, "tools": ["1", "2"], "crop": "1"}], "sales": [{"buyer": "b"}]},
    {"farms": [{"extent": 4, "crop": "2", "fields": [{"yield": 1.5}]}], "sales": [{"price": 3}, {"price": 5}]},
    {"n": 5, "farms": [{"extent": 4, "tools": ["1"], "fields": [{"yield": 2.5}]}], "sales": [{"price": 3}]},
]


@needs_java
def test_answers_of_a_single_row_are_those_of_javarosa(tmp_path: Path) -> None:
    content = survey(*FARMS, columns=COLUMNS, choices=CHOICES)
    assert not [note.detail for note in import_xlsform(content).report if note.code == "xlsform.rule_left_out"]
    assert find_differences(tmp_path, content, FILLINGS) == {}


@needs_java
def test_exports_read_the_first_row_in_the_same_way(tmp_path: Path) -> None:
    form = import_xlsform(survey(*FARMS, columns=COLUMNS, choices=CHOICES))
    content, notes = export_xlsform(form.name, Definition(form.definition_fields, form.settings))
    assert not [note.detail for note in notes if note.code == "xlsform.rule_left_out"]
    several = {
        "farms": [{"owner": "a", "extent": 1, "tools": ["2"]}, {"owner": "b", "extent": 2}],
        "sales": [{"buyer": "b"}],
    }
    assert find_differences(tmp_path, content, [*FILLINGS, several]) == {}


@needs_java
def test_javarosa_fails_if_there_are_several_rows_and_the_report_says_so(tmp_path: Path) -> None:
    content = survey(*FARMS, columns=COLUMNS, choices=CHOICES)
    notes = [note.detail for note in import_xlsform(content).report if note.code == "xlsform.first_row"]
    assert any("first reads owner in the rows of farms" in detail for detail in notes)
    with pytest.raises(subprocess.CalledProcessError):
        find_differences(tmp_path, content, [{"farms": [{"owner": "a"}, {"owner": "b"}]}])


def test_files_in_a_repeat_cannot_be_read_from_outside() -> None:
    rows = [["begin repeat", "r", "R", ""], ["image", "p", "P", ""], ["end repeat", "", "", ""]]
    rows += [["calculate", "c", "", "if(${p} = '', 1, 2)"]]
    report = import_xlsform(survey(*rows, columns="type name label calculation")).report
    assert [note.code for note in report if "c was left out" in note.detail] == ["xlsform.rule_left_out"]


@pytest.mark.parametrize("count", ["count(${r}) + 1", "indexed-repeat(${a}, ${r}, 1)", "if(max(${a}) > 1, 2, 1)"])
def test_a_number_of_rows_that_depends_on_these_rows_is_left_out(count: str) -> None:
    content = survey(
        ["begin repeat", "r", "R", count],
        ["integer", "a", "A", ""],
        ["end repeat", "", "", ""],
        columns="type name label repeat_count",
    )
    found = import_xlsform(content)
    assert [field.name for field in found.definition_fields] == ["r"]
    assert "depends on answers in these rows" in str(found.report)
