"""The order of an account's changes.

Each account has one row that every change of it takes first and holds until its commit. So the account's changes
are committed one after another, its times and its event numbers rise in the order of the commits, and a
reader that has seen one never later finds one before it. Changes of different accounts do not meet.
"""

from formwright.core.storage.database import Reading, Writing


async def open_account(tx: Writing, customer_id: str) -> None:
    """Begin the order of a new account."""
    await tx.execute("INSERT INTO account_order (customer_id, stamp, sequence) VALUES ($1, 0, 0)", customer_id)


async def hold(tx: Writing, customer_id: str) -> None:
    """From here to its commit no other transaction changes this account."""
    await tx.fetch_one("SELECT 1 FROM account_order WHERE customer_id = $1 /*postgres FOR UPDATE*/", customer_id)


async def stamp(tx: Writing, customer_id: str) -> int:
    """The time of this change in milliseconds: the machine's, but always later than that of every earlier change.

    From here to its commit no other transaction changes this account.
    """
    row = await tx.fetch_one(
        "UPDATE account_order SET stamp = CASE WHEN stamp < $2 THEN $2 ELSE stamp + 1 END"
        " WHERE customer_id = $1 RETURNING stamp",
        customer_id,
        tx.now(),
    )
    if row is None:
        raise LookupError(f"no account {customer_id}")
    return int(row[0])


async def accounts(tx: Reading) -> list[str]:
    """The customerId of every account: for what is done to all of them."""
    return [str(row[0]) for row in await tx.fetch("SELECT customer_id FROM account_order ORDER BY customer_id")]


async def recorded(tx: Reading) -> int:
    """How many events have ever been recorded, in all accounts together."""
    row = await tx.fetch_one("SELECT COALESCE(sum(sequence), 0) FROM account_order")
    return int(row[0]) if row else 0


async def number(tx: Writing, customer_id: str, count: int) -> tuple[int, int]:
    """The first of `count` consecutive event numbers, and the time of this change."""
    row = await tx.fetch_one(
        "UPDATE account_order SET sequence = sequence + $2 WHERE customer_id = $1 RETURNING sequence, stamp",
        customer_id,
        count,
    )
    if row is None:
        raise LookupError(f"no account {customer_id}")
    return int(row[0]) - count + 1, int(row[1])
