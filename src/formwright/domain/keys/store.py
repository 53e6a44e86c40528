"""The SQL of API keys."""

from collections.abc import Iterable

from formwright.core.access.scope import Scope
from formwright.core.storage.database import Reading, Row, Writing
from formwright.domain.keys.model import Key

_KEY = (
    "SELECT id, customer_id, name, hint, maker_id, maker_name, last_used, revoked, created, updated, revision"
    " FROM api_keys"
)


def _key(row: Row) -> Key:
    return Key(*row)


async def insert(tx: Writing, key: Key, key_hash: str) -> None:
    await tx.execute(
        "INSERT INTO api_keys (customer_id, id, name, hint, maker_id, maker_name, created, updated, revision)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        key.customer_id,
        key.id,
        key.name,
        key.hint,
        key.maker_id,
        key.maker_name,
        key.created,
        key.updated,
        key.revision,
    )
    await tx.execute(
        "INSERT INTO key_hashes (hash, customer_id, key_id) VALUES ($1, $2, $3)", key_hash, key.customer_id, key.id
    )


async def live(tx: Reading, scope: Scope) -> list[Key]:
    """Every key of the account that was not revoked; there are never more than the limit."""
    rows = await tx.fetch(f"{_KEY} WHERE customer_id = $1 AND revoked IS NULL ORDER BY created, id", scope.customer_id)
    return [_key(row) for row in rows]


async def find(tx: Reading, scope: Scope, key_id: str) -> Key | None:
    row = await tx.fetch_one(f"{_KEY} WHERE customer_id = $1 AND id = $2", scope.customer_id, key_id)
    return _key(row) if row else None


async def owner(tx: Reading, key_hash: str) -> tuple[str, str, str] | None:
    """The account, the id and the name of the key with this hash."""
    row = await tx.fetch_one(
        "SELECT h.customer_id, h.key_id, k.name FROM key_hashes h"
        " JOIN api_keys k ON k.customer_id = h.customer_id AND k.id = h.key_id WHERE h.hash = $1",
        key_hash,
    )
    return (row[0], row[1], row[2]) if row else None


async def revoke(tx: Writing, scope: Scope, key_id: str, now: int) -> None:
    await tx.execute("DELETE FROM key_hashes WHERE customer_id = $1 AND key_id = $2", scope.customer_id, key_id)
    await tx.execute(
        "UPDATE api_keys SET revoked = $3, updated = $3, revision = revision + 1 WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        key_id,
        now,
    )


async def note_used(tx: Writing, uses: Iterable[tuple[str, str, int]]) -> None:
    """For each account, key and time: the key was used then."""
    await tx.execute_many("UPDATE api_keys SET last_used = $3 WHERE customer_id = $1 AND id = $2", uses)
