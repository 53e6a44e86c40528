"""Rotation of a subscriber's signing secret. The previous secret can continue to sign for some time."""

from dataclasses import replace

from cryptography.fernet import InvalidToken

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import WriteTransaction
from formwright.core.events import AuditNote
from formwright.domain.webhooks import service, signing, store
from formwright.domain.webhooks.models import Subscriber

_MAX_RETIRING = 20
"""The maximum number of previous secrets that sign, because each adds a signature to every request."""


async def rotate(
    tx: WriteTransaction, actor: Actor, *, subscriber_id: str, overlap_ms: int, secret_box: SecretBox
) -> tuple[Subscriber, str]:
    """Create a new secret; return the subscriber and the secret, which cannot be read again.

    The previous secret signs for another `overlap_ms`. With 0, all previous secrets stop signing immediately.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.WEBHOOKS_MANAGE)
    before = await service.get(tx, actor, subscriber_id=subscriber_id)
    secret = signing.new_secret()
    previous = (*before.retiring, (before.secret, tx.now() + overlap_ms)) if overlap_ms else ()
    valid = tuple((old, expires) for old, expires in previous if expires > tx.now() and _is_readable(old, secret_box))
    after = replace(
        before,
        secret=secret_box.close(secret),
        retiring=valid[-_MAX_RETIRING:],
        updated=now,
        revision=before.revision + 1,
    )
    await store.update_secrets(tx, after)
    tx.audit(AuditNote(scope.customer_id, "subscriber.secret_rotated", before.id, before.name))
    return after, secret


def _is_readable(encrypted: str, secret_box: SecretBox) -> bool:
    """Whether a secret can be decrypted. If the installation's secret key was changed, it can't, and would block
    every delivery."""
    try:
        secret_box.open(encrypted)
    except InvalidToken:
        return False
    return True
