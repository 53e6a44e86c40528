"""The SQL of second factors and of recovery codes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.users.auth.models import TwoFactorStatus

_OWN = "customer_id = $1 AND user_id = $2"


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """A second factor; `secret` is sealed, `since` is None until it was confirmed."""

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
    """A new one in place of one that was never confirmed."""
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
    """Take the code of a step; False when it, or a later one, was taken before."""
    sql = f"UPDATE second_factors SET last_step = $3 WHERE {_OWN} AND last_step < $3"
    return bool(await tx.execute(sql, scope.customer_id, user_id, step))


async def consume_recovery_code(tx: WriteTransaction, scope: Scope, user_id: str, code_hash: str) -> bool:
    """Take a recovery code; False when it was taken before or never was."""
    sql = f"DELETE FROM recovery_codes WHERE {_OWN} AND code_hash = $3"
    return bool(await tx.execute(sql, scope.customer_id, user_id, code_hash))


async def replace_recovery_codes(tx: WriteTransaction, scope: Scope, user_id: str, hashes: Sequence[str]) -> None:
    await tx.execute(f"DELETE FROM recovery_codes WHERE {_OWN}", scope.customer_id, user_id)
    sql = "INSERT INTO recovery_codes (customer_id, user_id, code_hash) VALUES ($1, $2, $3)"
    await tx.execute_many(sql, [(scope.customer_id, user_id, one) for one in hashes])


async def delete(tx: WriteTransaction, scope: Scope, user_id: str) -> bool:
    """It with its recovery codes; False when there was none."""
    await tx.execute(f"DELETE FROM recovery_codes WHERE {_OWN}", scope.customer_id, user_id)
    return bool(await tx.execute(f"DELETE FROM second_factors WHERE {_OWN}", scope.customer_id, user_id))
