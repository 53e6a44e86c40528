"""Service functions for forms."""

from collections.abc import Sequence
from dataclasses import replace

from msgspec import UNSET

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, Statement, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.events import Event, EventType
from formwright.core.events import changed_properties as differing
from formwright.core.lru_cache import LRUCache
from formwright.core.pagination import MAX_LIMIT, NEWEST_FIRST, Page, Window
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import FolderNotFound
from formwright.domain.forms import store, versions, xform_ids
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.indexing import indexed_fields
from formwright.domain.forms.links import link_limits
from formwright.domain.forms.models import (
    Form,
    FormArchived,
    FormChange,
    FormExternalIdTaken,
    FormFilter,
    FormNotFound,
    FormNotPublished,
    FormStatus,
    NewForm,
    Version,
    VersionNotFound,
    VersionStatus,
)
from formwright.domain.forms.public_link import check_limits

NO_FILTER = FormFilter()
_LINK_PREFIX = "f"


async def create(tx: WriteTransaction, actor: Actor, draft: NewForm) -> Form:
    """Create a form with its first version, which is published if `draft.publish` is set and a draft otherwise."""
    scope = allow(actor, Permission.FORMS_EDIT)
    if draft.publish:
        allow(actor, Permission.FORMS_PUBLISH)
    check_limits(draft.public_link)
    definition = Definition(list(draft.fields), draft.settings)
    await versions.check_definition(tx, actor, definition)
    # Locks the account before ids are checked, so that no other transaction takes them before the commit.
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    await _check_folder(tx, scope, draft.folder_id)
    form_id, version_id = tx.new_id("frm"), tx.new_id("ver")
    form = Form(
        id=form_id,
        customer_id=scope.customer_id,
        name=draft.name,
        description=draft.description,
        status=FormStatus.ACTIVE,
        tags=tuple(draft.tags),
        folder_id=draft.folder_id,
        published_version_id=version_id if draft.publish else None,
        link=crypto.new_secret(_LINK_PREFIX),
        created=now,
        updated=now,
        revision=1,
        external_id=draft.external_id,
        xform_id=await xform_ids.choose(tx, scope, draft, form_id),
        public_link=draft.public_link,
    )
    await check_external_id(tx, scope, form.external_id, form.id)
    status = VersionStatus.FINAL if draft.publish else VersionStatus.DRAFT
    await store.insert_form(tx, form)
    first = Version(
        version_id, scope.customer_id, form_id, 1, status, "", definition, now, now, 1, actor.author_id, actor.author_id
    )
    await store.insert_version(tx, first)
    await link_limits.apply_limit(tx, form)
    tx.record(Event(EventType.FORM_CREATED, scope.customer_id, form))
    if draft.publish:
        await indexed_fields.apply_version(tx, first, first=True)
        tx.record(Event(EventType.FORM_PUBLISHED, scope.customer_id, form))
    return form


async def find(tx: ReadTransaction, scope: Scope, form_id: str) -> Form | None:
    """Return the form, or None if the scope does not contain it. For packages that check a permission of their own."""
    return await store.find_form(tx, scope, form_id)


async def find_names(tx: ReadTransaction, actor: Actor, form_ids: Sequence[str]) -> dict[str, str]:
    """Return the names of the forms with these ids by id, without those that the actor may not read."""
    return await store.find_names(tx, allow(actor, Permission.FORMS_READ), form_ids)


def prefetch(actor: Actor, *, form_id: str) -> list[Statement]:
    """Return the statement that `get_for_answering` runs first, so that it can be prefetched."""
    return store.form_query(allow(actor, Permission.SUBMISSIONS_CREATE), form_id)


async def get(tx: ReadTransaction, actor: Actor, *, form_id: str) -> Form:
    """Return a form of the account. Raises `FormNotFound`."""
    return await _get(tx, allow(actor, Permission.FORMS_READ), form_id)


async def find_with_published(tx: ReadTransaction, actor: Actor, *, form_id: str) -> tuple[Form, Version | None] | None:
    """Return a form with its published version, if it has one; None if the actor may not read the form."""
    return await store.find_with_published(tx, allow(actor, Permission.FORMS_READ), form_id)


async def _get(tx: ReadTransaction, scope: Scope, form_id: str) -> Form:
    form = await store.find_form(tx, scope, form_id)
    # Without `require`, because each submission passes here: tests/contracts/test_call_path.py.
    if form is None:
        raise FormNotFound()
    return form


