"""Lines of the audit log."""

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct


class AuditActorType(StrEnum):
    """The type of an actor. `user`: a user. `key`: an API key. `link`: somebody with a form's fill link. `system`:
    Formwright or its command line. `nobody`: somebody who was not signed in.
    """

    USER = "user"
    KEY = "key"
    LINK = "link"
    SYSTEM = "system"
    NOBODY = "nobody"


class AuditActor(Struct, frozen=True):
    """Who did something, and from where.

    `id` is that of a person or a key, or of the form whose link was used. `name` is what it was called at the time.
    """

    type: AuditActorType
    id: str
    name: str
    address: str
    request_id: str


class AuditEntry(Struct, frozen=True):
    """One thing that was done. `at` is in milliseconds; `changed` names members, never what is in them."""

    id: str
    customer_id: str
    at: int
    actor: AuditActor
    action: str
    resource_id: str
    resource_name: str
    changed: tuple[str, ...]

    @property
    def resource_type(self) -> str:
        """The parse_resource_type of what was done."""
        return parse_resource_type(self.action)


def parse_resource_type(action: str) -> str:
    """`form` of `form.created`."""
    return action.partition(".")[0]


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which lines are meant; empty means all. `action` is whole or ends in `*`; `since` ≤ at < `until`."""

    actor_id: str = ""
    action: str = ""
    resource_type: str = ""
    resource_id: str = ""
    since: int | None = None
    until: int | None = None
