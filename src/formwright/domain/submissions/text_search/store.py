"""The SQL of full-text search."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query, in_array
from formwright.core.work_kinds import WorkKind
from formwright.domain.submissions.models import Submission

FORMAT = 1
"""Increase it, and replace the database index, with each change of the stored text."""
IS_OUTDATED = f"search_text_as IS /*postgres DISTINCT FROM*//*sqlite NOT*/ updated * 1000 + {FORMAT}"
"""The text was built before the last change of the submission, or by an older release, or not yet."""
BLOCK_SIZE = 250
"""How many submissions share a signature."""
_MAX_UNINDEXED = 5000
_MIN_BLOCKS = 20
_END = 2**62
_WAKE_EVERY = 32
_SUBMISSION = ", ".join(Submission.__struct_fields__)


@dataclass(frozen=True, slots=True)
class Ranges:
    """The periods of last change (low < updated <= high) in which submissions can contain the words of a search."""

    periods: Sequence[tuple[int, int]]

    def to_json(self) -> str:
        return msgspec.json.encode(self.periods).decode()


@dataclass(frozen=True, slots=True)
class Block:
    """The texts of the submissions that were last changed in a period (low < updated <= high)."""

    low: int
    high: int
    texts: Sequence[str]


def to_columns(submission: Submission, text: str | None) -> tuple[str | None, int | None]:
    """Return the columns `search_text` and `search_text_as`: the text, and which change and format it is of."""
    return text, None if text is None else submission.updated * 1000 + FORMAT


def schedule_indexing(tx: WriteTransaction, submission: Submission) -> None:
    """Have a worker check whether there is enough for another block.

    Only about one change in 32 does, because scheduling is a statement of its own.
    """
    if submission.updated % _WAKE_EVERY == 0:
        tx.schedule(WorkKind.INDEX, submission.customer_id, submission.updated)


def where_contains(query: Query, words: Sequence[str]) -> None:
    """Require that the text contains all words.

    As for answers, the CASE keeps PostgreSQL from sorting the whole account for the few rows that it expects.
    """
    found = " AND ".join(
        f"/*postgres strpos(search_text, {at}::text)*//*sqlite instr(search_text, {at})*/ > 0"
        for at in (query.bind(word) for word in words)
    )
    query.where(f"/*postgres CASE WHEN */({found})/*postgres THEN true END*/")


IN_RANGES = (
    "/*postgres SELECT id FROM (SELECT (p ->> 0)::bigint AS low, (p ->> 1)::bigint AS high"
    " FROM jsonb_array_elements({ranges}::jsonb) AS p) AS periods CROSS JOIN LATERAL (*/{query}/*postgres  OFFSET 0)"
    " AS found*/"
)
"""The SQL of a `query` for ids that `restrict_to_ranges` has restricted. PostgreSQL reads each range in the index of
changes."""


JOIN_RANGES = "/*sqlite (SELECT value ->> 0 AS low, value ->> 1 AS high FROM json_each({ranges})) CROSS JOIN */"
"""What the FROM of such a query begins with, so that SQLite reads each range in the index of changes."""


def restrict_to_ranges(query: Query, ranges: Ranges) -> str:
    """Restrict a query to the ranges that `IN_RANGES` names, and return the placeholder of the ranges."""
    query.where("updated > low").where("updated <= high")
    return query.bind(ranges.to_json())


async def has_outdated(tx: ReadTransaction, scope: Scope) -> bool:
    return bool(await list_outdated(tx, scope, 1))


async def find_outdated_accounts(tx: ReadTransaction) -> list[str]:
    # One statement per account: PostgreSQL would read all submissions for one with DISTINCT.
    found: list[str] = []
    next_sql = (
        f"SELECT customer_id FROM submissions WHERE {IS_OUTDATED} AND customer_id > $1"
        " ORDER BY customer_id, updated, id LIMIT 1"
    )
    while row := await tx.fetch_one(next_sql, found[-1] if found else ""):
        found.append(str(row[0]))
    return found


async def list_outdated(tx: ReadTransaction, scope: Scope, limit: int) -> list[Submission]:
    """Return the first submissions with an outdated text, in the order of their last change."""
    # PostgreSQL believes that all are outdated, and only reads the small index because of the order.
    rows = await tx.fetch(
        f"SELECT {_SUBMISSION} FROM submissions WHERE customer_id = $1 AND {IS_OUTDATED}"
        f" ORDER BY updated, id LIMIT {limit}",
        scope.customer_id,
    )
    return [Submission(*row) for row in rows]


async def save_texts(tx: WriteTransaction, scope: Scope, texts: Sequence[tuple[Submission, str]]) -> None:
    """Store the texts of submissions, except of those that have changed since they were read."""
    await tx.execute_many(
        "UPDATE submissions SET search_text = $3, search_text_as = $4"
        " WHERE customer_id = $1 AND id = $2 AND updated = $5",
        [(scope.customer_id, one.id, text, one.updated * 1000 + FORMAT, one.updated) for one, text in texts],
    )


async def list_file_names(tx: ReadTransaction, scope: Scope, form_id: str, file_ids: Sequence[str]) -> dict[str, str]:
    """Return the names of files of a form by their id."""
    rows = await tx.fetch(
        f"SELECT id, name FROM files WHERE customer_id = $1 AND form_id = $3 AND id {in_array('$2')}",
        scope.customer_id,
        msgspec.json.encode(file_ids).decode(),
        form_id,
    )
    return {row[0]: row[1] for row in rows}


async def find_ranges(tx: ReadTransaction, scope: Scope, bits: Sequence[int]) -> Ranges | None:
    """Return where submissions with these bits in their signature can be; None if that is too much of the account."""
    # The end is read first: a block that is added afterwards belongs to both, and is not missed.
    total, end = await _describe_blocks(tx, scope)
    if await _has_unindexed(tx, scope, end, _MAX_UNINDEXED):
        return None
    query = Query("SELECT low, high FROM search_blocks", scope.customer_id)
    for bit in bits:
        query.where(_test_bit(query.bind(bit)))
    # If more blocks match, a page of the list is full sooner than they are read: with 4,000 blocks, beyond 22 percent.
    limit = _MIN_BLOCKS + isqrt(200 * total)
    rows = await tx.fetch(f"{query.sql()} ORDER BY high LIMIT {limit + 1}", *query.args) if total else []
    return None if len(rows) > limit else Ranges(_join_periods([*((row[0], row[1]) for row in rows), (end, _END)]))


def _test_bit(parameter: str) -> str:
    # SQLite has no function for a bit of a BLOB: take the hexadecimal digit with the bit.
    digit = f"substr(hex(substr(bits, {parameter} / 8 + 1, 1)), 2 - ({parameter} % 8) / 4, 1)"
    value = f"(instr('0123456789ABCDEF', {digit}) - 1)"
    return f"/*postgres get_bit(bits, {parameter}::int)*//*sqlite {value} >> ({parameter} % 4) & 1*/ = 1"


def _join_periods(periods: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for low, high in periods:
        if joined and joined[-1][1] >= low:
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    return joined


async def _describe_blocks(tx: ReadTransaction, scope: Scope) -> tuple[int, int]:
    """Return the number of blocks, and the last change that they cover."""
    row = await tx.fetch_one("SELECT count(*), max(high) FROM search_blocks WHERE customer_id = $1", scope.customer_id)
    return (int(row[0]), int(row[1])) if row and row[0] else (0, -1)


async def _has_unindexed(tx: ReadTransaction, scope: Scope, end: int, count: int) -> bool:
    """Whether at least `count` submissions were changed after `end`."""
    row = await tx.fetch_one(
        "SELECT 1 FROM submissions WHERE customer_id = $1 AND updated > $2"
        f" ORDER BY updated LIMIT 1 OFFSET {count - 1}",
        scope.customer_id,
        end,
    )
    return row is not None


async def needs_block(tx: ReadTransaction, scope: Scope) -> bool:
    """Whether enough submissions for another block have been changed since the last one."""
    return await _has_unindexed(tx, scope, (await _describe_blocks(tx, scope))[1], BLOCK_SIZE)


async def next_block(tx: ReadTransaction, scope: Scope) -> Block | None:
    """Return the next block; None if there are too few submissions for it, or if a text is outdated."""
    low = (await _describe_blocks(tx, scope))[1]
    last = await tx.fetch_one(
        "SELECT updated FROM submissions WHERE customer_id = $1 AND updated > $2"
        f" ORDER BY updated LIMIT 1 OFFSET {BLOCK_SIZE - 1}",
        scope.customer_id,
        low,
    )
    if last is None:
        return None
    rows = await tx.fetch(
        f"SELECT search_text, {IS_OUTDATED} FROM submissions WHERE customer_id = $1 AND updated > $2 AND updated <= $3",
        scope.customer_id,
        low,
        last[0],
    )
    return None if any(row[1] for row in rows) else Block(low, int(last[0]), [row[0] for row in rows])


async def insert_block(tx: WriteTransaction, scope: Scope, block: Block, bits: bytes) -> None:
    """Insert a block, unless another worker has."""
    await tx.execute(
        "INSERT INTO search_blocks (customer_id, high, low, bits) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        scope.customer_id,
        block.high,
        block.low,
        bits,
    )
