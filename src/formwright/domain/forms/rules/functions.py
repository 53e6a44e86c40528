"""The functions that rules have in addition to those of CEL. `static/fill/rule_functions.js` has the same ones.

A function that raises has no value, so the rule fails. Everything is computed exactly or in a fixed order of
operations, so that the server and the page return the same bits.
"""

import hashlib
import math
import re
from base64 import b64encode
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Context, Decimal
from typing import Any

from formwright.domain.forms.fields import geodesy
from formwright.domain.forms.rules import trigonometry

_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:T.*)?", re.ASCII | re.DOTALL)
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
DIGESTS = {"MD5": "md5", "SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512"}
_NUMBER_SPACES = " \t\r\n"
_SPACES = re.compile(r"[ \t\r\n]+")
# A double has 15 significant decimal digits.
_MAX_DIGITS, _MAX_POWER, _MAX_SHIFT = 15, 1000, 10_000_000
_MIN_INT = -(2**63)
_EXACT = Context(prec=700)
"""Enough digits for any double."""
_UPPER = {ord(letter): letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}
_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


@dataclass(frozen=True, slots=True)
class Overload:
    """A function for arguments of these types. The first argument of a method is the value before the dot."""

    name: str
    arguments: tuple[str, ...]
    returns: str
    call: Callable[..., Any]
    is_method: bool = False


def _whole(round_: Callable[[float], int], value: float) -> float:
    """Round to a whole number. Zero keeps the sign of the value, as in IEEE 754."""
    if not math.isfinite(value):
        return value
    return float(round_(value)) or math.copysign(0.0, value)


def round_half_away(value: float, digits: int = 0) -> float:
    """Round the shortest decimal notation of the value, halves away from zero: 2.675 becomes 2.68."""
    if not 0 <= digits <= _MAX_DIGITS:
        raise ValueError("digits")
    if not math.isfinite(value):
        return value
    return float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _EXACT))


def round_half_up(value: float, digits: int = 0) -> float:
    """Like `round_half_away`, but halves become the greater number, as in XPath: -2.5 becomes -2. Zero has no sign."""
    if not 0 <= digits <= _MAX_DIGITS:
        raise ValueError("digits")
    if not math.isfinite(value):
        return value
    halves = ROUND_HALF_DOWN if value < 0 else ROUND_HALF_UP
    # Adding zero changes -0.0 to 0.0.
    return float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), halves, _EXACT)) + 0.0


def parse_number(text: str) -> float:
    """Return the number in a text as XPath reads it: with spaces around it or a decimal comma, but without an exponent.

    Other texts are not a number (NaN), which is neither less than nor equal to any number.
    """
    found = _NUMBER.fullmatch(text.strip(_NUMBER_SPACES).replace(",", "."))
    return float(found[0]) if found else math.nan


def power(base: float, exponent: int) -> float:
    """Multiply in a fixed order, because `**` rounds differently from one platform to the next."""
    if abs(exponent) > _MAX_POWER:
        raise ValueError("exponent")
    result, left = 1.0, abs(exponent)
    while left:
        if left & 1:
            result *= base
        left >>= 1
        if left:
            base *= base
    return 1.0 / result if exponent < 0 else result


def _absolute(value: int) -> int:
    if value == _MIN_INT:
        raise OverflowError
    return abs(value)


def _numbers(values: list[Any]) -> list[float]:
    if any(type(value) not in (int, float) for value in values):
        raise TypeError("numbers")
    return [float(value) for value in values]


def total(values: list[Any]) -> float:
    """Add the numbers in their order."""
    result = 0.0
    for value in _numbers(values):
        result += value
    return result


def _smallest(values: list[Any]) -> float:
    return _extreme(values, lambda one, other: one < other)


def _greatest(values: list[Any]) -> float:
    return _extreme(values, lambda one, other: one > other)


def _extreme(values: list[Any], wins: Callable[[float, float], bool]) -> float:
    first, *rest = _numbers(values)
    for value in rest:
        first = value if wins(value, first) else first
    return first


def _parse_day(text: str) -> date:
    found = _DAY.fullmatch(text)
    if found is None:
        raise ValueError("date")
    return date.fromisoformat(found[1])


def days_between(start: str, end: str) -> int:
    """Return the days from one date to another, negative if that is earlier."""
    return (_parse_day(end) - _parse_day(start)).days


def months_between(start: str, end: str) -> int:
    """Return the full months from one date to another, negative if that is earlier."""
    first, last = _parse_day(start), _parse_day(end)
    return -_full_months(last, first) if last < first else _full_months(first, last)


def _full_months(first: date, last: date) -> int:
    return (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)


