"""The data of each event type.

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


class DatasourceEvent(TypedDict):
    """A change in the account."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Datasource | EventResourceLink
    erased: NotRequired[bool]


class EventResourceLink(TypedDict):
    """A link to a resource that is too large for an event (256 KiB)."""

    id: str
    tooLarge: bool
    url: str


class FormEvent(TypedDict):
    """A change in the account."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Form | EventResourceLink
    erased: NotRequired[bool]


class GroupEvent(TypedDict):
    """A change in the account."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Group | EventResourceLink
    erased: NotRequired[bool]


class InviteEvent(TypedDict):
    """A change in the account."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Invite | EventResourceLink
    erased: NotRequired[bool]


class RoleEvent(TypedDict):
    """A change in the account."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Role | EventResourceLink
    erased: NotRequired[bool]


class SubmissionEvent(TypedDict):
    """A change in the account."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Submission | EventResourceLink
    erased: NotRequired[bool]


class SubscriberEvent(TypedDict):
    """A change in the account."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Subscriber | EventResourceLink
    erased: NotRequired[bool]


class TaskEvent(TypedDict):
    """A change in the account."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Task | EventResourceLink
    erased: NotRequired[bool]


class UserEvent(TypedDict):
    """A change in the account."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: User | EventResourceLink
    erased: NotRequired[bool]
