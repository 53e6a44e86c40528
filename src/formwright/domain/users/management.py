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
from formwright.domain.users.change_events import person_changed, tell_groups, whole
from formwright.domain.users.grants import GrantEditor, not_held
from formwright.domain.users.models import (
    MAX_GROUPS,
    MAX_MEMBERS,
    EmailTaken,
    Grant,
    GroupNotFound,
    NewPerson,
    Person,
    PersonChange,
    User,
    UserFilter,
    UserNotFound,
    UserStatus,
    is_email,
    normal_email,
    without_and_with,
)


async def invite(tx: WriteTransaction, actor: Actor, new: NewPerson) -> Person:
    """A new person, who can sign in as soon as she has set a password; with `DISABLED` not until she is enabled."""
    return await _add(tx, actor, new, None)


async def add(tx: WriteTransaction, actor: Actor, new: NewPerson, *, password_hash: str) -> Person:
    """A new person who has a password already, and so can sign in at once."""
    return await _add(tx, actor, replace(new, status=UserStatus.ACTIVE), password_hash)


async def _add(tx: WriteTransaction, actor: Actor, new: NewPerson, password_hash: str | None) -> Person:
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    user = User(
        tx.new_id("usr"), scope.customer_id, normal_email(new.email), new.name, new.language, new.status, now, now, 1
    )
    person = Person(user, tuple(sorted(new.group_ids)), tuple(sorted(new.grants)))
    nobody = Person(user)
    found = [*_address_faults(user.email), *_name_faults(new.name)]
    if new.status is UserStatus.ACTIVE and password_hash is None:
        found.append(_too_early())
    found += await _right_faults(GrantEditor(tx, actor, scope), nobody, new.group_ids, new.grants)
    await _check(tx, scope, user, found)
    await store.insert(tx, user, password_hash)
    await _put(tx, scope, nobody, person, now)
    tx.record(events.UserCreated(scope.customer_id, person))
    return person


