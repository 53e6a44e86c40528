"""SQL of exports and their runs."""

from collections.abc import Sequence

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Position, Window, cut_page
from formwright.domain.exports.models import Download, Export, ExportRun, ExportSettings, ExportState, RunFile

_EXPORT_COLUMNS = (
    "id, customer_id, name, form_id, owner_id, settings, due, through, latest_run_id, created, updated, revision,"
    " secret"
)
_RUN_COLUMNS = (
    "id, customer_id, export_id, form_id, state, since, through, rows, files, detail, started, ended, expires, created,"
    " updated, revision, location, user_id, download"
)
_EXPORT = f"SELECT {_EXPORT_COLUMNS} FROM exports"
_RUN = f"SELECT {_RUN_COLUMNS} FROM export_runs"
_EXPORTS = RecordTable[Export](
    "exports",
    _EXPORT_COLUMNS,
    # Without the latest run, which a run may change at the same time.
    "name, form_id, owner_id, settings, due, through, updated, revision, secret",
)
_RUNS = RecordTable[ExportRun]("export_runs", f"{_RUN_COLUMNS}, due, download_due, tries")
insert, update = _EXPORTS.insert, _EXPORTS.update


def _visible(select: str, scope: Scope) -> Query:
    """Return the query for what is in the scope. Exports of all forms are in the scope of the whole account only."""
    return Query(select, scope.customer_id).in_scope(scope, optional=scope.reach is None)


def _to_export(row: Row) -> Export:
    export_id, customer_id, name, form_id, owner_id, settings, *others = row
    decoded = msgspec.json.decode(settings, type=ExportSettings)
    return Export(export_id, customer_id, name, form_id, owner_id, decoded, *others)


def _to_run(row: Row) -> ExportRun:
    run_id, customer_id, export_id, form_id, state, since, through, count, files, *others, download = row
    decoded = msgspec.json.decode(files, type=list[RunFile])
    requested = msgspec.json.decode(download, type=Download) if download else None
    first = (run_id, customer_id, export_id, form_id, ExportState(state), since, through, count, decoded)
    return ExportRun(*first, *others, requested)  # type: ignore[call-arg]


async def delete(tx: WriteTransaction, scope: Scope, export_id: str) -> None:
    """Delete an export. Its runs expire, so that the cleanup deletes their files."""
    customer_id = scope.customer_id
    await tx.execute("DELETE FROM exports WHERE customer_id = $1 AND id = $2", customer_id, export_id)
    await tx.execute(
        "UPDATE export_runs SET expires = 0, due = NULL, lease = NULL WHERE customer_id = $1 AND export_id = $2",
        customer_id,
        export_id,
    )


async def find(tx: ReadTransaction, scope: Scope, export_id: str) -> Export | None:
    query = _visible(_EXPORT, scope).where("id = ?", export_id)
    row = await tx.fetch_one(query.sql(), *query.args)
    return _to_export(row) if row else None


async def page(tx: ReadTransaction, scope: Scope, window: Window) -> Page[Export]:
    query = _visible(_EXPORT, scope)
    rows = await tx.fetch(query.window(window, "created", descending=True), *query.args)
    return cut_page([_to_export(row) for row in rows], window.limit, lambda one: Position(one.created, one.id))


async def count(tx: ReadTransaction, scope: Scope) -> int:
    row = await tx.fetch_one("SELECT count(*) FROM exports WHERE customer_id = $1", scope.customer_id)
    return int(row[0]) if row else 0


async def list_due(tx: ReadTransaction, scope: Scope, now: int) -> list[Export]:
    """Return the exports whose time has come."""
    rows = await tx.fetch(f"{_EXPORT} WHERE customer_id = $1 AND due <= $2 ORDER BY due, id", scope.customer_id, now)
    return [_to_export(row) for row in rows]


async def set_due(tx: WriteTransaction, export: Export, due: int | None) -> None:
    await tx.execute(
        "UPDATE exports SET due = $3 WHERE customer_id = $1 AND id = $2", export.customer_id, export.id, due
    )


async def set_latest_run(tx: WriteTransaction, export: Export, run_id: str) -> None:
    await tx.execute(
        "UPDATE exports SET latest_run_id = $3 WHERE customer_id = $1 AND id = $2",
        export.customer_id,
        export.id,
        run_id,
    )


