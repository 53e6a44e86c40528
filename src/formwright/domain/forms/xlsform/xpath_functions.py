"""Translates the functions of XForms that CEL has no operator for: numbers, texts, dates, and the rows of a repeat."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from formwright.domain.forms.xlsform.syntax_tree import (
    ATOM,
    NUMBERS,
    SUM,
    TEXTS,
    Binary,
    Call,
    Code,
    Name,
    Node,
    Number,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.type_coercion import (
    DATES,
    DAYS,
    as_day,
    as_double,
    day_number,
    needs_of,
    presence,
    quote_cel,
)

PresentFields = frozenset[str]
RowKinds = Mapping[str, tuple[str, str]]
"""The repeat and the kind of each field in a repeat."""


@dataclass(frozen=True, slots=True)
class RowNode:
    """A question, group or repeat as `count()` sees it: the repeats around it, itself included if it is one, without
    those that also contain the rule. `is_around`: it is a repeat that contains the rule.
    """

    repeats: tuple[str, ...]
    kind: str
    is_around: bool = False


@dataclass(frozen=True, slots=True)
class RowScope:
    """The fields in repeats that a rule can read: those in rows `inside` repeats, seen from outside, and its `own`, in
    other rows of the repeats around it. If it is evaluated row by row, it sees the rows before its own only. `nodes`
    are what it can count; `is_initial`: it is evaluated once, for an initial answer.
    """

    inside: RowKinds = field(default_factory=dict)
    own: RowKinds = field(default_factory=dict)
    is_row_by_row: bool = False
    nodes: Mapping[str, "RowNode"] = field(default_factory=dict)
    is_initial: bool = False


class Translator(Protocol):
    """Translates the arguments of a function."""

    rows: RowScope

    def value(self, node: Node, present: PresentFields) -> Code:
        """Translate an expression with a value."""

    def as_text(self, node: Node, present: PresentFields) -> Code:
        """Translate to a text, which is empty if the answer is missing."""

    def number(self, node: Node, present: PresentFields) -> Code:
        """Translate to a number. A text that is none, or missing, becomes NaN."""

    def kind(self, name: str) -> str:
        """Return the kind of a field. Raises `Untranslatable` if it has no answer."""


Function = Callable[[Translator, tuple[Node, ...], PresentFields], Code]
_CAPITALS, _SMALL = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_DATE_PARTS = {"Y": (0, 4), "y": (2, 4), "m": (5, 7), "n": (5, 7), "d": (8, 10), "e": (8, 10)}
_TIME_PARTS = {"H": (11, 13), "h": (11, 13), "M": (14, 16), "S": (17, 19)}
CHOICE_LABEL = "jr:choice-name of"
"""The name of a call that has the labels of the choices as arguments. It cannot be written in a workbook."""
CHOICE_NUMBER = "number of choice"
"""The name of a call for the value of a choice whose options are all whole numbers."""
CHOICE_POINTS = "points of choice"
"""The name of a call for the points of a field."""
_UNPADDED = "neh"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_DAYS = "Sun Mon Tue Wed Thu Fri Sat"
MAX_DIGITS = 15
"""The most digits that `roundHalfUp` rounds to."""


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


def _call(name: str, kind: str, *args: Code) -> Code:
    text = f"{name}({', '.join(one.text for one in args)})"
    return Code(text, kind, ATOM, needs_of(*args), partial=any(one.partial for one in args))


def _today(_: Translator, args: tuple[Node, ...], __: PresentFields) -> Code:
    _expect(not args, "today() has no arguments")
    return Code("today()", "date", ATOM)


def _now(_: Translator, args: tuple[Node, ...], __: PresentFields) -> Code:
    _expect(not args, "now() has no arguments")
    return Code("now()", "datetime", ATOM)


def _round(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    _expect(len(args) in (1, 2), "round() needs one or two arguments")
    number, *digits = _numbers(translator, args, present)
    _expect(all(_is_number_of_digits(one) for one in args[1:]), "the digits of round() are no number from 0 to 15")
    return _call("roundHalfUp", "double", as_double(number), *digits)


def _is_number_of_digits(node: Node) -> bool:
    return isinstance(node, Number) and node.text.isdecimal() and int(node.text) <= MAX_DIGITS


def _abs(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    [number] = _numbers(translator, args, present, count=1)
    return _call("abs", number.kind, number)


def _pow(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    base, exponent = _numbers(translator, args, present, count=2)
    _expect(exponent.kind == "int", "pow() is only supported with whole exponents")
    return _call("pow", "double", as_double(base), exponent)


def _sqrt(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    [number] = _numbers(translator, args, present, count=1)
    return _call("sqrt", "double", as_double(number))


def _computed(name: str, count: int = 1, *, always: bool = True) -> Function:
    """Return a function of numbers. Unless it `always` has a value, it may be no number in XPath."""

    def translate(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
        found = _call(name, "double", *map(as_double, _numbers(translator, args, present, count=count)))
        return found if always else Code(found.text, found.kind, found.level, found.needs, partial=True)

    return translate


def _pi(_: Translator, args: tuple[Node, ...], __: PresentFields) -> Code:
    _expect(not args, "pi() has no arguments")
    return Code("3.141592653589793", "double", ATOM)


def _numbers(
    translator: Translator, args: tuple[Node, ...], present: PresentFields, count: int | None = None
) -> list[Code]:
    _expect(bool(args) and count in (None, len(args)), "the number of arguments is wrong")
    return [translator.number(arg, present) for arg in args]


def _distance(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """The length of a line, the perimeter of an area, or the distance along several points."""
    found = [translator.value(arg, present) for arg in args]
    if len(found) == 1 and found[0].kind in ("line", "area"):
        return _measure("distance" if found[0].kind == "line" else "perimeter", found[0], present)
    _expect(len(found) > 1 and all(one.kind == "place" for one in found), "distance() needs a line, an area or points")
    text = f"[{', '.join(one.text for one in found)}]"
    points = Code(text, "line", ATOM, needs_of(*found), partial=any(one.partial for one in found))
    return _measure("distance", points, present)


def _area(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    found = [translator.value(arg, present) for arg in args]
    _expect(len(found) == 1 and found[0].kind in ("line", "area"), "area() needs an area or a line")
    return _measure("area", found[0], present)


def _measure(name: str, shape: Code, present: PresentFields) -> Code:
    """Measure a shape. Missing ones have no length and no area."""
    missing = " && ".join(presence(one) for one in sorted(shape.needs - present))
    if not missing:
        return _call(name, "double", shape)
    return Code(f"({missing} ? {name}({shape.text}) : 0.0)", "double", ATOM)


def _sum(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Name(name),) if (node := translator.rows.nodes.get(name)) and len(node.repeats) == 2:
            _expect(node.kind in NUMBERS, "the answers in the rows have another type")
            outer, inner = node.repeats
            rows = f"{outer}.filter(r, has(r.{inner})).map(r, sum(r.{inner}.filter(s, has(s.{name})).map(s, s.{name})))"
            return Code(f"(answered.{outer} ? sum({rows}) : 0.0)", "double", ATOM)
    repeat, rows = _rows(translator, args, NUMBERS)
    return Code(f"(answered.{repeat} ? sum({rows}) : 0.0)", "double", ATOM)


def _extreme(name: str) -> Function:
    def translate(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
        if len(args) == 1:
            repeat, rows = _rows(translator, args, NUMBERS)
            return Code(f"{name}({rows})", "double", ATOM, frozenset({repeat}), partial=True)
        found = [translator.value(arg, present) for arg in args]
        _expect(bool(found) and all(one.kind in NUMBERS for one in found), "an argument is not a number")
        found = [as_double(one) for one in found]
        _expect(not any(one.partial for one in found), "an argument might be missing")
        if not needs_of(*found) - present:
            return Code(f"{name}([{', '.join(one.text for one in found)}])", "double", ATOM, needs_of(*found))
        # Missing answers do not count.
        parts = [_optional_item(one, present) for one in found]
        return Code(f"{name}({' + '.join(parts)})", "double", ATOM, partial=True)

    return translate


def _optional_item(code: Code, present: PresentFields) -> str:
    """Write a list with a value, or without it if it is missing."""
    missing = " && ".join(presence(name) for name in sorted(code.needs - present))
    return f"({missing} ? [{code.text}] : [])" if missing else f"[{code.text}]"


def _rows(translator: Translator, args: tuple[Node, ...], kinds: tuple[str, ...]) -> tuple[str, str]:
    """Return the repeat that contains the field in `args`, and the list of the answers in its rows."""
    match args:
        case (Name(name),) if name in translator.rows.inside:
            repeat, kind = translator.rows.inside[name]
            _expect(kind in kinds, "the answers in the rows have another type")
            return repeat, f"{repeat}.filter(r, has(r.{name})).map(r, r.{name})"
    raise Untranslatable("it is only supported with a field in a repeat, from outside of it")


def _join(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    _expect(len(args) > 1, "join() needs at least two arguments")
    between = translator.as_text(args[0], present)
    if len(args) == 2 and isinstance(args[1], Name) and args[1].name in translator.rows.inside:
        return join_rows(translator, args[1].name, between)
    parts = [translator.as_text(arg, present) for arg in args[1:]]
    text = f"[{', '.join(one.text for one in parts)}].join({between.text})"
    return Code(text, "text", ATOM, needs_of(between, *parts))


def join_rows(translator: Translator, name: str, between: Code) -> Code:
    """Join the answers in the rows of a repeat. Missing ones are empty texts."""
    repeat, kind = translator.rows.inside[name]
    _expect(kind in (*TEXTS, "int"), "the answers in the rows have another type")
    value = f"r.{name}" if kind != "int" else f"string(r.{name})"
    value += ".substring(0, 10)" if kind == "datetime" else ""
    text = f"{repeat}.map(r, has(r.{name}) ? {value} : '').join({between.text})"
    return Code(f"(answered.{repeat} ? {text} : '')", "text", ATOM, between.needs)


def _count(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Count the questions, groups or repeats with a name that XPath finds from the rule."""
    node, name = _counted(translator, args)
    if node.is_around:
        return Code(f"rowCount({name})", "int", ATOM)
    match node.repeats:
        case ():
            return Code("1", "int", ATOM)
        case (repeat,):
            return Code(f"(answered.{repeat} ? size({repeat}) : 0)", "int", ATOM)
        case (outer, inner):
            sizes = f"{outer}.filter(r, has(r.{inner})).map(r, size(r.{inner}))"
            return Code(f"(answered.{outer} ? int(sum({sizes})) : 0)", "int", ATOM)
    raise Untranslatable("count() is only supported in two levels of repeats")


