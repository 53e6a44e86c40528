"""Validation of definitions: each error has its pointer and code."""

from typing import Any

import pytest
from factories.definitions import fields

from formwright.domain.forms.definition import MAX_FIELDS
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.rules.dialect import FORBIDDEN_FIELD_NAMES, RESERVED_NAMES

Kind = dict[str, Any]

OPTIONS = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]
AUDIT = {"type": "file", "name": "a", "metadata": "audit", "hidden": True}
PLACE = {"type": "location", "name": "a", "metadata": "startLocation", "hidden": True}
DATASOURCE = "dat_" + "0" * 26


def errors(*kinds: Kind) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.code) for fault in find_errors(fields(*kinds))]


def text(name: str, **members: Any) -> Kind:
    return {"type": "text", "name": name, **members}


def number(name: str, **members: Any) -> Kind:
    return {"type": "integer", "name": name, **members}


def group(kind: str, name: str, *inner: Kind, **members: Any) -> Kind:
    return {"type": kind, "name": name, "fields": list(inner), **members}


def nested(depth: int) -> Kind:
    inner = text("deep")
    for level in range(depth - 1):
        inner = group("section", f"level{level}", inner)
    return inner


def test_valid_definitions_have_no_errors() -> None:
    assert not errors(
        text("site", required=True, minLength=2, maxLength=5, pattern="^[a-z]+$", default="abc"),
        number("people", min=1, max=5, default=2, visibleIf="site != 'x'", validIf="people < 4 || answered.site"),
        group("section", "more", number("total", calculate="people * 2", visibleIf="people > 1")),
        group("repeat", "rows", number("amount", validIf="amount <= total"), text("why", visibleIf="amount > people")),
        {"type": "decimal", "name": "share", "calculate": "people * 2"},
        {"type": "choice", "name": "one", "options": OPTIONS, "default": "a"},
        nested(5),
    )


def test_a_form_has_at_least_one_and_at_most_1000_fields() -> None:
    assert errors() == [("/fields", "form.fields.none")]
    assert not errors(*(text(f"t{index}") for index in range(MAX_FIELDS)))
    assert errors(*(text(f"t{index}") for index in range(MAX_FIELDS + 1))) == [("/fields", "form.fields.too_many")]
    inside = group("section", "s", *(text(f"t{index}") for index in range(MAX_FIELDS)))
    assert errors(inside) == [("/fields", "form.fields.too_many")]


def test_names_are_unique_across_sections_and_repeats() -> None:
    section = group("section", "s", text("a"), group("repeat", "r", text("b"), text("s")))
    assert errors(text("a"), section, number("b")) == [
        ("/fields/1/fields/0/name", "field.name.taken"),
        ("/fields/1/fields/1/fields/1/name", "field.name.taken"),
        ("/fields/2/name", "field.name.taken"),
    ]


def test_names_differ_in_more_than_case() -> None:
    section = group("section", "s", text("SITE"), group("repeat", "R", text("b"), text("Site")))
    assert errors(text("site"), section, number("r"), text("B"), text("site")) == [
        ("/fields/1/fields/0/name", "field.name.case"),
        ("/fields/1/fields/1/fields/1/name", "field.name.case"),
        ("/fields/2/name", "field.name.case"),
        ("/fields/3/name", "field.name.case"),
        ("/fields/4/name", "field.name.taken"),
    ]


@pytest.mark.parametrize("name", sorted(FORBIDDEN_FIELD_NAMES))
def test_forbidden_names_are_rejected(name: str) -> None:
    assert errors(text("a"), group("repeat", "r", text(name))) == [("/fields/1/fields/0/name", "field.name.reserved")]


@pytest.mark.parametrize("name", ["type", "map", "package", "string", "size", "has", "matches", "timestamp"])
def test_other_words_of_cel_are_allowed_as_names(name: str) -> None:
    assert not errors(text(name), text("b", visibleIf=f"answered.{name}"))


