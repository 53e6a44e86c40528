"""Who acts."""

from dataclasses import dataclass
from enum import StrEnum

from formwright.core.access.permissions import EVERYTHING, Permission


class ActorKind(StrEnum):
    """What kind of actor it is."""

    USER = "user"
    KEY = "key"
    LINK = "link"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Actor:
    """One who acts in one account, with what it may do there."""

    kind: ActorKind
    id: str
    customer_id: str
    permissions: frozenset[Permission]

    @property
    def user_id(self) -> str | None:
        """The person's id, where a person acts."""
        return self.id if self.kind is ActorKind.USER else None

    @property
    def hand(self) -> str | None:
        """The id of the person or the key that does something; None for the operator, and for who only has a link."""
        return self.id if self.kind in (ActorKind.USER, ActorKind.KEY) else None


def key(key_id: str, customer_id: str) -> Actor:
    """An API key: it acts for its account, and may do there all that the API offers."""
    return Actor(ActorKind.KEY, key_id, customer_id, EVERYTHING)


def system(customer_id: str) -> Actor:
    """The operator's own hand: the command line and the worker."""
    return Actor(ActorKind.SYSTEM, "system", customer_id, EVERYTHING)


def link(token: str, customer_id: str) -> Actor:
    """Whoever holds a link to fill a form; it opens that form and nothing else."""
    return Actor(
        ActorKind.LINK, token, customer_id, frozenset({Permission.SUBMISSIONS_CREATE, Permission.CUSTOMER_READ})
    )
