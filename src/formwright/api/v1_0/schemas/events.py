"""Schemas of events. An event is encoded once: the log and all deliveries contain the same bytes."""

from difflib import get_close_matches
from enum import StrEnum
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.v1_0.schemas import (
    datasources,
    exports,
    forms,
    invites,
    question_blocks,
    submission_comments,
    submissions,
    tasks,
    templates,
    users,
)
from formwright.api.v1_0.schemas import subscriber as subscriber_schemas
from formwright.api.v1_0.schemas.base import (
    CustomerId,
    EventId,
    FormId,
    Moment,
    Resource,
    Timestamp,
    earliest_of,
    latest_of,
)
from formwright.api.v1_0.schemas.lists import CreatedQuery
from formwright.asgi.validation import QueryInvalid
from formwright.core.clock import rfc3339
from formwright.core.errors import ValidationFault
from formwright.core.events import Event as Recorded
from formwright.domain.datasources.models import Datasource
from formwright.domain.exports.models import ExportRun
from formwright.domain.folders.models import Folder
from formwright.domain.forms.models import Form, Template, Version
from formwright.domain.invites.models import Invite
from formwright.domain.question_blocks.models import QuestionBlock
from formwright.domain.submissions import rendered_json as submission_shown
from formwright.domain.submissions.models import Comment, Submission
from formwright.domain.tasks.models import Task
from formwright.domain.users.models import Group, Role, UserDetails
from formwright.domain.webhooks.event_log import EventFilter
from formwright.domain.webhooks.models import Subscriber, matches_pattern

D = TypeVar("D")

MAX_BYTES = 256 * 1024
_RESOURCES: dict[str, tuple[str, type[Resource]]] = {
    "submission": ("form updated", submissions.Submission),
    "comment": ("other", submission_comments.SubmissionComment),
    "form": ("form updated", forms.Form),
    "version": ("form updated", forms.FormVersion),
    "template": ("form updated", templates.Template),
    "question_block": ("other", question_blocks.QuestionBlock),
    "folder": ("form updated", templates.Folder),
    "task": ("task updates", tasks.Task),
    "invite": ("invite status changes", invites.Invite),
    "datasource": ("other", datasources.Datasource),
    "export": ("other", exports.ExportRun),
    "user": ("other", users.User),
    "group": ("other", users.Group),
    "role": ("other", users.Role),
    "subscriber": ("other", subscriber_schemas.Subscriber),
}
"""The category of the events about a resource, and the schema of their `data`, by the first part of their types."""

_OWN_CATEGORIES = {"submission.started": "form started", "submission.submitted": "form submitted"}

