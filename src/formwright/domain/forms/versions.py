"""Service functions for form versions."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer, require
from formwright.core.events import AuditNote
from formwright.core.events import changed_properties as differing
from formwright.core.offload import offload
from formwright.core.pagination import OLDEST_FIRST, Page, TimeFilter, Window
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import Datasource, DatasourceNotFound
from formwright.domain.forms import definition_validation, store
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, walk_fields
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import (
    FormNotFound,
    NoDraft,
    Version,
    VersionNotDraft,
    VersionNotFound,
    VersionStatus,
)

_FEW_FIELDS = 10
"""A definition with no more fields than this is validated on the event loop."""


async def find_errors(
    tx: ReadTransaction, actor: Actor, fields: Sequence[AnyField], settings: FormSettings | None = None
) -> list[ValidationFault]:
    """Return all errors of a definition in this account. Data sources are checked only if the actor may see them."""
    allow(actor, Permission.FORMS_READ)
    found = await _check_definition(fields)
    if settings and (fault := definition_validation.find_title_error(fields, settings.title_field)):
        found.append(fault)
    may_look = Permission.DATASOURCES_READ in actor.permissions
    for path, field in definition_validation.walk_with_paths(fields):
        if field.datasource_id and may_look:
            try:
                source = await datasources.get(tx, actor, datasource_id=field.datasource_id)
            except DatasourceNotFound as error:
                found.append(ValidationFault(pointer(*path, "datasourceId"), error.code, error.detail))
            else:
                found += _column_errors(path, field, source)
    return found


def _column_errors(path: definition_validation.Path, field: AnyField, source: Datasource) -> Iterator[ValidationFault]:
    """Yield errors for filters by columns that the data source lacks: no row could be chosen."""
    for column in field.filter:
        if column not in source.column_names:
            detail = f"The data source {source.name} has no column {column}."
            yield ValidationFault(pointer(*path, "filter", column), "field.column.unknown", detail)


async def _check_definition(fields: Sequence[AnyField]) -> list[ValidationFault]:
    """Return the validation errors of the fields. Each rule takes about a millisecond, so many go to a thread."""
    if sum(1 for _ in walk_fields(fields)) <= _FEW_FIELDS:
        return definition_validation.find_errors(fields)
    return await offload(definition_validation.find_errors, fields)


async def check_definition(tx: ReadTransaction, actor: Actor, definition: Definition) -> None:
    """Raise `Invalid` with all errors of a definition.

    Lookups require permission to read data sources, because everyone who fills in the form can see their rows.
    """
    if any(field.datasource_id for field in walk_fields(definition.fields)):
        allow(actor, Permission.DATASOURCES_READ)
    if found := await find_errors(tx, actor, definition.fields, definition.settings):
        raise Invalid(found)


async def get(tx: ReadTransaction, actor: Actor, *, form_id: str, version_id: str) -> Version:
    """Return a version of a form. Raises `VersionNotFound`."""
    return require(
        await find(tx, allow(actor, Permission.FORMS_READ), form_id=form_id, version_id=version_id), VersionNotFound
    )


async def find_many(tx: ReadTransaction, actor: Actor, version_ids: Iterable[str]) -> list[Version]:
    """Return the versions with these ids in any order, without those that the actor may not read."""
    if Permission.FORMS_READ not in actor.permissions:
        return []
    return await store.find_versions(tx, allow(actor, Permission.FORMS_READ), sorted(version_ids))


async def find(tx: ReadTransaction, scope: Scope, *, form_id: str, version_id: str) -> Version | None:
    """Return a version of a form, or None. For packages that have checked a permission of their own."""
    return await store.find_version(tx, scope, form_id, version_id)


async def page(
    tx: ReadTransaction, actor: Actor, window: Window, *, form_id: str, times: TimeFilter = OLDEST_FIRST
) -> Page[Version]:
    """Return a page of a form's versions, by default in the order of creation, which is that of their numbers."""
    scope = allow(actor, Permission.FORMS_READ)
    if await store.find_form(tx, scope, form_id) is None:
        raise FormNotFound()
    return await store.page_of_versions(tx, scope, form_id, window, times)


async def list_final(tx: ReadTransaction, scope: Scope, *, form_id: str) -> list[Version]:
    """Return the final versions of a form by number. For packages that check the access themselves."""
    return await store.list_final_versions(tx, scope, form_id)


async def get_previous(tx: ReadTransaction, actor: Actor, version: Version, *, since: str | None) -> Version:
    """Return the version to compare with: `since` if given, else the previous one. The first version is its own."""
    if since is not None:
        return await get(tx, actor, form_id=version.form_id, version_id=since)
    scope = allow(actor, Permission.FORMS_READ)
    return await store.find_previous_version(tx, scope, version.form_id, version.number) or version


async def get_newest(tx: ReadTransaction, actor: Actor, *, form_id: str) -> Version:
    """Return the version with the highest number."""
    return require(await store.find_newest_version(tx, allow(actor, Permission.FORMS_READ), form_id), FormNotFound)


async def create(
    tx: WriteTransaction,
    actor: Actor,
    *,
    form_id: str,
    fields: Sequence[AnyField],
    settings: FormSettings | None = None,
    remarks: str = "",
) -> Version:
    """Create a draft after the existing versions. Without `settings`, it gets those of the newest version."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    last = require(await store.find_newest_version(tx, scope, form_id), FormNotFound)
    definition = Definition(list(fields), settings or last.definition.settings)
    await check_definition(tx, actor, definition)
    draft = Version(
        id=tx.new_id("ver"),
        customer_id=scope.customer_id,
        form_id=form_id,
        number=last.number + 1,
        status=VersionStatus.DRAFT,
        remarks=remarks,
        definition=definition,
        created=now,
        updated=now,
        revision=1,
        created_by=actor.author_id,
        updated_by=actor.author_id,
    )
    await store.insert_version(tx, draft)
    _audit(tx, "version.created", draft)
    return draft


async def change(
    tx: WriteTransaction,
    actor: Actor,
    *,
    form_id: str,
    version_id: str,
    fields: Sequence[AnyField] | None = None,
    settings: FormSettings | None = None,
    remarks: str | None = None,
) -> Version:
    """Update a draft. None leaves a property unchanged. Raises `VersionNotDraft` if the version is final."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    version = require(await store.find_version(tx, scope, form_id, version_id), VersionNotFound)
    if version.status is not VersionStatus.DRAFT:
        raise VersionNotDraft()
    was = version.definition
    definition = Definition(was.fields if fields is None else list(fields), settings or was.settings)
    await check_definition(tx, actor, definition)
    changed = replace(
        version,
        definition=definition,
        remarks=version.remarks if remarks is None else remarks,
        updated=now,
        updated_by=actor.author_id,
        revision=version.revision + 1,
    )
    await store.update_version(tx, changed)
    _audit(tx, "version.updated", changed, differing(version, changed))
    return changed


def _audit(tx: WriteTransaction, action: str, version: Version, changed: tuple[str, ...] = ()) -> None:
    tx.audit(AuditNote(version.customer_id, action, version.id, f"Version {version.number}", changed))


async def save_draft(
    tx: WriteTransaction,
    actor: Actor,
    *,
    form_id: str,
    fields: Sequence[AnyField] | None = None,
    settings: FormSettings | None = None,
) -> Version:
    """Update the newest version if it is a draft, else create one. None keeps what the newest version has."""
    last = await get_newest(tx, actor, form_id=form_id)
    if last.status is VersionStatus.DRAFT:
        return await change(tx, actor, form_id=form_id, version_id=last.id, fields=fields, settings=settings)
    asked = last.definition.fields if fields is None else fields
    return await create(tx, actor, form_id=form_id, fields=asked, settings=settings)


async def get_newest_draft(tx: ReadTransaction, actor: Actor, *, form_id: str) -> Version:
    """Return the newest version. Raises `NoDraft` if it is final: older drafts have been superseded."""
    last = await get_newest(tx, actor, form_id=form_id)
    if last.status is not VersionStatus.DRAFT:
        raise NoDraft()
    return last


async def finalize(tx: WriteTransaction, actor: Actor, version: Version) -> Version:
    """Make a draft final after validating it again, because a data source may have been deleted since."""
    if version.status is VersionStatus.FINAL:
        return version
    scope = allow(actor, Permission.FORMS_PUBLISH)
    await check_definition(tx, actor, version.definition)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    final = replace(
        version, status=VersionStatus.FINAL, updated=now, updated_by=actor.author_id, revision=version.revision + 1
    )
    await store.update_version(tx, final)
    return final
