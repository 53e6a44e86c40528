"""The verbs of API keys."""

from dataclasses import replace

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Held, ResourceType
from formwright.core.auth.permissions import EVERYTHING, READING, Permission
from formwright.core.auth.policy import allow, missing_permissions
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.events import AuditNote
from formwright.domain.api_keys import store
from formwright.domain.api_keys.models import (
    HINT_LENGTH,
    MAX_KEYS,
    MAX_LIFETIME_MS,
    MAX_NAME_LENGTH,
    MAX_OVERLAP_MS,
    OVERLAP_MS,
    PREFIX,
    Key,
    KeyCreate,
    KeyExpired,
    KeyLimitReached,
    KeyNotFound,
    KeyNotRotatable,
)


async def create(tx: WriteTransaction, actor: Actor, new: KeyCreate, *, maker_name: str) -> tuple[Key, str]:
    """A new key, and its text, which nobody can see again."""
    scope = allow(actor, Permission.KEYS_MANAGE)
    new = replace(new, name=new.name.strip())
    found = _validate(new, tx.now())
    if not has_permissions_of_key(actor, read_only=new.read_only):
        found.append(_not_held_error())
    if found:
        raise Invalid(found)
    # From here on the account's changes wait for this one: two who add the last key at once do not both get it.
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    if len(await store.list_active(tx, scope)) >= MAX_KEYS:
        raise KeyLimitReached()
    text = crypto.new_secret(PREFIX)
    key = Key(
        id=tx.new_id("key"),
        customer_id=scope.customer_id,
        name=new.name,
        hint=_hint(text),
        maker_id=actor.id,
        maker_name=maker_name,
        read_only=new.read_only,
        expires=new.expires,
        old_ends=None,
        last_used=None,
        revoked=None,
        created=now,
        updated=now,
        revision=1,
    )
    await store.insert(tx, key)
    await store.insert_hash(tx, key, crypto.fingerprint(text))
    tx.audit(AuditNote(scope.customer_id, "key.created", key.id, key.name))
    return key, text


def has_permissions_of_key(actor: Actor, *, read_only: bool) -> bool:
    """Whether the actor may do all that such a key may: who gets its text could do more through it otherwise."""
    may = READING if read_only else EVERYTHING
    return not missing_permissions(actor, Held(may, ResourceType.ACCOUNT, actor.customer_id))


def _not_held_error() -> ValidationFault:
    words = "This key may do more than you may yourself: it opens the whole account. Ask an owner to do this."
    return ValidationFault("/access", "key.not_held", words)


def _validate(new: KeyCreate, now: int) -> list[ValidationFault]:
    found: list[ValidationFault] = []
    if not new.name or len(new.name) > MAX_NAME_LENGTH:
        found.append(ValidationFault("/name", "key.name", f"Give the key a name of 1 to {MAX_NAME_LENGTH} characters."))
    if new.expires is not None and not now < new.expires <= now + MAX_LIFETIME_MS:
        found.append(
            ValidationFault("/expiresAt", "key.expires", "Choose an end date that is ahead, and within ten years.")
        )
    return found


def _hint(text: str) -> str:
    return text[: len(PREFIX) + HINT_LENGTH]


async def rotate(tx: WriteTransaction, actor: Actor, *, key_id: str, overlap_ms: int = OVERLAP_MS) -> tuple[Key, str]:
    """Another secret for a key. The one before works `overlap_ms` longer, those before that no more."""
    scope = allow(actor, Permission.KEYS_MANAGE)
    if not 0 <= overlap_ms <= MAX_OVERLAP_MS:
        raise Invalid.at("/overlap", "key.overlap", "The old secret may go on working for 0 to 7 days.")
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    key = await store.find(tx, scope, key_id)
    if key is None or key.revoked is not None:
        raise KeyNotFound()
    if not has_permissions_of_key(actor, read_only=key.read_only):
        raise Invalid([_not_held_error()])
    # Ends are compared with the machine's time; the account's may be a little ahead of it.
    until = tx.now() + overlap_ms
    if key.has_expired(tx.now()):
        raise KeyNotRotatable()
    if key.expires is not None:
        until = min(until, key.expires)
    text = crypto.new_secret(PREFIX)
    changed = replace(key, hint=_hint(text), old_ends=until, updated=now, revision=key.revision + 1)
    await store.expire_secrets(tx, key, until)
    await store.insert_hash(tx, changed, crypto.fingerprint(text))
    await store.update(tx, changed)
    tx.audit(AuditNote(scope.customer_id, "key.rotated", key.id, key.name, ("secret",)))
    return changed, text


async def list_active(tx: ReadTransaction, actor: Actor) -> list[Key]:
    """The account's keys that were not revoked, the oldest first; those that have ended are among them."""
    return await store.list_active(tx, allow(actor, Permission.KEYS_READ))


async def get(tx: ReadTransaction, actor: Actor, *, key_id: str) -> Key:
    """One key of the account, also one that was revoked."""
    key = await store.find(tx, allow(actor, Permission.KEYS_READ), key_id)
    if key is None:
        raise KeyNotFound()
    return key


async def revoke(tx: WriteTransaction, actor: Actor, *, key_id: str) -> Key:
    """From its commit on the key opens nothing, in any process. Revoking twice changes nothing."""
    scope = allow(actor, Permission.KEYS_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    key = await store.find(tx, scope, key_id)
    if key is None:
        raise KeyNotFound()
    if key.revoked is None:
        await store.revoke(tx, scope, key_id, now)
        tx.audit(AuditNote(scope.customer_id, "key.revoked", key.id, key.name))
    return key


async def authenticate(tx: ReadTransaction, text: str, now: int) -> Actor | None:
    """As whom the holder of this text acts; None when it never opened anything, `KeyEnded` when it no longer does.

    Asks the database each time.
    """
    if not crypto.is_well_formed(text, PREFIX):
        return None
    known = await store.find_identity(tx, crypto.fingerprint(text))
    if known is None:
        return None
    if known.ends is not None and known.ends <= now:
        raise KeyExpired()
    return actors.key(known.key_id, known.customer_id, known.name, read_only=known.read_only)


class KeyUsage:
    """When each key was last used: noted in memory for each request, written now and then."""

    def __init__(self) -> None:
        self._uses: dict[tuple[str, str], int] = {}

    def record(self, actor: Actor, now: int) -> None:
        """The key was used."""
        self._uses[actor.customer_id, actor.id] = now

    async def flush(self, db: Database) -> None:
        """Write down what was noted since the last time; what cannot be written is kept for the next."""
        uses, self._uses = self._uses, {}
        try:
            if uses:
                async with db.writing() as tx:
                    await store.save_last_used(
                        tx, [(customer, key, at) for (customer, key), at in sorted(uses.items())]
                    )
        except BaseException:
            self._uses = uses | self._uses
            raise
