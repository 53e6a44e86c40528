"""What an actor can reach: the condition that a list and a single item share.

Who acts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from formwright.core.auth.permissions import BESIDE_FORMS, EVERYTHING, OF_FORMS, READING, Permission


@dataclass(frozen=True, slots=True)
class Reach:
    """Parts of an account: single forms, and folders with the forms in them. Those below a folder are named too."""

    form_ids: frozenset[str] = frozenset()
    folder_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Scope:
    """Rows of one account. Every finder takes one, so that nothing outside is ever found.

    `reach` says which forms, with all that belongs to them; None: all of the account's.
    """

    customer_id: str
    reach: Reach | None = None

    def has_folder(self, folder_id: str | None) -> bool:
        """Whether what lies in this folder is within. None is the root, which is in no part of an account."""
        return self.reach is None or folder_id in self.reach.folder_ids


class ActorKind(StrEnum):
    """What kind of actor it is."""

    USER = "user"
    KEY = "key"
    LINK = "link"
    SYSTEM = "system"


class ResourceType(StrEnum):
    """For what a role can be given."""

    ACCOUNT = "account"
    FOLDER = "folder"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class Held:
    """Permissions that somebody has for the account, for one folder (without those below it), or for one form."""

    permissions: frozenset[Permission]
    resource_type: ResourceType
    resource_id: str


@dataclass(frozen=True, slots=True)
class Actor:
    """One who acts in one account, with what it may do there.

    `permissions` are all that it has, if only for a part; `parts` says of which part, where one is not for the whole.
    """

    kind: ActorKind
    id: str
    customer_id: str
    permissions: frozenset[Permission]
    parts: Mapping[Permission, Reach] = field(default_factory=dict, hash=False)
    name: str = ""
    """What it is called at this time: for people to read."""

    @property
    def user_id(self) -> str | None:
        """The person's id, where a person acts."""
        return self.id if self.kind is ActorKind.USER else None

    @property
    def hand(self) -> str | None:
        """The id of the person or the key that does something; None for the operator, and for who only has a link."""
        return self.id if self.kind in (ActorKind.USER, ActorKind.KEY) else None


def key(key_id: str, customer_id: str, name: str = "", *, read_only: bool = False) -> Actor:
    """An API key: it acts for its account, and may do there all that the API offers, or read all of it."""
    return Actor(ActorKind.KEY, key_id, customer_id, READING if read_only else EVERYTHING, name=name)


def system(customer_id: str, name: str = "") -> Actor:
    """The operator's own hand: the command line and the worker."""
    return Actor(ActorKind.SYSTEM, "system", customer_id, EVERYTHING, name=name)


def link(form_id: str, customer_id: str) -> Actor:
    """Whoever holds a link to fill a form: it is known by the form that it opens, and opens nothing else."""
    permissions = frozenset({Permission.SUBMISSIONS_CREATE, Permission.CUSTOMER_READ})
    parts = {Permission.SUBMISSIONS_CREATE: Reach(frozenset({form_id}))}
    return Actor(ActorKind.LINK, form_id, customer_id, permissions, parts)


def recipient(user_id: str, form_id: str, customer_id: str, name: str = "") -> Actor:
    """A person whom somebody asked to fill a form: she may do that, whatever else she may do."""
    one = link(form_id, customer_id)
    return Actor(ActorKind.USER, user_id, customer_id, one.permissions, one.parts, name)


def person(user_id: str, customer_id: str, held: Iterable[Held], name: str = "") -> Actor:
    """A person with what she has. She may always know the account that she belongs to."""
    whole = {Permission.CUSTOMER_READ}
    parts: dict[Permission, list[Held]] = {}
    for one in held:
        if one.resource_type is ResourceType.ACCOUNT:
            whole |= one.permissions
            continue
        whole |= one.permissions & BESIDE_FORMS
        for permission in one.permissions & OF_FORMS:
            parts.setdefault(permission, []).append(one)
    reaches = {permission: _reach(found) for permission, found in parts.items() if permission not in whole}
    return Actor(ActorKind.USER, user_id, customer_id, frozenset({*whole, *reaches}), reaches, name)


def _reach(found: Iterable[Held]) -> Reach:
    forms, folders = (
        frozenset(one.resource_id for one in found if one.resource_type is type_)
        for type_ in (ResourceType.FORM, ResourceType.FOLDER)
    )
    return Reach(forms, folders)
