"""Counts from the index of answers, over all submissions of a form.

Values are read in ascending order and in batches, each with the number of submissions that have it. Callers check the
permission, and that the index of a field is complete.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import Query
from formwright.domain.submissions import answer_index_store
from formwright.domain.submissions.answer_filters_sql import INDEXED_TEXT

Counts = Sequence[tuple[Any, int]]
"""Different values in ascending order, each with its number."""
_JOIN_TEXTS = "/*postgres string_agg*//*sqlite group_concat*/"
_INTEGERS = f"{_JOIN_TEXTS}(CAST(value AS text), ',')"
_TEXTS = "/*postgres json_agg(value)::text*//*sqlite json_group_array(value)*/"
_integers = msgspec.json.Decoder(list[int])
_texts = msgspec.json.Decoder(list[str])


class TruncatedText(Exception):
    """The index has only the beginning of a text, so the texts cannot be counted."""


async def has_all_times(tx: ReadTransaction, scope: Scope) -> bool:
    """Whether all entries have a time. Those of an earlier release get one from the worker."""
    return not await answer_index_store.find_untimed_entries(tx, scope, 1)


async def count_statuses(tx: ReadTransaction, scope: Scope, form_id: str) -> dict[str, int]:
    """Return the number of submissions by status."""
    query = _of_form("SELECT status, count(*) FROM submissions", scope, form_id)
    return {row[0]: row[1] for row in await tx.fetch(f"{query.sql()} GROUP BY status", *query.args)}


async def count_times(tx: ReadTransaction, scope: Scope, form_id: str, after: int | None, limit: int) -> Counts:
    """Return the next `limit` times by which lists order submissions (milliseconds)."""
    query = _of_form("SELECT at AS value, count(*) AS n FROM submissions", scope, form_id)
    if after is not None:
        query.where("at > ?", after)
    found = await _fetch_joined(tx, query, "at", _INTEGERS, limit)
    return list(zip(_integers.decode(f"[{found[0]}]"), found[1], strict=True)) if found else []


async def list_fill_times(tx: ReadTransaction, scope: Scope, form_id: str) -> list[int]:
    """Return how long it took to fill in the submissions (milliseconds), without those that took no time."""
    query = _of_form(f"SELECT {_JOIN_TEXTS}(CAST(submitted - started AS text), ',') FROM submissions", scope, form_id)
    row = await tx.fetch_one(query.where("submitted > started").sql(), *query.args)
    return _integers.decode(f"[{row[0]}]") if row and row[0] else []


async def count_texts(
    tx: ReadTransaction, scope: Scope, form_id: str, field: str, after: str | None, limit: int
) -> Counts:
    """Return the next `limit` texts of a field that are not empty. Raises `TruncatedText`."""
    query = _of_field("SELECT text AS value, count(*) AS n FROM answer_index", scope, form_id, field)
    found = await _fetch_joined(tx, query.where("text > ?", after or ""), "text", _TEXTS, limit)
    if not found:
        return []
    texts = _texts.decode(found[0])
    if max(map(len, texts)) >= INDEXED_TEXT:
        raise TruncatedText()
    return list(zip(texts, found[1], strict=True))


async def count_numbers(
    tx: ReadTransaction, scope: Scope, form_id: str, field: str, after: float | None, limit: int
) -> Counts:
    """Return the next `limit` numbers of a field."""
    query = _of_field("SELECT number, count(*) FROM answer_index", scope, form_id, field)
    query.where("number IS NOT NULL") if after is None else query.where("number > ?", after)
    # Not joined as texts, for which SQLite would round the numbers.
    rows = await tx.fetch(f"{query.sql()} GROUP BY number ORDER BY number LIMIT {limit}", *query.args)
    return [(row[0], row[1]) for row in rows]


async def count_submissions(tx: ReadTransaction, scope: Scope, form_id: str, field: str) -> int:
    """Return the number of submissions with a text in a field that has several."""
    query = _of_field("SELECT submission_id FROM answer_index", scope, form_id, field).where("text > ''")
    row = await tx.fetch_one(f"SELECT count(*) FROM ({query.sql()} GROUP BY submission_id) AS found", *query.args)
    return int(row[0]) if row else 0


async def list_newest(
    tx: ReadTransaction, scope: Scope, form_id: str, field: str, limit: int, text: str | None = None
) -> list[tuple[str, str]]:
    """Return the ids and the texts of the newest submissions with a text in a field, or only with this `text`."""
    query = _of_field("SELECT submission_id, text FROM answer_index", scope, form_id, field)
    query.where("text > ''") if text is None else query.where("text = ?", text)
    rows = await tx.fetch(f"{query.sql()} ORDER BY at DESC, submission_id DESC LIMIT {limit}", *query.args)
    return [(row[0], row[1]) for row in rows]


def _of_form(select: str, scope: Scope, form_id: str) -> Query:
    return Query(select, scope.customer_id).in_scope(scope).where("form_id = ?", form_id)


def _of_field(select: str, scope: Scope, form_id: str, field: str) -> Query:
    return _of_form(select, scope, form_id).where("field = ?", field)


async def _fetch_joined(
    tx: ReadTransaction, query: Query, column: str, values: str, limit: int
) -> tuple[str, list[int]] | None:
    """Return the next values, joined by the database because single rows would take Python longer, and their counts."""
    rows = f"{query.sql()} GROUP BY {column} ORDER BY {column} LIMIT {limit}"
    sql = f"SELECT {values}, {_JOIN_TEXTS}(CAST(n AS text), ',') FROM ({rows}) AS page"
    row = await tx.fetch_one(sql, *query.args)
    return (row[0], _integers.decode(f"[{row[1]}]")) if row and row[1] else None