_CAUSES = {
    "submission.started": "A person started to fill in a form.",
    "submission.submitted": "A submission was received.",
    "submission.updated": "A submission was corrected, approved or rejected.",
    "submission.deleted": "A submission was deleted; `data` is its last state.",
    "comment.created": "A reviewer commented on a submission.",
    "comment.deleted": "The author deleted a comment on a submission; `data` is its last state.",
    "form.created": "A form was created.",
    "form.updated": "A form's name, description, tags, folder or status changed.",
    "form.archived": "A form was archived and accepts no more submissions.",
    "form.published": "A version of a form was published.",
    "form.deleted": "A form was moved to the trash, with its submissions, tasks and invites; `data` is its last state.",
    "form.restored": "A form was restored from the trash, with its submissions, tasks and invites.",
    "version.deleted": "A draft of a form was moved to the trash.",
    "version.restored": "A draft of a form was restored from the trash.",
    "template.deleted": "A form template was moved to the trash.",
    "template.restored": "A form template was restored from the trash.",
    "question_block.created": "A block was added to the question library.",
    "question_block.updated": "The name, the description or the questions of a question block changed.",
    "question_block.deleted": "A question block was moved to the trash; the questions stay in the forms.",
    "question_block.restored": "A question block was restored from the trash.",
    "folder.deleted": "A folder was moved to the trash with everything in it.",
    "folder.restored": "A folder was restored from the trash with everything in it.",
    "task.created": "A task was created.",
    "task.opened": "A task was published: its recipients can begin.",
    "task.started": "A recipient of a task started to fill in the form.",
    "task.fulfilled": "A recipient of a task submitted the form; `fulfilments` contains the submission.",
    "task.completed": "Enough recipients submitted the form, or the task was completed by hand.",
    "task.declined": "A recipient declined a task; `status` shows whether that ended it.",
    "task.revoked": "A task was revoked.",
    "task.updated": "A task was updated.",
    "task.overdue": "The due time of a task passed before it was completed.",
    "invite.created": "An invite was created; its email is queued.",
    "invite.sent": "The mail server accepted the email of an invite.",
    "invite.opened": "The person opened the form.",
    "invite.started": "The first answer of an invited person was saved.",
    "invite.completed": "An invited person submitted the form; `submissionId` is the submission.",
    "invite.declined": "An invited person declined; `reason` is what they wrote, if anything.",
    "invite.expired": "The link of an invite expired.",
    "invite.revoked": "An invite was revoked.",
    "invite.failed": "The email of an invite could not be sent; `reason` says why.",
    "invite.resent": "An email with a new link is queued; the old link has ended.",
    "datasource.imported": "Rows were imported into a data source.",
    "datasource.updated": "The name, external id, column types or pull of a data source changed.",
    "datasource.failed": "A data source could not be pulled; `pull` says why.",
    "datasource.row_deleted": "A single row of a data source was moved to the trash; `data` is the data source.",
    "datasource.row_restored": "A single row of a data source was restored from the trash; `data` is the data source.",
    "datasource.deleted": "A data source was moved to the trash with its rows.",
    "datasource.restored": "A data source was restored from the trash.",
    "export.completed": "The files of an export can be downloaded.",
    "export.failed": "A run of an export failed; `detail` says why.",
    "user.created": "A user was added to the account.",
    "user.updated": "The name, email address, language, groups or grants of a user changed.",
    "user.disabled": "A user was disabled and can no longer sign in.",
    "user.enabled": "A disabled user was enabled again.",
    "user.deleted": "A user was moved to the trash; `data` is its last state.",
    "user.restored": "A user was restored from the trash.",
    "group.created": "A group was created.",
    "group.updated": "The name, members or grants of a group changed.",
    "group.deleted": "A group was moved to the trash; `data` is its last state.",
    "group.restored": "A group was restored from the trash.",
    "role.created": "A role was created.",
    "role.updated": "The name or the permissions of a role changed.",
    "role.deleted": "A role was moved to the trash; `data` is its last state.",
    "role.restored": "A role was restored from the trash.",
    "subscriber.failing": "All deliveries to a subscriber have been failing for a day.",
    "subscriber.disabled": (
        "A subscriber was disabled after five days without a successful delivery, or by a 410 response."
    ),
}

CATALOGUE: dict[str, tuple[str, type[Resource], str]] = {
    type_: (_OWN_CATEGORIES.get(type_, category), schema, cause)
    for type_, cause in _CAUSES.items()
    for category, schema in [_RESOURCES[type_.partition(".")[0]]]
}
"""The category, the schema of `data` and the cause of each event type."""


class Event(Resource, Generic[D]):
    """A change in the account."""

    id: EventId
    sequence: Annotated[
        int,
        Meta(
            description="The position in the account's event log. It increases without gaps, in the order in which the"
            " changes were committed."
        ),
    ]
    type: Annotated[str, Meta(description="The event type.", examples=["submission.submitted"])]
    category: Annotated[str, Meta(description="The category of the event type.")]
    timestamp: Annotated[Timestamp, Meta(description="When the change was made.")]
    customer_id: CustomerId
    data: Annotated[D, Meta(description="The resource immediately after the change, as the API returns it.")]
    erased: Annotated[
        bool | UnsetType,
        Meta(
            description="True if the person the event was about was erased, or the resource was deleted permanently."
            " `data` then only contains the id."
        ),
    ] = UNSET


