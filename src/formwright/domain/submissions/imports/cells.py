"""Answers as the text of a cell, and back.

`encode_cell` loses nothing: `parse_cell` returns the same answer. Beyond that, `parse_cell` reads what people and
spreadsheet programs write: labels of options, yes and no, dates of Excel, and numbers of other countries.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from formwright.core.formulas import looks_like_formula
from formwright.domain.forms.answer_types import AnswerType, answer_type
from formwright.domain.forms.definition import (
    AnyField,
    AreaField,
    ChoiceField,
    ChoicesField,
    OptionField,
    PointsField,
    RankingField,
)
from formwright.domain.forms.point_lists import parse_xlsform_text, to_xlsform_text

_TRUE = frozenset({"true", "yes", "y", "1", "x", "ja", "oui", "sí", "si", "sim", "tak"})
_FALSE = frozenset({"false", "no", "n", "0", "nein", "non", "não", "nie", "nee"})
_SPACES = re.compile(r"[\s'\u00a0\u202f]")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:[.,]\d+)?")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_ISO_DATE = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")
_LOCAL_DATE = re.compile(r"(\d\d?)([./-])(\d\d?)\2(\d{4})")
_DISPLAYED_LOCATION = re.compile(r"([\d.]+)° ([NS]), ([\d.]+)° ([EW])(?: \(± ([\d,]+) m\))?")


class CellInvalid(Exception):
    """The cell cannot be read as an answer. `code` is stable; the text says what is expected."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


@dataclass(frozen=True, slots=True)
class CellFormat:
    """How cells are written: the time zone of times without an offset, and what a number and a date look like.

    `day_first` says whether `3/4/2026` is 3 April or March 4; without it, such dates are rejected.
    """

    time_zone: str = "UTC"
    decimal_comma: bool = False
    day_first: bool | None = None


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
    match answer_type(field), value:
        case _, None:
            return None
        case _, bool():
            return "true" if value else "false"
        case _, int() | float():
            return encode_number(value)
        case AnswerType.LOCATION, dict():
            return ",".join(str(value[name]) for name in ("latitude", "longitude", "accuracy") if name in value)
        case AnswerType.POINTS, list() if isinstance(field, PointsField) and _are_points(value):
            return to_xlsform_text(field, value)
        case AnswerType.TEXTS, list() if _is_plain_list(value):
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
    if isinstance(field, ChoiceField):
        return _parse_choice(field, text.strip())
    if isinstance(field, ChoicesField | RankingField):
        return _parse_choices(field, text.strip())
    if isinstance(field, PointsField):
        return _parse_points(field, text.strip())
    type_ = answer_type(field)
    parse = _PARSERS.get(type_) if type_ else None
    return parse(text.strip(), format_) if parse else text


def _parse_integer(text: str, format_: CellFormat) -> Any:
    value = parse_number(text, format_)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def parse_number(text: str, format_: CellFormat) -> int | float:
    """Return a number as written in this format; digits may be grouped. Raises `CellInvalid`."""
    plain = _SPACES.sub("", text)
    mark, group = (",", ".") if format_.decimal_comma else (".", ",")
    grouped = _GROUPED.fullmatch(plain)
    if grouped and grouped[1] == group:
        plain = plain.replace(group, "")
    if plain.count(mark) <= 1 and group not in plain:
        plain = plain.replace(mark, ".")
    elif plain.count(group) == 1 and mark not in plain:
        plain = plain.replace(group, ".")  # Not a group of three digits, so it can only be the decimal mark.
    if not _NUMBER.fullmatch(plain):
        raise CellInvalid("import.cell.number", f"{text[:50]!r} is not a number. Write it as 1234{mark}5.")
    value = float(plain)
    if value in (float("inf"), float("-inf")):
        raise CellInvalid("import.cell.number", f"{text[:50]!r} is too large.")
    return int(plain) if re.fullmatch(r"[+-]?\d{1,300}", plain) else value


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
        if match := _LOCAL_DATE.fullmatch(text):
            first, separator, second, year = match.groups()
            day_first = separator == "." or format_.day_first
            if day_first is not None:
                return date(int(year), *((int(second), int(first)) if day_first else (int(first), int(second))))
            detail = f"{text!r} has two readings. Write it as 2026-03-29, or say whether the day or the month is first."
            raise CellInvalid("import.cell.date", detail)
    except ValueError:
        pass
    raise CellInvalid("import.cell.date", f"{text[:50]!r} is not a date. Write it as 2026-03-29.")


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
            zone = parsed.tzinfo or ZoneInfo(format_.time_zone)
            return datetime.combine(parse_day(day, format_), parsed.replace(tzinfo=None), zone)
    except ValueError:
        pass
    raise CellInvalid("import.cell.datetime", f"{text[:50]!r} is not a date and time. Write it as 2026-03-29 14:30.")


