"""Counts from the index of answers, over all submissions of a form.

Values are read in ascending order and in batches. Callers check the permission, and that the index of a field is
complete.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import Query
from formwright.domain.submissions.answer_filters_sql import INDEXED_TEXT

Counts = Sequence[tuple[Any, int]]
"""Different values in ascending order, each with how often it occurs."""
Place = tuple[Any, ...]
Values = tuple[list[Any], Place | None]
"""Values, and the place after which there are more; None if there are no more."""
_JOIN_TEXTS = "/*postgres string_agg*//*sqlite group_concat*/"
_FIRST_TEXT: Place = ("", 2**62, "")
"""The place of the last empty text. With `text > ''` instead, SQLite would search by that and not by the place."""
_FIRST_TIME = -(2**62)
_texts = msgspec.json.Decoder(list[str])


class TruncatedText(Exception):
    """The index has only the beginning of a text, so the texts cannot be counted."""


async def count_statuses(tx: ReadTransaction, scope: Scope, form_id: str) -> dict[str, int]:
    """Return the number of submissions by status."""
    query = _of_form("SELECT status, count(*) FROM submissions", scope, form_id)
    return {row[0]: row[1] for row in await tx.fetch(f"{query.sql()} GROUP BY status", *query.args)}


async def find_first_and_last(tx: ReadTransaction, scope: Scope, form_id: str) -> tuple[int, int] | None:
    """Return the first and the last of the times by which lists order submissions (milliseconds); None without any."""
    query = _of_form("SELECT at FROM submissions", scope, form_id)
    first = await tx.fetch_one(f"{query.sql()} ORDER BY at, id LIMIT 1", *query.args)
    last = await tx.fetch_one(f"{query.sql()} ORDER BY at DESC, id DESC LIMIT 1", *query.args)
    return (first[0], last[0]) if first and last else None


async def count_below(tx: ReadTransaction, scope: Scope, form_id: str, edges: Sequence[int]) -> list[int]:
    """Return how many submissions are before each of these times, which are in ascending order (milliseconds)."""
    # In one statement, which reads each entry of the database index once.
    query = _of_form("SELECT count(*) FROM submissions", scope, form_id)
    ranges = query.bind(msgspec.json.encode(list(zip([_FIRST_TIME, *edges], edges, strict=False))).decode())
    start, end = (f"CAST(ranges.value->>{index} AS bigint)" for index in (0, 1))
    each = f"/*postgres jsonb_array_elements({ranges}::jsonb)*//*sqlite json_each({ranges})*/ AS ranges"
    counted = f"{query.sql()} AND at >= {start} AND at < {end}"
    rows = await tx.fetch(f"SELECT ({counted}) FROM {each} ORDER BY {start}", *query.args)
    return list(accumulate(row[0] for row in rows))


async def list_median_fill_times(tx: ReadTransaction, scope: Scope, form_id: str) -> list[int]:
    """Return the one or two fill times in the middle (milliseconds), whose median is that of all.

    Submissions that took no time are left out.
    """
    number = _of_form("SELECT count(*) FROM submissions", scope, form_id).where("submitted > started")
    row = await tx.fetch_one(number.sql(), *number.args)
    if not row or not row[0]:
        return []
    limit, offset = 2 - row[0] % 2, (row[0] - 1) // 2
    query = _of_form("SELECT submitted - started FROM submissions", scope, form_id).where("submitted > started")
    rows = await tx.fetch(f"{query.sql()} ORDER BY submitted - started LIMIT {limit} OFFSET {offset}", *query.args)
    return [row[0] for row in rows]


async def list_texts(
    tx: ReadTransaction, scope: Scope, form_id: str, field: str, after: Place | None, limit: int
) -> Values:
    """Return the next `limit` texts of a field that are not empty. Raises `TruncatedText`."""
    query = _of_field("SELECT {} FROM answer_index", scope, form_id, field).where("text IS NOT NULL")
    column = "/*postgres json_agg(text)::text*//*sqlite json_group_array(text)*/"
    joined, end = await _fetch_joined(tx, query, "text, at, submission_id", column, after or _FIRST_TEXT, limit)
    texts = _texts.decode(joined or "[]")
    if texts and max(map(len, texts)) >= INDEXED_TEXT:
        raise TruncatedText()
    return texts, end


async def count_texts(
    tx: ReadTransaction, scope: Scope, form_id: str, field: str, after: str | None, limit: int
) -> Counts:
    """Return the next `limit` different texts of a field that are not empty. Raises `TruncatedText`."""
    query = _of_field("SELECT text, count(*) FROM answer_index", scope, form_id, field).where("text > ?", after or "")
    rows = await tx.fetch(f"{query.sql()} GROUP BY text ORDER BY text LIMIT {limit}", *query.args)
    if any(len(row[0]) >= INDEXED_TEXT for row in rows):
        raise TruncatedText()
    return [(row[0], row[1]) for row in rows]


async def count_numbers(
    tx: ReadTransaction, scope: Scope, form_id: str, field: str, after: float | None, limit: int
) -> Counts:
    """Return the next `limit` different numbers of a field."""
    query = _of_field("SELECT number, count(*) FROM answer_index", scope, form_id, field)
    query.where("number IS NOT NULL") if after is None else query.where("number > ?", after)
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
    tx: ReadTransaction, query: Query, key: str, joined: str, after: Place | None, limit: int
) -> tuple[str | None, Place | None]:
    """Return the next rows as one text, because single rows would take Python longer, and the place of the last.

    The rows are found by their first and last place, so that the database only reads an index. `key` are the columns
    of a place.
    """
    if after:
        query.where(f"({key}) > ({', '.join('?' for _ in after)})", *after)
    places = query.sql().replace("{}", key, 1)
    last = await tx.fetch_one(f"{places} ORDER BY {key} LIMIT 1 OFFSET {limit - 1}", *query.args)
    if last:
        query.where(f"({key}) <= ({', '.join('?' for _ in last)})", *last)
    row = await tx.fetch_one(query.sql().replace("{}", joined, 1), *query.args)
    return (row[0] if row else None), (tuple(last) if last else None)
