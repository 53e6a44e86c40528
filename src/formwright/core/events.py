"""Domain events, and audit notes for changes that have no event."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct


class EventType(StrEnum):
    """What happened, as `noun.verb`. `api/v1_0/schemas/events.py` describes each type."""

    SUBMISSION_STARTED = "submission.started"
    SUBMISSION_SUBMITTED = "submission.submitted"
    SUBMISSION_UPDATED = "submission.updated"
    SUBMISSION_DELETED = "submission.deleted"
    COMMENT_CREATED = "comment.created"
    COMMENT_DELETED = "comment.deleted"
    FORM_CREATED = "form.created"
    FORM_UPDATED = "form.updated"
    FORM_ARCHIVED = "form.archived"
    FORM_PUBLISHED = "form.published"
    FORM_DELETED = "form.deleted"
    FORM_RESTORED = "form.restored"
    VERSION_DELETED = "version.deleted"
    VERSION_RESTORED = "version.restored"
    TEMPLATE_DELETED = "template.deleted"
    TEMPLATE_RESTORED = "template.restored"
    QUESTION_BLOCK_CREATED = "question_block.created"
    QUESTION_BLOCK_UPDATED = "question_block.updated"
    QUESTION_BLOCK_DELETED = "question_block.deleted"
    QUESTION_BLOCK_RESTORED = "question_block.restored"
    FOLDER_DELETED = "folder.deleted"
    FOLDER_RESTORED = "folder.restored"
    TASK_CREATED = "task.created"
    TASK_OPENED = "task.opened"
    TASK_STARTED = "task.started"
    TASK_FULFILLED = "task.fulfilled"
    TASK_COMPLETED = "task.completed"
    TASK_DECLINED = "task.declined"
    TASK_REVOKED = "task.revoked"
    TASK_UPDATED = "task.updated"
    TASK_OVERDUE = "task.overdue"
    INVITE_CREATED = "invite.created"
    INVITE_SENT = "invite.sent"
    INVITE_OPENED = "invite.opened"
    INVITE_STARTED = "invite.started"
    INVITE_COMPLETED = "invite.completed"
    INVITE_DECLINED = "invite.declined"
    INVITE_EXPIRED = "invite.expired"
    INVITE_REVOKED = "invite.revoked"
    INVITE_FAILED = "invite.failed"
    INVITE_RESENT = "invite.resent"
    DATASOURCE_IMPORTED = "datasource.imported"
    DATASOURCE_UPDATED = "datasource.updated"
    DATASOURCE_FAILED = "datasource.failed"
    DATASOURCE_ROW_DELETED = "datasource.row_deleted"
    DATASOURCE_ROW_RESTORED = "datasource.row_restored"
    DATASOURCE_DELETED = "datasource.deleted"
    DATASOURCE_RESTORED = "datasource.restored"
    EXPORT_COMPLETED = "export.completed"
    EXPORT_FAILED = "export.failed"
    USER_CREATED = "user.created"
    USER_UPDATED = "user.updated"
    USER_DISABLED = "user.disabled"
    USER_ENABLED = "user.enabled"
    USER_DELETED = "user.deleted"
    USER_RESTORED = "user.restored"
    GROUP_CREATED = "group.created"
    GROUP_UPDATED = "group.updated"
    GROUP_DELETED = "group.deleted"
    GROUP_RESTORED = "group.restored"
    ROLE_CREATED = "role.created"
    ROLE_UPDATED = "role.updated"
    ROLE_DELETED = "role.deleted"
    ROLE_RESTORED = "role.restored"
    SUBSCRIBER_FAILING = "subscriber.failing"
    SUBSCRIBER_DISABLED = "subscriber.disabled"


class EventRecord(Protocol):
    """The record that an event is about."""

    @property
    def id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Event:
    """An event, recorded in the transaction of the change.

    `record` is as it was immediately after the change; the last state of a deleted one. `changed` names its changed
    properties, for the audit log. An event that `is_silent` is logged, but not delivered to subscribers.
    """

    type: EventType
    customer_id: str
    record: EventRecord
    changed: tuple[str, ...] = ()
    is_silent: bool = False


if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_STAMPS = frozenset({"updated", "updated_by", "revision"})


class AuditNote(Struct, frozen=True):
    """An audit entry: the action as `noun.verb` (`key.created`), and the id and name of its object.

    `changed` names the changed properties, never their values. No field may contain a secret or a form answer.
    """

    customer_id: str
    action: str
    id: str
    name: str = ""
    changed: tuple[str, ...] = ()


def changed_properties(before: "DataclassInstance | Struct", after: "DataclassInstance | Struct") -> tuple[str, ...]:
    """Return the names of the properties in which two records differ, in the API's camelCase."""
    members = after.__struct_fields__ if isinstance(after, Struct) else [field.name for field in fields(after)]
    names = (name for name in members if name not in _STAMPS)
    return tuple(_camel(name) for name in names if getattr(before, name) != getattr(after, name))


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.title() for other in others)
