"""Random rules over the fields of the table, well typed for the most part, and random answers."""

from datetime import date
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Texts = SearchStrategy[str]

_COMPARED = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
_WORDS = ["", "a", "red", "Grüße", "é", "👍🏽", "e\u0301", "7", "2026-03-29", "\n", "it's", "ä\u00a0b"]
_PATTERNS = ["^a", "é$", r"^\\d+$", "^.$", "[a-z]+", "^(red|blue)?$", r"\\s", r"^\\p{L}+$", ""]


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _of(shape: str, *parts: Texts) -> Texts:
    return st.tuples(*parts).map(lambda found: shape.format(*found))


def _expressions(depth: int) -> dict[str, Texts]:
    """Rules by the type that they come to."""
    leaves: dict[str, Texts] = {
        "int": st.sampled_from(["count", "size", "0", "1", "-3", "7", "9007199254740993", "9223372036854775807"]),
        "double": st.sampled_from(["price", "0.0", "1.5", "-2.25", "1e300", "place.latitude", "place.accuracy", "0.1"]),
        "bool": st.sampled_from(
            ["agreed", "true", "false", "answered.note", "answered.items", "answered['count']", "has(place.accuracy)"]
        ),
        "string": st.one_of(st.sampled_from(["note", "start", "moment"]), st.sampled_from(_WORDS).map(quoted)),
        "list": st.sampled_from(["colours", "['red']", "['a', note]", "items.map(i, string(i.amount))"]),
        "moment": st.sampled_from(
            ["timestamp(moment)", "timestamp(start + 'T00:00:00Z')", "timestamp('2026-01-01T00:00:00Z')"]
        ),
        "dyn": st.sampled_from(
            ["items[0].amount", "items[1].cost", "items[0].title", "items[0].new", "items[2].amount"]
        ),
    }
    return (
        leaves
        if depth == 0
        else {kind: leaves[kind] | deeper for kind, deeper in _deeper(_expressions(depth - 1)).items()}
    )


def _deeper(of: dict[str, Texts]) -> dict[str, Texts]:
    whole, broken, truth, text, texts, moment, any_ = of.values()
    return {
        "int": st.one_of(
            _of("({} {} {})", whole, st.sampled_from(["+", "-", "*", "/", "%"]), whole),
            _of("-({})", whole),
            _of("int({})", st.one_of(broken, text)),
            _of("size({})", st.one_of(text, texts)),
            _of("({} ? {} : {})", truth, whole, whole),
            _of("{}.{}()", moment, st.sampled_from(["getHours", "getDayOfWeek", "getFullYear", "getDate"])),
            _of("items.filter(i, i.amount > {}).size()", whole),
        ),
        "double": st.one_of(
            _of("({} {} {})", broken, st.sampled_from(["+", "-", "*", "/"]), broken),
            _of("double({})", st.one_of(whole, text)),
            _of("({} ? {} : {})", truth, broken, broken),
        ),
        "bool": st.one_of(
            _of("({} {} {})", truth, st.sampled_from(["&&", "||"]), truth),
            _of("!({})", truth),
            _of("({} {} {})", whole, _COMPARED, whole),
            _of("({} {} {})", broken, _COMPARED, broken),
            _of("({} {} {})", text, _COMPARED, text),
            _of("({} {} {})", moment, _COMPARED, moment),
            _of("({} {} {})", any_, _COMPARED, st.one_of(whole, broken, text, any_)),
            _of("({} in {})", text, texts),
            _of("{}.{}({})", text, st.sampled_from(["contains", "startsWith", "endsWith"]), text),
            _of("{}.matches('{}')", text, st.sampled_from(_PATTERNS)),
            _of("{}.{}(x, x {} {})", texts, st.sampled_from(["all", "exists", "exists_one"]), _COMPARED, text),
            _of("items.{}(i, i.amount {} {})", st.sampled_from(["all", "exists"]), _COMPARED, whole),
            _of("items.{}(i, has(i.cost) && i.cost {} {})", st.sampled_from(["all", "exists"]), _COMPARED, broken),
        ),
        "string": st.one_of(
            _of("({} + {})", text, text),
            _of("string({})", st.one_of(whole, truth, moment, st.sampled_from(["price", "place.latitude"]))),
            _of("({} ? {} : {})", truth, text, text),
            _of("{}[{}]", texts, st.sampled_from(["0", "1", "5"])),
        ),
        "list": st.one_of(
            _of("({} + {})", texts, texts),
            _of("{}.filter(x, x != {})", texts, text),
            _of("{}.map(x, x + {})", texts, text),
        ),
        "moment": _of("({} + duration('{}'))", moment, st.sampled_from(["1h", "-90m", "36h", "1h30m10s"])),
        "dyn": of["dyn"],
    }


rules: Texts = st.one_of(*(kind for name, kind in _expressions(2).items() if name != "moment"))

_SAFE = st.integers(-(2**53), 2**53)
_PLAIN = st.floats(allow_nan=False, allow_infinity=False, width=32)
_SOME = st.one_of(st.sampled_from([-1, 0, 1, 7]), _SAFE)
_PART = st.one_of(st.sampled_from([0.0, 1.5, 2.5, 1, -3]), _PLAIN)
_TEXT = st.one_of(st.sampled_from(_WORDS), st.text(st.characters(codec="utf-8", max_codepoint=0xD7FF), max_size=4))
_COLOURS = st.lists(st.sampled_from(["red", "blue"]), unique=True)
_ODD: SearchStrategy[Any] = st.sampled_from([None, "", [], {}, True, "x", 1.5, [1], {"a": 1}, 2**60])


def _some(**members: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=members)


_ROW = _some(title=_TEXT, amount=_SOME, cost=_PART, new=st.booleans())
_DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))  # Sums that leave the years 1 to 9999 differ.
_FITTING = {
    "count": _SOME,
    "price": _PART,
    "agreed": st.booleans(),
    "note": _TEXT,
    "size": _SOME,
    "start": _DAYS.map(str),
    "moment": st.tuples(_DAYS, st.times()).map(lambda when: f"{when[0]}T{when[1]:%H:%M:%S}Z"),
    "place": _some(latitude=_PART, longitude=_PART, accuracy=_PART),
    "colours": _COLOURS,
    "items": st.lists(_ROW, max_size=3),
}

answers = _some(**_FITTING) | _some(**{name: st.one_of(fitting, _ODD) for name, fitting in _FITTING.items()})
