"""The outline of a form, and descriptions of the differences between versions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.diff import ChangeKind, FieldDiff
from formwright.domain.forms.fields import AnyField, RepeatField, SectionField, walk_fields
from formwright.domain.forms.fields.labels import label_text
from formwright.web.fields import DESIGNER_ENTRIES

PROPERTY_LABELS = {
    "guidance": "more information",
    "media": "media",
    "type": "type",
    "visibleIf": "visibility rule",
    "requiredIf": "required rule",
    "requiredMessage": "message for required",
    "readOnly": "read only",
    "readOnlyIf": "read-only rule",
    "hidden": "hidden",
    "indexed": "filter index",
    "validIf": "validation rule",
    "message": "validation message",
    "calculate": "calculation",
    "default": "default",
    "defaultRule": "initial answer",
    "xlsformColumns": "XLSForm columns",
    "recalculateOn": "fields that set the initial answer",
    "minLength": "minimum length",
    "maxLength": "maximum length",
    "min": "minimum",
    "max": "maximum",
    "datasourceId": "data source",
    "display": "displayed columns",
    "mapping": "filled-in fields",
    "filter": "row filter",
    "optionFilter": "option filter",
    "countRule": "number of entries",
    "rowsFrom": "entries from a data source",
    "randomize": "random order",
    "minChoices": "minimum choices",
    "maxChoices": "maximum choices",
    "maxFiles": "file limit",
    "drawing": "drawing",
    "agreement": "agreement",
    "likert": "scale in one row",
    "lowLabel": "text next to 0",
    "rowLabel": "title of each entry",
    "highLabel": "text next to 10",
    "page": "page break",
    "table": "table",
}
"""The names of properties in descriptions of changes. The others are called as in the API."""


@dataclass(frozen=True, slots=True)
class FieldOutline:
    """A field, with the fields inside of it."""

    label: str
    kind: str
    name: str
    is_required: bool
    fields: "Sequence[FieldOutline]"


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A difference between two versions. `affected` says how many submissions have an answer of the changed field."""

    text: str
    breaking: bool
    affected: str


def field_type_label(field: AnyField) -> str:
    """Return the label of a field's type, such as “Short text”."""
    return DESIGNER_ENTRIES[field.type].title


def field_outline(fields: Sequence[AnyField], language: str) -> list[FieldOutline]:
    """Return the fields in the order of the form, with their labels in a language."""
    return [
        FieldOutline(
            label=label_text(field.label, (language,)),
            kind=field_type_label(field),
            name=field.name,
            is_required=field.required,
            fields=field_outline(field.fields, language) if isinstance(field, SectionField | RepeatField) else [],
        )
        for field in fields
    ]


def change_rows(
    changes: Sequence[FieldDiff], counts: Sequence[int], before: Definition, after: Definition
) -> list[ChangeRow]:
    """Describe the differences, breaking ones first. `counts` are the affected submissions of each change."""
    old, new = _labels_by_name(before), _labels_by_name(after)
    rows = [
        ChangeRow(
            text=_describe_change(change, old.get(change.before or "", ""), new.get(change.after or "", "")),
            breaking=change.is_breaking,
            affected=_describe_affected(count) if change.is_breaking or change.kind is ChangeKind.CHANGED else "",
        )
        for change, count in zip(changes, counts, strict=True)
    ]
    return sorted([*rows, *_settings_changes(before, after)], key=lambda row: not row.breaking)


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
            return f"“{new}” changed: {', '.join(PROPERTY_LABELS.get(name, name) for name in change.properties)}."


def _describe_affected(count: int) -> str:
    return {0: "No submissions have an answer.", 1: "1 submission has an answer."}.get(
        count, f"{count} submissions have an answer."
    )


def _settings_changes(before: Definition, after: Definition) -> Iterator[ChangeRow]:
    old, new = ([field.name for field in walk_fields(definition.fields)] for definition in (before, after))
    if before.settings != after.settings:
        yield ChangeRow("Changed the form settings.", breaking=False, affected="")
    if old != new and sorted(old) == sorted(new):
        yield ChangeRow("Reordered the fields.", breaking=False, affected="")
