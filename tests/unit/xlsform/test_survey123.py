"""What forms for ArcGIS Survey123 read: parts of a location, and the person and the device."""

from typing import Any

import msgspec
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.rules.program import compile_program
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform


def documents(form: ImportedForm) -> dict[str, Any]:
    return {one["name"]: one for one in msgspec.to_builtins(form.definition_fields)}


def calculate(*calculations: str) -> ImportedForm:
    rows = [["calculate", f"c{place}", "", text] for place, text in enumerate(calculations)]
    return import_xlsform(survey(["geopoint", "place", "Place", ""], *rows, columns="type name label calculation"))


def left_out(form: ImportedForm) -> list[str]:
    return [note.detail for note in form.report if note.code == "xlsform.rule_left_out"]


def test_parts_of_a_location() -> None:
    parts = ("x", "y", "horizontalAccuracy")
    form = calculate(*(f'pulldata("@geopoint", ${{place}}, "{part}")' for part in parts))
    assert left_out(form) == []
    program = compile_program(form.definition_fields)
    place = {"latitude": 52.5, "longitude": 13.4}
    assert (
        program.evaluate({"place": {**place, "accuracy": 4.0}}).answers.items()
        >= {"c0": 13.4, "c1": 52.5, "c2": 4.0}.items()
    )
    assert program.evaluate({"place": place}).answers == {"place": place, "c0": 13.4, "c1": 52.5}
    assert program.evaluate({}).answers == {}


def test_what_is_not_recorded_is_reported() -> None:
    form = calculate(
        'pulldata("@geopoint", ${place}, "z")', 'pulldata("@layer", "getValue", "a", "b")', "property('colour')"
    )
    altitude, layer, colour = left_out(form)
    assert "the z of a location is not recorded here" in altitude
    assert "'@layer'" in layer
    assert "Survey123" in layer
    assert "the property colour is not known here" in colour


def test_the_person_and_the_device_are_hidden_fields_with_metadata() -> None:
    form = calculate(
        'pulldata("@property", "userFullName")', "property('username')", "concat('d-', property('uri:deviceid'))"
    )
    assert left_out(form) == []
    found = documents(form)
    assert {one["metadata"] for one in found.values() if "metadata" in one} == {"userName", "deviceId"}
    assert [found["c0"]["calculate"], found["c1"]["calculate"]] == ["userName", "userName"]
    assert found["userName"]["hidden"]
    answers = compile_program(form.definition_fields).evaluate({"userName": "Ada", "deviceId": "7"}).answers
    assert (answers["c0"], answers["c2"]) == ("Ada", "d-7")
    content, notes = export_xlsform("Again", Definition(form.definition_fields, form.settings))
    assert notes == []
    assert documents(import_xlsform(content)) == found


def test_the_metadata_that_rows_read_is_outside_of_them() -> None:
    form = import_xlsform(
        survey(
            ["begin repeat", "rows", "Rows", ""],
            ["text", "a", "A", "property('email')"],
            ["end repeat", "", "", ""],
            columns="type name label calculation",
        )
    )
    assert list(documents(form)) == ["email", "rows"]


def test_a_text_that_is_added_is_reported() -> None:
    form = calculate("concat('a', 'b')", "'a' + ' '")
    assert [(note.row, note.code) for note in form.report] == [(4, "xlsform.not_a_number")]
    assert compile_program(form.definition_fields).evaluate({}).answers == {"c0": "ab"}
