"""SQL with which workers claim due pulls and save their outcomes.

A worker claims a pull with a lease that expires, and every write checks the token of the lease. So only one worker
runs a pull, pulls of killed workers are claimed again, and a worker that has lost its lease, or whose pull was changed
in the meantime, changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.events import Event, EventType
from formwright.core.tables.base import BadRow
from formwright.core.work_kinds import WorkKind
from formwright.domain.datasources import import_store, store, sync_store
from formwright.domain.datasources.models import (
    Datasource,
    DatasourceBusy,
    ImportCounts,
    ImportMode,
    ImportRecord,
    ImportSource,
    ImportStatus,
    PullStatus,
)

LEASE_MS = 60_000
"""How long a worker may go without renewing its lease before another worker may claim the pull."""
RETRY_MS = 60_000
"""How long to wait if another import into the data source is in progress."""
_FIRST_WAIT_MS = 15 * 60_000
MAX_ATTEMPTS = 3
"""How often a worker may be killed while it runs a pull before the pull counts as failed."""
_MAX_DETAIL = 1000
_BY_DATASOURCE = "customer_id = $1 AND datasource_id = $2"
# A due time further ahead than the interval was written by a process whose clock was ahead.
_IS_DUE = "(due <= $1 OR due - every_ms > $1 + 60000)"


@dataclass(frozen=True, slots=True)
class ClaimedPull:
    """A pull that a worker has claimed.

    `headers` is encrypted JSON, or empty if there are none. `etag` and `modified` belong to the rows of `version`.
    """

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
class PullSuccess:
    """The pull succeeded. `rows` is the number of rows, or None if the server says that nothing has changed."""

    status: PullStatus
    version: int
    rows: int | None = None
    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class PullFailure:
    """The pull failed, and why."""

    detail: str
    rows: Sequence[BadRow] = ()


@dataclass(frozen=True, slots=True)
class PullDeferral:
    """The pull could not run, and is due again after this time."""

    after_ms: int = RETRY_MS


class PullLeaseLost(DatasourceBusy):
    """The worker has lost the lease on its pull."""


async def find_next_due(tx: ReadTransaction, customer_id: str, now: int) -> int | None:
    """Return when a pull of an account is next due in milliseconds, or None if it has none."""
    row = await tx.fetch_one(
        f"SELECT min(CASE WHEN {_IS_DUE} THEN 0 ELSE due END) FROM datasource_pulls WHERE customer_id = $2",
        now,
        customer_id,
    )
    return row[0] if row else None


async def find_due_accounts(tx: ReadTransaction, now: int) -> list[str]:
    """Return the ids of all accounts with pulls that are due."""
    rows = await tx.fetch(f"SELECT DISTINCT customer_id FROM datasource_pulls WHERE {_IS_DUE}", now)
    return [str(row[0]) for row in rows]


async def claim(
    tx: WriteTransaction, customer_id: str, now: int, at_most: int, lease_ms: int = LEASE_MS
) -> list[ClaimedPull]:
    """Claim up to `at_most` due pulls of an account, the longest overdue first."""
    rows = await _lock_due(tx, customer_id, now, at_most)
    return [await _claim(tx, row, now, lease_ms) for row in rows]


async def _lock_due(tx: WriteTransaction, customer_id: str, now: int, limit: int) -> Sequence[Row]:
    """Lock and return due pulls that no other worker has locked."""
    return await tx.fetch(
        "SELECT customer_id, datasource_id, url, CASE WHEN names = '[]' THEN '' ELSE headers END, every_ms, etag,"
        " modified, version, tries, failures, started"
        f" FROM datasource_pulls WHERE {_IS_DUE} AND customer_id = $2 ORDER BY due LIMIT {limit}"
        " /*postgres FOR UPDATE SKIP LOCKED */",
        now,
        customer_id,
    )


async def _claim(tx: WriteTransaction, row: Row, now: int, lease_ms: int) -> ClaimedPull:
    customer_id, datasource_id, url, headers, every_ms, etag, modified, version, tries, failures, started = row
    pull = ClaimedPull(
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
        f"UPDATE datasource_pulls SET lease = $3, due = $4, started = $5, tries = $6 WHERE {_BY_DATASOURCE}",
        pull.customer_id,
        pull.datasource_id,
        pull.lease,
        now + lease_ms,
        now,
        pull.tries,
    )
    return pull


async def renew_lease(tx: WriteTransaction, pull: ClaimedPull, until: int) -> bool:
    """Extend the lease until a time; return False if the worker has lost it."""
    sql = f"UPDATE datasource_pulls SET due = $4 WHERE {_BY_DATASOURCE} AND lease = $3"
    return bool(await tx.execute(sql, pull.customer_id, pull.datasource_id, pull.lease, until))


async def check_lease(tx: ReadTransaction, pull: ClaimedPull) -> None:
    """Raise `PullLeaseLost` if the worker has lost the lease."""
    sql = f"SELECT 1 FROM datasource_pulls WHERE {_BY_DATASOURCE} AND lease = $3"
    if await tx.fetch_one(sql, pull.customer_id, pull.datasource_id, pull.lease) is None:
        raise PullLeaseLost()


async def save_outcome(
    tx: WriteTransaction, pull: ClaimedPull, outcome: PullSuccess | PullFailure | PullDeferral, now: int
) -> None:
    """Save the outcome and release the lease. Does nothing if the worker has lost the lease."""
    match outcome:
        case PullSuccess():
            tx.schedule(WorkKind.PULL, pull.customer_id, now + pull.every_ms)
            await _save_success(tx, pull, outcome, now)
        case PullFailure():
            await _save_failure(tx, pull, replace(outcome, detail=outcome.detail[:_MAX_DETAIL]), now)
        # The attempt does not count: neither among those that killed a worker, nor as the last start.
        case PullDeferral(after_ms=after_ms):
            tx.schedule(WorkKind.PULL, pull.customer_id, now + after_ms)
            await tx.execute(
                "UPDATE datasource_pulls SET lease = NULL, due = $4, started = $5, tries = 0"
                f" WHERE {_BY_DATASOURCE} AND lease = $3",
                pull.customer_id,
                pull.datasource_id,
                pull.lease,
                now + after_ms,
                pull.last_started,
            )


async def _save_success(tx: WriteTransaction, pull: ClaimedPull, success: PullSuccess, now: int) -> None:
    await tx.execute(
        "UPDATE datasource_pulls SET lease = NULL, due = $4 + every_ms, tries = 0, failures = 0, ended = $4, took = $5,"
        f" status = $6, rows = COALESCE($7, rows), etag = $8, modified = $9, version = $10, detail = '', bad = '[]'"
        f" WHERE {_BY_DATASOURCE} AND lease = $3",
        pull.customer_id,
        pull.datasource_id,
        pull.lease,
        now,
        _duration_ms(pull, now),
        success.status,
        success.rows,
        success.etag,
        success.modified,
        success.version,
    )


async def _save_failure(tx: WriteTransaction, pull: ClaimedPull, failure: PullFailure, now: int) -> None:
    due = now + retry_delay(pull.failures, pull.every_ms)
    tx.schedule(WorkKind.PULL, pull.customer_id, due)
    at = await account_lock.next_timestamp(tx, pull.customer_id)
    is_saved = await tx.execute(
        "UPDATE datasource_pulls SET lease = NULL, due = $9, tries = 0, failures = $10, ended = $4, took = $5,"
        f" status = $6, detail = $7, bad = $8 WHERE {_BY_DATASOURCE} AND lease = $3",
        pull.customer_id,
        pull.datasource_id,
        pull.lease,
        now,
        _duration_ms(pull, now),
        PullStatus.FAILED,
        failure.detail,
        msgspec.json.encode(failure.rows).decode(),
        due,
        pull.failures + 1,
    )
    scope = Scope(pull.customer_id)
    datasource = await store.find(tx, scope, pull.datasource_id)
    if is_saved and datasource:
        await import_store.insert(tx, _to_record(tx, pull, datasource, failure, at))
        tx.record(
            Event(
                EventType.DATASOURCE_FAILED,
                datasource.customer_id,
                replace(datasource, pull=await sync_store.find(tx, scope, datasource.id)),
            )
        )


def retry_delay(failures: int, every_ms: int) -> int:
    """Return how long to wait after a failure, given the number of earlier failures, in milliseconds.

    It starts at 15 minutes and doubles with each failure, up to the interval of the pull.
    """
    return min(every_ms, _FIRST_WAIT_MS << min(failures, 10))


def _duration_ms(pull: ClaimedPull, now: int) -> int:
    return max(0, now - pull.started)


def _to_record(
    tx: WriteTransaction, pull: ClaimedPull, datasource: Datasource, failure: PullFailure, at: int
) -> ImportRecord:
    by = actors.system(datasource.customer_id)
    return ImportRecord(
        id=tx.new_id("imp"),
        customer_id=datasource.customer_id,
        datasource_id=datasource.id,
        source=ImportSource.PULL,
        mode=ImportMode.REPLACE,
        status=ImportStatus.FAILED,
        counts=ImportCounts(),
        version=datasource.version,
        bad=failure.rows,
        detail=failure.detail,
        by_kind=by.kind,
        by_id=by.id,
        started=pull.started,
        created=at,
    )
