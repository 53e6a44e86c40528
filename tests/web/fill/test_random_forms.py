"""For random forms with rules and random answers, the page and the server compute the same values and errors."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fixtures import node
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwright.domain.forms import definition_validation
from formwright.domain.forms.answers.validation import validate
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import Version, VersionStatus
from formwright.domain.forms.rules.costs import COSTS
from formwright.web.fill.rule_program import program

HARNESS = Path(__file__).with_name("rule_evaluator.mjs")
COLUMNS: dict[str, dict[str, str]] = {"a": {"g": "a"}, "b": {"g": "7", "h": "x"}, "c": {}}
OPTIONS = [{"value": value, "label": value, "columns": COLUMNS[value]} for value in "abc"]
FILTERS = ["option.value != 'a'", "option.g == string({0})", "answered.{0}", "option.h == 'x'", "option.g in {0}"]
Json = dict[str, Any]

TEXTS = st.one_of(st.text("ab1 é🙂-", max_size=6), st.sampled_from(["A-1", "2028-02-29", "14:30", "a@b.org"]))
NUMBERS = st.one_of(st.integers(-20, 20), st.sampled_from([2.5, -0.5, 1e300, 2**53, 2**53 + 2]))
EDGES = ["a@b", "@", "a@b.", "a b@c.de", "+49 (40) 1/2.3-4", "12", "25:00", "2031-02-29"]
STRINGS = st.one_of(TEXTS, st.sampled_from([*EDGES, "2031-12-24", "2031-13-01", "14:60", "00:00:59"]))

URLS = [
    "https://a.org",
    "http://a.org/x?y=1#z",
    "https://a.org/ü",
    "ftp://a.org",
    "https://a b",
    "https://a[b",
    "https://",
]
MOMENTS = ["2031-03-14T14:30", "2031-02-29T10:00", "2028-02-29T23:59", "2031-03-30T02:30", "1066-10-14T09:00", "soon"]
FILES = [f"fil_0{letter * 25}" for letter in "abcd"]
DEGREES = st.one_of(st.floats(-200, 200), st.sampled_from([-180, -90, 0, 90, 180]))
PLACES = st.fixed_dictionaries({"latitude": DEGREES, "longitude": DEGREES}, optional={"accuracy": st.integers(-1, 9)})
MANY = st.fixed_dictionaries({}, optional={"maxFiles": st.integers(1, 3)})
PICKS = st.fixed_dictionaries(
    {"options": st.sampled_from([OPTIONS, [{**one, "exclusive": one["value"] == "c"} for one in OPTIONS]])},
    optional={"minChoices": st.integers(1, 2), "maxChoices": st.integers(2, 3)},
)
SCALES = st.sampled_from([{}, {"min": -5, "max": 5}, {"min": 0, "max": 100, "step": 10}])

KINDS: dict[str, tuple[st.SearchStrategy[Json], st.SearchStrategy[Any]]] = {
    "text": (st.fixed_dictionaries({}, optional={"minLength": st.just(2), "maxLength": st.just(4)}), TEXTS),
    "textarea": (st.just({}), TEXTS),
    "email": (st.just({}), STRINGS),
    "phone": (st.just({}), STRINGS),
    "integer": (st.fixed_dictionaries({}, optional={"min": st.just(-3), "max": st.just(9)}), NUMBERS),
    "decimal": (st.fixed_dictionaries({}, optional={"min": st.just(-0.5), "max": st.just(9.5)}), NUMBERS),
    "boolean": (st.just({}), st.booleans()),
    "date": (st.just({}), STRINGS),
    "time": (st.just({}), STRINGS),
    "choice": (st.just({"options": OPTIONS}), st.sampled_from("abcd")),
    "choices": (PICKS, st.lists(st.sampled_from("abcd"), max_size=4)),
    "ranking": (st.just({"options": OPTIONS}), st.permutations("abc") | st.lists(st.sampled_from("abcd"), max_size=4)),
    "nps": (st.just({}), st.integers(-1, 11)),
    "rating": (st.fixed_dictionaries({}, optional={"max": st.integers(2, 10)}), st.integers(-1, 11)),
    "slider": (SCALES, st.integers(-10, 110)),
    "url": (st.just({}), st.one_of(st.sampled_from(URLS), TEXTS)),
    "datetime": (st.just({}), st.sampled_from(MOMENTS)),
    "barcode": (st.just({}), st.one_of(TEXTS, st.just("7" * 501))),
    "lookup": (st.just({"datasourceId": "dat_" + "0" * 26}), st.one_of(TEXTS, st.just("C-1"))),
    "lookups": (
        st.fixed_dictionaries(
            {"datasourceId": st.just("dat_" + "0" * 26)},
            optional={"minChoices": st.integers(1, 2), "maxChoices": st.integers(2, 3)},
        ),
        st.lists(st.one_of(TEXTS, st.sampled_from(["C-1", "7" * 201, "7" * 501])), max_size=4),
    ),
    "signature": (st.just({}), st.sampled_from(FILES)),
    "photo": (MANY, st.lists(st.sampled_from(FILES), max_size=4)),
    "file": (MANY, st.lists(st.sampled_from(FILES), max_size=4)),
    "location": (st.just({}), PLACES),
}
RULES = ["visibleIf", "requiredIf", "readOnlyIf", "validIf", "calculate", "optionFilter"]
PATTERNS = ["^[A-Z]-\\d+$", "\\s", "é|🙂", "^.$"]
BOOL = [
    "answered.{0}",
    "!answered.{0} || answered.{1}",
    "{0} == {0}",
    "string({0}) == string({1})",
    "{0} > {1}",
    "size({0}) > 2",
    "{0}.latitude > 0.0",
    "{0}.startsWith('a') && {1} != 'b'",
    "'fil_0' in {0} || {0}.exists(one, one == 'a')",
    "{0} in ['a', 'b']",
    "{0} ? true : answered.{1}",
]
VALUES = {
    "text": ["{0} + '!'", "string({0})", "answered.{0} ? 'yes' : ''"],
    "integer": ["{0} + 1", "size({0})", "int({0}) / 2"],
    "decimal": ["double({0}) * 0.5", "{0} / {1}"],
    "boolean": ["answered.{0}", "{0} == {1}"],
    "choice": ["string({0})", "answered.{0} ? 'a' : 'z'", "answered.{0} ? string({1}) : 'aa'"],
    "choices": ["[string({0}), 'c', 'c']", "{0}", "answered.{0} ? ['a', 'z'] : ['b']"],
    "ranking": ["{0}", "['z', 'a']"],
    **{kind: ["{0} + 100", "size({0})", "int({0})"] for kind in ("nps", "rating", "slider")},
    **{
        kind: ["string({0})", "string({0}) + 'T14:30:00Z'"]
        for kind in ("date", "time", "datetime", "email", "phone", "url")
    },
}


@st.composite
def forms(draw: st.DrawFn) -> tuple[list[AnyField], list[Json]]:
    """Draw valid fields, and some sets of answers to them."""
    count = draw(st.integers(2, 5))
    plain = [draw(fields(f"f{index}")) for index in range(count)]
    names = [one["name"] for one in plain]
    inner = [draw(fields(f"r{index}")) for index in range(draw(st.integers(1, 2)))]
    drawn = [draw(ruled(one, names)) for one in plain]
    repeat = {"name": "rows", "type": "repeat", "label": "It", "max": 2, "required": draw(st.booleans())}
    repeat |= draw(st.sampled_from([{}, {"min": 1}, {"min": 2}]))
    drawn.append(repeat | {"fields": [draw(ruled(one, [*names, *(each["name"] for each in inner)])) for one in inner]})
    if draw(st.booleans()):
        section = {"name": "part", "type": "section", "label": "It", "fields": drawn[1:]}
        drawn = [drawn[0], draw(ruled(section, names[:1], only_shown=True))]
    answers = st.fixed_dictionaries({}, optional={one["name"]: KINDS[one["type"]][1] for one in plain})
    row = st.fixed_dictionaries({}, optional={one["name"]: KINDS[one["type"]][1] for one in inner})
    rows = st.fixed_dictionaries({}, optional={"rows": st.lists(row, max_size=3)})
    whole = st.builds(lambda some, more: some | more, answers, rows)
    return without_wrong_rules(drawn), draw(st.lists(whole, min_size=1, max_size=4))


def without_wrong_rules(documents: list[Json]) -> list[AnyField]:
    """The fields without the rules that a form may not have: to draw again until all fit takes many times as long."""
    while errors := definition_validation.find_errors(found := msgspec.convert(documents, list[AnyField])):
        for error in errors:
            place: Any = documents
            for part in error.pointer.split("/")[2:]:
                if part in RULES:
                    place.pop(part, None)
                    break
                place = place[int(part)] if isinstance(place, list) else place[part]
            else:  # The field depends on itself.
                for rule in RULES:
                    place.pop(rule, None)
    return found


@st.composite
def fields(draw: st.DrawFn, name: str) -> Json:
    kind = draw(st.sampled_from(sorted(KINDS)))
    drawn = {"name": name, "type": kind, "label": "It", "required": draw(st.booleans())} | draw(KINDS[kind][0])
    if kind == "text" and draw(st.booleans()):
        drawn["pattern"] = draw(st.sampled_from(PATTERNS))
    return drawn


@st.composite
def ruled(draw: st.DrawFn, one: Json, names: list[str], *, only_shown: bool = False) -> Json:
    some = st.lists(st.sampled_from(names), min_size=2, max_size=2)
    drawn = dict(one)
    if draw(st.booleans()):
        drawn["visibleIf"] = draw(st.sampled_from(BOOL)).format(*draw(some))
    if not only_shown and draw(st.booleans()):
        drawn["validIf"] = draw(st.sampled_from(BOOL)).format(*draw(some))
    if not only_shown and draw(st.booleans()):
        drawn["requiredIf"] = draw(st.sampled_from(BOOL)).format(*draw(some))
    if one["type"] in ("choice", "choices") and draw(st.booleans()):
        drawn["optionFilter"] = draw(st.sampled_from(FILTERS)).format(*draw(some))
    if not only_shown and one["type"] in VALUES and draw(st.integers(0, 3)) == 0:
        drawn["calculate"] = draw(st.sampled_from(VALUES[one["type"]])).format(*draw(some))
    return drawn


@pytest.fixture(scope="module")
def page() -> Iterator[node.NodeScript]:
    with node.run_script(HARNESS) as running:
        yield running


@given(forms())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_page_and_server_agree(page: node.NodeScript, drawn: tuple[list[AnyField], list[Json]]) -> None:
    asked, sets = drawn
    for script in page.ask({"steps": program(asked), "costs": COSTS, "sets": sets}):
        answers, found = evaluate_on_server(asked, script["sent"])
        assert script["answers"] == answers
        assert {tuple(path) for path in script["wrong"]} == found


def evaluate_on_server(asked: list[AnyField], data: Json) -> tuple[Json, set[tuple[str | int, ...]]]:
    """Return the evaluated answers and the positions of their errors."""
    version = Version(
        id=f"ver_{abs(hash(msgspec.json.encode(asked)))}",
        customer_id="",
        form_id="",
        number=1,
        status=VersionStatus.FINAL,
        remarks="",
        definition=Definition(asked, FormSettings()),
        created=0,
        updated=0,
        revision=1,
    )
    answers, faults = validate(version, data)
    return answers, {_place(fault.pointer) for fault in faults}


def _place(pointer: str) -> tuple[str | int, ...]:
    """Return the position of the field, inside a row or not. An error of one chosen option is an error of its field."""
    _, _, name, *rest = pointer.split("/")
    return (name, int(rest[0]), rest[1]) if name == "rows" and len(rest) > 1 else (name,)
