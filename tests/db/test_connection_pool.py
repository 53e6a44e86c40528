"""The pool never exceeds its size, serves its users in order, and loses no connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from typing import Any

import asyncpg
import pytest
from fixtures.loopback_server import Loopback
from fixtures.postgres import Server

from formwright.core.db import connection_pool
from formwright.core.db.connection_pool import ConnectionPool
from formwright.core.db.interface import DatabaseBusy
from formwright.core.db.postgres import create_pool

CONNECTIONS = 2


class PoolUsage:
    """A pool of two connections, and statistics of its use."""

    def __init__(self, pool: Any) -> None:
        self.pool = ConnectionPool(pool)
        self.pids: set[int] = set()
        self.concurrent = self.max_concurrent = 0

    async def use(self, sql: str = "SELECT pg_backend_pid(), pg_sleep(0.002)") -> None:
        async with self.pool.acquire() as connection:
            self.concurrent += 1
            self.max_concurrent = max(self.max_concurrent, self.concurrent)
            try:
                self.pids.add(await connection.fetchval(sql))
            finally:
                self.concurrent -= 1

    async def assert_all_available(self) -> None:
        """Assert that both connections can be used at the same time."""
        async with asyncio.timeout(60), self.pool.acquire() as one, self.pool.acquire() as other:
            assert [await one.fetchval("SELECT 1"), await other.fetchval("SELECT 1")] == [1, 1]


@pytest.fixture
async def usage(postgres_cluster: Server, worker_id: str) -> AsyncIterator[PoolUsage]:
    async with _pool_usage(postgres_cluster, worker_id) as usage:
        yield usage


@asynccontextmanager
async def _pool_usage(server: Server, worker_id: str) -> AsyncIterator[PoolUsage]:
    pool_usage = PoolUsage(await create_pool(server.url(f"pool_{worker_id}"), pooled=False, connections=CONNECTIONS))
    yield pool_usage
    async with asyncio.timeout(60):
        await pool_usage.pool.close()


@pytest.fixture(autouse=True)
def _database(postgres_cluster: Server, worker_id: str) -> None:
    with suppress(Exception):  # Another test of this process has created it.
        postgres_cluster.create_database(f"pool_{worker_id}")


async def test_many_users_share_two_connections(usage: PoolUsage) -> None:
    await asyncio.gather(*(usage.use() for _ in range(60)))
    assert (usage.max_concurrent, len(usage.pids)) == (CONNECTIONS, CONNECTIONS)
    await usage.assert_all_available()


async def test_users_are_served_in_order(usage: PoolUsage) -> None:
    served: list[int] = []

    async def one(number: int) -> None:
        async with usage.pool.acquire():
            served.append(number)
            await asyncio.sleep(0)

    await usage.assert_all_available()
    await asyncio.gather(*(one(number) for number in range(20)))
    assert served == list(range(20))


@pytest.mark.parametrize("turns", range(6))
async def test_a_cancelled_waiter_loses_no_connection(usage: PoolUsage, turns: int) -> None:
    kept = [await usage.pool.checkout() for _ in range(CONNECTIONS)]
    waiting = [asyncio.create_task(usage.use()) for _ in range(4)]
    await asyncio.sleep(0.01)
    for connection in kept:
        await usage.pool.release(connection)
    # In some of these turns, a connection is already reserved for the cancelled task.
    for _ in range(turns):
        await asyncio.sleep(0)
    for task in waiting[:2]:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await usage.assert_all_available()
    await asyncio.gather(*(usage.use() for _ in range(10)))


async def test_a_connection_in_a_failed_transaction_is_replaced(usage: PoolUsage) -> None:
    async def fails() -> None:
        with suppress(ZeroDivisionError):
            async with usage.pool.acquire() as connection:
                await connection.execute("BEGIN")
                raise ZeroDivisionError

    await asyncio.gather(*(work for _ in range(10) for work in (fails(), usage.use())))
    await usage.assert_all_available()


async def test_a_closed_connection_is_not_reused(usage: PoolUsage) -> None:
    async def cut() -> None:
        with suppress(DatabaseBusy):
            await usage.use("SELECT 1 FROM pg_terminate_backend(pg_backend_pid())")

    await asyncio.gather(*(work for _ in range(5) for work in (cut(), usage.use())), return_exceptions=True)
    await usage.assert_all_available()


async def test_a_wait_for_a_connection_times_out(usage: PoolUsage, monkeypatch: pytest.MonkeyPatch) -> None:
    async with usage.pool.acquire(), usage.pool.acquire():
        # Set this only now, because opening the connections may take longer on a busy machine.
        monkeypatch.setattr(connection_pool, "ACQUIRE_TIMEOUT_S", 0.05)
        with pytest.raises(DatabaseBusy, match="no connection within"):
            await usage.use()
    await usage.assert_all_available()


class _IgnoresGoodbye(Loopback):
    """A proxy in front of a server, like a network that fails when a client ends its session."""

    def __init__(self, target_port: int) -> None:
        super().__init__()
        self._target_port = target_port

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._target_port)

        async def send_responses() -> None:
            while response := await from_server.read(65536):
                writer.write(response)

        responses = asyncio.create_task(send_responses())
        with closing(to_server):
            while not (message := await reader.read(65536)).startswith(b"X"):
                to_server.write(message)
            await asyncio.sleep(60)
        responses.cancel()


async def test_work_succeeds_although_its_connection_cannot_be_closed_afterwards(
    postgres_cluster: Server, worker_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool closes a connection after many queries."""
    monkeypatch.setattr(connection_pool, "ACQUIRE_TIMEOUT_S", 2)
    async with _IgnoresGoodbye(postgres_cluster.port) as proxy:
        url = postgres_cluster.url(f"pool_{worker_id}").replace(f":{postgres_cluster.port}/", f":{proxy.port}/")
        pool = await asyncpg.create_pool(url, min_size=1, max_size=1, max_queries=1)
        async with ConnectionPool(pool).acquire() as connection:
            await connection.execute("SELECT 1")
        pool.terminate()
