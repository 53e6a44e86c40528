"""Filters, limits and order of choices in XLSForm files."""

from typing import Any

import msgspec
import pytest
from pyxform.xls2xform import convert
from unit.xlsform.odk import to_xform
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import ChoiceField
from formwright.domain.forms.rules.program import compile_program
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform

CHOICES = [
    ["list_name", "name", "label", "land", "admin-1", "unused"],
    ["lands", "de", "Germany", "", "", ""],
    ["lands", "fr", "France", "", "", ""],
    ["towns", "kiel", "Kiel", "de", "north", "x"],
    ["towns", "nice", "Nice", "fr", "", ""],
]


def imported(choice_filter: str, type_: str = "select_one towns") -> tuple[ImportedForm, dict[str, Any]]:
    content = survey(
        ["select_one lands", "land", "Land", ""],
        ["select_multiple lands", "lands", "Lands", ""],
        ["text", "area", "Area", ""],
        [type_, "town", "Town", choice_filter],
        columns="type name label choice_filter",
        choices=CHOICES,
    )
    found = import_xlsform(content)
    return found, msgspec.to_builtins(found.definition_fields)[3]


def test_other_is_a_choice_of_all_questions_with_the_list() -> None:
    content = survey(
        ["select_one lands or_other", "a", "A"],
        ["select_multiple lands", "b", "B"],
        ["rank towns", "c", "C"],
        choices=CHOICES,
    )
    found = import_xlsform(content)
    documents = {one["name"]: one for one in msgspec.to_builtins(found.definition_fields)}
    values = {name: [option["value"] for option in documents[name]["options"]] for name in "abc"}
    assert values == {"a": ["de", "fr", "other"], "b": ["de", "fr", "other"], "c": ["kiel", "nice"]}
    assert to_xform(content).count("<name>other</name>") == 1


def test_other_is_offered_whatever_the_filter() -> None:
    found, town = imported("land = ${land}", "select_one towns or_other")
    assert [option["value"] for option in town["options"]] == ["kiel", "nice", "other"]
    assert town["optionFilter"] == "option.value == 'other' || option.land == land"
    specify = msgspec.to_builtins(found.definition_fields)[4]
    assert (specify["name"], specify["visibleIf"]) == ("town_other", "town == 'other'")


@pytest.mark.parametrize(
    ("xpath", "rule", "columns"),
    [
        ("land=${land}", "option.land == land", {"land": "de"}),
        ("land = ${land} and admin-1 = ${area}", "option.land == land && option.admin_1 == area",
         {"land": "de", "admin_1": "north"}),
        ("selected(${lands}, land)", "option.land in lands", {"land": "de"}),
        ("selected(${area}, land)", "option.land in area.words()", {"land": "de"}),
        ("name != 'nice' or ${area} = ''", "option.value != 'nice' || !answered.area", {}),
        ("land != ''", "option.land != ''", {"land": "de"}),
        ("not(land = ${land})", "!(answered.land && option.land == land)", {"land": "de"}),
        ("true()", "true", {}),
    ],
)  # fmt: skip
def test_filters_are_imported_and_exported(xpath: str, rule: str, columns: dict[str, str]) -> None:
    found, town = imported(xpath)
    assert town["optionFilter"] == rule
    assert town["options"][0].get("columns", {}) == columns
    content, notes = export_xlsform("Towns", Definition(found.definition_fields, found.settings))
    assert not [note for note in notes if note.code == "xlsform.rule_left_out"]
    assert "itemset" in convert(__import__("io").BytesIO(content), file_type=".xlsx", validate=False).xform
    again = import_xlsform(content)
    # The opposite of a comparison is written in another way, which means the same.
    assert again.definition_fields == found.definition_fields or "not(" in xpath


def test_columns_without_a_filter_are_reported() -> None:
    found, town = imported("land = ${land}", "select_multiple towns")
    assert [note.detail for note in found.report if note.sheet == "choices"] == [
        f"The column {column} of choices is not supported." for column in ("admin-1", "unused")
    ]
    assert town["options"][1] == {"value": "nice", "label": "Nice", "columns": {"land": "fr"}}


