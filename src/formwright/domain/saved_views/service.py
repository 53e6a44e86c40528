"""Creating, changing, deleting and listing saved views."""

from collections.abc import Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Denied, Invalid, ValidationFault, require
from formwright.core.events import AuditNote, changed_properties
from formwright.core.pagination import Page, Window
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import FolderNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.saved_views import problems, store
from formwright.domain.saved_views.models import (
    ID_PREFIX,
    MAX_PER_ACCOUNT,
    MAX_PER_USER,
    NewView,
    SavedView,
    ViewFilter,
    ViewLimitReached,
    ViewNameTaken,
    ViewNotFound,
    ViewVisibility,
)
from formwright.domain.users import service as users
from formwright.domain.users.models import UserNotFound


async def create(tx: WriteTransaction, actor: Actor, new: NewView) -> SavedView:
    """Save a view.

    A view for the account requires `submissions:edit` for its form or its folder, or for the whole account if it has
    neither. Raises `Invalid` with all errors, `ViewNameTaken` or `ViewLimitReached`.
    """
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    # Take the account lock before counting, so that two concurrent requests cannot both create the last view.
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    await _check(tx, actor, new)
    view = SavedView(
        id=tx.new_id(ID_PREFIX),
        customer_id=scope.customer_id,
        owner_id=_owner_id(actor, new),
        name=new.name,
        form_id=new.form_id,
        settings=new.settings,
        created=now,
        updated=now,
        revision=1,
    )
    await _check_name(tx, scope, view)
    await _check_limit(tx, scope, view.owner_id)
    await store.insert(tx, view)
    _audit(tx, view, "created")
    return view


