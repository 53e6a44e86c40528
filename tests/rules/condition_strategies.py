"""Random conditions as rows, answers to the fields they are about, and what their sentences say."""

from datetime import date, timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rules.both_engines import DEVICE_TIME

Row = dict[str, Any]
Answers = dict[str, Any]

TODAY = date.fromisoformat(DEVICE_TIME[:10])
OPTIONS = ["red", "blue", "a'b", 'say "no"', "c\\d", "👍🏽"]
_LISTED = [{"value": value, "label": value} for value in OPTIONS]
FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "note"},
    {"type": "integer", "name": "count"},
    {"type": "decimal", "name": "price"},
    {"type": "boolean", "name": "agreed"},
    {"type": "date", "name": "start"},
    {"type": "datetime", "name": "moment"},
    {"type": "time", "name": "at"},
    {"type": "choice", "name": "colour", "options": _LISTED},
    {"type": "choices", "name": "colours", "options": _LISTED},
    {"type": "photo", "name": "photos", "maxFiles": 3},
    {"type": "signature", "name": "signed"},
    {"type": "location", "name": "place"},
    {"type": "repeat", "name": "items", "fields": [{"type": "text", "name": "title", "label": "T"}]},
]
"""A field of each kind of answers that conditions can be about, except lines."""
_TEXTS = ["a", "ab", "abc", "Grüße", "it's", 'say "no"', "c\\d", "\n", "👍🏽", " ", "\u2028", "x\x07", "0"]
_TEXT = st.one_of(
    st.sampled_from(_TEXTS), st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=4)
)
_WHOLE = st.one_of(st.integers(-2, 7), st.integers(-(2**53) + 1, 2**53 - 1))
_DECIMAL = st.one_of(
    st.sampled_from([0.0, 1.5, -2.5, 3.0, 1e21, 1e-7]), st.floats(allow_nan=False, allow_infinity=False)
)
_DAY = st.one_of(
    st.integers(-9, 9).map(lambda days: TODAY + timedelta(days)), st.dates(date(1900, 1, 1), date(2100, 1, 1))
).map(str)
_TIME = st.sampled_from(["00:00", "09:30", "14:30", "23:59"])
_COUNT = st.integers(1, 3)
_SHIFT = st.integers(-9, 9).map(lambda days: {"today": days})

_VALUES: dict[str, SearchStrategy[Any]] = {
    "note": _TEXT,
    "count": _WHOLE.map(lambda number: {"integer": number}),
    "price": _DECIMAL.map(lambda number: {"decimal": number + 0.0 if number else 0.0}),
    "agreed": st.booleans(),
    "start": _DAY | _SHIFT,
    "moment": _DAY | _SHIFT,
    "at": _TIME,
    "colour": st.sampled_from(OPTIONS),
    "colours": st.sampled_from(OPTIONS),
}
PARTS = {"moment": "day", "at": "minute"}
_EQUAL, _ORDER, _LISTS = ["equal", "notEqual"], ["less", "atMost", "more", "atLeast"], ["in", "notIn"]
_TEXT_METHODS = ["contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith"]
_SIZES, _PERIODS, _YEARS = ["minSize", "maxSize"], ["lastDays", "nextDays"], ["yearsAtLeast", "yearsUnder"]
_DAYS = [*_EQUAL, *_ORDER, *_PERIODS, *_YEARS]
OPERATORS = {
    "note": [*_EQUAL, *_TEXT_METHODS, *_LISTS, "other", *_SIZES],
    "count": [*_EQUAL, *_ORDER, *_LISTS, "other"],
    "price": [*_EQUAL, *_ORDER, *_LISTS, "other"],
    "agreed": _EQUAL,
    "start": _DAYS,
    "moment": _DAYS,
    "at": [*_EQUAL, *_ORDER],
    "colour": [*_EQUAL, *_LISTS, "other"],
    "colours": ["includes", "notIncludes", *_SIZES],
    "photos": _SIZES,
    "signed": [],
    "place": [],
    "items": _SIZES,
}
_ANSWERED = ["answered", "unanswered"]


