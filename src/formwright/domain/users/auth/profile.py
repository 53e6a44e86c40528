"""What a person changes of herself: her name, her language, her password."""

from dataclasses import replace

from formwright.core.auth.actor import Actor
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid
from formwright.core.events import changed
from formwright.domain.users import events, store
from formwright.domain.users.auth import password_links, session_store, sessions
from formwright.domain.users.auth.sessions import require_user
from formwright.domain.users.change_events import load_details
from formwright.domain.users.models import User, UserNotFound

MAX_NAME_LENGTH = 200


async def update(tx: WriteTransaction, actor: Actor, *, name: str, language: str) -> User:
    """Change what the actor is called, and the language in which she is written to."""
    scope, _ = require_user(actor)
    if not name.strip():
        raise Invalid.at("/name", "value.too_short", "Enter a name.")
    if len(name.strip()) > MAX_NAME_LENGTH:
        raise Invalid.at("/name", "value.too_long", f"A name has at most {MAX_NAME_LENGTH} characters.")
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    was = await _find(tx, actor)
    user = replace(was, name=name.strip(), language=language)
    if user == was:
        return was
    user = replace(user, updated=now, revision=was.revision + 1)
    await store.update(tx, user, was.email)
    [person] = await load_details(tx, scope, [user])
    tx.record(events.UserUpdated(scope.customer_id, person, changed=changed(was, user)))
    return user


async def get_password_hash(tx: ReadTransaction, actor: Actor) -> str | None:
    """What the actor's own password has to match."""
    scope, user_id = require_user(actor)
    return await session_store.get_password_hash(tx, scope, user_id)


async def set_password(tx: WriteTransaction, actor: Actor, *, password_hash: str, session_id: str) -> None:
    """Set the actor's own password; her other sessions than `keep` end, and so does every link of hers."""
    scope, user_id = require_user(actor)
    await account_lock.next_timestamp(tx, scope.customer_id)
    user = await _find(tx, actor)
    await session_store.set_password(tx, scope, user_id, password_hash)
    await session_store.delete_others(tx, scope, user_id, session_id)
    await password_links.delete_all(tx, scope, user_id)
    sessions.audit_own_action(tx, "user.updated", user, "password")


async def _find(tx: ReadTransaction, actor: Actor) -> User:
    scope, user_id = require_user(actor)
    user = await store.find(tx, scope, user_id)
    if user is None:
        raise UserNotFound()
    return user
