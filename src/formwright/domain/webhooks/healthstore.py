"""The SQL of how subscribers are doing."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple

import msgspec

from formwright.core.access.scope import Scope
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import among
from formwright.domain.webhooks.health import DISABLE_AFTER_MS, OPENING, TELL_AFTER_MS, Health
from formwright.domain.webhooks.model import SubscriberStatus

COLUMNS = "failures, places, held, hold, failing, failed, told, failure_rate"


async def locked(tx: Writing, scope: Scope, ids: Iterable[str]) -> dict[str, Health]:
    """How these do, held for this transaction. Those that were deleted are left out."""
    rows = await tx.fetch(
        f"SELECT id, {COLUMNS} FROM subscribers WHERE customer_id = $1 AND id {among('$2')} ORDER BY id"
        "/*postgres  FOR UPDATE */",
        scope.customer_id,
        msgspec.json.encode(sorted(ids)).decode(),
    )
    return {row[0]: health(tuple(row)[1:]) for row in rows}


def health(row: Row) -> Health:
    """From `COLUMNS`."""
    return Health(*row)


async def write(tx: Writing, scope: Scope, found: Iterable[tuple[str, Health]]) -> None:
    rows = [(scope.customer_id, subscriber_id, *astuple(h)) for subscriber_id, h in found]
    if rows:
        await tx.execute_many(
            "UPDATE subscribers SET failures = $3, places = $4, held = $5, hold = $6, failing = $7, failed = $8,"
            " told = $9, failure_rate = $10 WHERE customer_id = $1 AND id = $2",
            rows,
        )


async def probe_now(tx: Writing, scope: Scope, subscriber_id: str) -> None:
    """One that is held is probed at once, because somebody asked for it."""
    await tx.execute(
        "UPDATE subscribers SET held = 0 WHERE customer_id = $1 AND id = $2 AND held IS NOT NULL",
        scope.customer_id,
        subscriber_id,
    )


async def begin_anew(tx: Writing, scope: Scope, subscriber_id: str, now: int) -> None:
    """It is another receiver, or one that was mended: what failed is forgotten, and what waits is due at once."""
    await write(tx, scope, [(subscriber_id, OPENING)])
    await tx.execute(
        "UPDATE deliveries SET due = $3 WHERE customer_id = $1 AND subscriber_id = $2 AND due > $3 AND lease IS NULL",
        scope.customer_id,
        subscriber_id,
        now,
    )


async def ailing(tx: Reading) -> Sequence[tuple[str, str]]:
    """The account and the id of each that has been failing for a day and nobody was told, or for five."""
    rows = await tx.fetch(
        "SELECT customer_id, id FROM subscribers WHERE failing IS NOT NULL AND status = $1"
        " AND (failed - failing >= $2 AND told = 0 OR failed - failing >= $3) ORDER BY customer_id, id LIMIT 100",
        SubscriberStatus.ACTIVE,
        TELL_AFTER_MS,
        DISABLE_AFTER_MS,
    )
    return [(row[0], row[1]) for row in rows]
