"""Random definitions, most of them valid, and random answers."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Kind = dict[str, Any]
Kinds = SearchStrategy[list[Kind]]

NAMES = [f"f{index}" for index in range(8)]
ROW_NAMES = [f"r{index}" for index in range(4)]
OPTIONS = [{"value": value, "label": value, "points": at - 0.5} for at, value in enumerate(("a", "b", "c"))]

_PLAIN = st.sampled_from(
    [
        "text",
        "integer",
        "decimal",
        "boolean",
        "date",
        "datetime",
        "choice",
        "choices",
        "ranking",
        "nps",
        "rating",
        "location",
        "line",
        "note",
    ]
)
_RULES = [
    *(
        "answered.{0}",
        "!answered.{0}",
        "answered.{0} && answered.{1}",
        "{0} == {1}",
        "{0} != 'a'",
        "{0} > 3",
        "{0} < 2.5",
    ),
    *(
        "{0}",
        "!{0}",
        "size({0}) > 1",
        "'a' in {0}",
        "{0}.latitude > 0.0",
        "distance({0}) > 1.0",
        "{0}.exists(r, has(r.r0) && r.r0 == {1})",
    ),
    *("{0}.all(r, r.r1 > 1)", "{0} / {1} > 1 || answered.{1}", "true", "1 / 0 == 1"),
    *("points({0}) > 0.5", "score() > points({0})"),
]
_VALUES = [
    "{0}",
    "{0} + {1}",
    "size({0})",
    "string({0})",
    "{0} * 2",
    "{0} / {1}",
    "answered.{0}",
    "{0}.map(r, r.r0)",
    "'a'",
    "1",
    "points({0}) + score()",
    "maxScore()",
]


def _rule(templates: list[str], names: list[str]) -> SearchStrategy[str]:
    one = st.sampled_from(names)
    return st.tuples(st.sampled_from(templates), one, one).map(lambda found: found[0].format(*found[1:]))


def _field(name: str, names: list[str]) -> SearchStrategy[Kind]:
    rules = st.fixed_dictionaries(
        {},
        optional={
            "visibleIf": _rule(_RULES, names),
            "validIf": _rule(_RULES, names),
            "calculate": _rule(_VALUES, names),
        },
    )
    few = st.one_of(st.just({}), rules)
    return st.tuples(_PLAIN, few, st.booleans()).map(
        lambda found: {
            "type": found[0],
            "name": name,
            "label": name,
            "required": found[2],
            **found[1],
            **_extra_properties(found[0]),
        }
    )


def _extra_properties(kind: str) -> Kind:
    return {"options": OPTIONS} if kind in ("choice", "choices", "ranking") else {}


def _group(kind: str, name: str, inner: list[Kind], rules: Kind) -> list[Kind]:
    return [{"type": kind, "name": name, "label": name, "fields": inner, **rules}] if inner else []


_shown = st.one_of(st.just({}), _rule(_RULES, NAMES).map(lambda rule: {"visibleIf": rule}))
_top = st.tuples(*(_field(name, NAMES) for name in NAMES))
_row = st.tuples(*(_field(name, [*NAMES, *ROW_NAMES]) for name in ROW_NAMES))


def _arrange(top: tuple[Kind, ...], row: tuple[Kind, ...], some: Kind, cut: int, length: int) -> list[Kind]:
    """Some fields on their own, some in a section, and a repeat in place of one of them."""
    kinds = [
        *top[:cut],
        *_group("section", "s", list(top[cut:7]), some),
        *_group("repeat", "f7", list(row[:length]), some),
    ]
    return kinds or [top[0]]


definitions: Kinds = st.builds(_arrange, _top, _row, _shown, st.integers(0, 7), st.integers(0, 4))

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "a", "b", "2026-03-29", "2026-03-29T14:30:00Z", "é", "7"]),
    st.text(max_size=3),
)
_ANY = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)
_PLACE = st.fixed_dictionaries({"latitude": st.floats(-90, 90), "longitude": st.floats(-180, 180)})
_ONE = st.one_of(
    _SCALARS, st.lists(st.sampled_from(["a", "b", "c"]), unique=True), _PLACE, st.lists(_PLACE, max_size=3), _ANY
)
_ROW_ANSWERS = st.fixed_dictionaries({}, optional=dict.fromkeys(ROW_NAMES, _ONE))

answers: SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(NAMES[:7], _ONE)
    | {"f7": st.lists(_ROW_ANSWERS, max_size=3) | _ANY, "s": _SCALARS, "unknown": _SCALARS},
)
