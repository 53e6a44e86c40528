"""Migrations run on databases whose tables are distributed already, so they contain nothing that Citus refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from fixtures.app_contexts import settings_for
from fixtures.migration_check import EXAMPLE_TABLES, EXAMPLES, find_refusal
from fixtures.postgres import Server
from sqlalchemy import Connection, event, inspect

from formwright.migrations import upgrading
from formwright.migrations.distribute import COORDINATOR_TABLES

BEFORE_DISTRIBUTION = {
    "0015": {"a table of the coordinator is changed with a query on distributed tables"},
    "0025": {"a unique index without customer_id"},
    "0026": {"a trigger on a distributed table"},
}
"""What is in revisions that are older than `db distribute`, so they never ran on a distributed database."""


@contextmanager
def _recorded(connection: Connection) -> Iterator[list[str]]:
    """Record the statements that run on the connection during the block."""
    texts: list[str] = []

    def record(_connection: object, _cursor: object, text: str, *_: object) -> None:
        texts.append(text)

    event.listen(connection, "before_cursor_execute", record)
    yield texts
    event.remove(connection, "before_cursor_execute", record)


def _distributed_tables(connection: Connection) -> set[str]:
    return {*inspect(connection).get_table_names()} - {*COORDINATOR_TABLES}


async def test_citus_runs_every_new_migration(postgres_cluster: Server, worker_id: str, tmp_path: Path) -> None:
    name = f"migrations_{worker_id}"
    settings = settings_for(tmp_path, postgres_cluster.create_database(name))
    refusals = await upgrading.run_in_transaction(settings, _refusals_by_revision)
    postgres_cluster.drop_database(name)
    assert refusals == BEFORE_DISTRIBUTION


def _refusals_by_revision(connection: Connection) -> dict[str, set[str]]:
    """Upgrade an empty database and return what Citus would have refused in each revision, if anything."""
    found: dict[str, set[str]] = {}
    config = upgrading.alembic_config(connection)
    for revision in reversed(list(ScriptDirectory.from_config(config).walk_revisions())):
        distributed = _distributed_tables(connection)
        with _recorded(connection) as texts:
            command.upgrade(config, revision.revision)
        if reasons := {reason for text in texts if (reason := find_refusal(text, distributed))}:
            found[revision.revision] = reasons
    return found


@pytest.mark.parametrize("statement", EXAMPLES)
def test_the_checker_knows_what_citus_refuses_in_a_migration(statement: str) -> None:
    assert bool(find_refusal(statement, EXAMPLE_TABLES)) == EXAMPLES[statement]