async def _check_folder(tx: ReadTransaction, scope: Scope, folder_id: str | None) -> None:
    """Raise `Invalid` if the folder is not in the scope, or if a form outside of folders would not be."""
    if folder_id is None and scope.reach:
        raise Invalid.at("/folderId", "folder.required", "Choose a folder. You cannot create forms outside of folders.")
    if folder_id is not None and await folders.find(tx, scope, folder_id) is None:
        raise Invalid.at("/folderId", FolderNotFound.code, FolderNotFound.detail)


async def check_external_id(tx: ReadTransaction, scope: Scope, external_id: str | None, form_id: str) -> None:
    """Raise `FormExternalIdTaken` if a form other than `form_id` has this external id."""
    if external_id and await store.has_external_id(tx, scope, external_id, form_id):
        raise FormExternalIdTaken()


async def change(tx: WriteTransaction, actor: Actor, changes: FormChange, *, form_id: str) -> Form:
    """Update a form, and its draft if fields or settings are given. None leaves a property unchanged."""
    scope = allow(actor, Permission.FORMS_EDIT)
    # Locks the account before the form is read, so that no concurrent change is overwritten.
    await account_lock.next_timestamp(tx, scope.customer_id)
    form = await _get(tx, scope, form_id)
    if changes.to_root or changes.folder_id is not None:
        await _check_folder(tx, scope, changes.folder_id)
    changed = replace(
        form,
        name=form.name if changes.name is None else changes.name,
        description=form.description if changes.description is None else changes.description,
        tags=form.tags if changes.tags is None else tuple(changes.tags),
        status=changes.status or form.status,
        folder_id=None if changes.to_root else changes.folder_id or form.folder_id,
        external_id=form.external_id if changes.external_id is UNSET else changes.external_id,
        public_link=changes.public_link or form.public_link,
        xform_id=changes.xform_id or form.xform_id,
    )
    check_limits(changed.public_link)
    if changed.external_id != form.external_id:
        await check_external_id(tx, scope, changed.external_id, form_id)
    if changed.xform_id != form.xform_id:
        await xform_ids.check(tx, scope, changed.xform_id, form_id)
    elif changed.xform_id is None and changed.name != form.name:
        # The form is from before forms had ids: exports made one from the name, and it stays that one.
        changed = replace(changed, xform_id=await xform_ids.find_free(tx, scope, xform_ids.derive(form.name)))
    if changed != form:
        form = await _save_change(tx, scope, form, changed)
    if changes.fields is not None or changes.settings is not None:
        await versions.save_draft(tx, actor, form_id=form_id, fields=changes.fields, settings=changes.settings)
    if not changes.publish:
        return form
    draft = await versions.get_newest_draft(tx, actor, form_id=form_id)
    return await publish(tx, actor, form_id=form_id, version_id=draft.id)


async def _save_change(tx: WriteTransaction, scope: Scope, before: Form, form: Form) -> Form:
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    form = replace(form, updated=now, revision=form.revision + 1)
    await store.update_form(tx, form)
    if form.public_link != before.public_link:
        await link_limits.apply_limit(tx, form)
    put_away = form.status is FormStatus.ARCHIVED and before.status is not form.status
    happened = EventType.FORM_ARCHIVED if put_away else EventType.FORM_UPDATED
    tx.record(Event(happened, scope.customer_id, form, changed=differing(before, form)))
    return form


