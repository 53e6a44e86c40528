"""Kinds of fields, and what changed of them, in plain words."""

from collections.abc import Iterator, Sequence
from typing import Any

from formwright.domain.forms.definition import AnyField, Definition, RepeatField, SectionField, label_text, walk_fields
from formwright.domain.forms.diff import ChangeKind, FieldDiff

FIELD_GROUPS: dict[str, dict[str, str]] = {
    "Text": {
        "text": "Short text",
        "textarea": "Long text",
        "email": "Email address",
        "phone": "Phone number",
        "url": "Web address",
    },
    "Numbers": {"integer": "Whole number", "decimal": "Decimal number", "rating": "Rating", "slider": "Slider"},
    "Choice": {
        "boolean": "Yes or no",
        "choice": "Single choice",
        "choices": "Multiple choice",
        "lookup": "Lookup",
    },
    "Date and time": {"date": "Date", "time": "Time", "datetime": "Date and time"},
    "Media": {"photo": "Photo", "signature": "Signature", "file": "File"},
    "Location and codes": {"location": "Location", "barcode": "Barcode"},
    "Structure": {"note": "Note", "section": "Section", "repeat": "Repeated group"},
}
FIELD_LABELS = {kind: name for group in FIELD_GROUPS.values() for kind, name in group.items()}

_PROPERTY_LABELS = {
    "type": "kind",
    "visibleIf": "visibility rule",
    "readOnly": "read only",
    "indexed": "filter index",
    "validIf": "validation rule",
    "message": "validation message",
    "calculate": "calculation",
    "minLength": "shortest",
    "maxLength": "longest",
    "min": "least",
    "max": "most",
    "datasourceId": "data source",
    "display": "displayed columns",
    "mapping": "fields it fills in",
    "filter": "row filter",
    "maxFiles": "file limit",
    "page": "page break",
}


def field_type_label(field: AnyField) -> str:
    """What the field is called: “Short text”."""
    return FIELD_LABELS[str(type(field).__struct_config__.tag)]


def field_outline(fields: Sequence[AnyField], language: str) -> list[dict[str, Any]]:
    """The fields for reading: label, kind, name, and those inside."""
    return [
        {
            "label": label_text(field.label, (language,)),
            "kind": field_type_label(field),
            "name": field.name,
            "required": field.required,
            "inside": field_outline(field.fields, language) if isinstance(field, SectionField | RepeatField) else [],
        }
        for field in fields
    ]


def change_rows(
    found: Sequence[FieldDiff], counts: Sequence[int], before: Definition, after: Definition
) -> list[dict[str, Any]]:
    """Each change as a sentence, those that break readers of the answers first."""
    old, new = _labels_by_name(before), _labels_by_name(after)
    lines = [
        {
            "text": _describe_change(change, old.get(change.before or "", ""), new.get(change.after or "", "")),
            "breaking": change.is_breaking,
            "touched": _describe_affected(count) if change.is_breaking or change.kind is ChangeKind.CHANGED else "",
        }
        for change, count in zip(found, counts, strict=True)
    ]
    return sorted([*lines, *_settings_changes(before, after)], key=lambda line: not line["breaking"])


def _labels_by_name(definition: Definition) -> dict[str, str]:
    language = definition.settings.language
    return {field.name: label_text(field.label, (language,)) for field in walk_fields(definition.fields)}


def _describe_change(change: FieldDiff, old: str, new: str) -> str:
    match change.kind:
        case ChangeKind.ADDED:
            return f"Added “{new}”."
        case ChangeKind.REMOVED:
            return f"Removed “{old}” ({change.before})."
        case ChangeKind.RENAMED:
            return f"Renamed the field of “{new}” from {change.before} to {change.after}."
        case ChangeKind.RETYPED:
            return f"Changed the type of “{new}” ({change.after})."
        case ChangeKind.MOVED:
            return f"Moved “{new}” ({change.after}) into or out of a repeated group."
        case ChangeKind.CHANGED:
            return (
                f"“{new}” changed: {', '.join(_PROPERTY_LABELS.get(member, member) for member in change.properties)}."
            )


def _describe_affected(count: int) -> str:
    return {0: "No submissions have an answer.", 1: "1 submission has an answer."}.get(
        count, f"{count} submissions have an answer."
    )


def _settings_changes(before: Definition, after: Definition) -> Iterator[dict[str, Any]]:
    old, new = ([field.name for field in walk_fields(definition.fields)] for definition in (before, after))
    if before.settings != after.settings:
        yield {"text": "Changed the form settings.", "breaking": False, "touched": ""}
    if old != new and sorted(old) == sorted(new):
        yield {"text": "Reordered the fields.", "breaking": False, "touched": ""}
