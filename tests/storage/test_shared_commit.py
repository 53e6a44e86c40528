"""PostgreSQL's writers of one account: those that meet share a commit, and none shares the fate of another."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest
from rig.postgres import Server

from formwright.core.kernel.clock import SystemClock
from formwright.core.kernel.ids import Ids
from formwright.core.storage import order
from formwright.core.storage.database import DatabaseBusy, Hooks, Told, Writing
from formwright.core.storage.postgres import PostgresDatabase, open_postgres

_TABLES = """
CREATE TABLE account_order (customer_id text PRIMARY KEY, stamp bigint NOT NULL, sequence bigint NOT NULL);
CREATE TABLE notes (text text PRIMARY KEY, stamp bigint, commit xid8 DEFAULT pg_current_xact_id());
"""
_EMPTY = "TRUNCATE account_order, notes; INSERT INTO account_order VALUES ('one', 0, 0), ('two', 0, 0)"
_INSERT = "INSERT INTO notes (text, stamp) VALUES ($1, $2)"
_CUT = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture(scope="module")
def url(postgres_cluster: Server, worker_id: str) -> Iterator[str]:
    name = f"shared_{worker_id}"
    yield postgres_cluster.create_database(name)
    postgres_cluster.drop_database(name)


@pytest.fixture
async def other(url: str) -> AsyncIterator[asyncpg.Connection]:
    """Another process's connection, to a database whose tables hold no note."""
    connection = await asyncpg.connect(url)
    if await connection.fetchval("SELECT to_regclass('notes')") is None:
        await connection.execute(_TABLES)
    await connection.execute(_EMPTY)
    yield connection
    await connection.close()


@pytest.fixture
async def db(url: str, other: asyncpg.Connection) -> AsyncIterator[PostgresDatabase]:
    clock = SystemClock()
    database = await open_postgres(url, clock, Ids(clock), Hooks())
    yield database
    await database.close()


async def _put_off(tx: Writing, text: str) -> None:
    await tx.later(_INSERT, [(text, await order.stamp(tx, "one"))])


async def _write(db: PostgresDatabase, text: str, account: str = "one") -> None:
    """Every other note is put off to the commit."""
    async with db.writing(account=account) as tx:
        now = await order.stamp(tx, account)
        if text[-1] in "02468":
            await tx.later(_INSERT, [(text, now)])
        else:
            await tx.execute(_INSERT, text, now)
        await asyncio.sleep(0)


async def _kept(other: asyncpg.Connection) -> set[str]:
    return {row["text"] for row in await other.fetch("SELECT text FROM notes")}


async def test_writers_that_meet_share_a_commit_and_their_times_rise(
    db: PostgresDatabase, other: asyncpg.Connection
) -> None:
    await asyncio.gather(*(_write(db, f"note {number}") for number in range(50)))
    rows = await other.fetch("SELECT text, stamp, commit::text FROM notes ORDER BY stamp")
    assert [row["text"] for row in rows] == [f"note {number}" for number in range(50)], "in the order of their turns"
    assert len({row["stamp"] for row in rows}) == 50
    commits = Counter(row["commit"] for row in rows)
    assert len(commits) <= 3
    assert await other.fetchval("SELECT stamp FROM account_order WHERE customer_id = 'one'") == rows[-1]["stamp"]


async def test_what_all_of_them_tell_is_handed_on_once_and_in_order(
    db: PostgresDatabase, other: asyncpg.Connection
) -> None:
    handed: list[list[int]] = []

    async def before_commit(tx: Writing, told: list[Told]) -> None:
        handed.append([one.stamps["one"] for one in told])
        await order.number(tx, "one", len(told))

    db._groups._hooks.before_commit = before_commit  # type: ignore[assignment]

    async def tell(number: int) -> None:
        async with db.writing(account="one") as tx:
            await order.stamp(tx, "one")
            tx.note(None)  # type: ignore[arg-type]
            if number % 3 == 0:
                raise LookupError

    await asyncio.gather(*(tell(number) for number in range(12)), return_exceptions=True)
    stamps = [stamp for group in handed for stamp in group]
    assert len(handed) <= 3
    assert len(stamps) == 8
    assert stamps == sorted(set(stamps))
    assert await other.fetchval("SELECT sequence FROM account_order WHERE customer_id = 'one'") == 8


async def test_a_failure_takes_nobody_with_it(db: PostgresDatabase, other: asyncpg.Connection) -> None:
    async def fail(number: int) -> None:
        async with db.writing(account="one") as tx:
            await _put_off(tx, f"bad {number} put off")
            if number % 2:
                await tx.execute(_INSERT, f"bad {number}", 0)
            await _put_off(tx, f"bad {number} put off again")
            raise LookupError(f"bad {number}")

    work = [_write(db, f"good {number}") if number % 3 else fail(number) for number in range(30)]
    came = await asyncio.gather(*work, return_exceptions=True)
    assert sum(isinstance(one, LookupError) for one in came) == 10
    assert await _kept(other) == {f"good {number}" for number in range(30) if number % 3}


