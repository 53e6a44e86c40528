"""PgBouncer in transaction mode, where each transaction may use another connection to the server."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest
import pytest_asyncio
from fixtures.app_contexts import create_tenant, open_migrated_context, run_delivery_worker, settings_for
from fixtures.pgbouncer import CONNECTIONS, Bouncer
from fixtures.postgres import Server
from fixtures.server_process import eventually
from fixtures.webhook_receiver import Receiver

from formwright.context import AppContext
from formwright.core.db.postgres import PostgresDatabase
from formwright.core.pagination import Window
from formwright.domain.api_keys import idempotency
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.imports.row_sources import JsonRows
from formwright.domain.datasources.models import ImportCounts, ImportPlan, ImportSource, RowFilter
from formwright.domain.datasources.service import DatasourceChanges
from formwright.domain.webhooks.models import InvocationStatus
from formwright.settings import Settings

AT_ONCE = 20
ROWS = 1300
"""More rows than a cursor fetches at once."""
_NUMBERS = "SELECT number FROM datasource_rows WHERE customer_id = $1 AND datasource_id = $2"


@pytest.fixture(scope="module")
def bouncer(postgres_cluster: Server) -> Iterator[Bouncer]:
    with Bouncer(postgres_cluster) as bouncer:
        yield bouncer


@pytest.fixture(scope="module")
def pooled(
    bouncer: Bouncer, postgres_cluster: Server, tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Settings:
    """A database behind PgBouncer, with its tables created through it."""
    name = f"pooled_{worker_id}"
    postgres_cluster.create_database(name)
    return settings_for(tmp_path_factory.mktemp("pooled"), bouncer.url(name))


@pytest_asyncio.fixture(scope="module")
async def contexts(pooled: Settings) -> AsyncIterator[tuple[AppContext, AppContext]]:
    """Two contexts behind one PgBouncer, like those of two processes: each numbers its statements from 1."""
    async with open_migrated_context(pooled) as one, open_migrated_context(pooled) as other:
        yield one, other


async def test_a_pooler_is_detected(contexts: tuple[AppContext, AppContext], postgres_cluster: Server) -> None:
    settings = contexts[0].settings
    direct = postgres_cluster.url(settings.database_url.rpartition("/")[2])
    assert [_pooled(ctx) for ctx in contexts] == [True, True]
    async with open_migrated_context(replace(settings, database_url=direct)) as ctx:
        assert not _pooled(ctx)
    async with open_migrated_context(replace(settings, database_url=direct, database_pooler="transaction")) as ctx:
        assert _pooled(ctx)
    async with open_migrated_context(replace(settings, database_pooler="session")) as ctx:
        assert not _pooled(ctx), "its statements may stay prepared: PgBouncer 1.21 can keep them"


def _pooled(ctx: AppContext) -> bool:
    db = ctx.db
    while not isinstance(db, PostgresDatabase):
        db = db._db  # type: ignore[attr-defined]
    return db.pooled


async def test_direct_connections_turn_jit_off(
    contexts: tuple[AppContext, AppContext], postgres_cluster: Server
) -> None:
    direct = postgres_cluster.url(contexts[0].settings.database_url.rpartition("/")[2])
    async with open_migrated_context(replace(contexts[0].settings, database_url=direct)) as ctx, ctx.db.reading() as tx:
        row = await tx.fetch_one("SHOW jit")
        assert row is not None
        assert row[0] == "off"


async def test_concurrent_submissions_are_logged_in_order_and_delivered(
    contexts: tuple[AppContext, AppContext],
) -> None:
    here = await create_tenant(contexts[0])
    there = here.with_context(contexts[1])
    async with Receiver() as receiver, run_delivery_worker(contexts[0]), run_delivery_worker(contexts[1]):
        subscriber = await here.subscribe(receiver.url)
        await asyncio.gather(*(one.submit() for one in [here, there] * AT_ONCE))
        await receiver.wait_for(2 * AT_ONCE)

        async def all_ended() -> bool:
            return {one.status for one in await there.invocations(subscriber)} == {InvocationStatus.SUCCEEDED}

        assert await eventually(all_ended, 20)
    events = await there.events()
    assert len({event.id for event in events}) == 2 * AT_ONCE
    sequences = [event.sequence for event in events]
    assert sequences == list(range(sequences[0], sequences[0] + 2 * AT_ONCE))
    assert receiver.ids == {event.id: 1 for event in events}


async def test_rows_are_copied_and_streamed_while_others_write(contexts: tuple[AppContext, AppContext]) -> None:
    here = await create_tenant(contexts[0])
    new_id, wanted = contexts[0].ids.new("dat"), DatasourceChanges("Customers", "number")
    busy = [here.with_context(contexts[1]).submit() for _ in range(AT_ONCE)]
    plan = ImportPlan(ImportSource.JSON)
    creating = datasources.create(contexts[0].db, here.actor, wanted, _rows("x"), plan, datasource_id=new_id)
    await asyncio.gather(creating, *busy)
    _, report = await datasources.import_rows(contexts[1].db, here.actor, _rows("y"), plan, datasource_id=new_id)
    assert report.counts == ImportCounts(updated=ROWS)
    async with contexts[0].db.reading() as tx:
        _, page = await datasources.find_rows(tx, here.actor, RowFilter("y"), Window(5), datasource_id=new_id)
        streamed = [row[0] async for row in tx.stream(_NUMBERS, here.id, new_id)]
    assert len(page.items) == 5
    assert len(streamed) == len(set(streamed)) == 2 * ROWS, "the rows that were replaced are still in the table"


def _rows(name: str) -> JsonRows:
    return JsonRows([{"number": f"C-{number}", "name": name} for number in range(ROWS)])


async def test_one_process_at_a_time_holds_an_idempotency_key(contexts: tuple[AppContext, AppContext]) -> None:
    async with contexts[0].db.writing() as here:
        assert await idempotency.lock_request(here, request_id="one")
        async with contexts[1].db.writing() as there:
            assert not await idempotency.lock_request(there, request_id="one")
    async with contexts[1].db.writing() as there:
        assert await idempotency.lock_request(there, request_id="one"), "it ends with the transaction"


async def test_an_exhausted_pool_makes_clients_wait_and_does_not_fail(contexts: tuple[AppContext, AppContext]) -> None:
    async def look(ctx: AppContext) -> int:
        async with ctx.db.reading() as tx:
            row = await tx.fetch_one("SELECT 1 FROM (SELECT pg_sleep(0.01)) AS slept")
            return int(row[0]) if row else 0

    assert await asyncio.gather(*(look(ctx) for ctx in contexts * 3 * CONNECTIONS)) == [1] * 6 * CONNECTIONS
