"""The verbs of API keys."""

from formwright.core.access import actor as actors
from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.kernel import secrets
from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.note import Note
from formwright.core.storage import order
from formwright.core.storage.database import Database, Reading, Writing
from formwright.domain.keys import store
from formwright.domain.keys.model import HINT_LETTERS, MAX_KEYS, PREFIX, Key, KeyLimitReached, KeyNotFound

MAX_NAME = 100


async def add(tx: Writing, actor: Actor, *, name: str, maker_name: str) -> tuple[Key, str]:
    """A new key, and its text, which nobody can see again."""
    scope = allow(actor, Permission.KEYS_MANAGE)
    name = name.strip()
    if not name or len(name) > MAX_NAME:
        raise Invalid.at("/name", "key.name", f"Give the key a name of 1 to {MAX_NAME} characters.")
    # From here on the account's changes wait for this one: two who add the last key at once do not both get it.
    now = await order.stamp(tx, scope.customer_id)
    if len(await store.live(tx, scope)) >= MAX_KEYS:
        raise KeyLimitReached()
    text = secrets.new_secret(PREFIX)
    hint = text[: len(PREFIX) + HINT_LETTERS]
    key = Key(tx.new_id("key"), scope.customer_id, name, hint, actor.id, maker_name, None, None, now, now, 1)
    await store.insert(tx, key, secrets.fingerprint(text))
    tx.note(Note(scope.customer_id, "key.created", key.id, key.name))
    return key, text


async def live(tx: Reading, actor: Actor) -> list[Key]:
    """The account's keys that were not revoked, the oldest first."""
    return await store.live(tx, allow(actor, Permission.KEYS_READ))


async def get(tx: Reading, actor: Actor, *, key_id: str) -> Key:
    """One key of the account, also one that was revoked."""
    key = await store.find(tx, allow(actor, Permission.KEYS_READ), key_id)
    if key is None:
        raise KeyNotFound()
    return key


async def revoke(tx: Writing, actor: Actor, *, key_id: str) -> Key:
    """From its commit on the key opens nothing, in any process. Revoking twice changes nothing."""
    scope = allow(actor, Permission.KEYS_MANAGE)
    key = await store.find(tx, scope, key_id)
    if key is None:
        raise KeyNotFound()
    if key.revoked is None:
        await store.revoke(tx, scope, key_id, await order.stamp(tx, scope.customer_id))
        tx.note(Note(scope.customer_id, "key.revoked", key.id, key.name))
    return key


async def authenticate(tx: Reading, text: str) -> Actor | None:
    """As whom the holder of this text acts; None when it opens nothing. Asks the database each time."""
    if not secrets.is_whole(text, PREFIX):
        return None
    owner = await store.owner(tx, secrets.fingerprint(text))
    return actors.key(key_id=owner[1], customer_id=owner[0], name=owner[2]) if owner else None


class Usage:
    """When each key was last used: noted in memory for each request, written now and then."""

    def __init__(self) -> None:
        self._uses: dict[tuple[str, str], int] = {}

    def note(self, actor: Actor, now: int) -> None:
        """The key was used."""
        self._uses[actor.customer_id, actor.id] = now

    async def write(self, db: Database) -> None:
        """Write down what was noted since the last time."""
        uses, self._uses = self._uses, {}
        if uses:
            async with db.writing() as tx:
                await store.note_used(tx, [(customer, key, at) for (customer, key), at in sorted(uses.items())])
