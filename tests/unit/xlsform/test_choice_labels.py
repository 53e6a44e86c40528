"""Labels of choices that contain answers, as rules read them."""

from pathlib import Path

from unit.xlsform.javarosa_comparison import find_differences
from unit.xlsform.odk import needs_java
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform

CONTENT = survey(
    ["text", "own", "Own animal", ""],
    ["integer", "n", "How many?", ""],
    ["select_one ab", "c", "C", ""],
    ["select_one animals", "one", "Animal", ""],
    ["select_multiple animals", "some", "Animals", ""],
    ["calculate", "l", "", "jr:choice-name(${one}, '${one}')"],
    ["calculate", "second", "", "jr:choice-name(selected-at(${some}, 1), '${some}')"],
    ["begin repeat", "r", "R", ""],
    ["calculate", "each", "", "jr:choice-name(selected-at(${some}, position(..) - 1), '${some}')"],
    ["text", "t", "T", ""],
    ["end repeat", "", "", ""],
    columns="type name label calculation",
    choices=[
        ["list_name", "name", "label"],
        ["ab", "a", "A"],
        ["ab", "b", "B"],
        ["animals", "cow", "Cow"],
        ["animals", "own", "${own}"],
        ["animals", "both", "${n} times ${own}, ${c}"],
    ],
)
FILLINGS = [
    {"own": "yak", "n": 2, "c": "a", "one": "own", "some": ["cow", "own"], "r": [{"t": "x"}, {"t": "y"}, {"t": "z"}]},
    {"n": 10, "c": "b", "one": "both", "some": ["both", "own"], "r": [{"t": "x"}]},
    {"own": 'it\'s "x"', "one": "both", "some": ["own", "both"], "r": [{"t": "x"}, {"t": "y"}]},
    {"one": "cow", "some": ["cow"]},
    {},
]


@needs_java
def test_labels_with_answers_are_the_same_as_in_javarosa(tmp_path: Path) -> None:
    found = import_xlsform(CONTENT)
    assert [note.detail for note in found.report if note.effect in ("questions", "rules")] == []
    assert find_differences(tmp_path, CONTENT, FILLINGS) == {}
    exported, notes = export_xlsform("Animals", Definition(found.definition_fields, found.settings))
    assert [note for note in notes if note.code == "xlsform.rule_left_out"] == []
    assert find_differences(tmp_path, exported, FILLINGS) == {}


def test_labels_with_answers_of_rows_are_left_out() -> None:
    content = survey(
        ["begin repeat", "r", "R", ""],
        ["text", "own", "Own", ""],
        ["select_one animals", "one", "Animal", ""],
        ["calculate", "l", "", "jr:choice-name(${one}, '${one}')"],
        ["end repeat", "", "", ""],
        columns="type name label calculation",
        choices=[["list_name", "name", "label"], ["animals", "own", "${own}"]],
    )
    assert "the label of a choice contains an answer in a repeat" in str(import_xlsform(content).report)


@needs_java
def test_translated_labels_are_read_by_their_ids(tmp_path: Path) -> None:
    content = survey(
        ["select_one l", "q", "Q", ""],
        ["text", "t", "T", ""],
        ["calculate", "c", "", "jr:itext(instance('l')/root/item[name = ${q}]/itextId)"],
        ["calculate", "by_code", "", "jr:itext(instance('l')/root/item[code = ${t}]/itextId)"],
        columns="type name label::en calculation",
        choices=[
            ["list_name", "name", "label::en", "label::fr", "code"],
            ["l", "a", "A", "Ah", "1"],
            ["l", "b", "B", "Be", "2"],
        ],
    )
    found = import_xlsform(content)
    assert [note.detail for note in found.report if note.effect in ("questions", "rules")] == []
    assert find_differences(tmp_path, content, [{"q": "a", "t": "2"}, {"q": "b", "t": "1"}]) == {}


@needs_java
def test_an_answer_is_empty_in_the_labels_that_it_is_calculated_from(tmp_path: Path) -> None:
    content = survey(
        ["select_one l", "q", "Q", ""],
        ["calculate", "c", "", "jr:choice-name(${q}, '${q}')"],
        columns="type name label calculation",
        choices=[["list_name", "name", "label"], ["l", "a", "A"], ["l", "b", "Not in ${c}!"]],
    )
    report = import_xlsform(content).report
    assert [note.row for note in report if note.code == "xlsform.choice_label"] == [3]
    # JavaRosa calculates it twice, and reads the first result.
    found = find_differences(tmp_path, content, [{"q": "a"}, {"q": "b"}])
    assert found == {"c": ({"q": "b"}, "Not in !", "Not in Not in !!")}
