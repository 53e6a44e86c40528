"""Distributing the tables over a Citus cluster. A stand-in rejects what Citus would reject."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
from fixtures.app_contexts import settings_for
from fixtures.fake_citus import IN_SIGHT, STAND_IN
from fixtures.postgres import Server

from formwright import migrations
from formwright.core.clock import SystemClock
from formwright.core.db import account_lock
from formwright.core.db.group_commit import CommitHooks
from formwright.core.db.interface import Database, DatabaseUnreachable
from formwright.core.db.postgres import open_postgres
from formwright.core.ids import Ids
from formwright.migrations.distribute import COORDINATOR_TABLES, NotDistributable, distribute


@pytest.fixture(scope="module")
def upgraded(postgres_cluster: Server, worker_id: str) -> Iterator[str]:
    """Return the name of a database with all tables and the stand-in, which each test copies."""
    name = f"citus_{worker_id}"
    postgres_cluster.create_database(name)
    yield name
    postgres_cluster.drop_database(name)


@pytest.fixture
async def url(postgres_cluster: Server, upgraded: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    ready = postgres_cluster.url(upgraded)
    async with _connected(ready) as connection:
        is_made = await connection.fetchval("SELECT 1 FROM pg_class WHERE relname = 'pg_dist_partition'")
    if not is_made:
        await migrations.upgrade(settings_for(tmp_path_factory.mktemp("citus"), ready))
        async with _connected(ready) as connection:
            await connection.execute(STAND_IN)
    name = f"{upgraded}_copy"
    yield postgres_cluster.create_database(name, upgraded) + IN_SIGHT
    postgres_cluster.drop_database(name)


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def _distribution(url: str) -> dict[str, str]:
    """Return the distribution column of each distributed table, and an empty text for reference tables."""
    async with _connected(url) as connection:
        rows = await connection.fetch("SELECT logicalrelid::text, partcolumn FROM pg_dist_partition")
    return {row[0]: row[1] or "" for row in rows}


async def _tables(url: str) -> set[str]:
    async with _connected(url) as connection:
        rows = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return {row[0] for row in rows}


async def test_every_table_is_distributed_by_customer_or_stays_on_the_coordinator(url: str) -> None:
    done = await distribute(url)
    spread = await _distribution(url)
    assert spread.keys() == {*done.distributed} == await _tables(url) - {*COORDINATOR_TABLES}
    assert {*spread.values()} == {"customer_id"}
    assert (done.distributed[0], done.unchanged) == ("customers", [])


async def test_a_second_run_distributes_only_new_tables(url: str) -> None:
    first = await distribute(url)
    async with _connected(url) as connection:
        await connection.execute(
            'CREATE TABLE notes (customer_id TEXT COLLATE "C" NOT NULL, id TEXT, PRIMARY KEY (customer_id, id))'
        )
    second = await distribute(url)
    assert (second.distributed, second.unchanged) == (["notes"], sorted(first.distributed))


async def test_old_rows_are_removed_from_the_coordinator_and_triggers_stay(url: str) -> None:
    async with _connected(url) as connection:
        await connection.execute("INSERT INTO account_order VALUES ('a', 0, 0)")
        await connection.execute("INSERT INTO audit_log VALUES ('a', 1, 'b', '', '', '', '', '', '', '', '', '', '')")
        done = await distribute(url)
        assert done.cleared == ["account_order", "audit_log"]
        with pytest.raises(asyncpg.RaiseError, match="never changed"):
            await connection.execute("TRUNCATE audit_log")


async def test_tables_that_an_earlier_version_copied_return_to_the_coordinator(url: str) -> None:
    async with _connected(url) as connection:
        await connection.execute("SELECT create_reference_table('key_hashes'), create_reference_table('sign_ins')")
    done = await distribute(url)
    assert done.unchanged == []
    assert {"key_hashes", "sign_ins"}.isdisjoint(await _distribution(url))


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("CREATE TABLE notes (id TEXT PRIMARY KEY)", "These tables have no customer_id: notes"),
        ("CREATE TABLE notes (customer_id TEXT, id TEXT PRIMARY KEY)", "notes_pkey of notes"),
        ("CREATE UNIQUE INDEX forms_link ON forms (link)", "forms_link of forms"),
        ("CREATE TABLE notes (customer_id BIGINT NOT NULL)", "Citus reported.*do not match"),
        ("DROP FUNCTION citus.create_distributed_table", "Citus is not installed"),
        ("ALTER TABLE customers RENAME TO clients", "There are no tables"),
    ],
)
async def test_a_table_that_cannot_be_distributed_is_reported_and_nothing_changes(
    url: str, statement: str, words: str
) -> None:
    async with _connected(url) as connection:
        await connection.execute(statement)
    with pytest.raises(NotDistributable, match=words):
        await distribute(url)
    assert await _distribution(url) == {}


async def test_an_unreachable_database_is_reported() -> None:
    with pytest.raises(DatabaseUnreachable, match="nowhere"):
        await distribute("postgresql://nobody:secret@127.0.0.1:1/nowhere")


async def test_no_transaction_changes_several_accounts(url: str) -> None:
    """The accounts may be on different machines."""
    async with _connected(url) as connection:
        await connection.execute("INSERT INTO account_order SELECT 'a' || n, 0, 0 FROM generate_series(1, 8) n")
        clock = SystemClock()
        db = await open_postgres(url, clock, Ids(clock), CommitHooks())
        await asyncio.gather(*(_change(db, f"a{number}") for number in range(1, 9)))
        await db.close()
        assert await connection.fetchval("SELECT count(DISTINCT xmin::text) FROM account_order WHERE stamp > 0") == 8


async def _change(db: Database, account: str) -> None:
    async with db.writing(account=account) as tx:
        await account_lock.next_timestamp(tx, account)
