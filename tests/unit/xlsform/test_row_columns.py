"""Columns of rows and choices in expressions: `instance()` and `pulldata()`."""

from typing import Any

from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform

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


def test_other_rows_are_reported() -> None:
    found, by_name = read(
        TOWN,
        ["text", "t", "T", "", "", ""],
        ["calculate", "a", "", of_town("region", key="label"), "", ""],
        ["calculate", "b", "", "pulldata('towns', 'region', 'name', ${t})", "", ""],
        ["calculate", "c", "", of_town("unknown"), "", ""],
        ["calculate", "d", "", "instance('towns')/root/item[name = ${town}", "", ""],
        ["calculate", "e", "", "count(instance('towns')/root/item)", "", ""],
        ["begin repeat", "r", "R", "", "", ""],
        ["text", "x", "X", "", "", ""],
        ["calculate", "f", "", of_town("region"), "", ""],
        ["end repeat", "", "", "", "", ""],
    )
    assert len(lost(found)) == 5
    assert by_name["town"].mapping == {"region": "town_region"}
    assert by_name["r"].fields[1].calculate == "town_region"