def _parse_choice(field: OptionField, text: str) -> str:
    return _option_values(field).get(text) or _option_values(field).get(text.casefold(), text)


def _option_values(field: OptionField) -> Mapping[str, str]:
    """Return the value of each option by its value and its labels, as they are and in lower case. Values win."""
    labels: dict[str, str] = {}
    for option in field.options:
        texts = option.label.values() if isinstance(option.label, dict) else [option.label]
        for label in [one.strip() for one in texts]:
            labels.setdefault(label.casefold(), option.value)
            labels.setdefault(label, option.value)
    values = {option.value.strip(): option.value for option in field.options}
    return labels | {value.casefold(): value for value in reversed(values.values())} | values


def _parse_choices(field: ChoicesField | RankingField, text: str) -> Any:
    if text.startswith("["):
        return _parse_json(text)
    values = _option_values(field)
    if text in values:
        return [values[text]]
    return [_parse_choice(field, one) for one in _split(text)]


def _split(text: str) -> list[str]:
    return [one.strip() for one in re.split(r"[,;\n]", text) if one.strip()]


def _parse_files(text: str, format_: CellFormat) -> Any:
    return _parse_json(text) if text.startswith("[") else _split(text)


def _parse_location(text: str, format_: CellFormat) -> Any:
    if text.startswith("{"):
        return _parse_json(text)
    if match := _DISPLAYED_LOCATION.fullmatch(text):
        latitude, south, longitude, west, accuracy = match.groups()
        parts = [f"{'-' * (south == 'S')}{latitude}", f"{'-' * (west == 'W')}{longitude}", accuracy or ""]
        parts[2] = parts[2].replace(",", "")
    else:
        parts = re.split(r"\s*[,;\s]\s*", text)
    numbers = [parse_number(one, CellFormat()) for one in parts if one]
    if len(numbers) not in (2, 3):
        raise CellInvalid(
            "import.cell.location", f"{text[:50]!r} is not a position. Write latitude and longitude: 52.52,13.405."
        )
    return dict(zip(("latitude", "longitude", "accuracy"), numbers, strict=False))


def _parse_points(field: PointsField, text: str) -> Any:
    if text.startswith("["):
        return _parse_json(text)
    try:
        return parse_xlsform_text(text, is_area=isinstance(field, AreaField))
    except ValueError:
        detail = f"{text[:50]!r} is not a line or area. Write its points: 52.52 13.405; 52.53 13.41."
        raise CellInvalid("import.cell.points", detail) from None


def _parse_rows(text: str, format_: CellFormat) -> Any:
    return _parse_json(text)


def _parse_json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise CellInvalid("import.cell.json", "The cell is not valid JSON, which this field needs.") from None


_PARSERS: Mapping[AnswerType, Callable[[str, CellFormat], Any]] = {
    AnswerType.INTEGER: _parse_integer,
    AnswerType.DECIMAL: parse_number,
    AnswerType.BOOLEAN: _parse_boolean,
    AnswerType.DATE: _parse_date,
    AnswerType.TIME: _parse_time,
    AnswerType.DATETIME: _parse_datetime,
    AnswerType.LOCATION: _parse_location,
    AnswerType.TEXTS: _parse_files,
    AnswerType.ROWS: _parse_rows,
}
