"""Status changes of tasks: each stores the task with who changed it, and records its event."""

from dataclasses import replace

from formwright.core.db.interface import WriteTransaction
from formwright.core.events import Event, EventType
from formwright.domain.mail import service as mail
from formwright.domain.tasks import store
from formwright.domain.tasks.emails import PURPOSE
from formwright.domain.tasks.models import (
    ENDED_STATUSES,
    RUNNING_STATUSES,
    Fulfilment,
    Task,
    TaskEnded,
    TaskNotOpen,
    TaskStatus,
    derive_status,
)

_END_EVENTS = {
    TaskStatus.COMPLETED: EventType.TASK_COMPLETED,
    TaskStatus.DECLINED: EventType.TASK_DECLINED,
    TaskStatus.REVOKED: EventType.TASK_REVOKED,
}


def check_running(task: Task) -> None:
    """Raise `TaskEnded` or `TaskNotOpen` if recipients can't respond to the task."""
    if task.status in ENDED_STATUSES:
        raise TaskEnded(task.status)
    if task.status is TaskStatus.SCHEDULED:
        raise TaskNotOpen()


async def save(tx: WriteTransaction, task: Task, now: int, by: str | None) -> Task:
    """Store the task with its next revision and return it."""
    saved = replace(task, updated=now, updated_by=by, revision=task.revision + 1)
    await store.update(tx, saved)
    return saved


async def open_task(tx: WriteTransaction, task: Task, now: int, by: str | None) -> Task:
    """Publish the task, so that its recipients can respond."""
    task = await save(tx, replace(task, status=TaskStatus.OPEN), now, by)
    tx.record(Event(EventType.TASK_OPENED, task.customer_id, task))
    return task


async def end_task(
    tx: WriteTransaction, task: Task, status: TaskStatus, now: int, by: str | None, reason: str | None
) -> Task:
    """End the task with this status and withdraw its queued emails."""
    task = await save(tx, replace(task, status=status, ended=now, reason=reason), now, by)
    await mail.withdraw(tx, task.customer_id, purpose=PURPOSE, subject_id=task.id)
    tx.record(Event(_END_EVENTS[status], task.customer_id, task))
    return task


async def end_if_complete(tx: WriteTransaction, task: Task, now: int, by: str | None) -> Task:
    """End the task if the recipients' responses complete or decline it; return it."""
    status = derive_status(task) if task.status in RUNNING_STATUSES else task.status
    return task if status is task.status else await end_task(tx, task, status, now, by, None)


async def record_response(
    tx: WriteTransaction,
    task: Task,
    fulfilment: Fulfilment,
    event_type: EventType,
    now: int,
    by: str | None,
) -> Task:
    """Save that a recipient started, submitted or declined, record the event, and end the task if it is complete."""
    after = replace(task.with_fulfilment(fulfilment), status=TaskStatus.IN_PROGRESS)
    if event_type is EventType.TASK_DECLINED:
        # Declining alone does not put a task in progress.
        after = replace(after, status=task.status)
        if derive_status(after) is TaskStatus.DECLINED:
            return await end_task(tx, after, TaskStatus.DECLINED, now, by, fulfilment.reason)
    after = await save(tx, after, now, by)
    tx.record(Event(event_type, after.customer_id, after))
    return await end_if_complete(tx, after, now, by)
