"""Answers as text: in one line for tables, and in the structure of the form."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from re import Match
from typing import Any

from msgspec import UNSET, UnsetType

from formwright.domain.forms.answers.texts import MISSING
from formwright.domain.forms.fields import AnyField, NoteField, RepeatField, SectionField, flatten_sections
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.labels import label_markup, label_template, label_text
from formwright.domain.forms.fields.markup import PLACEHOLDER, to_plain_text

_MAX_TITLE_LENGTH = 200
Json = dict[str, Any]


def format_title(
    fields: Sequence[AnyField], name: str | UnsetType, answers: Mapping[str, Any], context: DisplayContext
) -> str:
    """Return the title of a submission in one line: the answer to this field. Empty without an answer or a field."""
    for field in flatten_sections(fields):
        if field.name == name:
            return " ".join(field.format_answer(answers.get(name), context).split())
    return ""


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
        field, value = known[found[1]]
        return field.format_answer(value, context)[:_MAX_TITLE_LENGTH] or MISSING

    return PLACEHOLDER.sub(fill, to_plain_text(label_template(field.row_label, (context.language,))))


def _answer_block(field: AnyField, value: Any, context: DisplayContext, find_file: FindFile) -> Json:
    # A draft can have one value instead of a list, or a list.
    fits = isinstance(value, list) is field.answer_kind.is_list
    items = value if isinstance(value, list) else [value]
    return {
        "text": field.format_answer(value, context),
        "files": [file for one in items if (file := find_file(str(one)))] if field.file_use and fits else [],
        "place": _geo_uri_or_empty(items[0]) if field.shape and fits and items else "",
    }


def _geo_uri_or_empty(location: Mapping[str, Any]) -> str:
    try:
        return geo_uri(location)
    except (TypeError, ValueError, KeyError, OverflowError):
        return ""
