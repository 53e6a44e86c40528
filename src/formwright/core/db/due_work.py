"""When each account next has background work of each kind, so that workers need not look for it in all accounts.

A row is never later than the account's work of its kind: the transaction that creates the work also writes the row, in
its last statement, unless the row is early enough already. The worker postpones or deletes it after its work, in
`settle`. With Citus, the table is on the coordinator, so looking for due work asks no other machine.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping

from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.work_kinds import WorkKind

FindNextDue = Callable[[WriteTransaction, str, int], Awaitable[int | None]]
"""Returns when work of an account is next due, given the account's id and the current time, both in milliseconds."""


async def save(tx: WriteTransaction, scheduled: Mapping[tuple[WorkKind, str], int]) -> None:
    """Write the times (milliseconds) at which work is due, by kind and account. Call it last in a transaction.

    The rows remain locked until the commit, also those that are early enough: see `settle`.
    """
    # All transactions lock the rows in the same order, because opposite orders could deadlock.
    await tx.defer(
        "INSERT INTO due_work (kind, customer_id, due) VALUES ($1, $2, $3)"
        " ON CONFLICT (kind, customer_id) DO UPDATE SET due = excluded.due WHERE excluded.due < due_work.due",
        [(*key, due) for key, due in sorted(scheduled.items())],
    )


async def list_due(tx: ReadTransaction, kind: WorkKind, now: int, limit: int) -> list[str]:
    """Return the ids of up to `limit` accounts with due work of a kind, the one that has waited longest first."""
    rows = await tx.fetch(
        f"SELECT customer_id FROM due_work WHERE kind = $1 AND due <= $2 ORDER BY due LIMIT {limit}",  # noqa: S608
        kind,
        now,
    )
    return [str(row[0]) for row in rows]


async def settle(tx: WriteTransaction, kind: WorkKind, customer_id: str, now: int, find_next_due: FindNextDue) -> None:
    """Postpone an account's row to its next work, or delete it. Call it last in a transaction, after the work.

    Locking the row first makes sure that no work is missed: transactions that schedule work have either committed, and
    `find_next_due` sees it, or wait, and write their row afterwards.
    """
    is_locked = await tx.fetch_one(
        "SELECT 1 FROM due_work WHERE kind = $1 AND customer_id = $2 /*postgres FOR UPDATE*/", kind, customer_id
    )
    due = await find_next_due(tx, customer_id, now)
    # The account has just had its turn, so those that have waited longer are next.
    due = due if due is None else max(due, now)
    if due is not None and not is_locked:
        await save(tx, {(kind, customer_id): due})
    elif due is None:
        await tx.execute("DELETE FROM due_work WHERE kind = $1 AND customer_id = $2", kind, customer_id)
    else:
        await tx.execute("UPDATE due_work SET due = $3 WHERE kind = $1 AND customer_id = $2", kind, customer_id, due)


async def find_missing(tx: ReadTransaction, kind: WorkKind, accounts: Collection[str], now: int) -> list[str]:
    """Return those of the accounts that have no due row of a kind, in ascending order."""
    if not accounts:
        return []
    rows = await tx.fetch("SELECT customer_id FROM due_work WHERE kind = $1 AND due <= $2", kind, now)
    return sorted(set(accounts) - {str(row[0]) for row in rows})
