"""Tasks."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    Answers,
    CustomerId,
    ExternalId,
    FormId,
    GroupId,
    Moment,
    Request,
    Resource,
    StoredAnswers,
    SubmissionId,
    TaskId,
    Timestamp,
    UserId,
    optional_ms,
    optional_time,
    storable_ms,
)
from formwright.core.clock import rfc3339
from formwright.core.durations import PATTERN, format_duration, parse_duration_ms
from formwright.domain.tasks import models
from formwright.domain.tasks.models import CompleteWhen, FulfilmentStatus, TaskStatus

PrefilledAnswers = Annotated[
    Answers,
    Meta(
        description="Answers that are filled in beforehand. Of a lookup, this is the key of a row: the fields that its"
        " `mapping` names are then filled from the row, where they are not given here."
    ),
]
Message = Annotated[str, Meta(max_length=5000)]
Duration = Annotated[
    str, Meta(pattern=PATTERN, description="ISO 8601; a day has 24 hours.", examples=["PT2H"], max_length=40)
]
RemindBefore = Annotated[
    Duration | None,
    Meta(description="So long before it is due, who has not answered is reminded by mail; null: not at all."),
]
PublishAt = Annotated[Moment | None, Meta(description="When its recipients can begin; null or a past time: at once.")]
Notify = Annotated[
    bool, Meta(description="Whether recipients are told by mail that it is there, is due soon, and is overdue.")
]
When = Annotated[CompleteWhen, Meta(description="`ANY`: one answer is enough; `ALL`: every recipient's is needed.")]


class TaskRecipients(msgspec.Struct, forbid_unknown_fields=True):
    """Who is to fill the form: these people, and who is in these groups when they are named."""

    users: Annotated[list[UserId], Meta(max_length=1000)] = []
    groups: Annotated[list[GroupId], Meta(max_length=100)] = []


class TaskCreate(Request):
    """A form that people are to fill."""

    recipients: TaskRecipients
    message: Message = ""
    data: PrefilledAnswers = {}
    publish_at: PublishAt = None
    publish_after: Annotated[Duration | None, Meta(description="So long from now, in place of `publishAt`.")] = None
    due_at: Moment | None = None
    complete_when: When = CompleteWhen.ANY
    external_id: ExternalId | None = None
    notify: Notify = True
    remind_before: RemindBefore = "P1D"

    def to_domain(self) -> models.NewTask:
        """What the domain makes a task from."""
        return models.NewTask(
            user_ids=self.recipients.users,
            group_ids=self.recipients.groups,
            message=self.message,
            data=self.data,
            publish_at=storable_ms(self.publish_at, "publishAt"),
            publish_after=_span(self.publish_after),
            due_at=storable_ms(self.due_at, "dueAt"),
            complete_when=self.complete_when,
            external_id=self.external_id,
            notify=self.notify,
            remind_before=_span(self.remind_before),
        )


Tasks = Annotated[list[TaskCreate], Meta(min_length=1, max_length=1000, description="All of them are made, or none.")]


def _span(text: str | None) -> int | None:
    return None if text is None else parse_duration_ms(text)


class TaskUpdate(Request):
    """What changes of a task; what is left out stays as it is."""

    recipients: TaskRecipients | UnsetType = UNSET
    message: Message | UnsetType = UNSET
    data: PrefilledAnswers | UnsetType = UNSET
    publish_at: PublishAt | UnsetType = UNSET
    due_at: Annotated[Moment | None, Meta(description="Null takes the due time away.")] | UnsetType = UNSET
    complete_when: CompleteWhen | UnsetType = UNSET
    notify: Notify | UnsetType = UNSET
    remind_before: RemindBefore | UnsetType = UNSET

    def change(self) -> models.TaskChange:
        """What the domain changes."""
        return models.TaskChange(
            user_ids=self.recipients.users if self.recipients else UNSET,
            group_ids=self.recipients.groups if self.recipients else (),
            message=self.message,
            data=self.data,
            publish_at=UNSET if self.publish_at is UNSET else storable_ms(self.publish_at, "publishAt"),
            due_at=UNSET if self.due_at is UNSET else storable_ms(self.due_at, "dueAt"),
            complete_when=self.complete_when,
            notify=self.notify,
            remind_before=UNSET if self.remind_before is UNSET else _span(self.remind_before),
        )


class TaskUpdateByReference(TaskUpdate):
    """The task, named by `id` or by `externalId`, and what changes; what is left out stays as it is."""

    id: TaskId | None = None
    external_id: ExternalId | None = None


class TaskQuery(PageQuery):
    """Which tasks are meant. The period is half-open: from <= t < to."""

    form_id: Annotated[list[FormId], Meta(description="May be repeated.")] = []
    status: Annotated[list[TaskStatus], Meta(description="May be repeated.")] = []
    user_id: Annotated[UserId | None, Meta(description="Of which this person is a recipient.")] = None
    group_id: Annotated[GroupId | None, Meta(description="Which were given to this group.")] = None
    external_id: ExternalId | None = None
    due_from: Moment | None = None
    due_to: Moment | None = None
    overdue: Annotated[
        bool | None, Meta(description="Those that are overdue and not ended, or those that are not.")
    ] = None

    def to_filter(self) -> models.TaskFilter:
        """What the domain looks for."""
        return models.TaskFilter(
            form_ids=self.form_id,
            statuses=self.status,
            user_id=self.user_id,
            group_id=self.group_id,
            external_id=self.external_id,
            due_from=optional_ms(self.due_from),
            due_to=optional_ms(self.due_to),
            overdue=self.overdue,
        )


class TaskCountQuery(msgspec.Struct, rename="camel", kw_only=True):
    """By what is counted."""

    by: Annotated[Literal["form", "user"], Meta(description="For each form, or for each recipient.")] = "form"


class Fulfilment(Resource):
    """What one recipient has done."""

    user_id: UserId
    status: FulfilmentStatus
    submission_id: SubmissionId | None
    at: Annotated[Timestamp | None, Meta(description="Since when it is so; null: nothing was done yet.")]
    reason: Annotated[str | None, Meta(description="Why it was declined.")]


class Task(Resource):
    """A form that people are to fill."""

    id: TaskId
    customer_id: CustomerId
    form_id: FormId
    status: TaskStatus
    recipients: TaskRecipients
    message: str
    data: StoredAnswers
    publish_at: Timestamp | None
    due_at: Timestamp | None
    complete_when: CompleteWhen
    external_id: str | None
    notify: bool
    remind_before: str | None
    overdue: Annotated[bool, Meta(description="Its due time has passed, and it was not done by then.")]
    fulfilments: Annotated[list[Fulfilment], Meta(description="What each recipient has done, members of groups too.")]
    reason: Annotated[str | None, Meta(description="Why it was declined or, in the pages, revoked or completed.")]
    ended_at: Timestamp | None
    updated_by: Annotated[
        str | None, Meta(description="The user or key of the last change; null: the clock, or the operator.")
    ]
    created: Timestamp
    updated: Timestamp
    revision: int


class TaskCount(Resource):
    """How many tasks there are. Of a person her own part counts: what she has sent is completed."""

    form_id: Annotated[FormId | None, Meta(description="Null where persons are counted.")]
    user_id: Annotated[UserId | None, Meta(description="Null where forms are counted.")]
    scheduled: int
    open: Annotated[int, Meta(description="Published, and still to be done.")]
    overdue: Annotated[int, Meta(description="Those of the open ones whose due time has passed.")]
    completed: int
    declined: int
    revoked: int


class TaskCounts(Resource):
    """The counts, one for each form or each person that has any task."""

    items: list[TaskCount]


def counts(records: list[models.Count], *, by_user: bool) -> TaskCounts:
    """The records as the API shows them."""
    return TaskCounts(
        items=[
            TaskCount(
                user_id=one.id if by_user else None,
                form_id=None if by_user else one.id,
                scheduled=one.scheduled,
                open=one.open,
                overdue=one.overdue,
                completed=one.completed,
                declined=one.declined,
                revoked=one.revoked,
            )
            for one in records
        ]
    )


def task(record: models.Task) -> Task:
    """The record as the API shows it."""
    return Task(
        id=record.id,
        customer_id=record.customer_id,
        form_id=record.form_id,
        status=record.status,
        recipients=TaskRecipients(users=list(record.user_ids), groups=list(record.group_ids)),
        message=record.message,
        data=msgspec.Raw(record.data),
        publish_at=optional_time(record.publish_at),
        due_at=optional_time(record.due_at),
        complete_when=record.complete_when,
        external_id=record.external_id,
        notify=record.notify,
        remind_before=None if record.remind_before is None else format_duration(record.remind_before),
        overdue=record.overdue,
        fulfilments=[_fulfilment(one) for one in record.fulfilments],
        reason=record.reason,
        ended_at=optional_time(record.ended),
        updated_by=record.updated_by,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )


def _fulfilment(record: models.Fulfilment) -> Fulfilment:
    return Fulfilment(
        user_id=record.user_id,
        status=record.status,
        submission_id=record.submission_id,
        at=optional_time(record.at),
        reason=record.reason,
    )
