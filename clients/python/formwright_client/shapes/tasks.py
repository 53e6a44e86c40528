"""Shapes of Tasks.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

CompleteWhen: TypeAlias = Literal["ALL", "ANY"]
"""When a task is completed."""


class Task(TypedDict):
    """A form that is assigned to users and groups."""

    id: str
    customerId: str
    formId: str
    status: TaskStatus
    recipients: TaskRecipients
    message: str
    data: dict[str, Any]
    publishAt: str | None
    dueAt: str | None
    completeWhen: CompleteWhen
    externalId: str | None
    notify: bool
    remindBefore: str | None
    overdue: bool
    fulfilments: list[TaskFulfilment]
    reason: str | None
    endedAt: str | None
    updatedBy: str | None
    created: str
    updated: str
    revision: int


class TaskCount(TypedDict):
    """The number of tasks of a form or a user."""

    formId: str | None
    userId: str | None
    scheduled: int
    open: int
    overdue: int
    completed: int
    declined: int
    revoked: int


class TaskCounts(TypedDict):
    """Numbers of tasks, for each form or each user that has any."""

    items: list[TaskCount]


class TaskCreate(TypedDict):
    """A new task."""

    recipients: TaskRecipients
    message: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    publishAt: NotRequired[str | None]
    publishAfter: NotRequired[str | None]
    dueAt: NotRequired[str | None]
    completeWhen: NotRequired[CompleteWhen]
    externalId: NotRequired[str | None]
    notify: NotRequired[bool]
    remindBefore: NotRequired[str | None]


class TaskFulfilment(TypedDict):
    """The progress of one recipient of a task."""

    userId: str
    status: TaskFulfilmentStatus
    submissionId: str | None
    at: str | None
    reason: str | None


TaskFulfilmentStatus: TypeAlias = Literal["COMPLETED", "DECLINED", "IN_PROGRESS", "OPEN"]
"""The progress of one recipient."""


class TaskRecipients(TypedDict):
    """The users and groups to whom a task is assigned."""

    users: NotRequired[list[str]]
    groups: NotRequired[list[str]]


TaskStatus: TypeAlias = Literal["COMPLETED", "DECLINED", "IN_PROGRESS", "OPEN", "REVOKED", "SCHEDULED"]
"""The status of a task."""


class TaskUpdate(TypedDict):
    """The properties of a task to change."""

    recipients: NotRequired[TaskRecipients]
    message: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    publishAt: NotRequired[str | None]
    dueAt: NotRequired[str | None]
    completeWhen: NotRequired[CompleteWhen]
    notify: NotRequired[bool]
    remindBefore: NotRequired[str | None]


class TaskUpdateByReference(TypedDict):
    """A task, identified by either `id` or `externalId`, and the properties to change."""

    recipients: NotRequired[TaskRecipients]
    message: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    publishAt: NotRequired[str | None]
    dueAt: NotRequired[str | None]
    completeWhen: NotRequired[CompleteWhen]
    notify: NotRequired[bool]
    remindBefore: NotRequired[str | None]
    id: NotRequired[str | None]
    externalId: NotRequired[str | None]
