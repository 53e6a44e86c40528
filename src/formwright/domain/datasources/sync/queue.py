"""Who pulls what: the SQL with which workers take pulls, and write down what came of them.

A pull is taken by a lease that ends, and is fenced by the lease's token: of several workers one pulls, what a killed
one left is taken up, and one that comes back too late, or whose source was changed meanwhile, changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.domain.datasources import import_store, store, sync_store
from formwright.domain.datasources.events import DatasourceFailed
from formwright.domain.datasources.models import (
    Counts,
    Datasource,
    DatasourceBusy,
    ImportRecord,
    ImportStatus,
    Mode,
    PullStatus,
    Source,
)
from formwright.domain.datasources.parsers.base import BadRow

LEASE_MS = 60_000
"""How long a worker may be silent before another takes its pull."""
AGAIN_MS = 60_000
"""When it is tried again where another import is under way."""
_FIRST_WAIT_MS = 15 * 60_000
MAX_TRIES = 3
"""How often a worker may die over a pull before the pull counts as failed."""
_MAX_DETAIL = 1000
_ONE = "customer_id = $1 AND datasource_id = $2"
# A due time that lies further ahead than the interval comes of a clock that has been set back since.
_DUE = "(due <= $1 OR due - every_ms > $1 + 60000)"


@dataclass(frozen=True, slots=True)
class Taken:
    """A pull that a worker has; `headers` is sealed, empty for none; `etag` and `modified` go with the rows of
    `version`."""

    customer_id: str
    datasource_id: str
    url: str
    headers: str = field(repr=False)
    every_ms: int
    etag: str
    modified: str
    version: int
    tries: int
    failures: int
    last_started: int | None
    started: int
    lease: str


@dataclass(frozen=True, slots=True)
class Good:
    """It went well: how many rows there were (None: the server says as many as last time), and how to ask next time."""

    status: PullStatus
    version: int
    rows: int | None = None
    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Bad:
    """It failed, and why."""

    detail: str
    rows: Sequence[BadRow] = ()


@dataclass(frozen=True, slots=True)
class Later:
    """It could not be tried, and is due again after so many milliseconds."""

    after_ms: int = AGAIN_MS


class PullEnded(DatasourceBusy):
    """The pull is not this worker's any more."""


async def anything_due(tx: ReadTransaction, now: int) -> bool:
    """Whether a worker would find something: asked before it takes, so that an idle one writes nothing."""
    return await tx.fetch_one(f"SELECT 1 FROM datasource_pulls WHERE {_DUE} LIMIT 1", now) is not None


async def take(tx: WriteTransaction, now: int, at_most: int, lease_ms: int = LEASE_MS) -> list[Taken]:
    """Take up to `at_most` due pulls, those that wait longest first."""
    found = await tx.fetch(
        f"SELECT customer_id, datasource_id FROM datasource_pulls WHERE {_DUE} ORDER BY due LIMIT {at_most}", now
    )
    rows = [await _locked(tx, now, *one) for one in found]
    return [await _take(tx, row, now, lease_ms) for row in rows if row]


async def _locked(tx: WriteTransaction, now: int, customer_id: str, datasource_id: str) -> Row | None:
    """This one, unless another worker has it, or has had it."""
    return await tx.fetch_one(
        "SELECT customer_id, datasource_id, url, CASE WHEN names = '[]' THEN '' ELSE headers END, every_ms, etag,"
        " modified, version, tries, failures, started"
        f" FROM datasource_pulls WHERE {_DUE} AND customer_id = $2 AND datasource_id = $3"
        " /*postgres FOR UPDATE SKIP LOCKED */",
        now,
        customer_id,
        datasource_id,
    )


async def _take(tx: WriteTransaction, row: Row, now: int, lease_ms: int) -> Taken:
    customer_id, datasource_id, url, headers, every_ms, etag, modified, version, tries, failures, started = row
    taken = Taken(
        customer_id,
        datasource_id,
        url,
        headers,
        every_ms,
        etag,
        modified,
        version,
        tries + 1,
        failures,
        started,
        now,
        crypto.new_secret(""),
    )
    await tx.execute(
        f"UPDATE datasource_pulls SET lease = $3, due = $4, started = $5, tries = $6 WHERE {_ONE}",
        taken.customer_id,
        taken.datasource_id,
        taken.lease,
        now + lease_ms,
        now,
        taken.tries,
    )
    return taken


