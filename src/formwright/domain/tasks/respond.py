"""Operations for the recipients of tasks: list their tasks, save a draft, submit the form, or decline.

Being a recipient is sufficient: the user's permissions in the account do not matter.
"""

from dataclasses import dataclass, replace
from typing import Any

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, require
from formwright.core.events import EventType
from formwright.domain.forms.lookups import SeenVersions
from formwright.domain.submissions import respond
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import Submission, SubmissionOrigin
from formwright.domain.tasks import store
from formwright.domain.tasks.models import (
    ANSWERED_STATUSES,
    ENDED_STATUSES,
    RUNNING_STATUSES,
    Fulfilment,
    FulfilmentStatus,
    Task,
    TaskAnswered,
    TaskNotFound,
    TaskStatus,
)
from formwright.domain.tasks.transitions import check_running, record_response
from formwright.domain.tasks.validation import LINK_PREFIX
from formwright.domain.users import service as people
from formwright.domain.users.models import UserStatus

MAX_REASON_LENGTH = 1000
_MAX_LISTED = 200
Answers = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TaskAssignment:
    """A task and one of its recipients."""

    task: Task
    fulfilment: Fulfilment

    @property
    def key(self) -> tuple[str, str, str]:
        """The ids of the account, the user and the task."""
        return self.task.customer_id, self.fulfilment.user_id, self.task.id


def is_link(token: str) -> bool:
    """Whether the token of a link has the form of a task link's token."""
    return crypto.is_well_formed(token, LINK_PREFIX)


async def open_link(tx: ReadTransaction, token: str) -> tuple[Actor, TaskAssignment]:
    """Return the actor and the assignment for a recipient's link, even if the task has ended.

    Raises `TaskNotFound` if there is no such link or the user may no longer sign in.
    """
    target = require(await store.find_by_link(tx, token), TaskNotFound)
    actor, task, fulfilment = await authorize(tx, *target)
    return actor, TaskAssignment(task, fulfilment)


async def list_assigned(tx: ReadTransaction, customer_id: str, user_id: str) -> list[Task]:
    """Return up to 200 running tasks that a user still has to do, the earliest due time first."""
    return await store.list_assigned(tx, customer_id, user_id, _MAX_LISTED)


async def get_assigned(tx: ReadTransaction, customer_id: str, user_id: str, task_id: str) -> tuple[Task, Fulfilment]:
    """Return a published task and its state for a recipient; raises `TaskNotFound`, also for other users' tasks."""
    task = await store.find(tx, Scope(customer_id), task_id)
    fulfilment = task.fulfilment_of(user_id) if task else None
    if task is None or fulfilment is None or task.status is TaskStatus.SCHEDULED:
        raise TaskNotFound()
    return task, fulfilment


async def authorize(
    tx: ReadTransaction, customer_id: str, user_id: str, task_id: str
) -> tuple[Actor, Task, Fulfilment]:
    """Return the actor as which a recipient fills in the form, the task, and its state for the recipient.

    Raises `TaskNotFound` if the user is not a recipient or is disabled.
    """
    task, fulfilment = await get_assigned(tx, customer_id, user_id, task_id)
    user = (await people.find_many(tx, actors.system(customer_id), [user_id])).get(user_id)
    if user is None or user.status is UserStatus.DISABLED:
        raise TaskNotFound()
    return actors.recipient(user_id, task.form_id, customer_id, user.name), task, fulfilment


def can_respond(task: Task, fulfilment: Fulfilment) -> bool:
    """Whether the recipient can still respond."""
    return task.status in RUNNING_STATUSES and fulfilment.status not in ANSWERED_STATUSES


def check_can_respond(task: Task, fulfilment: Fulfilment) -> None:
    """Raise `TaskAnswered`, `TaskEnded` or `TaskNotOpen` if the recipient can't respond."""
    if fulfilment.status in ANSWERED_STATUSES and task.status not in ENDED_STATUSES:
        raise TaskAnswered()
    check_running(task)


