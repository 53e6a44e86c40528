"""The index of answers to the fields that a form marks as indexed.

A submission is indexed when it is written, by the fields that the published version marks at that time. The worker adds
older submissions. Until it has added all of them, lists filter by the field as by one that is not indexed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import structlog

from formwright.core.auth.actor import Scope
from formwright.core.clock import parse_timestamp
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.core.errors import Unavailable
from formwright.domain.forms.indexing import indexed_fields
from formwright.domain.forms.indexing.indexed_fields import FilterableField, ValueType
from formwright.domain.submissions import answer_index_store
from formwright.domain.submissions.answer_filters import Condition, Value, add_seconds
from formwright.domain.submissions.answer_filters_sql import INDEXED_TEXT
from formwright.domain.submissions.answer_index_store import IndexEntry

BATCH_SIZE = 500

log = structlog.get_logger()


async def index_submission(
    tx: WriteTransaction,
    scope: Scope,
    *,
    form_id: str,
    published: str | None,
    submission_id: str,
    data: str,
    at: int,
    new: bool,
) -> None:
    """Index the answers of a submission. `at` is its time in lists, and `published` the form's published version."""
    fields = await indexed_fields.list_indexed(tx, scope, form_id=form_id, version_id=published)
    if fields:
        # Entries of fields that are no longer indexed may remain: the answers of all matches are compared again.
        if not new:
            await answer_index_store.delete_entries(tx, scope, [submission_id])
        await answer_index_store.insert(tx, scope, form_id, list(build_entries(submission_id, data, at, fields)))


def build_entries(submission_id: str, data: str, at: int, fields: Sequence[FilterableField]) -> Iterator[IndexEntry]:
    """Yield the index entries of a submission: one for each different value of a field."""
    answers = msgspec.json.decode(data)
    for field in fields:
        values = dict.fromkeys(
            kept for value in _extract_values(answers, field) if (kept := _to_index_columns(field.value_type, value))
        )
        for place, (text, number) in enumerate(values):
            yield IndexEntry(submission_id, field.name, place, text, number, at)


def _extract_values(answers: Any, field: FilterableField) -> Iterable[Any]:
    """Return the answers to a field, also from the rows of a repeat. Values of an unexpected type are skipped."""
    holders = [answers]
    for repeat in field.repeats:
        lists = [holder.get(repeat) for holder in holders if isinstance(holder, dict)]
        holders = [row for rows in lists if isinstance(rows, list) for row in rows]
    for step in field.name.split("."):
        holders = [holder.get(step) for holder in holders if isinstance(holder, dict)]
    if field.is_list:
        return [value for values in holders if isinstance(values, list) for value in values]
    return holders


def _to_index_columns(holds: ValueType, value: Any) -> tuple[str | None, float | None] | None:
    typed = _to_comparable(holds, value)
    if typed is None:
        return None
    return (typed[:INDEXED_TEXT], None) if isinstance(typed, str) else (None, typed)


def _to_comparable(holds: ValueType, value: Any) -> Value | None:
    match holds, value:
        case ValueType.NUMBER, bool():
            return None
        case ValueType.NUMBER, int() | float():
            return _to_float(value)
        case ValueType.FLAG, bool():
            return str(value).lower()
        case ValueType.MOMENT, str():
            return parse_timestamp(value)
        case ValueType.TIME, str():
            return add_seconds(value)
        case ValueType.TEXT | ValueType.WORD | ValueType.DAY, str():
            return value
    return None


def matches(condition: Condition, answers: Any) -> bool:
    """Whether the answers contain one of the condition's values, with the same comparison as in the databases."""
    return any(
        _to_comparable(alternative.field.value_type, value) in alternative.values
        for alternative in condition.alternatives
        for value in _extract_values(answers, alternative.field)
    )


def _to_float(value: float) -> float | None:
    try:
        return float(value)
    except OverflowError:  # An integer beyond the range of a double never matches.
        return None


async def run_backfill_step(db: Database, customer_id: str) -> bool:
    """Index the next batch of older submissions of each form of an account; returns False if nothing could be done.

    If a form fails, the others continue.
    """
    async with db.reading() as tx:
        waiting = await indexed_fields.list_unfinished(tx, Scope(customer_id))
    done = [await _backfill_form(db, customer_id, form_id) for form_id in waiting]
    return any(done)


async def has_unfinished(tx: ReadTransaction, customer_id: str) -> bool:
    """Return whether `run_backfill_step` has more to do."""
    return bool(await indexed_fields.list_unfinished(tx, Scope(customer_id)))


async def find_due_accounts(tx: ReadTransaction) -> list[str]:
    """Return the ids of all accounts with an index that has to be filled or cleared."""
    return await indexed_fields.find_unfinished_accounts(tx)


async def _backfill_form(db: Database, customer_id: str, form_id: str) -> bool:
    try:
        async with db.writing() as tx:
            # Writers of submissions wait for this lock, so the answers cannot change before they are indexed.
            await account_lock.next_timestamp(tx, customer_id)
            await _backfill_batch(tx, Scope(customer_id), form_id)
    except Unavailable:
        raise
    except Exception:
        log.exception("cannot index the answers of a form", customer=customer_id, form=form_id)
        return False
    return True


async def _backfill_batch(tx: WriteTransaction, scope: Scope, form_id: str) -> None:
    leaving = await indexed_fields.list_leaving(tx, scope, form_id=form_id)
    for name in leaving:
        if await answer_index_store.delete_field_entries(tx, scope, form_id, name, BATCH_SIZE) < BATCH_SIZE:
            await indexed_fields.mark_cleared(tx, scope, form_id=form_id, name=name)
    after, fields = await indexed_fields.next_backfill(tx, scope, form_id=form_id)
    if not fields:
        return
    rows = await answer_index_store.list_answers_after(tx, scope, form_id, after, BATCH_SIZE)
    ids = [row.id for row in rows]
    for field in fields:
        # Submissions that were written since the field was marked have entries already.
        await answer_index_store.delete_entries(tx, scope, ids, field.name)
    await answer_index_store.insert(
        tx, scope, form_id, [entry for row in rows for entry in build_entries(*row, fields)]
    )
    place = rows[-1].place if len(rows) == BATCH_SIZE else None
    await indexed_fields.mark_filled(tx, scope, form_id=form_id, names=[field.name for field in fields], position=place)
