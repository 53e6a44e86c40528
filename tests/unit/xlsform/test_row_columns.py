"""Columns of rows and choices in expressions: `instance()` and `pulldata()`."""

import io
from typing import Any

from msgspec import UNSET
from pyxform.xls2xform import convert
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform, open_xlsform

TOWNS = ChoiceSource("dat_" + "0" * 26, "name", ("name", "label", "region", "people"), "towns", {"people": "integer"})
COLUMNS = "type name label calculation trigger relevant"
TOWN = ["select_one_from_file towns.csv", "town", "Town", "", "", ""]


def of_town(column: str, key: str = "name") -> str:
    return f"instance('towns')/root/item[{key} = ${{town}}]/{column}"


def read(*rows: list[str], **sheets: Any) -> tuple[ImportedForm, dict[str, Any]]:
    found = import_xlsform(survey(*rows, columns=COLUMNS, **sheets), sources={"towns.csv": TOWNS})
    return found, {one.name: one for one in found.definition_fields}


def lost(found: ImportedForm) -> list[str]:
    return [note.detail for note in found.report if note.code == "xlsform.rule_left_out"]


def test_a_lookup_fills_in_the_columns_that_calculations_read() -> None:
    found, by_name = read(
        TOWN,
        ["calculate", "region", "", of_town("region"), "", ""],
        ["calculate", "again", "", "pulldata('towns', 'region', 'name', ${town})", "", ""],
        ["calculate", "key", "", of_town("name"), "", ""],
        ["integer", "people", "People", of_town("people"), "${town}", ""],
        ["text", "shown", "Shown", f"concat('in ', {of_town('label')})", "", ""],
        ["note", "big", "Big", "", "", f"{of_town('people')} > 1000 and ${{region}} = 'north'"],
    )
    assert lost(found) == []
    assert by_name["town"].mapping == {"region": "region", "people": "people", "label": "town_label"}
    assert (by_name["region"].hidden, by_name["region"].calculate) == (True, by_name["town"].calculate)
    assert (by_name["again"].calculate, by_name["key"].calculate) == ("region", "town")
    assert (by_name["people"].hidden, by_name["people"].recalculate_on) == (False, [])
    assert by_name["town_label"].hidden
    assert by_name["shown"].calculate == "'in ' + (answered.town_label ? town_label : '')"
    assert by_name["big"].visible_if == "people > 1000 && region == 'north'"
    content, _ = export_xlsform("A form", Definition(found.definition_fields, found.settings), None, {TOWNS.id: TOWNS})
    again = import_xlsform(content, sources={"towns.csv": TOWNS})
    assert again.definition_fields == found.definition_fields


def test_columns_of_choices_become_tables_in_the_rule() -> None:
    choices = [["list_name", "name", "label", "size"], ["abc", "a", "A", "1"], ["abc", "b", "B", ""]]
    found, by_name = read(
        ["select_one abc", "c", "C", "", "", ""],
        ["calculate", "c_size", "", "instance('abc')/root/item[name = ${c}]/size", "", ""],
        choices=choices,
    )
    assert lost(found) == []
    assert by_name["c_size"].calculate == "{'a': '1', 'b': ''}[c]"
    assert not [note for note in found.report if note.column == "size"]


