"""Service functions for API keys: create, change, rotate, revoke and list them."""

from dataclasses import replace

from formwright.core import crypto
from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, require
from formwright.core.events import AuditNote, changed_properties
from formwright.domain.api_keys import limits as key_limits
from formwright.domain.api_keys import store
from formwright.domain.api_keys.models import (
    HINT_LENGTH,
    LIMITED_PREFIX,
    MAX_KEYS,
    MAX_LIFETIME_MS,
    MAX_NAME_LENGTH,
    MAX_OVERLAP_MS,
    MAX_RATE_LIMIT,
    OVERLAP_MS,
    PREFIX,
    Key,
    KeyExpired,
    KeyHasExpired,
    KeyIdentity,
    KeyLimitReached,
    KeyLimits,
    KeyNotFound,
    KeyProperties,
    list_granted,
)
from formwright.domain.users.grants import GrantEditor


async def create(tx: WriteTransaction, actor: Actor, new: KeyProperties, *, maker_name: str) -> tuple[Key, str]:
    """Create a key. Returns it with its secret, which is not stored and cannot be shown again.

    Raises `Invalid` or `KeyLimitReached`.
    """
    scope = allow(actor, Permission.KEYS_MANAGE)
    new = replace(new, name=new.name.strip())
    # Take the account lock before counting, so that two concurrent requests cannot both create the last key.
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    errors = _validate(new, tx.now())
    if new.limits:
        errors += await key_limits.validate(tx, scope, new.limits)
    if errors:
        raise Invalid(errors)
    text = _new_secret(new)
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
        limits=new.limits,
        rate_limit=new.rate_limit,
    )
    if not await has_permissions(tx, actor, read_only=new.read_only, limits=new.limits):
        raise Invalid([_not_held_error()])
    if len(await store.list_active(tx, scope)) >= MAX_KEYS:
        raise KeyLimitReached()
    await store.insert(tx, key)
    await store.insert_hash(tx, key, crypto.fingerprint(text))
    tx.audit(AuditNote(scope.customer_id, "key.created", key.id, key.name))
    return key, text


def _new_secret(key: Key | KeyProperties) -> str:
    return crypto.new_secret(LIMITED_PREFIX if key.limits else PREFIX)


async def has_permissions(
    tx: ReadTransaction, actor: Actor, *, read_only: bool, limits: KeyLimits | None = None
) -> bool:
    """Whether the actor has all permissions of such a key. Otherwise they could gain permissions by using it."""
    granted = list_granted(actor.customer_id, limits, read_only=read_only)
    return not await GrantEditor(tx, actor, Scope(actor.customer_id)).lacks_any(granted)


def _not_held_error() -> ValidationFault:
    detail = "You can only create, change or rotate a key with permissions that you have yourself. Ask an owner."
    return ValidationFault("/access", "key.not_held", detail)


async def update(tx: WriteTransaction, actor: Actor, *, key_id: str, new: KeyProperties) -> Key:
    """Change a key. Once this is committed, it applies to every request, in any process.

    A key keeps its kind of access: full, read-only or limited. Raises `KeyNotFound`, `KeyHasExpired` or `Invalid`.
    """
    scope = allow(actor, Permission.KEYS_MANAGE)
    new = replace(new, name=new.name.strip())
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    key = await _find_active(tx, scope, key_id)
    errors = _validate(new, tx.now())
    if new.limits and new.limits != key.limits:
        errors += await key_limits.validate(tx, scope, new.limits)
    if new.read_only != key.read_only or (new.limits is None) != (key.limits is None):
        detail = "A key keeps its kind of access: full, read-only or limited. Create another key instead."
        errors.append(ValidationFault("/access", "key.access_fixed", detail))
    if errors:
        raise Invalid(errors)
    # Both, so that people cannot take permissions from a key that may do more than they, or extend its life.
    for limits in (key.limits, new.limits):
        if not await has_permissions(tx, actor, read_only=key.read_only, limits=limits):
            raise Invalid([_not_held_error()])
    changed = replace(key, name=new.name, limits=new.limits, rate_limit=new.rate_limit, expires=new.expires)
    if changed == key:
        return key
    names = changed_properties(key, changed)
    changed = replace(changed, old_ends=_old_end(key, new), updated=now, revision=key.revision + 1)
    await store.update(tx, changed)
    await store.update_hashes(tx, changed)
    tx.audit(AuditNote(scope.customer_id, "key.updated", key.id, changed.name, names))
    return changed


