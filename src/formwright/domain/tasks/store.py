"""The SQL of tasks."""

from collections.abc import Sequence
from dataclasses import astuple

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.due_rows import DueRows
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query, form_exists
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Window, cut_page
from formwright.core.work_kinds import WorkKind
from formwright.domain.tasks.models import (
    ENDED_STATUSES,
    RUNNING_STATUSES,
    Fulfilment,
    FulfilmentStatus,
    Task,
    TaskCount,
    TaskFilter,
)

_COLUMNS = (
    "id, customer_id, form_id, status, message, data, group_ids, publish_at, due_at, complete_when, external_id,"
    " notify, remind_before, overdue, told, reminded, base_url, reason, ended, updated_by, created, updated, revision"
)
_TASK = f"SELECT {_COLUMNS} FROM tasks"
_RUNNING = ", ".join(f"'{status}'" for status in sorted(RUNNING_STATUSES))
_ENDED = ", ".join(f"'{status}'" for status in sorted(ENDED_STATUSES))
DUE = DueRows("tasks", of_forms=True)
_TASKS = RecordTable[Task]("tasks", f"{_COLUMNS}, due", told="notified", due="next_run_at")


_task_reader = RecordReader(Task, fulfilments=tuple)


async def _load_recipients(tx: ReadTransaction, scope: Scope, rows: Sequence[Row]) -> list[Task]:
    """Return the tasks of these rows, with their recipients."""
    found: dict[str, list[Fulfilment]] = {row[0]: [] for row in rows}
    query = Query(
        "SELECT task_id, user_id, named, status, submission_id, at, reason, link FROM task_recipients",
        scope.customer_id,
    ).any_of("task_id", found)
    for task_id, user_id, named, status, *rest in await _fetch_recipients(tx, query) if rows else ():
        found[task_id].append(Fulfilment(user_id, bool(named), FulfilmentStatus(status), *rest))
    return [_task_reader((*row[:6], found[row[0]], *row[6:])) for row in rows]


async def _fetch_recipients(tx: ReadTransaction, query: Query) -> Sequence[Row]:
    return await tx.fetch(f"{query.sql()} ORDER BY task_id, position", *query.args)


async def insert(tx: WriteTransaction, tasks: Sequence[Task]) -> None:
    for task in tasks:
        _schedule(tx, task)
    await _TASKS.insert_many(tx, tasks)
    await _insert_recipients(tx, tasks)


async def _insert_recipients(tx: WriteTransaction, tasks: Sequence[Task]) -> None:
    await tx.execute_many(
        "INSERT INTO task_recipients (customer_id, task_id, position, user_id, named, status, submission_id, at,"
        " reason, link) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        [
            (task.customer_id, task.id, position, f.user_id, int(f.assigned_directly), *astuple(f)[2:])
            for task in tasks
            for position, f in enumerate(task.fulfilments)
        ],
    )


async def update(tx: WriteTransaction, task: Task) -> None:
    _schedule(tx, task)
    await _TASKS.update(tx, task)
    await tx.execute("DELETE FROM task_recipients WHERE customer_id = $1 AND task_id = $2", task.customer_id, task.id)
    await _insert_recipients(tx, [task])


async def find(tx: ReadTransaction, scope: Scope, task_id: str) -> Task | None:
    query = Query(_TASK, scope.customer_id).where("id = ?", task_id).in_scope(scope)
    row = await tx.fetch_one(query.sql(), *query.args)
    return (await _load_recipients(tx, scope, [row]))[0] if row else None


async def find_many(tx: ReadTransaction, scope: Scope, task_ids: Sequence[str]) -> list[Task]:
    query = Query(_TASK, scope.customer_id).any_of("id", task_ids).in_scope(scope)
    return await _load_recipients(tx, scope, await tx.fetch(query.sql(), *query.args))


async def find_by_link(tx: ReadTransaction, link: str) -> tuple[str, str, str] | None:
    """Return the ids of the account, the user and the task that a recipient's link belongs to."""
    row = await tx.fetch_one("SELECT customer_id, user_id, task_id FROM task_recipients WHERE link = $1", link)
    return (row[0], row[1], row[2]) if row else None


async def find_by_external_id(tx: ReadTransaction, scope: Scope, external_id: str) -> Task | None:
    query = Query(_TASK, scope.customer_id).where("external_id = ?", external_id).in_scope(scope)
    row = await tx.fetch_one(query.sql(), *query.args)
    return (await _load_recipients(tx, scope, [row]))[0] if row else None


async def find_by_external_ids(tx: ReadTransaction, scope: Scope, external_ids: Sequence[str]) -> dict[str, Task]:
    """Return the account's tasks with these external ids by external id, even those outside the scope.

    An external id is unique in the account, so a task that the caller can't see also takes it.
    """
    query = Query(_TASK, scope.customer_id).any_of("external_id", external_ids)
    rows = await tx.fetch(query.sql(), *query.args) if external_ids else ()
    return {task.external_id or "": task for task in await _load_recipients(tx, scope, rows)}


