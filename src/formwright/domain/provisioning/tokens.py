"""The token of an account's identity provider: create, replace and revoke it. Only owners may.

A token stands for every permission, because owners are provisioned, too. What it can be used for is limited by the
interface that accepts it, which only knows users and groups.
"""

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, require
from formwright.core.events import AuditNote
from formwright.core.ids import is_id
from formwright.domain.provisioning import store
from formwright.domain.provisioning.models import (
    PREFIX,
    ProvisioningDisabled,
    ProvisioningToken,
    TokenMissing,
    TokenUnknown,
)
from formwright.domain.users.service import require_owner

MAX_NAME = 100
DEFAULT_NAME = "Identity provider"
_HINT_LENGTH = 4
_SEEN_INTERVAL_MS = 5 * 60 * 1000
"""Saving each use would make every request write."""
_CUSTOMER_PREFIX = "cus"


async def find(tx: ReadTransaction, actor: Actor) -> ProvisioningToken | None:
    """Return the account's token without its secret; None if provisioning is off."""
    return await store.find_token(tx, require_owner(actor))


async def enable(tx: WriteTransaction, actor: Actor, *, name: str = DEFAULT_NAME) -> tuple[ProvisioningToken, str]:
    """Switch provisioning on, or replace the token if it is on. Returns the token and its secret, which is not stored.

    The previous secret stops working at once. Raises `Invalid` for the name of the identity provider.
    """
    scope, name = require_owner(actor), name.strip()
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise Invalid.at("/name", "value.format", f"Enter a name of 1 to {MAX_NAME} characters.")
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    current = await store.find_token(tx, scope)
    token, secret = await _save_new(tx, scope, name, now)
    action = "provisioning.rotated" if current else "provisioning.enabled"
    tx.audit(AuditNote(scope.customer_id, action, scope.customer_id, token.name))
    return token, secret


async def rotate(tx: WriteTransaction, actor: Actor) -> tuple[ProvisioningToken, str]:
    """Replace the token, and return the new one with its secret. Raises `ProvisioningDisabled`."""
    current = require(await find(tx, actor), ProvisioningDisabled)
    return await enable(tx, actor, name=current.name)


async def disable(tx: WriteTransaction, actor: Actor) -> None:
    """Switch provisioning off: the token is revoked, and users and groups stay as they are."""
    scope = require_owner(actor)
    await account_lock.next_timestamp(tx, scope.customer_id)
    current = await store.find_token(tx, scope)
    if current and await store.delete_token(tx, scope):
        tx.audit(AuditNote(scope.customer_id, "provisioning.disabled", scope.customer_id, current.name))


async def authenticate(tx: ReadTransaction, secret: str) -> tuple[ProvisioningToken, Actor]:
    """Return the token with this secret, and its actor. Raises `TokenMissing` or `TokenUnknown`."""
    if not secret:
        raise TokenMissing()
    scope = _read_scope(secret)
    token = await store.find_token_by_hash(tx, scope, crypto.fingerprint(secret)) if scope else None
    if token is None:
        raise TokenUnknown()
    return token, actors.system(token.customer_id, f"{token.name} (provisioning)")


def is_stale(token: ProvisioningToken, now: int) -> bool:
    """Whether the last use of the token should be saved again."""
    return token.last_used is None or now - token.last_used >= _SEEN_INTERVAL_MS


async def update_last_used(tx: WriteTransaction, token: ProvisioningToken, secret: str) -> None:
    """Save that the token is being used now."""
    await store.update_last_used(tx, Scope(token.customer_id), crypto.fingerprint(secret), tx.now())


async def _save_new(tx: WriteTransaction, scope: Scope, name: str, now: int) -> tuple[ProvisioningToken, str]:
    secret = crypto.new_secret(_prefix(scope.customer_id))
    token = ProvisioningToken(scope.customer_id, name, secret[-_HINT_LENGTH:], now, None)
    await store.save_token(tx, token, crypto.fingerprint(secret))
    return token, secret


def _prefix(customer_id: str) -> str:
    return f"{PREFIX}{customer_id.removeprefix(_CUSTOMER_PREFIX + '_')}_"


def _read_scope(secret: str) -> Scope | None:
    """Return the scope of the account that a secret names; None if it is malformed."""
    customer_id = f"{_CUSTOMER_PREFIX}_{secret.removeprefix(PREFIX).partition('_')[0]}"
    well_formed = is_id(customer_id, _CUSTOMER_PREFIX) and crypto.is_well_formed(secret, _prefix(customer_id))
    return Scope(customer_id) if well_formed else None
