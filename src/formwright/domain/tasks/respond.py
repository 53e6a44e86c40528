"""What a recipient does with a task: see what is to be done, fill the form, send it, or decline.

To have been given the task is all that it takes; what else the person may do in the account does not matter.
"""

from dataclasses import dataclass, replace
from typing import Any

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.forms.lookups import SeenVersions
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import Submission, SubmissionOrigin
from formwright.domain.tasks import events, store
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
        """The account, the person and the task."""
        return self.task.customer_id, self.fulfilment.user_id, self.task.id


def is_link(token: str) -> bool:
    """Whether the word in a link can be one of a task."""
    return crypto.is_well_formed(token, LINK_PREFIX)


async def open_link(tx: ReadTransaction, token: str) -> tuple[Actor, TaskAssignment]:
    """As whom the holder of a recipient's link acts, also when the task has ended; `TaskNotFound` when it is none."""
    target = await store.find_by_link(tx, token)
    if target is None:
        raise TaskNotFound()
    actor, task, done = await authorize(tx, *target)
    return actor, TaskAssignment(task, done)


async def list_assigned(tx: ReadTransaction, customer_id: str, user_id: str) -> list[Task]:
    """What a person has still to do, what is due first at the front; of very many the first 200."""
    return await store.list_assigned(tx, customer_id, user_id, _MAX_LISTED)


async def get_assigned(tx: ReadTransaction, customer_id: str, user_id: str, task_id: str) -> tuple[Task, Fulfilment]:
    """A task that was given to this person; `TaskNotFound` for others, and for one that is not published yet."""
    task = await store.find(tx, Scope(customer_id), task_id)
    done = task.fulfilment_of(user_id) if task else None
    if task is None or done is None or task.status is TaskStatus.SCHEDULED:
        raise TaskNotFound()
    return task, done


async def authorize(
    tx: ReadTransaction, customer_id: str, user_id: str, task_id: str
) -> tuple[Actor, Task, Fulfilment]:
    """As whom a recipient fills the form of her task; `TaskNotFound` for who is none, or may not sign in any more."""
    task, done = await get_assigned(tx, customer_id, user_id, task_id)
    user = (await people.find_many(tx, actors.system(customer_id), [user_id])).get(user_id)
    if user is None or user.status is UserStatus.DISABLED:
        raise TaskNotFound()
    return actors.recipient(user_id, task.form_id, customer_id, user.name), task, done


def can_respond(task: Task, fulfilment: Fulfilment) -> bool:
    """Whether this person can still answer."""
    return task.status in RUNNING_STATUSES and fulfilment.status not in ANSWERED_STATUSES


def check_can_respond(task: Task, fulfilment: Fulfilment) -> None:
    """`TaskEnded` or `TaskAnswered` where no answer of this person is awaited any more."""
    if fulfilment.status in ANSWERED_STATUSES and task.status not in ENDED_STATUSES:
        raise TaskAnswered()
    check_running(task)


async def load_draft(tx: ReadTransaction, task: Task, user_id: str) -> tuple[Answers, int]:
    """What is filled in beforehand: what she saved so far, with its revision, else what came with the task, with 0."""
    client_id = _client_id(task, user_id)
    record = await submissions.find_by_client_id(tx, Scope(task.customer_id), form_id=task.form_id, client_id=client_id)
    return submissions.draft_answers(record, task.data)


def _client_id(task: Task, user_id: str) -> str:
    """A recipient has one submission for a task, on however many devices she fills it."""
    return f"{task.id}.{user_id}"


async def save(
    tx: WriteTransaction, customer_id: str, user_id: str, task_id: str, *, version_id: str, data: Answers
) -> Submission:
    """Keep the unfinished answers. With the first, the task is in progress."""
    now = await account_lock.next_timestamp(tx, customer_id)
    actor, task, done = await authorize(tx, customer_id, user_id, task_id)
    check_can_respond(task, done)
    record = await submissions.save_draft(
        tx,
        actor,
        form_id=task.form_id,
        version_id=version_id,
        client_id=_client_id(task, user_id),
        data=data,
        origin=SubmissionOrigin(user_id=user_id, task_id=task.id),
    )
    if done.status is FulfilmentStatus.OPEN:
        await _mark_started(tx, task, done, record, now)
    return record


async def _mark_started(
    tx: WriteTransaction, task: Task, done: Fulfilment, record: Submission, now: int
) -> tuple[Task, Fulfilment]:
    begun_ = replace(done, status=FulfilmentStatus.IN_PROGRESS, submission_id=record.id, at=now)
    return await record_response(tx, task, begun_, events.TaskStarted, now, done.user_id), begun_


async def submit(
    tx: WriteTransaction,
    customer_id: str,
    user_id: str,
    task_id: str,
    *,
    version_id: str,
    data: Answers,
    seen: SeenVersions | None = None,
) -> tuple[Submission, bool]:
    """Take in the filled form. Sent again after its answer was lost it is the same submission, and False says so."""
    now = await account_lock.next_timestamp(tx, customer_id)
    actor, task, done = await authorize(tx, customer_id, user_id, task_id)
    if done.status is not FulfilmentStatus.COMPLETED:
        check_can_respond(task, done)
    record, came_now = await submissions.submit(
        tx,
        actor,
        form_id=task.form_id,
        version_id=version_id,
        client_id=_client_id(task, user_id),
        data=data,
        seen=seen,
        origin=SubmissionOrigin(user_id=user_id, task_id=task.id),
    )
    if done.status is FulfilmentStatus.COMPLETED:
        # What was rejected meanwhile may come again: the submission knows, and the task stays as it is.
        return record, came_now
    if done.status is FulfilmentStatus.OPEN:
        task, done = await _mark_started(tx, task, done, record, now)
    sent = replace(done, status=FulfilmentStatus.COMPLETED, submission_id=record.id, at=now)
    await record_response(tx, task, sent, events.TaskFulfilled, now, user_id)
    return record, came_now


async def decline(tx: WriteTransaction, customer_id: str, user_id: str, task_id: str, reason: str) -> Task:
    """She will not do it, and may say why. Said again it changes nothing."""
    now = await account_lock.next_timestamp(tx, customer_id)
    _, task, done = await authorize(tx, customer_id, user_id, task_id)
    if done.status is FulfilmentStatus.DECLINED:
        return task
    check_can_respond(task, done)
    said = reason.strip()
    if len(said) > MAX_REASON_LENGTH:
        raise Invalid([ValidationFault("/reason", "value.too_long", f"At most {MAX_REASON_LENGTH} characters.")])
    declined = replace(done, status=FulfilmentStatus.DECLINED, at=now, reason=said or None)
    return await record_response(tx, task, declined, events.TaskDeclined, now, user_id)
