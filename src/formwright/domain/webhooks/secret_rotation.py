"""Another secret for a subscriber, while the one before it signs too for some time."""

from dataclasses import replace

from cryptography.fernet import InvalidToken

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import WriteTransaction
from formwright.core.events import AuditNote
from formwright.domain.webhooks import service, signing, store
from formwright.domain.webhooks.models import Subscriber

_MAX_RETIRING = 20
"""So many old secrets at most sign beside the new one: each is a signature in every header."""


async def rotate(
    tx: WriteTransaction, actor: Actor, *, subscriber_id: str, overlap_ms: int, secret_box: SecretBox
) -> tuple[Subscriber, str]:
    """A new secret, which is not shown again. With an overlap of 0 no other signs from now on."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    was = await service.get(tx, actor, subscriber_id=subscriber_id)
    secret, old = signing.new_secret(), (*was.retiring, (was.secret, tx.now() + overlap_ms)) if overlap_ms else ()
    retiring = tuple(one for one in old if one[1] > tx.now() and _is_readable(one[0], secret_box))[-_MAX_RETIRING:]
    made = replace(was, secret=secret_box.close(secret), retiring=retiring, updated=now, revision=was.revision + 1)
    await store.update_secrets(tx, made)
    tx.audit(AuditNote(scope.customer_id, "subscriber.secret_rotated", was.id, was.name))
    return made, secret


def _is_readable(encrypted: str, secret_box: SecretBox) -> bool:
    """Whether it can still sign: not where the installation's secret key has changed, and nothing would be sent."""
    try:
        secret_box.open(encrypted)
    except InvalidToken:
        return False
    return True