async def change(tx: WriteTransaction, actor: Actor, what: PersonChange, *, user_id: str) -> Person:
    """Change a person; what is not named stays as it is. Who is disabled is signed out with the change itself."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    was = await get(tx, actor, user_id=user_id)
    if (left := without_and_with(was.grants, what.take, what.give)) is not None:
        what = replace(what, grants=left)
    moves = what.email is not None and normal_email(what.email) != was.user.email
    found = _address_faults(what.email or "") if moves else []
    found += _name_faults(what.name) if what.name is not None else []
    status = await _status(tx, scope, was.user, what.status, found)
    giver = GrantEditor(tx, actor, scope)
    found += await _right_faults(giver, was, what.group_ids, what.grants)
    wanted = _changed(was, what, status)
    if (wanted.user.email, status) != (was.user.email, was.user.status):
        await giver.check_not_above(was.user)
    await _check(tx, scope, wanted.user, found)
    if wanted == was:
        return was
    person = replace(wanted, user=replace(wanted.user, updated=now, revision=was.user.revision + 1))
    await store.update(tx, person.user, was.user.email)
    if status is UserStatus.DISABLED:
        await store.delete_sessions_of(tx, scope, user_id)
    await _put(tx, scope, was, person, now)
    happened = _event(was.user.status, status)
    tx.record(happened(scope.customer_id, person, changed=person_changed(was, person)))
    await giver.check_owner()
    return person


def _changed(was: Person, what: PersonChange, status: UserStatus) -> Person:
    user = replace(
        was.user,
        email=was.user.email if what.email is None else normal_email(what.email),
        name=was.user.name if what.name is None else what.name,
        language=was.user.language if what.language is None else what.language,
        status=status,
    )
    groups = was.group_ids if what.group_ids is None else tuple(sorted(what.group_ids))
    return Person(user, groups, was.grants if what.grants is None else tuple(sorted(what.grants)))


def _event(before: UserStatus, after: UserStatus) -> type[events.UserEvent]:
    if before is after or UserStatus.DISABLED not in (before, after):
        return events.UserUpdated
    return events.UserDisabled if after is UserStatus.DISABLED else events.UserEnabled


async def _status(
    tx: ReadTransaction, scope: Scope, user: User, wanted: UserStatus | None, found: list[ValidationFault]
) -> UserStatus:
    """Her status after the change. Who never set a password is invited again when she is enabled."""
    if wanted is None or wanted is user.status:
        return user.status
    if wanted is UserStatus.DISABLED:
        return wanted
    disabled, has_password = user.status is UserStatus.DISABLED, await store.has_password(tx, scope, user.id)
    if wanted is UserStatus.INVITED and has_password:
        words = "This person has a password and does not become invited again."
        found.append(ValidationFault("/status", "user.status", words))
    elif disabled:
        return UserStatus.ACTIVE if has_password else UserStatus.INVITED
    else:
        found.append(_too_early())
    return user.status


def _too_early() -> ValidationFault:
    return ValidationFault("/status", "user.status", "A person becomes active when a password is set, not before.")


def _address_faults(email: str) -> list[ValidationFault]:
    good = is_email(email) and is_address(normal_email(email))
    return [] if good else [ValidationFault("/email", "value.format", "This is no e-mail address.")]


def _name_faults(name: str) -> list[ValidationFault]:
    return [] if name.strip() else [ValidationFault("/name", "value.required", "This is required.")]


async def _check(tx: ReadTransaction, scope: Scope, user: User, found: list[ValidationFault]) -> None:
    if found:
        raise Invalid(found)
    if await store.email_taken(tx, scope, user.email, user.id):
        raise EmailTaken()


async def _right_faults(
    giver: GrantEditor, was: Person, group_ids: Sequence[str] | None, grants: Sequence[Grant] | None
) -> list[ValidationFault]:
    found = [] if group_ids is None else await _group_faults(giver, was, group_ids)
    return found if grants is None else found + await giver.faults(grants, was.grants)


async def _group_faults(giver: GrantEditor, was: Person, wanted: Sequence[str]) -> list[ValidationFault]:
    if len(wanted) > MAX_GROUPS:
        return [ValidationFault("/groups", "value.too_many", f"A person can be in {MAX_GROUPS} groups at most.")]
    known = await store.find_groups(giver.tx, giver.scope, {*wanted, *was.group_ids})
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
        elif await giver.beyond(group.grants):
            found.append(not_held("groups", index))
    left = [grant for group_id in was.group_ids if group_id not in wanted for grant in known[group_id].grants]
    return [*found, not_held("groups")] if await giver.beyond(left) else found


async def _put(tx: WriteTransaction, scope: Scope, was: Person, person: Person, now: int) -> None:
    joined, left = (set(a.group_ids) - set(b.group_ids) for a, b in ((person, was), (was, person)))
    await store.join(tx, scope, [(group_id, person.user.id) for group_id in sorted(joined)])
    await store.leave(tx, scope, [(group_id, person.user.id) for group_id in sorted(left)])
    await store.give(tx, scope, person.user.id, set(person.grants) - set(was.grants))
    await store.take(tx, scope, person.user.id, set(was.grants) - set(person.grants))
    await tell_groups(tx, scope, joined | left, now)


async def get(tx: ReadTransaction, actor: Actor, *, user_id: str) -> Person:
    """One person of the account with her groups and with what she was given."""
    scope = allow(actor, Permission.PEOPLE_READ)
    user = await store.find(tx, scope, user_id)
    if user is None:
        raise UserNotFound()
    return (await whole(tx, scope, [user]))[0]


async def page(tx: ReadTransaction, actor: Actor, wanted: UserFilter, window: Window) -> Page[Person]:
    """The people of the account that fit, those who came first at the front."""
    scope = allow(actor, Permission.PEOPLE_READ)
    found = await store.page(tx, scope, wanted, window)
    return Page(await whole(tx, scope, found.items), found.next)
