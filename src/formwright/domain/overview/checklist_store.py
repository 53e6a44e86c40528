"""The SQL of dismissed checklists."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction


async def is_dismissed(tx: ReadTransaction, scope: Scope, user_id: str) -> bool:
    row = await tx.fetch_one(
        "SELECT 1 FROM dismissed_checklists WHERE customer_id = $1 AND user_id = $2", scope.customer_id, user_id
    )
    return row is not None


async def dismiss(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    await tx.execute(
        "INSERT INTO dismissed_checklists (customer_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        scope.customer_id,
        user_id,
    )


async def restore(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    await tx.execute(
        "DELETE FROM dismissed_checklists WHERE customer_id = $1 AND user_id = $2", scope.customer_id, user_id
    )
