"""The events of users, groups and roles."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.users.models import Group, Role, UserDetails


@dataclass(frozen=True, slots=True)
class UserEvent(Event):
    """Base of the user events; `details` is the state after the change."""

    details: UserDetails


@dataclass(frozen=True, slots=True)
class UserCreated(UserEvent):
    """A user was created."""

    type = "user.created"


@dataclass(frozen=True, slots=True)
class UserUpdated(UserEvent):
    """The properties, groups or grants of a user changed."""

    type = "user.updated"


@dataclass(frozen=True, slots=True)
class UserDisabled(UserEvent):
    """A user was disabled: they were signed out and can no longer sign in."""

    type = "user.disabled"


@dataclass(frozen=True, slots=True)
class UserEnabled(UserEvent):
    """A disabled user was enabled again."""

    type = "user.enabled"


@dataclass(frozen=True, slots=True)
class GroupEvent(Event):
    """Base of the group events; `group` is the state after the change."""

    group: Group


@dataclass(frozen=True, slots=True)
class GroupCreated(GroupEvent):
    """A group was created."""

    type = "group.created"


@dataclass(frozen=True, slots=True)
class GroupUpdated(GroupEvent):
    """The name, members or grants of a group changed."""

    type = "group.updated"


@dataclass(frozen=True, slots=True)
class RoleEvent(Event):
    """Base of the role events; `role` is the state after the change."""

    role: Role


@dataclass(frozen=True, slots=True)
class RoleCreated(RoleEvent):
    """A role was created."""

    type = "role.created"


@dataclass(frozen=True, slots=True)
class RoleUpdated(RoleEvent):
    """The name or permissions of a role changed."""

    type = "role.updated"


@dataclass(frozen=True, slots=True)
class UserDeleted(UserEvent):
    """A user was moved to the trash."""

    type = "user.deleted"


@dataclass(frozen=True, slots=True)
class UserRestored(UserEvent):
    """A user was restored."""

    type = "user.restored"


@dataclass(frozen=True, slots=True)
class GroupDeleted(GroupEvent):
    """A group was moved to the trash."""

    type = "group.deleted"


@dataclass(frozen=True, slots=True)
class GroupRestored(GroupEvent):
    """A group was restored."""

    type = "group.restored"


@dataclass(frozen=True, slots=True)
class RoleDeleted(RoleEvent):
    """A role was moved to the trash."""

    type = "role.deleted"


@dataclass(frozen=True, slots=True)
class RoleRestored(RoleEvent):
    """A role was restored."""

    type = "role.restored"
