"""Schemas used by several modules."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict, final


@final
class AccountResource(TypedDict):
    """The whole account."""

    type: Literal["account"]
    id: str
    """The id of the account."""


@final
class Affected(TypedDict):
    """What disappears with a resource, or no longer has an effect, until it is restored."""

    folders: NotRequired[int]
    """Folders, with the deleted one."""
    forms: NotRequired[int]
    """Forms."""
    submissions: NotRequired[int]
    """Submissions and drafts of submissions."""
    tasks: NotRequired[int]
    """Tasks that have not ended."""
    invites: NotRequired[int]
    """Invites that have not ended."""
    webhooks: NotRequired[int]
    """Subscribers that are restricted to forms, among them these."""
    grants: NotRequired[int]
    """Grants of the user or group, or for the form or folder."""
    groups: NotRequired[int]
    """Groups of the user."""
    members: NotRequired[int]
    """Members of the group."""
    rows: NotRequired[int]
    """Rows of the data source."""


@final
class FolderResource(TypedDict):
    """A folder, with all folders and forms in it."""

    type: Literal["folder"]
    id: str
    """The id of a folder."""


@final
class FormResource(TypedDict):
    """One form."""

    type: Literal["form"]
    id: str
    """The id of a form."""


Permission: TypeAlias = Literal[
    "audit:read",
    "customer:edit",
    "customer:read",
    "datasources:edit",
    "datasources:read",
    "forms:edit",
    "forms:publish",
    "forms:read",
    "invites:manage",
    "invites:read",
    "keys:manage",
    "keys:read",
    "people:manage",
    "people:read",
    "submissions:create",
    "submissions:edit",
    "submissions:read",
    "tasks:manage",
    "tasks:read",
    "webhooks:manage",
    "webhooks:read",
]
"""A permission, as `noun:verb`. A name is never reused for another meaning."""


@final
class Problem(TypedDict):
    """Problem details (RFC 9457) of a rejected or failed request."""

    type: str
    """`urn:formwright:problem:` followed by the code."""
    title: str
    """The reason phrase of the status."""
    status: int
    """The HTTP status."""
    code: str
    """A code for the kind of problem. It is stable and never reused for another meaning."""
    detail: str
    """An explanation for people, which may change in any release."""
    requestId: str
    """The id of the request, which also identifies its entry in the server's log."""
    errors: NotRequired[list[ValidationError]]
    """All errors in the request, at most 100."""
    existingId: NotRequired[str]
    """The id of the resource that already exists, whose URL is in `Location`."""
    moreErrors: NotRequired[bool]
    """`true` if `errors` is incomplete because there are more than 100."""


TaskStatus: TypeAlias = Literal["COMPLETED", "DECLINED", "IN_PROGRESS", "OPEN", "REVOKED", "SCHEDULED"]
"""The status of a task. `SCHEDULED`: not published yet. `OPEN`: recipients can begin. `IN_PROGRESS`: a
recipient has begun. `COMPLETED`, `DECLINED` and `REVOKED`: the task has ended.
"""


@final
class TrashActor(TypedDict):
    """Who deleted it."""

    type: str
    """`user`, `key` or `system`."""
    id: str
    """The id of the user or key."""
    name: str
    """The name of the user or key at that time."""


@final
class TrashItem(TypedDict):
    """A deleted resource."""

    id: str
    """The id of the deleted resource; for a row, that of its entry in the trash."""
    customerId: str
    """The id of the account."""
    kind: TrashKind
    """The type of the deleted resource."""
    name: str
    """Its name when it was deleted; for a row, its key."""
    parentId: str | None
    """The form of a form version, or the data source of a row; otherwise null."""
    deleted: str
    """When it was deleted."""
    deletedBy: TrashActor
    """Who deleted it."""
    restorableUntil: str | None
    """When it will be deleted permanently. Null if it is being deleted permanently already."""
    affected: Affected
    """What disappears with a resource, or no longer has an effect, until it is restored."""


TrashKind: TypeAlias = Literal[
    "datasource", "datasourceRow", "folder", "form", "formVersion", "group", "questionBlock", "role", "template", "user"
]
"""The kind of a deleted record."""


@final
class ValidationError(TypedDict):
    """An error in the request."""

    pointer: str
    """Where: a JSON Pointer (RFC 6901) into the body, or `?name` for a query parameter. Stable."""
    code: str
    """A code for the kind of error. Stable."""
    detail: str
    """An explanation for people, which may change in any release."""


AnyResource: TypeAlias = AccountResource | FolderResource | FormResource
