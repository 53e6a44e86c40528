"""Validation of answers against a version: the resulting answers, and the errors."""

from typing import Any

import pytest
from factories.definitions import fields, version

from formwright.domain.forms.answers import validation as answer_validation
from formwright.domain.forms.rules.inputs import convert_answers
from formwright.domain.forms.rules.program import compile_program

Kind = dict[str, Any]

JOB: list[Kind] = [
    {"type": "boolean", "name": "damaged", "required": True},
    {"type": "text", "name": "what", "required": True, "visibleIf": "damaged"},
    {
        "type": "section",
        "name": "repair",
        "visibleIf": "answered.what",
        "fields": [
            {"type": "integer", "name": "hours", "required": True, "validIf": "hours < 9", "message": "Too long"},
            {"type": "decimal", "name": "price", "calculate": "hours * 80"},
            {"type": "note", "name": "hint", "required": True},
        ],
    },
    {
        "type": "repeat",
        "name": "parts",
        "fields": [
            {"type": "text", "name": "part", "required": True},
            {"type": "integer", "name": "amount", "validIf": "amount <= most"},
            {"type": "text", "name": "why", "required": True, "visibleIf": "amount > 10 || damaged"},
            {"type": "integer", "name": "double", "calculate": "amount * 2"},
        ],
    },
    {"type": "integer", "name": "all", "calculate": "parts.map(p, p.amount).size()"},
    {"type": "integer", "name": "most", "default": 5},
]


def validate(data: dict[str, Any], *kinds: Kind, language: str = "en") -> tuple[dict[str, Any], list[tuple[str, str]]]:
    settled, found = answer_validation.validate(version(*(kinds or JOB), language=language), data)
    return settled, [(fault.pointer, fault.code) for fault in found]


def test_hidden_fields_have_no_answer_and_are_not_required() -> None:
    sent = {"damaged": False, "what": "Door", "hours": 3, "price": 1.0, "hint": "x"}
    assert validate(sent) == ({"damaged": False}, [])


def test_a_rule_requires_an_answer_with_the_message_of_the_form() -> None:
    kinds: list[Kind] = [
        {"type": "integer", "name": "people", "required": True, "requiredMessage": {"en": "How many?", "de": "Zahl?"}},
        {"type": "text", "name": "why", "requiredIf": "people > 10", "requiredMessage": "Tell us why"},
        {"type": "choices", "name": "all", "requiredIf": "true", "options": [{"value": "a", "label": "A"}]},
        {"type": "text", "name": "sum", "requiredIf": "true", "calculate": "string(people)"},
        {"type": "text", "name": "off", "requiredIf": "true", "visibleIf": "false"},
        {"type": "text", "name": "failing", "requiredIf": "people / 0 == 1 || why == 'x'", "readOnlyIf": "true"},
        {"type": "repeat", "name": "rows", "fields": [{"type": "text", "name": "each", "requiredIf": "people > 1"}]},
    ]
    form = version(*kinds, language="de")
    settled, found = answer_validation.validate(form, {"people": 11, "why": "", "all": [], "rows": [{}, {"each": "x"}]})
    said = [(fault.pointer, fault.code, fault.detail) for fault in found]
    assert said == [
        ("/data/rows/0/each", "value.required", "Bitte füllen Sie dieses Feld aus."),
        ("/data/why", "value.required", "Tell us why"),
        ("/data/all", "value.required", "Bitte füllen Sie dieses Feld aus."),
    ]
    assert settled["sum"] == "11"
    assert validate({"people": 2, "all": ["a"], "failing": "may be sent"}, *kinds)[1] == []
    missing = answer_validation.validate(form, {"all": ["a"]})[1]
    # Without people, the calculated answer is missing, too.
    assert [(one.pointer, one.detail) for one in missing] == [
        ("/data/people", "Zahl?"),
        ("/data/sum", "Bitte füllen Sie dieses Feld aus."),
    ]


