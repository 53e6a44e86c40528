"""SQL of quotas."""

from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.quotas.models import Unit


async def lock_level(
    tx: WriteTransaction, customer_id: str, holder: str, unit: Unit, full: int, now: int
) -> tuple[int, int, int | None]:
    """Lock the row of a quota and return its level, the time of the level, and when the account was last notified."""
    await tx.execute(
        "INSERT INTO fill_quotas (customer_id, holder, unit, level, at) VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT DO NOTHING",
        customer_id,
        holder,
        unit,
        full,
        now,
    )
    row = await tx.fetch_one(
        "SELECT level, at, told FROM fill_quotas WHERE customer_id = $1 AND holder = $2 AND unit = $3"
        " /*postgres FOR UPDATE*/",
        customer_id,
        holder,
        unit,
    )
    return (row[0], row[1], row[2]) if row else (full, now, None)


async def save_level(tx: WriteTransaction, customer_id: str, holder: str, unit: Unit, level: int, at: int) -> None:
    await tx.execute(
        "UPDATE fill_quotas SET level = $4, at = $5 WHERE customer_id = $1 AND holder = $2 AND unit = $3",
        customer_id,
        holder,
        unit,
        level,
        at,
    )


async def save_notified(tx: WriteTransaction, customer_id: str, holder: str, unit: Unit, notified: int) -> None:
    await tx.execute(
        "UPDATE fill_quotas SET told = $4 WHERE customer_id = $1 AND holder = $2 AND unit = $3",
        customer_id,
        holder,
        unit,
        notified,
    )


async def find_notified_holders(tx: ReadTransaction, customer_id: str, since: int) -> set[str]:
    """Return the holders whose quota was used up since a time: form ids, and `service.ACCOUNT`."""
    rows = await tx.fetch(
        "SELECT DISTINCT holder FROM fill_quotas WHERE customer_id = $1 AND told >= $2", customer_id, since
    )
    return {row[0] for row in rows}
