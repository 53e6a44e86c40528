"""What can happen to people, groups and roles."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.users.models import Group, Role, UserDetails


@dataclass(frozen=True, slots=True)
class UserEvent(Event):
    """What all of them carry: the person as she is from then on."""

    details: UserDetails


@dataclass(frozen=True, slots=True)
class UserCreated(UserEvent):
    """A person was added to the account."""

    type = "user.created"


@dataclass(frozen=True, slots=True)
class UserUpdated(UserEvent):
    """Something of her was changed: what she is called, her groups, or what she was given."""

    type = "user.updated"


@dataclass(frozen=True, slots=True)
class UserDisabled(UserEvent):
    """She can no longer sign in, and was signed out."""

    type = "user.disabled"


@dataclass(frozen=True, slots=True)
class UserEnabled(UserEvent):
    """She was disabled, and is so no longer."""

    type = "user.enabled"


@dataclass(frozen=True, slots=True)
class GroupEvent(Event):
    """What all of them carry: the group as it is from then on."""

    group: Group


@dataclass(frozen=True, slots=True)
class GroupCreated(GroupEvent):
    """It was made."""

    type = "group.created"


@dataclass(frozen=True, slots=True)
class GroupUpdated(GroupEvent):
    """Its name, its members, or what it was given changed."""

    type = "group.updated"


@dataclass(frozen=True, slots=True)
class RoleEvent(Event):
    """What all of them carry: the role as it is from then on."""

    role: Role


@dataclass(frozen=True, slots=True)
class RoleCreated(RoleEvent):
    """It was made."""

    type = "role.created"


@dataclass(frozen=True, slots=True)
class RoleUpdated(RoleEvent):
    """Its name changed, or what it allows."""

    type = "role.updated"