async def page(tx: ReadTransaction, scope: Scope, filters: TaskFilter, window: Window) -> Page[Task]:
    query = Query(_TASK, scope.customer_id).in_scope(scope)
    query.one_of("form_id", filters.form_ids).one_of("status", filters.statuses)
    if filters.user_id is not None:
        query.where(
            "id IN (SELECT task_id FROM task_recipients WHERE customer_id = $1 AND user_id = ?)", filters.user_id
        )
    if filters.group_id is not None:
        quoted_id = msgspec.json.encode(filters.group_id).decode()
        query.where("group_ids LIKE '%' || ? || '%'", quoted_id)
    for condition, value in (
        ("external_id = ?", filters.external_id),
        ("due_at >= ?", filters.due_from),
        ("due_at < ?", filters.due_to),
    ):
        if value is not None:
            query.where(condition, value)
    if filters.overdue is not None:
        overdue = f"overdue = 1 AND status NOT IN ({_ENDED})"
        query.where(overdue if filters.overdue else f"NOT ({overdue})")
    rows = await tx.fetch(query.timed_window(window, filters.times), *query.args)
    return cut_page(await _load_recipients(tx, scope, rows), window.limit, filters.times.position)


async def count_overdue(tx: ReadTransaction, scope: Scope, limit: int) -> int:
    # The conditions are those of the index tasks_overdue.
    query = Query("SELECT 1 FROM tasks", scope.customer_id).in_scope(scope)
    query.where(f"overdue = 1 AND status IN ({_RUNNING})")
    row = await tx.fetch_one(f"SELECT count(*) FROM ({query.sql()} LIMIT {limit}) AS found", *query.args)
    return int(row[0]) if row else 0


async def list_assigned(tx: ReadTransaction, customer_id: str, user_id: str, limit: int) -> list[Task]:
    """Return the tasks that a user still has to do, the earliest due time first."""
    rows = await tx.fetch(
        f"{_TASK} WHERE customer_id = $1 AND status IN ({_RUNNING}) AND {form_exists()}"
        " AND id IN (SELECT task_id FROM task_recipients WHERE customer_id = $1 AND user_id = $2"
        " AND status IN ('OPEN', 'IN_PROGRESS'))"
        f" ORDER BY due_at IS NULL, due_at, created, id LIMIT {limit}",
        customer_id,
        user_id,
    )
    return await _load_recipients(tx, Scope(customer_id), rows)


def _schedule(tx: WriteTransaction, task: Task) -> None:
    if task.next_run_at is not None:
        tx.schedule(WorkKind.TASK, task.customer_id, task.next_run_at)


_SUMS = (
    "sum(CASE WHEN t.status = 'SCHEDULED' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN {open} THEN 1 ELSE 0 END), sum(CASE WHEN {open} AND t.overdue = 1 THEN 1 ELSE 0 END),"
    " sum(CASE WHEN {completed} THEN 1 ELSE 0 END), sum(CASE WHEN {declined} THEN 1 ELSE 0 END),"
    " sum(CASE WHEN t.status = 'REVOKED' THEN 1 ELSE 0 END)"
)


async def count_by_form(tx: ReadTransaction, scope: Scope) -> list[TaskCount]:
    sums = _SUMS.format(
        open=f"t.status IN ({_RUNNING})", completed="t.status = 'COMPLETED'", declined="t.status = 'DECLINED'"
    )
    query = Query(f"SELECT t.form_id, {sums} FROM tasks t", scope.customer_id).in_scope(scope)
    return _to_counts(await tx.fetch(f"{query.sql()} GROUP BY t.form_id ORDER BY t.form_id", *query.args))


async def count_by_user(tx: ReadTransaction, scope: Scope) -> list[TaskCount]:
    """Count by the recipient's own progress: a submitted form counts as completed even if others have not responded."""
    sums = _SUMS.format(
        open=f"t.status IN ({_RUNNING}) AND r.status IN ('OPEN', 'IN_PROGRESS')",
        completed="r.status = 'COMPLETED'",
        declined="r.status = 'DECLINED'",
    )
    own = "SELECT task_id, user_id, status FROM task_recipients WHERE customer_id = $1"
    select = f"SELECT r.user_id, {sums} FROM tasks t JOIN ({own}) r ON r.task_id = t.id"
    query = Query(select, scope.customer_id).in_scope(scope)
    return _to_counts(await tx.fetch(f"{query.sql()} GROUP BY r.user_id ORDER BY r.user_id", *query.args))


def _to_counts(rows: Sequence[Row]) -> list[TaskCount]:
    return [TaskCount(row[0], *(int(number) for number in row[1:])) for row in rows]
