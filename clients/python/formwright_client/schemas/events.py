"""The events of each type."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict, final

from formwright_client.schemas.datasources import Datasource
from formwright_client.schemas.exports import ExportRun
from formwright_client.schemas.folders import Folder
from formwright_client.schemas.forms import Form, FormVersion, QuestionBlock, Template
from formwright_client.schemas.invites import Invite
from formwright_client.schemas.submissions import Submission, SubmissionComment
from formwright_client.schemas.tasks import Task
from formwright_client.schemas.users_and_groups import Group, Role, User
from formwright_client.schemas.webhooks import Subscriber


class EventMetadata(TypedDict):
    """What all events have."""

    id: str
    """The id of an event."""
    sequence: int
    """The position in the account's event log. It increases without gaps, in the order in which the changes
    were committed.
    """
    category: str
    """The category of the event type."""
    timestamp: str
    """When the change was made."""
    customerId: str
    """The id of the account."""
    erased: NotRequired[bool]
    """True if the person the event was about was erased, or the resource was deleted permanently. `data`
    then only contains the id.
    """


@final
class DatasourceEvent(EventMetadata):
    """An event of the types `datasource.*`."""

    type: Literal[
        "datasource.imported",
        "datasource.updated",
        "datasource.failed",
        "datasource.row_deleted",
        "datasource.row_restored",
        "datasource.deleted",
        "datasource.restored",
    ]
    """The event type."""
    data: Datasource | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class EventList(TypedDict):
    """A page of the event log."""

    items: list[Event]
    """The events, ordered by `sequence`."""
    nextCursor: str | None
    """The `cursor` of the next page; null on the last page."""
    next: str | None
    """The absolute URL of the next page; null on the last page."""
    oldestAvailable: int | None
    """The sequence of the oldest event that is still stored."""
    newestAvailable: int | None
    """The sequence of the newest event, regardless of the filters. On the last page, you have read
    everything up to it.
    """


@final
class EventResourceLink(TypedDict):
    """A link to a resource that is too large for an event (256 KiB)."""

    id: str
    """The id of the resource."""
    tooLarge: bool
    """Always true."""
    url: str
    """The path that returns the resource in its current state."""


@final
class ExportRunEvent(EventMetadata):
    """An event of the types `exportrun.*`."""

    type: Literal["export.completed", "export.failed"]
    """The event type."""
    data: ExportRun | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class FolderEvent(EventMetadata):
    """An event of the types `folder.*`."""

    type: Literal["folder.deleted", "folder.restored"]
    """The event type."""
    data: Folder | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class FormEvent(EventMetadata):
    """An event of the types `form.*`."""

    type: Literal["form.created", "form.updated", "form.archived", "form.published", "form.deleted", "form.restored"]
    """The event type."""
    data: Form | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class FormVersionEvent(EventMetadata):
    """An event of the types `formversion.*`."""

    type: Literal["version.deleted", "version.restored"]
    """The event type."""
    data: FormVersion | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class GroupEvent(EventMetadata):
    """An event of the types `group.*`."""

    type: Literal["group.created", "group.updated", "group.deleted", "group.restored"]
    """The event type."""
    data: Group | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class InviteEvent(EventMetadata):
    """An event of the types `invite.*`."""

    type: Literal[
        "invite.created",
        "invite.sent",
        "invite.opened",
        "invite.started",
        "invite.completed",
        "invite.declined",
        "invite.expired",
        "invite.revoked",
        "invite.failed",
        "invite.resent",
    ]
    """The event type."""
    data: Invite | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class QuestionBlockEvent(EventMetadata):
    """An event of the types `questionblock.*`."""

    type: Literal[
        "question_block.created", "question_block.updated", "question_block.deleted", "question_block.restored"
    ]
    """The event type."""
    data: QuestionBlock | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class RoleEvent(EventMetadata):
    """An event of the types `role.*`."""

    type: Literal["role.created", "role.updated", "role.deleted", "role.restored"]
    """The event type."""
    data: Role | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class SubmissionCommentEvent(EventMetadata):
    """An event of the types `submissioncomment.*`."""

    type: Literal["comment.created", "comment.deleted"]
    """The event type."""
    data: SubmissionComment | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class SubmissionEvent(EventMetadata):
    """An event of the types `submission.*`."""

    type: Literal["submission.started", "submission.submitted", "submission.updated", "submission.deleted"]
    """The event type."""
    data: Submission | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class SubscriberEvent(EventMetadata):
    """An event of the types `subscriber.*`."""

    type: Literal["subscriber.failing", "subscriber.disabled"]
    """The event type."""
    data: Subscriber | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class TaskEvent(EventMetadata):
    """An event of the types `task.*`."""

    type: Literal[
        "task.created",
        "task.opened",
        "task.started",
        "task.fulfilled",
        "task.completed",
        "task.declined",
        "task.revoked",
        "task.updated",
        "task.overdue",
    ]
    """The event type."""
    data: Task | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class TemplateEvent(EventMetadata):
    """An event of the types `template.*`."""

    type: Literal["template.deleted", "template.restored"]
    """The event type."""
    data: Template | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


@final
class UserEvent(EventMetadata):
    """An event of the types `user.*`."""

    type: Literal["user.created", "user.updated", "user.disabled", "user.enabled", "user.deleted", "user.restored"]
    """The event type."""
    data: User | EventResourceLink
    """The resource immediately after the change, as the API returns it."""


Event: TypeAlias = (
    SubmissionEvent
    | SubmissionCommentEvent
    | FormEvent
    | FormVersionEvent
    | TemplateEvent
    | QuestionBlockEvent
    | FolderEvent
    | TaskEvent
    | InviteEvent
    | DatasourceEvent
    | ExportRunEvent
    | UserEvent
    | GroupEvent
    | RoleEvent
    | SubscriberEvent
)
"""An event; its `type` determines its `data`. Newer servers may send types that are missing here."""
