"""Concurrent reads by key share round trips, and each gets its own row."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fixtures.notes_database import INSERT, Notes

from formwright.core.auth.request_context import Caller, current_caller
from formwright.core.db import read_coalescing
from formwright.core.db.connection_pool import ConnectionPool
from formwright.core.db.interface import Database, DatabaseBusy, Row
from formwright.core.db.postgres import create_pool
from formwright.core.db.read_coalescing import MAX_ROUND_TRIPS, ReadCoalescer

ASK = "SELECT text, stamp FROM notes WHERE customer_id = $1 AND text = $2"
SLOW = f"SELECT found.text FROM ({ASK}) AS found, pg_sleep(0.3)"
HANGS = f"SELECT found.text FROM ({ASK}) AS found, pg_sleep(30)"
ENDS = "SELECT text, pg_terminate_backend(pg_backend_pid()) FROM notes WHERE customer_id = $1 AND text = $2"


class Reads:
    """Concurrent reads through one coalescer, and the number of round trips."""

    def __init__(self, pool: Any) -> None:
        self.pool = ConnectionPool(pool)
        self.coalescer = ReadCoalescer(self.pool)
        self.round_trips = 0
        take = self.pool.checkout

        async def counted() -> Any:
            self.round_trips += 1
            return await take()

        self.pool.checkout = counted

    def fetch(self, text: str, sql: str = ASK) -> asyncio.Task[Row | None]:
        return asyncio.create_task(self.coalescer.fetch_one(sql, ("one", text)))

    async def occupy(self, sql: str) -> list[asyncio.Task[Row | None]]:
        """Start as many reads of this statement as may run on their own."""
        fetches = [self.fetch("0", sql) for _ in range(MAX_ROUND_TRIPS)]
        await asyncio.sleep(0.05)
        return fetches


@pytest.fixture(autouse=True)
def _never_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never treat a round trip as slow, however busy this machine is."""
    monkeypatch.setattr(read_coalescing, "_SLOW_S", 60)


@pytest.fixture
async def notes(notes_url: str) -> Notes:
    notes = Notes(notes_url)
    await notes.empty()
    return notes


@asynccontextmanager
async def _reads(url: str) -> AsyncIterator[Reads]:
    reads = Reads(await create_pool(url, pooled=False, connections=4))
    yield reads
    async with asyncio.timeout(60):
        await reads.pool.close()


@pytest.fixture
async def reads(notes: Notes, notes_url: str) -> AsyncIterator[Reads]:
    other = await notes.other()
    for number in range(100):
        await other.execute(f"INSERT INTO notes VALUES ('one', '{number}', {number})")
    await other.close()
    async with _reads(notes_url) as created:
        yield created


async def test_many_reads_share_few_round_trips(reads: Reads) -> None:
    wanted = [str(number) for number in range(0, 150, 2)]
    found = await asyncio.gather(*(reads.fetch(text) for text in wanted))
    assert [row and tuple(row) for row in found] == [(text, int(text)) if int(text) < 100 else None for text in wanted]
    assert reads.round_trips <= MAX_ROUND_TRIPS + 2, "waiting reads are sent 64 at a time"


async def test_committed_changes_are_visible(reads: Reads, notes: Notes) -> None:
    slow = await reads.occupy(SLOW)
    other = await notes.other()
    await other.execute("INSERT INTO notes VALUES ('one', 'new', 7)")
    found = await asyncio.gather(reads.fetch("new"), reads.fetch("new", SLOW))
    assert [row and row[0] for row in found] == ["new", "new"]
    assert [row and row[0] for row in await asyncio.gather(*slow)] == ["0"] * MAX_ROUND_TRIPS
    await other.close()


async def test_an_invalid_value_fails_only_its_own_read(reads: Reads) -> None:
    slow = await reads.occupy(SLOW)
    found = await asyncio.gather(reads.fetch("1"), reads.fetch("a\0"), reads.fetch("2"), return_exceptions=True)
    assert [found[0] and found[0][0], found[2] and found[2][0]] == ["1", "2"]
    assert "0x00" in str(found[1])
    await asyncio.gather(*slow)


async def test_a_cancelled_read_delays_nobody(reads: Reads) -> None:
    slow = await reads.occupy(SLOW)
    all_of_one, one_of_two = [reads.fetch("1", SLOW) for _ in range(3)], [reads.fetch("2"), reads.fetch("3")]
    await asyncio.sleep(0.01)
    for task in (*all_of_one, one_of_two[0], slow[0]):
        task.cancel()
    async with asyncio.timeout(60):
        left = await one_of_two[1]
        assert left is not None
        assert left[0] == "3"
        await asyncio.gather(*slow, *all_of_one, return_exceptions=True)
        assert await reads.fetch("4") is not None


async def test_a_lost_connection_fails_all_reads_of_its_round_trip(reads: Reads) -> None:
    slow = await reads.occupy(SLOW)
    found = await asyncio.gather(reads.fetch("1", ENDS), reads.fetch("2", ENDS), return_exceptions=True)
    assert [type(error) for error in found] == [DatabaseBusy] * 2
    assert reads.round_trips == MAX_ROUND_TRIPS + 1, "the reads are not repeated"
    await asyncio.gather(*slow)
    assert await reads.fetch("1") is not None


async def test_hanging_round_trips_do_not_delay_others(reads: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_coalescing, "_SLOW_S", 0.1)
    hanging = await reads.occupy(HANGS)
    before = reads.fetch("1")
    await asyncio.sleep(0.1)
    async with asyncio.timeout(60):
        found = await asyncio.gather(before, reads.fetch("2"), reads.fetch("3"))
        assert [row and row[0] for row in found] == ["1", "2", "3"]
    for task in hanging:
        task.cancel()
    await asyncio.gather(*hanging, return_exceptions=True)


async def test_the_time_is_attributed_to_each_caller(reads: Reads) -> None:
    async def one() -> Caller:
        mine = Caller()
        token = current_caller.set(mine)
        await reads.coalescer.fetch_one(ASK, ("one", "1"))
        current_caller.reset(token)
        return mine

    all_of_them = await asyncio.gather(*(one() for _ in range(20)))
    assert {mine.statements for mine in all_of_them} == {1}
    assert all(mine.database_s > 0 for mine in all_of_them)


async def test_a_row_is_read_by_its_key(db: Database) -> None:
    async with db.writing() as tx:
        await tx.execute(INSERT, "one", "a", 1)
        written = await tx.fetch_by_key(ASK, "one", "a")
    async with db.reading() as reading:
        read, other, none = (
            await reading.fetch_by_key(ASK, "one", "a"),
            await reading.fetch_one(ASK, "one", "a"),
            await reading.fetch_by_key(ASK, "one", "b"),
        )
    assert written is not None
    assert read is not None
    assert other is not None
    assert [tuple(written), tuple(read), tuple(other), none] == [("a", 1)] * 3 + [None]


async def test_a_transaction_with_a_connection_needs_no_second_one(notes: Notes) -> None:
    """There are many more transactions than connections."""
    db = await notes.open()

    async def one() -> None:
        async with db.reading() as tx:
            await tx.fetch("SELECT pg_sleep(0.01)")
            await tx.fetch_by_key(ASK, "one", "1")
            await tx.fetch_cached(ASK, "one", "2")

    async with asyncio.timeout(60):
        await asyncio.gather(*(one() for _ in range(100)))
    await db.close()
