"""The SurveyJS elements that the fill page gets for each kind of field."""

import re
from typing import Any

import msgspec
import pytest

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import FIELD_CLASSES, NoteField, RepeatField, SectionField
from formwright.web.bundles import STATIC
from formwright.web.fields import PAGE_ELEMENTS
from formwright.web.fill.page_data import languages_of
from formwright.web.fill.rule_program import program
from formwright.web.fill.surveyjs import survey


def form(*fields: dict[str, Any], language: str = "en") -> Definition:
    given = [{"name": "it", "label": "It", **field} for field in fields]
    return msgspec.convert({"fields": given, "settings": {"language": language}}, Definition)


def drawn(field: dict[str, Any], language: str = "en") -> dict[str, Any]:
    """The one element that a form of this one field becomes."""
    [page] = survey(form(field, language=language))["pages"]
    [element] = page["elements"]
    assert element["name"] == field.get("name", "it")
    return dict(element)


INNER = [{"name": "in", "type": "text", "label": "In"}]
NEEDED: dict[str, dict[str, Any]] = {
    "choice": {"options": [{"value": "v", "label": "V"}]},
    "choices": {"options": [{"value": "v", "label": "V"}]},
    "ranking": {"options": [{"value": "v", "label": "V"}]},
    "lookup": {"datasourceId": f"dat_{'0' * 26}"},
    "lookups": {"datasourceId": f"dat_{'0' * 26}"},
    "section": {"fields": INNER},
    "repeat": {"fields": INNER},
}


def options(count: int) -> list[dict[str, str]]:
    return [{"value": f"v{number}", "label": f"Option {number}"} for number in range(count)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("text", {"type": "text"}),
        ("textarea", {"type": "comment"}),
        ("email", {"type": "text", "keypad": "email", "autocomplete": "email"}),
        ("phone", {"type": "text", "inputType": "tel", "autocomplete": "tel"}),
        ("url", {"type": "text", "inputType": "url", "autocomplete": "url"}),
        ("integer", {"type": "number", "whole": True, "signed": True}),
        ("decimal", {"type": "number", "signed": True}),
        ("boolean", {"type": "boolean", "renderAs": "radio"}),
        ("date", {"type": "text", "inputType": "date"}),
        ("time", {"type": "text", "inputType": "time"}),
        ("datetime", {"type": "text", "inputType": "datetime-local"}),
        ("rating", {"type": "rating", "rateType": "stars", "rateMax": 5}),
        ("nps", {"type": "rating", "rateMin": 0, "rateMax": 10}),
        ("slider", {"type": "slider", "min": 0, "max": 100, "step": 1}),
        ("photo", {"type": "widget", "widget": "photo", "maxItems": 1}),
        ("signature", {"type": "widget", "widget": "signature"}),
        ("location", {"type": "widget", "widget": "location"}),
        ("barcode", {"type": "widget", "widget": "barcode"}),
    ],
)
def test_each_kind_gets_its_input(kind: str, expected: dict[str, Any]) -> None:
    element = drawn({"type": kind})
    assert expected.items() <= element.items()
    assert element["title"] == "It"


def test_every_type_of_question_has_an_element() -> None:
    """A missing type is named by its class. Notes and groups are shown otherwise."""
    assert set(PAGE_ELEMENTS) | {NoteField, SectionField, RepeatField} == set(FIELD_CLASSES.values())


def test_the_page_draws_every_widget() -> None:
    """Elements that the form library does not have are in `static/fill/widgets/index.js`."""
    folder = STATIC / "fill" / "widgets"
    texts = [(folder / name).read_text(encoding="utf-8") for name in ("index.js", "device_widgets.js")]
    known = {name for text in texts for name in re.findall(r"^  (\w+): render", text, re.MULTILINE)}
    elements = [drawn({"type": kind} | NEEDED.get(kind, {})) for kind in kinds()]
    assert {one["widget"] for one in elements if one["type"] == "widget"} <= known
    assert drawn({"type": "boolean", "agreement": True})["widget"] in known


def test_no_kind_is_forgotten() -> None:
    """A kind added to the definition must be drawable before it can be published."""
    assert {"text", "note"} < set(kinds())
    for kind in kinds():
        assert drawn({"type": kind} | NEEDED.get(kind, {}))["type"]
        assert program(form({"type": kind} | NEEDED.get(kind, {})).fields)[0]["type"] == kind


def kinds() -> list[str]:
    schemas = msgspec.json.schema_components([Definition])[1]
    properties = [schema.get("properties", {}) for schema in schemas.values()]
    return [one["type"]["enum"][0] for one in properties if "type" in one]


@pytest.mark.parametrize(
    ("kind", "count", "shown"),
    [("choice", 8, "radiogroup"), ("choice", 9, "dropdown"), ("choices", 8, "checkbox"), ("choices", 9, "tagbox")],
)
def test_few_options_are_all_shown_and_many_can_be_searched(kind: str, count: int, shown: str) -> None:
    assert drawn({"type": kind, "options": options(count)})["type"] == shown


def test_option_values_stay_exact() -> None:
    values = ["a|b", "1", "true", " x ", "{it}", "other"]
    listed = [{"value": value, "label": "A label"} for value in values]
    assert [choice["value"] for choice in drawn({"type": "choices", "options": listed})["choices"]] == values


def test_only_optional_choices_can_be_cleared() -> None:
    assert drawn({"type": "choice", "options": options(2)})["clearable"] is True
    assert "clearable" not in drawn({"type": "choice", "options": options(2), "required": True})


