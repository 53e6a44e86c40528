"""Service functions for users with their groups and grants: invite, create, edit and list them."""

from collections.abc import Sequence
from dataclasses import replace

from msgspec import UNSET

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer, require
from formwright.core.events import Event, EventType
from formwright.core.net.email_message import is_address
from formwright.core.pagination import Page, Window
from formwright.domain.users import service, store
from formwright.domain.users.auth import emails
from formwright.domain.users.change_events import changed_user_properties, load_details, record_group_updates
from formwright.domain.users.grants import GrantEditor, not_held_error
from formwright.domain.users.models import (
    MAX_GROUPS,
    MAX_MEMBERS,
    EmailProtected,
    EmailTaken,
    Grant,
    GroupNotFound,
    NewUser,
    User,
    UserDetails,
    UserEdit,
    UserExternalIdTaken,
    UserFilter,
    UserNotFound,
    UserStatus,
    is_email,
    merge_changes,
    normalise_email,
)


async def invite(tx: WriteTransaction, actor: Actor, new: NewUser) -> UserDetails:
    """Create a user who can sign in once they have set a password or, with the status DISABLED, been enabled.

    The caller sends the invitation. Raises `Invalid` or `EmailTaken`.
    """
    return await _create(tx, actor, new, None)


async def create(tx: WriteTransaction, actor: Actor, new: NewUser, *, password_hash: str) -> UserDetails:
    """Create a user with a password, who can sign in at once. Raises `Invalid` or `EmailTaken`."""
    return await _create(tx, actor, replace(new, status=UserStatus.ACTIVE), password_hash)


async def create_without_password(tx: WriteTransaction, actor: Actor, new: NewUser) -> UserDetails:
    """Create a user who signs in with an identity provider. Raises `Invalid` or `EmailTaken`."""
    return await _create(tx, actor, replace(new, status=UserStatus.ACTIVE), None, needs_password=False)


async def activate(tx: WriteTransaction, actor: Actor, *, user_id: str) -> None:
    """Activate an invited user who has signed in with an identity provider; their invitation ends.

    Does nothing to users of another status. Raises `UserNotFound`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    current = await get(tx, actor, user_id=user_id)
    if current.user.status is not UserStatus.INVITED:
        return
    user = replace(current.user, status=UserStatus.ACTIVE, updated=now, revision=current.user.revision + 1)
    await store.update(tx, user, user.email)
    await store.delete_password_links(tx, scope, user_id)
    tx.record(Event(EventType.USER_UPDATED, scope.customer_id, replace(current, user=user), changed=("status",)))


async def _create(
    tx: WriteTransaction, actor: Actor, new: NewUser, password_hash: str | None, *, needs_password: bool = True
) -> UserDetails:
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    user = User(
        tx.new_id("usr"),
        scope.customer_id,
        normalise_email(new.email),
        new.name,
        new.language,
        new.status,
        now,
        now,
        1,
        new.external_id,
    )
    empty = UserDetails(user)
    created = UserDetails(user, tuple(sorted(new.group_ids)), tuple(sorted(new.grants)))
    errors = [*_email_errors(user.email), *_name_errors(new.name)]
    if needs_password and new.status is UserStatus.ACTIVE and password_hash is None:
        errors.append(_no_password_error())
    errors += await _access_errors(GrantEditor(tx, actor, scope), empty, new.group_ids, new.grants)
    await _check(tx, scope, user, errors)
    await store.insert(tx, user, password_hash)
    await _save_access(tx, scope, empty, created, now)
    tx.record(Event(EventType.USER_CREATED, scope.customer_id, created))
    return created


async def edit(
    tx: WriteTransaction,
    actor: Actor,
    changes: UserEdit,
    *,
    user_id: str,
    current: UserDetails | None = None,
    secret_box: SecretBox | None = None,
) -> UserDetails:
    """Edit a user. Disabling a user also ends their sessions.

    Another email address ends their sessions and links, and a mail to the old address says so. `secret_box` encrypts
    that mail in the queue: nobody can change an address without it. `current` is the user, if the caller has read them
    since it took the account lock.
    Raises `UserNotFound`, `Invalid`, `EmailTaken`, `LastOwner`, `EmailProtected` for the address of an owner who has a
    password unless the actor is a user, or `Denied` for changing the address, external id or status of a user who has
    more permissions than the actor.
    """
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    await account_lock.hold(tx, scope.customer_id)
    current = current or await get(tx, actor, user_id=user_id)
    if not _has_new_email(changes, current.user):
        return await _edit(tx, actor, changes, current)
    # Before the change, which might also revoke the role of the owner.
    if actor.user_id is None and await is_owner_with_password(tx, current.user):
        raise EmailProtected()
    edited = await _edit(tx, actor, changes, current)
    await _leave_email(tx, current.user, secret_box)
    return edited


async def anonymise(tx: WriteTransaction, actor: Actor, changes: UserEdit, *, user_id: str) -> UserDetails:
    """Edit a user who is being erased. The old address gets no mail. Raises the errors of `edit`."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    await account_lock.hold(tx, scope.customer_id)
    edited = await _edit(tx, actor, changes, await get(tx, actor, user_id=user_id))
    await end_sign_ins(tx, scope, user_id)
    return edited


