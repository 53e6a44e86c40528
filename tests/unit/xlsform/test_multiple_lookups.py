"""Several choices from files: `select_multiple_from_file`."""

import pytest
from pyxform.xls2xform import convert
from unit.xlsform.odk import is_valid
from unit.xlsform.workbooks import survey, workbook

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields.lookups import LookupsField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform, open_xlsform

TOWNS = ChoiceSource("dat_" + "0" * 26, "name", ("name", "label", "land"), "towns")
COLUMNS = "type name label choice_filter constraint relevant calculation"
LIMITS = "count-selected(.) >= 2 and count-selected(.) <= 3"
RULE = "selected(${towns}, 'kiel') and count-selected(${towns}) > 2"


def test_several_choices_from_a_file_are_imported_and_exported() -> None:
    content = survey(
        ["text", "land", "Land", "", "", "", ""],
        ["select_multiple_from_file towns.csv", "towns", "Towns", "land = ${land}", LIMITS, "", ""],
        ["select multiple from file towns.csv", "more", "More", "", "", "", ""],
        ["note", "n", "N", "", "", RULE, ""],
        ["calculate", "of", "", "", "", "", "instance('towns')/root/item[name = ${towns}]/land"],
        columns=COLUMNS,
    )
    found = import_xlsform(content, sources={"towns.csv": TOWNS})
    _, towns, more, note = found.definition_fields
    assert isinstance(towns, LookupsField)
    assert (towns.filter, towns.min_choices, towns.max_choices, towns.display) == ({"land": "land"}, 2, 3, ["label"])
    assert more == LookupsField(name="more", label="More", datasource_id=TOWNS.id, display=["label"])
    assert note.visible_if == "'kiel' in towns && (answered.towns ? size(towns) : 0) > 2"
    assert [note.code for note in found.report] == ["xlsform.rule_left_out", "xlsform.row_filter"]
    exported, report = export_xlsform(
        "A form", Definition(found.definition_fields, found.settings), None, {TOWNS.id: TOWNS}
    )
    again = import_xlsform(exported, sources={"towns.csv": TOWNS})
    assert again.definition_fields == found.definition_fields
    assert ["Keys with spaces" in note.detail for note in report if note.code == "xlsform.choice_file"] == [True, True]
    assert "jr://file-csv/towns.csv" in convert(exported, validate=False).xform


def test_without_the_rows_the_keys_are_typed() -> None:
    towns = LookupsField(name="towns", label="Towns", datasource_id=TOWNS.id, max_choices=3)
    exported, report = export_xlsform("A form", Definition([towns], FormSettings()))
    assert [note.code for note in report] == ["xlsform.as_text"]
    assert "with spaces between them" in report[0].detail
    assert import_xlsform(exported).definition_fields[0].name == "towns"


def test_long_lists_keep_their_labels_in_all_languages() -> None:
    choices = [["list_name", "name", "label::en", "label::pt-BR"]]
    choices += [["towns", f"t{number}", f"Town {number}", f"Cidade {number}"] for number in range(1_001)]
    content = workbook({"survey": [["type", "name", "label::en"], ["select_one towns", "t", "T"]], "choices": choices})
    opened = open_xlsform(content)
    [table] = opened.tables.values()
    assert table.rows[7] == {"name": "t7", "label": "Town 7", "label_pt_BR": "Cidade 7"}
    assert any("label_fr" in note.detail for note in opened.report.notes if note.code == "xlsform.choice_lookup")


@pytest.mark.parametrize(
    ("choice_filter", "filters", "rules"),
    [
        ("land = 'de'", {"land": "towns_land"}, {"towns_land": "'de'"}),
        ("1 = land and label = ${land}", {"land": "towns_land", "label": "land"}, {"towns_land": "string(1)"}),
        ("land = substr(${land}, 0, 2)", {"land": "towns_land"},
         {"towns_land": "(answered.land ? land : '').substring(0, 2)"}),
        ("land = ${land} and land = 'de'", None, {}),
        ("land = ${land} or land = 'de'", None, {}),
        ("concat(land, '') = 'de'", None, {}),
    ],
)  # fmt: skip
def test_columns_can_equal_any_value(choice_filter: str, filters: dict[str, str] | None, rules: dict[str, str]) -> None:
    content = survey(
        ["text", "land", "Land", ""],
        ["select_one_from_file towns.csv", "towns", "Towns", choice_filter],
        columns="type name label choice_filter",
    )
    found = import_xlsform(content, sources={"towns.csv": TOWNS})
    lost = [note.column for note in found.report if note.effect == "rules"]
    assert lost == ([] if filters else ["choice_filter"])
    *others, towns = found.definition_fields
    assert towns.filter == (filters or {})
    assert {one.name: one.calculate for one in others if one.hidden} == rules
    exported, _ = export_xlsform("T", Definition(found.definition_fields, found.settings), None, {TOWNS.id: TOWNS})
    assert is_valid(exported)
    assert import_xlsform(exported, sources={"towns.csv": TOWNS}).definition_fields == found.definition_fields
