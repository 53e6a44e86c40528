"""The SQL of rows.

A row is never changed: it is seen by versions from `since` to before `until`. What an import writes belongs to the
version that comes next, and nobody sees it until the datasource itself is at that version.
"""

from collections.abc import AsyncIterator, Sequence

import msgspec

from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import among
from formwright.domain.datasources.models import FOREVER, DataRow, Datasource, NewRow
from formwright.domain.datasources.search import text_segments

_MINE = "customer_id = $1 AND datasource_id = $2"
_ENDED = f"until < {FOREVER}"
_COLUMNS = ("customer_id", "datasource_id", "number", "key", "since", "until", "data")
_NUMBERS = among("$3", "bigint")


async def put(tx: WriteTransaction, of: Datasource, since: int, first: int, rows: Sequence[NewRow]) -> None:
    """Write rows for the version `since` and on, with the numbers from `first`."""
    made = (
        (of.customer_id, of.id, number, row.key, since, FOREVER, row.data) for number, row in enumerate(rows, first)
    )
    await tx.copy("datasource_rows", _COLUMNS, made)
    await text_segments.put(tx, of, since, [(number, row.cells) for number, row in enumerate(rows, first)])


async def end(tx: WriteTransaction, of: Datasource, until: int, numbers: Sequence[int]) -> None:
    """Let rows be seen by no version from `until` on."""
    sql = f"UPDATE datasource_rows SET until = $4 WHERE {_MINE} AND number {_NUMBERS}"
    await tx.execute(sql, of.customer_id, of.id, _json(numbers), until)


async def by_key(tx: ReadTransaction, of: Datasource, keys: Sequence[str]) -> list[DataRow]:
    """Those rows of the datasource's version that have one of these keys."""
    rows = await tx.fetch(
        f"SELECT number, key, data FROM datasource_rows WHERE {_MINE} AND key {among('$3')}"
        " AND since <= $4 AND until > $4",
        of.customer_id,
        of.id,
        _json(keys),
        of.version,
    )
    return [DataRow(*row) for row in rows]


async def after(tx: ReadTransaction, of: Datasource, number: int, limit: int) -> list[DataRow]:
    """Rows of the datasource's version behind a number, in order."""
    rows = await tx.fetch(
        f"SELECT number, key, data FROM datasource_rows WHERE {_MINE} AND number > $3 AND since <= $4 AND until > $4"
        f" ORDER BY number LIMIT {limit}",
        of.customer_id,
        of.id,
        number,
        of.version,
    )
    return [DataRow(*row) for row in rows]


async def numbered(tx: ReadTransaction, of: Datasource, numbers: Sequence[int]) -> list[DataRow]:
    """Those rows of the datasource's version that have one of these numbers, in order."""
    rows = await tx.fetch(
        f"SELECT number, key, data FROM datasource_rows WHERE {_MINE} AND number {_NUMBERS}"
        " AND since <= $4 AND until > $4 ORDER BY number",
        of.customer_id,
        of.id,
        _json(numbers),
        of.version,
    )
    return [DataRow(*row) for row in rows]


async def between(tx: ReadTransaction, of: Datasource, first: int, last: int) -> list[DataRow]:
    """Rows with these numbers that have not ended before the datasource's version, also those that it does not see."""
    rows = await tx.fetch(
        f"SELECT number, key, data FROM datasource_rows WHERE {_MINE} AND number BETWEEN $3 AND $4 AND until > $5"
        " ORDER BY number",
        of.customer_id,
        of.id,
        first,
        last,
        of.version,
    )
    return [DataRow(*row) for row in rows]


async def counts(tx: ReadTransaction, of: Datasource, first: int, last: int) -> tuple[int, int]:
    """How many rows with these numbers there are, and how many of them have not ended."""
    row = await tx.fetch_one(
        f"SELECT COUNT(*), COUNT(*) FILTER (WHERE until > $5) FROM datasource_rows WHERE {_MINE}"
        " AND number BETWEEN $3 AND $4",
        of.customer_id,
        of.id,
        first,
        last,
        of.version,
    )
    return (row[0], row[1]) if row else (0, 0)


async def numbers(tx: ReadTransaction, of: Datasource) -> AsyncIterator[int]:
    """The numbers of all rows that have not ended, in order."""
    sql = f"SELECT number FROM datasource_rows WHERE {_MINE} AND since <= $3 AND until = $4 ORDER BY number"
    async for row in tx.stream(sql, of.customer_id, of.id, of.version, FOREVER):
        yield row[0]


async def undo(tx: WriteTransaction, of: Datasource, limit: int) -> int:
    """Take back what an import that never ended wrote, up to `limit` rows twice; answers how many it touched."""
    await text_segments.undo(tx, of)
    gone = await _remove(tx, of, await _some(tx, of, "since > $3", limit))
    back = await _some(tx, of, f"until > $3 AND {_ENDED}", limit)
    await end(tx, of, FOREVER, back)
    return gone + len(back)


async def forget(tx: WriteTransaction, of: Datasource, limit: int) -> int:
    """Remove rows that no version from the datasource's on sees, up to `limit`; answers how many."""
    return await _remove(tx, of, await _some(tx, of, f"until <= $3 AND {_ENDED}", limit))


async def with_ended(tx: ReadTransaction) -> list[tuple[str, str]]:
    """The accounts and ids of all datasources that have rows which ended."""
    rows = await tx.fetch(f"SELECT DISTINCT customer_id, datasource_id FROM datasource_rows WHERE {_ENDED}")
    return [(row[0], row[1]) for row in rows]


async def _some(tx: ReadTransaction, of: Datasource, condition: str, limit: int) -> list[int]:
    sql = f"SELECT number FROM datasource_rows WHERE {_MINE} AND {condition} LIMIT {limit}"
    return [row[0] for row in await tx.fetch(sql, of.customer_id, of.id, of.version)]


async def _remove(tx: WriteTransaction, of: Datasource, numbers: Sequence[int]) -> int:
    if not numbers:
        return 0
    sql = f"DELETE FROM datasource_rows WHERE {_MINE} AND number {_NUMBERS}"
    return await tx.execute(sql, of.customer_id, of.id, _json(numbers))


async def keep_count(tx: WriteTransaction) -> None:
    """Let PostgreSQL see at once how many rows there are, or it plans as if there were none."""
    await tx.execute("/*postgres ANALYZE datasource_rows*/")


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
