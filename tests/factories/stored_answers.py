"""Answers as a database may contain them: drafts with anything in any field, and a form with a field of each type."""

from typing import Any

from hypothesis import strategies as st

from factories.random_answers import MANY, answer, field

_OPTIONS = MANY[:3]
_PLAIN: list[dict[str, Any]] = [
    *(field(type_, f"a_{type_}") for type_ in ("text", "textarea", "email", "phone", "url", "integer", "decimal")),
    *(field(type_, f"a_{type_}") for type_ in ("boolean", "date", "time", "datetime", "nps", "rating", "slider")),
    *(field(type_, f"a_{type_}", options=_OPTIONS) for type_ in ("choice", "choices", "ranking")),
    *(field(type_, f"a_{type_}") for type_ in ("photo", "audio", "video", "signature", "file")),
    *(field(type_, f"a_{type_}") for type_ in ("location", "line", "area", "barcode")),
]
INDEXED = ("a_text", "a_integer", "a_decimal", "a_boolean", "a_date", "a_time", "a_datetime", "a_choice", "a_rating")


def fields(datasource_id: str) -> list[dict[str, Any]]:
    """Return a field of each type, outside of repeats, in a repeat, and in one inside it."""
    lookups = [field(type_, f"a_{type_}", datasourceId=datasource_id) for type_ in ("lookup", "lookups")]
    plain = [one | ({"indexed": True} if one["name"] in INDEXED else {}) for one in _PLAIN]
    inner = field("repeat", "inner", fields=_rename([*_PLAIN, *lookups], "c_"))
    outer = field("repeat", "outer", fields=[*_rename(_PLAIN, "b_"), inner])
    return [*plain, *lookups, field("section", "part", fields=[field("note", "a_note"), outer])]


def _rename(fields_: list[dict[str, Any]], prefix: str) -> list[dict[str, Any]]:
    return [one | {"name": prefix + one["name"].removeprefix("a_")} for one in fields_]


_NUMBERS = st.sampled_from([0, -1, 0.05, 90, 180.0, -180, 1e308, 2**53, 2**63, 10**400, -(10**18), 5e-324])
_TEXTS = st.sampled_from(
    [
        *("", " ", "o0", "C-1", "fil_x", "=1+1", "ñ中\u0301", "a\tb\nc", "{", "true", "1e999", "x" * 300),
        *("2026-02-31", "2026-03-29", "-0001-01-01", "24:00", "14:30"),
        *("9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00"),
    ]
)
_SCALARS = st.none() | st.booleans() | _NUMBERS | _TEXTS
_NAMES = st.sampled_from(["latitude", "longitude", "accuracy", "b_text", "c_location", "inner", "x"])
ANYTHING = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3), max_leaves=5
)
PLACES = st.fixed_dictionaries(
    {"latitude": st.sampled_from([0, 0.05, -90]), "longitude": st.sampled_from([0, 0.05, 180])},
    optional={"accuracy": st.sampled_from([None, 0, 3.5, "far"])},
)
"""So few that two of them are often at the same place, with and without accuracy."""
_FITTING = {
    "location": PLACES,
    "line": st.lists(PLACES, max_size=3),
    "area": st.lists(PLACES, max_size=4),
    "lookup": st.sampled_from(["C-1", "C-2", "gone"]),
    "lookups": st.lists(st.sampled_from(["C-1", "C-2", "gone"]), max_size=3),
    "email": st.just("a@example.org"),
    "phone": st.just("+49 30 1"),
    "url": st.just("https://example.org/a"),
    "barcode": st.just("4006381333931"),
}
_FILES = ("photo", "audio", "video", "signature", "file")


def stored_answer(one: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for the answers to a field, half of which fit it."""
    kind = one["type"]
    if kind == "repeat":
        return st.lists(stored_answers(one["fields"]), max_size=2) | ANYTHING
    if kind in _FILES:
        return st.sampled_from(["fil_01h455vb4pex5vsknk084sn02q", ["fil_01h455vb4pex5vsknk084sn02q"]]) | ANYTHING
    return (_FITTING[kind] if kind in _FITTING else answer(one)) | ANYTHING


def stored_answers(fields_: list[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for answers to these fields, without those of sections and notes."""
    plain = [one for one in flatten(fields_) if one["type"] != "note"]
    return st.fixed_dictionaries({}, optional={one["name"]: stored_answer(one) for one in plain})


def flatten(fields_: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the fields with those in sections, but not those in repeats."""
    found: list[dict[str, Any]] = []
    for one in fields_:
        found += flatten(one["fields"]) if one["type"] == "section" else [one]
    return found