async def hold(tx: WriteTransaction, taken: Taken, until: int) -> bool:
    """Keep the pull; False when it is not this worker's any more."""
    sql = f"UPDATE datasource_pulls SET due = $4 WHERE {_ONE} AND lease = $3"
    return bool(await tx.execute(sql, taken.customer_id, taken.datasource_id, taken.lease, until))


async def check(tx: ReadTransaction, taken: Taken) -> None:
    """`PullEnded` when it is not this worker's any more."""
    sql = f"SELECT 1 FROM datasource_pulls WHERE {_ONE} AND lease = $3"
    if await tx.fetch_one(sql, taken.customer_id, taken.datasource_id, taken.lease) is None:
        raise PullEnded()


async def write(tx: WriteTransaction, taken: Taken, outcome: Good | Bad | Later, now: int) -> None:
    """Write down what came of it. Does nothing when it is not this worker's any more."""
    match outcome:
        case Good():
            await _succeed(tx, taken, outcome, now)
        case Bad():
            await _fail(tx, taken, replace(outcome, detail=outcome.detail[:_MAX_DETAIL]), now)
        case Later(after_ms=after_ms):
            await tx.execute(
                "UPDATE datasource_pulls SET lease = NULL, due = $4, started = $5, tries = 0"
                f" WHERE {_ONE} AND lease = $3",
                taken.customer_id,
                taken.datasource_id,
                taken.lease,
                now + after_ms,
                taken.last_started,
            )


async def _succeed(tx: WriteTransaction, taken: Taken, good: Good, now: int) -> None:
    await tx.execute(
        "UPDATE datasource_pulls SET lease = NULL, due = $4 + every_ms, tries = 0, failures = 0, ended = $4, took = $5,"
        f" status = $6, rows = COALESCE($7, rows), etag = $8, modified = $9, version = $10, detail = '', bad = '[]'"
        f" WHERE {_ONE} AND lease = $3",
        taken.customer_id,
        taken.datasource_id,
        taken.lease,
        now,
        _took(taken, now),
        good.status,
        good.rows,
        good.etag,
        good.modified,
        good.version,
    )


async def _fail(tx: WriteTransaction, taken: Taken, bad: Bad, now: int) -> None:
    at = await account_lock.next_timestamp(tx, taken.customer_id)
    held = await tx.execute(
        "UPDATE datasource_pulls SET lease = NULL, due = $9, tries = 0, failures = $10, ended = $4, took = $5,"
        f" status = $6, detail = $7, bad = $8 WHERE {_ONE} AND lease = $3",
        taken.customer_id,
        taken.datasource_id,
        taken.lease,
        now,
        _took(taken, now),
        PullStatus.FAILED,
        bad.detail,
        msgspec.json.encode(bad.rows).decode(),
        now + patience(taken.failures, taken.every_ms),
        taken.failures + 1,
    )
    scope = Scope(taken.customer_id)
    of = await store.find(tx, scope, taken.datasource_id)
    if held and of:
        await import_store.insert(tx, _record(tx, taken, of, bad, at))
        tx.record(DatasourceFailed(of.customer_id, replace(of, pull=await sync_store.find(tx, scope, of.id))))


def patience(failures: int, every_ms: int) -> int:
    """How long to wait after one more failure: 15 minutes, twice as long after each, and never longer than always."""
    return min(every_ms, _FIRST_WAIT_MS << min(failures, 10))


def _took(taken: Taken, now: int) -> int:
    return max(0, now - taken.started)


def _record(tx: WriteTransaction, taken: Taken, of: Datasource, bad: Bad, at: int) -> ImportRecord:
    by = actors.system(of.customer_id)
    return ImportRecord(
        id=tx.new_id("imp"),
        customer_id=of.customer_id,
        datasource_id=of.id,
        source=Source.PULL,
        mode=Mode.REPLACE,
        status=ImportStatus.FAILED,
        counts=Counts(),
        version=of.version,
        bad=bad.rows,
        detail=bad.detail,
        by_kind=by.kind,
        by_id=by.id,
        started=taken.started,
        created=at,
    )