async def publish(tx: WriteTransaction, actor: Actor, *, form_id: str, version_id: str) -> Form:
    """Make a version final and publish it. Submissions that were begun with another version keep that version.

    Publishing the version that is already published changes nothing and records no event.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_PUBLISH)
    form = await _get(tx, scope, form_id)
    version = await versions.get(tx, actor, form_id=form_id, version_id=version_id)
    if version.id == form.published_version_id:
        return form
    await versions.finalize(tx, actor, version)
    await indexed_fields.apply_version(tx, version, first=form.published_version_id is None)
    form = replace(form, published_version_id=version.id, updated=now, revision=form.revision + 1)
    await store.update_form(tx, form)
    tx.record(Event(EventType.FORM_PUBLISHED, scope.customer_id, form))
    return form


async def move_to_folder(tx: WriteTransaction, actor: Actor, *, form_ids: Sequence[str], folder_id: str) -> None:
    """Move forms into a folder: all of them, or none if one of them does not exist (`Invalid`)."""
    scope, _ = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    if await folders.find(tx, scope, folder_id) is None:
        raise FolderNotFound()
    found = {form_id: await store.find_form(tx, scope, form_id) for form_id in form_ids}
    wrong = [
        ValidationFault(pointer("formIds", i), FormNotFound.code, FormNotFound.detail)
        for i, f in enumerate(form_ids)
        if not found[f]
    ]
    if wrong:
        raise Invalid(wrong)
    for form in found.values():
        if form and form.folder_id != folder_id:
            await _save_change(tx, scope, form, replace(form, folder_id=folder_id))


async def page(
    tx: ReadTransaction,
    actor: Actor,
    window: Window,
    filter_: FormFilter = NO_FILTER,
    *,
    folder_id: str | None = None,
    newest_first: bool = False,
) -> Page[Form]:
    """Return a page of forms, by default in order of creation.

    With `folder_id`, those in this folder and the folders below it.
    """
    scope = allow(actor, Permission.FORMS_READ)
    inside = await folders.list_descendants(tx, actor, folder_id=folder_id) if folder_id else []
    if folder_id and not inside:
        return Page([], None)
    times = NEWEST_FIRST if newest_first else filter_.times
    return await store.page_of_forms(tx, scope, window, replace(filter_, folder_ids=inside, times=times))


async def count(tx: ReadTransaction, actor: Actor, filter_: FormFilter, *, folder_id: str | None = None) -> int:
    """Count the forms that `page` lists."""
    scope = allow(actor, Permission.FORMS_READ)
    inside = await folders.list_descendants(tx, actor, folder_id=folder_id) if folder_id else []
    return 0 if folder_id and not inside else await store.count_forms(tx, scope, replace(filter_, folder_ids=inside))


async def list_fillable(tx: ReadTransaction, actor: Actor) -> Sequence[Form]:
    """Return the forms that the actor may fill in, newest first, at most 1,000."""
    return await list_open(tx, allow(actor, Permission.SUBMISSIONS_CREATE))


async def list_open(tx: ReadTransaction, scope: Scope, text: str = "") -> Sequence[Form]:
    """Return the forms in a scope that accept submissions, newest first, at most 1,000. `text` is part of the name."""
    which = FormFilter(status=FormStatus.ACTIVE, text=text, times=NEWEST_FIRST)
    found = await store.page_of_forms(tx, scope, Window(MAX_LIMIT), which)
    return [form for form in found.items if form.published_version_id]


async def list_below(tx: ReadTransaction, actor: Actor, *, folder_id: str) -> list[Form]:
    """Return the forms in a folder and in the folders below it, in order of creation."""
    found: list[Form] = []
    window: Window | None = Window(MAX_LIMIT)
    while window:
        listed = await page(tx, actor, window, folder_id=folder_id)
        found += listed.items
        window = Window(MAX_LIMIT, listed.next) if listed.next else None
    return found


async def list_ids_below(tx: ReadTransaction, actor: Actor, *, folder_id: str) -> list[str]:
    """Return the ids of the forms in a folder and in the folders below it."""
    scope = allow(actor, Permission.FORMS_READ)
    return await store.list_ids_in_folders(tx, scope, await folders.list_descendants(tx, actor, folder_id=folder_id))


async def get_for_answering(
    tx: ReadTransaction,
    actor: Actor,
    *,
    form_id: str,
    version_id: str | None = None,
    permission: Permission = Permission.SUBMISSIONS_CREATE,
) -> tuple[Form, Version]:
    """Return the form and the version to answer: `version_id` if a submission was begun with it, or the published."""
    scope = allow(actor, permission)
    form = await _get(tx, scope, form_id)
    if form.status is FormStatus.ARCHIVED:
        raise FormArchived()
    wanted = version_id or form.published_version_id
    version = await find_final_version(tx, scope, form_id, wanted) if wanted else None
    if version is None:
        raise VersionNotFound() if version_id else FormNotPublished()
    return form, version


_final_versions = LRUCache[tuple[str, str, str], Version](512)
"""Final versions, which never change. They are needed for each submission, and at each keystroke in a lookup."""


async def find_final_version(tx: ReadTransaction, scope: Scope, form_id: str, version_id: str) -> Version | None:
    """Return the version if it is final, or None. For packages that check the access themselves."""
    key = (scope.customer_id, form_id, version_id)
    if cached := _final_versions.get(key):
        return cached
    version = await store.find_version(tx, scope, form_id, version_id)
    return _final_versions.put(key, version) if version and version.status is not VersionStatus.DRAFT else None


async def resolve_link(tx: ReadTransaction, token: str) -> tuple[Actor, str] | None:
    """Return the actor for the holder of a fill link and the id of the form, or None if there is no such link."""
    target = await store.find_link_target(tx, token) if crypto.is_well_formed(token, _LINK_PREFIX) else None
    return (actors.link(target[1], target[0]), target[1]) if target else None
