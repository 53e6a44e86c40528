"""Cells that mean nothing here are exported again, in a form that ODK accepts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from unit.xlsform.odk import find_errors, needs_java, to_xform
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform
from formwright.domain.forms.xlsform.report import Note, NoteEffect

CHOICES = [
    ["list_name", "name", "label::English (en)", "label::French (fr)", "geometry"],
    ["ticks", "1", "Low", "Bas", ""], ["ticks", "5", "High", "", ""],
    ["places", "a", "Pier", "", "10 54 0 0"], ["places", "b", "Mole", "", "11 54 0 0"],
]  # fmt: skip
Rows = Sequence[Sequence[Any]]


def round_trip(rows: Rows, columns: str = "type name label parameters", **sheets: Rows) -> tuple[bytes, list[Note]]:
    content = survey(*rows, columns=columns, **sheets)
    sources = {
        name: ChoiceSource(f"dat_{number:026d}", "name", ("name", "label", "region"), name)
        for number, name in enumerate(("towns.xml", "towns.csv"))
    }
    found = import_xlsform(content, "", sources)
    definition = Definition(found.definition_fields, found.settings)
    exported, notes = export_xlsform("F", definition, "f", {source.id: source for source in sources.values()})
    again = import_xlsform(exported, "", sources)
    assert (again.definition_fields, again.settings.xlsform) == (found.definition_fields, found.settings.xlsform)
    return exported, [*found.report, *notes]


TICKS = ["range", "r", "R", "start=1 end=5 step=1 tick_labelset=ticks"]


def test_lists_that_only_parameters_name_are_kept() -> None:
    rows = [TICKS, ["geopoint", "g", "G", "reference-geometry=places capture-accuracy=5"]]
    exported, notes = round_trip(rows, choices=CHOICES)
    xform = to_xform(exported)
    assert "<value>Low</value>" in xform
    assert "<value>Bas</value>" in xform
    assert "<geometry>10 54 0 0</geometry>" in xform
    assert ("choices", "list_name", "xlsform.kept") in [(note.sheet, note.column, note.code) for note in notes]
    assert not [note for note in notes if note.effect in (NoteEffect.QUESTIONS, NoteEffect.RULES)]


def test_a_kept_list_may_have_the_name_of_a_question() -> None:
    choices = [["list_name", "name", "label"], ["c", "0", "Zero"], ["d", "x", "X"], ["d", "y", "Y"]]
    rows = [
        ["range", "r", "R", "start=0 end=5 step=1 tick_labelset=c", ""],
        ["select_one d", "c", "C", "", ""],
        ["calculate", "label", "", "", "jr:choice-name(${c}, '${c}')"],
    ]
    exported, _ = round_trip(rows, "type name label parameters calculation", choices=choices)
    assert "instance('c_')/root/item" in to_xform(exported)


def test_rows_that_attach_files_are_kept() -> None:
    rows = [["csv-external", "trees", "", ""], ["xml-external", "sites", "", ""], ["text", "a", "A", ""]]
    exported, notes = round_trip(rows)
    assert {'src="jr://file-csv/trees.csv"', 'src="jr://file/sites.xml"'} <= set(
        to_xform(exported).replace("/>", " ").split()
    )
    assert {note.effect for note in notes} == {NoteEffect.NONE}


@pytest.mark.slow
@needs_java
def test_entities_still_find_the_file_that_they_update(tmp_path: Path) -> None:
    entities = [["list_name", "entity_id", "label"], ["trees", "${a}", "${a}"]]
    exported, _ = round_trip([["csv-external", "trees", "", ""], ["text", "a", "A", ""]], entities=entities)
    assert find_errors(tmp_path, {"form": exported}) == {"form": ""}


def test_choices_in_xml_files_keep_the_name_of_the_file() -> None:
    exported, _ = round_trip([["select_one_from_file towns.xml", "town", "Town", ""]])
    assert 'src="jr://file/towns.xml"' in to_xform(exported)


def test_parameters_that_the_exported_type_cannot_have_are_left_out() -> None:
    """pyxform does not check the parameters of types in older spellings."""
    exported, notes = round_trip_once([["q picture", "a", "A", "capture-accuracy=5 max-pixels=100"]])
    assert 'orx:max-pixels="100"' in to_xform(exported)
    assert [note.detail for note in notes if note.kind == "dropped"] == [
        "A question of this type cannot have these parameters, so they were left out: capture-accuracy=5"
    ]


def round_trip_once(rows: Rows, columns: str = "type name label parameters") -> tuple[bytes, list[Note]]:
    found = import_xlsform(survey(*rows, columns=columns))
    return export_xlsform("F", Definition(found.definition_fields, found.settings), "f")


def test_a_larger_image_alone_is_exported_as_both() -> None:
    exported, _ = round_trip_once([["text", "a", "A", "a.png"]], "type name label big-image")
    xform = to_xform(exported)
    assert 'form="image">jr://images/a.png' in xform
    assert 'form="big-image">jr://images/a.png' in xform


def test_texts_are_not_cut_within_a_reference() -> None:
    exported, _ = round_trip_once([["text", "a", "A", ""], ["note", "n", "x" * 1997 + "${a} and more", ""]])
    assert "x" * 1997 + "</label>" in to_xform(exported)


@pytest.mark.slow
@needs_java
def test_initial_answers_from_the_row_before_are_defaults(tmp_path: Path) -> None:
    rows = [
        ["begin repeat", "r", "R", ""],
        ["text", "a", "A", "indexed-repeat(${a}, ${r}, position(..) - 1)"],
        ["end repeat", "", "", ""],
    ]
    exported, notes = round_trip(rows, "type name label default")
    assert not [note for note in notes if note.code == "xlsform.rule_left_out"]
    assert find_errors(tmp_path, {"form": exported}) == {"form": ""}


def test_defaults_of_lookups_are_reported_as_lost() -> None:
    rows = [["select_one_from_file towns.csv", "town", "Town", "kiel"]]
    _, notes = round_trip(rows, "type name label default")
    assert next((note.column, note.effect) for note in notes if note.row == 2) == ("default", NoteEffect.RULES)


@pytest.mark.parametrize(
    ("type_", "default"),
    [("integer", "none"), ("select_one yn", "9"), ("date", "none"), ("time", "25:00"), ("range", "99")],
)
def test_defaults_that_no_answer_can_be_are_left_out(type_: str, default: str) -> None:
    choices = [["list_name", "name", "label"], ["yn", "y", "Y"]]
    found = import_xlsform(survey([type_, "a", "A", default], columns="type name label default", choices=choices))
    assert [(note.code, note.effect) for note in found.report] == [("xlsform.default_invalid", NoteEffect.CONVERTED)]


def test_openstreetmap_features_become_files() -> None:
    found = import_xlsform(
        survey(["osm road", "road", "Road"], osm=[["list_name", "name", "label"], ["road", "n", "N"]])
    )
    [field] = found.definition_fields
    assert (type(field).__struct_config__.tag, field.xlsform_columns) == ("file", {"type": "osm"})
    exported, _ = export_xlsform("F", Definition(found.definition_fields, found.settings), "f")
    assert 'mediatype="osm/*"' in to_xform(exported)
