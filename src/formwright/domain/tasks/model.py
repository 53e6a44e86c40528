"""Tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from msgspec import UNSET, UnsetType

from formwright.core.kernel.errors import Conflict, NotFound


class TaskStatus(StrEnum):
    """How far a task has come."""

    SCHEDULED = "SCHEDULED"
    OPEN = "OPEN"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    DECLINED = "DECLINED"
    REVOKED = "REVOKED"


ENDED = frozenset({TaskStatus.COMPLETED, TaskStatus.DECLINED, TaskStatus.REVOKED})


class CompleteWhen(StrEnum):
    """Whether one answer is enough, or every recipient's is needed."""

    ANY = "ANY"
    ALL = "ALL"


@dataclass(frozen=True, slots=True)
class Task:
    """A form to be filled by people. `data` is a JSON object of pre-filled answers; times in milliseconds."""

    id: str
    customer_id: str
    form_id: str
    status: TaskStatus
    message: str
    data: str
    user_ids: tuple[str, ...]
    due_at: int | None
    complete_when: CompleteWhen
    external_id: str | None
    created: int
    updated: int
    revision: int


@dataclass(frozen=True, slots=True)
class NewTask:
    """What a task is made from."""

    user_ids: Sequence[str]
    message: str
    data: Mapping[str, object]
    due_at: int | None
    complete_when: CompleteWhen
    external_id: str | None


@dataclass(frozen=True, slots=True)
class TaskChange:
    """What changes; what is not set stays as it is. A task without a due time has None."""

    user_ids: Sequence[str] | UnsetType = UNSET
    message: str | UnsetType = UNSET
    data: Mapping[str, object] | UnsetType = UNSET
    due_at: int | UnsetType | None = UNSET
    complete_when: CompleteWhen | UnsetType = UNSET


class TaskNotFound(NotFound):
    """No such task in this account."""

    code = "task.not_found"
    detail = "There is no such task in this account."


class TaskEnded(Conflict):
    """It is over, so nothing of it changes any more."""

    code = "task.ended"
    detail = "This task has ended and can no longer be changed."


class TaskExternalIdTaken(Conflict):
    """Another task has this external id."""

    code = "task.external_id_taken"
    detail = "This account has a task with this externalId already. Change that one with PUT /tasks."
