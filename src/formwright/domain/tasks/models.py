"""Tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from msgspec import UNSET, UnsetType

from formwright.core.errors import Conflict, NotFound
from formwright.core.pagination import OLDEST_FIRST, TimeFilter

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
    """The state of a task for one recipient.

    `assigned_directly` is False for a recipient who is only assigned as a member of a group. `at` is the time of the
    last status change. `link` is the secret of the recipient's personal link to the form.
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
    """A form that users are asked to fill in. Times are in milliseconds.

    `data` is a JSON object of pre-filled answers. `remind_before` is the time between reminder and due time; None means
    no reminder. `notified` and `reminded` say whether these emails have been queued. `updated_by` is the user or API
    key of the last change; None for the scheduler and the operator.
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
        """The recipients who were assigned directly."""
        return tuple(f.user_id for f in self.fulfilments if f.assigned_directly)

    @property
    def next_run_at(self) -> int | None:
        """When the scheduler must process the task next: None for never, 0 for immediately."""
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
        """When to send the reminder; None if it has been sent or there is none."""
        if self.due_at is None or self.remind_before is None or not self.notify or self.reminded or self.overdue:
            return None
        return self.due_at - self.remind_before

    def fulfilment_of(self, user_id: str) -> Fulfilment | None:
        """Return the state for a recipient; None if the user is not a recipient."""
        return next((f for f in self.fulfilments if f.user_id == user_id), None)

    def with_fulfilment(self, changed: Fulfilment) -> "Task":
        """Return a copy with the new state for one recipient."""
        fulfilments = tuple(changed if f.user_id == changed.user_id else f for f in self.fulfilments)
        return replace(self, fulfilments=fulfilments)


def derive_status(task: Task) -> TaskStatus:
    """Return the status that follows from the recipients' responses.

    A task ends when enough recipients have completed it, or when nobody is left who could.
    """
    statuses = [f.status for f in task.fulfilments]
    completed = statuses.count(FulfilmentStatus.COMPLETED)
    if completed == len(statuses) or (completed and task.complete_when is CompleteWhen.ANY):
        return TaskStatus.COMPLETED
    if all(status in ANSWERED_STATUSES for status in statuses):
        return TaskStatus.DECLINED
    return task.status


@dataclass(frozen=True, slots=True)
class NewTask:
    """Input for creating a task. `publish_after` is in milliseconds from now."""

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
    """Changes to a task. UNSET leaves a property as it is; None removes a time.

    `group_ids` is only used if `user_ids` is set, because both replace the recipients.
    """

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
    """Filters for a list of tasks. The period of due times is half-open: `due_from` <= t < `due_to`."""

    form_ids: Sequence[str] = ()
    statuses: Sequence[TaskStatus] = ()
    user_id: str | None = None
    group_id: str | None = None
    external_id: str | None = None
    due_from: int | None = None
    due_to: int | None = None
    overdue: bool | None = None
    times: TimeFilter = OLDEST_FIRST


@dataclass(frozen=True, slots=True)
class TaskCount:
    """Numbers of tasks per status for a form or a user, whose id is `id`. `overdue` is a part of `open`."""

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
    """The task has ended and cannot be changed."""

    code = "task.ended"
    detail = "This task has ended and can no longer be changed."

    def __init__(self, status: TaskStatus | None = None) -> None:
        super().__init__(f"This task is {status} and can no longer be changed." if status else None)


class TaskNotOpen(Conflict):
    """The task has not been published yet."""

    code = "task.not_open"
    detail = "This task is SCHEDULED and has not been published yet. Publish it or revoke it."


class TaskAnswered(Conflict):
    """The recipient has already responded."""

    code = "task.answered"
    detail = "You have already responded to this task."


class TaskExternalIdTaken(Conflict):
    """A task of another form has this external id."""

    code = "task.external_id_taken"
    detail = "A task of another form already has this externalId. To change that task, use PUT /tasks."
