"""Dates as numbers: XPath's `decimal-date-time` is the days since 1970 with the time of the day. And parts of times,
whose texts are only a date in XPath.
"""

from collections.abc import Callable

from formwright.domain.forms.xlsform.syntax_tree import (
    ATOM,
    SUM,
    Binary,
    Call,
    Code,
    Node,
    Number,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.type_coercion import needs_of
from formwright.domain.forms.xlsform.xpath_operations import require_complete

Value = Callable[[Node], Code]
"""Translates an expression with a value."""


_FORMAT = ("%Y", "-", "%m", "-", "%d", "T", "%H", ":", "%M", ":", "%S")
_LENGTHS = {"%Y": 4, "%m": 2, "%d": 2, "%H": 2, "%M": 2, "%S": 2}
_START_OF_TIME = len("2026-11-28T")


def translate_date_part(node: Call, value: Value) -> Code | None:
    """Translate a part of a date and time, or of a time. None for parts of other texts."""
    on = value(node.args[0])
    if on.kind not in ("datetime", "time"):
        return None
    match node:
        case Call("substring", (_, Number("0"), Number("10"))) if on.kind == "datetime":
            return Code(f"date({require_complete(on).text})", "date", ATOM, on.needs)
        case Call("substring", (_, Number(first), Number(last))):
            start = _START_OF_TIME if on.kind == "time" else 0
            form = _format_of(start + int(first), start + int(last))
        case Call("substring", _):
            raise Untranslatable("it reads a part of a time")
        case _:
            form = "%3"
    return Code(f"format-date-time({require_complete(on).text}, '{form}')", "text", ATOM, on.needs)


def _format_of(first: int, last: int) -> str:
    """Return the format of what is between two places of a date and time."""
    at, form = 0, ""
    for part in _FORMAT:
        end = at + _LENGTHS.get(part, 1)
        if first <= at and end <= last:
            form += part
        elif first < end and at < last:
            raise Untranslatable("it reads a part of a time")
        at = end
    return form


def translate_decimal_date(node: Node, value: Value) -> Code | None:
    """Translate days since 1970 with the time of the day, or the difference of such numbers. None for others."""
    match node:
        case Binary("-", left, right):
            sides = translate_decimal_date(left, value), translate_decimal_date(right, value)
            return _subtract(*sides) if sides[0] and sides[1] else None
        case Call("double", (Call("daysBetween", (Text("1970-01-01"), day)),)):
            return _decimal(day, value)
        case Binary("/", Call("double", (Binary("-", left, right),)), Number("86400.0")):
            return _subtract(_decimal_seconds(left, value), _decimal_seconds(right, value))
        case Binary("/", Call("double", (Binary("+", Binary("+", hours, _), _),)), Number("86400.0")) if on := _time_of(
            hours
        ):
            time = require_complete(value(on))
            return Code(f"decimal-time({time.text})", "double", ATOM, time.needs)
        case Binary("/", Call("double", (seconds,)), Number("86400.0")):
            return _decimal_seconds(seconds, value)
    return None


def _time_of(hours: Node) -> Node | None:
    """Return the time whose hours these are, in seconds."""
    match hours:
        case Binary("*", Call("int", (Call("substring", (on, Number("0" | "11"), _)),)), Number("3600")):
            return on
    return None


def _decimal_seconds(seconds: Node, value: Value) -> Code | None:
    match seconds:
        case Call("int", (Call("timestamp", (Binary("+", Call("substring", (moment, *_)), Text("Z")),)),)):
            return _decimal(moment, value)
        case Call("int", (Call("timestamp", (moment,)),)):
            return _decimal(moment, value)
    return None


def _decimal(date: Node, value: Value) -> Code:
    on = require_complete(value(date))
    return Code(f"decimal-date-time({on.text})", "double", ATOM, on.needs)


def _subtract(left: Code | None, right: Code | None) -> Code | None:
    if not left or not right:
        return None
    return Code(f"{left.text} - {right.text}", "double", SUM, needs_of(left, right))