@pytest.mark.parametrize("name", sorted(RESERVED_NAMES - FORBIDDEN_FIELD_NAMES))
def test_rules_cannot_refer_to_reserved_names(name: str) -> None:
    [fault] = find_errors(fields(text(name), text("b", visibleIf=f"{name} == 'x'")))
    assert (fault.pointer, fault.code) == ("/fields/1/visibleIf", "field.rule")
    assert name in fault.detail


OPTIONS = [{"value": "a", "label": "A", "columns": {"land": "x"}}, {"value": "b", "label": "B"}]


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("option.land == t", None),
        ("option.value != 'b' || answered.t", None),
        ("option.contry == t", "field.rule"),
        ("option.land == 5", "field.rule"),
        ("option.land", "field.rule.type"),
        ("option == 'a'", "field.rule"),
        ("nobody == 'a'", "field.rule"),
    ],
)
def test_filters_of_options(rule: str, code: str | None) -> None:
    choice = {"type": "choice", "name": "c", "options": OPTIONS, "optionFilter": rule}
    found = find_errors(fields(text("t"), choice))
    assert [(fault.pointer, fault.code) for fault in found] == ([("/fields/1/optionFilter", code)] if code else [])


@pytest.mark.parametrize("kind", ["note", "section", "repeat"])
def test_groups_and_notes_cannot_be_hidden(kind: str) -> None:
    inner = {} if kind == "note" else {"fields": [text("a")]}
    [fault] = find_errors(fields({"type": kind, "name": "g", "hidden": True, **inner}, text("b", hidden=True)))
    assert (fault.pointer, fault.code) == ("/fields/0/hidden", "field.hidden")


def test_columns_of_options_need_names_that_rules_can_read() -> None:
    options = [{"value": "a", "label": "A", "columns": {"in": "x", "value": "y", "land": "z"}}]
    found = find_errors(fields({"type": "choices", "name": "c", "options": options}))
    where = "/fields/0/options/0/columns"
    assert [(fault.pointer, fault.code) for fault in found] == [
        (f"{where}/in", "field.name.reserved"),
        (f"{where}/value", "field.name.reserved"),
    ]


@pytest.mark.parametrize("member", ["requiredIf", "readOnlyIf"])
def test_rules_of_answers_have_no_effect_on_fields_without_one(member: str) -> None:
    [fault] = find_errors(fields(text("a"), {"type": "note", "name": "n", member: "answered.a"}))
    assert (fault.pointer, fault.code) == (f"/fields/1/{member}", "field.rule")


@pytest.mark.parametrize("member", ["visibleIf", "requiredIf", "readOnlyIf", "validIf", "calculate"])
@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("a >", "the rule is incomplete (at column 4)"),
        ("size(a", "the rule is incomplete"),
        ("a == 'x' and a != 'y'", "write && for “and”, || for “or” and ! for “not” (at column 10)."),
        ("a == 'x' && NOT (a == 'y')", "write && for “and”"),
        ("not a", "write && for “and”"),
        ("size(a) * 1.5 > 2.0", "write double(...) around the whole number (at column 9)"),
        ("1.5 < size(a)", "write double(...) around the whole number"),
        ("nothing == 'x'", "no field named nothing (at column 1)"),
        ("answered.nothing", "no field named nothing"),
        ("a + 1 == 'x'", "“+” does not work on a text and a whole number (at column 3)."),
        ("size(a) > a", "a whole number and a text cannot be compared with “>” (at column 9)."),
        ("['x'] == a", 'to test whether a list contains a text, write "text" in list'),
        ("a == null", "write answered.name to test"),
        ("size(size(a)) > 1", "“size” does not work on a whole number"),
        ("a == 'x' ? a : 1", "both results of ? : must have the same type; these are a text and a whole number"),
        ("a.length > 3", "a text has no properties"),
        ("a = 'x'", "write == to compare (at column 3)."),
        ("size(a) => 3", "write >= for “at least” (at column 9)."),
        ("size(a) =< 3", "write <= for “at most”"),
        ("a <> 'x'", "write != for “is not”"),
        ("a is 'x'", "“is” is not allowed here (at column 3)."),
        ("a == 'x';", "this character is not allowed here (at column 9)."),
        ("${a} == 'x'", "this character is not allowed here (at column 1)."),
        ("size(a) > 99999999999999999999", "this number is too large"),
        ("a.upperCase() == 'x'", "no method uppercase (at column 3)"),
        ("a.matches('(?=x)x')", "(at column 11)"),
        ("(" * 40 + "true" + ")" * 40, "32 levels"),
        (" + ".join(["a"] * 40) + " == a", "32 levels"),
    ],
)
def test_invalid_rules(member: str, rule: str, said: str) -> None:
    [fault] = find_errors(fields(text("a"), {"type": "boolean", "name": "b", member: rule}))
    assert (fault.pointer, fault.code) == (f"/fields/1/{member}", "field.rule")
    assert said in fault.detail.lower()


