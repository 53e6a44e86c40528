"""Answers as text: in one line for tables, and in the structure of the form."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from datetime import date
from re import Match
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from formwright.core.clock import format_minute
from formwright.domain.datasources.cell_types import to_text as cell_text
from formwright.domain.forms.answers.texts import MISSING
from formwright.domain.forms.fields import (
    AnyField,
    AreaField,
    AudioField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    FileField,
    IntegerField,
    LineField,
    LocationField,
    LookupField,
    LookupsField,
    NoteField,
    OptionField,
    PhotoField,
    RankingField,
    RepeatField,
    RowsField,
    SectionField,
    SignatureField,
    VideoField,
    flatten_sections,
)
from formwright.domain.forms.fields.labels import label_markup, label_template, label_text
from formwright.domain.forms.fields.markup import PLACEHOLDER, to_plain_text
from formwright.domain.forms.fields.point_lists import format_points
from formwright.domain.submissions.answer_filters import parse_timestamp as instant

_MAX_TITLE_LENGTH = 200
Json = dict[str, Any]
LookupRows = Mapping[tuple[str, str], Mapping[str, Any]]
"""The cells of rows by column, by data source and key of the row."""


@dataclass(frozen=True, slots=True)
class DisplayContext:
    """The language of labels, the time zone of times, and the rows that lookups refer to."""

    language: str
    time_zone: str
    rows: LookupRows = dataclass_field(default_factory=dict)

    def with_lookups(self, lookups: str | None) -> "DisplayContext":
        """Return the context with the rows saved in a submission, as the respondent saw them."""
        return replace(self, rows=_lookup_rows(lookups)) if lookups else self


def _lookup_rows(lookups: str) -> LookupRows:
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for lookup in msgspec.json.decode(lookups):
        # Two lookups may show different columns of the same row.
        rows.setdefault((lookup["datasourceId"], lookup["key"]), {}).update(lookup["data"] or {})
    return rows


def format_title(
    fields: Sequence[AnyField], name: str | UnsetType, answers: Mapping[str, Any], context: DisplayContext
) -> str:
    """Return the title of a submission in one line: the answer to this field. Empty without an answer or a field."""
    for field in flatten_sections(fields):
        if field.name == name:
            return " ".join(format_answer(field, answers.get(name), context).split())
    return ""


def format_answer(field: AnyField, value: Any, context: DisplayContext) -> str:
    """Return an answer in one line. Values that don't fit the field, as in drafts, are returned unformatted."""
    try:
        return _format_typed_answer(field, value, context)
    except (TypeError, ValueError, KeyError, AttributeError, ArithmeticError):
        return str(value)


def _format_typed_answer(field: AnyField, value: Any, context: DisplayContext) -> str:
    match field, value:
        case _, None:
            return ""
        case BooleanField(), bool():
            return "Yes" if value else "No"
        case ((ChoiceField() | ChoicesField() | RankingField()), _):
            names = option_labels(field, context)
            return ", ".join(names.get(one, str(one)) for one in (value if isinstance(value, list) else [value]))
        case DateField(), str():
            day = date.fromisoformat(value)
            return f"{day.day} {day:%b %Y}"
        case DatetimeField(), str():
            ms = instant(value)
            return value if ms is None else format_minute(int(ms), context.time_zone)
        case LocationField(), dict():
            return format_location(value)
        case ((LineField() | AreaField()), list()):
            return format_points(field, value)
        case ((LookupField() | LookupsField()), _):
            # Earlier versions may have asked for several rows, or for one.
            keys = value if isinstance(value, list) else [value]
            return ", ".join(_format_row(field, str(key), context) for key in keys)
        case RepeatField(), list():
            return _format_count(len(value), "row")
        case ((PhotoField() | AudioField() | VideoField() | FileField()), list()):
            return _format_count(len(value), "file")
        case SignatureField(), str():
            return "Signed"
        case ((IntegerField(unit=str(unit)) | DecimalField(unit=str(unit))), int() | float()):
            return f"{value} {unit}"
    return str(value)


def _format_row(field: RowsField, key: str, context: DisplayContext) -> str:
    """Return the columns that the respondent saw, followed by the key; only the key if the row is unknown."""
    row = context.rows.get((field.datasource_id, key), {})
    texts = [text for column in field.display if (text := cell_text(row.get(column)))]
    suffix = f" ({key})" if key not in texts else ""
    return " · ".join(texts) + suffix if texts else key


def _format_count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def option_labels(field: OptionField, context: DisplayContext) -> Mapping[str, str]:
    """Return the label of each option by its value."""
    return {option.value: label_text(option.label, (context.language,)) for option in field.options}


