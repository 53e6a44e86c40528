"""The SQL of the figures of a subscriber's deliveries."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction

_MAX_DELIVERIES = 500
_MAX_SCANNED = 5_000
"""Bounds of what is read for a subscriber, however many deliveries it has."""


async def measure_backlog(tx: ReadTransaction, scope: Scope, subscriber_id: str, limit: int) -> tuple[int, int | None]:
    """Return how many deliveries wait, up to `limit`, and when the oldest of these was created."""
    row = await tx.fetch_one(
        "SELECT count(*), min(created) FROM (SELECT created FROM deliveries"
        f" WHERE customer_id = $1 AND subscriber_id = $2 LIMIT {limit}) AS waiting",
        scope.customer_id,
        subscriber_id,
    )
    return (int(row[0]), row[1]) if row else (0, None)


async def find_last_success(tx: ReadTransaction, scope: Scope, subscriber_id: str) -> int | None:
    """Return when the newest delivery that succeeded ended."""
    row = await tx.fetch_one(
        "SELECT ended FROM invocations WHERE customer_id = $1 AND subscriber_id = $2 AND status = 'SUCCEEDED'"
        " ORDER BY created DESC, id DESC LIMIT 1",
        scope.customer_id,
        subscriber_id,
    )
    return int(row[0]) if row else None


async def list_results(tx: ReadTransaction, scope: Scope, subscriber_id: str, since: int) -> list[tuple[int, bool]]:
    """Return the duration (milliseconds) and the success of the attempts since a time, of the newest deliveries."""
    ended = (
        "SELECT id FROM invocations WHERE customer_id = $1 AND subscriber_id = $2 AND created >= $3"
        f" ORDER BY created DESC, id DESC LIMIT {_MAX_DELIVERIES}"
    )
    pending = (
        "SELECT id FROM (SELECT id, tries FROM deliveries WHERE customer_id = $1 AND subscriber_id = $2"
        f" LIMIT {_MAX_SCANNED}) AS scanned WHERE tries > 0 LIMIT {_MAX_DELIVERIES}"
    )
    found: list[tuple[int, bool]] = []
    for deliveries in (ended, pending):
        rows = await tx.fetch(
            "SELECT duration, outcome FROM attempts WHERE customer_id = $1 AND started >= $3"
            f" AND invocation_id IN (SELECT id FROM ({deliveries}) AS recent)",
            scope.customer_id,
            subscriber_id,
            since,
        )
        found += [(int(duration), outcome == "success") for duration, outcome in rows]
    return found
