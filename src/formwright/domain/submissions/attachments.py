"""The files to which the answers of a submission refer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.ids import is_id
from formwright.domain.files import service as files
from formwright.domain.files.models import ID_PREFIX, FileReference, Target
from formwright.domain.forms.answers import validation as answer_validation
from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField, flatten_sections, walk_fields
from formwright.domain.forms.models import Version
from formwright.domain.submissions import attachment_store

Path = tuple[str | int, ...]


def find_target(version: Version, name: str) -> Target:
    """Return the field with this name, to upload a file for. Raises `Invalid` at `?field` if it accepts no files."""
    for field in walk_fields(version.definition.fields):
        if field.name == name and field.file_use:
            return Target(version.form_id, name, field.file_use)
    raise Invalid.at("?field", "file.field", "The form has no field with this name that accepts files.")


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


async def detach_all(tx: WriteTransaction, scope: Scope, submission_ids: Sequence[str]) -> None:
    """Detach the files of these submissions and of their revisions, so that the next cleanup deletes them."""
    await attachment_store.detach_files(tx, scope, submission_ids)


async def find_errors(
    tx: ReadTransaction, actor: Actor, version: Version, *, data: Mapping[str, Any]
) -> list[ValidationFault]:
    """Return an error for each file in the answers of a new submission that could not be attached to it."""
    if not answer_validation.compile_version(version).has_file_fields:
        return []
    named = list(find_file_references(version.definition.fields, data))
    return await files.find_errors(tx, actor, form_id=version.form_id, references=named)


def find_file_references(
    fields: Sequence[AnyField], data: Mapping[str, Any], path: Path = ("data",)
) -> Iterator[FileReference]:
    """Yield each reference to a file, also in the rows of repeats. Values that are not valid answers are skipped."""
    for field in flatten_sections(fields):
        value = data.get(field.name)
        here = (*path, field.name)
        if field.answer_kind is AnswerKind.FILE:
            yield from _to_reference(field.name, value, here)
        elif field.file_use and isinstance(value, list):
            for index, item in enumerate(value):
                yield from _to_reference(field.name, item, (*here, index))
        elif isinstance(field, RepeatField) and isinstance(value, list):
            for index, row in enumerate(value):
                if isinstance(row, dict):
                    yield from find_file_references(field.fields, row, (*here, index))


def _to_reference(field: str, value: Any, path: Path) -> Iterator[FileReference]:
    if isinstance(value, str) and is_id(value, ID_PREFIX):
        yield FileReference(value, field, pointer(*path))
