"""PostgreSQL fails: current work fails completely with a clear error, and everything works again afterwards."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from actors import Stage
from factories.web_client import visit
from fixtures.app_contexts import SITE, SetClock, Tenant, create_tenant, open_migrated_context, settings_for
from fixtures.loopback_server import Loopback
from fixtures.postgres import Cluster

from formwright.app import create_app
from formwright.core.clock import SystemClock
from formwright.core.db.interface import DatabaseBusy
from formwright.domain.users.password_hashing import PasswordVerifier

pytestmark = pytest.mark.slow


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with Cluster() as own:
        yield own


@pytest.fixture
async def account(cluster: Cluster, tmp_path: Path) -> AsyncIterator[Tenant]:
    async with open_migrated_context(settings_for(tmp_path, cluster.create_database("formwright"))) as ctx:
        yield await create_tenant(ctx)


_TERMINATE_OTHERS = (
    "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
"""Ends every other connection to the database, like an administrator would, and waits until the server has done so."""


async def _terminate_connections(account: Tenant) -> None:
    async with account.ctx.db.writing() as tx:
        await tx.fetch(_TERMINATE_OTHERS)


async def _change_and_lose_connection(account: Tenant) -> None:
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE customers SET name = 'Changed' WHERE customer_id = $1", account.id)
        await _terminate_connections(account)
        await tx.fetch("SELECT 1")


async def test_a_lost_connection_fails_only_its_own_change(account: Tenant) -> None:
    with pytest.raises(DatabaseBusy, match="Nothing was changed"):
        await _change_and_lose_connection(account)
    async with account.ctx.db.reading() as tx:
        assert await tx.fetch("SELECT name FROM customers") == [("Tenant",)]
    await account.submit()


async def test_idle_connections_that_were_closed_are_replaced_silently(account: Tenant) -> None:
    await asyncio.gather(*(account.submit() for _ in range(5)))
    await _terminate_connections(account)
    await asyncio.sleep(0.1)
    await asyncio.gather(*(account.submit() for _ in range(5)))
    assert len(await account.events()) == 10


async def test_abandoned_work_leaves_no_open_transaction_or_connection(account: Tenant) -> None:
    db = account.ctx.db
    for _ in range(25):
        async with db.reading() as tx:
            async for _row in tx.stream("SELECT generate_series(1, 5000)"):
                break
    async with db.reading() as tx:
        left = await tx.fetch_one("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")
        ours = await tx.fetch_one("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
    assert left is not None
    assert ours is not None
    assert left[0] == 0
    assert ours[0] <= 10
    # More tasks than connections, so some wait for connections to be returned.
    assert await asyncio.gather(*(_sleep(account) for _ in range(40))) == [1] * 40


async def _sleep(account: Tenant) -> int:
    async with account.ctx.db.reading() as tx:
        row = await tx.fetch_one("SELECT 1, pg_sleep(0.02)")
    assert row
    return int(row[0])


async def test_work_continues_after_the_server_was_stopped_and_started(account: Tenant, cluster: Cluster) -> None:
    acknowledged = await account.submit()
    cluster.stop(immediate=True)
    with pytest.raises(DatabaseBusy):
        await account.submit()
    with pytest.raises(DatabaseBusy):
        await account.events()
    cluster.start()
    later = await account.submit()
    bodies = [event.body for event in await account.events()]
    assert [acknowledged.id in bodies[0], later.id in bodies[1], len(bodies)] == [True, True, 2]


async def test_a_temporarily_read_only_server(account: Tenant, cluster: Cluster) -> None:
    """For example a former primary after a failover."""
    await _set_writable(cluster, writable=False)
    with pytest.raises(DatabaseBusy):
        await account.submit()
    with pytest.raises(DatabaseBusy):
        await account.subscribe("http://127.0.0.1:9/")
    assert await account.events() == []
    await _set_writable(cluster, writable=True)
    await account.submit()
    assert len(await account.events()) == 1


async def test_reads_are_served_while_writes_fail(cluster: Cluster, tmp_path: Path) -> None:
    settings = replace(settings_for(tmp_path, cluster.create_database("formwright")), rate_limit=600)
    clock = SetClock(SystemClock().now())
    async with open_migrated_context(settings) as ctx:
        entrance = create_app(settings, clock=clock, passwords=PasswordVerifier(cheap=True))
        stage = Stage(entrance, ctx, "https://forms.test")
        async with entrance.app.lifespan(), stage.account() as owner, visit(owner) as site:
            await _set_writable(cluster, writable=False)
            clock.ms += 600_000
            answers = [await owner.api.get("/api/v1.0/submissions") for _ in range(30)]
            answers.append(await site.http.get("/forms"))
            assert {response.status_code for response in answers} == {200}
            assert (
                await owner.api.post("/api/v1.0/forms", json={"name": "Visit", "fields": [SITE]})
            ).status_code == 503


async def _set_writable(cluster: Cluster, *, writable: bool) -> None:
    operator = await asyncpg.connect(cluster.url("formwright"))
    await operator.execute("SET default_transaction_read_only = off")
    await operator.execute(
        f"ALTER DATABASE formwright SET default_transaction_read_only = {'off' if writable else 'on'}"
    )
    await _terminate_others(operator)
    await operator.close()


async def _terminate_others(operator: Any) -> None:
    """Terminate the connections of everybody else, and return when the server has ended them."""
    await operator.execute(_TERMINATE_OTHERS)
    await asyncio.sleep(0.1)


_TERMINATE = b"X\x00\x00\x00\x04"
"""The message with which a client ends its session."""


class _KeepsConnections(Loopback):
    """A proxy in front of a server, that keeps the connections of clients open when the server has closed its own."""

    def __init__(self, target_port: int) -> None:
        super().__init__()
        self._target_port = target_port

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_connection("127.0.0.1", self._target_port)
        with closing(out):
            answers = asyncio.create_task(self._copy(there, writer))
            await self._copy(reader, out)
            answers.cancel()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Copy until the end, or until the client takes its leave."""
        while piece := await reader.read(65536):
            writer.write(piece)
            if piece.endswith(_TERMINATE):
                return


async def test_a_connection_that_is_not_closed_after_its_session_is_replaced(cluster: Cluster, tmp_path: Path) -> None:
    """For example behind a proxy, or in the moment before the end of the connection arrives."""
    address = cluster.create_database("formwright")
    async with _KeepsConnections(cluster.port) as proxy:
        settings = settings_for(tmp_path, address.replace(f":{cluster.port}/", f":{proxy.port}/"))
        async with open_migrated_context(settings) as ctx:
            account = await create_tenant(ctx)
            operator = await asyncpg.connect(address)
            await _terminate_others(operator)
            await operator.close()
            with pytest.raises(DatabaseBusy):
                await account.submit()
            await account.submit()
            assert len(await account.events()) == 1
