"""Compares the submissions here with another system's copy, by checksums per form and day, or by id and revision.

The day of a submission is the UTC day on which it was submitted or, for a draft, started. If a rejected submission is
submitted again, its day changes; the checksums of both days then differ, and comparing ids finds the submission.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import Query
from formwright.core.errors import Invalid

MAX_PAIRS = 10_000
_DAY_MS = 24 * 3600 * 1000
_ROWS_PER_PAGE = 200_000
_PAIR = "SELECT id, revision FROM submissions"
_TIMED = "SELECT at, form_id, id, revision FROM submissions"


@dataclass(frozen=True, slots=True)
class SubmissionRange:
    """The submissions of these forms (none: all) in a half-open period (since <= t < until) in milliseconds."""

    form_ids: Sequence[str] = ()
    since: int | None = None
    until: int | None = None

    def restrict(self, query: Query, scope: Scope) -> Query:
        """Restrict the query to these submissions and to the scope."""
        query = query.in_scope(scope).one_of("form_id", self.form_ids)
        query = query if self.since is None else query.where("at >= ?", self.since)
        return query if self.until is None else query.where("at < ?", self.until)


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences to the other system's copy.

    `missing` are the submissions that it lacks, and `stale` those that it has in another revision, with the revision
    here by id; `deleted` are the ids it has that do not exist here.
    """

    missing: Mapping[str, int]
    stale: Mapping[str, int]
    deleted: Sequence[str]


@dataclass(frozen=True, slots=True)
class DayChecksum:
    """A form's submissions of a day, which starts at `start` (milliseconds since 1970): their number and checksum.

    The checksum is the SHA-256 of the lines `id:revision`, each with a line feed, ordered by id.
    """

    start: int
    form_id: str
    count: int
    checksum: str


async def compare(
    tx: ReadTransaction, actor: Actor, selection: SubmissionRange, remote: Mapping[str, int]
) -> Differences:
    """Return the differences to `remote`, the other system's revisions by id.

    Raises `Invalid` if the range has more than `MAX_PAIRS` submissions.
    """
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    known = await _fetch_revisions(tx, Query(_PAIR, scope.customer_id).in_scope(scope).any_of("id", remote))
    here = await _fetch_revisions(tx, selection.restrict(Query(_PAIR, scope.customer_id), scope), MAX_PAIRS + 1)
    if len(here) > MAX_PAIRS:
        detail = f"This range has more than {MAX_PAIRS:,} submissions. Compare single forms, or shorter periods."
        raise Invalid.at("", "reconcile.too_many", detail)
    return Differences(
        missing={id_: revision for id_, revision in here.items() if id_ not in remote},
        stale={id_: revision for id_, revision in known.items() if revision != remote[id_]},
        deleted=[id_ for id_ in remote if id_ not in known],
    )


async def _fetch_revisions(tx: ReadTransaction, query: Query, limit: int = MAX_PAIRS) -> dict[str, int]:
    rows = await tx.fetch(f"{query.sql()} ORDER BY id LIMIT {limit}", *query.args)
    return {row[0]: row[1] for row in rows}


async def list_days(
    tx: ReadTransaction, actor: Actor, selection: SubmissionRange, limit: int
) -> tuple[list[DayChecksum], int | None]:
    """Return the checksums of the range, ordered by day and form, and the start of the next day to read, or None.

    Days are never split: it returns whole days until there are at least `limit` checksums.
    """
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    query = selection.restrict(Query(_TIMED, scope.customer_id), scope)
    found: list[DayChecksum] = []
    current: dict[str, list[str]] = defaultdict(list)
    start, read = 0, 0
    async with aclosing(tx.stream(f"{query.sql()} ORDER BY at, id", *query.args)) as rows:
        async for at, form_id, submission_id, revision in rows:
            if at - at % _DAY_MS != start:
                found += _build_checksums(start, current)
                if len(found) >= limit or read >= _ROWS_PER_PAGE:
                    return found, at - at % _DAY_MS
                start, current = at - at % _DAY_MS, defaultdict(list)
            current[form_id].append(f"{submission_id}:{revision}\n")
            read += 1
    return found + _build_checksums(start, current), None


def _build_checksums(start: int, lines: Mapping[str, list[str]]) -> list[DayChecksum]:
    return [
        DayChecksum(start, form_id, len(items), hashlib.sha256("".join(sorted(items)).encode()).hexdigest())
        for form_id, items in sorted(lines.items())
    ]
