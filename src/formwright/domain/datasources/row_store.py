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

_BY_DATASOURCE = "customer_id = $1 AND datasource_id = $2"
_HAS_ENDED = f"until < {FOREVER}"
_COLUMNS = ("customer_id", "datasource_id", "number", "key", "since", "until", "data")
_NUMBERS = among("$3", "bigint")


async def insert(tx: WriteTransaction, datasource: Datasource, since: int, first: int, rows: Sequence[NewRow]) -> None:
    """Write rows for the version `since` and on, with the numbers from `first`."""
    records = (
        (datasource.customer_id, datasource.id, number, row.key, since, FOREVER, row.data)
        for number, row in enumerate(rows, first)
    )
    await tx.copy("datasource_rows", _COLUMNS, records)
    await text_segments.insert(tx, datasource, since, [(number, row.cells) for number, row in enumerate(rows, first)])


async def end_rows(tx: WriteTransaction, datasource: Datasource, until: int, numbers: Sequence[int]) -> None:
    """Let rows be seen by no version from `until` on."""
    sql = f"UPDATE datasource_rows SET until = $4 WHERE {_BY_DATASOURCE} AND number {_NUMBERS}"
    await tx.execute(sql, datasource.customer_id, datasource.id, _to_json(numbers), until)


async def find_by_keys(tx: ReadTransaction, datasource: Datasource, keys: Sequence[str]) -> list[DataRow]:
    """Those rows of the datasource's version that have one of these keys."""
    rows = await tx.fetch(
        f"SELECT number, key, data FROM datasource_rows WHERE {_BY_DATASOURCE} AND key {among('$3')}"
        " AND since <= $4 AND until > $4",
        datasource.customer_id,
        datasource.id,
        _to_json(keys),
        datasource.version,
    )
    return [DataRow(*row) for row in rows]


async def list_after(tx: ReadTransaction, datasource: Datasource, number: int, limit: int) -> list[DataRow]:
    """Rows of the datasource's version behind a number, in order."""
    rows = await tx.fetch(
        f"SELECT number, key, data FROM datasource_rows WHERE {_BY_DATASOURCE} AND number > $3 AND since <= $4"
        f" AND until > $4 ORDER BY number LIMIT {limit}",
        datasource.customer_id,
        datasource.id,
        number,
        datasource.version,
    )
    return [DataRow(*row) for row in rows]


async def find_by_numbers(tx: ReadTransaction, datasource: Datasource, numbers: Sequence[int]) -> list[DataRow]:
    """Those rows of the datasource's version that have one of these numbers, in order."""
    rows = await tx.fetch(
        f"SELECT number, key, data FROM datasource_rows WHERE {_BY_DATASOURCE} AND number {_NUMBERS}"
        " AND since <= $4 AND until > $4 ORDER BY number",
        datasource.customer_id,
        datasource.id,
        _to_json(numbers),
        datasource.version,
    )
    return [DataRow(*row) for row in rows]


async def list_between(tx: ReadTransaction, datasource: Datasource, first: int, last: int) -> list[DataRow]:
    """Rows with these numbers that have not ended before the datasource's version, also those that it does not see."""
    rows = await tx.fetch(
        f"SELECT number, key, data FROM datasource_rows WHERE {_BY_DATASOURCE} AND number BETWEEN $3 AND $4"
        " AND until > $5 ORDER BY number",
        datasource.customer_id,
        datasource.id,
        first,
        last,
        datasource.version,
    )
    return [DataRow(*row) for row in rows]


async def count_between(tx: ReadTransaction, datasource: Datasource, first: int, last: int) -> tuple[int, int]:
    """How many rows with these numbers there are, and how many of them have not ended."""
    row = await tx.fetch_one(
        f"SELECT COUNT(*), COUNT(*) FILTER (WHERE until > $5) FROM datasource_rows WHERE {_BY_DATASOURCE}"
        " AND number BETWEEN $3 AND $4",
        datasource.customer_id,
        datasource.id,
        first,
        last,
        datasource.version,
    )
    return (row[0], row[1]) if row else (0, 0)


async def stream_numbers(tx: ReadTransaction, datasource: Datasource) -> AsyncIterator[int]:
    """The numbers of all rows that have not ended, in order."""
    sql = f"SELECT number FROM datasource_rows WHERE {_BY_DATASOURCE} AND since <= $3 AND until = $4 ORDER BY number"
    async for row in tx.stream(sql, datasource.customer_id, datasource.id, datasource.version, FOREVER):
        yield row[0]


async def undo_import(tx: WriteTransaction, datasource: Datasource, limit: int) -> int:
    """Take back what an import that never ended wrote, up to `limit` rows twice; answers how many it touched."""
    await text_segments.undo_import(tx, datasource)
    gone = await _delete(tx, datasource, await _find_numbers(tx, datasource, "since > $3", limit))
    back = await _find_numbers(tx, datasource, f"until > $3 AND {_HAS_ENDED}", limit)
    await end_rows(tx, datasource, FOREVER, back)
    return gone + len(back)


async def delete_ended(tx: WriteTransaction, datasource: Datasource, limit: int) -> int:
    """Remove rows that no version from the datasource's on sees, up to `limit`; answers how many."""
    return await _delete(tx, datasource, await _find_numbers(tx, datasource, f"until <= $3 AND {_HAS_ENDED}", limit))


async def find_datasources_with_ended_rows(tx: ReadTransaction) -> list[tuple[str, str]]:
    """The accounts and ids of all datasources that have rows which ended."""
    rows = await tx.fetch(f"SELECT DISTINCT customer_id, datasource_id FROM datasource_rows WHERE {_HAS_ENDED}")
    return [(row[0], row[1]) for row in rows]


async def _find_numbers(tx: ReadTransaction, datasource: Datasource, condition: str, limit: int) -> list[int]:
    sql = f"SELECT number FROM datasource_rows WHERE {_BY_DATASOURCE} AND {condition} LIMIT {limit}"
    return [row[0] for row in await tx.fetch(sql, datasource.customer_id, datasource.id, datasource.version)]


async def _delete(tx: WriteTransaction, datasource: Datasource, numbers: Sequence[int]) -> int:
    if not numbers:
        return 0
    sql = f"DELETE FROM datasource_rows WHERE {_BY_DATASOURCE} AND number {_NUMBERS}"
    return await tx.execute(sql, datasource.customer_id, datasource.id, _to_json(numbers))


async def analyze(tx: WriteTransaction) -> None:
    """Let PostgreSQL see at once how many rows there are, or it plans as if there were none."""
    await tx.execute("/*postgres ANALYZE datasource_rows*/")


def _to_json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
