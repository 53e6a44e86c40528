"""The SQL of TOTP secrets and recovery codes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.users.auth.models import TwoFactorStatus

_OWN = "customer_id = $1 AND user_id = $2"


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """A TOTP secret: `secret` is encrypted, and `since` is None until the setup is confirmed."""

    secret: str = field(repr=False)
    since: int | None


async def find(tx: ReadTransaction, scope: Scope, user_id: str) -> StoredSecret | None:
    row = await tx.fetch_one(f"SELECT secret, since FROM second_factors WHERE {_OWN}", scope.customer_id, user_id)
    return StoredSecret(*row) if row else None


async def get_status(tx: ReadTransaction, scope: Scope, user_id: str) -> TwoFactorStatus:
    found = await find(tx, scope, user_id)
    row = await tx.fetch_one(f"SELECT count(*) FROM recovery_codes WHERE {_OWN}", scope.customer_id, user_id)
    return TwoFactorStatus(found.since if found else None, int(row[0]) if row else 0)


async def save(tx: WriteTransaction, scope: Scope, user_id: str, secret: str) -> None:
    """Save a new secret, which replaces one that was never confirmed."""
    await delete(tx, scope, user_id)
    await tx.execute(
        "INSERT INTO second_factors (customer_id, user_id, secret, last_step) VALUES ($1, $2, $3, 0)",
        scope.customer_id,
        user_id,
        secret,
    )


async def enable(tx: WriteTransaction, scope: Scope, user_id: str, now: int, step: int) -> None:
    sql = f"UPDATE second_factors SET since = $3, last_step = $4 WHERE {_OWN}"
    await tx.execute(sql, scope.customer_id, user_id, now, step)


async def consume_step(tx: WriteTransaction, scope: Scope, user_id: str, step: int) -> bool:
    """Use up the code of a time step; returns False if this or a later step was used before."""
    sql = f"UPDATE second_factors SET last_step = $3 WHERE {_OWN} AND last_step < $3"
    return bool(await tx.execute(sql, scope.customer_id, user_id, step))


async def consume_recovery_code(tx: WriteTransaction, scope: Scope, user_id: str, code_hash: str) -> bool:
    """Use up a recovery code; returns False if it was used before or never existed."""
    sql = f"DELETE FROM recovery_codes WHERE {_OWN} AND code_hash = $3"
    return bool(await tx.execute(sql, scope.customer_id, user_id, code_hash))


async def replace_recovery_codes(tx: WriteTransaction, scope: Scope, user_id: str, hashes: Sequence[str]) -> None:
    await tx.execute(f"DELETE FROM recovery_codes WHERE {_OWN}", scope.customer_id, user_id)
    sql = "INSERT INTO recovery_codes (customer_id, user_id, code_hash) VALUES ($1, $2, $3)"
    await tx.execute_many(sql, [(scope.customer_id, user_id, code_hash) for code_hash in hashes])


async def delete(tx: WriteTransaction, scope: Scope, user_id: str) -> bool:
    """Delete the secret and the recovery codes; returns False if there was no secret."""
    await tx.execute(f"DELETE FROM recovery_codes WHERE {_OWN}", scope.customer_id, user_id)
    return bool(await tx.execute(f"DELETE FROM second_factors WHERE {_OWN}", scope.customer_id, user_id))