def test_a_multiple_choice_limits_what_is_chosen_together() -> None:
    options = [{"value": value, "label": value} for value in "abc"]
    options.append({"value": "none", "label": "None", "exclusive": True})
    kinds: list[Kind] = [
        {"type": "choices", "name": "then", "options": options, "minChoices": 2, "maxChoices": 3, "required": True},
        {"type": "repeat", "name": "rows", "fields": [{"type": "choices", "name": "each", "options": options}]},
    ]
    for chosen in (["none"], ["a", "b"], ["c", "b", "a"]):
        assert validate({"then": chosen, "rows": [{"each": []}, {"each": ["a"]}]}, *kinds)[1] == []
    for chosen, code in (
        (["a"], "value.too_few"),
        (["none", "a"], "value.choice.exclusive"),
        ([], "value.too_few"),
    ):
        assert validate({"then": chosen}, *kinds)[1] == [("/data/then", code)]
    assert validate({"then": ["none", "a", "b", "c"]}, *kinds)[1] == [
        ("/data/then", "value.too_many"),
        ("/data/then", "value.choice.exclusive"),
    ]
    assert validate({"then": ["none"], "rows": [{"each": ["none", "b"]}]}, *kinds)[1] == [
        ("/data/rows/0/each", "value.choice.exclusive")
    ]
    [found] = answer_validation.validate(version(*kinds, language="de"), {"then": ["none", "a"]})[1]
    assert found.detail == "Eine dieser Optionen lässt sich nicht mit anderen kombinieren."


def test_messages_contain_answers() -> None:
    options = [{"value": "k", "label": {"en": "Boat", "de": "Kahn {{most}}"}}]
    kinds: list[Kind] = [
        {"type": "choice", "name": "kind", "options": options},
        {"type": "integer", "name": "most"},
        {"type": "text", "name": "off", "visibleIf": "false"},
        {"type": "repeat", "name": "rows", "fields": [
            {"type": "text", "name": "who", "default": "x"},
            {"type": "integer", "name": "n", "validIf": "n < most",
             "message": "{{who}}: {{ n }} > {{most}} {{kind}} {{off}} {{rows}} {{nobody}} {{}} {who}"},
        ]},
        {"type": "text", "name": "why", "requiredIf": "true", "requiredMessage": "Why {{most}}?"},
    ]  # fmt: skip
    sent = {"kind": "k", "most": 3, "off": "x", "rows": [{"n": 1}, {"who": "<b>{{most}}", "n": 4}]}
    found = answer_validation.validate(version(*kinds, language="de"), sent)[1]
    assert [(fault.pointer, fault.detail) for fault in found] == [
        ("/data/rows/1/n", "<b>{{most}}: 4 > 3 Kahn … … … {{nobody}} {{}} {who}"),
        ("/data/why", "Why 3?"),
    ]


def test_options_that_the_filter_does_not_offer_are_rejected() -> None:
    towns = [{"value": town, "label": town, "columns": {"land": town[:2]}} for town in ("de1", "de2", "fr1")]
    towns.append({"value": "none", "label": "None"})
    land = {"type": "text", "name": "land"}
    town: Kind = {"type": "choice", "name": "town", "options": towns, "optionFilter": "option.land == land"}
    many: Kind = {"type": "choices", "name": "many", "options": towns, "optionFilter": "option.land == land"}
    row: Kind = {"type": "repeat", "name": "rows", "fields": [town | {"name": "inner"}]}
    kinds = [land, town, many, row]
    fits = {"land": "de", "town": "de2", "many": ["de1", "de2"], "rows": [{"inner": "de1"}, {}]}
    assert validate(fits, *kinds) == (fits, [])
    wrong = {"land": "fr", "town": "de2", "many": ["fr1", "de2"], "rows": [{"inner": "none"}]}
    assert validate(wrong, *kinds)[1] == [
        ("/data/rows/0/inner", "value.choice.filtered"),
        ("/data/town", "value.choice.filtered"),
        ("/data/many", "value.choice.filtered"),
    ]
    assert validate({"town": "de2"}, *kinds)[1] == [("/data/town", "value.choice.filtered")]
    unknown = validate({"land": "de", "town": "xx", "many": ["de1", 5]}, *kinds)[1]
    assert unknown == [("/data/many/1", "value.type"), ("/data/town", "value.choice")] or len(unknown) >= 2


