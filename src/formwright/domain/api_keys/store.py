"""The SQL of API keys."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, Statement, WriteTransaction
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.domain.api_keys.models import Key, KeyIdentity, KeyLimits

_KEY = (
    "SELECT id, customer_id, name, hint, maker_id, maker_name, read_only, expires, old_ends, last_used, revoked,"
    " created, updated, revision, limits, rate_limit FROM api_keys"
)
_IDENTITY = (
    "SELECT customer_id, key_id, name, read_only, ends, limits, rate_limit, revision FROM key_hashes WHERE hash = $1"
)


def _to_key(row: Row) -> Key:
    key = _key_reader(row)
    return replace(key, read_only=key.read_only and key.limits is None)


def _parse_limits(stored: str | None) -> KeyLimits | None:
    return None if stored is None else msgspec.json.decode(stored, type=KeyLimits)


def _read_only_flag(key: Key) -> int:
    """Return the flag as older versions need it: if one of them rotates a limited key, the new secret only reads."""
    return int(key.read_only or key.limits is not None)


def _limits_json(key: Key) -> str | None:
    return msgspec.json.encode(key.limits, order="sorted").decode() if key.limits else None


_key_reader = RecordReader(Key)
_KEYS = RecordTable[Key](
    "api_keys",
    "customer_id, id, name, hint, maker_id, maker_name, read_only, expires, created, updated, revision, limits,"
    " rate_limit",
    "hint, old_ends, updated, revision, name, expires, limits, rate_limit",
    read_only=_read_only_flag,
    limits=_limits_json,
)
insert, update = _KEYS.insert, _KEYS.update


async def insert_hash(tx: WriteTransaction, key: Key, key_hash: str) -> None:
    """Insert the hash of a secret of the key, which is valid until the key expires."""
    await tx.execute(
        "INSERT INTO key_hashes (hash, customer_id, key_id, name, read_only, ends, limits, rate_limit, revision)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        key_hash,
        key.customer_id,
        key.id,
        key.name,
        _read_only_flag(key),
        key.expires,
        _limits_json(key),
        key.rate_limit,
        key.revision,
    )


async def expire_secrets(tx: WriteTransaction, key: Key, until: int) -> None:
    """Let the current secret expire at `until`, and delete the previous ones."""
    of_key = "customer_id = $1 AND key_id = $2"
    await tx.execute(f"DELETE FROM key_hashes WHERE {of_key} AND old = 1", key.customer_id, key.id)
    await tx.execute(f"UPDATE key_hashes SET old = 1, ends = $3 WHERE {of_key}", key.customer_id, key.id, until)


async def update_hashes(tx: WriteTransaction, key: Key) -> None:
    """Update what the secrets of the key may do, and until when. An old one expires with the key at the latest."""
    await tx.execute(
        "UPDATE key_hashes SET name = $3, limits = $4, rate_limit = $5, revision = $6,"
        " ends = CASE old WHEN 1 THEN CAST($7 AS BIGINT) ELSE CAST($8 AS BIGINT) END"
        " WHERE customer_id = $1 AND key_id = $2",
        key.customer_id,
        key.id,
        key.name,
        _limits_json(key),
        key.rate_limit,
        key.revision,
        key.old_ends,
        key.expires,
    )


async def list_active(tx: ReadTransaction, scope: Scope) -> list[Key]:
    """Return all keys of the account that are not revoked, the oldest first. `MAX_KEYS` limits their number."""
    rows = await tx.fetch(f"{_KEY} WHERE customer_id = $1 AND revoked IS NULL ORDER BY created, id", scope.customer_id)
    return [_to_key(row) for row in rows]


async def find(tx: ReadTransaction, scope: Scope, key_id: str) -> Key | None:
    row = await tx.fetch_one(f"{_KEY} WHERE customer_id = $1 AND id = $2", scope.customer_id, key_id)
    return _to_key(row) if row else None


def identity_statement(key_hash: str) -> Statement:
    """Return the statement that `find_identity` runs, with its argument."""
    return _IDENTITY, key_hash


async def find_identity(tx: ReadTransaction, key_hash: str) -> KeyIdentity | None:
    """Return the identity of the key whose secret has this hash, or None."""
    row = await tx.fetch_cached(_IDENTITY, key_hash)
    if row is None:
        return None
    customer_id, key_id, name, read_only, ends, limits, rate_limit, revision = row
    only_reads = bool(read_only) and limits is None
    return KeyIdentity(customer_id, key_id, name, only_reads, ends, _parse_limits(limits), rate_limit, revision)


@lru_cache(maxsize=512)
def with_validity(sql: str, place: int) -> str | None:
    """Return the statement with an additional first column, for `parse_validity`. It is NULL if the secret is unknown.

    The parameter `place` is the account id, and the next one the hash. None if no column can be added in front.
    """
    if not sql.startswith("SELECT ") or sql.startswith("SELECT DISTINCT") or "UNION" in sql:
        return None
    validity = "coalesce(ends, 0) || ' ' || revision"
    subquery = f"SELECT {validity} FROM key_hashes WHERE customer_id = ${place} AND hash = ${place + 1}"
    return sql.replace("SELECT ", f"SELECT ({subquery}), ", 1)


def parse_validity(text: str) -> tuple[int, int]:
    """Return when the secret expires, 0 for never, and the revision of its key."""
    ends, revision = text.split()
    return int(ends), int(revision)


async def revoke(tx: WriteTransaction, scope: Scope, key_id: str, now: int) -> None:
    await tx.execute("DELETE FROM key_hashes WHERE customer_id = $1 AND key_id = $2", scope.customer_id, key_id)
    await tx.execute(
        "UPDATE api_keys SET revoked = $3, updated = $3, revision = revision + 1 WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        key_id,
        now,
    )


async def save_last_used(tx: WriteTransaction, uses: Iterable[tuple[str, str, int]]) -> None:
    """Save the last use; each item is an account id, a key id and a time."""
    await tx.execute_many("UPDATE api_keys SET last_used = $3 WHERE customer_id = $1 AND id = $2", uses)