async def set_through(tx: WriteTransaction, run: ExportRun) -> None:
    """Save up to which change the export is complete."""
    await tx.execute(
        "UPDATE exports SET through = $3 WHERE customer_id = $1 AND id = $2",
        run.customer_id,
        run.export_id,
        run.through,
    )


def _due_columns(run: ExportRun, due: int) -> tuple[int | None, int | None]:
    """Return the values of `due` and `download_due`. Previous versions know only the first, and exports only."""
    return (None, due) if run.download else (due, None)


async def insert_run(tx: WriteTransaction, run: ExportRun, due: int) -> None:
    export_due, download_due = _due_columns(run, due)
    await _RUNS.insert(tx, run, due=export_due, download_due=download_due, tries=0)


def _encode_download(run: ExportRun) -> str | None:
    return msgspec.json.encode(run.download).decode() if run.download else None


def _encode_files(files: Sequence[RunFile]) -> str:
    return msgspec.json.encode(files).decode()


async def find_run(tx: ReadTransaction, scope: Scope, run_id: str) -> ExportRun | None:
    query = _visible(_RUN, scope).where("id = ?", run_id)
    row = await tx.fetch_one(query.sql(), *query.args)
    return _to_run(row) if row else None


async def find_runs(tx: ReadTransaction, scope: Scope, run_ids: Sequence[str]) -> dict[str, ExportRun]:
    query = Query(_RUN, scope.customer_id).any_of("id", run_ids)
    rows = await tx.fetch(query.sql(), *query.args) if run_ids else []
    return {row[0]: _to_run(row) for row in rows}


async def find_active_run(tx: ReadTransaction, scope: Scope, export_id: str) -> ExportRun | None:
    """Return the run of an export that is waiting or in progress, or None."""
    row = await tx.fetch_one(
        f"{_RUN} WHERE customer_id = $1 AND export_id = $2 AND state IN ('WAITING', 'RUNNING')",
        scope.customer_id,
        export_id,
    )
    return _to_run(row) if row else None


async def page_of_runs(tx: ReadTransaction, scope: Scope, export_id: str, window: Window) -> Page[ExportRun]:
    query = _visible(_RUN, scope).where("export_id = ?", export_id)
    rows = await tx.fetch(query.window(window, "created", descending=True), *query.args)
    return cut_page([_to_run(row) for row in rows], window.limit, lambda one: Position(one.created, one.id))


async def list_downloads(tx: ReadTransaction, scope: Scope, user_id: str, now: int) -> list[ExportRun]:
    """Return the downloads of a user that have not expired, newest first."""
    rows = await tx.fetch(
        f"{_RUN} WHERE customer_id = $1 AND user_id = $2 AND (expires IS NULL OR expires > $3)"
        " ORDER BY created DESC, id DESC",
        scope.customer_id,
        user_id,
        now,
    )
    return [_to_run(row) for row in rows]


async def expire_download(tx: WriteTransaction, run: ExportRun) -> None:
    """End a download, so that the cleanup deletes its file. A worker that runs it loses its lease."""
    await tx.execute(
        "UPDATE export_runs SET expires = 0, download_due = NULL, lease = NULL WHERE customer_id = $1 AND id = $2",
        run.customer_id,
        run.id,
    )


async def find_next_download(tx: ReadTransaction, customer_id: str) -> int | None:
    """Return when a download of an account is next due in milliseconds, or None."""
    row = await tx.fetch_one("SELECT min(download_due) FROM export_runs WHERE customer_id = $1", customer_id)
    return row[0] if row else None


async def find_accounts_with_downloads(tx: ReadTransaction, now: int) -> list[str]:
    """Return the ids of all accounts with downloads that are due."""
    rows = await tx.fetch("SELECT DISTINCT customer_id FROM export_runs WHERE download_due <= $1", now)
    return [str(row[0]) for row in rows]


async def find_next_due(tx: ReadTransaction, customer_id: str) -> int | None:
    """Return when an export or a run of an account is next due in milliseconds, or None."""
    row = await tx.fetch_one(
        "SELECT min(due) FROM (SELECT min(due) AS due FROM exports WHERE customer_id = $1"
        " UNION ALL SELECT min(due) FROM export_runs WHERE customer_id = $1) AS times",
        customer_id,
    )
    return row[0] if row else None