class EventResourceLink(Resource):
    """A link to a resource that is too large for an event (256 KiB)."""

    id: Annotated[str, Meta(description="The id of the resource.")]
    too_large: Annotated[bool, Meta(description="Always true.")]
    url: Annotated[str, Meta(description="The path that returns the resource in its current state.")]


TYPE_PATTERNS = [*sorted(CATALOGUE), *sorted({name.partition(".")[0] + ".*" for name in CATALOGUE}), "*"]
"""What the event log and subscribers accept as a type."""


class EventOrder(StrEnum):
    """The order of the event log; `-` means newest first."""

    SEQUENCE = "sequence"
    SEQUENCE_DESC = "-sequence"


class EventQuery(CreatedQuery):
    """Filters of the event log."""

    after: Annotated[int, Meta(ge=0, le=2**53, description="Only events with a greater sequence.")] | None = None
    type: Annotated[
        list[Annotated[str, Meta(extra_json_schema={"enum": TYPE_PATTERNS})]],
        Meta(description="Only this event type, all types of a noun (`submission.*`), or `*`. May be repeated."),
    ] = []
    form_id: Annotated[list[FormId], Meta(description="Only events of this form. May be repeated.")] = []
    from_: Annotated[Moment, Meta(description="The same as `createdFrom`.")] | None = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[Moment, Meta(description="The same as `createdTo`.")] | None = None
    order: Annotated[
        EventOrder, Meta(description="`sequence`: the oldest event first; `-sequence`: the newest event first.")
    ] = EventOrder.SEQUENCE

    def to_filter(self) -> EventFilter:
        """Raises `QueryInvalid` for an unknown event type, and for `after` with the newest event first."""
        newest_first = self.order is EventOrder.SEQUENCE_DESC
        if newest_first and self.after is not None:
            detail = "Use `after` with order=sequence only. For the newest events, use `from`."
            raise QueryInvalid([ValidationFault("?after", "query.value", detail)])
        since, until = latest_of(self.from_, self.created_from), earliest_of(self.to, self.created_to)
        return EventFilter(self.types(), self.form_id, since, until, newest_first)

    def types(self) -> list[str]:
        """Return the selected event types; an empty list means all. Raises `QueryInvalid` for an unknown one."""
        if faults := [_unknown_type(pattern) for pattern in self.type if not _types_of(pattern)]:
            raise QueryInvalid(faults)
        return [] if "*" in self.type else sorted({type_ for pattern in self.type for type_ in _types_of(pattern)})


def _types_of(pattern: str) -> list[str]:
    whole_noun = pattern == "*" or pattern.endswith(".*")
    return [name for name in CATALOGUE if (matches_pattern(pattern, name) if whole_noun else name == pattern)]


def _unknown_type(pattern: str) -> ValidationFault:
    near = get_close_matches(pattern, TYPE_PATTERNS, n=3)
    hint = f" Did you mean {' or '.join(near)}?" if near else " `GET …/event-types` lists them."
    return ValidationFault("?type", "query.value", f"There is no event type {pattern[:100]!r}.{hint}")


class EventList(Resource):
    """A page of the event log."""

    items: Annotated[list[Event[dict[str, Any]]], Meta(description="The events, ordered by `sequence`.")]
    next_cursor: Annotated[str | None, Meta(description="The `cursor` of the next page; null on the last page.")]
    next: Annotated[str | None, Meta(description="The absolute URL of the next page; null on the last page.")]
    oldest_available: Annotated[int | None, Meta(description="The sequence of the oldest event that is still stored.")]
    newest_available: Annotated[
        int | None,
        Meta(
            description="The sequence of the newest event, regardless of the filters. On the last page, you have read"
            " everything up to it."
        ),
    ]