@pytest.mark.parametrize(
    ("kind", "member", "rule"),
    [
        (text("b"), "visibleIf", "a"),
        (text("b"), "validIf", "size(a)"),
        (text("b"), "calculate", "size(a)"),
        (number("b"), "calculate", "a"),
        (number("b"), "calculate", "1.5"),
        ({"type": "boolean", "name": "b"}, "calculate", "1"),
        ({"type": "choices", "name": "b", "options": OPTIONS}, "calculate", "a"),
    ],
)
def test_rules_with_the_wrong_type(kind: Kind, member: str, rule: str) -> None:
    assert errors(text("a"), kind | {member: rule}) == [(f"/fields/1/{member}", "field.rule.type")]


def test_the_wrong_type_is_explained_in_plain_words() -> None:
    [fault] = find_errors(fields(text("a"), text("b") | {"visibleIf": "size(a)"}))
    assert fault.detail == "The result is a whole number; it must be yes or no."


def test_fields_without_an_answer_cannot_be_calculated() -> None:
    note = {"type": "note", "name": "n", "calculate": "1"}
    assert errors(note, group("section", "s", text("a"), calculate="1")) == [
        ("/fields/0/calculate", "field.rule"),
        ("/fields/1/calculate", "field.rule"),
    ]


@pytest.mark.parametrize(
    "kinds",
    [
        [text("a", visibleIf="a == 'x'")],
        [text("a", visibleIf="answered.a")],
        [text("a", calculate="b"), text("b", calculate="a")],
        [text("a", visibleIf="answered.b"), text("b", visibleIf="c == 'x'"), text("c", calculate="a")],
        [group("section", "s", text("a"), visibleIf="answered.a")],
        [text("b", visibleIf="a == 'x'"), group("section", "s", text("a"), visibleIf="answered.b")],
        [group("repeat", "r", text("a"), visibleIf="size(r) > 1")],
        [number("n", calculate="size(r)"), group("repeat", "r", text("a", visibleIf="n > 1"))],
        [number("n", calculate="size(r)"), group("repeat", "r", group("section", "s", text("a"), visibleIf="n > 1"))],
        [group("repeat", "r", text("a", visibleIf="answered.b"), text("b", calculate="a"))],
    ],
)
def test_cycles(kinds: list[Kind]) -> None:
    assert [code for _, code in errors(*kinds)] == ["field.rule.circle"]


@pytest.mark.parametrize(
    "kinds",
    [
        [text("a", validIf="a != 'x'")],
        [text("a", validIf="answered.b"), text("b", validIf="answered.a")],
        [number("n", calculate="size(r)"), group("repeat", "r", number("a", validIf="a < n"))],
        [text("size", visibleIf="size(b) > 1"), text("b")],
        [text("x", visibleIf="b == 'x' // and not x"), text("b")],
    ],
)
def test_dependencies_without_cycles(kinds: list[Kind]) -> None:
    assert not errors(*kinds)


