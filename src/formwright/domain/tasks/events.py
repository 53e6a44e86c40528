"""What can happen to tasks."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.tasks.models import Task


@dataclass(frozen=True, slots=True)
class TaskEvent(Event):
    """What all of them carry: the task as it is from then on."""

    task: Task


@dataclass(frozen=True, slots=True)
class TaskCreated(TaskEvent):
    """It was made."""

    type = "task.created"


@dataclass(frozen=True, slots=True)
class TaskOpened(TaskEvent):
    """Its recipients can begin."""

    type = "task.opened"


@dataclass(frozen=True, slots=True)
class TaskStarted(TaskEvent):
    """A recipient has begun."""

    type = "task.started"


@dataclass(frozen=True, slots=True)
class TaskFulfilled(TaskEvent):
    """A recipient has sent the form."""

    type = "task.fulfilled"


@dataclass(frozen=True, slots=True)
class TaskCompleted(TaskEvent):
    """Enough recipients have sent the form, or somebody said so."""

    type = "task.completed"


@dataclass(frozen=True, slots=True)
class TaskDeclined(TaskEvent):
    """A recipient will not do it; its status says whether that was its end."""

    type = "task.declined"


@dataclass(frozen=True, slots=True)
class TaskRevoked(TaskEvent):
    """It was taken back."""

    type = "task.revoked"


@dataclass(frozen=True, slots=True)
class TaskUpdated(TaskEvent):
    """Something of it was changed."""

    type = "task.updated"


@dataclass(frozen=True, slots=True)
class TaskOverdue(TaskEvent):
    """Its due time has passed, and it is not done."""

    type = "task.overdue"
