"""Migrations expand first and contract later: processes of the version before go on working beside the new ones.

A revision that takes something away says so, in `CONTRACT`: which version was the first not to use it any more. That
has to be an earlier one than the version with the revision.
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

FROM = "0025"
"""Up to here no version was ever released; the rule holds for what came after."""

Uniques = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Column:
    type: str
    nullable: bool
    fills_itself: bool


@dataclass(frozen=True)
class Seen:
    """A table as a program finds it that inserts, updates and reads."""

    columns: dict[str, Column]
    uniques: Uniques


def schema(connection: Connection) -> dict[str, Seen]:
    """All tables of a database."""
    look = inspect(connection)
    found = {}
    for table in look.get_table_names():
        columns = {
            one["name"]: Column(str(one["type"]), bool(one["nullable"]), one.get("default") is not None)
            for one in look.get_columns(table)
        }
        with catch_warnings():
            # Of SQLite it cannot read indexes of expressions, and says so; none of these is unique.
            simplefilter("ignore", SAWarning)
            indexes = {tuple(map(str, one["column_names"])) for one in look.get_indexes(table) if one["unique"]}
            constraints = {tuple(one["column_names"]) for one in look.get_unique_constraints(table)}
        found[table] = Seen(columns, frozenset(indexes | constraints))
    return found


def faults(before: dict[str, Seen], after: dict[str, Seen]) -> Iterator[str]:
    """What a program that knows only the tables as they were would stumble over."""
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
        for columns in sorted(now.uniques - was.uniques):
            yield f"{table} ({', '.join(columns)}) must be unique now"


async def test_each_revision_leaves_what_the_version_before_it_uses(settings_without_tables: Settings) -> None:
    script = ScriptDirectory.from_config(upgrading.alembic_config(None))
    after_base = list(reversed(list(script.iterate_revisions("head", FROM))))

    def at(revision: str) -> Callable[[Connection], dict[str, Seen]]:
        def work(connection: Connection) -> dict[str, Seen]:
            command.upgrade(upgrading.alembic_config(connection), revision)
            return schema(connection)

        return work

    before = await upgrading.run_in_transaction(settings_without_tables, at(FROM))
    assert not before["submissions"].columns["status"].nullable
    for revision in after_base:
        after = await upgrading.run_in_transaction(settings_without_tables, at(revision.revision))
        found = list(faults(before, after))
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
def test_the_rule_tells_what_expands_from_what_contracts(statements: str, said: list[str]) -> None:
    with create_engine("sqlite://").connect() as connection:
        connection.exec_driver_sql("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT)")
        before = schema(connection)
        for statement in statements.split(";"):
            connection.exec_driver_sql(statement)
        assert list(faults(before, schema(connection))) == said