@st.composite
def _rows(draw: st.DrawFn) -> Row:
    name = draw(st.sampled_from(sorted(OPERATORS)))
    operator = draw(st.sampled_from([*OPERATORS[name], *_ANSWERED]))
    row: Row = {"name": name, "operator": operator}
    if operator in _ANSWERED:
        return row
    if operator in (*_SIZES, *_PERIODS, *_YEARS):
        row["value"] = {"integer": draw(_COUNT)}
    elif operator in _LISTS:
        row["value"] = draw(st.lists(_VALUES[name], min_size=1, max_size=3))
    else:
        row["value"] = draw(_VALUES[name])
    is_part = name in PARTS and operator not in _YEARS
    return row | ({"part": PARTS[name]} if is_part else {})


rows = _rows()


@st.composite
def _conditions(draw: st.DrawFn) -> dict[str, Any]:
    groups = st.lists(rows, min_size=2, max_size=3).map(lambda found: {"rows": found})
    items = draw(st.lists(st.one_of(rows, rows, groups), min_size=1, max_size=4))
    if len(items) > 1:
        return {"join": draw(st.sampled_from(["all", "any"])), "items": items}
    # One condition alone has nothing to be joined with.
    return {"join": "all", "items": items[:1] if "rows" not in items[0] else items[0]["rows"][:1]}


conditions = _conditions()

_FITTING: dict[str, SearchStrategy[Any]] = {
    "note": _TEXT,
    "count": _WHOLE,
    "price": _DECIMAL,
    "agreed": st.booleans(),
    "start": _DAY,
    "moment": st.tuples(_DAY, _TIME).map(lambda when: f"{when[0]}T{when[1]}:59+02:00"),
    "at": st.tuples(_TIME, st.sampled_from(["", ":00", ":30"])).map("".join),
    "colour": st.sampled_from(OPTIONS),
    "colours": st.lists(st.sampled_from(OPTIONS), unique=True, max_size=3),
    "photos": st.lists(st.sampled_from(["f1", "f2", "f3"]), unique=True),
    "signed": st.just("f1"),
    "place": st.just({"latitude": 1.5, "longitude": 2}),
    "items": st.lists(st.just({"title": "x"}), max_size=3),
}
_NONE = st.sampled_from([None, "", [], {}])
answers: SearchStrategy[Answers] = st.fixed_dictionaries(
    {}, optional={name: fitting | _NONE for name, fitting in _FITTING.items()}
)


def says(found: dict[str, Any], given: Answers) -> bool:
    """Return whether the conditions are true, as people read them."""
    join, other = (all, any) if found["join"] == "all" else (any, all)
    return join(
        other(_is_true(row, given) for row in item["rows"]) if "rows" in item else _is_true(item, given)
        for item in found["items"]
    )


def _is_true(row: Row, given: Answers) -> bool:
    answer, operator = given.get(row["name"]), row["operator"]
    is_answered = answer not in (None, "", [], {})
    if operator in _ANSWERED:
        return is_answered is (operator == "answered")
    positive = operator.removeprefix("not")
    is_negative = positive != operator
    if is_negative:
        operator = positive[0].lower() + positive[1:]
    return is_negative if not is_answered else _compare(row, answer, operator) is not is_negative


def _compare(row: Row, answer: Any, operator: str) -> bool:
    value = row["value"]
    answer = {"day": answer[:10], "minute": answer[:5]}[row["part"]] if "part" in row else answer
    match operator:
        case "in":
            return answer in [_plain(one) for one in value]
        case "includes":
            return value in answer
        case "minSize" | "maxSize":
            return len(answer) >= value["integer"] if operator == "minSize" else len(answer) <= value["integer"]
        case "lastDays" | "nextDays":
            days = (date.fromisoformat(answer) - TODAY).days
            return 0 <= (days if operator == "nextDays" else -days) <= value["integer"]
        case "yearsAtLeast" | "yearsUnder":
            return (_age(answer[:10]) >= value["integer"]) is (operator == "yearsAtLeast")
        case "contains" | "startsWith" | "endsWith":
            return bool({"contains": value in answer}.get(operator, getattr(answer, operator.lower(), bool)(value)))
    plain = _plain(value)
    return {
        "equal": answer == plain,
        "other": answer != plain,
        "less": answer < plain,
        "atMost": answer <= plain,
        "more": answer > plain,
        "atLeast": answer >= plain,
    }[operator]


def _plain(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return str(TODAY + timedelta(value["today"])) if "today" in value else next(iter(value.values()))


def _age(day: str) -> int:
    """Return the full years since a day, negative if it is in the future."""
    first, last = sorted((date.fromisoformat(day), TODAY))
    years = last.year - first.year - ((last.month, last.day) < (first.month, first.day))
    return years if first != TODAY else -years
