"""Compaction of search segments: merging small segments, and dropping rows that have ended."""

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


async def merge_last(tx: WriteTransaction, datasource: Datasource, version: int) -> None:
    """Merge the last segments of this version, so that imports of single rows do not create many small segments.

    The sizes are chosen so that each row is rewritten about ten times at most.
    """
    segments = await text_segments.list_segments(tx, replace(datasource, version=version))
    count = count_mergeable([len(segment.numbers) for segment in segments])
    if count > 1:
        await _rewrite(tx, datasource, segments[-count:])


def count_mergeable(sizes: Sequence[int]) -> int:
    """Return how many segments to merge, counted from the last: until one is larger than all after it together."""
    total = count = 0
    for size in reversed(sizes):
        if count and (size > total or total + size > SEGMENT_ROWS):
            break
        total, count = total + size, count + 1
    return count


async def compact(db: Database, datasource: Datasource) -> None:
    """Rewrite segments with deleted rows or with mostly ended rows, and then merge small neighbours.

    It works in small transactions. If it is interrupted, the next call continues.
    """
    async with db.reading(long=True) as tx:
        sparse = [
            segment
            for segment in await text_segments.list_segments(tx, datasource)
            if await _is_sparse(tx, datasource, segment)
        ]
    for segment in sparse:
        await _merge(db, datasource, [segment])
    async with db.reading(long=True) as tx:
        segments = await text_segments.list_segments(tx, datasource)
    for group in group_small([len(segment.numbers) for segment in segments]):
        await _merge(db, datasource, segments[group])


async def _is_sparse(tx: ReadTransaction, datasource: Datasource, segment: Segment) -> bool:
    stored, current = await row_store.count_between(tx, datasource, segment.numbers[0], segment.numbers[-1])
    return stored < len(segment.numbers) or 2 * current <= len(segment.numbers)


def group_small(sizes: Sequence[int]) -> Iterator[slice]:
    """Yield the slices of neighbouring segments to merge: all of them at most half of the maximum size."""
    start = total = 0
    # The full segment at the end closes the last group.
    for index, size in enumerate([*sizes, SEGMENT_ROWS]):
        is_large = 2 * size > SEGMENT_ROWS
        if is_large or total + size > SEGMENT_ROWS:
            if index - start > 1:
                yield slice(start, index)
            start, total = (index + 1, 0) if is_large else (index, size)
        else:
            total += size


async def _merge(db: Database, datasource: Datasource, old: Sequence[Segment]) -> None:
    """Rewrite these segments as one, unless another process already has."""
    async with db.writing() as tx:
        current = await store.find_for_update(tx, Scope(datasource.customer_id), datasource.id)
        if current is None:
            return
        current_ids = {segment.id for segment in await text_segments.list_segments(tx, current)}
        if all(segment.id in current_ids for segment in old):
            await _rewrite(tx, current, old)


async def _rewrite(tx: WriteTransaction, datasource: Datasource, old: Sequence[Segment]) -> None:
    rows = await row_store.list_between(tx, datasource, old[0].numbers[0], old[-1].numbers[-1])
    await text_segments.delete(tx, datasource, [segment.id for segment in old])
    if rows:
        since = min(segment.since for segment in old)
        await text_segments.insert(tx, datasource, since, [(row.number, _cells(row.data)) for row in rows])
