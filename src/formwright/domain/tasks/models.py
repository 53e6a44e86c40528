"""Tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from msgspec import UNSET, UnsetType

from formwright.core.errors import Conflict, NotFound

DAY_MS = 24 * 3600 * 1000


class TaskStatus(StrEnum):
    """The status of a task. `SCHEDULED`: not published yet. `OPEN`: recipients can begin. `IN_PROGRESS`: a recipient
    has begun. `COMPLETED`, `DECLINED` and `REVOKED`: the task has ended.
    """

    SCHEDULED = "SCHEDULED"
    OPEN = "OPEN"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    DECLINED = "DECLINED"
    REVOKED = "REVOKED"


ENDED_STATUSES = frozenset({TaskStatus.COMPLETED, TaskStatus.DECLINED, TaskStatus.REVOKED})
RUNNING_STATUSES = frozenset({TaskStatus.OPEN, TaskStatus.IN_PROGRESS})


class FulfilmentStatus(StrEnum):
    """The progress of one recipient. `OPEN`: not begun. `IN_PROGRESS`: begun. `COMPLETED`: submitted. `DECLINED`: the
    recipient will not fill in the form.
    """

    OPEN = "OPEN"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    DECLINED = "DECLINED"


ANSWERED_STATUSES = frozenset({FulfilmentStatus.COMPLETED, FulfilmentStatus.DECLINED})


class CompleteWhen(StrEnum):
    """When a task is completed. `ANY`: one recipient has submitted the form. `ALL`: every recipient has."""

    ANY = "ANY"
    ALL = "ALL"


@dataclass(frozen=True, slots=True)
class Fulfilment:
    """What one recipient has done. `named`: as a person, and not only as a member of a group; `at`: since when.

    `link` opens the form for her alone.
    """

    user_id: str
    assigned_directly: bool = True
    status: FulfilmentStatus = FulfilmentStatus.OPEN
    submission_id: str | None = None
    at: int | None = None
    reason: str | None = None
    link: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Task:
    """A form to be filled by people. `data` is a JSON object of pre-filled answers; times in milliseconds.

    `remind_before`: so long before it is due; None: no reminder. `told`, `reminded`: these mails are on their way.
    `updated_by` is the person or the key of the last change; None: the clock, or the operator.
    """

    id: str
    customer_id: str
    form_id: str
    status: TaskStatus
    message: str
    data: str
    fulfilments: tuple[Fulfilment, ...]
    group_ids: tuple[str, ...]
    publish_at: int | None
    due_at: int | None
    complete_when: CompleteWhen
    external_id: str | None
    notify: bool
    remind_before: int | None
    overdue: bool
    notified: bool
    reminded: bool
    base_url: str
    reason: str | None
    ended: int | None
    updated_by: str | None
    created: int
    updated: int
    revision: int

    @property
    def user_ids(self) -> tuple[str, ...]:
        """The recipients that were named as persons."""
        return tuple(one.user_id for one in self.fulfilments if one.assigned_directly)

    @property
    def next_run_at(self) -> int | None:
        """When the clock has something to do for it; 0: at once, also when the clock is set back."""
        if self.status in ENDED_STATUSES:
            return None
        if self.status is TaskStatus.SCHEDULED:
            return self.publish_at
        times = [0] if self.notify and not self.notified else []
        if self.due_at is not None and not self.overdue:
            times.append(self.due_at)
        if (at := self.remind_at) is not None:
            times.append(at)
        return min(times, default=None)

    @property
    def remind_at(self) -> int | None:
        """When its recipients are reminded; None when they have been, or will not be."""
        if self.due_at is None or self.remind_before is None or not self.notify or self.reminded or self.overdue:
            return None
        return self.due_at - self.remind_before

    def fulfilment_of(self, user_id: str) -> Fulfilment | None:
        """What this recipient has done; None for who is none."""
        return next((one for one in self.fulfilments if one.user_id == user_id), None)

    def with_fulfilment(self, done: Fulfilment) -> "Task":
        """The same with what one recipient has done."""
        rest = tuple(done if one.user_id == done.user_id else one for one in self.fulfilments)
        return replace(self, fulfilments=rest)


def derive_status(task: Task) -> TaskStatus:
    """What the task is by what its recipients have done: it ends when enough have answered, or nobody is left to."""
    answers = [one.status for one in task.fulfilments]
    completed = answers.count(FulfilmentStatus.COMPLETED)
    if completed == len(answers) or (completed and task.complete_when is CompleteWhen.ANY):
        return TaskStatus.COMPLETED
    if all(status in ANSWERED_STATUSES for status in answers):
        return TaskStatus.DECLINED
    return task.status


@dataclass(frozen=True, slots=True)
class NewTask:
    """What a task is made from. `publish_after`: so many milliseconds from now."""

    user_ids: Sequence[str]
    group_ids: Sequence[str] = ()
    message: str = ""
    data: Mapping[str, object] | None = None
    publish_at: int | None = None
    publish_after: int | None = None
    due_at: int | None = None
    complete_when: CompleteWhen = CompleteWhen.ANY
    external_id: str | None = None
    notify: bool = True
    remind_before: int | None = DAY_MS


@dataclass(frozen=True, slots=True)
class TaskChange:
    """What changes; what is not set stays as it is. A task without a due time has None."""

    user_ids: Sequence[str] | UnsetType = UNSET
    group_ids: Sequence[str] = ()
    message: str | UnsetType = UNSET
    data: Mapping[str, object] | UnsetType = UNSET
    publish_at: int | UnsetType | None = UNSET
    due_at: int | UnsetType | None = UNSET
    complete_when: CompleteWhen | UnsetType = UNSET
    notify: bool | UnsetType = UNSET
    remind_before: int | UnsetType | None = UNSET


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Which tasks are meant; the period of due times is half-open (from <= t < to), nothing given means any."""

    form_ids: Sequence[str] = ()
    statuses: Sequence[TaskStatus] = ()
    user_id: str | None = None
    group_id: str | None = None
    external_id: str | None = None
    due_from: int | None = None
    due_to: int | None = None
    overdue: bool | None = None


@dataclass(frozen=True, slots=True)
class TaskCount:
    """How many tasks a form or a person has: still to be done, of these overdue, and completed."""

    id: str
    scheduled: int
    open: int
    overdue: int
    completed: int
    declined: int
    revoked: int


class TaskNotFound(NotFound):
    """No such task in this account."""

    code = "task.not_found"
    detail = "There is no such task in this account."


class TaskEnded(Conflict):
    """It is over, so nothing of it changes any more."""

    code = "task.ended"
    detail = "This task has ended and can no longer be changed."

    def __init__(self, status: TaskStatus | None = None) -> None:
        super().__init__(f"This task is {status} and can no longer be changed." if status else None)


class TaskNotOpen(Conflict):
    """It cannot be done yet."""

    code = "task.not_open"
    detail = "This task is SCHEDULED: it has not been published yet. Publish it, or revoke it."


class TaskAnswered(Conflict):
    """The recipient has answered already."""

    code = "task.answered"
    detail = "This was answered already, and cannot be answered again."


class TaskExternalIdTaken(Conflict):
    """A task of another form has this external id."""

    code = "task.external_id_taken"
    detail = "A task of another form has this externalId already. Change that one with PUT /tasks."
