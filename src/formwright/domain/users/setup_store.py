"""The SQL of the setup of an empty installation."""

from formwright.core.db.interface import ReadTransaction, WriteTransaction


async def lock(tx: WriteTransaction) -> None:
    """Take the lock for creating accounts, which is held until this transaction ends."""
    await tx.execute(
        # The update changes nothing, but locks the row, also if it exists already.
        "INSERT INTO first_owner_link (id, token_hash, ends) VALUES (1, '', 0) ON CONFLICT (id) DO UPDATE SET id = 1"
    )


async def set_link(tx: WriteTransaction, token_hash: str, ends: int) -> None:
    """Replace the link; an empty hash means that there is no link."""
    await tx.execute("UPDATE first_owner_link SET token_hash = $1, ends = $2 WHERE id = 1", token_hash, ends)


async def is_valid_link(tx: ReadTransaction, token_hash: str, now: int) -> bool:
    """Whether this is the current link and it has not expired."""
    sql = "SELECT 1 FROM first_owner_link WHERE id = 1 AND token_hash = $1 AND ends > $2"
    return await tx.fetch_one(sql, token_hash, now) is not None
