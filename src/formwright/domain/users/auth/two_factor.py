"""Two-factor authentication with time-based codes (TOTP, RFC 6238), and recovery codes in case the phone is lost."""

import secrets as random

from cryptography.fernet import InvalidToken

from formwright.core import crypto
from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import require
from formwright.core.events import AuditNote
from formwright.domain.users import store
from formwright.domain.users.auth import sessions, two_factor_store
from formwright.domain.users.auth.models import TwoFactorEnabled, TwoFactorNotEnabled, TwoFactorStatus
from formwright.domain.users.auth.sessions import require_user
from formwright.domain.users.grants import GrantEditor
from formwright.domain.users.models import User, UserNotFound

RECOVERY_CODES = 10
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without letters that look alike
# 16 random characters of 31 have 79 bits, so a hash without a salt is enough to protect a code.
_GROUPS = 4


async def get_status(tx: ReadTransaction, actor: Actor) -> TwoFactorStatus:
    """Return the status of the actor's own two-factor authentication."""
    scope, user_id = require_user(actor)
    return await two_factor_store.get_status(tx, scope, user_id)


async def is_enabled(tx: ReadTransaction, customer_id: str, user_id: str) -> bool:
    """Whether the user needs a code to sign in."""
    return (await two_factor_store.get_status(tx, Scope(customer_id), user_id)).enabled_at is not None


async def start_setup(tx: WriteTransaction, actor: Actor, secret_box: SecretBox) -> str:
    """Create a TOTP secret for the actor. Codes are only required after `confirm_setup`. Raises `TwoFactorEnabled`."""
    scope, user_id = require_user(actor)
    await account_lock.next_timestamp(tx, scope.customer_id)
    if (await two_factor_store.get_status(tx, scope, user_id)).enabled_at is not None:
        raise TwoFactorEnabled()
    secret = crypto.new_totp_secret()
    await two_factor_store.save(tx, scope, user_id, secret_box.close(secret))
    return secret


async def find_pending_secret(tx: ReadTransaction, actor: Actor, secret_box: SecretBox) -> str | None:
    """Return the actor's TOTP secret that is not confirmed yet, or None."""
    scope, user_id = require_user(actor)
    found = await two_factor_store.find(tx, scope, user_id)
    return _decrypt(secret_box, found.secret) if found and found.since is None else None


async def confirm_setup(tx: WriteTransaction, actor: Actor, secret_box: SecretBox, code: str) -> list[str] | None:
    """Enable two-factor authentication if the code is right.

    Returns the recovery codes, or None if the code is wrong. Raises `TwoFactorNotEnabled` if no setup was started.
    """
    scope, user_id = require_user(actor)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    found = await two_factor_store.find(tx, scope, user_id)
    if found is None or found.since is not None:
        raise TwoFactorNotEnabled()
    secret = _decrypt(secret_box, found.secret)
    step = crypto.find_totp_step(secret, _normalise(code), tx.now()) if secret else None
    if step is None:
        return None
    await two_factor_store.enable(tx, scope, user_id, now, step)
    await _audit_change(tx, scope, user_id)
    return await _create_recovery_codes(tx, scope, user_id)


async def verify_code(tx: WriteTransaction, customer_id: str, user_id: str, secret_box: SecretBox, code: str) -> bool:
    """Return whether this is a current TOTP code or an unused recovery code. Each code is accepted once."""
    scope, normalised = Scope(customer_id), _normalise(code)
    found = await two_factor_store.find(tx, scope, user_id)
    if found is None or found.since is None:
        return False
    secret = _decrypt(secret_box, found.secret)
    step = crypto.find_totp_step(secret, normalised, tx.now()) if secret else None
    if step is not None:
        return await two_factor_store.consume_step(tx, scope, user_id, step)
    return await two_factor_store.consume_recovery_code(tx, scope, user_id, crypto.fingerprint(normalised))


async def renew_recovery_codes(tx: WriteTransaction, actor: Actor) -> list[str]:
    """Replace the actor's recovery codes and return the new ones. Raises `TwoFactorNotEnabled`."""
    scope, user_id = require_user(actor)
    await account_lock.next_timestamp(tx, scope.customer_id)
    if (await two_factor_store.get_status(tx, scope, user_id)).enabled_at is None:
        raise TwoFactorNotEnabled()
    await _audit_change(tx, scope, user_id)
    return await _create_recovery_codes(tx, scope, user_id)


async def disable(tx: WriteTransaction, actor: Actor) -> None:
    """Turn off the actor's two-factor authentication. The caller has checked their password."""
    scope, user_id = require_user(actor)
    await _delete(tx, scope, user_id)
    await _audit_change(tx, scope, user_id)


async def disable_for_user(tx: WriteTransaction, actor: Actor, *, user_id: str) -> User:
    """Turn off two-factor authentication for a user who lost their phone.

    Raises `Denied` if the user has permissions that the actor lacks, `UserNotFound` or `TwoFactorNotEnabled`.
    """
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    user = require(await store.find(tx, scope, user_id), UserNotFound)
    await GrantEditor(tx, actor, scope).check_may_manage(user)
    await _delete(tx, scope, user_id)
    tx.audit(AuditNote(scope.customer_id, "user.updated", user.id, user.name, ("secondFactor",)))
    return user


async def _delete(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    await account_lock.next_timestamp(tx, scope.customer_id)
    if not await two_factor_store.delete(tx, scope, user_id):
        raise TwoFactorNotEnabled()


async def _create_recovery_codes(tx: WriteTransaction, scope: Scope, user_id: str) -> list[str]:
    codes = [
        "-".join("".join(random.choice(_LETTERS) for _ in range(4)) for _ in range(_GROUPS))
        for _ in range(RECOVERY_CODES)
    ]
    await two_factor_store.replace_recovery_codes(
        tx, scope, user_id, [crypto.fingerprint(_normalise(code)) for code in codes]
    )
    return codes


async def _audit_change(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    if user := await store.find(tx, scope, user_id):
        sessions.audit_own_action(tx, "user.updated", user, "secondFactor")


def _decrypt(secret_box: SecretBox, encrypted: str) -> str | None:
    """Return the decrypted secret; None if the installation's secret key has changed. Recovery codes still work."""
    try:
        return secret_box.open(encrypted)
    except InvalidToken:
        return None


def _normalise(code: str) -> str:
    """Return the code without separators, in lower case."""
    return "".join(letter for letter in code.lower() if letter.isalnum())[:100]