def test_a_filter_that_cannot_be_translated_is_reported() -> None:
    found, town = imported("position(..) > 2")
    assert "optionFilter" not in town
    assert [note.column for note in found.report if note.code == "xlsform.rule_left_out"] == ["choice_filter"]


LIMITS = "count-selected(.) >= 2 and count-selected(.) <= 3 and not(selected(., 'none') and count-selected(.) > 1)"


def test_limits_exclusive_options_and_random_order_are_imported_and_exported() -> None:
    found = import_xlsform(
        survey(
            ["select_multiple all", "some", "Some", LIMITS, "randomize=true, seed=7"],
            ["select_multiple all", "others", "Others", "count-selected(.) <= 9", ""],
            ["select_one all", "one", "One", "", "randomize=false"],
            columns="type name label constraint parameters",
            choices=[["list_name", "name", "label"], *(["all", name, name] for name in ("a", "b", "c", "none"))],
        )
    )
    some, others, one = msgspec.to_builtins(found.definition_fields)
    assert (some["minChoices"], some["maxChoices"], some["randomize"]) == (2, 3, True)
    assert some["options"][3] == {"value": "none", "label": "none", "exclusive": True}
    assert "exclusive" not in str(others["options"])
    assert others["validIf"] == "size(others) <= 9"
    assert "randomize" not in one
    assert [note.effect for note in found.report] == ["none"]
    content, notes = export_xlsform("Some", Definition(found.definition_fields, found.settings))
    assert notes == []
    assert "randomize(" in convert(__import__("io").BytesIO(content), file_type=".xlsx", validate=False).xform
    [again, *_] = msgspec.to_builtins(import_xlsform(content).definition_fields)
    assert again == some


AGREE = [["list_name", "name", "label"], *(["agree", str(n), f"Label {n}"] for n in range(1, 4))]


@pytest.mark.parametrize(
    ("group", "looks"), [("field-list table-list", ["", ""]), ("field-list", ["label", "list-nolabel", "list-nolabel"])]
)
def test_tables_are_imported_and_exported(group: str, looks: list[str]) -> None:
    rows = [["select_one agree", f"q{n}", f"Q {n}", look] for n, look in enumerate(looks, start=1)]
    found = import_xlsform(
        survey(
            ["begin group", "g", "G", group],
            *rows,
            ["end group", "", "", ""],
            columns="type name label appearance",
            choices=AGREE,
        )
    )
    [section] = msgspec.to_builtins(found.definition_fields)
    assert (section["table"], section["page"]) == (True, True)
    assert [one["name"] for one in section["fields"]] == [f"q{n}" for n in range(1, len(looks) + 1)][-2:]
    assert {note.effect for note in found.report} <= {"none"}
    content, notes = export_xlsform("Table", Definition(found.definition_fields, found.settings))
    assert notes == []
    assert "list-nolabel" in convert(__import__("io").BytesIO(content), file_type=".xlsx", validate=False).xform
    assert import_xlsform(content).definition_fields == found.definition_fields


def test_what_cannot_be_a_table_is_reported() -> None:
    found = import_xlsform(
        survey(
            ["begin group", "g", "G", "table-list"],
            ["select_one agree", "q1", "Q", ""],
            ["text", "q2", "Q", ""],
            ["end group", "", "", ""],
            ["select_one agree", "q3", "Q", "label"],
            columns="type name label appearance",
            choices=AGREE,
        )
    )
    assert "table" not in msgspec.to_builtins(found.definition_fields)[0]
    assert [(note.row, note.column, note.effect) for note in found.report] == [
        (2, "appearance", "looks"),
        (6, "appearance", "looks"),
    ]


