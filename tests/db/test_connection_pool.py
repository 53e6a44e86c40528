"""Connections are handed from one transaction to the next: never more than there are, and none is lost on the way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from fixtures.postgres import Server

from formwright.core.db import connection_pool
from formwright.core.db.connection_pool import ConnectionPool
from formwright.core.db.interface import DatabaseBusy
from formwright.core.db.postgres import create_pool

MOST = 2


class Pool:
    """The driver's, which counts what comes back."""

    def __init__(self, pool: Any) -> None:
        self.acquire, self.close, self.get_max_size = pool.acquire, pool.close, pool.get_max_size
        self._release, self.returned = pool.release, 0

    async def release(self, connection: Any) -> None:
        self.returned += 1
        await self._release(connection)


class Lent:
    """A lender of two connections, and what is seen of it."""

    def __init__(self, pool: Pool) -> None:
        self.pool, self.lender = pool, ConnectionPool(pool)
        self.pids: set[int] = set()
        self.at_once = self.most = 0

    async def use(self, sql: str = "SELECT pg_backend_pid(), pg_sleep(0.002)") -> None:
        async with self.lender.acquire() as connection:
            self.at_once += 1
            self.most = max(self.most, self.at_once)
            try:
                self.pids.add(await connection.fetchval(sql))
            finally:
                self.at_once -= 1

    async def all_are_there(self) -> None:
        """Both can be had at the same time, and serve."""
        async with asyncio.timeout(60), self.lender.acquire() as one, self.lender.acquire() as other:
            assert [await one.fetchval("SELECT 1"), await other.fetchval("SELECT 1")] == [1, 1]


@pytest.fixture
async def lent(postgres_cluster: Server, worker_id: str) -> AsyncIterator[Lent]:
    async with _lending(postgres_cluster, worker_id) as made:
        yield made


@asynccontextmanager
async def _lending(server: Server, worker_id: str) -> AsyncIterator[Lent]:
    made = Lent(Pool(await create_pool(server.url(f"house_{worker_id}"), pooled=False, connections=MOST)))
    yield made
    async with asyncio.timeout(60):
        await made.lender.close()


@pytest.fixture(autouse=True)
def _database(postgres_cluster: Server, worker_id: str) -> None:
    with suppress(Exception):  # Another test of this process made it.
        postgres_cluster.create_database(f"house_{worker_id}")


async def test_many_share_the_few_there_are(lent: Lent) -> None:
    await asyncio.gather(*(lent.use() for _ in range(60)))
    assert (lent.most, len(lent.pids)) == (MOST, MOST)
    await lent.all_are_there()


async def test_who_waits_longest_is_next(lent: Lent) -> None:
    served: list[int] = []

    async def one(number: int) -> None:
        async with lent.lender.acquire():
            served.append(number)
            await asyncio.sleep(0)

    await lent.all_are_there()
    await asyncio.gather(*(one(number) for number in range(20)))
    assert served == list(range(20))
    assert lent.pool.returned == 0, "each was handed on or kept"


@pytest.mark.parametrize("turns", range(6))
async def test_who_gives_up_waiting_takes_nothing_along(lent: Lent, turns: int) -> None:
    kept = [await lent.lender.checkout() for _ in range(MOST)]
    waiting = [asyncio.create_task(lent.use()) for _ in range(4)]
    await asyncio.sleep(0.01)
    for connection in kept:
        await lent.lender.give_back(connection, sound=True)
    # At some of these moments a connection is promised to the one that goes.
    for _ in range(turns):
        await asyncio.sleep(0)
    for task in waiting[:2]:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await lent.all_are_there()
    await asyncio.gather(*(lent.use() for _ in range(10)))


async def test_what_fails_is_replaced_and_those_behind_it_are_served(lent: Lent) -> None:
    async def fails() -> None:
        with suppress(ZeroDivisionError):
            async with lent.lender.acquire() as connection:
                await connection.execute("BEGIN")
                raise ZeroDivisionError

    await asyncio.gather(*(work for _ in range(10) for work in (fails(), lent.use())))
    await lent.all_are_there()


async def test_a_connection_that_is_cut_is_no_ones(lent: Lent) -> None:
    async def cut() -> None:
        with suppress(DatabaseBusy):
            await lent.use("SELECT 1 FROM pg_terminate_backend(pg_backend_pid())")

    await asyncio.gather(*(work for _ in range(5) for work in (cut(), lent.use())), return_exceptions=True)
    await lent.all_are_there()


async def test_who_waits_too_long_is_told(lent: Lent, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lent.lender.acquire(), lent.lender.acquire():
        # Only now: to open the two may take a busy machine longer.
        monkeypatch.setattr(connection_pool, "ACQUIRE_TIMEOUT_S", 0.05)
        with pytest.raises(DatabaseBusy, match="no connection within"):
            await lent.use()
    await lent.all_are_there()


async def test_none_stays_out_of_the_pool_for_ever(lent: Lent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_pool, "_RECYCLE_S", 0.02)
    ends = asyncio.get_running_loop().time() + 0.3
    while asyncio.get_running_loop().time() < ends:
        # Always handed on, and never idle.
        await asyncio.gather(*(lent.use() for _ in range(8)))
    assert lent.pool.returned >= MOST
    await lent.all_are_there()
