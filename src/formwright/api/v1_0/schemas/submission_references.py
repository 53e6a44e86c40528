"""Schemas of what the ids of a submission refer to, with `expand`."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from formwright.api.v1_0.schemas.base import FormId, Resource, TaskId, Timestamp, UserId
from formwright.domain.tasks.models import TaskStatus


class Expansion(StrEnum):
    """What a list can add to each submission."""

    FORM = "form"
    USER = "user"
    TASK = "task"


class FormReference(Resource):
    """The form of a submission."""

    id: FormId
    name: Annotated[str, Meta(description="The name of the form.")]


class UserReference(Resource):
    """The user who filled in the form."""

    id: UserId
    name: Annotated[str, Meta(description="The name of the user.")]
    email: Annotated[str, Meta(description="The email address of the user.")]


class TaskReference(Resource):
    """The task for which the form was filled in."""

    id: TaskId
    external_id: Annotated[str | None, Meta(description="Your own id for the task.")]
    status: TaskStatus
    due_at: Annotated[Timestamp | None, Meta(description="When the task is due; null: no due time.")]
