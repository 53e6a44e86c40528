"""Rows that are asked for by their key at the same time: few ways to the server, and each has its own answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fixtures.notes_database import INSERT, Notes

from formwright.core.auth import request_context
from formwright.core.auth.request_context import Caller
from formwright.core.db import read_coalescing
from formwright.core.db.connection_pool import ConnectionPool
from formwright.core.db.interface import Database, DatabaseBusy, Row
from formwright.core.db.postgres import create_pool
from formwright.core.db.read_coalescing import MAX_ROUND_TRIPS, ReadCoalescer

ASK = "SELECT text, stamp FROM notes WHERE customer_id = $1 AND text = $2"
SLOW = f"SELECT found.text FROM ({ASK}) AS found, pg_sleep(0.3)"
HANGS = f"SELECT found.text FROM ({ASK}) AS found, pg_sleep(30)"
ENDS = "SELECT text, pg_terminate_backend(pg_backend_pid()) FROM notes WHERE customer_id = $1 AND text = $2"


class Asking:
    """Who asks together, and how many ways that took."""

    def __init__(self, pool: Any) -> None:
        self.lender = ConnectionPool(pool)
        self.together = ReadCoalescer(self.lender)
        self.ways = 0
        take = self.lender.checkout

        async def counted() -> Any:
            self.ways += 1
            return await take()

        self.lender.checkout = counted

    def ask(self, text: str, sql: str = ASK) -> asyncio.Task[Row | None]:
        return asyncio.create_task(self.together.fetch_one(sql, ("one", text)))

    async def busy(self, sql: str) -> list[asyncio.Task[Row | None]]:
        """As many as go by themselves are under way with this."""
        begun = [self.ask("0", sql) for _ in range(MAX_ROUND_TRIPS)]
        await asyncio.sleep(0.05)
        return begun


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is, one is waited for."""
    monkeypatch.setattr(read_coalescing, "_SLOW_S", 60)


@pytest.fixture
async def here(notes_url: str) -> Notes:
    made = Notes(notes_url)
    await made.empty()
    return made


@asynccontextmanager
async def _asking(url: str) -> AsyncIterator[Asking]:
    made = Asking(await create_pool(url, pooled=False, connections=4))
    yield made
    async with asyncio.timeout(60):
        await made.lender.close()


@pytest.fixture
async def asking(here: Notes, notes_url: str) -> AsyncIterator[Asking]:
    there = await here.other()
    for number in range(100):
        await there.execute(f"INSERT INTO notes VALUES ('one', '{number}', {number})")
    await there.close()
    async with _asking(notes_url) as made:
        yield made


async def test_many_go_few_ways_and_each_has_its_own_row(asking: Asking) -> None:
    wanted = [str(number) for number in range(0, 150, 2)]
    found = await asyncio.gather(*(asking.ask(text) for text in wanted))
    assert [row and tuple(row) for row in found] == [(text, int(text)) if int(text) < 100 else None for text in wanted]
    assert asking.ways <= MAX_ROUND_TRIPS + 2, "those that wait go 64 at a time"


async def test_what_was_committed_before_is_seen(asking: Asking, here: Notes) -> None:
    slow = await asking.busy(SLOW)
    there = await here.other()
    await there.execute("INSERT INTO notes VALUES ('one', 'new', 7)")
    found = await asyncio.gather(asking.ask("new"), asking.ask("new", SLOW))
    assert [row and row[0] for row in found] == ["new", "new"]
    assert [row and row[0] for row in await asyncio.gather(*slow)] == ["0"] * MAX_ROUND_TRIPS
    await there.close()


async def test_one_that_cannot_be_asked_spoils_no_others(asking: Asking) -> None:
    slow = await asking.busy(SLOW)
    found = await asyncio.gather(asking.ask("1"), asking.ask("a\0"), asking.ask("2"), return_exceptions=True)
    assert [found[0] and found[0][0], found[2] and found[2][0]] == ["1", "2"]
    assert "0x00" in str(found[1])
    await asyncio.gather(*slow)


async def test_who_goes_away_holds_up_nobody(asking: Asking) -> None:
    slow = await asking.busy(SLOW)
    all_of_one, one_of_two = [asking.ask("1", SLOW) for _ in range(3)], [asking.ask("2"), asking.ask("3")]
    await asyncio.sleep(0.01)
    for task in (*all_of_one, one_of_two[0], slow[0]):
        task.cancel()
    async with asyncio.timeout(60):
        left = await one_of_two[1]
        assert left is not None
        assert left[0] == "3"
        await asyncio.gather(*slow, *all_of_one, return_exceptions=True)
        assert await asking.ask("4") is not None


async def test_a_lost_connection_is_told_to_all_who_went_by_it(asking: Asking) -> None:
    slow = await asking.busy(SLOW)
    found = await asyncio.gather(asking.ask("1", ENDS), asking.ask("2", ENDS), return_exceptions=True)
    assert [type(error) for error in found] == [DatabaseBusy] * 2
    assert asking.ways == MAX_ROUND_TRIPS + 1, "they are not asked for once more"
    await asyncio.gather(*slow)
    assert await asking.ask("1") is not None


async def test_those_that_hang_are_waited_for_no_more(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_coalescing, "_SLOW_S", 0.1)
    hanging = await asking.busy(HANGS)
    before = asking.ask("1")
    await asyncio.sleep(0.1)
    async with asyncio.timeout(60):
        found = await asyncio.gather(before, asking.ask("2"), asking.ask("3"))
        assert [row and row[0] for row in found] == ["1", "2", "3"]
    for task in hanging:
        task.cancel()
    await asyncio.gather(*hanging, return_exceptions=True)


async def test_the_time_counts_for_who_asked(asking: Asking) -> None:
    async def one() -> Caller:
        mine = Caller()
        token = request_context.begin(mine)
        await asking.together.fetch_one(ASK, ("one", "1"))
        request_context.end(token)
        return mine

    all_of_them = await asyncio.gather(*(one() for _ in range(20)))
    assert {mine.statements for mine in all_of_them} == {1}
    assert all(mine.database_s > 0 for mine in all_of_them)


async def test_a_row_is_asked_for_by_its_key_on_both(db: Database) -> None:
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


async def test_who_has_a_connection_waits_for_no_other(here: Notes) -> None:
    """Many more than there are connections, each with one of its own."""
    db = await here.open()

    async def one() -> None:
        async with db.reading() as tx:
            await tx.fetch("SELECT pg_sleep(0.01)")
            await tx.fetch_by_key(ASK, "one", "1")
            await tx.fetch_cached(ASK, "one", "2")

    async with asyncio.timeout(60):
        await asyncio.gather(*(one() for _ in range(100)))
    await db.close()