def test_rows_with_a_computed_key_become_hidden_lookups() -> None:
    found, by_name = read(
        ["csv-external", "towns", "", "", "", ""],
        ["text", "t", "T", "", "", ""],
        ["integer", "n", "N", "", "", ""],
        ["calculate", "key", "", "concat(${t}, '-', ${n})", "", ""],
        ["calculate", "region", "", of_town("region").replace("town}", "key}"), "", ""],
        ["calculate", "typed", "", "pulldata('towns', 'region', 'name', ${t})", "", ""],
        ["calculate", "people", "", "pulldata('towns', 'people', 'name', ${t})", "", ""],
        ["calculate", "numbered", "", "pulldata('towns', 'label', 'name', ${n} + 1)", "", ""],
        ["text", "asked", "Asked", "pulldata('towns', 'label', 'name', ${t})", "${t}", ""],
        ["note", "there", "There", "", "", "pulldata('towns', 'name', 'name', ${t}) != ''"],
        ["begin repeat", "r", "R", "", "", ""],
        ["text", "x", "X", "", "", ""],
        ["calculate", "of_row", "", "pulldata('towns', 'region', 'name', concat(${x}, ${t}))", "", ""],
        ["calculate", "of_region", "", "pulldata('towns', 'people', 'name', ${of_row})", "", ""],
        ["end repeat", "", "", "", "", ""],
    )
    assert lost(found) == []
    key, row, of_row = by_name["key"], by_name["towns_row"], by_name["r"].fields[1]
    assert (key.datasource_id, key.calculate, key.mapping) == (
        TOWNS.id,
        read_key := key.calculate,
        {"region": "region"},
    )
    assert "n" in read_key
    assert (row.hidden, row.calculate) == (True, "t")
    assert row.mapping == {"region": "typed", "people": "people", "label": "towns_row_label", "name": "towns_row_name"}
    assert (by_name["region"].calculate, by_name["region"].hidden) == (UNSET, True)
    assert str(by_name["people"].__struct_config__.tag) == "integer"
    assert by_name["towns_row_2"].calculate == "string(n + 1)"
    # The row arrives later than the key.
    assert (by_name["asked"].default_rule, by_name["asked"].recalculate_on) == (
        "towns_row_label",
        ["t", "towns_row_label"],
    )
    assert by_name["there"].visible_if == "answered.towns_row_name"
    assert of_row.mapping == {"region": "of_row"}
    assert [one.name for one in by_name["r"].fields] == ["x", "towns_row_3", "of_row", "towns_row_4", "of_region"]
    content, notes = export_xlsform(
        "A form", Definition(found.definition_fields, found.settings), None, {TOWNS.id: TOWNS}
    )
    assert {note.code for note in notes} == {"xlsform.choice_file"}
    assert "pulldata('towns', 'region', 'name', &quot" not in (
        xform := convert(io.BytesIO(content), file_type=".xlsx").xform
    )
    assert "pulldata('towns', 'region', 'name',  /" in xform
    again = import_xlsform(content, sources={"towns.csv": TOWNS})
    assert again.definition_fields == found.definition_fields


def test_the_key_column_of_attached_files_is_that_of_the_expressions() -> None:
    content = survey(
        ["select_one_from_file a.csv", "a", "A", ""],
        ["select_multiple_from_file d.csv", "d", "D", ""],
        ["calculate", "x", "", "concat(pulldata('b', 'x', 'b_key', ${a}), pulldata( \"c.csv\" , 'x','c_key', 'y'))"],
        ["calculate", "y", "", "instance('a')/root/item[label = ${a}]/x"],
        ["calculate", "z", "", "instance('abc')/root/item[name = ${a}]/label"],
        columns="type name label calculation",
        choices=[["list_name", "name", "label"], ["abc", "a", "A"]],
    )
    assert open_xlsform(content).choice_files == {
        "a.csv": "name",
        "a_by_label.csv": "label",
        "b.csv": "b_key",
        "c.csv": "c_key",
        "d.csv": "name",
    }


def test_other_rows_are_reported() -> None:
    found, by_name = read(
        TOWN,
        ["text", "t", "T", "", "", ""],
        ["calculate", "a", "", of_town("region", key="label"), "", ""],
        ["calculate", "c", "", of_town("unknown"), "", ""],
        ["calculate", "d", "", "instance('towns')/root/item[name = ${town}", "", ""],
        ["calculate", "e", "", "count(instance('towns')/root/item)", "", ""],
        ["begin repeat", "r", "R", "", "", ""],
        ["text", "x", "X", "", "", ""],
        ["calculate", "f", "", of_town("region"), "", ""],
        ["end repeat", "", "", "", "", ""],
    )
    assert len(lost(found)) == 4
    assert by_name["town"].mapping == {"region": "town_region"}
    assert by_name["r"].fields[1].calculate == "town_region"
