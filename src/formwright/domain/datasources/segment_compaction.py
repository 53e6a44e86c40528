"""Keeps segments few and full: small ones are joined, and rows that ended are left out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.domain.datasources import row_store, store
from formwright.domain.datasources.limits import SEGMENT_ROWS
from formwright.domain.datasources.models import Datasource
from formwright.domain.datasources.search import text_segments
from formwright.domain.datasources.search.text_segments import Segment

_cells = msgspec.json.Decoder(dict[str, str]).decode


async def join_last(tx: WriteTransaction, of: Datasource, version: int) -> None:
    """Make one of the last ones of this version. Who writes single rows writes each of them again about ten times."""
    there = await text_segments.every(tx, replace(of, version=version))
    count = joined([len(segment.numbers) for segment in there])
    if count > 1:
        await _rewrite(tx, of, there[-count:])


def joined(sizes: Sequence[int]) -> int:
    """How many of the last become one: as long as one is not larger than all behind it."""
    total = count = 0
    for size in reversed(sizes):
        if count and (size > total or total + size > SEGMENT_ROWS):
            break
        total, count = total + size, count + 1
    return count


async def tidy(db: Database, of: Datasource) -> None:
    """Leave out what ended where that is half of a segment or more, and what was forgotten; join what is small then.

    What is interrupted is finished by the next call.
    """
    async with db.reading(long=True) as tx:
        thin = [segment for segment in await text_segments.every(tx, of) if await _is_thin(tx, of, segment)]
    for segment in thin:
        await _again(db, of, [segment])
    async with db.reading(long=True) as tx:
        there = await text_segments.every(tx, of)
    for group in together([len(segment.numbers) for segment in there]):
        await _again(db, of, there[group])


async def _is_thin(tx: ReadTransaction, of: Datasource, segment: Segment) -> bool:
    kept, live = await row_store.counts(tx, of, segment.numbers[0], segment.numbers[-1])
    return kept < len(segment.numbers) or 2 * live <= len(segment.numbers)


def together(sizes: Sequence[int]) -> Iterator[slice]:
    """Neighbours that become one: all at most half as large as one may be."""
    start = total = 0
    for place, size in enumerate([*sizes, SEGMENT_ROWS]):
        large = 2 * size > SEGMENT_ROWS
        if large or total + size > SEGMENT_ROWS:
            if place - start > 1:
                yield slice(start, place)
            start, total = (place + 1, 0) if large else (place, size)
        else:
            total += size


async def _again(db: Database, of: Datasource, old: Sequence[Segment]) -> None:
    """Write these again as one, unless another process did."""
    async with db.writing() as tx:
        now = await store.locked(tx, Scope(of.customer_id), of.id)
        if now is None:
            return
        there = {segment.id for segment in await text_segments.every(tx, now)}
        if all(segment.id in there for segment in old):
            await _rewrite(tx, now, old)


async def _rewrite(tx: WriteTransaction, of: Datasource, old: Sequence[Segment]) -> None:
    rows = await row_store.between(tx, of, old[0].numbers[0], old[-1].numbers[-1])
    await text_segments.remove(tx, of, [segment.id for segment in old])
    if rows:
        since = min(segment.since for segment in old)
        await text_segments.put(tx, of, since, [(row.number, _cells(row.data)) for row in rows])
