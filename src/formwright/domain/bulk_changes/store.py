"""SQL of bulk changes."""

from collections.abc import Sequence

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.batching import BATCH_ROWS
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.domain.bulk_changes.models import BulkChange, Outcome, Target

_COLUMNS = "id, customer_id, user_id, action, stopped, note, assignee_id, undone_id, origin, total, created, touched"
_CHANGES = RecordTable[BulkChange]("bulk_changes", _COLUMNS, stopped="is_stopped")


_change_reader = RecordReader(BulkChange)


async def insert(tx: WriteTransaction, change: BulkChange, steps: Sequence[Sequence[Target]]) -> None:
    await _CHANGES.insert(tx, change)
    await tx.execute_many(
        "INSERT INTO bulk_change_steps (customer_id, change_id, number, targets, created) VALUES ($1, $2, $3, $4, $5)",
        [
            (change.customer_id, change.id, number, msgspec.json.encode(targets).decode(), change.created)
            for number, targets in enumerate(steps)
        ],
    )


async def find(tx: ReadTransaction, scope: Scope, user_id: str, change_id: str) -> BulkChange | None:
    row = await tx.fetch_one(
        f"SELECT {_COLUMNS} FROM bulk_changes WHERE customer_id = $1 AND user_id = $2 AND id = $3",
        scope.customer_id,
        user_id,
        change_id,
    )
    return _change_reader(row) if row else None


async def find_undo_id(tx: ReadTransaction, scope: Scope, user_id: str, change_id: str) -> str | None:
    """Return the id of the user's bulk change that undoes this one."""
    row = await tx.fetch_one(
        "SELECT id FROM bulk_changes WHERE customer_id = $1 AND user_id = $2 AND undone_id = $3",
        scope.customer_id,
        user_id,
        change_id,
    )
    return str(row[0]) if row else None


async def load_start(tx: ReadTransaction, scope: Scope, user_id: str) -> tuple[int, list[BulkChange]]:
    """Return the time of the account's last change, and the user's bulk changes that have steps left, newest first."""
    rows = await tx.fetch(
        f"SELECT account_order.stamp, open.* FROM account_order LEFT JOIN (SELECT {_COLUMNS} FROM bulk_changes"
        " WHERE customer_id = $1 AND user_id = $2 AND EXISTS (SELECT 1 FROM bulk_change_steps AS step"
        " WHERE step.customer_id = $1 AND step.change_id = bulk_changes.id AND step.outcomes IS NULL)) AS open"
        " ON open.customer_id = account_order.customer_id WHERE account_order.customer_id = $1"
        " ORDER BY open.created DESC, open.id DESC",
        scope.customer_id,
        user_id,
    )
    return max((row[0] for row in rows), default=0), [_change_reader(row[1:]) for row in rows if row[1] is not None]


async def list_outcomes(tx: ReadTransaction, scope: Scope, change_id: str) -> list[Outcome]:
    """Return the outcomes of the steps that were done, in the order of the targets."""
    rows = await tx.fetch(
        "SELECT outcomes FROM bulk_change_steps WHERE customer_id = $1 AND change_id = $2 AND outcomes IS NOT NULL"
        " ORDER BY number",
        scope.customer_id,
        change_id,
    )
    return [outcome for (text,) in rows for outcome in msgspec.json.decode(text, type=list[Outcome])]


async def next_step(tx: ReadTransaction, scope: Scope, change_id: str) -> tuple[int, list[Target]] | None:
    """Return the number and the targets of the first step that was not done yet."""
    row = await tx.fetch_one(
        "SELECT number, targets FROM bulk_change_steps WHERE customer_id = $1 AND change_id = $2 AND outcomes IS NULL"
        " ORDER BY number LIMIT 1",
        scope.customer_id,
        change_id,
    )
    return (int(row[0]), msgspec.json.decode(row[1], type=list[Target])) if row else None


async def save_outcomes(
    tx: WriteTransaction, change: BulkChange, number: int, outcomes: Sequence[Outcome], now: int
) -> None:
    """Store the outcomes of a step, and that the change has made progress."""
    await tx.execute(
        "UPDATE bulk_change_steps SET outcomes = $4 WHERE customer_id = $1 AND change_id = $2 AND number = $3",
        change.customer_id,
        change.id,
        number,
        msgspec.json.encode(outcomes).decode(),
    )
    await touch(tx, change, now)


async def touch(tx: WriteTransaction, change: BulkChange, now: int) -> None:
    await tx.execute(
        "UPDATE bulk_changes SET touched = $3 WHERE customer_id = $1 AND id = $2", change.customer_id, change.id, now
    )


async def remove_open_steps(tx: WriteTransaction, change: BulkChange, total: int) -> None:
    """Delete the steps that were not done, after which the change has this total."""
    await tx.execute(
        "DELETE FROM bulk_change_steps WHERE customer_id = $1 AND change_id = $2 AND outcomes IS NULL",
        change.customer_id,
        change.id,
    )
    await tx.execute(
        "UPDATE bulk_changes SET total = $3 WHERE customer_id = $1 AND id = $2", change.customer_id, change.id, total
    )


async def set_stopped(tx: WriteTransaction, change: BulkChange, now: int, *, stopped: bool) -> None:
    await tx.execute(
        "UPDATE bulk_changes SET stopped = $3, touched = $4 WHERE customer_id = $1 AND id = $2",
        change.customer_id,
        change.id,
        int(stopped),
        now,
    )


async def delete_expired(tx: WriteTransaction, before: int) -> int:
    """Delete some of what was started before this time (milliseconds), in any account, and return how many rows."""
    # The steps first: after an interruption, the next call finds the changes that are left.
    for table, key in (("bulk_change_steps", "customer_id, change_id, number"), ("bulk_changes", "customer_id, id")):
        count = await tx.execute(
            f"DELETE FROM {table} WHERE ({key}) IN"
            f" (SELECT {key} FROM {table} WHERE created < $1 ORDER BY created LIMIT {BATCH_ROWS})",
            before,
        )
        if count:
            return count
    return 0
