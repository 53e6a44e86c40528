"""Rows by what somebody types: of 100,000 rows in a few milliseconds.

The text of the columns is gone through as it lies in memory, segment by segment. Only rows that hold what is sought
there are asked for: whether the datasource's version sees them is known by themselves.
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
"""How many texts are gone through, about a millisecond, before others have their turn."""
_cache = SegmentCache()
_decode = msgspec.json.Decoder(dict[str, str]).decode


async def find_rows(
    tx: ReadTransaction, datasource: Datasource, row_filter: RowFilter, *, after: int, limit: int
) -> list[DataRow]:
    """Up to `limit` rows behind the number `after` that fit, in their order (`skip` and `key` are not looked at)."""
    columns = datasource.names if row_filter.shown is None else row_filter.shown | {datasource.key_column}
    matcher = RowMatcher.of(row_filter.text, columns, row_filter.by or {})
    if not matcher.columns:
        return await row_store.list_after(tx, datasource, after, limit)
    while True:
        try:
            return await _find_rows(tx, datasource, matcher, row_filter.by or {}, after, limit)
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
    """The numbers of rows that may fit, in order."""
    segments = [one for one in await _cache.segments(tx, datasource) if one.numbers[-1] > after]
    columns = matcher.columns
    step = max(1, _TEXTS_PER_STEP // len(columns))
    for start in range(0, len(segments), step):
        batch = segments[start : start + step]
        for segment, texts in zip(batch, await _cache.texts(tx, datasource, batch, columns), strict=True):
            places = matcher.places(texts, len(segment.numbers))
            if numbers := [number for place in places if (number := segment.numbers[place]) > after]:
                yield numbers
        await asyncio.sleep(0)


async def _load_matching(
    tx: ReadTransaction, datasource: Datasource, numbers: Sequence[int], cells: Mapping[str, str], limit: int
) -> list[DataRow]:
    """Up to `limit` of the rows with these numbers that are seen and have these cells."""
    found: list[DataRow] = []
    step = limit
    while numbers and len(found) < limit:
        rows = await row_store.find_by_numbers(tx, datasource, numbers[:step])
        found += [row for row in rows if has_cells(row.data, cells)]
        numbers, step = numbers[step:], 1000
    return found[:limit]


def has_cells(data: str, wanted: Mapping[str, str] | None) -> bool:
    """Whether a row has all of these cells."""
    if not wanted:
        return True
    cells = _decode(data)
    return all(cells.get(column, "") == value for column, value in wanted.items())
