"""Group commit on PostgreSQL: several transactions at the same time, and lost connections."""

import asyncio
from collections import Counter

import pytest
from fixtures.notes_database import ACCOUNTS, Notes, Other, write

from formwright.core.db.group_commit import MAX_GROUP_SIZE
from formwright.core.db.interface import Database, DatabaseBusy, WriteTransaction
from formwright.core.db.postgres import PostgresDatabase

_CUT = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
async def notes(notes_url: str) -> Notes:
    notes = Notes(notes_url)
    await notes.empty()
    return notes


async def _write(db: Database, text: str, account: str = "one") -> None:
    async with db.writing(account=account) as tx:
        await write(tx, text, account)
        await asyncio.sleep(0)


async def _stored(other: Other) -> set[str]:
    return {text for (text,) in await other.fetch("SELECT text FROM notes")}


async def _commits(other: Other) -> Counter[str]:
    return Counter(row[0] for row in await other.fetch("SELECT xmin::text FROM notes"))


async def test_concurrent_writers_of_all_accounts_share_a_commit(db: Database, other: Other) -> None:
    await asyncio.gather(*(_write(db, f"note {number}", ACCOUNTS[number % 3]) for number in range(50)))
    commits = await _commits(other)
    assert commits.total() == 50
    assert len(commits) <= 3


async def test_a_commit_has_a_maximum_number_of_writers(db: Database, other: Other) -> None:
    await asyncio.gather(*(_write(db, f"note {number}", ACCOUNTS[number % 3]) for number in range(4 * MAX_GROUP_SIZE)))
    commits = await _commits(other)
    assert commits.total() == 4 * MAX_GROUP_SIZE
    assert max(commits.values()) == MAX_GROUP_SIZE


async def test_a_locked_account_delays_only_its_own_writers(db: Database, other: Other) -> None:
    await other.begin()
    await other.execute("UPDATE account_order SET stamp = stamp WHERE customer_id = 'one'")
    texts = {f"{account} {number}": account for number in range(4) for account in ("one", "two", "three")}
    waiting = {text: asyncio.create_task(_write(db, text, account)) for text, account in texts.items()}
    free = [task for text, task in waiting.items() if not text.startswith("one")]
    await asyncio.wait_for(asyncio.gather(*free), 60)
    assert await _stored(other) == {text for text in texts if not text.startswith("one")}
    await other.commit()
    await asyncio.gather(*waiting.values())
    assert await _stored(other) == set(texts)


async def test_a_lost_connection_fails_only_its_group(db: Database, other: Other) -> None:
    async def cut() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "cut")
            await other.execute(_CUT)
            await tx.fetch("SELECT 1")

    came = await asyncio.gather(cut(), *(_write(db, f"note {number}") for number in range(4)), return_exceptions=True)
    assert isinstance(came[0], DatabaseBusy)
    assert all(one is None or isinstance(one, DatabaseBusy) for one in came)
    assert await _stored(other) == {f"note {number}" for number in range(4) if came[number + 1] is None}
    await _write(db, "after")
    assert "after" in await _stored(other)


async def test_a_failure_in_an_account_queue_affects_nobody_else(db: Database, other: Other) -> None:
    async def fail() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "failed")
            raise LookupError

    await other.begin()
    await other.execute("UPDATE account_order SET stamp = 9999999999999 WHERE customer_id = 'one'")
    work = [asyncio.create_task(one) for one in (_write(db, "first"), fail(), _write(db, "second"))]
    work[0].cancel()
    await asyncio.sleep(0.05)
    work[2].cancel()
    more = asyncio.create_task(_write(db, "third"))
    await asyncio.sleep(0.05)
    await other.commit()
    came = [type(one).__name__ for one in await asyncio.gather(*work, more, return_exceptions=True)]
    assert came == ["CancelledError", "LookupError", "CancelledError", "NoneType"]
    assert await other.fetch("SELECT text, stamp FROM notes") == [("third", 10000000000000)]
    assert isinstance(db, PostgresDatabase)
    assert "one" not in db._account_queues, "the queue of an account without writers is removed"


async def test_an_account_rejoins_the_common_queue(db: Database, other: Other) -> None:
    seen: list[WriteTransaction] = []

    async def own() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "own")
            seen.append(tx)

    await other.begin()
    await other.execute("UPDATE account_order SET stamp = stamp WHERE customer_id = 'one'")
    work = asyncio.create_task(own())
    await asyncio.sleep(0.05)
    await other.commit()
    await work
    await asyncio.gather(_write(db, "note 1", "two"), _write(db, "note 2", "one"))
    assert seen, "the transaction is still referenced"
    assert sorted((await _commits(other)).values()) == [1, 2]
