"""Shapes of Tasks.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

CompleteWhen: TypeAlias = Literal["ALL", "ANY"]
"""Whether one answer is enough, or every recipient's is needed."""


class Fulfilment(TypedDict):
    """What one recipient has done."""

    userId: str
    status: FulfilmentStatus
    submissionId: str | None
    at: str | None
    reason: str | None


FulfilmentStatus: TypeAlias = Literal["COMPLETED", "DECLINED", "IN_PROGRESS", "OPEN"]
"""How far one recipient has come."""


class Task(TypedDict):
    """A form that people are to fill."""

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
    fulfilments: list[Fulfilment]
    reason: str | None
    endedAt: str | None
    updatedBy: str | None
    created: str
    updated: str
    revision: int


class TaskCount(TypedDict):
    """How many tasks there are."""

    formId: str | None
    userId: str | None
    scheduled: int
    open: int
    overdue: int
    completed: int
    declined: int
    revoked: int


class TaskCounts(TypedDict):
    """The counts, one for each form or each person that has any task."""

    items: list[TaskCount]


class TaskCreate(TypedDict):
    """A form that people are to fill."""

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


class TaskRecipients(TypedDict):
    """Who is to fill the form."""

    users: NotRequired[list[str]]
    groups: NotRequired[list[str]]


TaskStatus: TypeAlias = Literal["COMPLETED", "DECLINED", "IN_PROGRESS", "OPEN", "REVOKED", "SCHEDULED"]
"""How far a task has come."""


class TaskUpdate(TypedDict):
    """What changes of a task."""

    recipients: NotRequired[TaskRecipients]
    message: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    publishAt: NotRequired[str | None]
    dueAt: NotRequired[str | None]
    completeWhen: NotRequired[CompleteWhen]
    notify: NotRequired[bool]
    remindBefore: NotRequired[str | None]


class TaskUpdateByReference(TypedDict):
    """The task, named by `id` or by `externalId`, and what changes."""

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
