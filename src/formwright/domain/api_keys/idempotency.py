"""What was answered to a request that may come again: kept a day, for the key that sent it."""

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
    tx: ReadTransaction, actor: Actor, seal: SecretBox, *, request_id: str, now: int
) -> StoredResponse | None:
    """The answer that was given within the last day to the request of this id; `ReplyUnreadable` where it is lost."""
    kept = await idempotency_store.find(tx, actor.customer_id, request_id, now - RETENTION_MS)
    try:
        return replace(kept, content=seal.open(kept.content)) if kept else None
    except InvalidToken:
        raise StoredResponseUnreadable() from None


async def lock_request(tx: WriteTransaction, *, request_id: str) -> bool:
    """Take the request of this id for oneself until the transaction ends; False when another has it.

    Where the database has one writer, nobody else can have it.
    """
    return await idempotency_store.lock_request(tx, request_id)


async def save(tx: WriteTransaction, actor: Actor, seal: SecretBox, reply: StoredResponse, *, request_id: str) -> None:
    """Keep an answer. It is sealed: it may hold a secret that is shown once."""
    sealed = replace(reply, content=seal.close(reply.content))
    await idempotency_store.save(tx, actor.customer_id, request_id, sealed, tx.now())


async def delete_expired(db: Database, now: int) -> int:
    """Drop the answers that are older than a day, in batches, each a short transaction; answers how many."""
    return await in_batches(db, partial(idempotency_store.delete_expired, before=now - RETENTION_MS, limit=BATCH_ROWS))
