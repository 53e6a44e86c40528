"""What only a real Citus cluster can show. `make citus` runs these tests."""

import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import asyncpg
import pytest
from alembic import command
from fixtures import host_programs
from fixtures.app_contexts import create_tenant, open_migrated_context, settings_for
from fixtures.citus import upgrade_and_distribute
from fixtures.migration_check import EXAMPLES
from fixtures.postgres import Cluster, Server
from sqlalchemy import Connection

from formwright import migrations
from formwright.backup import database_dump
from formwright.backup.models import BackupError
from formwright.migrations import upgrading
from formwright.migrations.distribute import distribute
from formwright.settings import Settings

FIRST_DISTRIBUTED = "0027"
"""The revision with which `db distribute` was introduced."""


@pytest.fixture
async def bare(postgres_cluster: Server, tmp_path: Path, worker_id: str) -> AsyncIterator[Settings]:
    """Settings for a database without tables."""
    name = f"bare_{worker_id}"
    yield settings_for(tmp_path, postgres_cluster.create_database(name))
    postgres_cluster.drop_database(name)


async def test_migrations_run_on_distributed_tables(bare: Settings) -> None:
    def upgrade_to(revision: str) -> Callable[[Connection], None]:
        return lambda connection: command.upgrade(upgrading.alembic_config(connection), revision)

    await upgrading.run_in_transaction(bare, upgrade_to(FIRST_DISTRIBUTED))
    first = await distribute(bare.database_url)
    assert await migrations.upgrade(bare) == migrations.newest_revision()
    second = await distribute(bare.database_url)
    assert second.unchanged == sorted(first.distributed)
    assert "fill_quotas" in second.distributed


async def test_rows_are_moved_to_the_workers_and_the_audit_log_is_protected(bare: Settings) -> None:
    await migrations.upgrade(bare)
    connection = await asyncpg.connect(bare.database_url, statement_cache_size=0)
    try:
        await connection.execute("SELECT create_reference_table('key_hashes'), create_reference_table('sign_ins')")
        await connection.execute("INSERT INTO audit_log VALUES ('a', 1, 'b', '', '', '', '', '', '', '', '', '', '')")
        await connection.execute("INSERT INTO sign_ins (email, customer_id, user_id) VALUES ('ann@x.org', 'a', 'b')")
        done = await distribute(bare.database_url)
        assert done.cleared == ["audit_log"]
        for table in ("audit_log", "sign_ins"):
            assert await connection.fetchval(f"SELECT count(*) FROM {table}") == 1
        assert await connection.fetchval("SELECT pg_relation_size('audit_log')") == 0
        for statement in (
            "DELETE FROM audit_log",
            "TRUNCATE audit_log",
            "DELETE FROM audit_log WHERE customer_id = 'a'",
        ):
            with pytest.raises(asyncpg.PostgresError, match="never changed"):
                await connection.execute(statement)
        again = await distribute(bare.database_url)
        assert again.cleared == []
        assert {"key_hashes", "sign_ins"}.isdisjoint(again.unchanged), "earlier versions copied them to every node"
    finally:
        await connection.close()


async def test_a_backup_is_restored_into_another_cluster(
    bare: Settings, postgres_cluster: Server, tmp_path: Path, worker_id: str
) -> None:
    async with open_migrated_context(bare) as ctx:
        tenant = await create_tenant(ctx)
        await tenant.submit()
    database_dump.dump_postgres(bare.database_url, tmp_path / "dump")
    name = f"restored_{worker_id}"
    restored = settings_for(tmp_path, postgres_cluster.create_database(name))
    await database_dump.check_no_tables(restored.database_url)
    database_dump.load_postgres(restored.database_url, tmp_path / "dump")
    with pytest.raises(BackupError, match="not empty"):
        await database_dump.check_no_tables(restored.database_url)
    async with open_migrated_context(restored) as ctx:
        there = tenant.with_context(ctx)
        await there.submit()
        assert len(await there.events()) == 2
    postgres_cluster.drop_database(name)


async def test_the_rows_of_plain_postgresql_are_copied_into_a_cluster(
    bare: Settings, tmp_path: Path, worker_id: str
) -> None:
    """As docs/guides/scaling.md describes it for large installations."""
    with Cluster(programs=host_programs.citus()) as plain:
        source = settings_for(tmp_path, plain.create_database(f"plain_{worker_id}"))
        async with open_migrated_context(source) as ctx:
            tenant = await create_tenant(ctx)
            await tenant.submit()
        await upgrade_and_distribute(bare)
        programs = plain.programs
        dump = [programs / "pg_dump", "--data-only", "--exclude-table=alembic_version", source.database_url]
        load = [programs / "psql", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", bare.database_url]
        rows = subprocess.run(dump, check=True, capture_output=True).stdout  # noqa: ASYNC221
        subprocess.run(load, check=True, capture_output=True, input=rows)  # noqa: ASYNC221
    async with open_migrated_context(bare) as ctx:
        there = tenant.with_context(ctx)
        await there.submit()
        assert len(await there.events()) == 2


async def test_citus_refuses_what_the_checker_of_migrations_refuses(bare: Settings) -> None:
    await upgrade_and_distribute(bare)
    assert {statement: await _is_refused(bare.database_url, statement) for statement in EXAMPLES} == EXAMPLES


async def _is_refused(url: str, statement: str) -> bool:
    connection = await asyncpg.connect(url, statement_cache_size=0)
    transaction = connection.transaction()
    await transaction.start()
    try:
        await connection.execute(statement)
    except asyncpg.PostgresError:
        return True
    finally:
        await transaction.rollback()
        await connection.close()
    return False
