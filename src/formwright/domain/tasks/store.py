"""The SQL of tasks."""

from formwright.core.access.scope import Scope
from formwright.core.kernel.paging import Page, Place, Window, cut
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import Query
from formwright.domain.tasks.model import CompleteWhen, Task, TaskStatus

_TASK = (
    "SELECT id, customer_id, form_id, status, message, data, due_at, complete_when, external_id,"
    " created, updated, revision FROM tasks"
)


def _task(row: Row, user_ids: tuple[str, ...]) -> Task:
    task_id, customer_id, form_id, status, message, data, due_at, complete_when, *rest = row
    when = CompleteWhen(complete_when)
    return Task(task_id, customer_id, form_id, TaskStatus(status), message, data, user_ids, due_at, when, *rest)


async def _recipients(tx: Reading, scope: Scope, task_ids: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {task_id: [] for task_id in task_ids}
    places = ", ".join(f"${i + 2}" for i in range(len(task_ids)))
    sql = (
        f"SELECT task_id, user_id FROM task_recipients WHERE customer_id = $1 AND task_id IN ({places})"
        " ORDER BY task_id, position"
    )
    for task_id, user_id in await tx.fetch(sql, scope.customer_id, *task_ids) if task_ids else ():
        found[task_id].append(user_id)
    return found


async def _tasks(tx: Reading, scope: Scope, rows: list[Row]) -> list[Task]:
    recipients = await _recipients(tx, scope, [row[0] for row in rows])
    return [_task(row, tuple(recipients[row[0]])) for row in rows]


async def insert(tx: Writing, task: Task) -> None:
    await tx.execute(
        "INSERT INTO tasks (customer_id, id, form_id, status, message, data, due_at, complete_when,"
        " external_id, created, updated, revision) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        task.customer_id,
        task.id,
        task.form_id,
        task.status,
        task.message,
        task.data,
        task.due_at,
        task.complete_when,
        task.external_id,
        task.created,
        task.updated,
        task.revision,
    )
    await _insert_recipients(tx, task)


async def _insert_recipients(tx: Writing, task: Task) -> None:
    await tx.execute_many(
        "INSERT INTO task_recipients (customer_id, task_id, user_id, position) VALUES ($1, $2, $3, $4)",
        [(task.customer_id, task.id, user_id, position) for position, user_id in enumerate(task.user_ids)],
    )


async def update(tx: Writing, task: Task) -> None:
    await tx.execute(
        "UPDATE tasks SET message = $3, data = $4, due_at = $5, complete_when = $6, updated = $7, revision = $8"
        " WHERE customer_id = $1 AND id = $2",
        task.customer_id,
        task.id,
        task.message,
        task.data,
        task.due_at,
        task.complete_when,
        task.updated,
        task.revision,
    )
    await tx.execute("DELETE FROM task_recipients WHERE customer_id = $1 AND task_id = $2", task.customer_id, task.id)
    await _insert_recipients(tx, task)


async def find(tx: Reading, scope: Scope, task_id: str) -> Task | None:
    query = Query(_TASK, scope.customer_id).where("id = ?", task_id).inside(scope)
    row = await tx.fetch_one(query.sql(), *query.args)
    return (await _tasks(tx, scope, [row]))[0] if row else None


async def find_external(tx: Reading, scope: Scope, external_id: str) -> Task | None:
    query = Query(_TASK, scope.customer_id).where("external_id = ?", external_id).inside(scope)
    row = await tx.fetch_one(query.sql(), *query.args)
    return (await _tasks(tx, scope, [row]))[0] if row else None


async def external_id_taken(tx: Reading, scope: Scope, external_id: str) -> bool:
    """Whether any task of the account has it, also one outside of the scope: there is one of each."""
    sql = "SELECT 1 FROM tasks WHERE customer_id = $1 AND external_id = $2"
    return await tx.fetch_one(sql, scope.customer_id, external_id) is not None


async def page(tx: Reading, scope: Scope, window: Window) -> Page[Task]:
    query = Query(_TASK, scope.customer_id).inside(scope)
    rows = list(await tx.fetch(query.window(window, "created"), *query.args))
    return cut(await _tasks(tx, scope, rows), window.limit, lambda task: Place(task.created, task.id))
