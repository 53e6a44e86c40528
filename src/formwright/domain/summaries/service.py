"""Computing the summary of a form."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction
from formwright.core.lru_cache import LRUCache
from formwright.core.offload import offload
from formwright.core.pagination import Window
from formwright.domain.customers import service as customers
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.models import FormNotFound
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.answer_pages import AnswersPage
from formwright.domain.submissions.models import SortOrder, SubmissionFilter
from formwright.domain.summaries import index_counts
from formwright.domain.summaries.builder import Batch, SummaryBuilder, decode_batch
from formwright.domain.summaries.fields import SummaryField, SummaryFields, collect_fields, find_split, select
from formwright.domain.summaries.models import FormSummary
from formwright.domain.summaries.row_labels import label_rows
from formwright.domain.summaries.splitting import AnswerCounter, AnswerReader, SplitBuilder

_FIRST_BATCH, _MIN_BATCH, _MAX_BATCH = 500, 50, 10_000
_BATCH_BYTES = 2 * 1024 * 1024
"""The size that batches aim at: decoding one takes about ten milliseconds, however long the answers are."""
_cache = LRUCache[str, FormSummary](16)
"""Summaries by scope, filter, fields and change of the account."""


class CannotSplit(ValueError):
    """The form has no single choice with this name, outside repeats and in its published version."""


class _Builder(Protocol):
    def add(self, batch: Batch) -> int: ...


@dataclass(frozen=True, slots=True)
class SummaryPlan:
    """The fields of a form to summarize. Days are in `time_zone`, that of the account.

    `stamp` is the last change of the account when the plan was made.
    """

    form_id: str
    fields: SummaryFields
    time_zone: str
    stamp: tuple[int, int]
    names: frozenset[str] | None = None
    """The names of the fields to return; None returns all."""
    split: SummaryField | None = None
    """The single choice by which the submissions are split."""

    @property
    def selected(self) -> SummaryFields:
        """The fields to return."""
        return select(self.fields, self.names)

    def split_by(self, name: str) -> "SummaryPlan":
        """Return the plan with the submissions split by a single choice. Raises `CannotSplit`."""
        found = find_split(self.fields, name)
        if found is None or (self.names is not None and name not in self.names):
            raise CannotSplit()
        return replace(self, split=found)


async def plan(tx: ReadTransaction, actor: Actor, *, form_id: str) -> SummaryPlan:
    """Return the plan for all fields of a form. Raises `FormNotFound`, also if its submissions may not be read."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    form = await forms.find(tx, scope, form_id)
    if form is None:
        raise FormNotFound()
    final = await versions.list_final(tx, scope, form_id=form.id)
    fields = collect_fields(final, form.published_version_id)
    time_zone = (await customers.get(tx, actor)).time_zone
    return SummaryPlan(form.id, fields, time_zone, await account_lock.change_stamp(tx, scope.customer_id))


async def compute(
    db: Database,
    actor: Actor,
    prepared: SummaryPlan,
    criteria: SubmissionFilter,
    report: Callable[[int], None] = lambda count: None,
) -> FormSummary:
    """Compute the summary of the submissions that match a filter. `report` is called with the number counted so far.

    If nothing restricts the submissions of the form, and the index of answers has all fields, the index is counted.
    Otherwise the submissions are read in batches. Each batch is read in a transaction of its own, and counted in
    another thread. So neither writers nor other requests wait, but the summary may contain a part of the changes made
    while it is computed. If there were none, the summary is cached until the account changes.
    """
    scope, own = allow(actor, Permission.SUBMISSIONS_READ), _restrict(criteria, prepared.form_id)
    selected = prepared.selected
    split = prepared.split and prepared.split.id
    key = repr((scope, own, prepared.form_id, list(selected.fields), split, prepared.time_zone, prepared.stamp))
    if cached := _cache.get(key):
        return cached

    indexed = None
    if split is None and not own.has_conditions:
        indexed = await index_counts.count(db, actor, prepared.form_id, selected, prepared.time_zone)
    builder = indexed or await _count_answers(db, actor, prepared, own, report)
    found = await offload(builder.build, prepared.form_id)
    async with db.reading(long=True) as tx:
        found = await label_rows(tx, actor, found, selected)
        is_current = await account_lock.change_stamp(tx, scope.customer_id) == prepared.stamp
    return _cache.put(key, found) if is_current else found


async def _count_answers(
    db: Database, actor: Actor, prepared: SummaryPlan, criteria: SubmissionFilter, report: Callable[[int], None]
) -> SummaryBuilder | SplitBuilder:
    async def read(window: Window) -> AnswersPage:
        async with db.reading(long=True, listing=True) as tx:
            return await submissions.answers_page(tx, actor, criteria, window)

    async def read_into(builder: _Builder) -> None:
        def add(page: AnswersPage) -> int:
            return builder.add(decode_batch(page))

        limit = _FIRST_BATCH
        page = await read(Window(limit))
        while page.next:
            limit = min(max(limit * _BATCH_BYTES // len(page.data), _MIN_BATCH), _MAX_BATCH)
            # The database reads the next batch while this one is counted.
            following = read(Window(limit, page.next))
            count, page = await asyncio.gather(offload(add, page), following)
            report(count)
        report(await offload(add, page))

    time_zone, selected = prepared.time_zone, prepared.selected
    builder: SummaryBuilder | SplitBuilder = SummaryBuilder(selected, time_zone)
    if prepared.split:
        counter = AnswerCounter(AnswerReader(prepared.fields, prepared.split))
        await read_into(counter)
        builder = SplitBuilder(prepared.fields, selected, time_zone, prepared.split, counter.groups())
    await read_into(builder)
    return builder


def _restrict(criteria: SubmissionFilter, form_id: str) -> SubmissionFilter:
    """Return the filter for one form, newest first, so that the first answers found are the newest ones."""
    own = criteria.restrict_to_forms([form_id])
    return replace(own, order=SortOrder.SUBMITTED_DESC, matches_nothing=own.matches_nothing or criteria.matches_nothing)
