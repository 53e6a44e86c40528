"""Paths in expressions lead to the same questions as in JavaRosa."""

from pathlib import Path
from typing import Any

import pytest
from unit.xlsform.javarosa_comparison import find_differences
from unit.xlsform.odk import needs_java
from unit.xlsform.workbooks import survey

from formwright.domain.forms.xlsform.importer import import_xlsform

COLUMNS = "type name label calculation relevant"
EYES = [
    ["integer", "n", "N", "", ""],
    ["begin group", "left", "Left", "", ""],
    ["integer", "score", "Score", "", ""],
    ["begin group", "far", "Far", "", "../score > 1 or score"],
    ["text", "seen", "Seen", "", ""],
    ["text", "more", "More", "", "../seen = 'x' and ../../score < 9"],
    ["end group", "", "", "", ""],
    ["end group", "", "", "", ""],
    ["begin group", "right", "Right", "", "../n != 3"],
    ["integer", "score", "Score", "", "/data/left/score > 0"],
    ["text", "seen", "Seen", "", "../../left/far/seen != 'y'"],
    ["end group", "", "", "", ""],
    ["calculate", "both", "", "/data/left/score + ../right/score", ""],
    ["calculate", "other", "", "concat(../left/far/seen, '-', ./../right/seen, '-', current()/../n)", ""],
    ["calculate", "nowhere", "", "concat(../left/gone, gone, '-')", ""],
    ["calculate", "after", "", "concat(/data/both, '!')", ""],
    ["calculate", "itself", "", "if(${n} > 1, 'yes', 'no')", "../n > 0 or gone"],
    ["text", "last", "Last", "", "FALSE"],
]
FILLINGS: list[dict[str, Any]] = [
    {},
    {"n": 1, "left": {"score": 2, "far": {"seen": "x", "more": "m"}}, "right": {"score": 3, "seen": "s"}},
    {"n": 2, "left": {"score": 1, "far": {"seen": "y"}}, "right": {"score": 5, "seen": "s"}, "last": "l"},
    {"left": {"score": 12, "far": {"seen": "x", "more": "m"}}, "right": {"score": 4}},
    {"n": 0, "left": {"score": 0}, "right": {"score": 4, "seen": "t"}},
]


@needs_java
def test_paths_lead_to_the_same_questions_as_in_javarosa(tmp_path: Path) -> None:
    content = survey(*EYES, columns=COLUMNS)
    assert not [note.detail for note in import_xlsform(content).report if note.code == "xlsform.rule_left_out"]
    assert find_differences(tmp_path, content, FILLINGS) == {}


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../../../n", "leads out of the form"),
        ("/data/meta/instanceName", "is no question"),
        ("../lost = 'a'", "which was left out"),
    ],
)
def test_paths_to_what_the_form_does_not_have_are_left_out(path: str, reason: str) -> None:
    rows = [["integer", "n", "N", ""], ["unknown", "lost", "Lost", ""], ["calculate", "c", "", path]]
    report = import_xlsform(survey(*rows, columns="type name label calculation")).report
    [note] = [note for note in report if note.code == "xlsform.rule_left_out"]
    assert reason in note.detail
