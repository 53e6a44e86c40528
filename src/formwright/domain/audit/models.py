"""Entries of the audit log."""

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
    """The actor of an entry, and the request it came with.

    `id` is the id of a user or API key, or of the form whose link was used. `name` is the name at that time.
    """

    type: AuditActorType
    id: str
    name: str
    address: str
    request_id: str


class AuditEntry(Struct, frozen=True):
    """An action of an actor. `at` is in milliseconds; `changed` are the names of the changed properties."""

    id: str
    customer_id: str
    at: int
    actor: AuditActor
    action: str
    resource_type: str
    resource_id: str
    resource_name: str
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Matches entries; empty values match all. `action` may end in `*`. The time range is `since` ≤ `at` < `until`."""

    actor_id: str = ""
    action: str = ""
    resource_type: str = ""
    resource_id: str = ""
    since: int | None = None
    until: int | None = None