def test_rules_in_rows_see_outer_answers_but_not_the_reverse() -> None:
    rows = group("repeat", "rows", text("inner", visibleIf="outer == 'x'"))
    assert not errors(text("outer"), rows)
    assert errors(rows, text("outer", validIf="inner == 'x'")) == [("/fields/1/validIf", "field.rule")]


def test_depth() -> None:
    assert not errors(nested(10))
    assert [code for _, code in errors(nested(11))] == ["field.too_deep"]


def test_the_number_of_rows_is_a_whole_number_that_other_answers_decide() -> None:
    def rows(rule: str, **given: object) -> Kind:
        return group("repeat", "rows", text("inner")) | {"countRule": rule, **given}

    count = {"type": "integer", "name": "count"}
    assert not errors(count, rows("count + 1"))
    assert errors(text("count"), rows("count")) == [("/fields/1/countRule", "field.rule.type")]
    assert errors(rows("size(inner)")) == [("/fields/0/countRule", "field.rule")]
    assert errors(rows("answered.rows ? size(rows) + 1 : 1")) == [("/fields/0", "field.rule.circle")]
    assert errors(count, rows("count", min=1)) == [("/fields/1/min", "field.rule")]
    assert errors(count, rows("count", required=True)) == [("/fields/1/required", "field.rule")]


def test_rows_of_a_data_source_are_known_before_there_are_rows() -> None:
    def crew(**given: object) -> Kind:
        lookup = {"type": "lookup", "name": "who", "datasourceId": DATASOURCE, "filter": {"team": "team"}}
        return group("repeat", "rows", group("section", "s", lookup), text("note")) | {"rowsFrom": "who", **given}

    assert not errors(text("team"), crew())
    assert errors(text("team"), crew(rowsFrom="note")) == [("/fields/1/rowsFrom", "field.unknown")]
    assert errors(text("team"), crew(countRule="1")) == [("/fields/1/rowsFrom", "field.rows_from")]
    inside = crew()
    inside["fields"].append(text("team"))
    assert errors(inside) == [("/fields/0/rowsFrom", "field.rows_from")]


def test_a_repeat_in_a_repeat() -> None:
    inner = group("repeat", "inner", text("a", visibleIf="b == c && position(outer) > position(middle)"))
    middle = group("repeat", "middle", text("b"), group("section", "s", inner))
    outer = group("repeat", "outer", text("c"), middle)
    assert not errors(outer)
    deepest = "/fields/0/fields/0/fields/1/fields/1/fields/0"
    assert errors(group("repeat", "outmost", outer)) == [(deepest, "field.repeat_in_repeat")]
    deeper = group("repeat", "outer", text("c", visibleIf="inner[0].a == 'x'"), middle)
    assert ("/fields/0/fields/0/visibleIf", "field.rule") in errors(deeper)


@pytest.mark.parametrize("member", ["mapping", "filter"])
def test_lookups_refer_to_other_fields(member: str) -> None:
    def lookup(name: str) -> Kind:
        return {"type": "lookup", "name": "l", "datasourceId": DATASOURCE, member: {"a/b": name}}

    assert not errors(lookup("a"), text("a"))
    assert errors(lookup("nowhere"), text("a")) == [(f"/fields/0/{member}/a~1b", "field.unknown")]
    assert errors(lookup("l"), text("a")) == [(f"/fields/0/{member}/a~1b", "field.unknown")]


@pytest.mark.parametrize("kind", ["photo", "file", "signature", "location", "repeat"])
def test_lookups_cannot_fill_or_compare_fields_that_no_cell_can_represent(kind: str) -> None:
    lookup = {"type": "lookup", "name": "l", "datasourceId": DATASOURCE, "mapping": {"c": "a"}}
    target = {"type": kind, "name": "a", "label": "A"} | ({"fields": [text("b")]} if kind == "repeat" else {})
    assert errors(lookup, target) == [("/fields/0/mapping/c", "field.unknown")]
    assert errors(lookup | {"mapping": {}, "filter": {"c": "a"}}, target) == [("/fields/0/filter/c", "field.unknown")]


