"""Distributes the tables over the nodes of a Citus cluster, with all rows of an account on the same node.

Tables that are used to find an account (by an email address, the hash of a key or a link, or its due work) stay on the
coordinator, because the account is not known yet when they are queried.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import asyncpg

from formwright.core.db.interface import DatabaseUnreachable
from formwright.core.db.postgres import database_location
from formwright.migrations import LOCK

DISTRIBUTION_COLUMN = "customer_id"
COORDINATOR_TABLES = (
    "alembic_version",
    "sign_ins",
    "sessions",
    "password_links",
    "key_hashes",
    "fill_links",
    "invite_links",
    "return_links",
    "throttles",
    "identity_providers",
    "account_domains",
    "first_owner_link",
    "due_work",
)
"""Small tables that are queried to find an account, and never joined. They stay on the coordinator."""
FIRST_TABLE = "customers"
"""The table that the rows of all others are colocated with."""

_TABLES = (
    "SELECT c.relname, EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = $1)"
    " FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname"
)
_UNIQUE_WITHOUT = (
    "SELECT t.relname, i.relname FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid"
    " JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indisunique AND t.relname = ANY ($2)"
    " AND t.relnamespace = current_schema()::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_attribute a"
    " WHERE a.attrelid = t.oid AND a.attname = $1 AND a.attnum = ANY (x.indkey)) ORDER BY 1, 2"
)


_LOCAL_ROWS = "SELECT logicalrelid::text FROM pg_dist_partition WHERE pg_relation_size(logicalrelid) > 0 ORDER BY 1"
_TRIGGERS = "SELECT tgname FROM pg_trigger WHERE tgrelid = $1::text::regclass AND NOT tgisinternal ORDER BY 1"


class NotDistributable(Exception):
    """The tables cannot be distributed; the message says why. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class DistributionResult:
    """The tables that were distributed now and before, and those whose old rows were removed from the coordinator."""

    distributed: list[str]
    unchanged: list[str]
    cleared: list[str]


async def distribute(url: str) -> DistributionResult:
    """Distribute all tables in one transaction. Repeat it after each upgrade: only new tables are distributed.

    Raises `NotDistributable` or `DatabaseUnreachable`.
    """
    try:
        connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0)
    except (OSError, TimeoutError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise DatabaseUnreachable(f"The database at {database_location(url)} cannot be reached: {error}") from error
    try:
        async with connection.transaction():
            # The lock of `upgrade`, so that no process changes the tables at the same time.
            await connection.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
            return await _distribute(connection)
    except asyncpg.PostgresError as error:
        raise NotDistributable(f"Citus reported an error, and nothing was changed: {error}") from error
    finally:
        await connection.close()


async def _distribute(connection: asyncpg.Connection) -> DistributionResult:
    if not await connection.fetchval("SELECT 1 FROM pg_proc WHERE proname = 'create_distributed_table' LIMIT 1"):
        raise NotDistributable(
            "Citus is not installed in this database. Run CREATE EXTENSION citus in it, and add its nodes."
        )
    tables = await _list_tables(connection)
    existing = {row[0] for row in await connection.fetch("SELECT logicalrelid::regclass::text FROM pg_dist_partition")}
    for table in COORDINATOR_TABLES:
        if table in existing:  # Earlier versions copied them to every node.
            await connection.execute("SELECT undistribute_table($1::text::regclass)", table)
            existing.remove(table)
    new = [table for table in tables if table not in existing]
    # Our triggers only use the row that they protect, so they are safe on any node.
    await connection.execute("SET LOCAL citus.enable_unsafe_triggers = 'on'")
    for table in new:
        colocated_with = "default" if table == FIRST_TABLE else FIRST_TABLE
        await connection.execute(
            "SELECT create_distributed_table($1::text::regclass, $2::text, colocate_with => $3::text)",
            table,
            DISTRIBUTION_COLUMN,
            colocated_with,
        )
    return DistributionResult(new, sorted(existing), await _clear_coordinator(connection))


async def _clear_coordinator(connection: asyncpg.Connection) -> list[str]:
    """Remove the rows that distributed tables had before, and return the names of these tables.

    Citus leaves them on the coordinator, where no statement finds them, not even the one that erases a person.
    """
    tables = [row[0] for row in await connection.fetch(_LOCAL_ROWS)]
    # The next statements must not reach the nodes.
    await connection.execute("SET LOCAL citus.enable_ddl_propagation = 'off'")
    for table in tables:
        triggers = [row[0] for row in await connection.fetch(_TRIGGERS, table)]
        # The audit log rejects TRUNCATE.
        await _set_triggers(connection, "DISABLE", table, triggers)
        await connection.execute("SELECT truncate_local_data_after_distributing_table($1::text::regclass)", table)
        await connection.execute("SET LOCAL citus.enable_ddl_propagation = 'off'")  # The function turns it on.
        await _set_triggers(connection, "ENABLE", table, triggers)
    return tables


async def _set_triggers(connection: asyncpg.Connection, action: str, table: str, triggers: Iterable[str]) -> None:
    for trigger in triggers:
        await connection.execute(f"ALTER TABLE {table} {action} TRIGGER {trigger}")


async def _list_tables(connection: asyncpg.Connection) -> list[str]:
    """Return the tables to distribute, `FIRST_TABLE` first. Raises `NotDistributable`."""
    tables = {
        name: owned
        for name, owned in await connection.fetch(_TABLES, DISTRIBUTION_COLUMN)
        if name not in COORDINATOR_TABLES
    }
    if FIRST_TABLE not in tables:
        raise NotDistributable("There are no tables. Run formwright db upgrade first.")
    names = sorted(tables, key=lambda name: (name != FIRST_TABLE, name))
    if unknown := [name for name in names if not tables[name]]:
        raise NotDistributable(f"These tables have no {DISTRIBUTION_COLUMN}: {', '.join(unknown)}.")
    if not_unique := await connection.fetch(_UNIQUE_WITHOUT, DISTRIBUTION_COLUMN, names):
        indexes = ", ".join(f"{index} of {table}" for table, index in not_unique)
        raise NotDistributable(
            f"These unique indexes do not include {DISTRIBUTION_COLUMN}, so no node can enforce them: {indexes}."
        )
    return names
