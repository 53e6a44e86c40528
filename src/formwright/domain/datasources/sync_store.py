"""SQL of pulls, for their configuration and display. `sync.queue` has the SQL of the workers."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.tables.base import BadRow
from formwright.core.work_kinds import WorkKind
from formwright.domain.datasources.models import Pull, PullStatus

_BY_DATASOURCE = "customer_id = $1 AND datasource_id = $2"
_SELECT = (
    "SELECT url, names, every_ms, due, lease, status, started, ended, took, rows, detail, bad, datasource_id"
    " FROM datasource_pulls"
)


@dataclass(frozen=True, slots=True)
class StoredPull:
    """The configuration of a pull. `headers` is encrypted JSON; `names` are the names of the headers."""

    url: str
    names: tuple[str, ...]
    headers: str
    every_s: int


def _to_pull(row: Row) -> Pull:
    url, names, every_ms, due, lease, status, started, ended, took, rows, detail, bad, _ = row
    state = PullStatus.RUNNING if lease else PullStatus(status) if status else None
    return Pull(
        url,
        tuple(msgspec.json.decode(names, type=list[str])),
        every_ms // 1000,
        None if lease else due,
        state,
        started,
        ended,
        took,
        rows,
        detail,
        msgspec.json.decode(bad, type=list[BadRow]),
    )


async def find(tx: ReadTransaction, scope: Scope, datasource_id: str) -> Pull | None:
    row = await tx.fetch_one(f"{_SELECT} WHERE {_BY_DATASOURCE}", scope.customer_id, datasource_id)
    return _to_pull(row) if row else None


async def find_all(tx: ReadTransaction, scope: Scope, ids: Sequence[str]) -> dict[str, Pull]:
    """Return the pulls of these data sources, by data source id."""
    placeholders = ", ".join(f"${number + 2}" for number in range(len(ids)))
    sql = f"{_SELECT} WHERE customer_id = $1 AND datasource_id IN ({placeholders})"
    return {row[-1]: _to_pull(row) for row in (await tx.fetch(sql, scope.customer_id, *ids) if ids else ())}


async def find_stored(tx: ReadTransaction, scope: Scope, datasource_id: str) -> StoredPull | None:
    sql = f"SELECT url, names, headers, every_ms FROM datasource_pulls WHERE {_BY_DATASOURCE}"
    row = await tx.fetch_one(sql, scope.customer_id, datasource_id)
    return StoredPull(row[0], tuple(msgspec.json.decode(row[1])), row[2], row[3] // 1000) if row else None


async def save(tx: WriteTransaction, scope: Scope, datasource_id: str, pull: StoredPull, now: int) -> None:
    """Replace the pull and make it due now. A worker that is running the old pull loses its lease."""
    tx.schedule(WorkKind.PULL, scope.customer_id, now)
    await delete(tx, scope, datasource_id)
    await tx.execute(
        "INSERT INTO datasource_pulls (customer_id, datasource_id, url, names, headers, every_ms, due, tries, detail,"
        " bad, etag, modified, version) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, '', '[]', '', '', 0)",
        scope.customer_id,
        datasource_id,
        pull.url,
        msgspec.json.encode(pull.names).decode(),
        pull.headers,
        pull.every_s * 1000,
        now,
    )


async def reschedule(tx: WriteTransaction, scope: Scope, datasource_id: str, every_s: int, now: int) -> None:
    """Change the interval; the pull is due after one interval from now, unless it was due earlier."""
    tx.schedule(WorkKind.PULL, scope.customer_id, now + every_s * 1000)
    await tx.execute(
        "UPDATE datasource_pulls SET every_ms = $3, due = CASE WHEN due > $4 THEN $4 ELSE due END"
        f" WHERE {_BY_DATASOURCE}",
        scope.customer_id,
        datasource_id,
        every_s * 1000,
        now + every_s * 1000,
    )


async def make_due(tx: WriteTransaction, scope: Scope, datasource_id: str, now: int) -> None:
    """Make the pull due now, unless it is running."""
    tx.schedule(WorkKind.PULL, scope.customer_id, now)
    await tx.execute(
        f"UPDATE datasource_pulls SET due = $3 WHERE {_BY_DATASOURCE} AND lease IS NULL",
        scope.customer_id,
        datasource_id,
        now,
    )


async def delete(tx: WriteTransaction, scope: Scope, datasource_id: str) -> None:
    await tx.execute(f"DELETE FROM datasource_pulls WHERE {_BY_DATASOURCE}", scope.customer_id, datasource_id)