async def is_owner_with_password(tx: ReadTransaction, user: User) -> bool:
    """Whether a user has a password, and all permissions for the whole account."""
    has_password = await store.has_password(tx, Scope(user.customer_id), user.id)
    return has_password and service.is_owner(await service.load_actor(tx, user))


def _identity(user: User) -> tuple[object, ...]:
    """Return what decides who signs in as the user, and whether they can."""
    return user.email, user.external_id, user.status


def _has_new_email(changes: UserEdit, user: User) -> bool:
    return changes.email is not None and normalise_email(changes.email) != user.email


async def _leave_email(tx: WriteTransaction, old: User, secret_box: SecretBox | None) -> None:
    """End what was sent to the old address of a user, or was opened from there, and notify it."""
    if secret_box is None:
        raise TypeError("an address was changed without the means to notify the old one")
    await store.delete_sessions(tx, Scope(old.customer_id), old.id)
    await emails.cancel_links(tx, old)
    await emails.send_change_notice(tx, secret_box, old, "email")


async def _edit(tx: WriteTransaction, actor: Actor, changes: UserEdit, current: UserDetails) -> UserDetails:
    scope, user_id = Scope(actor.customer_id), current.id
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    if (grants := merge_changes(current.grants, changes.remove_grants, changes.add_grants)) is not None:
        changes = replace(changes, grants=grants)
    errors = _email_errors(changes.email or "") if _has_new_email(changes, current.user) else []
    errors += _name_errors(changes.name) if changes.name is not None else []
    status = await _validate_status(tx, scope, current.user, changes.status, errors)
    editor = GrantEditor(tx, actor, scope)
    errors += await _access_errors(editor, current, changes.group_ids, changes.grants)
    edited = _apply(current, changes, status)
    if _identity(edited.user) != _identity(current.user):
        await editor.check_may_manage(current.user)
    await _check(tx, scope, edited.user, errors)
    if edited == current:
        return current
    edited = replace(edited, user=replace(edited.user, updated=now, revision=current.user.revision + 1))
    await store.update(tx, edited.user, current.user.email)
    if status is UserStatus.DISABLED:
        await store.delete_sessions(tx, scope, user_id)
    await _save_access(tx, scope, current, edited, now)
    event_type = _event_type(current.user.status, status)
    tx.record(Event(event_type, scope.customer_id, edited, changed=changed_user_properties(current, edited)))
    # After the change, because the owner may be one through a group. The error rolls the transaction back.
    await editor.check_has_owner()
    return edited


async def add_grant(tx: WriteTransaction, actor: Actor, grant: Grant, *, user_id: str) -> UserDetails:
    """Give a user one more grant; one that they have already changes nothing. Raises the errors of `edit`."""
    await account_lock.hold(tx, allow(actor, Permission.PEOPLE_MANAGE).customer_id)
    current = await get(tx, actor, user_id=user_id)
    return current if grant in current.grants else await edit(tx, actor, UserEdit(add_grants=[grant]), user_id=user_id)


