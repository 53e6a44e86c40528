"""What events tell of: the data of each kind.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from formwright_client.shapes.datasources import Datasource
from formwright_client.shapes.forms import Form
from formwright_client.shapes.invites import Invite
from formwright_client.shapes.submissions import Submission
from formwright_client.shapes.tasks import Task
from formwright_client.shapes.users_and_groups import Group, Role, User
from formwright_client.shapes.webhooks import Subscriber


class DataLink(TypedDict):
    """Stands for a resource that is too large for an event (256 KiB)."""

    id: str
    tooLarge: bool
    url: str


class DatasourceEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Datasource | DataLink
    erased: NotRequired[bool]


class FormEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Form | DataLink
    erased: NotRequired[bool]


class GroupEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Group | DataLink
    erased: NotRequired[bool]


class InviteEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Invite | DataLink
    erased: NotRequired[bool]


class RoleEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Role | DataLink
    erased: NotRequired[bool]


class SubmissionEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Submission | DataLink
    erased: NotRequired[bool]


class SubscriberEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Subscriber | DataLink
    erased: NotRequired[bool]


class TaskEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Task | DataLink
    erased: NotRequired[bool]


class UserEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: User | DataLink
    erased: NotRequired[bool]
