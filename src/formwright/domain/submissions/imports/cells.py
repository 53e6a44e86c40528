"""Answers as the text of a cell, and back.

`encode_cell` loses nothing: `parse_cell` returns the same answer. Beyond that, `parse_cell` reads what people and
spreadsheet programs write: labels of options, yes and no, dates of Excel, and numbers of other countries.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from formwright.core.exact_numbers import DIGITS
from formwright.core.formulas import looks_like_formula
from formwright.core.tables.numbers import (
    MARK_NAMES,
    MARKS,
    DecimalMark,
    NumberCell,
    is_rounded,
    list_readings,
    read_number,
)
from formwright.domain.forms.fields import AnswerKind, AnyField
from formwright.domain.forms.fields.point_lists import to_xlsform_text
from formwright.domain.submissions.imports.cell_format import CellFormat, CellInvalid
from formwright.domain.submissions.imports.positions import parse_json, parse_location, parse_points

_TRUE = frozenset({"true", "yes", "y", "1", "x", "ja", "oui", "sí", "si", "sim", "tak"})
_FALSE = frozenset({"false", "no", "n", "0", "nein", "non", "não", "nie", "nee"})
_ISO_DATE = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")
_LOCAL_DATE = re.compile(r"(\d\d?)([./-])(\d\d?)\2(\d{4})")


def escape_text(text: str) -> str:
    """Return the text for a cell, with an apostrophe before what a spreadsheet could run as a formula.

    Text that already begins with such an apostrophe gets a second one, so that `unescape_text` returns the text.
    """
    return f"'{text}" if looks_like_formula(text.lstrip("'")) else text


def unescape_text(text: str) -> str:
    """Return the text without the apostrophe that `escape_text` added."""
    return text[1:] if text.startswith("'") and looks_like_formula(text.lstrip("'")) else text


def encode_cell(field: AnyField, value: Any) -> str | int | float | None:
    """Return the cell of an answer: a number, or text that has not been escaped; None without an answer."""
    match field.answer_kind, value:
        case _, None:
            return None
        case _, bool():
            return "true" if value else "false"
        case _, int() | float():
            return encode_number(value)
        case AnswerKind.POSITION, dict():
            return ",".join(str(value[name]) for name in ("latitude", "longitude", "accuracy") if name in value)
        case AnswerKind.POSITIONS, list() if _are_points(value):
            return to_xlsform_text(field, value)
        case ((AnswerKind.CHOICES | AnswerKind.FILES), list()) if _is_plain_list(value):
            return ", ".join(value)
        case _, str():
            return value
    return msgspec.json.encode(value).decode()


def encode_number(value: float) -> str | int | float:
    """Return a number for a cell, as text if it has more digits than a cell of a workbook."""
    # Workbooks store 16 digits of a number.
    return repr(value) if float(f"{value:.16G}") != value else value


def _is_plain_list(values: Sequence[Any]) -> bool:
    """Return whether the values, joined by commas, can be separated again."""
    texts = [one for one in values if isinstance(one, str) and one and one == one.strip()]
    return (
        bool(values) and len(texts) == len(values) and not any(set(one) & set(",;\n") or one[0] == "[" for one in texts)
    )


def _are_points(values: Sequence[Any]) -> bool:
    """Return whether the values are points as the text of a cell has them; drafts can contain others."""
    names = [set(one) - {"accuracy"} if isinstance(one, dict) else set() for one in values]
    are_complete = all(one == {"latitude", "longitude"} for one in names)
    numbers = [number for one in values for number in one.values()] if are_complete else []
    return bool(numbers) and all(type(one) in (int, float) and "e" not in str(one) for one in numbers)


def parse_cell(field: AnyField, text: str, format_: CellFormat) -> Any:
    """Return the answer in a cell that is not empty. Raises `CellInvalid` if the text cannot be one.

    Whether the answer is valid for the form is checked later, as for all submissions.
    """
    if (answer := field.parse_text(text.strip())) is not None:
        return answer
    match field.answer_kind:
        case AnswerKind.TEXT | AnswerKind.FILE:
            return str(text)
        case AnswerKind.CHOICE:
            return _parse_choice(field, text.strip())
        case AnswerKind.CHOICES:
            return _parse_choices(field, text.strip())
        case AnswerKind.POSITIONS:
            return parse_points(field, text.strip(), format_)
    return _PARSERS[field.answer_kind](text if type(text) is NumberCell else text.strip(), format_)


def _parse_integer(text: str, format_: CellFormat) -> Any:
    value = parse_number(text, format_)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def parse_number(text: str, format_: CellFormat) -> int | float:
    """Return a number as written in this format; digits may be grouped. Raises `CellInvalid`."""
    mark = "." if type(text) is NumberCell else format_.decimal_mark
    value = read_number(text, mark) if mark else _read_only_number(text)
    if value is None:
        raise CellInvalid("import.cell.number", _explain_number(text, mark))
    if value in (float("inf"), float("-inf")):
        raise CellInvalid("import.cell.number", f"{text[:50]!r} is too large.")
    if any(is_rounded(text, one) for one in ([mark] if mark else MARKS)):
        raise CellInvalid("value.inexact", f"{text[:50]!r} has more digits than can be stored. Write at most {DIGITS}.")
    return value


def _read_only_number(text: str) -> int | float | None:
    """Return the number that the text is with either decimal mark; None for none. Raises `CellInvalid` for two."""
    readings = list_readings(text)
    if len(set(readings.values())) > 1:
        shown = " or ".join(map(str, readings.values()))
        detail = f"{text[:50]!r} has two readings: {shown}. Set the decimal mark of the file, a point or a comma."
        raise CellInvalid("import.cell.number", detail)
    return next(iter(readings.values()), None)


def _explain_number(text: str, mark: DecimalMark | None) -> str:
    shown = repr(text[:50])
    if mark and list_readings(text):
        name = MARK_NAMES[mark]
        return f"{shown} is not a number with a decimal {name}, as in this file. Write it as 1234{mark}5."
    return f"{shown} is not a number. Write it as 1234{mark or '.'}5."


def _parse_boolean(text: str, format_: CellFormat) -> Any:
    word = text.casefold()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise CellInvalid(
        "import.cell.boolean", f"{text[:50]!r} is neither yes nor no. Write yes, no, true, false, 1 or 0."
    )


def _parse_date(text: str, format_: CellFormat) -> Any:
    day, _, rest = text.partition("T") if "T" in text else text.partition(" ")
    if rest.strip("0:. "):
        raise CellInvalid(
            "import.cell.date", f"{text[:50]!r} has a time of day. Remove it, or use a field for date and time."
        )
    return parse_day(day, format_).isoformat()


def parse_day(text: str, format_: CellFormat) -> date:
    """Return a date such as `2026-03-29` or `29.03.2026`. Raises `CellInvalid`."""
    try:
        if match := _ISO_DATE.fullmatch(text.replace("/", "-")):
            return date(*map(int, match.groups()))
    except ValueError:
        pass
    readings = _list_dates(text)
    if format_.day_first is not None and "." not in text:
        readings = {first: day for first, day in readings.items() if first == format_.day_first}
    if len({*readings.values()}) == 1:
        return next(iter(readings.values()))
    detail = f"{text[:50]!r} is not a date. Write it as 2026-03-29."
    if readings:
        shown = " or ".join(day.isoformat() for day in readings.values())
        detail = f"{text!r} has two readings: {shown}. Write it as 2026-03-29, or choose whether the day is first."
    elif _list_dates(text):
        first = "day" if format_.day_first else "month"
        detail = f"{text!r} is not a date with the {first} first, as in this file. Write it as 2026-03-29."
    raise CellInvalid("import.cell.date", detail)


def _list_dates(text: str) -> dict[bool, date]:
    """Return the dates that a text such as `3/4/2026` can be, by whether the day is first. With points, it is."""
    match = _LOCAL_DATE.fullmatch(text)
    if match is None:
        return {}
    first, separator, second, year = match.groups()
    found: dict[bool, date] = {}
    for day_first, day, month in ((True, first, second), (False, second, first)):
        if day_first or separator != ".":
            with suppress(ValueError):
                found[day_first] = date(int(year), int(month), int(day))
    return found


def first_in_date(text: str) -> bool | None:
    """Return whether the day is first in a date or time, and not the month; None if that is unclear, or no matter."""
    day = text.strip().replace("T", " ", 1).partition(" ")[0]
    found = _list_dates(day) if "/" in day or "-" in day else {}
    return next(iter(found)) if len(found) == 1 else None


def _parse_time(text: str, format_: CellFormat) -> Any:
    clock = text.rpartition("T")[2].rpartition(" ")[2]
    try:
        if re.fullmatch(r"\d\d?:\d\d(:\d\d(\.0+)?)?", clock):
            parsed = time.fromisoformat(clock.partition(".")[0].zfill(5 if clock.count(":") == 1 else 8))
            return (
                parsed.isoformat() if clock.count(":") == 2 and (parsed.second or clock == text) else f"{parsed:%H:%M}"
            )
    except ValueError:
        pass
    raise CellInvalid("import.cell.time", f"{text[:50]!r} is not a time of day. Write it as 14:30.")


def _parse_datetime(text: str, format_: CellFormat) -> Any:
    if re.fullmatch(r"\d{4}-\d\d-\d\d[Tt]\S+([Zz]|[+-]\d\d:\d\d)", text):
        return text  # With an offset, as in the API: it is kept as it is.
    return parse_moment(text, format_).isoformat()


def parse_moment(text: str, format_: CellFormat) -> datetime:
    """Return a time with its offset: that of the text, or that of the time zone. Raises `CellInvalid`."""
    day, _, clock = text.replace("T", " ", 1).partition(" ")
    try:
        offset = re.fullmatch(r"(\d\d?:\d\d(?::\d\d(?:\.\d+)?)?)\s*([Zz]|[+-]\d\d:?\d\d)?", clock.strip() or "00:00")
        if offset:
            parsed = time.fromisoformat(
                (offset[1] if offset[1][1:2] != ":" else "0" + offset[1]) + (offset[2] or "").upper()
            )
            moment = datetime.combine(parse_day(day, format_), parsed)
            return moment if parsed.tzinfo else _to_local(moment, format_.time_zone)
    except ValueError:
        pass
    raise CellInvalid("import.cell.datetime", f"{text[:50]!r} is not a date and time. Write it as 2026-03-29 14:30.")


def _to_local(moment: datetime, time_zone: str) -> datetime:
    """Return the time in the zone. Raises `CellInvalid` if clocks there skip it or show it twice."""
    earlier = moment.replace(tzinfo=ZoneInfo(time_zone))
    later = earlier.replace(fold=1)
    if earlier.utcoffset() == later.utcoffset():
        return earlier
    if earlier.astimezone(UTC).astimezone(earlier.tzinfo).replace(tzinfo=None) == moment:
        detail = (
            f"{moment} occurs twice in {time_zone}, because clocks are set back. Write it with its offset:"
            f" {earlier.isoformat()} or {later.isoformat()}."
        )
    else:
        detail = f"{moment} does not occur in {time_zone}, because clocks are set forward. Write another time."
    raise CellInvalid("import.cell.datetime", detail)


def _parse_choice(field: AnyField, text: str) -> str:
    return _option_values(field).get(text) or _option_values(field).get(text.casefold(), text)


def _option_values(field: AnyField) -> Mapping[str, str]:
    """Return the value of each option by its value and its labels, as they are and in lower case. Values win."""
    labels: dict[str, str] = {}
    for option in field.options:
        texts = option.label.values() if isinstance(option.label, dict) else [option.label]
        for label in [one.strip() for one in texts]:
            labels.setdefault(label.casefold(), option.value)
            labels.setdefault(label, option.value)
    values = {option.value.strip(): option.value for option in field.options}
    return labels | {value.casefold(): value for value in reversed(values.values())} | values


def _parse_choices(field: AnyField, text: str) -> Any:
    if text.startswith("["):
        return parse_json(text)
    values = _option_values(field)
    if text in values:
        return [values[text]]
    return [_parse_choice(field, one) for one in _split(text)]


def _split(text: str) -> list[str]:
    return [one.strip() for one in re.split(r"[,;\n]", text) if one.strip()]


def _parse_files(text: str, format_: CellFormat) -> Any:
    return parse_json(text) if text.startswith("[") else _split(text)


def _parse_rows(text: str, format_: CellFormat) -> Any:
    return parse_json(text)


_PARSERS: Mapping[AnswerKind, Callable[[str, CellFormat], Any]] = {
    AnswerKind.INTEGER: _parse_integer,
    AnswerKind.DECIMAL: parse_number,
    AnswerKind.BOOLEAN: _parse_boolean,
    AnswerKind.DATE: _parse_date,
    AnswerKind.TIME: _parse_time,
    AnswerKind.DATETIME: _parse_datetime,
    AnswerKind.FILES: _parse_files,
    AnswerKind.POSITION: parse_location,
    AnswerKind.ROWS: _parse_rows,
}
