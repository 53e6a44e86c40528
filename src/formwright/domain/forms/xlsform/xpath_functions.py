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
from formwright.domain.forms.xlsform.type_coercion import as_double, needs_of, presence, quote_cel

PresentFields = frozenset[str]
RowKinds = Mapping[str, tuple[str, str]]
"""The repeat and the kind of each field in a repeat."""


@dataclass(frozen=True, slots=True)
class RowScope:
    """The fields in repeats that a rule can read: those in rows `inside` repeats, seen from outside, and its `own`, in
    other rows of the repeats around it. If it is evaluated row by row, it sees the rows before its own only.
    """

    inside: RowKinds = field(default_factory=dict)
    own: RowKinds = field(default_factory=dict)
    is_row_by_row: bool = False


class Translator(Protocol):
    """Translates the arguments of a function."""

    rows: RowScope

    def value(self, node: Node, present: PresentFields) -> Code:
        """Translate an expression with a value."""

    def as_text(self, node: Node, present: PresentFields) -> Code:
        """Translate to a text, which is empty if the answer is missing."""

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


def date_difference(left: Code, right: Code) -> Code:
    """Translate the subtraction of two dates, which is a number of days."""
    needs, partial = needs_of(left, right), left.partial or right.partial
    if left.kind == right.kind == "datetime":
        text = f"double(int(timestamp({left.text})) - int(timestamp({right.text}))) / 86400.0"
        return Code(f"({text})", "double", ATOM, needs, partial=partial)
    return Code(f"daysBetween({right.text}, {left.text})", "int", ATOM, needs, partial=partial)


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
    _expect(not digits or digits[0].kind == "int", "the digits of round() are not a whole number")
    return _call("round", "double", as_double(number), *digits)


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


def _numbers(
    translator: Translator, args: tuple[Node, ...], present: PresentFields, count: int | None = None
) -> list[Code]:
    _expect(bool(args) and count in (None, len(args)), "the number of arguments is wrong")
    found = [translator.value(arg, present) for arg in args]
    _expect(all(one.kind in NUMBERS for one in found), "an argument is not a number")
    return found


