"""Sessions, one for each browser in which a user has signed in."""

from collections.abc import Sequence
from dataclasses import replace

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor, Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Denied
from formwright.core.events import AuditNote
from formwright.domain.customers.models import Customer
from formwright.domain.users import store
from formwright.domain.users.auth import session_store
from formwright.domain.users.auth.models import ClientInfo, ProviderSession, Session, SessionNotFound
from formwright.domain.users.models import Credentials, PasswordCredentials, User, UserStatus

LIFETIME_MS = 14 * 24 * 3600 * 1000
_PREFIX = "fws_"
_SEEN_INTERVAL_MS = 5 * 60 * 1000
"""Saving each use would make every request write."""
_MAX_LENGTH = 300


async def create(
    tx: WriteTransaction,
    credentials: Credentials,
    client: ClientInfo | None = None,
    provider: ProviderSession | None = None,
) -> str:
    """Create a session that expires after 14 days, or ends earlier with that of the provider.

    Returns its secret, which is stored as a hash only.
    """
    client = client or ClientInfo()
    # Take the account lock before the first change, as everywhere: the audit entry needs it, too.
    await account_lock.next_timestamp(tx, credentials.customer_id)
    token, now = crypto.new_secret(_PREFIX), tx.now()
    session = Session(
        tx.new_id("ses"),
        credentials.customer_id,
        credentials.user_id,
        client.address[:100],
        client.agent[:_MAX_LENGTH],
        now,
        now,
        provider.provider_id if provider else None,
    )
    await session_store.delete_expired(tx, now)
    await session_store.insert(tx, session, crypto.fingerprint(token), now + LIFETIME_MS, provider)
    if client.origin:
        await session_store.save_origin(
            tx, Scope(credentials.customer_id), credentials.user_id, client.origin[:_MAX_LENGTH]
        )
    if user := await store.find(tx, Scope(credentials.customer_id), credentials.user_id):
        audit_own_action(tx, "user.signed_in", user)
    return token


async def audit_failed_sign_in(tx: WriteTransaction, candidates: Sequence[PasswordCredentials]) -> None:
    """Record a failed attempt to sign in as each of these users. The entries have no actor, because it is unknown."""
    # In the order of the accounts, so that two attempts never wait for each other's account locks.
    for credentials in sorted(candidates, key=lambda item: item.customer_id):
        if user := await store.find(tx, Scope(credentials.customer_id), credentials.user_id):
            tx.audit(AuditNote(user.customer_id, "user.sign_in_failed", user.id, user.name))


def audit_own_action(tx: WriteTransaction, action: str, user: User, *changed: str) -> None:
    """Record in the audit log what a user does with their own access. The user becomes the actor of the request."""
    request_context.set_actor(actors.person(user.id, user.customer_id, (), user.name))
    tx.audit(AuditNote(user.customer_id, action, user.id, user.name, changed))


async def find(tx: ReadTransaction, token: str, now: int) -> tuple[User, Customer, Actor, Session] | None:
    """Return the user, their account and actor, and the session; None if the session has ended or never existed."""
    found = await session_store.find(tx, crypto.fingerprint(token), now)
    member = await store.find_member(tx, Scope(found.customer_id), found.user_id) if found else None
    if not found or not member or member[0].status is not UserStatus.ACTIVE:
        return None
    user, customer, held = member
    return user, customer, actors.person(user.id, user.customer_id, held, user.name), found


def is_stale(session: Session, now: int) -> bool:
    """Whether the last use of the session should be saved again."""
    return now - session.seen >= _SEEN_INTERVAL_MS


async def update_seen(tx: WriteTransaction, session: Session) -> None:
    """Save that the session is being used now."""
    await session_store.update_seen(tx, session, tx.now())


async def sign_out(tx: WriteTransaction, token: str) -> Session | None:
    """End the session with this secret, and return it; None if there is none."""
    found = await session_store.find(tx, crypto.fingerprint(token), tx.now())
    if found is None:
        return None
    await account_lock.next_timestamp(tx, found.customer_id)
    id_token = await session_store.find_id_token(tx, found) if found.provider_id else ""
    await session_store.delete(tx, Scope(found.customer_id), found.user_id, found.id)
    if user := await session_store.find_active_user(tx, found):
        audit_own_action(tx, "user.signed_out", user)
    return replace(found, id_token=id_token)


async def list_accounts_of_provider(tx: ReadTransaction, provider: ProviderSession) -> list[str]:
    """Return the accounts in which users have sessions of a session at a provider."""
    return await session_store.list_accounts_of_provider(tx, provider)


async def end_of_provider(
    tx: WriteTransaction, scope: Scope, provider: ProviderSession, user_id: str | None = None
) -> int:
    """End the sessions that belong to a session at a provider, or all of the user's with the provider if it has no id.

    Without a user, those of every user with this session. Returns the number of ended sessions.
    """
    await account_lock.next_timestamp(tx, scope.customer_id)
    ended = 0
    for one in [user_id] if user_id else await session_store.list_users_of_provider(tx, scope, provider):
        count = await session_store.delete_of_provider(tx, scope, one, provider)
        if count and (user := await store.find(tx, scope, one)):
            tx.audit(AuditNote(scope.customer_id, "user.signed_out", user.id, user.name))
        ended += count
    return ended


async def list_own(tx: ReadTransaction, actor: Actor, now: int) -> list[Session]:
    """Return the actor's own sessions, the most recently used first."""
    scope, user_id = require_user(actor)
    return await session_store.list_all(tx, scope, user_id, now)


async def sign_out_session(tx: WriteTransaction, actor: Actor, *, session_id: str) -> None:
    """End one of the actor's own sessions; raises `SessionNotFound`."""
    scope, user_id = require_user(actor)
    await account_lock.next_timestamp(tx, scope.customer_id)
    if not await session_store.delete(tx, scope, user_id, session_id):
        raise SessionNotFound()
    await _audit_sign_out(tx, scope, user_id)


async def sign_out_others(tx: WriteTransaction, actor: Actor, *, session_id: str) -> int:
    """End all of the actor's own sessions except this one. Returns the number of ended sessions."""
    scope, user_id = require_user(actor)
    await account_lock.next_timestamp(tx, scope.customer_id)
    ended = await session_store.delete_others(tx, scope, user_id, session_id)
    if ended:
        await _audit_sign_out(tx, scope, user_id)
    return ended


async def _audit_sign_out(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    if user := await store.find(tx, scope, user_id):
        audit_own_action(tx, "user.signed_out", user)


def require_user(actor: Actor) -> tuple[Scope, str]:
    """Return the account scope and the id of the acting user, for access to their own data without any permission.

    Raises `Denied` if the actor is not a user.
    """
    if actor.user_id is None:
        raise Denied("Only users can do this.")
    return Scope(actor.customer_id), actor.user_id