async def load_draft(tx: ReadTransaction, task: Task, user_id: str) -> tuple[Answers, int]:
    """Return the recipient's saved answers and their revision, or the task's pre-filled answers and 0."""
    client_id = _client_id(task, user_id)
    record = await submissions.find_by_client_id(tx, Scope(task.customer_id), form_id=task.form_id, client_id=client_id)
    return respond.draft_answers(record, task.data)


def _client_id(task: Task, user_id: str) -> str:
    """Return a fixed client id, so that a recipient has one submission per task, on however many devices."""
    return f"{task.id}.{user_id}"


async def save(
    tx: WriteTransaction, customer_id: str, user_id: str, task_id: str, *, version_id: str, data: Answers
) -> Submission:
    """Save unfinished answers and return the draft. The first one puts the task in progress."""
    now = await account_lock.next_timestamp(tx, customer_id)
    actor, task, fulfilment = await authorize(tx, customer_id, user_id, task_id)
    check_can_respond(task, fulfilment)
    record = await respond.save_draft(
        tx,
        actor,
        form_id=task.form_id,
        version_id=version_id,
        client_id=_client_id(task, user_id),
        data=data,
        origin=SubmissionOrigin(user_id=user_id, task_id=task.id),
    )
    if fulfilment.status is FulfilmentStatus.OPEN:
        await _mark_started(tx, task, fulfilment, record, now)
    return record


async def _mark_started(
    tx: WriteTransaction, task: Task, fulfilment: Fulfilment, record: Submission, now: int
) -> tuple[Task, Fulfilment]:
    started = replace(fulfilment, status=FulfilmentStatus.IN_PROGRESS, submission_id=record.id, at=now)
    return await record_response(tx, task, started, EventType.TASK_STARTED, now, fulfilment.user_id), started


async def submit(
    tx: WriteTransaction,
    customer_id: str,
    user_id: str,
    task_id: str,
    *,
    version_id: str,
    data: Answers,
    seen_versions: SeenVersions | None = None,
    device_time: str | None = None,
) -> tuple[Submission, bool]:
    """Submit the form; return the submission and whether it is new.

    If the request is repeated because its response was lost, the result is the same submission and False.
    """
    now = await account_lock.next_timestamp(tx, customer_id)
    actor, task, fulfilment = await authorize(tx, customer_id, user_id, task_id)
    if fulfilment.status is not FulfilmentStatus.COMPLETED:
        check_can_respond(task, fulfilment)
    record, is_new = await respond.submit(
        tx,
        actor,
        form_id=task.form_id,
        version_id=version_id,
        client_id=_client_id(task, user_id),
        data=data,
        seen_versions=seen_versions,
        device_time=device_time,
        origin=SubmissionOrigin(user_id=user_id, task_id=task.id),
    )
    if fulfilment.status is FulfilmentStatus.COMPLETED:
        # `submissions.submit` accepts corrections of a rejected submission. The task does not change.
        return record, is_new
    if fulfilment.status is FulfilmentStatus.OPEN:
        task, fulfilment = await _mark_started(tx, task, fulfilment, record, now)
    completed = replace(fulfilment, status=FulfilmentStatus.COMPLETED, submission_id=record.id, at=now)
    await record_response(tx, task, completed, EventType.TASK_FULFILLED, now, user_id)
    return record, is_new


async def decline(tx: WriteTransaction, customer_id: str, user_id: str, task_id: str, reason: str) -> Task:
    """Decline a task for a recipient and return it; `reason` may be empty. Declining again changes nothing."""
    now = await account_lock.next_timestamp(tx, customer_id)
    _, task, fulfilment = await authorize(tx, customer_id, user_id, task_id)
    if fulfilment.status is FulfilmentStatus.DECLINED:
        return task
    check_can_respond(task, fulfilment)
    reason = reason.strip()
    if len(reason) > MAX_REASON_LENGTH:
        detail = f"Enter at most {MAX_REASON_LENGTH:,} characters."
        raise Invalid([ValidationFault("/reason", "value.too_long", detail)])
    declined = replace(fulfilment, status=FulfilmentStatus.DECLINED, at=now, reason=reason or None)
    return await record_response(tx, task, declined, EventType.TASK_DECLINED, now, user_id)
