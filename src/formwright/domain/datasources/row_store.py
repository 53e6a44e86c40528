"""SQL of rows.

Rows are immutable. A row belongs to the versions of the data source from `since` (inclusive) to `until` (exclusive). An
import writes rows of the next version, which become visible when the version of the data source is incremented.
"""

from collections.abc import AsyncIterator, Sequence

import msgspec

from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import in_array
from formwright.domain.datasources.models import FOREVER, DataRow, Datasource, NewRow
from formwright.domain.datasources.search import text_segments

_BY_DATASOURCE = "customer_id = $1 AND datasource_id = $2"
_HAS_ENDED = f"until < {FOREVER}"
_COLUMNS = ("customer_id", "datasource_id", "number", "key", "since", "until", "data", "created_in")
_ROW = "SELECT number, key, data, since, created_in FROM datasource_rows"
_NUMBERS = in_array("$3", "bigint")


async def insert(tx: WriteTransaction, datasource: Datasource, since: int, first: int, rows: Sequence[NewRow]) -> None:
    """Insert rows that are valid from version `since`, numbered from `first`, and their search text."""
    records = (
        (datasource.customer_id, datasource.id, number, row.key, since, FOREVER, row.data, row.created_in)
        for number, row in enumerate(rows, first)
    )
    await tx.copy("datasource_rows", _COLUMNS, records)
    await text_segments.insert(tx, datasource, since, [(number, row.cells) for number, row in enumerate(rows, first)])


async def end_rows(tx: WriteTransaction, datasource: Datasource, until: int, numbers: Sequence[int]) -> None:
    """End rows: version `until` and later ones do not contain them."""
    sql = f"UPDATE datasource_rows SET until = $4 WHERE {_BY_DATASOURCE} AND number {_NUMBERS}"
    await tx.execute(sql, datasource.customer_id, datasource.id, _to_json(numbers), until)


async def find_by_keys(tx: ReadTransaction, datasource: Datasource, keys: Sequence[str]) -> list[DataRow]:
    """Return the rows of the data source's version that have one of these keys."""
    rows = await tx.fetch(
        f"{_ROW} WHERE {_BY_DATASOURCE} AND key {in_array('$3')} AND since <= $4 AND until > $4",
        datasource.customer_id,
        datasource.id,
        _to_json(keys),
        datasource.version,
    )
    return [DataRow(*row) for row in rows]


async def list_after(tx: ReadTransaction, datasource: Datasource, number: int, limit: int) -> list[DataRow]:
    """Return up to `limit` rows of the data source's version with greater numbers, ordered by number."""
    rows = await tx.fetch(
        f"{_ROW} WHERE {_BY_DATASOURCE} AND number > $3 AND since <= $4 AND until > $4 ORDER BY number LIMIT {limit}",
        datasource.customer_id,
        datasource.id,
        number,
        datasource.version,
    )
    return [DataRow(*row) for row in rows]


async def find_by_numbers(tx: ReadTransaction, datasource: Datasource, numbers: Sequence[int]) -> list[DataRow]:
    """Return the rows of the data source's version that have one of these numbers, ordered by number."""
    rows = await tx.fetch(
        f"{_ROW} WHERE {_BY_DATASOURCE} AND number {_NUMBERS} AND since <= $4 AND until > $4 ORDER BY number",
        datasource.customer_id,
        datasource.id,
        _to_json(numbers),
        datasource.version,
    )
    return [DataRow(*row) for row in rows]


async def list_between(tx: ReadTransaction, datasource: Datasource, first: int, last: int) -> list[DataRow]:
    """Return the rows with these numbers that end after the data source's version, ordered by number.

    This includes rows of later versions.
    """
    rows = await tx.fetch(
        f"{_ROW} WHERE {_BY_DATASOURCE} AND number BETWEEN $3 AND $4 AND until > $5 ORDER BY number",
        datasource.customer_id,
        datasource.id,
        first,
        last,
        datasource.version,
    )
    return [DataRow(*row) for row in rows]


async def count_between(tx: ReadTransaction, datasource: Datasource, first: int, last: int) -> tuple[int, int]:
    """Return how many rows have these numbers, and how many of them end after the data source's version."""
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
    """Yield the numbers of all rows of the data source's version that have not ended, in order."""
    sql = f"SELECT number FROM datasource_rows WHERE {_BY_DATASOURCE} AND since <= $3 AND until = $4 ORDER BY number"
    async for row in tx.stream(sql, datasource.customer_id, datasource.id, datasource.version, FOREVER):
        yield row[0]


async def undo_import(tx: WriteTransaction, datasource: Datasource, limit: int) -> int:
    """Undo what an interrupted import wrote: delete up to `limit` new rows, and restore up to `limit` ended rows.

    Returns the number of affected rows; 0 means that nothing is left to undo.
    """
    await text_segments.undo_import(tx, datasource)
    deleted = await _delete(tx, datasource, await _find_numbers(tx, datasource, "since > $3", limit))
    ended = await _find_numbers(tx, datasource, f"until > $3 AND {_HAS_ENDED}", limit)
    await end_rows(tx, datasource, FOREVER, ended)
    return deleted + len(ended)


async def delete_ended(tx: WriteTransaction, datasource: Datasource, limit: int) -> int:
    """Delete up to `limit` rows that ended at or before the data source's version, and return how many."""
    return await _delete(tx, datasource, await _find_numbers(tx, datasource, f"until <= $3 AND {_HAS_ENDED}", limit))


async def find_datasources_with_ended_rows(tx: ReadTransaction) -> list[tuple[str, str]]:
    """Return the account ids and ids of all data sources that have ended rows."""
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
    """Update PostgreSQL's statistics, because after a large import it would plan queries for an empty table."""
    await tx.execute("/*postgres ANALYZE datasource_rows*/")


def _to_json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
