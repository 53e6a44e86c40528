"""Metadata: answers that the page fills in by itself, about the person, the device and how the form is filled in."""

from collections.abc import Iterator, Sequence, Set

from msgspec import UNSET

from formwright.core.errors import ValidationFault, pointer
from formwright.domain.forms.fields.properties import FieldMetadata, FileMetadata, Metadata
from formwright.domain.forms.fields.structure import AnyField, flatten_sections


def find_by_metadata(fields: Sequence[AnyField], metadata: Metadata) -> str | None:
    """Return the name of the first field outside of repeats with this metadata, or None."""
    return next((field.name for field in flatten_sections(fields) if field.metadata is metadata), None)


def find_metadata_errors(
    fields: Sequence[AnyField], placed: Sequence[tuple[tuple[str | int, ...], AnyField]]
) -> Iterator[ValidationFault]:
    """Yield the errors of metadata. `placed` are all fields with their paths, in reading order."""
    outside = {field.name for field in flatten_sections(fields)}
    has_audit = False
    for path, field in placed:
        if field.metadata is UNSET:
            continue
        if detail := _find_error(field) or _find_misplacement(field, outside, has_audit=has_audit):
            yield ValidationFault(pointer(*path, "metadata"), "field.metadata", detail)
        has_audit = has_audit or field.metadata is FileMetadata.AUDIT


def _find_error(field: AnyField) -> str:
    sources = (field.default, field.default_rule, field.calculate)
    if field.hidden and all(source is UNSET for source in sources):
        return ""
    return "Metadata needs a hidden field without a default, defaultRule and calculate."


def _find_misplacement(field: AnyField, outside: Set[str], *, has_audit: bool) -> str:
    if not isinstance(field.metadata, FieldMetadata) and field.name not in outside:
        return "It belongs to the whole submission. Move the field out of the repeat."
    if field.metadata is FileMetadata.AUDIT and has_audit:
        return "Another field has the times of the questions. Remove one of the fields."
    return ""