async def remove_grant(tx: WriteTransaction, actor: Actor, grant: Grant, *, user_id: str) -> UserDetails:
    """Revoke one grant of a user; one that they do not have changes nothing. Raises the errors of `edit`."""
    await account_lock.hold(tx, allow(actor, Permission.PEOPLE_MANAGE).customer_id)
    return await edit(tx, actor, UserEdit(remove_grants=[grant]), user_id=user_id)


def _apply(current: UserDetails, changes: UserEdit, status: UserStatus) -> UserDetails:
    user = replace(
        current.user,
        email=current.user.email if changes.email is None else normalise_email(changes.email),
        name=current.user.name if changes.name is None else changes.name,
        language=current.user.language if changes.language is None else changes.language,
        status=status,
        external_id=current.user.external_id if changes.external_id is UNSET else changes.external_id,
    )
    groups = current.group_ids if changes.group_ids is None else tuple(sorted(changes.group_ids))
    return UserDetails(user, groups, current.grants if changes.grants is None else tuple(sorted(changes.grants)))


def _event_type(before: UserStatus, after: UserStatus) -> EventType:
    if before is after or UserStatus.DISABLED not in (before, after):
        return EventType.USER_UPDATED
    return EventType.USER_DISABLED if after is UserStatus.DISABLED else EventType.USER_ENABLED


async def _validate_status(
    tx: ReadTransaction, scope: Scope, user: User, requested: UserStatus | None, errors: list[ValidationFault]
) -> UserStatus:
    """Return the new status, or append to `errors` if the requested one is impossible.

    A user who never set a password becomes INVITED, not ACTIVE, when they are enabled.
    """
    if requested is None or requested is user.status:
        return user.status
    if requested is UserStatus.DISABLED:
        return requested
    disabled, has_password = user.status is UserStatus.DISABLED, await store.has_password(tx, scope, user.id)
    if requested is UserStatus.INVITED and has_password:
        detail = "This user already has a password and cannot be invited again."
        errors.append(ValidationFault("/status", "user.status", detail))
    elif disabled:
        return UserStatus.ACTIVE if has_password else UserStatus.INVITED
    else:
        errors.append(_no_password_error())
    return user.status


def _no_password_error() -> ValidationFault:
    return ValidationFault("/status", "user.status", "A user only becomes active by setting a password.")


def _email_errors(email: str) -> list[ValidationFault]:
    valid = is_email(email) and is_address(normalise_email(email))
    return [] if valid else [ValidationFault("/email", "value.format", "Enter a valid email address.")]


def _name_errors(name: str) -> list[ValidationFault]:
    return [] if name.strip() else [ValidationFault("/name", "value.required", "This is required.")]


async def _check(tx: ReadTransaction, scope: Scope, user: User, errors: list[ValidationFault]) -> None:
    if errors:
        raise Invalid(errors)
    await check_unique(tx, scope, user.email, user.external_id, user.id)


async def check_unique(tx: ReadTransaction, scope: Scope, email: str, external_id: str | None, user_id: str) -> None:
    """Raise `EmailTaken` or `UserExternalIdTaken` if a user other than `user_id` has one of these."""
    if await store.has_email(tx, scope, email, user_id):
        raise EmailTaken()
    if external_id and await store.has_external_id(tx, scope, "users", external_id, user_id):
        raise UserExternalIdTaken()