@pytest.mark.parametrize(
    "kind",
    [
        text("a", default="x", minLength=2),
        text("a", default="xyz", maxLength=2),
        text("a", default="x", pattern="^y$"),
        number("a", default=7, max=6),
        {"type": "decimal", "name": "a", "default": 0.5, "min": 1},
        {"type": "choice", "name": "a", "options": OPTIONS, "default": "c"},
        {"type": "choices", "name": "a", "options": OPTIONS, "default": ["c"]},
        {"type": "date", "name": "a", "default": "2026-02-30"},
        {"type": "rating", "name": "a", "default": 6},
        {"type": "location", "name": "a", "default": {"latitude": 91, "longitude": 0}},
        {"type": "line", "name": "a", "default": [{"latitude": 1, "longitude": 0}]},
        {"type": "area", "name": "a", "default": [{"latitude": 1, "longitude": n} for n in (0, 1, 181)]},
    ],
)
def test_invalid_defaults(kind: Kind) -> None:
    assert errors(kind) == [("/fields/0/default", "field.default")]


@pytest.mark.parametrize(
    ("kind", "pointer", "code"),
    [
        (text("a", default="x", defaultRule="b"), "defaultRule", "field.rule"),
        (text("a", calculate="b", defaultRule="b"), "defaultRule", "field.rule"),
        (number("a", defaultRule="b"), "defaultRule", "field.rule.type"),
        ({"type": "photo", "name": "a", "defaultRule": "[b]"}, "defaultRule", "field.rule"),
        (text("a", calculate="b", recalculateOn=["b"]), "recalculateOn", "field.rule"),
        ({"type": "note", "name": "a", "recalculateOn": ["b"]}, "recalculateOn", "field.rule"),
        (text("a", defaultRule="b", recalculateOn=["b", "c"]), "recalculateOn/1", "field.unknown"),
        (text("a", defaultRule="b", recalculateOn=["a"]), "recalculateOn/0", "field.unknown"),
        (text("a", defaultRule="lastSaved.c"), "defaultRule", "field.rule"),
        (text("a", defaultRule="string(size(lastSaved))"), "defaultRule", "field.rule"),
        (number("a", defaultRule="lastSaved.a + size(lastSaved.b) + 'x'"), "defaultRule", "field.rule"),
        (text("a", calculate="lastSaved.b"), "calculate", "field.rule"),
        (text("a", metadata="deviceId"), "metadata", "field.metadata"),
        (text("a", metadata="email", hidden=True, default="x"), "metadata", "field.metadata"),
        ({"type": "file", "name": "a", "metadata": "audit"}, "metadata", "field.metadata"),
        ({**PLACE, "default": {"latitude": 1, "longitude": 2}}, "metadata", "field.metadata"),
        (group("repeat", "r", PLACE), "fields/0/metadata", "field.metadata"),
        (group("section", "r", AUDIT, {**AUDIT, "name": "c"}), "fields/1/metadata", "field.metadata"),
    ],
)
def test_rules_of_initial_answers(kind: Kind, pointer: str, code: str) -> None:
    assert errors(kind, text("b")) == [(f"/fields/0/{pointer}", code)]
    # Rules of initial answers apply once, so they can refer to each other.
    assert not errors(text("a", defaultRule="b", recalculateOn=["b"]), text("b", defaultRule="a"))
    assert not errors(text("a", recalculateOn=["b"]), text("b"))
    assert not errors(text("a", defaultRule="has(lastSaved.b) ? lastSaved.b : 'x'"), text("b"))
    # A field may have been called like this before rules had it.
    assert not errors(text("a", defaultRule="lastSaved"), text("lastSaved", defaultRule="a"))


