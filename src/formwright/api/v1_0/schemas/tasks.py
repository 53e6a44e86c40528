"""Schemas of tasks."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.v1_0.schemas.base import (
    Answers,
    Created,
    CustomerId,
    ExternalId,
    FormId,
    GroupId,
    Moment,
    RequestBody,
    Resource,
    Revision,
    StoredAnswers,
    SubmissionId,
    TaskId,
    Timestamp,
    Updated,
    UserId,
    optional_ms,
    optional_time,
    storable_ms,
)
from formwright.api.v1_0.schemas.lists import ChangesQuery
from formwright.core.durations import PATTERN, format_duration, parse_duration_ms
from formwright.domain.tasks import models
from formwright.domain.tasks.models import CompleteWhen, FulfilmentStatus, TaskStatus

PrefilledAnswers = Annotated[
    Answers,
    Meta(
        description="Pre-filled answers, by field name. The answer of a lookup is the key of a row; the fields in its"
        " `mapping` are filled in from the row, unless they are included here."
    ),
]
Message = Annotated[str, Meta(max_length=5000, description="A message to the recipients, shown as plain text.")]
Duration = Annotated[
    str,
    Meta(
        pattern=PATTERN,
        description="An ISO 8601 duration, in which a day has 24 hours.",
        examples=["PT2H"],
        max_length=40,
    ),
]
RemindBefore = Annotated[
    Duration | None,
    Meta(
        description="How long before the due time recipients who have not responded are reminded by email, as an ISO"
        " 8601 duration. Null: no reminder."
    ),
]
PublishAt = Annotated[
    Moment | None, Meta(description="When the recipients can begin. Null or a time in the past: now.")
]
Notify = Annotated[
    bool,
    Meta(description="Whether recipients are notified by email when the task opens, is due soon, and is overdue."),
]
CompletionRule = Annotated[
    CompleteWhen, Meta(description="`ANY`: one recipient must submit the form. `ALL`: every recipient must.")
]
DueAt = Annotated[Moment | None, Meta(description="When the task is due. Null: no due time.")]
_RECIPIENTS = Meta(description="The users and groups who fill in the form.")


class TaskRecipients(msgspec.Struct, forbid_unknown_fields=True):
    """The users and groups to whom a task is assigned."""

    users: Annotated[list[UserId], Meta(max_length=1000, description="The ids of users.")] = []
    groups: Annotated[
        list[GroupId],
        Meta(max_length=100, description="The ids of groups. Those who are members at that time become recipients."),
    ] = []


class TaskCreate(RequestBody):
    """A new task."""

    recipients: Annotated[TaskRecipients, _RECIPIENTS]
    message: Message = ""
    data: PrefilledAnswers = {}
    publish_at: PublishAt = None
    publish_after: Annotated[
        Duration | None, Meta(description="The time from now until the recipients can begin, instead of `publishAt`.")
    ] = None
    due_at: DueAt = None
    complete_when: CompletionRule = CompleteWhen.ANY
    external_id: Annotated[
        ExternalId | None,
        Meta(description="Your own id. If the form already has a task with it, that task is returned."),
    ] = None
    notify: Notify = True
    remind_before: RemindBefore = "P1D"

    def to_domain(self) -> models.NewTask:
        return models.NewTask(
            user_ids=self.recipients.users,
            group_ids=self.recipients.groups,
            message=self.message,
            data=self.data,
            publish_at=storable_ms(self.publish_at, "publishAt"),
            publish_after=_duration_ms(self.publish_after),
            due_at=storable_ms(self.due_at, "dueAt"),
            complete_when=self.complete_when,
            external_id=self.external_id,
            notify=self.notify,
            remind_before=_duration_ms(self.remind_before),
        )


Tasks = Annotated[
    list[TaskCreate], Meta(min_length=1, max_length=1000, description="Tasks to create: all of them, or none.")
]


def _duration_ms(text: str | None) -> int | None:
    return None if text is None else parse_duration_ms(text)


class TaskUpdate(RequestBody):
    """The properties of a task to change. Those you omit stay unchanged."""

    recipients: Annotated[TaskRecipients | UnsetType, _RECIPIENTS] = UNSET
    message: Message | UnsetType = UNSET
    data: PrefilledAnswers | UnsetType = UNSET
    publish_at: PublishAt | UnsetType = UNSET
    due_at: DueAt | UnsetType = UNSET
    complete_when: CompletionRule | UnsetType = UNSET
    notify: Notify | UnsetType = UNSET
    remind_before: RemindBefore | UnsetType = UNSET

    def change(self) -> models.TaskChange:
        return models.TaskChange(
            user_ids=self.recipients.users if self.recipients else UNSET,
            group_ids=self.recipients.groups if self.recipients else (),
            message=self.message,
            data=self.data,
            publish_at=UNSET if self.publish_at is UNSET else storable_ms(self.publish_at, "publishAt"),
            due_at=UNSET if self.due_at is UNSET else storable_ms(self.due_at, "dueAt"),
            complete_when=self.complete_when,
            notify=self.notify,
            remind_before=UNSET if self.remind_before is UNSET else _duration_ms(self.remind_before),
        )


class TaskUpdateByReference(TaskUpdate):
    """A task, identified by either `id` or `externalId`, and the properties to change."""

    id: Annotated[TaskId | None, Meta(description="The id of the task.")] = None
    external_id: Annotated[ExternalId | None, Meta(description="Your own id for the task, instead of `id`.")] = None


class TaskQuery(ChangesQuery):
    """Filters of the list of tasks. Periods are half-open: from <= t < to."""

    form_id: Annotated[list[FormId], Meta(description="Only tasks for this form. May be repeated.")] = []
    status: Annotated[list[TaskStatus], Meta(description="Only tasks with this status. May be repeated.")] = []
    user_id: Annotated[UserId | None, Meta(description="Only tasks with this user as a recipient.")] = None
    group_id: Annotated[GroupId | None, Meta(description="Only tasks that were assigned to this group.")] = None
    external_id: Annotated[ExternalId | None, Meta(description="Only the task with this external id.")] = None
    due_from: Annotated[Moment | None, Meta(description="Only tasks due at or after this time.")] = None
    due_to: Annotated[Moment | None, Meta(description="Only tasks due before this time.")] = None
    overdue: Annotated[
        bool | None, Meta(description="`true`: only tasks that are overdue and have not ended. `false`: only others.")
    ] = None

    def to_filter(self) -> models.TaskFilter:
        return models.TaskFilter(
            form_ids=self.form_id,
            statuses=self.status,
            user_id=self.user_id,
            group_id=self.group_id,
            external_id=self.external_id,
            due_from=optional_ms(self.due_from),
            due_to=optional_ms(self.due_to),
            overdue=self.overdue,
            times=self.times(),
        )


class TaskCountQuery(msgspec.Struct, rename="camel", kw_only=True):
    """How tasks are counted."""

    by: Annotated[
        Literal["form", "user"], Meta(description="Whether to count for each form, or for each recipient.")
    ] = "form"


class TaskFulfilment(Resource):
    """The progress of one recipient of a task."""

    user_id: Annotated[UserId, Meta(description="The recipient.")]
    status: FulfilmentStatus
    submission_id: Annotated[SubmissionId | None, Meta(description="The recipient's submission, once they have begun.")]
    at: Annotated[Timestamp | None, Meta(description="When the status last changed; null if they have not begun.")]
    reason: Annotated[str | None, Meta(description="Why the recipient declined, if they said so.")]


class Task(Resource):
    """A form that is assigned to users and groups."""

    id: TaskId
    customer_id: CustomerId
    form_id: FormId
    status: TaskStatus
    recipients: Annotated[TaskRecipients, Meta(description="The users and groups to whom the task is assigned.")]
    message: Annotated[str, Meta(description="The message to the recipients.")]
    data: Annotated[StoredAnswers, Meta(description="The pre-filled answers, by field name.")]
    publish_at: Annotated[Timestamp | None, Meta(description="When the recipients can begin.")]
    due_at: Annotated[Timestamp | None, Meta(description="When the task is due; null: no due time.")]
    complete_when: CompletionRule
    external_id: Annotated[str | None, Meta(description="Your own id for the task.")]
    notify: Notify
    remind_before: Annotated[
        str | None,
        Meta(description="How long before the due time the reminder is sent (ISO 8601); null: no reminder."),
    ]
    overdue: Annotated[
        bool, Meta(description="Whether the due time has passed without the task being completed by then.")
    ]
    fulfilments: Annotated[
        list[TaskFulfilment],
        Meta(description="The progress of each recipient, including those who were assigned through a group."),
    ]
    reason: Annotated[
        str | None, Meta(description="Why the task was declined, revoked or completed by hand, if somebody said so.")
    ]
    ended_at: Annotated[
        Timestamp | None, Meta(description="When the task was completed, declined or revoked; null until then.")
    ]
    updated_by: Annotated[
        str | None,
        Meta(
            description="The id of the user or API key that made the last change; null for Formwright itself, such as"
            " at the due time."
        ),
    ]
    created: Created
    updated: Updated
    revision: Revision


class TaskCount(Resource):
    """The number of tasks of a form or a user.

    For a user, their own part counts: a task they have responded to is completed, even if others have not responded.
    """

    form_id: Annotated[FormId | None, Meta(description="The form; null if tasks are counted by user.")]
    user_id: Annotated[UserId | None, Meta(description="The user; null if tasks are counted by form.")]
    scheduled: Annotated[int, Meta(description="The number of tasks that are not published yet.")]
    open: Annotated[int, Meta(description="The number of published tasks that have not ended.")]
    overdue: Annotated[int, Meta(description="The number of open tasks whose due time has passed.")]
    completed: Annotated[int, Meta(description="The number of completed tasks.")]
    declined: Annotated[int, Meta(description="The number of declined tasks.")]
    revoked: Annotated[int, Meta(description="The number of revoked tasks.")]


class TaskCounts(Resource):
    """Numbers of tasks, for each form or each user that has any."""

    items: Annotated[list[TaskCount], Meta(description="The counts, sorted by the id of the form or user.")]


def counts(records: list[models.TaskCount], *, by_user: bool) -> TaskCounts:
    return TaskCounts(
        items=[
            TaskCount.of(count, user_id=count.id if by_user else None, form_id=None if by_user else count.id)
            for count in records
        ]
    )


def task(record: models.Task) -> Task:
    return Task.of(
        record,
        recipients=TaskRecipients(users=list(record.user_ids), groups=list(record.group_ids)),
        data=msgspec.Raw(record.data),
        remind_before=None if record.remind_before is None else format_duration(record.remind_before),
        fulfilments=[*map(TaskFulfilment.of, record.fulfilments)],
        ended_at=optional_time(record.ended),
    )