def years_between(start: str, end: str) -> int:
    """Return the full years from one date to another, negative if that is earlier: the age of a person."""
    months = months_between(start, end)
    return -(-months // 12) if months < 0 else months // 12


def add_days(start: str, days: int) -> str:
    """Return the date that many days later."""
    if abs(days) > _MAX_SHIFT:
        raise OverflowError
    return (_parse_day(start) + timedelta(days=days)).isoformat()


def add_months(start: str, months: int) -> str:
    """Return the date that many months later; the last day of the month if it has no such day."""
    day = _parse_day(start)
    if abs(months) > _MAX_SHIFT:
        raise OverflowError
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    # Raises for years outside of 1 to 9999.
    first = date(year, month + 1, 1)
    return first.replace(day=min(day.day, monthrange(year, month + 1)[1])).isoformat()


def digest(text: str, algorithm: str, encoding: str) -> str:
    """Return the digest of a text in UTF-8, in `base64` or `hex`."""
    # MD5 is not available for security on systems in FIPS mode.
    found = hashlib.new(DIGESTS[algorithm], text.encode(), usedforsecurity=False).digest()
    return {"base64": lambda: b64encode(found).decode("ascii"), "hex": found.hex}[encoding]()


def _substring(text: str, start: int, end: int | None = None) -> str:
    return text[max(start, 0) : len(text) if end is None else max(end, 0)]


def _replace(text: str, old: str, new: str) -> str:
    if not old:
        raise ValueError("empty")
    return text.replace(old, new)


def _translate(text: str, old: str, new: str) -> str:
    """Replace each character of `old` by that at its place in `new`, or remove it, as XPath does."""
    table: dict[int, str | None] = {}
    for place, letter in enumerate(old):
        table.setdefault(ord(letter), new[place] if place < len(new) else None)
    return text.translate(table)


def _join(texts: list[Any], between: str) -> str:
    if any(type(text) is not str for text in texts):
        raise TypeError("texts")
    return between.join(texts)


def _words(text: str) -> list[str]:
    return [word for word in text.split(" ") if word]


OVERLOADS = (
    Overload("round", ("double",), "double", round_half_away),
    Overload("round", ("double", "int"), "double", round_half_away),
    Overload("roundHalfUp", ("double",), "double", round_half_up),
    Overload("roundHalfUp", ("double", "int"), "double", round_half_up),
    Overload("number", ("string",), "double", parse_number),
    Overload("floor", ("double",), "double", lambda value: _whole(math.floor, value)),
    Overload("ceil", ("double",), "double", lambda value: _whole(math.ceil, value)),
    Overload("abs", ("int",), "int", _absolute),
    Overload("abs", ("double",), "double", abs),
    Overload("pow", ("double", "int"), "double", power),
    Overload("sqrt", ("double",), "double", math.sqrt),
    Overload("sin", ("double",), "double", trigonometry.sine),
    Overload("cos", ("double",), "double", trigonometry.cosine),
    Overload("tan", ("double",), "double", trigonometry.tangent),
    Overload("asin", ("double",), "double", trigonometry.arcsine),
    Overload("acos", ("double",), "double", trigonometry.arccosine),
    Overload("atan", ("double",), "double", trigonometry.arctangent),
    Overload("atan2", ("double", "double"), "double", trigonometry.arctangent2),
    Overload("exp", ("double",), "double", trigonometry.exponential),
    Overload("log", ("double",), "double", trigonometry.logarithm),
    Overload("log10", ("double",), "double", trigonometry.logarithm10),
    Overload("remainder", ("double", "double"), "double", trigonometry.remainder),
    Overload("sum", ("list",), "double", total),
    Overload("min", ("list",), "double", _smallest),
    Overload("max", ("list",), "double", _greatest),
    Overload("distance", ("list",), "double", geodesy.distance),
    Overload("perimeter", ("list",), "double", geodesy.perimeter),
    Overload("area", ("list",), "double", geodesy.area),
    Overload("digest", ("string", "string", "string"), "string", digest),
    Overload("daysBetween", ("string", "string"), "int", days_between),
    Overload("monthsBetween", ("string", "string"), "int", months_between),
    Overload("yearsBetween", ("string", "string"), "int", years_between),
    Overload("addDays", ("string", "int"), "string", add_days),
    Overload("addMonths", ("string", "int"), "string", add_months),
    Overload("substring", ("string", "int"), "string", _substring, is_method=True),
    Overload("substring", ("string", "int", "int"), "string", _substring, is_method=True),
    Overload("replace", ("string", "string", "string"), "string", _replace, is_method=True),
    Overload("translate", ("string", "string", "string"), "string", _translate, is_method=True),
    Overload("indexOf", ("string", "string"), "int", str.find, is_method=True),
    Overload("upperAscii", ("string",), "string", lambda text: text.translate(_UPPER), is_method=True),
    Overload("lowerAscii", ("string",), "string", lambda text: text.translate(_LOWER), is_method=True),
    Overload("normalizeSpace", ("string",), "string", lambda text: _SPACES.sub(" ", text).strip(" "), is_method=True),
    Overload("words", ("string",), "strings", _words, is_method=True),
    Overload("join", ("list", "string"), "string", _join, is_method=True),
)
FUNCTIONS = frozenset(one.name for one in OVERLOADS if not one.is_method)
METHODS = frozenset(one.name for one in OVERLOADS if one.is_method)