async def change(tx: WriteTransaction, actor: Actor, new: NewView, *, view_id: str) -> SavedView:
    """Replace a view. Does nothing if it stays the same. A private view becomes the account's, or the other way round.

    Raises the same errors as `create`, and `ViewNotFound`. What stays the same is not validated again, so a view whose
    field no longer exists can be renamed.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_READ)
    view = await _get_to_change(tx, actor, view_id)
    await _check(tx, actor, new, view)
    changed = replace(view, owner_id=_owner_id(actor, new), name=new.name, form_id=new.form_id, settings=new.settings)
    if changed == view:
        return view
    changed = replace(changed, updated=now, revision=view.revision + 1)
    await _check_name(tx, scope, changed)
    if changed.owner_id != view.owner_id:
        await _check_limit(tx, scope, changed.owner_id)
    await store.update(tx, changed)
    _audit(tx, changed, "updated", _changed(view, changed))
    return changed


async def delete(tx: WriteTransaction, actor: Actor, *, view_id: str) -> SavedView:
    """Delete a view and return it. Raises `ViewNotFound`."""
    await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_READ)
    view = await _get_to_change(tx, actor, view_id)
    await store.delete(tx, view)
    _audit(tx, view, "deleted")
    return view


async def get(tx: ReadTransaction, actor: Actor, *, view_id: str) -> SavedView:
    """Return a view of the account or of the acting user. Raises `ViewNotFound`."""
    return require(
        await store.find(tx, allow(actor, Permission.SUBMISSIONS_READ), actor.user_id, view_id), ViewNotFound
    )


async def page(tx: ReadTransaction, actor: Actor, window: Window, *, form_id: str | None = None) -> Page[SavedView]:
    """Return a page of the views of the account and of the acting user, oldest first; of a form if it is given."""
    return await store.page(tx, allow(actor, Permission.SUBMISSIONS_READ), actor.user_id, window, form_id)


async def may_change(tx: ReadTransaction, actor: Actor, view: SavedView) -> bool:
    """Whether the actor may change and delete the view."""
    if view.owner_id is not None:
        return view.owner_id == actor.user_id
    return await may_share(tx, actor, view.form_id, view.settings.filter.folder_id)


async def may_share(tx: ReadTransaction, actor: Actor, form_id: str | None, folder_id: str | None) -> bool:
    """Whether the actor may save, change and delete views of the account for this form and folder."""
    try:
        return await _find_missing_access(tx, actor, form_id, folder_id) is None
    except Denied:
        return False


async def _get_to_change(tx: ReadTransaction, actor: Actor, view_id: str) -> SavedView:
    view = await get(tx, actor, view_id=view_id)
    if not await may_change(tx, actor, view):
        raise Denied(f"This needs the permission {Permission.SUBMISSIONS_EDIT.value} for everything the view shows.")
    return view


def _owner_id(actor: Actor, new: NewView) -> str | None:
    return actor.user_id if new.visibility is ViewVisibility.PRIVATE else None


async def _check(tx: ReadTransaction, actor: Actor, new: NewView, before: SavedView | None = None) -> None:
    """Raise `Invalid` with everything that is wrong with the properties that differ from those of `before`."""
    errors: list[ValidationFault] = []
    if new.visibility is ViewVisibility.PRIVATE and actor.user_id is None:
        detail = "A private view belongs to a user. API keys can only save views for the account."
        errors.append(ValidationFault("/visibility", "view.private", detail))
    errors += await _find_unknown_ids(tx, actor, new, before)
    errors += problems.find_invalid_settings(new.settings)
    if not errors:
        faults = await problems.find_unknown_fields(tx, actor, new.form_id, new.settings)
        errors += [fault for fault in faults if fault.pointer not in _same_pointers(new, before)]
    if not errors and new.visibility is ViewVisibility.ACCOUNT:
        missing = await _find_missing_access(tx, actor, new.form_id, new.settings.filter.folder_id)
        errors += [missing] if missing else []
    if errors:
        raise Invalid(errors)


async def _find_unknown_ids(
    tx: ReadTransaction, actor: Actor, new: NewView, before: SavedView | None
) -> Sequence[ValidationFault]:
    scope, filter_ = allow(actor, Permission.SUBMISSIONS_READ), new.settings.filter
    known_form, known = (before.form_id, before.settings.filter) if before else (None, ViewFilter())
    errors: list[ValidationFault] = []
    if new.form_id not in (None, known_form) and await forms.find(tx, scope, new.form_id or "") is None:
        errors.append(ValidationFault("/formId", FormNotFound.code, FormNotFound.detail))
    folder_id, user_id = filter_.folder_id, filter_.user_id
    if folder_id not in (None, known.folder_id) and await folders.find(tx, scope, folder_id or "") is None:
        errors.append(ValidationFault("/filter/folderId", FolderNotFound.code, FolderNotFound.detail))
    if user_id not in (None, known.user_id):
        try:
            await users.get(tx, actor, user_id=user_id or "")
        except UserNotFound as error:
            errors.append(ValidationFault("/filter/userId", error.code, error.detail))
    return errors


def _same_pointers(new: NewView, before: SavedView | None) -> set[str]:
    """Return the pointers to the conditions and columns that `before` has, too, for the same form."""
    if before is None or before.form_id != new.form_id:
        return set()
    known, answers = before.settings, new.settings.filter.answers
    conditions = {key for key, text in answers.items() if known.filter.answers.get(key) == text}
    columns = {index for index, name in enumerate(new.settings.columns) if name in known.columns}
    return {*map(problems.answer_pointer, conditions), *map(problems.column_pointer, columns)}


async def _find_missing_access(
    tx: ReadTransaction, actor: Actor, form_id: str | None, folder_id: str | None
) -> ValidationFault | None:
    """Return what keeps the actor from changing a view of the account with this form and folder; None if nothing.

    Raises `Denied` without `submissions:edit`.
    """
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    if form_id:
        found = await forms.find(tx, scope, form_id)
        return None if found else ValidationFault("/formId", FormNotFound.code, FormNotFound.detail)
    if scope.has_folder(folder_id):
        return None
    if folder_id:
        return ValidationFault("/filter/folderId", FolderNotFound.code, FolderNotFound.detail)
    detail = "Choose a form or a folder. You cannot save views of all forms for everyone."
    return ValidationFault("/formId", "view.form_required", detail)


async def _check_name(tx: ReadTransaction, scope: Scope, view: SavedView) -> None:
    other = await store.find_id_by_name(tx, scope, view.owner_id, view.form_id, view.name)
    if other not in (None, view.id):
        raise ViewNameTaken()


async def _check_limit(tx: ReadTransaction, scope: Scope, owner_id: str | None) -> None:
    if await store.count(tx, scope, owner_id) >= (MAX_PER_USER if owner_id else MAX_PER_ACCOUNT):
        raise ViewLimitReached()


def _changed(before: SavedView, after: SavedView) -> tuple[str, ...]:
    """Return the names of the changed properties as the API calls them."""
    names = [name for name in changed_properties(before, after) if name not in ("settings", "ownerId")]
    if before.visibility is not after.visibility:
        names.append("visibility")
    return (*names, *changed_properties(before.settings, after.settings))


def _audit(tx: WriteTransaction, view: SavedView, verb: str, changed: tuple[str, ...] = ()) -> None:
    # The log is read by others, so it does not contain the names of private views.
    name = view.name if view.owner_id is None else ""
    tx.audit(AuditNote(view.customer_id, f"view.{verb}", view.id, name, changed))