def test_a_field_in_a_hidden_section_is_hidden() -> None:
    assert validate({"damaged": True, "what": "", "hours": 3})[0] == {"damaged": True, "what": ""}


def test_calculated_answers_replace_sent_ones() -> None:
    settled, found = validate({"damaged": True, "what": "Door", "hours": 3, "price": 1.0, "all": 99})
    assert (settled, found) == ({"damaged": True, "what": "Door", "hours": 3, "price": 240.0}, [])
    assert type(settled["price"]) is float


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("integer", "9007199254740992 + 1"),
        ("integer", "1 / 0"),
        ("decimal", "1.0 / 0.0"),
        ("text", "''"),
        ("integer", "rows[0].text"),
        ("date", "rows[0].text + 1"),
    ],
)
def test_failed_calculations_have_no_answer(kind: str, rule: str) -> None:
    rows = {"type": "repeat", "name": "rows", "fields": [{"type": "text", "name": "text"}]}
    sent = {"rows": [{"text": "x"}], "it": 7}
    it = {"type": kind, "name": "it", "calculate": rule, "required": True, "visibleIf": "true"}
    assert validate(sent, rows, it) == ({"rows": [{"text": "x"}]}, [])


def test_required_if_visible() -> None:
    assert validate({"damaged": True})[1] == [("/data/what", "value.required")]
    assert validate({"damaged": True, "what": "Door"})[1] == [("/data/hours", "value.required")]
    assert validate({})[1] == [("/data/damaged", "value.required")]


@pytest.mark.parametrize("empty", ["", None])
def test_empty_answers_are_missing(empty: Any) -> None:
    found = validate({"damaged": True, "what": empty})[1]
    assert [pointer for pointer, _ in found] == ["/data/what"]


def test_violations_use_the_fields_own_message() -> None:
    [fault] = answer_validation.validate(version(*JOB), {"damaged": True, "what": "Door", "hours": 9})[1]
    assert (fault.pointer, fault.code, fault.detail) == ("/data/hours", "value.rule", "Too long")


def test_rules_apply_to_each_row() -> None:
    sent = {
        "damaged": False,
        "most": 20,
        "parts": [
            {"part": "a", "amount": 1, "why": "hidden"},
            {"part": "b", "amount": 11},
            {"amount": 21, "why": "so", "double": 1},
        ],
    }
    settled, found = validate(sent)
    assert settled["parts"] == [
        {"part": "a", "amount": 1, "double": 2},
        {"part": "b", "amount": 11, "double": 22},
        {"amount": 21, "why": "so", "double": 42},
    ]
    assert sorted(found) == [
        ("/data/parts/1/why", "value.required"),
        ("/data/parts/2/amount", "value.rule"),
        ("/data/parts/2/part", "value.required"),
    ]


def test_rules_of_rows_see_answers_that_are_calculated_later() -> None:
    """`all` is calculated from the rows and limits each of them."""
    kinds = [
        {"type": "repeat", "name": "rows", "fields": [{"type": "integer", "name": "n", "validIf": "n <= all"}]},
        {"type": "integer", "name": "all", "calculate": "size(rows)"},
    ]
    settled, found = validate({"rows": [{"n": 1}, {"n": 2}, {"n": 4}]}, *kinds)
    assert settled["all"] == 3
    assert found == [("/data/rows/2/n", "value.rule")]