async def _find_active(tx: WriteTransaction, scope: Scope, key_id: str) -> Key:
    """Return a key that works; raises `KeyNotFound` or `KeyHasExpired`."""
    key = await store.find(tx, scope, key_id)
    if key is None or key.revoked is not None:
        raise KeyNotFound()
    # Expiry is checked against the machine's clock, and the account's timestamps may be slightly ahead of it.
    if key.has_expired(tx.now()):
        raise KeyHasExpired()
    return key


def _old_end(key: Key, new: KeyProperties) -> int | None:
    """Return when the previous secret ends: with the key at the latest."""
    return key.old_ends if key.old_ends is None or new.expires is None else min(key.old_ends, new.expires)


def _validate(new: KeyProperties, now: int) -> list[ValidationFault]:
    errors: list[ValidationFault] = []
    if not new.name or len(new.name) > MAX_NAME_LENGTH:
        detail = f"Enter a name of 1 to {MAX_NAME_LENGTH} characters."
        errors.append(ValidationFault("/name", "key.name", detail))
    if new.expires is not None and not now < new.expires <= now + MAX_LIFETIME_MS:
        detail = "Choose an expiry date in the future, at most ten years ahead."
        errors.append(ValidationFault("/expiresAt", "key.expires", detail))
    if new.rate_limit is not None and not 1 <= new.rate_limit <= MAX_RATE_LIMIT:
        detail = f"Enter a number from 1 to {MAX_RATE_LIMIT:,}, or nothing."
        errors.append(ValidationFault("/rateLimit", "key.rate_limit", detail))
    return errors


def _hint(text: str) -> str:
    return text[: len(PREFIX) + HINT_LENGTH]


async def rotate(tx: WriteTransaction, actor: Actor, *, key_id: str, overlap_ms: int = OVERLAP_MS) -> tuple[Key, str]:
    """Create a new secret for a key. The current one works for `overlap_ms` longer, earlier ones stop working.

    Returns the key and the new secret. Raises `KeyNotFound`, `KeyHasExpired` or `Invalid`.
    """
    scope = allow(actor, Permission.KEYS_MANAGE)
    if not 0 <= overlap_ms <= MAX_OVERLAP_MS:
        raise Invalid.at("/overlap", "key.overlap", "Choose an overlap of 0 to 7 days.")
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    key = await _find_active(tx, scope, key_id)
    if not await has_permissions(tx, actor, read_only=key.read_only, limits=key.limits):
        raise Invalid([_not_held_error()])
    until = tx.now() + overlap_ms
    if key.expires is not None:
        until = min(until, key.expires)
    text = _new_secret(key)
    changed = replace(key, hint=_hint(text), old_ends=until, updated=now, revision=key.revision + 1)
    # Before the new secret is inserted, which would expire with the others.
    await store.expire_secrets(tx, key, until)
    await store.insert_hash(tx, changed, crypto.fingerprint(text))
    await store.update(tx, changed)
    tx.audit(AuditNote(scope.customer_id, "key.rotated", key.id, key.name, ("secret",)))
    return changed, text


async def list_active(tx: ReadTransaction, actor: Actor) -> list[Key]:
    """Return the account's keys that are not revoked, including expired ones, the oldest first."""
    return await store.list_active(tx, allow(actor, Permission.KEYS_READ))


async def get(tx: ReadTransaction, actor: Actor, *, key_id: str) -> Key:
    """Return a key, which may be revoked; raises `KeyNotFound`."""
    return require(await store.find(tx, allow(actor, Permission.KEYS_READ), key_id), KeyNotFound)


async def get_calling(tx: ReadTransaction, customer_id: str, key_id: str) -> Key:
    """Return the key that authenticates a request. Every key may know what it may do."""
    return require(await store.find(tx, Scope(customer_id), key_id), KeyNotFound)


async def revoke(tx: WriteTransaction, actor: Actor, *, key_id: str) -> Key:
    """Revoke a key: once this is committed, it no longer works in any process. Revoking it again does nothing."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.KEYS_MANAGE)
    key = require(await store.find(tx, scope, key_id), KeyNotFound)
    if key.revoked is None:
        await store.revoke(tx, scope, key_id, now)
        tx.audit(AuditNote(scope.customer_id, "key.revoked", key.id, key.name))
    return key


async def identify(tx: ReadTransaction, text: str, now: int) -> KeyIdentity | None:
    """Return the identity of the key with this secret; None if there is none. Raises `KeyExpired`."""
    if not any(crypto.is_well_formed(text, prefix) for prefix in (PREFIX, LIMITED_PREFIX)):
        return None
    identity = await store.find_identity(tx, crypto.fingerprint(text))
    if identity is None:
        return None
    if identity.ends is not None and identity.ends <= now:
        raise KeyExpired()
    return identity