def _distance(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """The length of a line, the perimeter of an area, or the distance along several points."""
    found = [translator.value(arg, present) for arg in args]
    if len(found) == 1 and found[0].kind in ("line", "area"):
        return _call("distance" if found[0].kind == "line" else "perimeter", "double", *found)
    _expect(len(found) > 1 and all(one.kind == "place" for one in found), "distance() needs a line, an area or points")
    text = f"distance([{', '.join(one.text for one in found)}])"
    return Code(text, "double", ATOM, needs_of(*found), partial=any(one.partial for one in found))


def _area(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    found = [translator.value(arg, present) for arg in args]
    _expect(len(found) == 1 and found[0].kind in ("line", "area"), "area() needs an area or a line")
    return _call("area", "double", *found)


def _sum(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    repeat, rows = _rows(translator, args, NUMBERS)
    return Code(f"(answered.{repeat} ? sum({rows}) : 0.0)", "double", ATOM)


def _extreme(name: str) -> Function:
    def translate(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
        if len(args) == 1:
            repeat, rows = _rows(translator, args, NUMBERS)
            return Code(f"{name}({rows})", "double", ATOM, frozenset({repeat}), partial=True)
        found = [as_double(one) for one in _numbers(translator, args, present)]
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
    if len(args) == 2:
        repeat, rows = _rows(translator, args[1:], TEXTS)
        text = f"(answered.{repeat} ? {rows}.join({between.text}) : '')"
        return Code(text, "text", ATOM, between.needs)
    parts = [translator.as_text(arg, present) for arg in args[1:]]
    text = f"[{', '.join(one.text for one in parts)}].join({between.text})"
    return Code(text, "text", ATOM, needs_of(between, *parts))


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


def _selected_at(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Name(name), Number(place)) if translator.kind(name) == "choices" and place.isdecimal():
            return Code(f"{name}[{place}]", "choice", ATOM, frozenset({name}), partial=True)
    raise Untranslatable("selected-at() is only supported with a multiple choice and a number")


def _format_date(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (given, Text(pattern)):
            day = translator.value(given, present)
            _expect(day.kind in ("date", "datetime"), "format-date() is only supported with dates")
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
        _expect(which in parts, f"the format %{which} is not supported")
        pieces += [quote_cel(literal)] if literal else []
        literal, text = "", f"{day}.substring({parts[which][0]}, {parts[which][1]})"
        pieces.append(f"string(int({text}))" if which in _UNPADDED else text)
    return pieces + ([quote_cel(literal)] if literal or not pieces else [])


def _decimal_date(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """The days since 1970. They are only supported in differences, which do not depend on the time zone."""
    _expect(len(args) == 1, "decimal-date-time() needs one argument")
    found = translator.value(args[0], present)
    _expect(found.kind in ("date", "datetime"), "decimal-date-time() is only supported with dates")
    return found


def _date(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    match args:
        case (Text(literal),) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", literal):
            return Code(quote_cel(literal), "date", ATOM)
        case (Binary("+" | "-" as op, start, shift),):
            day, days = translator.value(start, present), translator.value(shift, present)
            _expect((day.kind, days.kind) == ("date", "int"), "date() is only supported with a date and whole days")
            moved = days if op == "+" else Code(f"-({days.text})", "int", ATOM, days.needs, partial=days.partial)
            return _call("addDays", "date", day, moved)
        case (Name() | Call(),):
            day = translator.value(args[0], present)
            if day.kind == "datetime":
                return Code(f"{day.parenthesize(ATOM)}.substring(0, 10)", "date", ATOM, day.needs, partial=day.partial)
            _expect(day.kind == "date", "date() is only supported with dates")
            return day
    raise Untranslatable("date() is only supported with dates")


def _choice_label(translator: Translator, args: tuple[Node, ...], present: PresentFields) -> Code:
    """Look a text up in a table. The arguments are the key, and each key of the table with its text."""
    key, *texts = args
    words = [quote_cel(text.value) for text in texts if isinstance(text, Text)]
    pairs = ", ".join(f"{value}: {label}" for value, label in zip(words[::2], words[1::2], strict=True))
    found = translator.value(key, present)
    _expect(found.kind in (*TEXTS, "int"), "a key is neither a text nor a whole number")
    text = found.text if found.kind in TEXTS else f"string({found.text})"
    # The options of a choice are all in the table.
    partial = not (isinstance(key, Name) and found.kind == "choice")
    return Code(f"{{{pairs}}}[{text}]", "text", ATOM, found.needs, partial=partial)


def _position(_translator: Translator, args: tuple[Node, ...], _present: PresentFields) -> Code:
    match args:
        case (Text(repeat),):
            return Code(f"position({repeat})", "int", ATOM)
    raise Untranslatable("position() is only supported for rows of a repeat around it")


_CASTS = {"int": "int", "double": "double", "bool": "bool"} | dict.fromkeys(TEXTS, "string")


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
            if name in translator.rows.inside:
                return Code(text, kind, ATOM, number.needs | {repeat}, partial=True)
            is_seen = _is_first_or_before(index, repeat) or not translator.rows.is_row_by_row
            _expect(is_seen, "it reads a row that may come after its own")
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


def _expect(holds: bool, reason: str) -> None:
    if not holds:
        raise Untranslatable(reason)


FUNCTIONS: Mapping[str, Function] = {
    "today": _today, "now": _now, "distance": _distance, "area": _area,
    "round": _round, "abs": _abs, "pow": _pow, "sqrt": _sqrt, "sum": _sum,
    "min": _extreme("min"), "max": _extreme("max"), "join": _join, "substr": _substr, "translate": _translate,
    "normalize-space": _normalize_space, "selected-at": _selected_at, "format-date": _format_date,
    CHOICE_LABEL: _choice_label, CHOICE_NUMBER: _choice_number, "format-date-time": _format_date,
    "decimal-date-time": _decimal_date, "date": _date,
    CHOICE_POINTS: _points, "position": _position, "indexed-repeat": _indexed_repeat,
}  # fmt: skip
