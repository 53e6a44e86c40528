"""What writers put off goes as one statement, whatever they put off and however many rows of it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import asyncpg
import pytest
from fixtures.notes_database import Notes

from formwright.core.clock import SystemClock
from formwright.core.db import bulk_statements
from formwright.core.db.postgres_connection import PostgresTransaction
from formwright.core.ids import Ids

TABLES = """
CREATE TEMPORARY TABLE things (customer_id text, id text PRIMARY KEY, size bigint, body jsonb, yes boolean,
    kind text, tries int NOT NULL);
CREATE TEMPORARY TABLE orders (customer_id text PRIMARY KEY, stamp bigint, sequence bigint);
CREATE TEMPORARY TABLE kept (customer_id text, id text, said text, PRIMARY KEY (customer_id, id))
"""
THING = (
    "INSERT INTO things (customer_id, id, size, body, yes, kind, tries)"
    " VALUES ($1, $2, $3, $4, $5, /*postgres lower($6)*/ /*sqlite $6*/, 0)"
)
ORDER = "UPDATE orders SET stamp = $2, sequence = sequence + $3 WHERE customer_id = $1"
KEEP = (
    "INSERT INTO kept (customer_id, id, said) VALUES ($1, $2, $3)"
    " ON CONFLICT (customer_id, id) DO UPDATE SET said = excluded.said"
)


class Heard:
    """A connection, and what was sent over it."""

    def __init__(self, connection: Any) -> None:
        self._connection, self.sent = connection, list[str]()

    async def execute(self, sql: str, *args: object) -> Any:
        self.sent.append(sql)
        return await self._connection.execute(sql, *args)

    async def executemany(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self.sent.append(sql)
        await self._connection.executemany(sql, rows)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.fixture
async def connection(notes_url: str) -> AsyncIterator[Heard]:
    await Notes(notes_url).empty()
    made = await asyncpg.connect(notes_url)
    await made.execute(TABLES)
    yield Heard(made)
    await made.close()


def _tx(connection: Heard, **manner: bool) -> PostgresTransaction:
    clock = SystemClock()
    return PostgresTransaction(connection, clock, Ids(clock), **{"pooled": False, **manner})


def _things(count: int) -> list[tuple[object, ...]]:
    """Some hold nothing but what a row has to hold."""
    return [
        ("one", f"t{n}", None, None, None, None)
        if n % 3 == 1
        else ("one", f"t{n}", 2**62 + n, f'{{"n": {n}, "text": "ä😀\\"\\\\"}}', n % 2 == 0, "Big")
        for n in range(count)
    ]


@pytest.mark.parametrize("manner", [{}, {"pooled": True}, {"distributed": True}], ids=str)
@pytest.mark.parametrize(
    ("things", "orders", "kept"), [(1, 1, 1), (1, 0, 0), (2, 1, 0), (8, 1, 3), (9, 9, 1), (0, 3, 0), (1, 17, 2)]
)
async def test_all_rows_are_written(
    connection: Heard, things: int, orders: int, kept: int, manner: dict[str, bool]
) -> None:
    await connection.executemany("INSERT INTO orders VALUES ($1, 0, 5)", [(f"a{n}",) for n in range(20)])
    await connection.execute("INSERT INTO kept VALUES ('one', 'k0', 'before')")
    connection.sent.clear()
    rows = {
        THING: _things(things),
        ORDER: [(f"a{n}", 100 + n, n) for n in range(orders)],
        KEEP: [("one", f"k{n}", f"said {n}") for n in range(kept)],
    }
    put_off = {sql: list(some) for sql, some in rows.items() if some}
    await _tx(connection, **manner).run(put_off)
    assert put_off == {}
    if not manner.get("distributed"):
        assert len(connection.sent) == 1
    found = await connection.fetch("SELECT * FROM things ORDER BY substr(id, 2)::int")
    wanted = [(*row[:5], "big" if row[5] else None, 0) for row in rows[THING]]
    assert [(*row[:3], _plain(row[3]), *row[4:]) for row in found] == [
        (*row[:3], _plain(row[3]), *row[4:]) for row in wanted
    ]
    found = await connection.fetch("SELECT * FROM orders WHERE stamp > 0 ORDER BY stamp")
    assert [tuple(row) for row in found] == [(f"a{n}", 100 + n, 5 + n) for n in range(orders)]
    found = await connection.fetch("SELECT id, said FROM kept WHERE said <> 'before' ORDER BY id")
    assert [tuple(row) for row in found] == [(f"k{n}", f"said {n}") for n in range(kept)]


def _plain(body: Any) -> Any:
    """However PostgreSQL spaces it."""
    return body and body.replace(" ", "")


async def test_what_is_refused_leaves_nothing_of_all(connection: Heard) -> None:
    tx = _tx(connection)
    await tx.run({THING: _things(3)})
    with pytest.raises(asyncpg.UniqueViolationError):
        await tx.run({KEEP: [("one", "a", "b")], THING: [*_things(20)[3:], _things(3)[2]]})
    assert await connection.fetchval("SELECT count(*) FROM things") == 3
    assert await connection.fetchval("SELECT count(*) FROM kept") == 0


@pytest.mark.parametrize("sql", ["DELETE FROM kept WHERE customer_id = $1", "SELECT said FROM kept WHERE id = $1"])
async def test_what_has_no_such_form_is_said(connection: Heard, sql: str) -> None:
    with pytest.raises(ValueError, match="cannot be run for many rows"):
        await _tx(connection).run({sql: [("a",), ("b",)]})


def test_a_statement_is_the_same_for_any_number_of_rows() -> None:
    parts = ((THING, ("text",) * 6), (ORDER, ("text", "int8", "int8")))
    rows = [[tuple("abcdef")] * 19, [("a", 1, 2)]]
    sent = bulk_statements.arguments(parts, rows, bulk_statements.ROWS)
    assert [len(row) for row in sent] == [bulk_statements.ROWS * 9] * 3
    assert bulk_statements.as_one(parts, bulk_statements.ROWS).count("$") == bulk_statements.ROWS * 9


async def test_several_learn_what_a_statement_takes_at_once(notes_url: str) -> None:
    made = [await asyncpg.connect(notes_url) for _ in range(4)]
    for one in made:
        await one.execute(TABLES)
    await asyncio.gather(*(_tx(Heard(one)).run({THING: _things(12)}) for one in made))
    for one in made:
        assert await one.fetchval("SELECT count(*) FROM things") == 12
        await one.close()
