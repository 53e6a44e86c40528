"""Rows by what somebody types: of 100,000 rows in a few milliseconds.

The text of the columns is gone through as it lies in memory, segment by segment. Only rows that hold what is sought
there are asked for: whether the datasource's version sees them is known by themselves.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

import msgspec

from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources import row_store
from formwright.domain.datasources.models import DataRow, Datasource, Search
from formwright.domain.datasources.search.cache import Memory, SegmentsGone
from formwright.domain.datasources.search.scanner import Sought

_TEXTS = 64
"""How many texts are gone through, about a millisecond, before others have their turn."""
_memory = Memory()
_decode = msgspec.json.Decoder(dict[str, str]).decode


async def search(tx: ReadTransaction, of: Datasource, wanted: Search, *, after: int, limit: int) -> list[DataRow]:
    """Up to `limit` rows behind the number `after` that fit, in their order (`skip` and `key` are not looked at)."""
    shown = of.names if wanted.shown is None else wanted.shown | {of.key_column}
    sought = Sought.of(wanted.text, shown, wanted.by or {})
    if not sought.columns:
        return await row_store.after(tx, of, after, limit)
    while True:
        try:
            return await _search(tx, of, sought, wanted.by or {}, after, limit)
        except SegmentsGone:
            continue


async def _search(
    tx: ReadTransaction, of: Datasource, sought: Sought, by: Mapping[str, str], after: int, limit: int
) -> list[DataRow]:
    found: list[DataRow] = []
    numbers: list[int] = []
    async for more in _numbers(tx, of, sought, after):
        numbers += more
        if len(found) + len(numbers) >= limit:
            found += await _rows(tx, of, numbers, by, limit - len(found))
            numbers = []
            if len(found) == limit:
                return found
    return found + await _rows(tx, of, numbers, by, limit - len(found))


async def _numbers(tx: ReadTransaction, of: Datasource, sought: Sought, after: int) -> AsyncIterator[list[int]]:
    """The numbers of rows that may fit, in order."""
    behind = [one for one in await _memory.segments(tx, of) if one.numbers[-1] > after]
    columns = sought.columns
    step = max(1, _TEXTS // len(columns))
    for start in range(0, len(behind), step):
        some = behind[start : start + step]
        for segment, texts in zip(some, await _memory.texts(tx, of, some, columns), strict=True):
            places = sought.places(texts, len(segment.numbers))
            if numbers := [number for place in places if (number := segment.numbers[place]) > after]:
                yield numbers
        await asyncio.sleep(0)


async def _rows(
    tx: ReadTransaction, of: Datasource, numbers: Sequence[int], by: Mapping[str, str], limit: int
) -> list[DataRow]:
    """Up to `limit` of the rows with these numbers that are seen and have these cells."""
    found: list[DataRow] = []
    step = limit
    while numbers and len(found) < limit:
        rows = await row_store.numbered(tx, of, numbers[:step])
        found += [row for row in rows if has_cells(row.data, by)]
        numbers, step = numbers[step:], 1000
    return found[:limit]


def has_cells(data: str, by: Mapping[str, str] | None) -> bool:
    """Whether a row has all of these cells."""
    if not by:
        return True
    cells = _decode(data)
    return all(cells.get(column, "") == value for column, value in by.items())