def test_choices_with_several_rows_are_offered_for_each_of_them() -> None:
    choices = [
        *CHOICES[:3],
        ["lands", "de", "Germany", "", "", ""],
        ["towns", "king", "King", "de", "", ""],
        ["towns", "kiel", "Kiel", "de", "", ""],
        ["towns", "king", "King", "fr", "", ""],
        ["towns", "kiel", "Kiel in France", "fr", "", ""],
        ["towns", "ulm", "Ulm", "de", "", ""],
    ]
    content = survey(
        ["select_one lands", "land", "Land", ""],
        ["select_one towns", "town", "Town", "land = ${land}"],
        ["select_one towns", "other", "Other", "land != ${land}"],
        ["select_one towns", "any", "Any", "nothing = ${land}"],
        columns="type name label choice_filter",
        choices=choices,
        settings=[["form_title", "default_language", "allow_choice_duplicates"], ["A form", "en", "yes"]],
    )
    found = import_xlsform(content)
    land, town, other, any_ = msgspec.to_builtins(found.definition_fields)
    assert [option["value"] for option in land["options"]] == ["de", "fr"]
    assert town["optionFilter"] == "option.land == land || option.land_2 == land"
    assert [option["columns"] for option in town["options"]] == [
        {"land": "de", "land_2": "fr"},
        {"land": "de", "land_2": "fr"},
        {"land": "de", "land_2": "de"},  # An empty column would equal a missing answer in XPath.
    ]
    assert [option["label"] for option in town["options"]] == ["King", "Kiel / Kiel in France", "Ulm"]
    assert "land_2" not in other["options"][0]["columns"]
    # The choices have no such column, which is thus empty.
    assert any_["optionFilter"] == "!answered.land"
    notes = {(note.sheet, note.row): (note.code.removeprefix("xlsform."), note.effect) for note in found.report}
    assert (notes["choices", 4], notes["choices", 7], notes["choices", 8]) == (
        ("choice_merged", "converted"),
        ("choice_merged", "converted"),
        ("choice_labels", "looks"),
    )
    assert notes["survey", 4] == ("choice_twice", "questions")


@pytest.mark.parametrize(("name", "count"), [("district", 60), ("part | ~ of", 90), ("¦|", 240)])
def test_choices_with_many_rows_are_offered_for_each_of_them(name: str, count: int) -> None:
    """Such as a choice “other” in each of 60 districts, of which two have the same name in two lands."""
    places = [(f"land {number % 2}", f"{name} {number // 2}") for number in range(count)]
    rows = [["towns", "other", "Other", *place] for place in places]
    rows.append(["towns", "kiel", "Kiel", "land 0", f"{name} 3"])
    content = survey(
        ["text", "land", "Land", ""],
        ["text", "district", "District", ""],
        ["select_one towns", "town", "Town", "land = ${land} and ${district} = district and name != 'x'"],
        columns="type name label choice_filter",
        choices=[["list_name", "name", "label", "land", "district"], *rows],
        settings=[["form_title", "allow_choice_duplicates"], ["A form", "yes"]],
    )
    found = import_xlsform(content)
    assert [note.detail for note in found.report if note.effect in ("questions", "rules")] == []
    again, notes = export_xlsform("Again", Definition(found.definition_fields, found.settings))
    assert [note for note in notes if note.kind != "changed"] == []
    for fields in (found.definition_fields, import_xlsform(again).definition_fields):
        program = compile_program(fields)
        for land, district, town in (
            *((*place, "other") for place in places),
            ("land 0", f"{name} 3", "kiel"), ("land 1", f"{name} 3", "kiel"), ("land 0", name, "other"),
            ("land 9", f"{name} 3", "other"), ("", "", "other"), ("land 0", "", "other"),
        ):  # fmt: skip
            sent = {name: text for name, text in (("land", land), ("district", district)) if text} | {"town": town}
            expected = ["towns", town, town.title(), land, district] in rows
            assert (program.evaluate(sent).violations == []) is expected, sent


def test_columns_keep_their_capital_letters() -> None:
    """Expressions name them as they are written, and pyxform does too."""
    content = survey(
        ["text", "a", "A", ""],
        ["select_one l", "b", "B", "State = ${a} and STATE != 'x'"],
        ["calculate", "c", "", "instance('l')/root/item[name = ${b}]/State"],
        columns="type name label choice_filter calculation",
        choices=[["List Name", "NAME", "Label", "State", "STATE"], ["l", "x", "X", "tx", "y"]],
    )
    found = import_xlsform(content)
    b = found.definition_fields[1]
    assert isinstance(b, ChoiceField)
    assert (b.option_filter, b.options[0].columns) == (
        "option.State == a && option.STATE != 'x'",
        {"State": "tx", "STATE": "y"},
    )
    exported, _ = export_xlsform("F", Definition(found.definition_fields, found.settings))
    assert "item[State =  /data/a  and STATE != 'x']" in to_xform(exported)


