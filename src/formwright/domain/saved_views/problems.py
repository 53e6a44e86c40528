"""What is wrong with a view: when it is saved, and after the forms that it shows have changed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault, pointer
from formwright.domain.folders import service as folders
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.fields import NoteField, SectionField, flatten_sections
from formwright.domain.forms.indexing.indexed_fields import filterable_fields
from formwright.domain.forms.models import FormNotFound
from formwright.domain.saved_views.models import (
    ANSWER_PREFIX,
    BUILT_IN_COLUMNS,
    SavedView,
    ViewFilter,
    ViewSettings,
    is_column,
)
from formwright.domain.submissions.answer_filters import parse_conditions
from formwright.domain.submissions.text_search.words import parse_words

_ANSWER_NAME = re.compile(r"[\w.]+", re.ASCII)


def answer_pointer(key: str) -> str:
    """Return the pointer to a condition on an answer."""
    return pointer("filter", "answers", key)


def column_pointer(index: int) -> str:
    """Return the pointer to a column."""
    return pointer("columns", index)


def find_invalid_settings(settings: ViewSettings) -> list[ValidationFault]:
    """Return what is wrong with settings whatever the fields of the form are."""
    errors: list[ValidationFault] = []
    filter_ = settings.filter
    if filter_.last_days is not None and (filter_.from_day or filter_.to_day):
        detail = "Choose either the last days, or the first and the last day."
        errors.append(ValidationFault("/filter/lastDays", "view.period", detail))
    elif filter_.from_day and filter_.to_day and filter_.from_day > filter_.to_day:
        errors.append(ValidationFault("/filter/toDay", "view.period", "The last day is before the first day."))
    if fault := parse_words(filter_.q)[1]:
        errors.append(ValidationFault("/filter/q", fault.code, fault.detail))
    for index, name in enumerate(settings.columns):
        if name in settings.columns[:index]:
            errors.append(ValidationFault(column_pointer(index), "value.repeated", "This column occurs twice."))
        elif not is_column(name):
            known = ", ".join(BUILT_IN_COLUMNS)
            detail = f"This is not a column. The columns are {known}, and answers.… with the name of a field."
            errors.append(ValidationFault(column_pointer(index), "view.column", detail))
    return errors


async def find_unknown_fields(
    tx: ReadTransaction, actor: Actor, form_id: str | None, settings: ViewSettings
) -> list[ValidationFault]:
    """Return a validation error for each invalid condition on an answer, and for each column without a field.

    Columns need a field of the published version; conditions also compare fields that only earlier versions had.
    """
    form_ids = await _list_forms(tx, actor, form_id, settings.filter)
    errors = await _find_invalid_conditions(tx, actor, settings.filter, form_ids) if form_ids is not None else []
    columns = _answer_columns(settings)
    if columns and form_id is None:
        detail = "A view of all forms has no columns with answers. Choose a form."
        return errors + [ValidationFault(column_pointer(index), "view.column", detail) for index in columns]
    fields = await _published_fields(tx, actor, form_id) if columns and form_id else None
    if fields:
        detail = "The published version of the form has no field with this name."
        errors += [
            ValidationFault(column_pointer(index), "view.column", detail)
            for index, name in columns.items()
            if name not in fields[1]
        ]
    return errors


async def find_problems(tx: ReadTransaction, actor: Actor, view: SavedView) -> list[ValidationFault]:
    """Return what is no longer right with a view because its form has changed, with pointers into the view.

    `view.field_removed`: the published version has no such field, so only answers to earlier versions match or appear.
    `view.folder_removed`: the folder is gone, so nothing matches. The other codes are those of conditions on answers:
    such a condition is compared with no answer.
    """
    settings = view.settings
    if await _is_folder_removed(tx, actor, settings.filter.folder_id):
        detail = "This folder no longer exists, so no submission matches."
        return [ValidationFault("/filter/folderId", "view.folder_removed", detail)]
    form_ids = await _list_forms(tx, actor, view.form_id, settings.filter)
    if form_ids is None:
        return []
    invalid = await _find_invalid_conditions(tx, actor, settings.filter, form_ids)
    if view.form_id is None:
        return invalid
    fields = await _published_fields(tx, actor, view.form_id)
    if fields is None:
        return invalid
    known_invalid = {fault.pointer for fault in invalid}
    comparable, shown = fields
    removed = [
        ValidationFault(where, "view.field_removed", "The form no longer has this field. Only older answers match.")
        for where, name in ((answer_pointer(key), _name_of(key)) for key in settings.filter.answers)
        if where not in known_invalid and name not in comparable
    ]
    removed += [
        ValidationFault(
            column_pointer(index), "view.field_removed", "The form no longer has this field. Only exports contain it."
        )
        for index, name in _answer_columns(settings).items()
        if name not in shown
    ]
    return [*invalid, *removed]


async def _is_folder_removed(tx: ReadTransaction, actor: Actor, folder_id: str | None) -> bool:
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return folder_id is not None and await folders.find(tx, scope, folder_id) is None


async def _list_forms(
    tx: ReadTransaction, actor: Actor, form_id: str | None, filter_: ViewFilter
) -> Sequence[str] | None:
    """Return the forms whose fields conditions are compared with; empty means all forms, None that there are none."""
    if not filter_.folder_id or Permission.FORMS_READ not in actor.permissions:
        return [form_id] if form_id else []
    below = await forms.list_ids_below(tx, actor, folder_id=filter_.folder_id)
    return [one for one in below if form_id in (None, one)] or None


async def _find_invalid_conditions(
    tx: ReadTransaction, actor: Actor, filter_: ViewFilter, form_ids: Sequence[str]
) -> list[ValidationFault]:
    if not filter_.answers:
        return []
    raw = {key: [text] for key, text in filter_.answers.items()}
    _, faults = await parse_conditions(tx, actor, raw, form_ids=form_ids)
    return [replace(fault, pointer=answer_pointer(fault.pointer.removeprefix("?answers."))) for fault in faults]


def _answer_columns(settings: ViewSettings) -> Mapping[int, str]:
    """Return the names of the fields among the columns, by index."""
    return {
        index: name.removeprefix(ANSWER_PREFIX)
        for index, name in enumerate(settings.columns)
        if name.startswith(ANSWER_PREFIX)
    }


def _name_of(key: str) -> str:
    match = _ANSWER_NAME.match(key)
    return match[0] if match else key


async def _published_fields(
    tx: ReadTransaction, actor: Actor, form_id: str
) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the names by which answers can be compared, and those of the columns, of the published version.

    None if there is no such version, or if the actor may not read it.
    """
    try:
        if Permission.FORMS_READ not in actor.permissions:
            return None
        form = await forms.get(tx, actor, form_id=form_id)
    except FormNotFound:
        return None
    if form.published_version_id is None:
        return None
    version = await versions.get(tx, actor, form_id=form_id, version_id=form.published_version_id)
    fields = version.definition.fields
    columns = (field.name for field in flatten_sections(fields) if not isinstance(field, NoteField | SectionField))
    return frozenset(field.name for field in filterable_fields(fields)), frozenset(columns)
