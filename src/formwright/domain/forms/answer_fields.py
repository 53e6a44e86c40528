"""The fields of a form that have answers: the columns of tables of its submissions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import versions
from formwright.domain.forms.fields import AnyField, RepeatField, flatten_sections


def list_answer_fields(fields: Sequence[AnyField]) -> list[AnyField]:
    """Return the fields with answers, including those inside sections. The fields of a repeat stay inside of it."""
    return [field for field in flatten_sections(fields) if field.has_answer]


def list_repeats(fields: Sequence[AnyField], around: tuple[RepeatField, ...] = ()) -> Iterator[tuple[RepeatField, ...]]:
    """Yield each repeat, after the repeats that contain it, from the outside in."""
    for field in flatten_sections(fields):
        if isinstance(field, RepeatField):
            yield (*around, field)
            yield from list_repeats(field.fields, (*around, field))


def iter_rows(
    answers: Mapping[str, Any], repeats: Sequence[str], numbers: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Mapping[str, Any]]]:
    """Yield the rows of the innermost of these repeats, with the numbers of the row in each of them, from 1.

    What is no row, as in drafts, is an empty one.
    """
    if not repeats:
        yield numbers, answers
        return
    rows = answers.get(repeats[0])
    for number, row in enumerate(rows if isinstance(rows, list) else [], start=1):
        yield from iter_rows(row if isinstance(row, dict) else {}, repeats[1:], (*numbers, number))


async def list_of_all_versions(
    tx: ReadTransaction, actor: Actor, published: Sequence[AnyField], *, form_id: str
) -> list[AnyField]:
    """Return the fields of the published version in their order, then those that only earlier versions have.

    A field that versions define differently is returned as the newest of them defines it. The same holds for the
    fields inside of repeats.
    """
    fields = list_answer_fields(published)
    for older in await list_final(tx, actor, form_id=form_id):
        fields = _merge_older(fields, older)
    return fields


async def list_final(tx: ReadTransaction, actor: Actor, *, form_id: str) -> list[list[AnyField]]:
    """Return the fields with answers of each version that has been published, the newest version first."""
    found = await versions.list_final(tx, allow(actor, Permission.FORMS_READ), form_id=form_id)
    return [list_answer_fields(version.definition.fields) for version in reversed(found)]


def _merge_older(fields: Sequence[AnyField], older: Sequence[AnyField]) -> list[AnyField]:
    """Return the fields, followed by those that only `older` has; the same inside of repeats."""
    older_by_name, merged = {field.name: field for field in older}, list[AnyField]()
    for field in fields:
        old = older_by_name.pop(field.name, None)
        if isinstance(field, RepeatField) and isinstance(old, RepeatField):
            both = _merge_older(list_answer_fields(field.fields), list_answer_fields(old.fields))
            field = replace(field, fields=both)
        merged.append(field)
    return [*merged, *older_by_name.values()]
