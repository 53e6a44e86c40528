"""Whether somebody else holds what is here: compared by id and revision, or first by a checksum for each form and day.

The day of a submission is the UTC day on which it was submitted, or begun while it is not. It moves when a rejected one
is submitted again: both days then differ, and the pairs say which it is.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
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
    """Which submissions are meant: of these forms (none: all), submitted in this half-open time (milliseconds)."""

    form_ids: Sequence[str] = ()
    since: int | None = None
    until: int | None = None

    def restrict(self, query: Query, scope: Scope) -> Query:
        """The query for these alone."""
        query = query.inside(scope).one_of("form_id", self.form_ids)
        query = query if self.since is None else query.where("at >= ?", self.since)
        return query if self.until is None else query.where("at < ?", self.until)


@dataclass(frozen=True, slots=True)
class Difference:
    """What the other side does not have, has in another revision (with the one here), and has although it is gone."""

    missing: Mapping[str, int]
    stale: Mapping[str, int]
    deleted: Sequence[str]


@dataclass(frozen=True, slots=True)
class DayChecksum:
    """What a form has of a day: how many, and SHA-256 of `id:revision` and a line feed for each, in the ids' order."""

    start: int
    form_id: str
    count: int
    checksum: str


async def compare(tx: ReadTransaction, actor: Actor, part: SubmissionRange, remote: Mapping[str, int]) -> Difference:
    """What differs between what is here and `held` (revisions by id). `Invalid` where the part is too large."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    known = await _fetch_revisions(tx, Query(_PAIR, scope.customer_id).inside(scope).any_of("id", remote))
    here = await _fetch_revisions(tx, part.restrict(Query(_PAIR, scope.customer_id), scope), MAX_PAIRS + 1)
    if len(here) > MAX_PAIRS:
        words = f"This part has more than {MAX_PAIRS:,} submissions. Ask form by form, or for a shorter time."
        raise Invalid.at("", "reconcile.too_many", words)
    return Difference(
        missing={one: revision for one, revision in here.items() if one not in remote},
        stale={one: revision for one, revision in known.items() if revision != remote[one]},
        deleted=[one for one in remote if one not in known],
    )


async def _fetch_revisions(tx: ReadTransaction, query: Query, limit: int = MAX_PAIRS) -> dict[str, int]:
    rows = await tx.fetch(f"{query.sql()} ORDER BY id LIMIT {limit}", *query.args)
    return {row[0]: row[1] for row in rows}


async def list_days(
    tx: ReadTransaction, actor: Actor, part: SubmissionRange, limit: int
) -> tuple[list[DayChecksum], int | None]:
    """The days of that part in their order, whole days until there are `limit` entries; and where the next begins."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    query = part.restrict(Query(_TIMED, scope.customer_id), scope)
    found: list[DayChecksum] = []
    current: dict[str, list[str]] = defaultdict(list)
    begins, read = 0, 0
    async with aclosing(tx.stream(f"{query.sql()} ORDER BY at, id", *query.args)) as rows:
        async for at, form_id, submission_id, revision in rows:
            if at - at % _DAY_MS != begins:
                found += _build_checksums(begins, current)
                if len(found) >= limit or read >= _ROWS_PER_PAGE:
                    return found, at - at % _DAY_MS
                begins, current = at - at % _DAY_MS, defaultdict(list)
            current[form_id].append(f"{submission_id}:{revision}\n")
            read += 1
    return found + _build_checksums(begins, current), None


def _build_checksums(begins: int, lines: Mapping[str, list[str]]) -> list[DayChecksum]:
    return [
        DayChecksum(begins, form_id, len(of), hashlib.sha256("".join(sorted(of)).encode()).hexdigest())
        for form_id, of in sorted(lines.items())
    ]