class EventType(Resource):
    """An event type."""

    type: Annotated[str, Meta(description="The name of the event type.", examples=["submission.submitted"])]
    category: Annotated[str, Meta(description="The category of the event type.")]
    description: Annotated[str, Meta(description="What causes the event.")]
    schema: Annotated[dict[str, Any], Meta(description="The JSON Schema (2020-12) of the whole event.")]
    example: Annotated[dict[str, Any], Meta(description="An example of the event.")]


def event_resource(event: Recorded) -> tuple[Resource | msgspec.Raw, str | None, str]:
    """Return the `data` of an event, the id of its form (None if it has none), and the path of the resource."""
    c = event.customer_id
    match event.record:
        case Submission() as s:
            return msgspec.Raw(submission_shown.render(s)), s.form_id, f"/api/v1.0/customers/{c}/submissions/{s.id}"
        case Comment() as r:
            path = f"/api/v1.0/customers/{c}/submissions/{r.submission_id}/comments/{r.id}"
            return submission_comments.SubmissionComment.of(r), r.form_id, path
        case Form() as f:
            return forms.form(f), f.id, f"/api/v1.0/forms/customer/{c}/forms/{f.id}"
        case Version() as v:
            path = f"/api/v1.0/forms/customer/{c}/forms/{v.form_id}/versions/{v.id}"
            return forms.version(v), v.form_id, path
        case Template() as t:
            return templates.template(t), None, f"/api/v1.0/forms/customer/{c}/templates/{t.id}"
        case QuestionBlock() as b:
            return question_blocks.block(b), None, f"/api/v1.0/forms/customer/{c}/question-blocks/{b.id}"
        case Folder() as f:
            return templates.Folder.of(f), None, f"/api/v1.0/forms/customer/{c}/folders/{f.id}"
        case Task() as t:
            return tasks.task(t), t.form_id, f"/api/v1.0/customers/{c}/tasks/{t.id}"
        case Invite() as i:
            return invites.invite(i), i.form_id, f"/api/v1.0/customers/{c}/invites/{i.id}"
        case Datasource() as d:
            return datasources.datasource(d), None, f"/api/v1.0/customers/{c}/datasources/{d.id}"
        case ExportRun() as r:
            return exports.run(r, None), r.form_id, f"/api/v1.0/customers/{c}/exports/{r.export_id}/runs/{r.id}"
        case UserDetails() as p:
            return users.user(p), None, f"/api/v1.0/customers/{c}/users/{p.id}"
        case Group() as g:
            return users.group(g), None, f"/api/v1.0/customers/{c}/groups/{g.id}"
        case Role() as r:
            return users.role(r), None, f"/api/v1.0/customers/{c}/roles/{r.id}"
        case Subscriber() as h:
            return subscriber_schemas.subscriber(h), None, f"/api/v1.0/webhooks/customer/{c}/subscribers/{h.id}"
    raise TypeError(f"{event.type} has no schema in version 1.0")


def encode_event(event: Recorded, event_id: str, sequence: int, at: int) -> tuple[bytes, str | None]:
    """Return the event as it is stored and delivered, and the id of its form (None if it has none).

    If the event would exceed `MAX_BYTES`, its data is a link to the resource.
    """
    data, form_id, path = event_resource(event)
    body = _encode(event, event_id, sequence, at, data)
    if len(body) > MAX_BYTES:
        body = _encode(
            event, event_id, sequence, at, EventResourceLink(id=path.rpartition("/")[2], too_large=True, url=path)
        )
    return body, form_id


def _encode(event: Recorded, event_id: str, sequence: int, at: int, data: Resource | msgspec.Raw) -> bytes:
    return msgspec.json.encode(
        Event(
            id=event_id,
            sequence=sequence,
            type=event.type,
            category=CATALOGUE[event.type][0],
            timestamp=rfc3339(at),
            customer_id=event.customer_id,
            data=data,
        )
    )
