"""The SQL of stored responses."""

from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.api_keys.models import StoredResponse


async def find(tx: ReadTransaction, customer_id: str, request_id: str, since: int) -> StoredResponse | None:
    row = await tx.fetch_cached(
        "SELECT request, status, location, content FROM replies WHERE customer_id = $1 AND id = $2 AND created > $3",
        customer_id,
        request_id,
        since,
    )
    return StoredResponse(*row) if row else None


async def lock_request(tx: WriteTransaction, request_id: str) -> bool:
    row = await tx.fetch_cached(
        "SELECT /*postgres pg_try_advisory_xact_lock(hashtextextended($1, 0)) *//*sqlite $1 IS NOT NULL */", request_id
    )
    return bool(row and row[0])


async def save(tx: WriteTransaction, customer_id: str, request_id: str, response: StoredResponse, now: int) -> None:
    await tx.defer(
        "INSERT INTO replies (customer_id, id, request, status, location, content, created)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (customer_id, id) DO UPDATE SET request = excluded.request,"
        " status = excluded.status, location = excluded.location, content = excluded.content,"
        " created = excluded.created",
        [(customer_id, request_id, response.request, response.status, response.location, response.content, now)],
    )


async def delete_expired(tx: WriteTransaction, before: int, limit: int) -> int:
    return await tx.execute(
        "DELETE FROM replies WHERE (customer_id, id) IN"
        f" (SELECT customer_id, id FROM replies WHERE created <= $1 ORDER BY created LIMIT {limit})",
        before,
    )
