"""Tasks."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.v1_0.wire.basics import (
    Answers,
    ExternalId,
    Moment,
    Request,
    Resource,
    StoredAnswers,
    Timestamp,
    optional_time,
    stored_ms,
)
from formwright.api.v1_0.wire.ids import CustomerId, FormId, TaskId, UserId
from formwright.core.kernel.clock import rfc3339
from formwright.domain.tasks import model
from formwright.domain.tasks.model import CompleteWhen, TaskStatus

Prefilled = Annotated[
    Answers,
    Meta(
        description="Answers that are filled in beforehand. Of a lookup, this is the key of a row: the fields that its"
        " `mapping` names are then filled from the row, where they are not given here."
    ),
]
Message = Annotated[str, Meta(max_length=5000)]


class Recipients(msgspec.Struct, forbid_unknown_fields=True):
    """Who is to fill the form."""

    users: Annotated[list[UserId], Meta(min_length=1, max_length=1000)]


class TaskCreate(Request):
    """A form that people are to fill."""

    recipients: Recipients
    message: Message = ""
    data: Prefilled = {}
    due_at: Moment | None = None
    complete_when: Annotated[
        CompleteWhen, Meta(description="`ANY`: one answer is enough; `ALL`: every recipient's is needed.")
    ] = CompleteWhen.ANY
    external_id: ExternalId | None = None

    def new(self) -> model.NewTask:
        """What the domain makes a task from."""
        return model.NewTask(
            user_ids=self.recipients.users,
            message=self.message,
            data=self.data,
            due_at=stored_ms(self.due_at, "dueAt"),
            complete_when=self.complete_when,
            external_id=self.external_id,
        )


class TaskChange(Request):
    """The task, named by `id` or by `externalId`, and what changes; what is left out stays as it is."""

    id: TaskId | None = None
    external_id: ExternalId | None = None
    recipients: Recipients | UnsetType = UNSET
    message: Message | UnsetType = UNSET
    data: Prefilled | UnsetType = UNSET
    due_at: Annotated[Moment | None, Meta(description="Null takes the due time away.")] | UnsetType = UNSET
    complete_when: CompleteWhen | UnsetType = UNSET

    def change(self) -> model.TaskChange:
        """What the domain changes."""
        return model.TaskChange(
            user_ids=self.recipients.users if self.recipients else UNSET,
            message=self.message,
            data=self.data,
            due_at=UNSET if self.due_at is UNSET else stored_ms(self.due_at, "dueAt"),
            complete_when=self.complete_when,
        )


class Task(Resource):
    """A form that people are to fill."""

    id: TaskId
    customer_id: CustomerId
    form_id: FormId
    status: TaskStatus
    recipients: Recipients
    message: str
    data: StoredAnswers
    due_at: Timestamp | None
    complete_when: CompleteWhen
    external_id: str | None
    created: Timestamp
    updated: Timestamp
    revision: int


def task(record: model.Task) -> Task:
    """The record as the API shows it."""
    return Task(
        id=record.id,
        customer_id=record.customer_id,
        form_id=record.form_id,
        status=record.status,
        recipients=Recipients(users=list(record.user_ids)),
        message=record.message,
        data=msgspec.Raw(record.data),
        due_at=optional_time(record.due_at),
        complete_when=record.complete_when,
        external_id=record.external_id,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )
