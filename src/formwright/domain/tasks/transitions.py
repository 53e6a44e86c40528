"""From one state of a task to the next: written down with its event, by whom."""

from dataclasses import replace

from formwright.core.db.interface import WriteTransaction
from formwright.domain.mail import service as mail
from formwright.domain.tasks import events, store
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
    TaskStatus.COMPLETED: events.TaskCompleted,
    TaskStatus.DECLINED: events.TaskDeclined,
    TaskStatus.REVOKED: events.TaskRevoked,
}


def check_running(task: Task) -> None:
    """`TaskEnded` or `TaskNotOpen` where its recipients cannot answer it, with the state in which it is."""
    if task.status in ENDED_STATUSES:
        raise TaskEnded(task.status)
    if task.status is TaskStatus.SCHEDULED:
        raise TaskNotOpen()


async def save(tx: WriteTransaction, task: Task, now: int, by: str | None) -> Task:
    """The next revision of it, written down."""
    kept = replace(task, updated=now, updated_by=by, revision=task.revision + 1)
    await store.update(tx, kept)
    return kept


async def open_task(tx: WriteTransaction, task: Task, now: int, by: str | None) -> Task:
    """It is published: its recipients can begin."""
    kept = await save(tx, replace(task, status=TaskStatus.OPEN), now, by)
    tx.record(events.TaskOpened(kept.customer_id, kept))
    return kept


async def end_task(
    tx: WriteTransaction, task: Task, status: TaskStatus, now: int, by: str | None, reason: str | None
) -> Task:
    """It is over: no mail of it goes out any more."""
    over = replace(task, status=status, ended=now, reason=reason)
    kept = await save(tx, over, now, by)
    await mail.withdraw(tx, kept.customer_id, purpose=PURPOSE, subject_id=kept.id)
    tx.record(_END_EVENTS[status](kept.customer_id, kept))
    return kept


async def end_if_complete(tx: WriteTransaction, task: Task, now: int, by: str | None) -> Task:
    """Its end, where what its recipients have done is enough for one."""
    status = derive_status(task) if task.status in RUNNING_STATUSES else task.status
    return task if status is task.status else await end_task(tx, task, status, now, by, None)


async def record_response(
    tx: WriteTransaction,
    task: Task,
    fulfilment: Fulfilment,
    event_type: type[events.TaskEvent],
    now: int,
    by: str | None,
) -> Task:
    """A recipient has begun, sent or declined: with its event, and the end of the task if that was it."""
    moved = replace(task.with_fulfilment(fulfilment), status=TaskStatus.IN_PROGRESS)
    if event_type is events.TaskDeclined:
        # A task that nobody has begun is not in progress because somebody declined.
        moved = replace(moved, status=task.status)
        if derive_status(moved) is TaskStatus.DECLINED:
            return await end_task(tx, moved, TaskStatus.DECLINED, now, by, fulfilment.reason)
    kept = await save(tx, moved, now, by)
    tx.record(event_type(kept.customer_id, kept))
    return await end_if_complete(tx, kept, now, by)
