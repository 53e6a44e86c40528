"""The per-account lock, which orders an account's changes.

Each account has one row that every change locks first and holds until it commits. So an account's changes commit one
after another, and its timestamps and event numbers increase in commit order: a reader that has seen an event never
finds an earlier one later. Changes of different accounts do not block each other.
"""

from collections.abc import Iterable, Sequence

import msgspec

from formwright.core.auth.actor import Actor, Scope, allow, allow_everywhere
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import AccountLock, ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import in_array


async def create(tx: WriteTransaction, customer_id: str) -> None:
    """Create the lock row of a new account."""
    await tx.execute("INSERT INTO account_order (customer_id, stamp, sequence) VALUES ($1, 0, 0)", customer_id)


class AccountLockUnavailable(LookupError):
    """The account does not exist, or another transaction holds its lock."""


async def acquire(tx: WriteTransaction, customer_id: str) -> dict[str, AccountLock]:
    """Wait for an account's lock and return it by account; it is held until the commit.

    Raises `AccountLockUnavailable` if the account does not exist.
    """
    row = await tx.fetch_one(
        "SELECT customer_id, stamp, sequence FROM account_order WHERE customer_id = $1 /*postgres FOR UPDATE*/",
        customer_id,
    )
    if row is None:
        raise AccountLockUnavailable(f"no account {customer_id}")
    return _locks_by_account([row])


_LOCK_AVAILABLE = (
    f"SELECT customer_id, stamp, sequence FROM account_order WHERE customer_id {in_array('$1')}"  # noqa: S608
    " ORDER BY customer_id /*postgres FOR UPDATE SKIP LOCKED*/"
)


async def acquire_available(tx: WriteTransaction, customer_ids: Sequence[str]) -> dict[str, AccountLock]:
    """Lock those accounts that no other transaction has locked, without waiting, and return their locks by account."""
    # Sorted out of caution: SKIP LOCKED never waits, so lock order cannot cause a deadlock here.
    return _locks_by_account(await tx.fetch(_LOCK_AVAILABLE, msgspec.json.encode(list(customer_ids)).decode()))


def _locks_by_account(rows: Iterable[Row]) -> dict[str, AccountLock]:
    return {row[0]: AccountLock(row[0], int(row[1]), int(row[2])) for row in rows}


async def save(tx: WriteTransaction) -> None:
    """Write the changed timestamps and event numbers of the locks this transaction holds."""
    if dirty := [(lock.customer_id, lock.stamp, lock.sequence) for lock in tx.locks.values() if lock.dirty]:
        await tx.defer("UPDATE account_order SET stamp = $2, sequence = $3 WHERE customer_id = $1", dirty)


async def hold(tx: WriteTransaction, customer_id: str) -> None:
    """Lock the account until the commit."""
    if customer_id not in tx.locks:
        await tx.fetch_one("SELECT 1 FROM account_order WHERE customer_id = $1 /*postgres FOR UPDATE*/", customer_id)


async def begin_change(
    tx: WriteTransaction, actor: Actor, permission: Permission, *, everywhere: bool = False
) -> tuple[Scope, int]:
    """Authorise a change and lock the account; return its scope and timestamp, as `allow` and `next_timestamp` do.

    With `everywhere`, the actor needs the permission for the whole account. Raises `Denied`.
    """
    scope = allow_everywhere(actor, permission) if everywhere else allow(actor, permission)
    return scope, await next_timestamp(tx, scope.customer_id)


async def next_timestamp(tx: WriteTransaction, customer_id: str) -> int:
    """Return the timestamp of this change in milliseconds, later than that of every earlier change of the account.

    It is the system time unless that is not later. Locks the account until the commit. Raises `LookupError` if the
    account does not exist.
    """
    if lock := tx.locks.get(customer_id):
        tx.stamps[customer_id] = lock.advance(tx.now())
    else:
        tx.stamps[customer_id] = await _advance_stamp(tx, customer_id)
    return tx.stamps[customer_id]


async def _advance_stamp(tx: WriteTransaction, customer_id: str) -> int:
    row = await tx.fetch_one(
        "UPDATE account_order SET stamp = CASE WHEN stamp < $2 THEN $2 ELSE stamp + 1 END"
        " WHERE customer_id = $1 RETURNING stamp",
        customer_id,
        tx.now(),
    )
    if row is None:
        raise LookupError(f"no account {customer_id}")
    return int(row[0])


async def change_stamp(tx: ReadTransaction, customer_id: str) -> tuple[int, int]:
    """Return two numbers of which at least one increases with every change of the account: for caches."""
    row = await tx.fetch_one("SELECT sequence, stamp FROM account_order WHERE customer_id = $1", customer_id)
    return (int(row[0]), int(row[1])) if row else (0, 0)


async def list_accounts(tx: ReadTransaction) -> list[str]:
    """Return the ids of all accounts, in ascending order."""
    return [str(row[0]) for row in await tx.fetch("SELECT customer_id FROM account_order ORDER BY customer_id")]


async def count_events(tx: ReadTransaction) -> int:
    """Return how many events have ever been recorded, across all accounts."""
    row = await tx.fetch_one("SELECT COALESCE(sum(sequence), 0) FROM account_order")
    return int(row[0]) if row else 0


async def next_sequence(tx: WriteTransaction, customer_id: str, count: int) -> tuple[int, int]:
    """Reserve `count` consecutive event numbers.

    Returns the first of them and the timestamp of the account's last change (milliseconds). Raises `LookupError` if the
    account does not exist.
    """
    if lock := tx.locks.get(customer_id):
        lock.dirty, lock.sequence = True, lock.sequence + count
        return lock.sequence - count + 1, lock.stamp
    row = await tx.fetch_one(
        "UPDATE account_order SET sequence = sequence + $2 WHERE customer_id = $1 RETURNING sequence, stamp",
        customer_id,
        count,
    )
    if row is None:
        raise LookupError(f"no account {customer_id}")
    return int(row[0]) - count + 1, int(row[1])
