"""Changes that users make to their own profile: name, language and password."""

from dataclasses import replace

from formwright.core.auth.actor import Actor
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, require
from formwright.core.events import Event, EventType, changed_properties
from formwright.domain.users import store
from formwright.domain.users.auth import password_links, session_store, sessions
from formwright.domain.users.auth.sessions import require_user
from formwright.domain.users.change_events import load_details
from formwright.domain.users.models import User, UserNotFound

MAX_NAME_LENGTH = 200


async def update(tx: WriteTransaction, actor: Actor, *, name: str, language: str) -> User:
    """Change the actor's name, and the language of the mails they get. Raises `Invalid`."""
    scope, _ = require_user(actor)
    if not name.strip():
        raise Invalid.at("/name", "value.too_short", "Enter a name.")
    if len(name.strip()) > MAX_NAME_LENGTH:
        raise Invalid.at("/name", "value.too_long", f"Use at most {MAX_NAME_LENGTH} characters.")
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    current = await _find(tx, actor)
    user = replace(current, name=name.strip(), language=language)
    if user == current:
        return current
    user = replace(user, updated=now, revision=current.revision + 1)
    await store.update(tx, user, current.email)
    [details] = await load_details(tx, scope, [user])
    tx.record(Event(EventType.USER_UPDATED, scope.customer_id, details, changed=changed_properties(current, user)))
    return user


async def get_password_hash(tx: ReadTransaction, actor: Actor) -> str | None:
    """Return the hash of the actor's password; None if they have none."""
    scope, user_id = require_user(actor)
    return await session_store.get_password_hash(tx, scope, user_id)


async def set_password(tx: WriteTransaction, actor: Actor, *, password_hash: str, session_id: str) -> None:
    """Set the actor's password. Their links end, and so do their sessions except `session_id`."""
    scope, user_id = require_user(actor)
    await account_lock.next_timestamp(tx, scope.customer_id)
    user = await _find(tx, actor)
    await session_store.set_password(tx, scope, user_id, password_hash)
    await session_store.delete_others(tx, scope, user_id, session_id)
    await password_links.delete_all(tx, scope, user_id)
    sessions.audit_own_action(tx, "user.updated", user, "password")


async def _find(tx: ReadTransaction, actor: Actor) -> User:
    scope, user_id = require_user(actor)
    return require(await store.find(tx, scope, user_id), UserNotFound)
