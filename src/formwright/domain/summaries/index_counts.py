"""Summarizing all submissions of a form from the index of answers, without reading their answers.

Only if the index has everything that the summary says: see `can_count`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar, cast

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import Database, ReadTransaction
from formwright.core.offload import offload
from formwright.domain.forms.indexing import indexed_fields
from formwright.domain.forms.indexing.indexed_fields import IndexState
from formwright.domain.submissions import answer_counts
from formwright.domain.submissions.answer_counts import Counts, TruncatedText, Values
from formwright.domain.summaries.accumulators import (
    ChoicesAccumulator,
    IndexedAccumulator,
    LookupAccumulator,
    LookupsAccumulator,
    TextAccumulator,
)
from formwright.domain.summaries.builder import FieldBuilder, SummaryBuilder
from formwright.domain.summaries.fields import SummaryFields
from formwright.domain.summaries.models import MAX_TEXTS, SummaryKind
from formwright.domain.summaries.periods import plan_moments

T = TypeVar("T")
_BATCH = 20_000
"""How many values are read at once."""
_NUMBERS = frozenset(
    {SummaryKind.NUMBER, SummaryKind.RATING, SummaryKind.NPS, SummaryKind.SLIDER, SummaryKind.DATETIME}
)
_TEXTS = frozenset(
    {
        SummaryKind.TEXT,
        SummaryKind.CHOICE,
        SummaryKind.CHOICES,
        SummaryKind.BOOLEAN,
        SummaryKind.DATE,
        SummaryKind.TIME,
        SummaryKind.LOOKUP,
        SummaryKind.LOOKUPS,
    }
)
"""The kinds of fields that can be counted, by the column of the index that has their answers."""


async def count(
    db: Database, actor: Actor, form_id: str, fields: SummaryFields, time_zone: str
) -> SummaryBuilder | None:
    """Count all submissions of a form; None if the index does not have what the summary needs."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    if not await _check(db, actor, form_id, fields):
        return None
    counter = _Counter(db, scope, form_id, SummaryBuilder(fields, time_zone))
    try:
        # Two queries at a time: the database can use a second processor, and has connections left for others.
        await asyncio.gather(counter.count_submissions(), counter.count_fields())
    except TruncatedText:
        return None
    # A version that was published in the meantime may have removed entries.
    return counter.finish() if await _check(db, actor, form_id, fields) else None


async def _check(db: Database, actor: Actor, form_id: str, fields: SummaryFields) -> bool:
    async with db.reading() as tx:
        return await can_count(tx, actor, form_id, fields)


async def can_count(tx: ReadTransaction, actor: Actor, form_id: str, fields: SummaryFields) -> bool:
    """Whether the index has all answers to these fields.

    The index does not have the version of a submission, so all final versions must have the fields. It does not have
    the rows of repeats either, and of a location or of files not what the summary says about them.
    """
    versions = [set(ids) for ids in fields.by_version.values()]
    if not all(
        not id_.repeat and id_.kind in _NUMBERS | _TEXTS and all(id_ in ids for ids in versions)
        for id_ in fields.fields
    ):
        return False
    names = [id_.name for id_ in fields.fields]
    found = await indexed_fields.find_by_names(tx, actor, names, form_ids=[form_id])
    ready = {one.field.name for one in found if one.index is IndexState.READY}
    return ready.issuperset(names)


class _Counter:
    """Reads the counts of one form into a builder."""

    def __init__(self, db: Database, scope: Scope, form_id: str, builder: SummaryBuilder) -> None:
        self._db, self._scope, self._form_id, self._builder = db, scope, form_id, builder

    async def count_submissions(self) -> None:
        """Count the submissions by status, and over time."""
        builder = self._builder
        builder.statuses.update(await self._read(answer_counts.count_statuses))
        if times := await self._read(answer_counts.find_first_and_last):
            plan = plan_moments(*times, builder.time_zone)
            below = await self._read(answer_counts.count_below, [int(edge) for edge in plan.edges])
            builder.set_periods(plan.build(below, builder.submissions))
        builder.add_fill_times(await self._read(answer_counts.list_median_fill_times))

    async def count_fields(self) -> None:
        """Count the answers to all fields."""
        for id_, field in self._builder.fields.items():
            if isinstance(field.accumulator, TextAccumulator):
                await self._read_values(
                    partial(_add_texts, field, field.accumulator), answer_counts.list_texts, id_.name
                )
            else:
                read = answer_counts.count_numbers if id_.kind in _NUMBERS else answer_counts.count_texts
                await self._read_counts(partial(_add_counts, field), read, id_.name)
            await self._complete(field, id_.name)

    async def _complete(self, field: FieldBuilder, name: str) -> None:
        """Read what cannot be known from the values and their numbers."""
        accumulator = field.accumulator
        match accumulator:
            case ChoicesAccumulator() | LookupsAccumulator():
                field.answered = accumulator.add_answered(await self._read(answer_counts.count_submissions, name))
            case TextAccumulator():
                accumulator.add_newest(await self._read(answer_counts.list_newest, name, MAX_TEXTS))
        match accumulator:
            case LookupAccumulator():
                for key, _ in accumulator.most_frequent():
                    accumulator.add_newest(await self._read(answer_counts.list_newest, name, 1, key))

    async def _read_values(
        self, add: Callable[[list[Any]], object], read: Callable[..., Awaitable[Values]], *args: Any
    ) -> None:
        values, end = await self._read(read, *args, None, _BATCH)
        while end:
            # The database reads the next batch while this one is counted.
            _, (values, end) = await asyncio.gather(offload(add, values), self._read(read, *args, end, _BATCH))
        await offload(add, values)

    async def _read_counts(
        self, add: Callable[[Counts], object], read: Callable[..., Awaitable[Counts]], *args: Any
    ) -> None:
        page = await self._read(read, *args, None, _BATCH)
        while page:
            _, page = await asyncio.gather(offload(add, page), self._read(read, *args, page[-1][0], _BATCH))

    async def _read(self, read: Callable[..., Awaitable[T]], *args: Any) -> T:
        async with self._db.reading(long=True, listing=True) as tx:
            return await read(tx, self._scope, self._form_id, *args)

    def finish(self) -> SummaryBuilder:
        """Return the builder with everything that was read."""
        for field in self._builder.fields.values():
            # While the counts were read, submissions may have been added.
            field.total = max(self._builder.submissions, field.answered)
        return self._builder


def _add_texts(field: FieldBuilder, accumulator: TextAccumulator, texts: list[str]) -> None:
    accumulator.add_texts(texts)
    field.answered += len(texts)


def _add_counts(field: FieldBuilder, counts: Counts) -> None:
    field.answered += cast(IndexedAccumulator, field.accumulator).add_counts(counts)