def format_location(location: Mapping[str, Any]) -> str:
    """Return a location to the metre with its accuracy, such as “52.52001° N, 13.40495° E (± 5 m)”."""
    latitude, longitude = float(location["latitude"]), float(location["longitude"])
    position = (
        f"{abs(latitude):.5f}° {'N' if latitude >= 0 else 'S'}, {abs(longitude):.5f}° {'E' if longitude >= 0 else 'W'}"
    )
    accuracy = location.get("accuracy")
    return position if accuracy is None else f"{position} (± {float(accuracy):,.0f} m)"


def geo_uri(location: Mapping[str, Any]) -> str:
    """Return a link that opens the maps app of the device (RFC 5870), so that no other server learns the location."""
    link = f"geo:{float(location['latitude']):.6f},{float(location['longitude']):.6f}"
    accuracy = location.get("accuracy")
    return link if accuracy is None else f"{link};u={float(accuracy):.0f}"


def read_geo_uri(uri: str) -> tuple[float, float]:
    """Return latitude and longitude of a link that `geo_uri` returned."""
    latitude, longitude = uri.removeprefix("geo:").partition(";")[0].split(",")
    return float(latitude), float(longitude)


Outer = Mapping[str, tuple[AnyField, Any]]
"""The answers around a row with their fields, by name."""
FindFile = Callable[[str], object | None]
"""Returns what the template shows of a file, by its id; None if it was deleted."""


def answer_blocks(
    fields: Sequence[AnyField],
    data: Mapping[str, Any],
    context: DisplayContext,
    find_file: FindFile,
    outer: Outer | None = None,
) -> list[Json]:
    """Return the answers in the order of the form, grouped by section and by row of repeats, without empty ones.

    Each block has a `kind`: “answers”, “section” (with `blocks`) or “repeat” (with `rows` of blocks and their
    `titles`). `outer` are the answers around a row.
    """
    known = {**(outer or {}), **{one.name: (one, data.get(one.name)) for one in flatten_sections(fields)}}
    blocks: list[Json] = []
    for block in _iter_blocks(fields, data, context, find_file, known):
        if block["kind"] != "answer":
            blocks.append(block)
        elif blocks and blocks[-1]["kind"] == "answers":
            blocks[-1]["answers"].append(block)
        else:
            blocks.append({"kind": "answers", "answers": [block]})
    return blocks


def _iter_blocks(
    fields: Sequence[AnyField], data: Mapping[str, Any], context: DisplayContext, find_file: FindFile, known: Outer
) -> Iterator[Json]:
    for field in fields:
        # Without and with its markup.
        label = {
            "label": label_text(field.label, (context.language,)),
            "markup": label_markup(field.label, (context.language,)),
        }
        value = data.get(field.name)
        match field:
            case NoteField():
                continue
            case SectionField():
                if inside := answer_blocks(field.fields, data, context, find_file, known):
                    yield {"kind": "section", "blocks": inside} | label
            case RepeatField() if isinstance(value, list):
                rows = [row if isinstance(row, dict) else {} for row in value]
                shown = [answer_blocks(field.fields, row, context, find_file, known) for row in rows]
                titles = [_row_title(field, row, context, known) for row in rows]
                yield {"kind": "repeat", "rows": shown, "titles": titles} | label
            case _ if value is not None:
                yield {"kind": "answer"} | label | _answer_block(field, value, context, find_file)


def _row_title(field: RepeatField, row: Json, context: DisplayContext, outer: Outer) -> str:
    """Return the title of a row with the answers in it, and an ellipsis for missing ones; empty without a title."""
    if field.row_label is UNSET:
        return ""
    known = {**outer, **{one.name: (one, row.get(one.name)) for one in flatten_sections(field.fields)}}

    def fill(found: Match[str]) -> str:
        if found[1] not in known:
            return found[0]
        return format_answer(*known[found[1]], context)[:_MAX_TITLE_LENGTH] or MISSING

    return PLACEHOLDER.sub(fill, to_plain_text(label_template(field.row_label, (context.language,))))


def _answer_block(field: AnyField, value: Any, context: DisplayContext, find_file: FindFile) -> Json:
    block: Json = {"text": format_answer(field, value, context), "files": [], "place": ""}
    match field, value:
        case ((PhotoField() | AudioField() | VideoField() | FileField()), list()):
            block["files"] = [find_file(str(one)) for one in value]
        case SignatureField(), str():
            block["files"] = [find_file(value)]
        case LocationField(), dict():
            block["place"] = _geo_uri_or_empty(value)
        case ((LineField() | AreaField()), [dict() as first, *_]):
            block["place"] = _geo_uri_or_empty(first)
    block["files"] = [file for file in block["files"] if file]
    return block


def _geo_uri_or_empty(location: Mapping[str, Any]) -> str:
    try:
        return geo_uri(location)
    except (TypeError, ValueError, KeyError, OverflowError):
        return ""
