"""Links to set a password, for invited users and for those who forgot theirs.

A link contains a random secret that is stored as a hash. It works once and expires, and a new link replaces the user's
earlier links.
"""

from dataclasses import replace

from formwright.core import crypto
from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.events import Event, EventType, changed_properties
from formwright.domain.users import store
from formwright.domain.users.auth import password_link_store, sessions
from formwright.domain.users.auth.models import LinkExpired, LinkKind, PasswordLink
from formwright.domain.users.change_events import load_details
from formwright.domain.users.models import PasswordCredentials, User, UserStatus

LIFETIME_MS = {LinkKind.INVITATION: 7 * 24 * 3600 * 1000, LinkKind.RESET: 3600 * 1000}
_PREFIX = "fwl_"


async def create(tx: WriteTransaction, user: User, kind: LinkKind) -> tuple[str, int]:
    """Create a link that replaces the user's earlier links.

    Returns its secret part, and when it expires in milliseconds since 1970.
    """
    token, now = crypto.new_secret(_PREFIX), tx.now()
    await password_link_store.delete_expired(tx, now)
    await delete_all(tx, Scope(user.customer_id), user.id)
    await password_link_store.insert(tx, crypto.fingerprint(token), user, kind, now, now + LIFETIME_MS[kind])
    return token, now + LIFETIME_MS[kind]


async def delete_all(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    """Delete all links of the user."""
    await password_link_store.delete_all(tx, scope, user_id)


async def find(tx: ReadTransaction, token: str, now: int) -> PasswordLink:
    """Return the link without using it up; raises `LinkExpired`."""
    found = (
        await password_link_store.find(tx, crypto.fingerprint(token), now)
        if crypto.is_well_formed(token, _PREFIX)
        else None
    )
    user = await store.find(tx, Scope(found[0]), found[1]) if found else None
    if found is None or user is None or user.status is not _REQUIRED_STATUS[found[2]]:
        raise LinkExpired()
    return PasswordLink(found[2], user)


_REQUIRED_STATUS = {LinkKind.INVITATION: UserStatus.INVITED, LinkKind.RESET: UserStatus.ACTIVE}


async def use(tx: WriteTransaction, token: str, *, password_hash: str, name: str | None = None) -> PasswordCredentials:
    """Set the password of the link's user and use up the link. Raises `LinkExpired`.

    An invited user becomes active. The user's sessions and other links end.
    """
    link = await find(tx, token, tx.now())
    now = await account_lock.next_timestamp(tx, link.user.customer_id)
    if not await password_link_store.consume(tx, crypto.fingerprint(token), tx.now()):
        raise LinkExpired()
    link = await _reload(tx, link)
    scope, current = Scope(link.user.customer_id), link.user
    user = replace(current, status=UserStatus.ACTIVE, name=current.name if name is None else name)
    await store.set_password(tx, scope, user.id, password_hash)
    await delete_all(tx, scope, user.id)
    if user != current:
        edited = replace(user, updated=now, revision=current.revision + 1)
        await store.update(tx, edited, current.email)
        [details] = await load_details(tx, scope, [edited])
        tx.record(Event(EventType.USER_UPDATED, scope.customer_id, details, changed=changed_properties(current, user)))
    sessions.audit_own_action(tx, "user.updated", user, "password")
    return PasswordCredentials(scope.customer_id, user.id, password_hash)


async def _reload(tx: ReadTransaction, link: PasswordLink) -> PasswordLink:
    """Read the user again: they may have been changed before this transaction got the account lock."""
    user = await store.find(tx, Scope(link.user.customer_id), link.user.id)
    if user is None or user.status is not _REQUIRED_STATUS[link.kind]:
        raise LinkExpired()
    return PasswordLink(link.kind, user)
