"""Random rules over the fields of the table, most of them well typed, and random answers."""

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


def _combine(shape: str, *parts: Texts) -> Texts:
    return st.tuples(*parts).map(lambda found: shape.format(*found))


def _expressions(depth: int) -> dict[str, Texts]:
    """Return strategies for rules by the type of their result."""
    leaves: dict[str, Texts] = {
        "int": st.sampled_from(["count", "size", "0", "1", "-3", "7", "9007199254740993", "9223372036854775807"]),
        "double": st.sampled_from(["price", "0.0", "1.5", "-2.25", "1e300", "place.latitude", "place.accuracy", "0.1"]),
        "bool": st.sampled_from(
            ["agreed", "true", "false", "answered.note", "answered.items", "answered['count']", "has(place.accuracy)"]
        ),
        "string": st.one_of(
            st.sampled_from(["note", "start", "moment", "today()", "now()"]), st.sampled_from(_WORDS).map(quoted)
        ),
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
            _combine("({} {} {})", whole, st.sampled_from(["+", "-", "*", "/", "%"]), whole),
            _combine("-({})", whole),
            _combine("int({})", st.one_of(broken, text)),
            _combine("size({})", st.one_of(text, texts)),
            _combine("({} ? {} : {})", truth, whole, whole),
            _combine("{}.{}()", moment, st.sampled_from(["getHours", "getDayOfWeek", "getFullYear", "getDate"])),
            _combine("items.filter(i, i.amount > {}).size()", whole),
            _combine("abs({})", whole),
            _combine("{}({}, {})", st.sampled_from(["daysBetween", "monthsBetween", "yearsBetween"]), text, text),
        ),
        "double": st.one_of(
            _combine("({} {} {})", broken, st.sampled_from(["+", "-", "*", "/"]), broken),
            _combine("double({})", st.one_of(whole, text)),
            _combine("round({}, {})", broken, st.sampled_from(["0", "2", "15"])),
            _combine("{}({})", st.sampled_from(["round", "floor", "ceil", "abs", "sqrt"]), broken),
            _combine(
                "{}({})", st.sampled_from(["sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log10"]), broken
            ),
            _combine("{}({}, {})", st.sampled_from(["atan2", "remainder"]), broken, broken),
            _combine("pow({}, {})", broken, whole),
            _combine("{}([{}, {}])", st.sampled_from(["sum", "min", "max"]), broken, st.one_of(whole, broken)),
            _combine("{}(items.map(i, i.{}))", st.sampled_from(["sum", "max"]), st.sampled_from(["amount", "cost"])),
            _combine("({} ? {} : {})", truth, broken, broken),
            _combine("roundHalfUp({}, {})", broken, st.sampled_from("0129")),
            _combine("number({})", text),
        ),
        "bool": st.one_of(
            _combine("({} {} {})", truth, st.sampled_from(["&&", "||"]), truth),
            _combine("!({})", truth),
            _combine("({} {} {})", whole, _COMPARED, whole),
            _combine("({} {} {})", broken, _COMPARED, broken),
            _combine("({} {} {})", text, _COMPARED, text),
            _combine("({} {} {})", moment, _COMPARED, moment),
            _combine("({} {} {})", any_, _COMPARED, st.one_of(whole, broken, text, any_)),
            _combine("({} in {})", text, texts),
            _combine("{}.{}({})", text, st.sampled_from(["contains", "startsWith", "endsWith"]), text),
            _combine("{}.matches('{}')", text, st.sampled_from(_PATTERNS)),
            _combine("{}.{}(x, x {} {})", texts, st.sampled_from(["all", "exists", "exists_one"]), _COMPARED, text),
            _combine("items.{}(i, i.amount {} {})", st.sampled_from(["all", "exists"]), _COMPARED, whole),
            _combine("items.{}(i, has(i.cost) && i.cost {} {})", st.sampled_from(["all", "exists"]), _COMPARED, broken),
        ),
        "string": st.one_of(
            _combine("({} + {})", text, text),
            _combine("string({})", st.one_of(whole, truth, moment, st.sampled_from(["price", "place.latitude"]))),
            _combine("({} ? {} : {})", truth, text, text),
            _combine("{}[{}]", texts, st.sampled_from(["0", "1", "5"])),
            _combine("{}({}, {})", st.sampled_from(["addDays", "addMonths"]), text, whole),
            _combine("{}.substring({}, {})", text, whole, whole),
            _combine("{}.{}({}, {})", text, st.sampled_from(["replace", "translate"]), text, text),
            _combine("{}.{}()", text, st.sampled_from(["upperAscii", "lowerAscii", "normalizeSpace"])),
            _combine("{}.join({})", texts, text),
        ),
        "list": st.one_of(
            _combine("({} + {})", texts, texts),
            _combine("{}.filter(x, x != {})", texts, text),
            _combine("{}.map(x, x + {})", texts, text),
            _combine("{}.words()", text),
        ),
        "moment": _combine("({} + duration('{}'))", moment, st.sampled_from(["1h", "-90m", "36h", "1h30m10s"])),
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


def _subset(**members: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=members)


_ROW = _subset(title=_TEXT, amount=_SOME, cost=_PART, new=st.booleans())
_DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))  # Results outside of the years 1 to 9999 differ.
_FITTING = {
    "count": _SOME,
    "price": _PART,
    "agreed": st.booleans(),
    "note": _TEXT,
    "size": _SOME,
    "start": _DAYS.map(str),
    "moment": st.tuples(_DAYS, st.times()).map(lambda when: f"{when[0]}T{when[1]:%H:%M:%S}Z"),
    "place": _subset(latitude=_PART, longitude=_PART, accuracy=_PART),
    "colours": _COLOURS,
    "items": st.lists(_ROW, max_size=3),
}

answers = _subset(**_FITTING) | _subset(**{name: st.one_of(fitting, _ODD) for name, fitting in _FITTING.items()})
