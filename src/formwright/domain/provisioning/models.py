"""The token of a provisioning identity provider, and provisioned users: the records and errors."""

from dataclasses import dataclass

from formwright.core.errors import Conflict
from formwright.domain.api_keys.models import KeyMissing, KeyUnknown
from formwright.domain.users.models import UserDetails, UserStatus

PREFIX = "fwp_"
"""Followed by the account's id without its prefix, so that the account is known without looking the token up."""


@dataclass(frozen=True, slots=True)
class ProvisioningToken:
    """The token with which an identity provider manages the users and groups of an account."""

    customer_id: str
    name: str
    """The name of the identity provider, which is the actor of its changes."""
    hint: str
    """The end of the secret."""
    created: int
    last_used: int | None


@dataclass(frozen=True, slots=True)
class ProvisionedAttributes:
    """What an identity provider says about a user, besides the properties that every user has."""

    user_name: str
    formatted: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    preferred_language: str | None = None
    email_type: str | None = None
    is_email_primary: bool | None = None
    others: str | None = None
    """All other attributes, as JSON."""
    created: int = 0
    updated: int = 0
    revision: int = 0
    """0 if no identity provider has said anything yet."""

    @property
    def display_name(self) -> str:
        """The name of the user, if the provider gives no other."""
        parts = " ".join(part for part in (self.given_name, self.family_name) if part)
        return self.formatted or parts or self.user_name


@dataclass(frozen=True, slots=True)
class ProvisionedUser:
    """A user with the attributes of the identity provider."""

    details: UserDetails
    attributes: ProvisionedAttributes

    @property
    def is_active(self) -> bool:
        """Whether the user may sign in: users who are still invited may."""
        return self.details.user.status is not UserStatus.DISABLED

    @property
    def is_created_by_provider(self) -> bool:
        """Whether the identity provider created the user, and did not take over one who existed.

        It says something about a user it creates in the same transaction, just before it creates them.
        """
        return 0 < self.attributes.created <= self.details.user.created

    @property
    def updated(self) -> int:
        """When the user or the attributes were last changed."""
        return max(self.details.user.updated, self.attributes.updated)

    @property
    def version(self) -> str:
        """A text that differs after each change of the user or the attributes."""
        return f"{self.details.user.revision}.{self.attributes.revision}"


@dataclass(frozen=True, slots=True)
class ProvisionedUserEdit:
    """The complete state of a user as the identity provider wants it."""

    attributes: ProvisionedAttributes
    email: str
    name: str
    is_active: bool
    external_id: str | None


@dataclass(frozen=True, slots=True)
class ProvisionedUserFilter:
    """Restricts a list of users. None leaves a property out."""

    user_id: str | None = None
    user_name: str | None = None
    external_id: str | None = None
    email: str | None = None


@dataclass(frozen=True, slots=True)
class ProvisionedGroupFilter:
    """Restricts a list of groups. None leaves a property out."""

    group_id: str | None = None
    external_id: str | None = None
    member_id: str | None = None
    name_part: str | None = None
    """A text that the name contains, ignoring case."""


class TokenMissing(KeyMissing):
    """The request has no token."""

    code = "provisioning.token_missing"
    detail = "Send the provisioning token in the header Authorization: Bearer …."


class TokenUnknown(KeyUnknown):
    """No account has this token."""

    code = "provisioning.token_unknown"
    detail = "This provisioning token does not exist, or it was replaced or revoked."


class ProvisioningDisabled(Conflict):
    """The account has no token."""

    code = "provisioning.disabled"
    detail = "Provisioning is off for this account. Switch it on first."


class UserNameTaken(Conflict):
    """Another user of the account has this user name."""

    code = "user.user_name_taken"
    detail = "Another user of this account already has this userName."