def _count_non_empty(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    node, name = _counted(translator, args)
    if node.kind in ("rows", "") or node.is_around:
        return _count(translator, args, present)
    match node.repeats:
        case ():
            return Code("1" if name in present else f"({presence(name)} ? 1 : 0)", "int", ATOM)
        case (repeat,):
            return Code(f"(answered.{repeat} ? size({repeat}.filter(r, has(r.{name}))) : 0)", "int", ATOM)
        case (outer, inner):
            sizes = f"{outer}.filter(r, has(r.{inner})).map(r, size(r.{inner}.filter(s, has(s.{name}))))"
            return Code(f"(answered.{outer} ? int(sum({sizes})) : 0)", "int", ATOM)
    raise Untranslatable("count-non-empty() is only supported in two levels of repeats")


def _counted(translator: Translator, args: tuple[Node, ...]) -> tuple[RowNode, str]:
    match args:
        case (Name(name),) if name in translator.rows.nodes:
            return translator.rows.nodes[name], name
    raise Untranslatable("only questions, groups and repeats can be counted")


def _substr(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    _expect(len(args) in (2, 3), "substr() needs two or three arguments")
    on = translator.as_text(args[0], present)
    bounds = _numbers(translator, args[1:], present)
    _expect(all(one.kind == "int" and not one.text.startswith("-") for one in bounds), "a position is not supported")
    text = f"{on.parenthesize(ATOM)}.substring({', '.join(one.text for one in bounds)})"
    return Code(text, "text", ATOM, needs_of(on, *bounds), partial=any(one.partial for one in bounds))


def _normalize_space(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    _expect(len(args) == 1, "normalize-space() is only supported with one argument")
    on = translator.as_text(args[0], present)
    return Code(f"{on.parenthesize(ATOM)}.normalizeSpace()", "text", ATOM, on.needs)


def _translate(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (_, Text(before), Text(after)):
            on = translator.as_text(args[0], present).parenthesize(ATOM)
            needs = translator.as_text(args[0], present).needs
            if (before, after) in ((_CAPITALS, _SMALL), (_SMALL, _CAPITALS)):
                return Code(f"{on}.{'lower' if after == _SMALL else 'upper'}Ascii()", "text", ATOM, needs)
            _expect(not set(before) & set(after) and 0 < len(before) <= 10, "these characters cannot be replaced")
            for letter in dict.fromkeys(before):
                made = after[before.index(letter)] if before.index(letter) < len(after) else ""
                on += f".replace({quote_cel(letter)}, {quote_cel(made)})"
            return Code(on, "text", ATOM, needs)
    raise Untranslatable("translate() is only supported with literal characters")


_COORDINATES = {
    "0": "{0}.latitude",
    "1": "{0}.longitude",
    "3": "(has({0}.accuracy) ? {0}.accuracy : 0.0)",  # ODK writes 0 for a point without it.
}
"""The parts of a location by their place in its text. Its altitude is not recorded here."""


def _selected_at(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Name(name), Number(place)) if translator.kind(name) == "place" and place in _COORDINATES:
            return Code(_COORDINATES[place].format(name), "double", ATOM, frozenset({name}))
        case (Name(name), index) if (kind := translator.kind(name)) in ("choices", "text", "choice"):
            words = name if kind == "choices" else f"{name}.words()"
            at = _index(translator, index, present)
            result = "choice" if kind == "choices" else "text"
            return Code(f"{words}[{at.text}]", result, ATOM, at.needs | {name}, partial=True)
        case (Text(words), index) if words.split():
            at = _index(translator, index, present)
            return Code(f"{_quote_list(words)}[{at.text}]", "text", ATOM, at.needs, partial=True)
    raise Untranslatable("selected-at() is only supported with a text, or an answer that is a choice or a text")


def _index(translator: Translator, node: Node, present: PresentFields) -> Code:
    """Translate a position in a list. The one of a missing number is 0."""
    found = translator.number(node, present)
    text = found.text if found.kind == "int" else f"int({found.text})"
    if missing := " && ".join(presence(name) for name in sorted(found.needs - present)):
        return Code(f"({missing} ? {text} : 0)", "int", ATOM)
    return Code(text, "int", found.level if found.kind == "int" else ATOM, found.needs)


def _format_date(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (given, Text(pattern)):
            day = translator.value(given, present)
            _expect(day.kind in DATES, "format-date() is only supported with dates")
            parts = _DATE_PARTS | (_TIME_PARTS if day.kind == "datetime" else {})
            pieces = _date_pieces(pattern, day.parenthesize(ATOM), parts)
            return Code(f"({' + '.join(pieces)})", "text", ATOM, day.needs, partial=day.partial)
    raise Untranslatable("format-date() is only supported with a literal format")


def _date_pieces(pattern: str, day: str, parts: Mapping[str, tuple[int, int]]) -> list[str]:
    pieces, literal, letters = [], "", iter(pattern)
    for letter in letters:
        if letter != "%":
            literal += letter
            continue
        which = next(letters, "")
        _expect(which in parts or which in _NAMED, f"the format %{which} is not supported")
        pieces += [quote_cel(literal)] if literal else []
        literal = ""
        pieces.append(_NAMED[which](day) if which in _NAMED else _date_part(day, which, parts[which]))
    return pieces + ([quote_cel(literal)] if literal or not pieces else [])


def _date_part(day: str, which: str, bounds: tuple[int, int]) -> str:
    text = f"{day}.substring({bounds[0]}, {bounds[1]})"
    return f"string(int({text}))" if which in _UNPADDED else text


def _month_name(day: str) -> str:
    return f"{_quote_list(_MONTHS)}[int({day}.substring(5, 7)) - 1]"


def _day_name(day: str) -> str:
    """Return the name of the day of the week. The first day of 1970 was a Thursday."""
    return f"{_quote_list(_DAYS)}[((daysBetween('1970-01-01', {day}) + 4) % 7 + 7) % 7]"


def _quote_list(words: str) -> str:
    return f"[{', '.join(map(quote_cel, words.split()))}]"


_NAMED: Mapping[str, Callable[[str], str]] = {"b": _month_name, "a": _day_name}


def _decimal_date(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """The days since 1970, with the time of the day as a fraction."""
    _expect(len(args) == 1, "decimal-date-time() needs one argument")
    found = translator.value(args[0], present)
    _expect(found.kind in DATES, "decimal-date-time() is only supported with dates")
    if found.kind != "datetime":
        return Code(found.text, DAYS, found.level, found.needs, partial=found.partial)
    text = f"(double(int(timestamp({found.text}))) / 86400.0)"
    return Code(text, "double", ATOM, found.needs, partial=found.partial)


def _date(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Text(literal),) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", literal):
            return Code(quote_cel(literal), "date", ATOM)
        case (Name() | Call() | Binary(),):
            found = translator.value(args[0], present)
            if found.kind in DATES:
                return as_day(found)
            _expect(found.kind in NUMBERS, "date() is only supported with dates and days since 1970")
            days = found.text if found.kind == "int" else f"int({found.text})"
            return Code(f"addDays('1970-01-01', {days})", "date", ATOM, found.needs, partial=found.partial)
    raise Untranslatable("date() is only supported with dates")


def _date_time(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    found = [translator.value(arg, present) for arg in args]
    _expect(len(found) == 1 and found[0].kind in DATES, "date-time() is only supported with a date or a date and time")
    return as_day(found[0]) if found[0].kind == DAYS else found[0]


def _choice_label(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Look a text up in a table. The arguments are the key, and each key of the table with its text."""
    key, *texts = args
    pairs = ", ".join(
        f"{_table_text(translator, value, present)}: {_table_text(translator, label, present)}"
        for value, label in zip(texts[::2], texts[1::2], strict=True)
    )
    found = translator.value(key, present)
    _expect(found.kind in (*TEXTS, "int"), "a key is neither a text nor a whole number")
    text = found.text if found.kind in TEXTS else f"string({found.text})"
    # The options of a choice are all in the table.
    partial = not (isinstance(key, Name) and found.kind == "choice")
    return Code(f"{{{pairs}}}[{text}]", "text", ATOM, found.needs, partial=partial)


def _table_text(translator: Translator, text: Node, present: PresentFields) -> str:
    """Translate a key or text of a table. Texts with answers never fail, because missing ones are empty."""
    if isinstance(text, Text):
        return quote_cel(text.value)
    found = translator.value(text, present)
    _expect(found.kind == "text" and not found.partial and found.needs <= present, "a text of a table might be missing")
    return found.text


def _position(_translator: Translator, args: tuple[Node, ...], _present: PresentFields) -> Code:
    match args:
        case (Text(repeat),):
            return Code(f"position({repeat})", "int", ATOM)
    raise Untranslatable("position() is only supported for rows of a repeat around it")


_CASTS = {"int": "int", "double": "double", "bool": "bool", "choices": ""} | dict.fromkeys(TEXTS, "string")


def _indexed_repeat(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Read an answer in the row with a number. There is none if there are not that many rows."""
    match args:
        case (Name(name), Name(repeat), index):
            found = translator.rows.inside.get(name) or translator.rows.own.get(name)
            _expect(
                found is not None and found[0] == repeat, "indexed-repeat() does not refer to a field of the repeat"
            )
            kind, number = found[1] if found else "", translator.value(index, present)
            _expect(kind in _CASTS and number.kind == "int", "indexed-repeat() needs a whole number and one answer")
            text = f"{_CASTS[kind]}({repeat}[{number.parenthesize(SUM)} - 1].{name})"
            if kind == "choices" and name in translator.rows.inside:
                text, kind = f"{repeat}[{number.parenthesize(SUM)} - 1].{name}.join(' ')", "text"
            if name in translator.rows.inside:
                return Code(text, kind, ATOM, number.needs | {repeat}, partial=True)
            is_seen = _is_first_or_before(index, repeat) or not translator.rows.is_row_by_row
            _expect(is_seen, "it reads a row that may come after its own")
            _expect(kind != "choices", "indexed-repeat() needs one answer")
            # In the first row, the row before it is the same one.
            return Code(f"(position({repeat}) > 1 ? {text} : {name})", kind, ATOM, partial=True)
    raise Untranslatable("indexed-repeat() is only supported with one repeat")


def _is_first_or_before(index: Node, repeat: str) -> bool:
    """Whether a number is that of the first row, or of the row before the current one."""
    return index in (Number("1"), Binary("-", Call("position", (Text(repeat),)), Number("1")))


def _choice_number(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    [found] = [translator.value(arg, present) for arg in args]
    return Code(f"int({found.text})", "int", ATOM, found.needs)


def _points(_translator: Translator, args: tuple[Node, ...], _present: PresentFields) -> Code:
    """A missing answer has no points, so nothing is needed."""
    [name] = [arg.name for arg in args if isinstance(arg, Name)]
    return Code(f"points({name})", "double", ATOM)


def _random(translator: Translator, args: tuple[Node, ...], _present: PresentFields) -> Code:
    return _draw(translator, "random", "double", args)


def _uuid(translator: Translator, args: tuple[Node, ...], _present: PresentFields) -> Code:
    return _draw(translator, "uuid", "text", args)


def _draw(translator: Translator, name: str, kind: str, args: tuple[Node, ...]) -> Code:
    """Translate a function with another value each time, which rules for initial answers have."""
    _expect(not args, f"{name}() is only supported without arguments")
    _expect(translator.rows.is_initial, f"{name}() is only supported in a default or in once()")
    return Code(f"{name}()", kind, ATOM)


def _expect(holds: bool, reason: str) -> None:
    if not holds:
        raise Untranslatable(reason)


FUNCTIONS: Mapping[str, Function] = {
    "today": _today, "now": _now, "distance": _distance, "area": _area, "enclosed-area": _area,
    "round": _round, "abs": _abs, "pow": _pow, "sqrt": _sqrt, "sum": _sum,
    "sin": _computed("sin"), "cos": _computed("cos"), "tan": _computed("tan"), "atan": _computed("atan"),
    "asin": _computed("asin", always=False), "acos": _computed("acos", always=False), "pi": _pi,
    "atan2": _computed("atan2", 2), "exp": _computed("exp"), "log": _computed("log", always=False),
    "log10": _computed("log10", always=False),
    "min": _extreme("min"), "max": _extreme("max"), "join": _join, "substr": _substr, "translate": _translate,
    "normalize-space": _normalize_space, "selected-at": _selected_at, "format-date": _format_date,
    CHOICE_LABEL: _choice_label, CHOICE_NUMBER: _choice_number, "format-date-time": _format_date,
    "decimal-date-time": _decimal_date, "date": _date, "date-time": _date_time,
    "random": _random, "uuid": _uuid, "count": _count, "count-non-empty": _count_non_empty,
    CHOICE_POINTS: _points, "position": _position, "indexed-repeat": _indexed_repeat,
}  # fmt: skip
