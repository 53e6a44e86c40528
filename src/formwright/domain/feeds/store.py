"""SQL of feeds."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction


async def is_enabled(tx: ReadTransaction, scope: Scope) -> bool:
    row = await tx.fetch_one("SELECT 1 FROM feeds WHERE customer_id = $1", scope.customer_id)
    return row is not None


async def enable(tx: WriteTransaction, scope: Scope, now: int) -> None:
    await tx.execute("INSERT INTO feeds (customer_id, enabled) VALUES ($1, $2)", scope.customer_id, now)


async def disable(tx: WriteTransaction, scope: Scope) -> None:
    await tx.execute("DELETE FROM feeds WHERE customer_id = $1", scope.customer_id)


async def list_names(tx: ReadTransaction, scope: Scope) -> dict[str, str]:
    rows = await tx.fetch("SELECT resource_id, name FROM feed_tables WHERE customer_id = $1", scope.customer_id)
    return {row[0]: row[1] for row in rows}


async def insert_names(tx: WriteTransaction, scope: Scope, names: Sequence[tuple[str, str]]) -> None:
    for resource_id, name in names:
        await tx.execute(
            "INSERT INTO feed_tables (customer_id, resource_id, name) VALUES ($1, $2, $3)",
            scope.customer_id,
            resource_id,
            name,
        )
