"""Spreads the tables over the machines of a Citus cluster: what belongs to a customer by that customer, together.

What an account is found by (the hash of a key, a link, a mail address) is copied to every machine: whoever looks it
up does not know the customer yet.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import asyncpg

from formwright.core.db.interface import DatabaseUnreachable
from formwright.core.db.postgres import database_location
from formwright.migrations import LOCK

DISTRIBUTION_COLUMN = "customer_id"
REFERENCE_TABLES = (
    "sign_ins",
    "sessions",
    "password_links",
    "key_hashes",
    "fill_links",
    "invite_links",
    "throttles",
    "first_owner_link",
)
"""Reference tables: small, and asked for before the customer is known."""
COORDINATOR_TABLES = ("alembic_version",)
"""What concerns the coordinator alone."""
FIRST_TABLE = "customers"
"""All others lie where its rows lie."""

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


class NotDistributable(Exception):
    """The tables cannot be distributed; the text says why. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class DistributionResult:
    """Which tables were distributed by customer, which were copied to every machine, and which had been before."""

    by_customer: list[str]
    replicated: list[str]
    unchanged: list[str]


async def distribute(url: str) -> DistributionResult:
    """All or nothing. What is distributed already stays as it is; so it can be done again after each upgrade."""
    try:
        connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0)
    except (OSError, TimeoutError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise DatabaseUnreachable(f"The database at {database_location(url)} cannot be reached: {error}") from error
    try:
        async with connection.transaction():
            await connection.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
            return await _distribute(connection)
    except asyncpg.PostgresError as error:
        raise NotDistributable(f"Citus refused, and nothing was changed: {error}") from error
    finally:
        await connection.close()


async def _distribute(connection: asyncpg.Connection) -> DistributionResult:
    if not await connection.fetchval("SELECT 1 FROM pg_proc WHERE proname = 'create_distributed_table' LIMIT 1"):
        raise NotDistributable("This database has no Citus. Say CREATE EXTENSION citus in it, and add its machines.")
    by_customer, copied = await _sorted(connection)
    before = {row[0] for row in await connection.fetch("SELECT logicalrelid::regclass::text FROM pg_dist_partition")}
    made = DistributionResult(_without(by_customer, before), _without(copied, before), sorted(before))
    # Ours look at nothing but the row that they refuse to change, so they are safe wherever that row lies.
    await connection.execute("SET LOCAL citus.enable_unsafe_triggers = 'on'")
    for table in made.replicated:
        await connection.execute("SELECT create_reference_table($1::text::regclass)", table)
    for table in made.by_customer:
        together = "default" if table == FIRST_TABLE else FIRST_TABLE
        await connection.execute(
            "SELECT create_distributed_table($1::text::regclass, $2::text, colocate_with => $3::text)",
            table,
            DISTRIBUTION_COLUMN,
            together,
        )
    return made


async def _sorted(connection: asyncpg.Connection) -> tuple[list[str], list[str]]:
    """The tables to distribute, the first one first, and those to copy; `NotDistributable` where one fits neither."""
    tables = {
        name: owned
        for name, owned in await connection.fetch(_TABLES, DISTRIBUTION_COLUMN)
        if name not in COORDINATOR_TABLES
    }
    if FIRST_TABLE not in tables:
        raise NotDistributable("There are no tables yet. Run formwright db upgrade first.")
    by_customer = sorted(tables.keys() - {*REFERENCE_TABLES}, key=lambda name: (name != FIRST_TABLE, name))
    if strange := [name for name in by_customer if not tables[name]]:
        raise NotDistributable(f"These tables have no {DISTRIBUTION_COLUMN}: {', '.join(strange)}.")
    if wide := await connection.fetch(_UNIQUE_WITHOUT, DISTRIBUTION_COLUMN, by_customer):
        named = ", ".join(f"{index} of {table}" for table, index in wide)
        raise NotDistributable(
            f"These are unique without {DISTRIBUTION_COLUMN}, which no machine can see to alone: {named}."
        )
    return by_customer, [name for name in REFERENCE_TABLES if name in tables]


def _without(names: Iterable[str], known: set[str]) -> list[str]:
    return [name for name in names if name not in known]