def test_the_order_of_fields_does_not_matter_to_rules() -> None:
    kinds = [
        {"type": "integer", "name": "c", "calculate": "b + 1"},
        {"type": "integer", "name": "b", "calculate": "a + 1"},
        {"type": "integer", "name": "a"},
    ]
    assert validate({"a": 1}, *kinds)[0] == {"a": 1, "b": 2, "c": 3}


def test_integers_and_decimals_are_converted() -> None:
    kinds = [
        {"type": "decimal", "name": "d", "validIf": "d / 4.0 == 0.5"},
        {"type": "integer", "name": "i", "validIf": "i / 4 == 0"},
        {"type": "repeat", "name": "r", "fields": [{"type": "decimal", "name": "x"}], "validIf": "r[0].x * 1.5 == 3.0"},
    ]
    sent = {"d": 2, "i": 2.0, "r": [{"x": 2}]}
    assert validate(sent, *kinds) == (sent, [])


def test_all_errors_are_reported_once_per_location() -> None:
    sent = {"damaged": True, "what": "Door", "hours": "many", "parts": [{}, 7], "what else": 1, "most": 2**60}
    assert sorted(validate(sent)[1]) == [
        ("/data/hours", "value.type"),
        ("/data/most", "value.too_great"),
        ("/data/parts/0/part", "value.required"),
        ("/data/parts/0/why", "value.required"),
        ("/data/parts/1", "value.type"),
        ("/data/what else", "value.unknown"),
    ]


def test_numbers_out_of_range_are_rejected() -> None:
    kinds = [
        {"type": kind, "name": kind} | about
        for kind, about in {"decimal": {"min": 0}, "integer": {}, "slider": {}, "rating": {}, "location": {}}.items()
    ]
    for large in (10**309, 2**1024):
        place = {"latitude": 1, "longitude": 1, "accuracy": large}
        sent = {"decimal": large, "integer": large, "slider": large, "rating": large, "location": place}
        where = ["decimal", "integer", "location/accuracy", "rating", "slider"]
        assert sorted(validate(sent, *kinds)[1]) == [(f"/data/{name}", "value.too_great") for name in where]
    small = validate({"d": -(10**309)}, {"type": "decimal", "name": "d"})
    assert small[1] == [("/data/d", "value.too_small")]
    assert validate({"d": 10**308}, {"type": "decimal", "name": "d"})[1] == []


def test_notes_and_sections_have_no_answer() -> None:
    sent = {"damaged": True, "what": "Door", "hours": 1, "hint": "x", "repair": {}}
    assert validate(sent)[1] == [("/data/hint", "value.unknown"), ("/data/repair", "value.unknown")]


def test_drafts_may_be_incomplete_but_have_no_unknown_answers() -> None:
    found = answer_validation.find_unknown_answers(
        version(*JOB), {"damaged": "yes", "a/b": 1, "hint": "x", "what": None}
    )
    assert [(fault.pointer, fault.code) for fault in found] == [
        ("/data/a~1b", "value.unknown"),
        ("/data/hint", "value.unknown"),
    ]


def test_rules_only_receive_answers_of_the_right_type() -> None:
    asked = fields(
        {"type": "integer", "name": "i"},
        {"type": "decimal", "name": "d"},
        {"type": "location", "name": "p"},
        {"type": "repeat", "name": "r", "fields": [{"type": "integer", "name": "x"}]},
    )
    sent = {"i": True, "d": "2", "p": {"latitude": None}, "r": [{"x": 1.5, "y": 2}], "other": 1}
    assert convert_answers(asked, sent) == {"r": [{}]}
    sent = {"i": 2.0, "d": 2, "p": {"latitude": 1}, "r": [{"x": 1.0}]}
    assert convert_answers(asked, sent) == {"i": 2, "d": 2.0, "p": {"latitude": 1.0}, "r": [{"x": 1}]}


def test_programs_can_be_evaluated_alone() -> None:
    settled = compile_program(fields(*JOB)).evaluate({"damaged": True})
    assert [(path, field.name, what) for path, field, what in settled.violations] == [(("what",), "what", "required")]
