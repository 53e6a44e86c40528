"""Answers in words: as they stand in a table, and as the form asked them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as member
from datetime import date
from typing import Any

import msgspec

from formwright.domain.datasources.cell_types import to_text as cell_text
from formwright.domain.forms.definition import (
    AnyField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DateField,
    DatetimeField,
    FileField,
    LocationField,
    LookupField,
    NoteField,
    PhotoField,
    RepeatField,
    SectionField,
    SignatureField,
    label_text,
)
from formwright.domain.submissions.answer_filters import parse_timestamp as instant
from formwright.web.templating import format_time

Json = dict[str, Any]
LookupRows = Mapping[tuple[str, str], Mapping[str, Any]]
"""The cells of rows by column, each row by its datasource and its key."""


@dataclass(frozen=True, slots=True)
class DisplayContext:
    """In which language labels are read, in which zone times, and what is known of the rows that lookups name."""

    language: str
    time_zone: str
    rows: LookupRows = member(default_factory=dict)

    def with_lookups(self, lookups: str | None) -> "DisplayContext":
        """The same with the rows that a submission keeps, as the person saw them."""
        return replace(self, rows=_lookup_rows(lookups)) if lookups else self


def _lookup_rows(lookups: str) -> LookupRows:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in msgspec.json.decode(lookups):
        # Two lookups may show other columns of the same row.
        found.setdefault((one["datasourceId"], one["key"]), {}).update(one["data"] or {})
    return found


def format_answer(field: AnyField, value: Any, context: DisplayContext) -> str:
    """The answer in a line. What is not of the field's kind, as in a form that was only begun, stands as it came."""
    try:
        return _format_typed_answer(field, value, context)
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        return str(value)


def _format_typed_answer(field: AnyField, value: Any, context: DisplayContext) -> str:
    match field, value:
        case _, None:
            return ""
        case BooleanField(), bool():
            return "Yes" if value else "No"
        case ChoiceField() | ChoicesField(), _:
            names = option_labels(field, context)
            return ", ".join(names.get(one, str(one)) for one in (value if isinstance(value, list) else [value]))
        case DateField(), str():
            day = date.fromisoformat(value)
            return f"{day.day} {day:%b %Y}"
        case DatetimeField(), str():
            ms = instant(value)
            return value if ms is None else format_time(int(ms), context.time_zone).text
        case LocationField(), dict():
            return format_location(value)
        case LookupField(), str():
            return _format_lookup(field, value, context)
        case RepeatField(), list():
            return _format_count(len(value), "row")
        case ((PhotoField() | FileField()), list()):
            return _format_count(len(value), "file")
        case SignatureField(), str():
            return "Signed"
    return str(value)


def _format_lookup(field: LookupField, key: str, context: DisplayContext) -> str:
    """What the person saw of the row, with its key behind; the key alone where nothing else is known."""
    row = context.rows.get((field.datasource_id, key), {})
    shown = [text for column in field.display if (text := cell_text(row.get(column)))]
    behind = f" ({key})" if key not in shown else ""
    return " · ".join(shown) + behind if shown else key


def _format_count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def option_labels(field: ChoiceField | ChoicesField, context: DisplayContext) -> Mapping[str, str]:
    """The label of each option, by its value."""
    return {option.value: label_text(option.label, (context.language,)) for option in field.options}


def format_location(location: Mapping[str, Any]) -> str:
    """A place for people: to the metre, with its letters, and how exact it is."""
    latitude, longitude = float(location["latitude"]), float(location["longitude"])
    where = (
        f"{abs(latitude):.5f}° {'N' if latitude >= 0 else 'S'}, {abs(longitude):.5f}° {'E' if longitude >= 0 else 'W'}"
    )
    accuracy = location.get("accuracy")
    return where if accuracy is None else f"{where} (± {float(accuracy):,.0f} m)"


def geo_uri(location: Mapping[str, Any]) -> str:
    """For the map program of the person's own device (RFC 5870): we ask no other server for a map."""
    link = f"geo:{float(location['latitude']):.6f},{float(location['longitude']):.6f}"
    accuracy = location.get("accuracy")
    return link if accuracy is None else f"{link};u={float(accuracy):.0f}"


FindFile = Callable[[str], Json | None]
"""What is known of a file by its id; None for one that is gone."""


def answer_blocks(
    fields: Sequence[AnyField], data: Mapping[str, Any], context: DisplayContext, find_file: FindFile
) -> list[Json]:
    """The answers that there are, in the order of the form, under their sections; rows of repeats one by one."""
    found: list[Json] = []
    for block in _iter_blocks(fields, data, context, find_file):
        if block["kind"] != "answer":
            found.append(block)
        elif found and found[-1]["kind"] == "answers":
            found[-1]["answers"].append(block)
        else:
            found.append({"kind": "answers", "answers": [block]})
    return found


def _iter_blocks(
    fields: Sequence[AnyField], data: Mapping[str, Any], context: DisplayContext, find_file: FindFile
) -> Iterator[Json]:
    for field in fields:
        label = label_text(field.label, (context.language,))
        value = data.get(field.name)
        match field:
            case NoteField():
                continue
            case SectionField():
                if inside := answer_blocks(field.fields, data, context, find_file):
                    yield {"kind": "section", "label": label, "blocks": inside}
            case RepeatField() if isinstance(value, list):
                rows = [
                    answer_blocks(field.fields, row if isinstance(row, dict) else {}, context, find_file)
                    for row in value
                ]
                yield {"kind": "repeat", "label": label, "rows": rows}
            case _ if value is not None:
                yield {"kind": "answer", "label": label} | _answer_block(field, value, context, find_file)


def _answer_block(field: AnyField, value: Any, context: DisplayContext, find_file: FindFile) -> Json:
    shown: Json = {"text": format_answer(field, value, context), "files": [], "place": ""}
    match field, value:
        case ((PhotoField() | FileField()), list()):
            shown["files"] = [find_file(str(one)) for one in value]
        case SignatureField(), str():
            shown["files"] = [find_file(value)]
        case LocationField(), dict():
            shown["place"] = _geo_uri_or_empty(geo_uri, value)
    shown["files"] = [file for file in shown["files"] if file]
    return shown


def _geo_uri_or_empty(make: Callable[[Mapping[str, Any]], str], place: Mapping[str, Any]) -> str:
    try:
        return make(place)
    except (TypeError, ValueError, KeyError, OverflowError):
        return ""
