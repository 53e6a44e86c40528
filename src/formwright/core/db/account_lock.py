"""The order of an account's changes.

Each account has one row that every change of it takes first and holds until its commit. So the account's changes
are committed one after another, its times and its event numbers rise in the order of the commits, and a
reader that has seen one never later finds one before it. Changes of different accounts do not meet.
"""

from collections.abc import Iterable, Sequence

import msgspec

from formwright.core.db.interface import AccountLock, ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import among


async def create(tx: WriteTransaction, customer_id: str) -> None:
    """Begin the order of a new account."""
    await tx.execute("INSERT INTO account_order (customer_id, stamp, sequence) VALUES ($1, 0, 0)", customer_id)


class AccountLockUnavailable(LookupError):
    """There is no such account, or another transaction holds its order."""


async def acquire(tx: WriteTransaction, customer_id: str) -> dict[str, AccountLock]:
    """The order of an account, from here to the commit: no other transaction changes it meanwhile."""
    row = await tx.fetch_one(
        "SELECT customer_id, stamp, sequence FROM account_order WHERE customer_id = $1 /*postgres FOR UPDATE*/",
        customer_id,
    )
    if row is None:
        raise AccountLockUnavailable(f"no account {customer_id}")
    return _of([row])


async def acquire_available(tx: WriteTransaction, customer_ids: Sequence[str]) -> dict[str, AccountLock]:
    """The orders of those accounts of which no other transaction holds it: nobody is waited for."""
    # In their order, although who waits for nobody cannot bring about that two wait for each other.
    rows = await tx.fetch(
        f"SELECT customer_id, stamp, sequence FROM account_order WHERE customer_id {among('$1')}"  # noqa: S608
        " ORDER BY customer_id /*postgres FOR UPDATE SKIP LOCKED*/",
        msgspec.json.encode(list(customer_ids)).decode(),
    )
    return _of(rows)


def _of(rows: Iterable[Row]) -> dict[str, AccountLock]:
    return {row[0]: AccountLock(row[0], int(row[1]), int(row[2])) for row in rows}


async def save(tx: WriteTransaction) -> None:
    """Write down what became of the orders that were taken."""
    if moved := [(held.customer_id, held.stamp, held.sequence) for held in tx.held.values() if held.moved]:
        await tx.later("UPDATE account_order SET stamp = $2, sequence = $3 WHERE customer_id = $1", moved)


async def hold(tx: WriteTransaction, customer_id: str) -> None:
    """From here to its commit no other transaction changes this account."""
    if customer_id not in tx.held:
        await tx.fetch_one("SELECT 1 FROM account_order WHERE customer_id = $1 /*postgres FOR UPDATE*/", customer_id)


async def next_timestamp(tx: WriteTransaction, customer_id: str) -> int:
    """The time of this change in milliseconds: the machine's, but always later than that of every earlier change.

    From here to its commit no other transaction changes this account.
    """
    if held := tx.held.get(customer_id):
        held.moved, held.stamp = True, max(tx.now(), held.stamp + 1)
        tx.stamps[customer_id] = held.stamp
    else:
        tx.stamps[customer_id] = await _stamp(tx, customer_id)
    return tx.stamps[customer_id]


async def _stamp(tx: WriteTransaction, customer_id: str) -> int:
    row = await tx.fetch_one(
        "UPDATE account_order SET stamp = CASE WHEN stamp < $2 THEN $2 ELSE stamp + 1 END"
        " WHERE customer_id = $1 RETURNING stamp",
        customer_id,
        tx.now(),
    )
    if row is None:
        raise LookupError(f"no account {customer_id}")
    return int(row[0])


async def list_accounts(tx: ReadTransaction) -> list[str]:
    """The customerId of every account: for what is done to all of them."""
    return [str(row[0]) for row in await tx.fetch("SELECT customer_id FROM account_order ORDER BY customer_id")]


async def count_events(tx: ReadTransaction) -> int:
    """How many events have ever been recorded, in all accounts together."""
    row = await tx.fetch_one("SELECT COALESCE(sum(sequence), 0) FROM account_order")
    return int(row[0]) if row else 0


async def next_sequence(tx: WriteTransaction, customer_id: str, count: int) -> tuple[int, int]:
    """The first of `count` consecutive event numbers, and the time of the account's last change."""
    if held := tx.held.get(customer_id):
        held.moved, held.sequence = True, held.sequence + count
        return held.sequence - count + 1, held.stamp
    row = await tx.fetch_one(
        "UPDATE account_order SET sequence = sequence + $2 WHERE customer_id = $1 RETURNING sequence, stamp",
        customer_id,
        count,
    )
    if row is None:
        raise LookupError(f"no account {customer_id}")
    return int(row[0]) - count + 1, int(row[1])
