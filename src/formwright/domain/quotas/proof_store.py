"""SQL of used proofs of work."""

from formwright.core.db.interface import WriteTransaction


async def add(tx: WriteTransaction, customer_id: str, nonce: str, expires: int) -> bool:
    """Record that a proof was used; return False if it had been before."""
    count = await tx.execute(
        "INSERT INTO used_proofs (customer_id, nonce, expires) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        customer_id,
        nonce,
        expires,
    )
    return count == 1


async def delete_expired(tx: WriteTransaction, customer_id: str, now: int) -> None:
    await tx.execute("DELETE FROM used_proofs WHERE customer_id = $1 AND expires <= $2", customer_id, now)
