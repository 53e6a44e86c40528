"""Time-based changes of tasks: publishing, notifying and reminding recipients, and marking tasks as overdue.

The `due` column holds the time of the next change. Any worker can make it. Each change happens once: a second worker
finds that it is done, and so does a worker whose clock was set back. After downtime, changes are made late.
"""

from dataclasses import replace

from formwright.core.auth.actor import Scope
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import WriteTransaction
from formwright.core.events import Event, EventType
from formwright.domain.tasks import emails, store
from formwright.domain.tasks.emails import Occasion
from formwright.domain.tasks.models import Task, TaskStatus
from formwright.domain.tasks.transitions import open_task, save

DUE = store.DUE


async def run_due(tx: WriteTransaction, secret_box: SecretBox, customer_id: str, task_id: str) -> Task | None:
    """Make the due changes of a task and return it; None if there is nothing left to do."""
    timestamp = await account_lock.next_timestamp(tx, customer_id)
    task = await store.find(tx, Scope(customer_id), task_id)
    now = tx.now()
    if task is None or task.next_run_at is None or task.next_run_at > now:
        return None
    if task.status is TaskStatus.SCHEDULED:
        task = await open_task(tx, task, timestamp, None)
    if task.due_at is not None and task.due_at <= now and not task.overdue:
        task = await save(tx, replace(task, overdue=True), timestamp, None)
        tx.record(Event(EventType.TASK_OVERDUE, customer_id, task))
        occasion = Occasion.OVERDUE
    else:
        occasion = Occasion.REMINDER if task.notified else Occasion.OPENED
    if task.notify and (occasion is not Occasion.REMINDER or _is_reminder_due(task, now)):
        await emails.send_emails(tx, secret_box, task, occasion)
    # Recipients who are only notified now don't need a reminder at the same time.
    task = replace(task, notified=True, reminded=task.reminded or _is_reminder_due(task, now))
    await store.update(tx, task)
    return task


def _is_reminder_due(task: Task, now: int) -> bool:
    return task.remind_at is not None and task.remind_at <= now
