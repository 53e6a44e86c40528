"""The SQL of the token buckets for rate limits."""

from formwright.core.db.interface import WriteTransaction


async def lock_bucket(tx: WriteTransaction, customer_id: str, key_id: str, full: int, now: int) -> tuple[int, int]:
    """Return the level of a key's bucket and its time, and lock it until the transaction ends.

    A new bucket starts `full`.
    """
    await tx.execute(
        "INSERT INTO key_rates (customer_id, key_id, level, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        customer_id,
        key_id,
        full,
        now,
    )
    row = await tx.fetch_one(
        "SELECT level, at FROM key_rates WHERE customer_id = $1 AND key_id = $2 /*postgres FOR UPDATE*/",
        customer_id,
        key_id,
    )
    return (row[0], row[1]) if row else (full, now)


async def save_bucket(tx: WriteTransaction, customer_id: str, key_id: str, level: int, at: int) -> None:
    await tx.execute(
        "UPDATE key_rates SET level = $3, at = $4 WHERE customer_id = $1 AND key_id = $2",
        customer_id,
        key_id,
        level,
        at,
    )
