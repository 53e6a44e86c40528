"""Schemas of Tasks."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final

from formwright_client.schemas.shared import TaskStatus

CompleteWhen: TypeAlias = Literal["ALL", "ANY"]
"""When a task is completed. `ANY`: one recipient has submitted the form. `ALL`: every recipient has."""


@final
class Task(TypedDict):
    """A form that is assigned to users and groups."""

    id: str
    """The id of a task."""
    customerId: str
    """The id of the account."""
    formId: str
    """The id of a form."""
    status: TaskStatus
    """The status of a task. `SCHEDULED`: not published yet. `OPEN`: recipients can begin. `IN_PROGRESS`: a
    recipient has begun. `COMPLETED`, `DECLINED` and `REVOKED`: the task has ended.
    """
    recipients: TaskRecipients
    """The users and groups to whom the task is assigned."""
    message: str
    """The message to the recipients."""
    data: dict[str, Any]
    """The pre-filled answers, by field name."""
    publishAt: str | None
    """When the recipients can begin."""
    dueAt: str | None
    """When the task is due; null: no due time."""
    completeWhen: CompleteWhen
    """`ANY`: one recipient must submit the form. `ALL`: every recipient must."""
    externalId: str | None
    """Your own id for the task."""
    notify: bool
    """Whether recipients are notified by email when the task opens, is due soon, and is overdue."""
    remindBefore: str | None
    """How long before the due time the reminder is sent (ISO 8601); null: no reminder."""
    overdue: bool
    """Whether the due time has passed without the task being completed by then."""
    fulfilments: list[TaskFulfilment]
    """The progress of each recipient, including those who were assigned through a group."""
    reason: str | None
    """Why the task was declined, revoked or completed by hand, if somebody said so."""
    endedAt: str | None
    """When the task was completed, declined or revoked; null until then."""
    updatedBy: str | None
    """The id of the user or API key that made the last change; null for Formwright itself, such as at the
    due time.
    """
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class TaskCount(TypedDict):
    """The number of tasks of a form or a user."""

    formId: str | None
    """The form; null if tasks are counted by user."""
    userId: str | None
    """The user; null if tasks are counted by form."""
    scheduled: int
    """The number of tasks that are not published yet."""
    open: int
    """The number of published tasks that have not ended."""
    overdue: int
    """The number of open tasks whose due time has passed."""
    completed: int
    """The number of completed tasks."""
    declined: int
    """The number of declined tasks."""
    revoked: int
    """The number of revoked tasks."""


@final
class TaskCounts(TypedDict):
    """Numbers of tasks, for each form or each user that has any."""

    items: list[TaskCount]
    """The counts, sorted by the id of the form or user."""


@final
class TaskCreate(TypedDict):
    """A new task."""

    recipients: TaskRecipients
    """The users and groups who fill in the form."""
    message: NotRequired[str]
    """A message to the recipients, shown as plain text."""
    data: NotRequired[dict[str, Any]]
    """Pre-filled answers, by field name. The answer of a lookup is the key of a row; the fields in its
    `mapping` are filled in from the row, unless they are included here.
    """
    publishAt: NotRequired[str | None]
    """When the recipients can begin. Null or a time in the past: now."""
    publishAfter: NotRequired[str | None]
    """The time from now until the recipients can begin, instead of `publishAt`."""
    dueAt: NotRequired[str | None]
    """When the task is due. Null: no due time."""
    completeWhen: NotRequired[CompleteWhen]
    """`ANY`: one recipient must submit the form. `ALL`: every recipient must."""
    externalId: NotRequired[str | None]
    """Your own id. If the form already has a task with it, that task is returned."""
    notify: NotRequired[bool]
    """Whether recipients are notified by email when the task opens, is due soon, and is overdue."""
    remindBefore: NotRequired[str | None]
    """How long before the due time recipients who have not responded are reminded by email, as an ISO 8601
    duration. Null: no reminder.
    """


@final
class TaskFulfilment(TypedDict):
    """The progress of one recipient of a task."""

    userId: str
    """The recipient."""
    status: TaskFulfilmentStatus
    """The progress of one recipient. `OPEN`: not begun. `IN_PROGRESS`: begun. `COMPLETED`: submitted.
    `DECLINED`: the recipient will not fill in the form.
    """
    submissionId: str | None
    """The recipient's submission, once they have begun."""
    at: str | None
    """When the status last changed; null if they have not begun."""
    reason: str | None
    """Why the recipient declined, if they said so."""


TaskFulfilmentStatus: TypeAlias = Literal["COMPLETED", "DECLINED", "IN_PROGRESS", "OPEN"]
"""The progress of one recipient. `OPEN`: not begun. `IN_PROGRESS`: begun. `COMPLETED`: submitted.
`DECLINED`: the recipient will not fill in the form.
"""


@final
class TaskRecipients(TypedDict):
    """The users and groups to whom a task is assigned."""

    users: NotRequired[list[str]]
    """The ids of users."""
    groups: NotRequired[list[str]]
    """The ids of groups. Those who are members at that time become recipients."""


@final
class TaskUpdate(TypedDict):
    """The properties of a task to change."""

    recipients: NotRequired[TaskRecipients]
    """The users and groups who fill in the form."""
    message: NotRequired[str]
    """A message to the recipients, shown as plain text."""
    data: NotRequired[dict[str, Any]]
    """Pre-filled answers, by field name. The answer of a lookup is the key of a row; the fields in its
    `mapping` are filled in from the row, unless they are included here.
    """
    publishAt: NotRequired[str | None]
    """When the recipients can begin. Null or a time in the past: now."""
    dueAt: NotRequired[str | None]
    """When the task is due. Null: no due time."""
    completeWhen: NotRequired[CompleteWhen]
    """`ANY`: one recipient must submit the form. `ALL`: every recipient must."""
    notify: NotRequired[bool]
    """Whether recipients are notified by email when the task opens, is due soon, and is overdue."""
    remindBefore: NotRequired[str | None]
    """How long before the due time recipients who have not responded are reminded by email, as an ISO 8601
    duration. Null: no reminder.
    """


@final
class TaskUpdateByReference(TypedDict):
    """A task, identified by either `id` or `externalId`, and the properties to change."""

    recipients: NotRequired[TaskRecipients]
    """The users and groups who fill in the form."""
    message: NotRequired[str]
    """A message to the recipients, shown as plain text."""
    data: NotRequired[dict[str, Any]]
    """Pre-filled answers, by field name. The answer of a lookup is the key of a row; the fields in its
    `mapping` are filled in from the row, unless they are included here.
    """
    publishAt: NotRequired[str | None]
    """When the recipients can begin. Null or a time in the past: now."""
    dueAt: NotRequired[str | None]
    """When the task is due. Null: no due time."""
    completeWhen: NotRequired[CompleteWhen]
    """`ANY`: one recipient must submit the form. `ALL`: every recipient must."""
    notify: NotRequired[bool]
    """Whether recipients are notified by email when the task opens, is due soon, and is overdue."""
    remindBefore: NotRequired[str | None]
    """How long before the due time recipients who have not responded are reminded by email, as an ISO 8601
    duration. Null: no reminder.
    """
    id: NotRequired[str | None]
    """The id of the task."""
    externalId: NotRequired[str | None]
    """Your own id for the task, instead of `id`."""
