"""Dates as numbers: XPath's `decimal-date-time` is the days since 1970 with the time of the day."""

from collections.abc import Callable

from formwright.domain.forms.xlsform.syntax_tree import ATOM, SUM, Binary, Call, Code, Node, Number, Text
from formwright.domain.forms.xlsform.type_coercion import needs_of
from formwright.domain.forms.xlsform.xpath_operations import require_complete

Value = Callable[[Node], Code]
"""Translates an expression with a value."""


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
