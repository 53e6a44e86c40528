"""Full-text search of rows: a few milliseconds for 100,000 rows.

The search text of the columns is cached in memory and scanned segment by segment. Only the matching rows are then read
from the database, which also decides whether the current version contains them.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

import msgspec

from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources import row_store
from formwright.domain.datasources.models import DataRow, Datasource, RowFilter
from formwright.domain.datasources.search.cache import SegmentCache, StaleSegments
from formwright.domain.datasources.search.scanner import RowMatcher

_TEXTS_PER_STEP = 64
"""How many texts are scanned, in about a millisecond, before other tasks may run."""
_cache = SegmentCache()
_decode = msgspec.json.Decoder(dict[str, str]).decode


async def find_rows(
    tx: ReadTransaction, datasource: Datasource, row_filter: RowFilter, *, after: int, limit: int
) -> list[DataRow]:
    """Return up to `limit` matching rows with numbers greater than `after`, ordered by number.

    `skip` and `key` of the filter are ignored.
    """
    columns = datasource.column_names if row_filter.columns is None else row_filter.columns | {datasource.key_column}
    matcher = RowMatcher.parse(row_filter.text, columns, row_filter.cells or {})
    if not matcher.columns:
        return await row_store.list_after(tx, datasource, after, limit)
    while True:
        try:
            return await _find_rows(tx, datasource, matcher, row_filter.cells or {}, after, limit)
        except StaleSegments:
            continue


async def _find_rows(
    tx: ReadTransaction, datasource: Datasource, matcher: RowMatcher, cells: Mapping[str, str], after: int, limit: int
) -> list[DataRow]:
    found: list[DataRow] = []
    numbers: list[int] = []
    async for more in _find_candidates(tx, datasource, matcher, after):
        numbers += more
        if len(found) + len(numbers) >= limit:
            found += await _load_matching(tx, datasource, numbers, cells, limit - len(found))
            numbers = []
            if len(found) == limit:
                return found
    return found + await _load_matching(tx, datasource, numbers, cells, limit - len(found))


async def _find_candidates(
    tx: ReadTransaction, datasource: Datasource, matcher: RowMatcher, after: int
) -> AsyncIterator[list[int]]:
    """Yield the numbers of rows that may match, in order."""
    segments = [segment for segment in await _cache.segments(tx, datasource) if segment.numbers[-1] > after]
    columns = matcher.columns
    step = max(1, _TEXTS_PER_STEP // len(columns))
    for start in range(0, len(segments), step):
        batch = segments[start : start + step]
        for segment, texts in zip(batch, await _cache.texts(tx, datasource, batch, columns), strict=True):
            positions = matcher.find_candidates(texts, len(segment.numbers))
            if numbers := [number for position in positions if (number := segment.numbers[position]) > after]:
                yield numbers
        await asyncio.sleep(0)


async def _load_matching(
    tx: ReadTransaction, datasource: Datasource, numbers: Sequence[int], cells: Mapping[str, str], limit: int
) -> list[DataRow]:
    """Return up to `limit` of these rows, without those that the version does not contain or whose cells differ."""
    found: list[DataRow] = []
    step = limit
    while numbers and len(found) < limit:
        rows = await row_store.find_by_numbers(tx, datasource, numbers[:step])
        found += [row for row in rows if has_cells(row.data, cells)]
        numbers, step = numbers[step:], 1000
    return found[:limit]


def has_cells(data: str, cells_by_column: Mapping[str, str] | None) -> bool:
    """Return whether a row, given as JSON, has all of these cells."""
    if not cells_by_column:
        return True
    cells = _decode(data)
    return all(cells.get(column, "") == value for column, value in cells_by_column.items())
