"""Translates the functions of XForms for dates and times."""

import re
from collections.abc import Callable, Mapping

from formwright.domain.forms.xlsform.function_calls import Function, PresentFields, Translator, expect
from formwright.domain.forms.xlsform.syntax_tree import (
    ATOM,
    NUMBERS,
    Binary,
    Call,
    Code,
    Name,
    Node,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.tree_tests import contains
from formwright.domain.forms.xlsform.type_coercion import (
    DATES,
    DAYS,
    as_day,
    as_double,
    day_number,
    needs_of,
    quote_cel,
    quote_list,
)

_DATE_PARTS = {"Y": (0, 4), "y": (2, 4), "m": (5, 7), "n": (5, 7), "d": (8, 10), "e": (8, 10)}
_TIME_PARTS = {"H": (0, 2), "h": (0, 2), "M": (3, 5), "S": (6, 8)}
_MIDNIGHT = {"H": "00", "h": "0", "M": "00", "S": "00", "3": "000"}
_UNPADDED = "neh"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_DAYS = "Sun Mon Tue Wed Thu Fri Sat"


def decimal_difference(translator: Translator, op: str, left: Node, right: Node, present: PresentFields) -> Code | None:
    """Translate the difference of two calls of `decimal-date-time()`, one of which has a time. None for others.

    Between a date, which is a midnight on the device, and a time there, the clock of the device counts.
    """
    match op, left, right:
        case "-", Call("decimal-date-time", (end,)), Call("decimal-date-time", (start,)):
            sides = translator.value(end, present), translator.value(start, present)
        case _:
            return None
    kinds = [side.kind for side in sides]
    if "datetime" not in kinds or not set(kinds) <= set(DATES):
        return None
    needs, partial = needs_of(*sides), any(side.partial for side in sides)
    if kinds == ["datetime", "datetime"]:
        seconds = " - ".join(f"int(timestamp({side.text}))" for side in sides)
        return Code(f"(double({seconds}) / 86400.0)", "double", ATOM, needs, partial=partial)
    first, second = (_local_days(side) for side in sides)
    return Code(f"({first} - {second})", "double", ATOM, needs, partial=partial)


def _local_days(code: Code) -> str:
    if code.kind != "datetime":
        return f"double({day_number(code).text})"
    return f"double(int(timestamp({code.parenthesize(ATOM)}.substring(0, 19) + 'Z'))) / 86400.0"


def _today(_: Translator, args: tuple[Node, ...], __: PresentFields) -> Code:
    expect(not args, "today() has no arguments")
    return Code("today()", "date", ATOM)


def _now(_: Translator, args: tuple[Node, ...], __: PresentFields) -> Code:
    expect(not args, "now() has no arguments")
    return Code("now()", "datetime", ATOM)


def _format_date(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (given, Text(pattern)):
            day = translator.value(given, present)
            if day.kind in NUMBERS and contains(given, _is_decimal_date):
                day = _day_of(day, pattern)
            expect(day.kind in (*DATES, "time"), "format-date() is only supported with dates and times")
            pieces = _date_pieces(pattern, day)
            return Code(f"({' + '.join(pieces)})", "text", ATOM, day.needs, partial=day.partial)
    raise Untranslatable("format-date() is only supported with a literal format")


def _is_decimal_date(node: Node) -> bool:
    return isinstance(node, Call) and node.name == "decimal-date-time"


def _day_of(code: Code, pattern: str) -> Code:
    """Return the day of a moment that is a number of days since 1970."""
    has_time = any(f"%{part}" in pattern for part in _MIDNIGHT)
    expect(not has_time, "format-date() of a number is only supported without the time of the day")
    text = f"addDays('1970-01-01', int(floor({as_double(code).text})))"
    return Code(text, "date", ATOM, code.needs, partial=code.partial)


def _date_pieces(pattern: str, day: Code) -> list[str]:
    pieces, literal, letters = [], "", iter(pattern)
    for letter in letters:
        which = next(letters, "") if letter == "%" else "%"
        if which == "%" or (which in _MIDNIGHT and day.kind not in ("datetime", "time")):
            literal += letter if which == "%" else _MIDNIGHT[which]
            continue
        pieces += [quote_cel(literal)] if literal else []
        literal = ""
        pieces.append(_date_part(day, which))
    return pieces + ([quote_cel(literal)] if literal or not pieces else [])


def _date_part(code: Code, which: str) -> str:
    on, start = code.parenthesize(ATOM), 0 if code.kind == "time" else 11
    if which == "3":
        return f"({on}.substring({start + 8}, {start + 9}) == '.' ? {on}.substring({start + 9}, {start + 12}) : '000')"
    if which in _NAMED and code.kind != "time":
        return _NAMED[which](on)
    bounds = {} if code.kind == "time" else _DATE_PARTS
    bounds |= {part: (start + first, start + last) for part, (first, last) in _TIME_PARTS.items()}
    expect(which in bounds, f"the format %{which} is not supported")
    text = f"{on}.substring({bounds[which][0]}, {bounds[which][1]})"
    return f"string(int({text}))" if which in _UNPADDED else text


def _month_name(day: str) -> str:
    return f"{quote_list(_MONTHS)}[int({day}.substring(5, 7)) - 1]"


def _day_name(day: str) -> str:
    """Return the name of the day of the week. The first day of 1970 was a Thursday."""
    # The remainder of a negative number is negative in CEL, so days before 1970 need a second one.
    return f"{quote_list(_DAYS)}[((daysBetween('1970-01-01', {day}) + 4) % 7 + 7) % 7]"


_NAMED: Mapping[str, Callable[[str], str]] = {"b": _month_name, "a": _day_name}


def _decimal_date(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """The days since 1970, with the time of the day as a fraction."""
    expect(len(args) == 1, "decimal-date-time() needs one argument")
    found = translator.value(args[0], present)
    expect(found.kind in DATES, "decimal-date-time() is only supported with dates")
    if found.kind != "datetime":
        return Code(found.text, DAYS, found.level, found.needs, partial=found.partial)
    text = f"(double(int(timestamp({found.text}))) / 86400.0)"
    return Code(text, "double", ATOM, found.needs, partial=found.partial)


def _decimal_time(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """The time of the day as a fraction."""
    expect(len(args) == 1, "decimal-time() needs one argument")
    found = translator.value(args[0], present)
    expect(found.kind in ("time", "datetime"), "decimal-time() is only supported with times")
    on, start = found.parenthesize(ATOM), 11 if found.kind == "datetime" else 0
    hours, minutes = (f"int({on}.substring({at}, {at + 2}))" for at in (start, start + 3))
    seconds = f"(size({found.text}) > 5 ? int({on}.substring({start + 6}, {start + 8})) : 0)"
    text = f"(double({hours} * 3600 + {minutes} * 60 + {seconds}) / 86400.0)"
    return Code(text, "double", ATOM, found.needs, partial=found.partial)


def _date(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Text(literal),) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", literal):
            return Code(quote_cel(literal), "date", ATOM)
        case (Name() | Call() | Binary(),):
            found = translator.value(args[0], present)
            if found.kind in DATES:
                return as_day(found)
            expect(found.kind in NUMBERS, "date() is only supported with dates and days since 1970")
            days = found.text if found.kind == "int" else f"int({found.text})"
            return Code(f"addDays('1970-01-01', {days})", "date", ATOM, found.needs, partial=found.partial)
    raise Untranslatable("date() is only supported with dates")


def _date_time(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    found = [translator.value(arg, present) for arg in args]
    expect(len(found) == 1 and found[0].kind in DATES, "date-time() is only supported with a date or a date and time")
    return as_day(found[0]) if found[0].kind == DAYS else found[0]


DATE_FUNCTIONS: Mapping[str, Function] = {
    "today": _today, "now": _now, "format-date": _format_date, "format-date-time": _format_date,
    "decimal-date-time": _decimal_date, "decimal-time": _decimal_time, "date": _date, "date-time": _date_time,
}  # fmt: skip
