"""The verbs of people with their rights: invite one, change one, find them."""

from collections.abc import Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.net.email_message import is_address
from formwright.core.pagination import Page, Window
from formwright.domain.users import events, store
from formwright.domain.users.change_events import changed_user_properties, load_details, record_group_updates
from formwright.domain.users.grants import GrantEditor, not_held_error
from formwright.domain.users.models import (
    MAX_GROUPS,
    MAX_MEMBERS,
    EmailTaken,
    Grant,
    GroupNotFound,
    NewUser,
    User,
    UserDetails,
    UserEdit,
    UserFilter,
    UserNotFound,
    UserStatus,
    is_email,
    merge_changes,
    normalise_email,
)


async def invite(tx: WriteTransaction, actor: Actor, new: NewUser) -> UserDetails:
    """A new person, who can sign in as soon as she has set a password; with `DISABLED` not until she is enabled."""
    return await _create(tx, actor, new, None)


async def create(tx: WriteTransaction, actor: Actor, new: NewUser, *, password_hash: str) -> UserDetails:
    """A new person who has a password already, and so can sign in at once."""
    return await _create(tx, actor, replace(new, status=UserStatus.ACTIVE), password_hash)


async def _create(tx: WriteTransaction, actor: Actor, new: NewUser, password_hash: str | None) -> UserDetails:
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    user = User(
        tx.new_id("usr"), scope.customer_id, normalise_email(new.email), new.name, new.language, new.status, now, now, 1
    )
    person = UserDetails(user, tuple(sorted(new.group_ids)), tuple(sorted(new.grants)))
    nobody = UserDetails(user)
    found = [*_email_errors(user.email), *_name_errors(new.name)]
    if new.status is UserStatus.ACTIVE and password_hash is None:
        found.append(_no_password_error())
    found += await _access_errors(GrantEditor(tx, actor, scope), nobody, new.group_ids, new.grants)
    await _check(tx, scope, user, found)
    await store.insert(tx, user, password_hash)
    await _save_access(tx, scope, nobody, person, now)
    tx.record(events.UserCreated(scope.customer_id, person))
    return person