async def test_one_that_fails_alone_changes_nothing_at_all(db: PostgresDatabase, other: asyncpg.Connection) -> None:
    await _write(db, "note 1")
    before = await other.fetchrow("SELECT * FROM account_order WHERE customer_id = 'one'")
    with pytest.raises(asyncpg.UniqueViolationError):
        await _write(db, "note 1")
    assert await other.fetchrow("SELECT * FROM account_order WHERE customer_id = 'one'") == before


async def test_each_finds_what_was_put_off_before_by_itself_and_by_others(db: PostgresDatabase) -> None:
    found: list[int] = []

    async def count(number: int) -> None:
        async with db.writing(account="one") as tx:
            await _put_off(tx, f"note {number}")
            row = await tx.fetch_one("SELECT count(*) FROM notes")
            assert row is not None
            found.append(row[0])

    await asyncio.gather(*(count(number) for number in range(8)))
    assert found == list(range(1, 9))


async def test_what_is_steady_is_asked_for_once(db: PostgresDatabase, other: asyncpg.Connection) -> None:
    found: list[object] = []

    async def look() -> None:
        async with db.writing(account="one") as tx:
            row = await tx.fetch_steady("SELECT clock_timestamp(), $1::text", "one")
            found.append(row and row[0])

    await asyncio.gather(*(look() for _ in range(9)))
    assert len(found) == 9
    assert len(set(found)) <= 3


async def test_a_refusal_is_said_only_once_what_it_rests_on_is_kept(
    db: PostgresDatabase, other: asyncpg.Connection
) -> None:
    async def refuse() -> set[str]:
        with pytest.raises(asyncpg.UniqueViolationError):
            await _write(db, "note 1")
        return await _kept(other)

    came = await asyncio.gather(_write(db, "note 1"), refuse(), _write(db, "note 2"))
    assert came[1] == {"note 1", "note 2"}


async def test_what_is_put_off_and_refused_is_refused_for_all_and_harms_nobody_later(
    db: PostgresDatabase, other: asyncpg.Connection
) -> None:
    await _write(db, "note 2")
    again = await asyncio.gather(*(_write(db, f"note {n}") for n in (4, 2, 6)), return_exceptions=True)
    assert any(isinstance(one, DatabaseBusy) for one in again)
    refused = {f"note {n}" for n, one in zip((4, 2, 6), again, strict=True) if one}
    assert await _kept(other) == {"note 2", "note 4", "note 6"} - (refused - {"note 2"})
    await _write(db, "note 8")
    assert "note 8" in await _kept(other)


async def test_accounts_do_not_wait_for_each_other(db: PostgresDatabase, other: asyncpg.Connection) -> None:
    async with db.writing(account="one"):
        await _write(db, "note 1", "two")
        assert await _kept(other) == {"note 1"}


async def test_another_process_that_changes_the_account_is_waited_for(
    db: PostgresDatabase, other: asyncpg.Connection
) -> None:
    transaction = other.transaction()
    await transaction.start()
    await other.execute("UPDATE account_order SET stamp = 9999999999999 WHERE customer_id = 'one'")
    waiting = [asyncio.create_task(_write(db, f"note {number}")) for number in range(4)]
    await asyncio.sleep(0.1)
    waiting[0].cancel()
    await asyncio.sleep(0.1)
    assert not any(task.done() for task in waiting[1:])
    await transaction.commit()
    came = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(one).__name__ for one in came] == ["CancelledError", "NoneType", "NoneType", "NoneType"]
    assert await other.fetchval("SELECT array_agg(stamp ORDER BY stamp) FROM notes") == [
        10000000000000,
        10000000000001,
        10000000000002,
    ]


async def test_writers_cancelled_at_any_point_leave_a_database_that_works(
    db: PostgresDatabase, other: asyncpg.Connection
) -> None:
    done: set[str] = set()

    async def write(text: str) -> None:
        await _write(db, text)
        done.add(text)

    for pause in range(40):
        tasks = [asyncio.create_task(write(f"{pause}-{number}")) for number in range(4)]
        await asyncio.sleep(pause * 0.0003)
        tasks[pause % 4].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await _write(db, "last")
    # A writer that is cancelled while it waits for its commit may have been written; nobody was told otherwise.
    assert done | {"last"} <= await _kept(other)
    assert len(done) >= 120


async def test_a_connection_that_is_cut_fails_its_group_and_nothing_else(
    db: PostgresDatabase, other: asyncpg.Connection
) -> None:
    async def cut() -> None:
        async with db.writing(account="one") as tx:
            await _put_off(tx, "cut 0")
            await other.execute(_CUT)
            await tx.fetch("SELECT 1")

    came = await asyncio.gather(cut(), *(_write(db, f"note {number}") for number in range(4)), return_exceptions=True)
    assert isinstance(came[0], DatabaseBusy)
    assert all(one is None or isinstance(one, DatabaseBusy) for one in came)
    assert await _kept(other) == {f"note {number}" for number in range(4) if came[number + 1] is None}
    await _write(db, "after 1")
    assert "after 1" in await _kept(other)


async def test_an_account_that_is_none_is_told(db: PostgresDatabase) -> None:
    with pytest.raises(LookupError, match="no account nobody"):
        await _write(db, "note 1", "nobody")
    await _write(db, "note 2")
    assert not db._groups._rows, "nothing is kept of accounts that nobody writes to"
