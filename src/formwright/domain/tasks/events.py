"""Events about tasks."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.tasks.models import Task


@dataclass(frozen=True, slots=True)
class TaskEvent(Event):
    """Base class; `task` is the state after the event."""

    task: Task


@dataclass(frozen=True, slots=True)
class TaskCreated(TaskEvent):
    """The task was created."""

    type = "task.created"


@dataclass(frozen=True, slots=True)
class TaskOpened(TaskEvent):
    """The task was published, so its recipients can respond."""

    type = "task.opened"


@dataclass(frozen=True, slots=True)
class TaskStarted(TaskEvent):
    """A recipient saved the first answers."""

    type = "task.started"


@dataclass(frozen=True, slots=True)
class TaskFulfilled(TaskEvent):
    """A recipient submitted the form."""

    type = "task.fulfilled"


@dataclass(frozen=True, slots=True)
class TaskCompleted(TaskEvent):
    """Enough recipients submitted the form, or the task was marked as completed."""

    type = "task.completed"


@dataclass(frozen=True, slots=True)
class TaskDeclined(TaskEvent):
    """A recipient declined. The task's status says whether that ended the task."""

    type = "task.declined"


@dataclass(frozen=True, slots=True)
class TaskRevoked(TaskEvent):
    """The task was revoked."""

    type = "task.revoked"


@dataclass(frozen=True, slots=True)
class TaskUpdated(TaskEvent):
    """Properties of the task were changed."""

    type = "task.updated"


@dataclass(frozen=True, slots=True)
class TaskOverdue(TaskEvent):
    """The due time has passed and the task has not ended."""

    type = "task.overdue"