async def edit(tx: WriteTransaction, actor: Actor, changes: UserEdit, *, user_id: str) -> UserDetails:
    """Change a person; what is not named stays as it is. Who is disabled is signed out with the change itself."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    was = await get(tx, actor, user_id=user_id)
    if (left := merge_changes(was.grants, changes.remove_grants, changes.add_grants)) is not None:
        changes = replace(changes, grants=left)
    moves = changes.email is not None and normalise_email(changes.email) != was.user.email
    found = _email_errors(changes.email or "") if moves else []
    found += _name_errors(changes.name) if changes.name is not None else []
    status = await _validate_status(tx, scope, was.user, changes.status, found)
    giver = GrantEditor(tx, actor, scope)
    found += await _access_errors(giver, was, changes.group_ids, changes.grants)
    wanted = _apply(was, changes, status)
    if (wanted.user.email, status) != (was.user.email, was.user.status):
        await giver.check_may_manage(was.user)
    await _check(tx, scope, wanted.user, found)
    if wanted == was:
        return was
    person = replace(wanted, user=replace(wanted.user, updated=now, revision=was.user.revision + 1))
    await store.update(tx, person.user, was.user.email)
    if status is UserStatus.DISABLED:
        await store.delete_sessions(tx, scope, user_id)
    await _save_access(tx, scope, was, person, now)
    happened = _event_type(was.user.status, status)
    tx.record(happened(scope.customer_id, person, changed=changed_user_properties(was, person)))
    await giver.check_has_owner()
    return person


def _apply(was: UserDetails, changes: UserEdit, status: UserStatus) -> UserDetails:
    user = replace(
        was.user,
        email=was.user.email if changes.email is None else normalise_email(changes.email),
        name=was.user.name if changes.name is None else changes.name,
        language=was.user.language if changes.language is None else changes.language,
        status=status,
    )
    groups = was.group_ids if changes.group_ids is None else tuple(sorted(changes.group_ids))
    return UserDetails(user, groups, was.grants if changes.grants is None else tuple(sorted(changes.grants)))


def _event_type(before: UserStatus, after: UserStatus) -> type[events.UserEvent]:
    if before is after or UserStatus.DISABLED not in (before, after):
        return events.UserUpdated
    return events.UserDisabled if after is UserStatus.DISABLED else events.UserEnabled


async def _validate_status(
    tx: ReadTransaction, scope: Scope, user: User, wanted: UserStatus | None, errors: list[ValidationFault]
) -> UserStatus:
    """Her status after the change. Who never set a password is invited again when she is enabled."""
    if wanted is None or wanted is user.status:
        return user.status
    if wanted is UserStatus.DISABLED:
        return wanted
    disabled, has_password = user.status is UserStatus.DISABLED, await store.has_password(tx, scope, user.id)
    if wanted is UserStatus.INVITED and has_password:
        words = "This person has a password and does not become invited again."
        errors.append(ValidationFault("/status", "user.status", words))
    elif disabled:
        return UserStatus.ACTIVE if has_password else UserStatus.INVITED
    else:
        errors.append(_no_password_error())
    return user.status


def _no_password_error() -> ValidationFault:
    return ValidationFault("/status", "user.status", "A person becomes active when a password is set, not before.")


def _email_errors(email: str) -> list[ValidationFault]:
    good = is_email(email) and is_address(normalise_email(email))
    return [] if good else [ValidationFault("/email", "value.format", "This is no e-mail address.")]


def _name_errors(name: str) -> list[ValidationFault]:
    return [] if name.strip() else [ValidationFault("/name", "value.required", "This is required.")]


async def _check(tx: ReadTransaction, scope: Scope, user: User, errors: list[ValidationFault]) -> None:
    if errors:
        raise Invalid(errors)
    if await store.has_email(tx, scope, user.email, user.id):
        raise EmailTaken()


async def _access_errors(
    editor: GrantEditor, was: UserDetails, group_ids: Sequence[str] | None, grants: Sequence[Grant] | None
) -> list[ValidationFault]:
    found = [] if group_ids is None else await _group_errors(editor, was, group_ids)
    return found if grants is None else found + await editor.validate(grants, was.grants)


async def _group_errors(editor: GrantEditor, was: UserDetails, wanted: Sequence[str]) -> list[ValidationFault]:
    if len(wanted) > MAX_GROUPS:
        return [ValidationFault("/groups", "value.too_many", f"A person can be in {MAX_GROUPS} groups at most.")]
    known = await store.find_groups(editor.tx, editor.scope, {*wanted, *was.group_ids})
    found: list[ValidationFault] = []
    for index, group_id in enumerate(wanted):
        at, group = pointer("groups", index), known.get(group_id)
        if group is None:
            found.append(ValidationFault(at, GroupNotFound.code, GroupNotFound.detail))
        elif group_id in wanted[:index]:
            found.append(ValidationFault(at, "value.repeated", "This group is named twice."))
        elif group_id in was.group_ids:
            continue
        elif len(group.member_ids) >= MAX_MEMBERS:
            found.append(ValidationFault(at, "value.too_many", f"This group has {MAX_MEMBERS} members already."))
        elif await editor.exceeds_actor(group.grants):
            found.append(not_held_error("groups", index))
    left = [grant for group_id in was.group_ids if group_id not in wanted for grant in known[group_id].grants]
    return [*found, not_held_error("groups")] if await editor.exceeds_actor(left) else found


async def _save_access(tx: WriteTransaction, scope: Scope, was: UserDetails, person: UserDetails, now: int) -> None:
    joined, left = (set(a.group_ids) - set(b.group_ids) for a, b in ((person, was), (was, person)))
    await store.insert_members(tx, scope, [(group_id, person.user.id) for group_id in sorted(joined)])
    await store.delete_members(tx, scope, [(group_id, person.user.id) for group_id in sorted(left)])
    await store.insert_grants(tx, scope, person.user.id, set(person.grants) - set(was.grants))
    await store.delete_grants(tx, scope, person.user.id, set(was.grants) - set(person.grants))
    await record_group_updates(tx, scope, joined | left, now)


async def get(tx: ReadTransaction, actor: Actor, *, user_id: str) -> UserDetails:
    """One person of the account with her groups and with what she was given."""
    scope = allow(actor, Permission.PEOPLE_READ)
    user = await store.find(tx, scope, user_id)
    if user is None:
        raise UserNotFound()
    return (await load_details(tx, scope, [user]))[0]


async def page(tx: ReadTransaction, actor: Actor, criteria: UserFilter, window: Window) -> Page[UserDetails]:
    """The people of the account that fit, those who came first at the front."""
    scope = allow(actor, Permission.PEOPLE_READ)
    found = await store.page(tx, scope, criteria, window)
    return Page(await load_details(tx, scope, found.items), found.next)