@pytest.mark.parametrize(
    ("kind", "member"),
    [
        (text("a", minLength=3, maxLength=2), "minLength"),
        (number("a", min=3, max=2), "min"),
        ({"type": "decimal", "name": "a", "min": 0.2, "max": 0.1}, "min"),
        ({"type": "slider", "name": "a", "min": 3, "max": 2}, "min"),
        (group("repeat", "a", text("b"), min=3, max=2), "min"),
        ({"type": "choices", "name": "a", "options": OPTIONS, "minChoices": 2, "maxChoices": 1}, "minChoices"),
        ({"type": "choices", "name": "a", "options": OPTIONS, "minChoices": len(OPTIONS) + 1}, "minChoices"),
    ],
)
def test_empty_ranges(kind: Kind, member: str) -> None:
    assert errors(kind) == [(f"/fields/0/{member}", "field.range")]


def test_the_rows_of_a_table_have_the_same_options() -> None:
    one = {"type": "choice", "name": "a", "options": OPTIONS}
    others: list[Kind] = [
        {**one, "type": "choices"},
        {**one, "options": OPTIONS[:1]},
        {**one, "randomize": True},
        {**one, "optionFilter": "true"},
        text("a"),
    ]
    assert len(OPTIONS) >= 2
    assert errors(group("section", "s", one, {**one, "name": "b", "visibleIf": "answered.a"}, table=True)) == []
    for other in others:
        found = errors(group("section", "s", one, {**other, "name": "b"}, table=True))
        assert found == [("/fields/0/table", "field.table")]


def test_options_are_unique() -> None:
    assert errors({"type": "choices", "name": "a", "options": [*OPTIONS, OPTIONS[0]]}) == [
        ("/fields/0/options/2/value", "field.option.taken")
    ]


def test_all_errors_are_reported_at_once() -> None:
    assert errors(
        text("a", pattern="(", default="x", minLength=3, maxLength=2),
        number("a", default=1, min=2, visibleIf="b > 1"),
    ) == [
        ("/fields/1/name", "field.name.taken"),
        ("/fields/0/minLength", "field.range"),
        ("/fields/0/pattern", "field.pattern"),
        ("/fields/1/default", "field.default"),
        ("/fields/1/visibleIf", "field.rule"),
    ]


def test_points_and_their_rules() -> None:
    scored = [OPTIONS[0] | {"points": 1.25}, OPTIONS[1] | {"points": -3}]
    question = {"type": "choice", "name": "q", "options": scored}
    row = {"type": "choice", "name": "each", "options": scored}
    score = {"type": "decimal", "name": "score", "calculate": "score() + points(q)"}
    assert not errors(
        question, score, {"type": "choices", "name": "p", "options": OPTIONS, "validIf": "points(p) < 1.0"}
    )
    fine = {"type": "choice", "name": "q", "options": [OPTIONS[0] | {"points": 0.125}]}
    assert errors(fine) == [("/fields/0/options/0/points", "field.option.points")]
    for rule in (
        "points(row)",
        "points(each)",
        "points(place)",
        "points()",
        "points(q, q)",
        "score(q)",
        "_score_",
        "_points_q",
    ):
        total = number("total", calculate=rule)
        found = errors(
            question, group("repeat", "row", row), {"type": "ranking", "name": "place", "options": OPTIONS}, total
        )
        assert found == [("/fields/3/calculate", "field.rule")], rule
    assert errors(group("repeat", "row", row, score | {"calculate": "maxScore()"})) == [
        ("/fields/0/fields/1/calculate", "field.rule"),
        ("/fields/0", "field.rule.circle"),
    ]
    for changed in (
        question | {"visibleIf": "score > 1.0"},
        group("repeat", "row", row, text("t", visibleIf="score > 1.0")),
    ):
        found = errors(changed, {"type": "decimal", "name": "score", "calculate": "score()"})
        assert [code for _, code in found] == ["field.rule.circle"]