def test_choices_that_are_all_shown_because_of_their_media_can_be_cleared_too() -> None:
    listed = options(9)
    listed[0] |= {"media": {"image": "map.png"}}
    assert drawn({"type": "choice", "options": listed}).items() >= {"type": "radiogroup", "clearable": True}.items()


def test_required_read_only_hint_and_default() -> None:
    element = drawn({"type": "text", "hint": "As printed", "required": True, "readOnly": True, "default": "A-1"})
    expected = {"isRequired": True, "readOnly": True, "description": "As printed", "defaultValue": "A-1"}
    assert expected.items() <= element.items()


def test_properties_that_are_not_set_are_left_out() -> None:
    assert drawn({"type": "text"}) == {"type": "text", "name": "it", "title": "It"}


@pytest.mark.parametrize(
    ("field", "default"),
    [
        ({"type": "integer", "default": 0}, 0),
        ({"type": "decimal", "default": 0.5}, 0.5),
        ({"type": "boolean", "default": False}, False),
        ({"type": "choice", "options": options(2), "default": "v1"}, "v1"),
    ],
)
def test_defaults_that_look_empty_are_given_all_the_same(field: dict[str, Any], default: object) -> None:
    assert drawn(field)["defaultValue"] == default


def test_limits_choose_the_keypad_and_are_judged_by_the_program() -> None:
    text = {"type": "text", "minLength": 2, "maxLength": 40, "pattern": "^A"}
    # A browser would cut off what is longer without a word.
    assert "maxLength" not in drawn(text)
    [step] = program(form(text).fields)
    assert {"minLength": 2, "maxLength": 40, "pattern": "^A"}.items() <= step.items()
    assert "signed" not in drawn({"type": "integer", "min": 0})
    assert drawn({"type": "decimal", "min": -1.5})["signed"]
    assert {"min": -5, "max": 5, "step": 5}.items() <= drawn({"type": "slider", "min": -5, "max": 5, "step": 5}).items()
    assert drawn({"type": "rating", "max": 10})["rateCount"] == 10


def test_texts_contain_all_languages_with_the_forms_own_as_default() -> None:
    label = {"en": "Place", "de": "Ort"}
    assert drawn({"type": "text", "label": label}, "de")["title"] == {**label, "default": "Ort"}
    assert drawn({"type": "text", "label": label}, "it")["title"] == {**label, "default": "Place"}
    listed = [{"value": "g", "label": {"en": "Green"}}]
    element = drawn({"type": "choice", "options": listed, "hint": {"en": "One"}})
    assert element["choices"] == [{"value": "g", "text": {"en": "Green", "default": "Green"}}]
    assert element["description"] == {"en": "One", "default": "One"}


def test_a_form_speaks_its_own_language_and_those_of_its_texts() -> None:
    listed = [{"value": "g", "label": {"fr": "Vert", "de": "Grün"}}]
    rows = {"type": "repeat", "fields": [{"name": "in", "type": "text", "label": "In", "hint": {"es": "Uno"}}]}
    definition = form({"type": "choice", "options": listed}, {"name": "rows", **rows}, language="de")
    assert languages_of(definition) == ["de", "fr", "es"]


def test_a_note_in_two_languages() -> None:
    element = drawn({"type": "note", "label": {"en": "Care", "de": "Vorsicht"}, "hint": "1 < 2"})
    assert element["html"] == {
        "en": "<p>Care</p><p>1 &lt; 2</p>",
        "de": "<p>Vorsicht</p><p>1 &lt; 2</p>",
        "default": "<p>Care</p><p>1 &lt; 2</p>",
    }


def test_sections_are_pages_or_panels() -> None:
    inner = [{"name": "a", "type": "text", "label": "A"}]
    page = {"name": "two", "type": "section", "page": True, "fields": inner}
    panel = {"name": "three", "type": "section", "fields": [{"name": "b", "type": "text", "label": "B"}]}
    last = {"name": "c", "type": "text"}
    pages = survey(form({"name": "one", "type": "text"}, page, panel, last))["pages"]
    assert [one["name"] for one in pages] == ["page 1", "two", "page 3"]
    assert [one["type"] for one in pages[2]["elements"]] == ["panel", "text"]


def test_steps_come_after_the_steps_they_depend_on() -> None:
    late = {"name": "late", "type": "integer", "calculate": "base + 1"}
    shown = {
        "name": "part",
        "type": "section",
        "visibleIf": "late > 3",
        "fields": [{"name": "in", "type": "text", "label": "In", "required": True}],
    }
    steps = program(form(late, shown, {"name": "base", "type": "integer"}).fields)
    assert [step["name"] for step in steps] == ["base", "late", "part", "in"]
    assert (steps[3]["sections"], steps[3]["requiredIfVisible"]) == (("part",), True)


def test_a_note_shows_its_text_and_no_markup() -> None:
    element = drawn({"type": "note", "label": "<img src=x onerror=alert(1)> {name} & 'q'\nnext", "hint": "<b>"})
    assert element["type"] == "html"
    assert element["html"] == (
        "<p>&lt;img src=x onerror=alert(1)&gt; &#123;name} &amp; &#x27;q&#x27;<br>next</p><p>&lt;b&gt;</p>"
    )


def test_the_page_brings_its_own_title_and_buttons() -> None:
    expected = {"showTitle": False, "showNavigationButtons": False, "showCompletePage": False}
    assert expected.items() <= survey(form({"type": "text"})).items()
