"""What was read of an account is not asked for again, until somebody has changed it."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from fixtures.notes_database import Notes, Other, write

from formwright.core.db import account_lock, sqlite
from formwright.core.db.interface import (
    AccountLock,
    CommitHooks,
    Database,
    Statement,
    TransactionEvents,
    WriteTransaction,
)
from formwright.core.db.postgres_connection import PostgresTransaction
from formwright.core.db.shared_transaction import AccountReadCache

HERE: Statement = ("SELECT text FROM notes WHERE customer_id = $1 AND text LIKE '%here'", "one")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that were asked for together."""
    seen: list[str] = []
    for ground in (PostgresTransaction, sqlite._SqliteTransaction):

        async def noted(tx: Any, sql: str, rows: Any, fetch: Any = ground.fetch_batch) -> Any:
            seen.append(sql)
            return await fetch(tx, sql, rows)

        monkeypatch.setattr(ground, "fetch_batch", noted)
    return seen


async def _look(db: Database, *, move: bool = True) -> object:
    async with db.writing(account="one", ahead=[HERE]) as tx:
        if move:
            await account_lock.next_timestamp(tx, "one")
        row = await tx.fetch_cached(*HERE)
        return row and row[0]


async def _put(db: Database, text: str) -> None:
    """By who writes alone."""
    async with db.writing() as tx:
        await write(tx, text, "one", defer=False)


async def test_it_is_asked_for_once(db: Database, asked: list[str]) -> None:
    assert [await _look(db) for _ in range(5)] == [None] * 5
    assert asked == [HERE[0]]


async def test_it_is_asked_for_again_once_the_same_process_has_changed_it(db: Database, asked: list[str]) -> None:
    assert await _look(db) is None
    await _put(db, "here")
    assert [await _look(db), await _look(db)] == ["here", "here"]
    assert len(asked) == 2


async def test_it_is_asked_for_again_once_another_process_has_changed_it(
    db: Database, notes: Notes, asked: list[str]
) -> None:
    other = await notes.open()
    assert [await _look(db), await _look(other)] == [None, None]
    await _put(other, "here")
    assert [await _look(db), await _look(other)] == ["here", "here"]
    await other.close()


async def test_it_is_asked_for_again_behind_who_wrote_alone_within_the_same_commit(db: Database) -> None:
    assert await _look(db) is None
    came = await asyncio.gather(_look(db), _put(db, "is here"), _look(db), _look(db))
    assert came[0] in (None, "is here")
    assert await _look(db) == "is here"
    assert came[2:] in (["is here"] * 2, [None] * 2, [None, "is here"])


async def test_what_was_rolled_back_was_not_read(db: Database, other: Other) -> None:
    async def read_and_fail() -> None:
        async with db.writing(account="one", ahead=[HERE]) as tx:
            await write(tx, "mine and here", "one", defer=False)
            await tx.fetch_cached(*HERE)
            raise LookupError

    assert await _look(db) is None
    with pytest.raises(LookupError):
        await read_and_fail()
    assert await _look(db) is None
    await other.execute("INSERT INTO notes VALUES ('one', 'theirs and here', 0)")
    await other.execute("UPDATE account_order SET stamp = stamp + 1 WHERE customer_id = 'one'")
    assert await _look(db) == "theirs and here"


async def test_who_only_looks_leaves_the_order_and_what_is_known(db: Database, asked: list[str]) -> None:
    await _look(db)
    assert [await _look(db, move=False), await _look(db)] == [None, None]
    assert len(asked) == 1


async def test_those_who_tell_together_get_the_rows_of_each_account(notes: Notes, asked: list[str]) -> None:
    found: list[set[tuple[str, str]]] = []

    async def before_commit(tx: WriteTransaction, told: Sequence[TransactionEvents]) -> None:
        accounts = sorted({account for one in told for account in one.stamps})
        found.append({tuple(row) for row in await tx.fetch_per_account(rows, accounts)})
        for account in accounts:
            await account_lock.next_sequence(tx, account, 1)

    rows = "SELECT customer_id, text FROM notes WHERE customer_id = $1"
    hooks = CommitHooks()
    hooks.before_commit = before_commit
    db = await notes.open(hooks)

    async def tell(account: str) -> None:
        async with db.writing(account=account) as tx:
            await write(tx, f"{account} {len(found)}", account)

    await asyncio.gather(tell("two"), tell("one"))
    assert set().union(*found) == set()
    await asyncio.gather(tell("one"), tell("two"), tell("three"))
    await asyncio.gather(tell("three"))
    assert set().union(*found) == set(), "their own rows were put off, and nobody else has moved an order"
    assert len(asked) <= 4
    async with db.writing() as tx:
        await write(tx, "alone", "one", defer=False)
    await asyncio.gather(tell("one"))
    assert ("one", "alone") in found[-1]
    await db.close()


def test_of_an_account_that_asks_for_very_much_nothing_is_kept() -> None:
    unmoved, held = AccountReadCache(), AccountLock("one", 5, 1)
    unmoved.keep(held, {HERE: []})
    assert unmoved.of(AccountLock("one", 5, 1)) == {HERE: []}
    assert [unmoved.of(AccountLock("one", *other)) for other in ((6, 1), (5, 2), (4, 0))] == [{}] * 3
    assert unmoved.of(AccountLock("two", 5, 1)) == {}
    unmoved.keep(held, {(str(number),): [] for number in range(21)})
    assert unmoved.of(held) == {}
