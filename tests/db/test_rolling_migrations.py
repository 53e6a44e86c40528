"""Migrations expand first and contract later, so that processes of the previous version work beside new ones.

A revision that removes something names, in `CONTRACT`, the first version that does not use it any more. That must be
an earlier version than the one with the revision.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from warnings import catch_warnings, simplefilter

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.exc import SAWarning

from formwright.migrations import upgrading
from formwright.settings import Settings

FROM = "0060"
"""No version was released up to this revision. The rule applies to later ones."""

Uniques = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Column:
    type: str
    nullable: bool
    fills_itself: bool


@dataclass(frozen=True)
class TableSchema:
    """A table as seen by a program that inserts, updates and reads."""

    columns: dict[str, Column]
    uniques: Uniques


def read_schema(connection: Connection) -> dict[str, TableSchema]:
    """Return all tables of a database."""
    look = inspect(connection)
    found = {}
    with catch_warnings():
        # SQLAlchemy cannot read indexes on expressions of SQLite, and warns. None of them is unique.
        simplefilter("ignore", SAWarning)
        # Of all tables at once: on PostgreSQL, reading them one by one takes three times as long.
        indexes_by_table, constraints_by_table = look.get_multi_indexes(), look.get_multi_unique_constraints()
    for (schema, table), table_columns in look.get_multi_columns().items():
        columns = {
            one["name"]: Column(str(one["type"]), bool(one["nullable"]), one.get("default") is not None)
            for one in table_columns
        }
        table_indexes = indexes_by_table.get((schema, table), [])
        indexes = {tuple(map(str, one["column_names"])) for one in table_indexes if one["unique"]}
        constraints = {tuple(one["column_names"]) for one in constraints_by_table.get((schema, table), [])}
        found[table] = TableSchema(columns, frozenset(indexes | constraints))
    return found


def incompatibilities(before: dict[str, TableSchema], after: dict[str, TableSchema]) -> Iterator[str]:
    """Yield what would break a program that only knows the tables as they were."""
    for table, was in before.items():
        if table not in after:
            yield f"{table} is gone"
            continue
        now = after[table]
        for name, column in was.columns.items():
            if name not in now.columns:
                yield f"{table}.{name} is gone"
            elif now.columns[name].type != column.type:
                yield f"{table}.{name} has another type"
            elif column.nullable and not now.columns[name].nullable:
                yield f"{table}.{name} must be filled now"
        for name in sorted(now.columns.keys() - was.columns.keys()):
            if not now.columns[name].nullable and not now.columns[name].fills_itself:
                yield f"{table}.{name} is new, and nobody fills it"
        empty = {
            name
            for name in now.columns.keys() - was.columns.keys()
            if now.columns[name].nullable and not now.columns[name].fills_itself
        }
        for columns in sorted(now.uniques - was.uniques):
            # A column that the program does not know stays NULL, and NULLs never conflict.
            if not empty.intersection(columns):
                yield f"{table} ({', '.join(columns)}) must be unique now"


async def test_each_revision_is_compatible_with_the_previous_version(settings_without_tables: Settings) -> None:
    script = ScriptDirectory.from_config(upgrading.alembic_config(None))
    after_base = list(reversed(list(script.iterate_revisions("head", FROM))))

    def at(revision: str) -> Callable[[Connection], dict[str, TableSchema]]:
        def work(connection: Connection) -> dict[str, TableSchema]:
            command.upgrade(upgrading.alembic_config(connection), revision)
            return read_schema(connection)

        return work

    before = await upgrading.run_in_transaction(settings_without_tables, at(FROM))
    assert not before["submissions"].columns["status"].nullable
    for revision in after_base:
        after = await upgrading.run_in_transaction(settings_without_tables, at(revision.revision))
        found = list(incompatibilities(before, after))
        said = getattr(revision.module, "CONTRACT", "")
        assert bool(found) == bool(said), f"revision {revision.revision}: {found or 'CONTRACT says so for nothing'}"
        before = after


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ("CREATE TABLE more (id TEXT PRIMARY KEY, name TEXT NOT NULL)", []),
        ("ALTER TABLE notes ADD COLUMN more TEXT", []),
        ("ALTER TABLE notes ADD COLUMN more TEXT NOT NULL DEFAULT ''", []),
        ("CREATE INDEX notes_text ON notes (text)", []),
        ("DROP TABLE notes", ["notes is gone"]),
        ("ALTER TABLE notes RENAME TO papers", ["notes is gone"]),
        ("ALTER TABLE notes DROP COLUMN text", ["notes.text is gone"]),
        ("ALTER TABLE notes RENAME COLUMN text TO body", ["notes.text is gone"]),
        ("CREATE UNIQUE INDEX notes_text ON notes (text)", ["notes (text) must be unique now"]),
        ("ALTER TABLE notes ADD COLUMN more TEXT; CREATE UNIQUE INDEX notes_more ON notes (more)", []),
        (
            "ALTER TABLE notes ADD COLUMN more TEXT DEFAULT ''; CREATE UNIQUE INDEX notes_more ON notes (more)",
            ["notes (more) must be unique now"],
        ),
        (
            "DROP TABLE notes; CREATE TABLE notes (id TEXT PRIMARY KEY, text BIGINT NOT NULL, due BIGINT NOT NULL)",
            ["notes.text has another type", "notes.due is new, and nobody fills it"],
        ),
        (
            "DROP TABLE notes; CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL)",
            ["notes.text must be filled now"],
        ),
    ],
)
def test_the_rule_distinguishes_expanding_from_contracting(statements: str, said: list[str]) -> None:
    with create_engine("sqlite://").connect() as connection:
        connection.exec_driver_sql("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT)")
        before = read_schema(connection)
        for statement in statements.split(";"):
            connection.exec_driver_sql(statement)
        assert list(incompatibilities(before, read_schema(connection))) == said
