"""Metadata: answers that the page fills in by itself, about the person, the device and how the form is filled in."""

from collections.abc import Iterator, Sequence, Set

from msgspec import UNSET

from formwright.core.errors import ValidationFault, pointer
from formwright.domain.forms.fields.base import FieldMetadata, FileMetadata, LocationMetadata
from formwright.domain.forms.fields.files import FileField
from formwright.domain.forms.fields.places import LocationField
from formwright.domain.forms.fields.structure import AnyField, flatten_sections
from formwright.domain.forms.fields.text import TextField

Metadata = FieldMetadata | FileMetadata | LocationMetadata


def metadata_of(field: AnyField) -> Metadata | None:
    """Return what the page fills in, or None if it asks for the answer."""
    found = field.metadata if isinstance(field, TextField | FileField | LocationField) else UNSET
    return None if found is UNSET else found


def find_by_metadata(fields: Sequence[AnyField], metadata: Metadata) -> str | None:
    """Return the name of the first field outside of repeats with this metadata, or None."""
    return next((field.name for field in flatten_sections(fields) if metadata_of(field) is metadata), None)


def find_metadata_errors(
    fields: Sequence[AnyField], placed: Sequence[tuple[tuple[str | int, ...], AnyField]]
) -> Iterator[ValidationFault]:
    """Yield the errors of metadata. `placed` are all fields with their paths, in reading order."""
    outside = {field.name for field in flatten_sections(fields)}
    has_audit = False
    for path, field in placed:
        if (metadata := metadata_of(field)) is None:
            continue
        if detail := _find_error(field) or _find_misplacement(field, outside, has_audit=has_audit):
            yield ValidationFault(pointer(*path, "metadata"), "field.metadata", detail)
        has_audit = has_audit or metadata is FileMetadata.AUDIT


def _find_error(field: AnyField) -> str:
    sources = (getattr(field, "default", UNSET), field.default_rule, field.calculate)
    if field.hidden and all(source is UNSET for source in sources):
        return ""
    return "Metadata needs a hidden field without a default, defaultRule and calculate."


def _find_misplacement(field: AnyField, outside: Set[str], *, has_audit: bool) -> str:
    metadata = metadata_of(field)
    if not isinstance(metadata, FieldMetadata) and field.name not in outside:
        return "It belongs to the whole submission. Move the field out of the repeat."
    if metadata is FileMetadata.AUDIT and has_audit:
        return "Another field has the times of the questions. Remove one of the fields."
    return ""
