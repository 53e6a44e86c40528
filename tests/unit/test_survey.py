"""What the fill page is told to draw for each kind of field."""

from typing import Any

import msgspec
import pytest

from formwright.domain.forms.definition import Definition
from formwright.web.fill.survey import EXACT, survey


def drawn(field: dict[str, Any], language: str = "en", own: str = "en") -> dict[str, Any]:
    """The one element that a form of this one field becomes."""
    given = {"name": "it", "label": "It", **field}
    definition = msgspec.convert({"fields": [given], "settings": {"language": own}}, Definition)
    [element] = survey(definition, language)["elements"]
    assert element["name"] == given["name"]
    return dict(element)


def options(count: int) -> list[dict[str, str]]:
    return [{"value": f"v{number}", "label": f"Option {number}"} for number in range(count)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("text", {"type": "text"}),
        ("textarea", {"type": "comment"}),
        ("email", {"type": "text", "inputType": "email", "autocomplete": "email"}),
        ("phone", {"type": "text", "inputType": "tel", "autocomplete": "tel"}),
        ("url", {"type": "text", "inputType": "url", "autocomplete": "url"}),
        ("integer", {"type": "text", "inputType": "number", "step": 1, "min": -EXACT, "max": EXACT}),
        ("decimal", {"type": "text", "inputType": "number", "step": "any"}),
        ("boolean", {"type": "boolean", "renderAs": "radio"}),
        ("date", {"type": "text", "inputType": "date"}),
        ("time", {"type": "text", "inputType": "time"}),
        ("datetime", {"type": "text", "inputType": "datetime-local"}),
        ("rating", {"type": "rating", "rateType": "stars", "rateMax": 5}),
        ("slider", {"type": "slider", "min": 0, "max": 100, "step": 1}),
    ],
)
def test_each_kind_gets_its_input(kind: str, expected: dict[str, Any]) -> None:
    element = drawn({"type": kind})
    assert expected.items() <= element.items()
    assert element["title"] == "It"


def test_no_kind_is_forgotten() -> None:
    """A kind added to the definition must be drawable before it can be published."""
    assert {"text", "note"} < set(kinds())
    for kind in kinds():
        assert drawn({"type": kind, **({"options": options(2)} if kind in {"choice", "choices"} else {})})["type"]


def kinds() -> list[str]:
    schemas = msgspec.json.schema_components([Definition])[1]
    return [schema["properties"]["type"]["enum"][0] for schema in schemas.values() if "type" in schema["properties"]]


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


def test_an_answer_that_may_be_left_out_can_be_taken_back() -> None:
    assert drawn({"type": "choice", "options": options(2)})["showClearButton"] is True
    assert "showClearButton" not in drawn({"type": "choice", "options": options(2), "required": True})


def test_required_read_only_hint_and_default() -> None:
    element = drawn({"type": "text", "hint": "As printed", "required": True, "readOnly": True, "default": "A-1"})
    told = {"isRequired": True, "readOnly": True, "description": "As printed", "defaultValue": "A-1"}
    assert told.items() <= element.items()


def test_nothing_is_said_of_what_was_not_asked() -> None:
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


def test_limits_of_text_stop_typing_and_are_judged() -> None:
    element = drawn({"type": "text", "minLength": 2, "maxLength": 40})
    assert element["maxLength"] == 40
    assert element["validators"] == [{"type": "text", "minLength": 2, "maxLength": 40}]


def test_limits_of_numbers() -> None:
    assert {"min": 0, "max": 9}.items() <= drawn({"type": "integer", "min": 0, "max": 9}).items()
    assert {"min": 0.5, "max": 1.5}.items() <= drawn({"type": "decimal", "min": 0.5, "max": 1.5}).items()
    assert {"min": -5, "max": 5, "step": 5}.items() <= drawn({"type": "slider", "min": -5, "max": 5, "step": 5}).items()
    assert drawn({"type": "rating", "max": 10})["rateCount"] == 10


@pytest.mark.parametrize(
    ("language", "own", "title"),
    [("de", "en", "Ort"), ("de-AT", "en", "Ort"), ("fr", "de", "Ort"), ("fr", "it", "Place"), ("en-GB", "de", "Place")],
)
def test_labels_speak_the_language_asked_for_then_the_forms_own_then_any(language: str, own: str, title: str) -> None:
    assert drawn({"type": "text", "label": {"en": "Place", "de": "Ort"}}, language, own)["title"] == title


def test_options_and_hints_speak_it_too() -> None:
    listed = [{"value": "g", "label": {"en": "Green", "de": "Grün"}}]
    field = {"type": "choice", "options": listed, "hint": {"en": "One", "de": "Eine"}}
    element = drawn(field, "de")
    assert (element["choices"], element["description"]) == ([{"value": "g", "text": "Grün"}], "Eine")


def test_a_note_shows_its_text_and_no_markup() -> None:
    element = drawn({"type": "note", "label": "<img src=x onerror=alert(1)> {name} & 'q'\nnext", "hint": "<b>"})
    assert element["type"] == "html"
    assert element["html"] == (
        "<p>&lt;img src=x onerror=alert(1)&gt; &#123;name} &amp; &#x27;q&#x27;<br>next</p><p>&lt;b&gt;</p>"
    )


def test_the_page_brings_its_own_title_and_button() -> None:
    definition = msgspec.convert({"fields": [], "settings": {}}, Definition)
    told = {"locale": "de", "showTitle": False, "showNavigationButtons": False, "showCompletePage": False}
    assert told.items() <= survey(definition, "de").items()
