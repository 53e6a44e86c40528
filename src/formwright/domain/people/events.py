"""What can happen to people."""

from dataclasses import dataclass

from formwright.core.kernel.event import Event
from formwright.domain.people.model import User


@dataclass(frozen=True, slots=True)
class UserCreated(Event):
    """A person was added to the account."""

    type = "user.created"
    user: User
