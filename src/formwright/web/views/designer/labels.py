"""Kinds of fields, and what changed of them, in plain words."""

from collections.abc import Iterator, Sequence
from typing import Any

from formwright.domain.forms.definition import AnyField, Definition, RepeatField, SectionField, label_text, walk_fields
from formwright.domain.forms.diff import ChangeKind, FieldDiff

GROUPS: dict[str, dict[str, str]] = {
    "Text": {
        "text": "Short text",
        "textarea": "Long text",
        "email": "E-mail address",
        "phone": "Telephone number",
        "url": "Web address",
    },
    "Numbers": {"integer": "Whole number", "decimal": "Number with decimals", "rating": "Stars", "slider": "Slider"},
    "Choice": {
        "boolean": "Yes or no",
        "choice": "One of several",
        "choices": "Any of several",
        "lookup": "From a data source",
    },
    "Date and time": {"date": "Date", "time": "Time", "datetime": "Date and time"},
    "Media": {"photo": "Photo", "signature": "Signature", "file": "File"},
    "Place and codes": {"location": "Location", "barcode": "Barcode"},
    "Structure": {"note": "Note", "section": "Section", "repeat": "Repeated group"},
}
KINDS = {kind: name for group in GROUPS.values() for kind, name in group.items()}

_MEMBERS = {
    "type": "kind",
    "visibleIf": "when it is shown",
    "readOnly": "read only",
    "indexed": "whether lists are filtered by it",
    "validIf": "what is accepted",
    "message": "the message",
    "calculate": "how it is calculated",
    "minLength": "shortest",
    "maxLength": "longest",
    "min": "least",
    "max": "most",
    "datasourceId": "the data source",
    "display": "columns shown",
    "mapping": "what it fills in",
    "filter": "which rows are offered",
    "maxFiles": "how many files",
    "page": "whether it is a page of its own",
}


def kind_of(field: AnyField) -> str:
    """What the field is called: “Short text”."""
    return KINDS[str(type(field).__struct_config__.tag)]


def outline(fields: Sequence[AnyField], language: str) -> list[dict[str, Any]]:
    """The fields for reading: label, kind, name, and those inside."""
    return [
        {
            "label": label_text(field.label, (language,)),
            "kind": kind_of(field),
            "name": field.name,
            "required": field.required,
            "inside": outline(field.fields, language) if isinstance(field, SectionField | RepeatField) else [],
        }
        for field in fields
    ]


def change_lines(
    found: Sequence[FieldDiff], counts: Sequence[int], before: Definition, after: Definition
) -> list[dict[str, Any]]:
    """Each change as a sentence, those that break readers of the answers first."""
    old, new = _labels(before), _labels(after)
    lines = [
        {
            "text": _sentence(change, old.get(change.before or "", ""), new.get(change.after or "", "")),
            "breaking": change.is_breaking,
            "touched": _touched(count) if change.is_breaking or change.kind is ChangeKind.CHANGED else "",
        }
        for change, count in zip(found, counts, strict=True)
    ]
    return sorted([*lines, *_settings(before, after)], key=lambda line: not line["breaking"])


def _labels(definition: Definition) -> dict[str, str]:
    language = definition.settings.language
    return {field.name: label_text(field.label, (language,)) for field in walk_fields(definition.fields)}


def _sentence(change: FieldDiff, old: str, new: str) -> str:
    match change.kind:
        case ChangeKind.ADDED:
            return f"“{new}” is new."
        case ChangeKind.REMOVED:
            return f"“{old}” ({change.before}) is gone."
        case ChangeKind.RENAMED:
            return f"“{new}” is now named {change.after}; it was {change.before}."
        case ChangeKind.RETYPED:
            return f"“{new}” ({change.after}) takes another kind of answer."
        case ChangeKind.MOVED:
            return f"“{new}” ({change.after}) goes into a repeated group, or out of one."
        case ChangeKind.CHANGED:
            return f"“{new}” changed: {', '.join(_MEMBERS.get(member, member) for member in change.properties)}."


def _touched(count: int) -> str:
    return {0: "No submission holds an answer to it.", 1: "1 submission holds an answer to it."}.get(
        count, f"{count} submissions hold an answer to it."
    )


def _settings(before: Definition, after: Definition) -> Iterator[dict[str, Any]]:
    old, new = ([field.name for field in walk_fields(definition.fields)] for definition in (before, after))
    if before.settings != after.settings:
        yield {"text": "The form's own settings changed.", "breaking": False, "touched": ""}
    if old != new and sorted(old) == sorted(new):
        yield {"text": "The fields stand in another order.", "breaking": False, "touched": ""}
