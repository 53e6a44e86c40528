"""Stored responses to requests with an Idempotency-Key. For a day, a repeated request gets the same response."""

from dataclasses import replace
from functools import partial

from cryptography.fernet import InvalidToken

from formwright.core.auth.actor import Actor
from formwright.core.crypto import SecretBox
from formwright.core.db.batching import BATCH_ROWS, in_batches
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.domain.api_keys import idempotency_store
from formwright.domain.api_keys.models import StoredResponse, StoredResponseUnreadable

RETENTION_MS = 24 * 3600 * 1000


async def find(
    tx: ReadTransaction, actor: Actor, secret_box: SecretBox, *, request_id: str, now: int
) -> StoredResponse | None:
    """Return the response to this request, if it was stored within the last day.

    Raises `StoredResponseUnreadable` if it cannot be decrypted.
    """
    stored = await idempotency_store.find(tx, actor.customer_id, request_id, now - RETENTION_MS)
    try:
        return replace(stored, content=secret_box.open(stored.content)) if stored else None
    except InvalidToken:
        raise StoredResponseUnreadable() from None


async def lock_request(tx: WriteTransaction, *, request_id: str) -> bool:
    """Lock the request id until the transaction ends; returns False if another transaction holds the lock.

    SQLite has a single writer, so there it always succeeds.
    """
    return await idempotency_store.lock_request(tx, request_id)


async def save(
    tx: WriteTransaction, actor: Actor, secret_box: SecretBox, response: StoredResponse, *, request_id: str
) -> None:
    """Store a response. It is encrypted, because it may contain a secret, such as a new API key."""
    encrypted = replace(response, content=secret_box.close(response.content))
    await idempotency_store.save(tx, actor.customer_id, request_id, encrypted, tx.now())


async def delete_expired(db: Database, now: int) -> int:
    """Delete responses that are older than a day, in batches with a short transaction each; returns their number."""
    return await in_batches(db, partial(idempotency_store.delete_expired, before=now - RETENTION_MS, limit=BATCH_ROWS))
