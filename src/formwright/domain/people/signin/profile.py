"""What a person changes of herself: her name, her language, her password."""

from dataclasses import replace

from formwright.core.access.actor import Actor
from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.note import changed
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Writing
from formwright.domain.people import events, store
from formwright.domain.people.model import User, UserNotFound
from formwright.domain.people.signin import links, sessions, sessionstore
from formwright.domain.people.signin.sessions import own
from formwright.domain.people.telling import whole

LONGEST_NAME = 200


async def change(tx: Writing, actor: Actor, *, name: str, language: str) -> User:
    """Change what the actor is called, and the language in which she is written to."""
    scope, _ = own(actor)
    if not name.strip():
        raise Invalid.at("/name", "value.too_short", "Enter a name.")
    if len(name.strip()) > LONGEST_NAME:
        raise Invalid.at("/name", "value.too_long", f"A name has at most {LONGEST_NAME} characters.")
    now = await order.stamp(tx, scope.customer_id)
    was = await _find(tx, actor)
    user = replace(was, name=name.strip(), language=language)
    if user == was:
        return was
    user = replace(user, updated=now, revision=was.revision + 1)
    await store.update(tx, user, was.email)
    [person] = await whole(tx, scope, [user])
    tx.record(events.UserUpdated(scope.customer_id, person, changed=changed(was, user)))
    return user


async def password_hash(tx: Reading, actor: Actor) -> str | None:
    """What the actor's own password has to match."""
    scope, user_id = own(actor)
    return await sessionstore.password_hash(tx, scope, user_id)


async def set_password(tx: Writing, actor: Actor, *, password_hash: str, keep: str) -> None:
    """Set the actor's own password; her other sessions than `keep` end, and so does every link of hers."""
    scope, user_id = own(actor)
    await order.stamp(tx, scope.customer_id)
    user = await _find(tx, actor)
    await sessionstore.set_password(tx, scope, user_id, password_hash)
    await sessionstore.delete_but(tx, scope, user_id, keep)
    await links.end_all(tx, scope, user_id)
    sessions.tell(tx, "user.updated", user, "password")


async def _find(tx: Reading, actor: Actor) -> User:
    scope, user_id = own(actor)
    user = await store.find(tx, scope, user_id)
    if user is None:
        raise UserNotFound()
    return user