async def end_sign_ins(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    """End the sessions and the password links of a user who is being deleted."""
    await store.delete_sessions(tx, scope, user_id)
    await store.delete_password_links(tx, scope, user_id)


async def _access_errors(
    editor: GrantEditor, current: UserDetails, group_ids: Sequence[str] | None, grants: Sequence[Grant] | None
) -> list[ValidationFault]:
    errors = [] if group_ids is None else await _group_errors(editor, current, group_ids)
    return errors if grants is None else errors + await editor.validate(grants, current.grants)


async def _group_errors(editor: GrantEditor, current: UserDetails, group_ids: Sequence[str]) -> list[ValidationFault]:
    if len(group_ids) > MAX_GROUPS:
        return [ValidationFault("/groups", "value.too_many", f"A user can be in at most {MAX_GROUPS} groups.")]
    groups = await store.find_groups(editor.tx, editor.scope, {*group_ids, *current.group_ids})
    errors: list[ValidationFault] = []
    for index, group_id in enumerate(group_ids):
        path, group = pointer("groups", index), groups.get(group_id)
        if group is None:
            errors.append(ValidationFault(path, GroupNotFound.code, GroupNotFound.detail))
        elif group_id in group_ids[:index]:
            errors.append(ValidationFault(path, "value.repeated", "This group is listed twice."))
        elif group_id in current.group_ids:
            continue
        elif len(group.member_ids) >= MAX_MEMBERS:
            errors.append(ValidationFault(path, "value.too_many", f"This group already has {MAX_MEMBERS} members."))
        elif await editor.exceeds_actor(group.grants):
            errors.append(not_held_error("groups", index))
    lost = [grant for group_id in current.group_ids if group_id not in group_ids for grant in groups[group_id].grants]
    return [*errors, not_held_error("groups")] if await editor.exceeds_actor(lost) else errors


async def _save_access(tx: WriteTransaction, scope: Scope, current: UserDetails, edited: UserDetails, now: int) -> None:
    user_id = edited.user.id
    joined, left = (set(a.group_ids) - set(b.group_ids) for a, b in ((edited, current), (current, edited)))
    await store.insert_members(tx, scope, [(group_id, user_id) for group_id in sorted(joined)])
    await store.delete_members(tx, scope, [(group_id, user_id) for group_id in sorted(left)])
    await store.insert_grants(tx, scope, user_id, set(edited.grants) - set(current.grants))
    await store.delete_grants(tx, scope, user_id, set(current.grants) - set(edited.grants))
    await record_group_updates(tx, scope, joined | left, now)


async def get(tx: ReadTransaction, actor: Actor, *, user_id: str) -> UserDetails:
    """Return a user with their groups and their own grants; raises `UserNotFound`."""
    return require(await find(tx, allow(actor, Permission.PEOPLE_READ), user_id), UserNotFound)


async def find(tx: ReadTransaction, scope: Scope, user_id: str) -> UserDetails | None:
    """Return a user, or None. For packages that have checked a permission of their own."""
    user = await store.find(tx, scope, user_id)
    return (await load_details(tx, scope, [user]))[0] if user else None


async def find_many(tx: ReadTransaction, scope: Scope, user_ids: Sequence[str]) -> list[UserDetails]:
    """Return the users with these ids, the oldest first, without those that do not exist.

    For packages that have checked a permission of their own.
    """
    found = sorted(await store.find_many(tx, scope, user_ids), key=lambda user: user.id)
    return await load_details(tx, scope, found)


async def list_with_password(tx: ReadTransaction, actor: Actor, user_ids: Sequence[str]) -> set[str]:
    """Return those of the users who have a password. The others sign in with an identity provider, or not at all."""
    return await store.list_with_password(tx, allow(actor, Permission.PEOPLE_READ), user_ids)


async def find_by_external_id(tx: WriteTransaction, actor: Actor, external_id: str) -> UserDetails | None:
    """Return the user with this external id, or None. Locks the account, so nobody else creates one."""
    scope = allow(actor, Permission.PEOPLE_READ)
    await account_lock.hold(tx, scope.customer_id)
    found = await page(tx, actor, UserFilter(external_id=external_id), Window(1))
    return found.items[0] if found.items else None


async def page(tx: ReadTransaction, actor: Actor, criteria: UserFilter, window: Window) -> Page[UserDetails]:
    """Return a page of the users that match the filter, the oldest first."""
    scope = allow(actor, Permission.PEOPLE_READ)
    found = await store.page(tx, scope, criteria, window)
    return Page(await load_details(tx, scope, found.items), found.next)
