"""The files to which the answers of a submission refer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import ValidationFault, pointer
from formwright.core.ids import is_id
from formwright.domain.files import service as files
from formwright.domain.files.models import ID_PREFIX, FileReference
from formwright.domain.forms import answer_validation
from formwright.domain.forms.definition import (
    AnyField,
    FileField,
    PhotoField,
    RepeatField,
    SignatureField,
    flatten_sections,
)
from formwright.domain.forms.models import Version

Path = tuple[str | int, ...]


async def attach(
    tx: WriteTransaction,
    actor: Actor,
    version: Version,
    *,
    submission_id: str,
    data: Mapping[str, Any],
    purpose: Permission = Permission.SUBMISSIONS_CREATE,
) -> list[ValidationFault]:
    """Attach the files that the answers refer to. Returns a validation error for each file that cannot be attached."""
    if not answer_validation.compile_version(version).has_file_fields:
        return []
    named = list(find_file_references(version.definition.fields, data))
    return await files.attach(
        tx, actor, purpose, form_id=version.form_id, submission_id=submission_id, references=named
    )


def find_file_references(
    fields: Sequence[AnyField], data: Mapping[str, Any], path: Path = ("data",)
) -> Iterator[FileReference]:
    """Yield each reference to a file, also in the rows of repeats. Values that are not valid answers are skipped."""
    for field in flatten_sections(fields):
        value = data.get(field.name)
        here = (*path, field.name)
        match field:
            case SignatureField():
                yield from _to_reference(field.name, value, here)
            case PhotoField() | FileField() if isinstance(value, list):
                for index, item in enumerate(value):
                    yield from _to_reference(field.name, item, (*here, index))
            case RepeatField() if isinstance(value, list):
                for index, row in enumerate(value):
                    if isinstance(row, dict):
                        yield from find_file_references(field.fields, row, (*here, index))


def _to_reference(field: str, value: Any, path: Path) -> Iterator[FileReference]:
    if isinstance(value, str) and is_id(value, ID_PREFIX):
        yield FileReference(value, field, pointer(*path))
