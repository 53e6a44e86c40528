"""SQL of search segments: the search text of up to 2,000 rows, column by column.

Segments are immutable. An import writes its own segments; `segment_compaction` replaces small ones and those with rows
that have ended. So a segment may contain rows that a version does not contain yet, or not any more: a search must check
the rows that it finds.
"""

import asyncio
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import in_array
from formwright.domain.datasources.models import Datasource
from formwright.domain.datasources.search.normalize import to_search_text

_BY_DATASOURCE = "customer_id = $1 AND datasource_id = $2"
COLUMNS = ("customer_id", "datasource_id", "first", "id", "since", "numbers")
TEXT_COLUMNS = ("customer_id", "segment_id", "name", "text")
_decode_runs = msgspec.json.Decoder(list[tuple[int, int]]).decode


class Segment(NamedTuple):
    """The numbers of its rows, in order, and the version that added the first of them."""

    id: str
    since: int
    numbers: Sequence[int]


NumberedCells = tuple[int, Mapping[str, str]]
"""The number of a row, and its cells."""


async def insert(tx: WriteTransaction, datasource: Datasource, since: int, rows: Sequence[NumberedCells]) -> None:
    """Insert a segment for these rows, which must be ordered by number."""
    segment_id = tx.new_id("seg")
    texts = await asyncio.to_thread(list, build_texts(datasource.customer_id, segment_id, rows))
    segment = (
        datasource.customer_id,
        datasource.id,
        rows[0][0],
        segment_id,
        since,
        pack_numbers([number for number, _ in rows]),
    )
    await tx.copy("datasource_segments", COLUMNS, [segment])
    await tx.copy("datasource_texts", TEXT_COLUMNS, texts)


def build_texts(
    customer_id: str, segment_id: str, rows: Sequence[NumberedCells]
) -> Iterator[tuple[str, str, str, str]]:
    """Yield the records to insert, one for each column that has any value."""
    names: set[str] = set().union(*(cells for _, cells in rows))
    for name in sorted(names):
        yield customer_id, segment_id, name, to_search_text([cells.get(name, "") for _, cells in rows])


def pack_numbers(numbers: Sequence[int]) -> str:
    """Encode row numbers as JSON: a list of runs, each with its start relative to the first number, and its length."""
    return _to_json(list(_to_runs(numbers[0], numbers)))


def _to_runs(first: int, numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    start = before = first
    for number in numbers:
        if number > before + 1:
            yield start - first, before - start + 1
            start = number
        before = number
    yield start - first, before - start + 1


def _unpack_numbers(first: int, packed: str) -> Sequence[int]:
    runs = [range(first + start, first + start + count) for start, count in _decode_runs(packed)]
    return runs[0] if len(runs) == 1 else array("q", (number for run in runs for number in run))


async def list_segments(tx: ReadTransaction, datasource: Datasource) -> list[Segment]:
    """Return the segments of the data source's version, ordered by their rows."""
    rows = await tx.fetch(
        f"SELECT id, since, first, numbers FROM datasource_segments WHERE {_BY_DATASOURCE} AND since <= $3"
        " ORDER BY first",
        datasource.customer_id,
        datasource.id,
        datasource.version,
    )
    return [Segment(row[0], row[1], _unpack_numbers(row[2], row[3])) for row in rows]


async def load_texts(
    tx: ReadTransaction, datasource: Datasource, ids: Sequence[str], names: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return the texts of these columns by segment id and column, without segments that do not exist any more."""
    rows = await tx.fetch(
        "SELECT s.id, t.name, t.text FROM datasource_segments AS s LEFT JOIN datasource_texts AS t"
        f" ON t.customer_id = s.customer_id AND t.segment_id = s.id AND t.name {in_array('$3')}"
        f" WHERE s.customer_id = $1 AND s.id {in_array('$2')}",
        datasource.customer_id,
        _to_json(ids),
        _to_json(names),
    )
    found: dict[str, dict[str, str]] = {}
    for segment_id, name, text in rows:
        by_column = found.setdefault(segment_id, {})
        if name is not None:
            by_column[name] = text
    return found


async def undo_import(tx: WriteTransaction, datasource: Datasource) -> None:
    """Delete the segments of an interrupted import."""
    sql = f"SELECT id FROM datasource_segments WHERE {_BY_DATASOURCE} AND since > $3"
    await delete(
        tx,
        datasource,
        [row[0] for row in await tx.fetch(sql, datasource.customer_id, datasource.id, datasource.version)],
    )


async def delete(tx: WriteTransaction, datasource: Datasource, ids: Sequence[str]) -> None:
    for table, column in (("datasource_texts", "segment_id"), ("datasource_segments", "id")):
        sql = f"DELETE FROM {table} WHERE customer_id = $1 AND {column} {in_array('$2')}"
        await tx.execute(sql, datasource.customer_id, _to_json(ids))


def _to_json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
