"""Lists and exports are read from a real streaming replica, or from the primary if the replica is not usable."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
import pytest_asyncio
from actors import Stage
from fixtures.app_contexts import Tenant, create_tenant, open_migrated_context, settings_for
from fixtures.postgres import Cluster, Copy
from fixtures.server_process import eventually

from formwright.app import create_app
from formwright.core.db.interface import DatabaseBusy, ReadTransaction
from formwright.core.metrics import Metrics
from formwright.core.pagination import Window
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionFilter
from formwright.domain.users.password_hashing import PasswordVerifier

pytestmark = pytest.mark.slow

WHERE = "SELECT pg_is_in_recovery()"
HANGS_ON_A_REPLICA = "SELECT count(pg_sleep(30)) FROM submissions WHERE customer_id IS NOT NULL AND pg_is_in_recovery()"


class ListMetrics(Metrics):
    def __init__(self) -> None:
        self.lists: Counter[str] = Counter()

    def record_list(self, source: str) -> None:
        self.lists[source] += 1


@dataclass(frozen=True, slots=True)
class ReplicatedAccount:
    """An account on a primary and its replica."""

    replica: Copy
    account: Tenant
    lists: Counter[str]

    async def query_replica(self, sql: str, database: str = "postgres") -> object:
        """Run a statement on the replica itself."""
        connection = await asyncpg.connect(self.replica.url(database))
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    async def reads_replica(self) -> bool:
        async with self.account.ctx.db.reading(listing=True) as tx:
            return await _is_replica(tx)

    async def list_ids(self) -> set[str]:
        async with self.account.ctx.db.reading(listing=True) as tx:
            page = await submissions.page(tx, self.account.actor, SubmissionFilter(), Window(1000))
        return {one.id for one in page.items}


async def _is_replica(tx: ReadTransaction) -> bool:
    row = await tx.fetch_one(WHERE)
    return bool(row and row[0])


@pytest.fixture(scope="module")
def primary() -> Iterator[Cluster]:
    with Cluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def replica(primary: Cluster) -> Iterator[Copy]:
    """A replica that removes rows vacuumed by its primary immediately, even if a query needs them."""
    with Copy(primary, max_standby_streaming_delay="0") as copy:
        yield copy


@pytest_asyncio.fixture(scope="module")
async def pair(
    primary: Cluster, replica: Copy, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ReplicatedAccount]:
    settings = settings_for(tmp_path_factory.mktemp("replicas"), primary.create_database("formwright"))
    counted = ListMetrics()
    async with open_migrated_context(
        replace(settings, database_replicas=(replica.url("formwright"),)), metrics=counted
    ) as ctx:
        yield ReplicatedAccount(replica, await create_tenant(ctx), counted.lists)


async def test_only_lists_are_read_from_the_replica(pair: ReplicatedAccount) -> None:
    assert await eventually(pair.reads_replica, 30)
    async with pair.account.ctx.db.reading() as tx:
        assert not await _is_replica(tx)
    async with pair.account.ctx.db.writing() as tx:
        assert not await _is_replica(tx)


async def test_a_list_contains_the_readers_own_writes(pair: ReplicatedAccount) -> None:
    before = pair.lists["replica"]
    for _ in range(20):
        submission = await pair.account.submit()
        assert submission.id in await pair.list_ids()
    assert pair.lists["replica"] > before


async def test_a_lagging_replica_is_not_used(pair: ReplicatedAccount) -> None:
    await pair.query_replica("SELECT pg_wal_replay_pause()")
    submission = await pair.account.submit()
    assert submission.id in await pair.list_ids()
    assert not await pair.reads_replica()
    await pair.query_replica("SELECT pg_wal_replay_resume()")
    assert await eventually(pair.reads_replica, 30)


async def test_a_query_cancelled_by_the_replica_is_repeated_on_the_primary(pair: ReplicatedAccount) -> None:
    submission = await pair.account.submit()
    assert await eventually(pair.reads_replica, 30)
    moved = pair.lists["moved"]
    async with pair.account.ctx.db.reading(listing=True) as tx:
        asking = asyncio.create_task(tx.fetch_one(HANGS_ON_A_REPLICA))
        running = f"SELECT count(*) FROM pg_stat_activity WHERE query = '{HANGS_ON_A_REPLICA}'"
        assert await eventually(lambda: pair.query_replica(running), 30)
        await _delete_and_vacuum(pair, submission.id)
        row = await asking
        assert (row and row[0], await _is_replica(tx)) == (0, False)
    assert pair.lists["moved"] == moved + 1
    assert await eventually(pair.reads_replica, 30), "the replica is used again immediately"


async def _delete_and_vacuum(pair: ReplicatedAccount, submission_id: str) -> None:
    settings = pair.account.ctx.settings
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute("DELETE FROM submissions WHERE id = $1", submission_id)
    await connection.execute("VACUUM submissions")
    await connection.close()


async def test_a_started_stream_is_not_restarted(pair: ReplicatedAccount) -> None:
    assert await eventually(pair.reads_replica, 30)
    async with pair.account.ctx.db.reading(listing=True) as tx:
        assert [row[0] async for row in tx.stream("SELECT n FROM generate_series(1, 1500) n")] == list(range(1, 1501))
        stream = tx.stream("SELECT n, pg_is_in_recovery() FROM generate_series(1, 5000) n")
        assert (await anext(stream))[1]
        await pair.query_replica(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'formwright'"
        )
        with pytest.raises(DatabaseBusy):
            _ = [row async for row in stream]
        assert [row[0] async for row in tx.stream(WHERE)] == [False], "another query is answered by the primary"


async def test_api_lists_are_read_from_the_replica(pair: ReplicatedAccount) -> None:
    account = pair.account
    async with account.ctx.db.writing() as tx:
        _, key = await keys.create(tx, account.actor, KeyProperties("BI"), maker_name="Test")
    entrance = create_app(replace(account.ctx.settings, metrics_port=0), passwords=PasswordVerifier(cheap=True))
    stage = Stage(entrance, account.ctx, "https://forms.test")
    async with entrance.app.lifespan(), stage.client(**{"x-api-key": key}) as api:
        before = await _readers(pair)
        found = await _pages(api, account)
        assert await _readers(pair) - before, "the application read submissions on the replica"
    assert found == await pair.list_ids()


async def _readers(pair: ReplicatedAccount) -> set[int]:
    """Return the server processes of the replica whose last query read submissions."""
    of_others = "query LIKE '%FROM submissions%' AND pid <> pg_backend_pid()"
    found: Any = await pair.query_replica(f"SELECT array_agg(pid) FROM pg_stat_activity WHERE {of_others}")
    return set(found or ())


async def _pages(api: httpx.AsyncClient, account: Tenant) -> set[str]:
    found, path = set(), f"/api/v1.0/customers/{account.id}/submissions?limit=5"
    while path:
        body = (await api.get(path)).json()
        found |= {one["id"] for one in body["items"]}
        path = body["next"]
    return found


async def test_the_application_works_without_its_replica(pair: ReplicatedAccount) -> None:
    pair.replica.stop(immediate=True)
    submission = await pair.account.submit()
    assert submission.id in await pair.list_ids()
    assert not await pair.reads_replica()
    pair.replica.start()
    assert await eventually(pair.reads_replica, 60)
    assert submission.id in await pair.list_ids()


async def test_a_database_that_is_not_a_replica_is_never_read(primary: Cluster, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, primary.url("formwright"))
    other = primary.create_database("other")
    async with (
        open_migrated_context(replace(settings, database_replicas=(other,))) as ctx,
        ctx.db.reading(listing=True) as tx,
    ):
        row = await tx.fetch_one("SELECT current_database()")
        assert row
        assert row[0] == "formwright"