async def find_due_accounts(tx: ReadTransaction, now: int) -> list[str]:
    """Return the ids of all accounts with exports or runs that are due."""
    rows = await tx.fetch(
        "SELECT customer_id FROM exports WHERE due <= $1 UNION SELECT customer_id FROM export_runs WHERE due <= $1", now
    )
    return [str(row[0]) for row in rows]


async def lock_due_run(tx: WriteTransaction, scope: Scope, now: int) -> tuple[ExportRun, int] | None:
    """Lock and return the run that has been due for longest, and how often it has begun already."""
    row = await tx.fetch_one(
        f"SELECT tries, {_RUN_COLUMNS} FROM export_runs WHERE customer_id = $1 AND due <= $2 ORDER BY due LIMIT 1"
        " /*postgres FOR UPDATE SKIP LOCKED */",
        scope.customer_id,
        now,
    )
    return (_to_run(row[1:]), int(row[0])) if row else None


async def lock_due_download(tx: WriteTransaction, scope: Scope, now: int) -> tuple[ExportRun, int] | None:
    """Lock and return the download that has been due for longest, and how often it has begun already."""
    row = await tx.fetch_one(
        f"SELECT tries, {_RUN_COLUMNS} FROM export_runs WHERE customer_id = $1 AND download_due <= $2"
        " ORDER BY download_due LIMIT 1 /*postgres FOR UPDATE SKIP LOCKED */",
        scope.customer_id,
        now,
    )
    return (_to_run(row[1:]), int(row[0])) if row else None


async def claim(tx: WriteTransaction, run: ExportRun, lease: str, until: int) -> None:
    """Save that a worker has begun a run."""
    await tx.execute(
        "UPDATE export_runs SET state = $3, started = $4, since = $5, through = $6, updated = $7, revision = $8,"
        " lease = $9, location = $10, due = $11, download_due = $12, tries = tries + 1"
        " WHERE customer_id = $1 AND id = $2",
        run.customer_id,
        run.id,
        run.state,
        run.started,
        run.since,
        run.through,
        run.updated,
        run.revision,
        lease,
        run.location,
        *_due_columns(run, until),
    )


async def renew_lease(tx: WriteTransaction, run: ExportRun, lease: str, until: int) -> bool:
    """Extend the lease and save the progress; return False if the worker has lost it."""
    sql = (
        "UPDATE export_runs SET rows = $4, through = $5, due = $6, download_due = $7"
        " WHERE customer_id = $1 AND id = $2 AND lease = $3"
    )
    values = (run.customer_id, run.id, lease, run.rows, run.through, *_due_columns(run, until))
    return bool(await tx.execute(sql, *values))


async def finish(tx: WriteTransaction, run: ExportRun, lease: str) -> bool:
    """Save the outcome of a run and release its lease; return False if the worker has lost it."""
    return bool(
        await tx.execute(
            "UPDATE export_runs SET state = $4, rows = $5, files = $6, detail = $7, ended = $8, expires = $9,"
            " updated = $10, revision = $11, download = $12, lease = NULL, due = NULL, download_due = NULL"
            " WHERE customer_id = $1 AND id = $2 AND lease = $3",
            run.customer_id,
            run.id,
            lease,
            run.state,
            run.rows,
            _encode_files(run.files),
            run.detail,
            run.ended,
            run.expires,
            run.updated,
            run.revision,
            _encode_download(run),
        )
    )


async def list_expired(tx: ReadTransaction, now: int, limit: int) -> list[ExportRun]:
    """Return runs of all accounts whose files have to be deleted."""
    rows = await tx.fetch(f"{_RUN} WHERE expires <= $1 ORDER BY expires LIMIT {limit}", now)
    return [_to_run(row) for row in rows]


async def forget_files(tx: WriteTransaction, run: ExportRun) -> None:
    """Save that the files of a run were deleted. If its export was deleted, so is the run."""
    await tx.execute(
        "UPDATE export_runs SET expires = NULL WHERE customer_id = $1 AND id = $2", run.customer_id, run.id
    )
    await tx.execute(
        "DELETE FROM export_runs WHERE customer_id = $1 AND id = $2 AND NOT EXISTS"
        " (SELECT 1 FROM exports WHERE customer_id = $1 AND id = $3)",
        run.customer_id,
        run.id,
        run.export_id,
    )
