"""Question blocks in the designer's module: names and rules of a copy, and what a newer version changes in it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from fixtures.node import NodeScript, run_script

from formwright.domain.forms.fields import FIELD_CLASSES
from formwright.domain.forms.fields.properties import Rule
from formwright.domain.forms.translations import TEXT_PROPERTIES
from formwright.web.views.designer.field_types import describe_settings

Fields = list[dict[str, Any]]
ID = "blk_01h455vb4pex5vsknk084sn02q"


@pytest.fixture(scope="module")
def blocks() -> Iterator[NodeScript]:
    with run_script(Path(__file__).with_name("block_copies.mjs")) as script:
        yield script


def text(name: str, label: Any = "", **more: Any) -> dict[str, Any]:
    return {"type": "text", "name": name, "label": label or name} | more


def group(name: str, *fields: dict[str, Any], type_: str = "section") -> dict[str, Any]:
    return {"type": type_, "name": name, "label": name, "fields": list(fields)}


def block(*fields: dict[str, Any], version: int = 1, language: str = "en") -> dict[str, Any]:
    return {"id": ID, "version": version, "fields": list(fields), "language": language}


def names(fields: Fields) -> list[str]:
    return [name for one in fields for name in (one["name"], *names(one.get("fields", [])))]


def _is_rule(of: Any) -> bool:
    return get_args(Rule)[1] in get_args(of) or any(map(_is_rule, get_args(of)))


def test_names_are_replaced_in_the_rules_and_texts_of_all_types(blocks: NodeScript) -> None:
    settings = [field for one in FIELD_CLASSES.values() for field in msgspec.structs.fields(one)]
    labels = {
        name
        for one in FIELD_CLASSES.values()
        for name, each in describe_settings(one).items()
        if each["kind"] == "label"
    }
    followed = blocks.ask(["followed"])
    assert set(followed["texts"]) == labels == set(TEXT_PROPERTIES)
    assert set(followed["rules"]) == {field.encode_name for field in settings if _is_rule(field.type)}


def test_names_that_the_form_has_are_replaced_in_rules_and_texts_too(blocks: NodeScript) -> None:
    fields = [
        text("name"),
        text(
            "name_2",
            "Not {{name}}",
            media={"image": "a.png", "alt": "{{ name }}"},
            visibleIf='answered.name && name != "name" && name_2 != name',
        ),
        group("children", text("age", validIf="position(children) > 0 && size(name) > 1"), type_="repeat"),
    ]
    inserted: Fields = blocks.ask(["insert", [text("name"), text("children")], block(*fields), "en"])
    assert names(inserted) == ["name_3", "name_2", "children_2", "age"], (
        "no copy is named like another field of the block"
    )
    assert inserted[1]["visibleIf"] == 'answered.name_3 && name_3 != "name" && name_2 != name_3'
    assert (inserted[1]["label"], inserted[1]["media"]["alt"]) == ("Not {{name_3}}", "{{ name_3 }}")
    assert inserted[2]["fields"][0]["validIf"] == "position(children_2) > 0 && size(name_3) > 1"
    assert inserted[2]["fields"][0]["block"] == {"id": ID, "version": 1, "field": "age"}


def test_names_that_the_form_has_in_other_case_are_replaced(blocks: NodeScript) -> None:
    form = [text("Name"), text("CITY_2")]
    inserted: Fields = blocks.ask(["insert", form, block(text("name"), text("city", validIf="city != name")), "en"])
    assert names(inserted) == ["name_2", "city"]
    inserted = blocks.ask(["insert", [*form, text("City")], block(text("city", validIf="size(city) > 1")), "en"])
    assert (names(inserted), inserted[0]["validIf"]) == (["city_3"], "size(city_3) > 1")


def test_a_second_copy_in_a_form_is_a_copy_of_its_own(blocks: NodeScript) -> None:
    first: Fields = blocks.ask(["insert", [], block(text("street"), text("city")), "en"])
    second: Fields = blocks.ask(["insert", first, block(text("street"), text("city")), "en"])
    assert [one["block"].get("copy") for one in (*first, *second)] == [None, None, 2, 2]
    newer = block(text("street", "Road"), text("city"), version=2)
    base = block(text("street"), text("city"))
    after = blocks.ask(["update", first + second, {"id": ID, "copy": 2}, base, newer, "en"])
    assert [one["label"] for one in after["fields"]] == ["street", "city", "Road", "city"]
    assert [one["block"]["version"] for one in after["fields"]] == [1, 1, 2, 2]
    assert blocks.ask(["detach", first + second, {"id": ID}])[0] == text("street")


def test_an_update_keeps_names_and_what_only_the_form_has_changed(blocks: NodeScript) -> None:
    base = block(text("street"), text("city", visibleIf="answered.street"), text("zip"))
    form: Fields = blocks.ask(["insert", [text("street")], base, "en"])
    form[0] |= {"required": True, "label": "Own street"}
    form[1] |= {"hint": "Own hint"}
    newer = block(
        text("city", "Town", visibleIf="answered.street && answered.country"),
        text("street", "Street", hint="As on the bell"),
        text("country"),
        version=2,
    )
    after = blocks.ask(["update", [text("street"), *form, text("end")], {"id": ID}, base, newer, "en"])
    fields: Fields = after["fields"]
    assert names(fields) == ["street", "city", "street_2", "country", "end"]
    assert fields[1]["visibleIf"] == "answered.street_2 && answered.country"
    assert (fields[1]["label"], fields[1]["hint"]) == ("Town", "Own hint")
    assert (fields[2]["label"], fields[2]["required"], fields[2]["hint"]) == ("Street", True, "As on the bell")
    assert after["changes"] == [
        ["changed", "street_2", "label!", "hint"],
        ["changed", "city", "label", "visibleIf"],
        ["removed", "zip"],
        ["added", "country"],
        ["reordered", ""],
    ]
    assert [one["block"]["version"] for one in fields if "block" in one] == [2, 2, 2]
    again = blocks.ask(["update", fields, {"id": ID}, newer, newer, "en"])
    assert (again["fields"], again["changes"]) == (fields, [])


def test_fields_move_into_new_groups_and_own_fields_survive_removed_ones(blocks: NodeScript) -> None:
    base = block(group("home", text("street")), text("city"))
    form: Fields = blocks.ask(["insert", [], base, "en"])
    form[0]["fields"].append(text("own"))
    newer = block(group("place", text("city"), text("zip")), text("street"), version=2)
    after = blocks.ask(["update", form, {"id": ID}, base, newer, "en"])
    assert "own" in names(after["fields"])
    [place] = [one for one in after["fields"] if one["name"] == "place"]
    assert names(place["fields"]) == ["city", "zip"]
    assert sorted(names(after["fields"])) == ["city", "own", "place", "street", "zip"]


def test_what_people_removed_from_the_form_does_not_come_back(blocks: NodeScript) -> None:
    base = block(text("street"), text("city"))
    form: Fields = blocks.ask(["insert", [], base, "en"])
    after = blocks.ask(
        ["update", form[:1], {"id": ID}, base, block(text("street"), text("city", "Town"), version=2), "en"]
    )
    assert names(after["fields"]) == ["street"]


def test_a_question_that_becomes_a_group_is_another_field(blocks: NodeScript) -> None:
    base = block(text("place"), text("note"))
    form: Fields = blocks.ask(["insert", [], base, "en"])
    newer = block(group("place", text("street")), text("note"), version=2)
    after = blocks.ask(["update", form, {"id": ID}, base, newer, "en"])
    assert [one["type"] for one in after["fields"]] == ["section", "text"]
    assert names(after["fields"]) == ["place", "street", "note"]


def test_untranslated_texts_are_in_the_language_of_the_block(blocks: NodeScript) -> None:
    base = block(text("street", "Street", hint={"de": "Wie an der Klingel"}), language="en")
    form: Fields = blocks.ask(["insert", [], base, "de"])
    assert (form[0]["label"], form[0]["hint"]) == ({"en": "Street"}, "Wie an der Klingel")
    newer = block(text("street", "Straße", hint="Wie an der Klingel"), version=2, language="de")
    after = blocks.ask(["update", form, {"id": ID}, base, newer, "de"])
    assert after["fields"][0]["label"] == "Straße"
    assert after["changes"] == [["changed", "street", "label"]]


def test_a_new_version_from_a_form_has_the_names_of_the_block(blocks: NodeScript) -> None:
    base = block(text("street"), text("city", visibleIf="answered.street"))
    form: Fields = blocks.ask(["insert", [text("street")], base, "en"])
    form[1]["hint"] = "Town"
    content = blocks.ask(["content", [*form, text("street", "Other", visibleIf="answered.city")], {"id": ID}])
    assert content == [
        text("street"),
        text("city", visibleIf="answered.street", hint="Town"),
        text("street_2", "Other", visibleIf="answered.city"),
    ]