def test_filters_of_rankings_are_reported_as_lost_rules() -> None:
    rows = [["text", "land", "L", ""], ["rank towns", "r", "R", "land = ${land}"]]
    found = import_xlsform(survey(*rows, columns="type name label choice_filter", choices=CHOICES))
    assert [(note.column, note.effect) for note in found.report if note.row == 3] == [("choice_filter", "rules")]


def test_columns_of_numbers_are_compared_with_numbers() -> None:
    found, town = imported("admin-1 != 99 and name != 3")
    assert not [note for note in found.report if note.code == "xlsform.rule_left_out"]
    assert town["optionFilter"] == "option.admin_1 != '99' && option.value != '3'"


@pytest.mark.parametrize(
    ("xpath", "answers", "offered"),
    [
        ("k = ${n}", {"n": 2}, ["2", "02"]),
        ("k = ${n} or k = ${d}", {"n": 1, "d": 2.0}, ["1", "2", "02"]),
        ("k <= ${n} and not(k = ${d})", {"n": 2, "d": 1.0}, ["2", "02"]),
        ("k != ${n}", {"n": 1}, ["2", "02", "", "x"]),
    ],
)
def test_columns_are_compared_with_answers_that_are_numbers(
    xpath: str, answers: dict[str, Any], offered: list[str]
) -> None:
    """As in XPath, a text that is no number equals none."""
    for cells in (["1", "2", "02", "", "x"], ["1", "2"]):
        content = survey(
            ["integer", "n", "N", ""],
            ["decimal", "d", "D", ""],
            ["select_one l", "q", "Q", xpath],
            columns="type name label choice_filter",
            choices=[["list_name", "name", "label", "k"], *(["l", f"c{i}", "C", cell] for i, cell in enumerate(cells))],
        )
        found = import_xlsform(content)
        assert [note.detail for note in found.report if note.effect in ("questions", "rules")] == []
        exported, _ = export_xlsform("F", Definition(found.definition_fields, found.settings))
        for fields in (found.definition_fields, import_xlsform(exported).definition_fields):
            program = compile_program(fields)
            sent = {cell: program.evaluate(answers | {"q": f"c{i}"}).violations for i, cell in enumerate(cells)}
            assert [cell for cell in cells if not sent[cell]] == [cell for cell in offered if cell in cells]


@pytest.mark.parametrize(
    ("labels", "rows", "offered"),
    [
        (["label"], [["Apple"], ["Bean"], ["Pea"]], ["b", "c", "other"]),
        (["label"], [["Apple"], ["${s}"], ["Pea"]], []),
        (["label::en", "label::fr"], [["Apple", "P"], ["Bean", "H"], ["Pea", "P"]], []),
        (["label", "image"], [["Apple", "x.png"], ["Bean", ""], ["Pea", ""]], []),
    ],
)
def test_filters_can_read_labels(labels: list[str], rows: list[list[str]], offered: list[str]) -> None:
    """As in pyxform, whose choices have no label of their own if some are translated, have media or show answers."""
    choices = [["list_name", "name", *labels], *(["l", name, *row] for name, row in zip("abc", rows, strict=True))]
    content = survey(
        ["text", "s", "S", ""],
        ["select_one l", "q", "Q", "contains(label, 'e') and label != 'Apple'"],
        ["select_one l or_other", "r", "R", ""],
        columns="type name label choice_filter",
        choices=choices,
    )
    assert ("<label>Pea</label>" in to_xform(content).split("</model>")[0]) is bool(offered)
    found = import_xlsform(content)
    assert [note.detail for note in found.report if note.effect in ("questions", "rules")] == []
    exported, _ = export_xlsform("F", Definition(found.definition_fields, found.settings))
    for fields in (found.definition_fields, import_xlsform(exported).definition_fields):
        program = compile_program(fields)
        assert [one for one in ("a", "b", "c", "other") if not program.evaluate({"q": one}).violations] == offered
