"""What can happen to tasks."""

from dataclasses import dataclass

from formwright.core.kernel.event import Event
from formwright.domain.tasks.model import Task


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
class TaskUpdated(TaskEvent):
    """Something of it was changed."""

    type = "task.updated"
