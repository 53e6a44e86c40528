"""Identity providers, the domains an account has claimed, and identities: the records and errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from formwright.core.errors import Conflict, NotFound
from formwright.domain.users.models import User

DEFAULT_SCOPES = "openid email profile"
MAX_PROVIDERS = 10
INSTALLATION_ID = "installation"
"""The id of the provider of the whole installation, and the id of its account while none is chosen."""


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """An OpenID Connect provider with which users of an account sign in. Times are in milliseconds since 1970."""

    id: str
    customer_id: str
    name: str
    issuer: str
    client_id: str
    client_secret: str
    """Encrypted; empty for a public client."""
    scopes: str
    is_enabled: bool
    links_by_email: bool
    """Whether a first sign-in with a verified address of a claimed domain is linked to the user with this address."""
    creates_users: bool
    """Whether a first sign-in with a verified address of a claimed domain creates a user who does not exist yet."""
    group_ids: tuple[str, ...]
    """The groups of created users."""
    created: int
    updated: int
    revision: int
    is_required: bool = False
    """Whether users who are not owners can no longer sign in with a password, while it is enabled."""
    signs_out: bool = False
    """Whether people who sign out here are sent to the provider to sign out there, too."""
    group_claim: str = ""
    """The claim that lists the groups of a person; "" if groups are only managed here."""
    claim_group_ids: tuple[str, ...] = ()
    """The groups whose members follow the claim."""
    trusts_addresses: bool = False
    """Whether an address counts as verified if the provider doesn't say whether it is, in the domains below."""
    links_provisioned: bool = False
    """Whether it provisions the account, so that its people are linked to the users who were created by that."""
    claim_group_names: tuple[str, ...] = ()
    """More of these groups, by external id or name."""
    domains: tuple[str, ...] | None = None
    """The domains in which the provider links and creates users; None for those that the account has claimed."""
    new_user_account: str = ""
    """The account in which the provider of the installation creates users."""

    @property
    def is_installation(self) -> bool:
        """Whether it is the provider of the whole installation, which no account can change."""
        return self.id == INSTALLATION_ID


@dataclass(frozen=True, slots=True)
class ProviderEdit:
    """The properties of a provider as entered. `client_secret` is None to keep the stored one."""

    name: str
    issuer: str
    client_id: str
    client_secret: str | None
    scopes: str
    is_enabled: bool
    links_by_email: bool
    creates_users: bool
    group_ids: Sequence[str] = ()
    is_required: bool = False
    signs_out: bool = False
    group_claim: str = ""
    claim_group_ids: Sequence[str] = ()
    trusts_addresses: bool = False
    links_provisioned: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """A person at a provider, identified by issuer and subject, and the user they sign in as."""

    issuer: str
    subject: str
    user_id: str
    provider_id: str
    created: int
    last_used: int


class EmailState(StrEnum):
    """What a provider says about the address of a person. Only those that are verified or trusted count."""

    MISSING = "MISSING"
    DENIED = "DENIED"
    UNSAID = "UNSAID"
    SHARED = "SHARED"
    GUEST = "GUEST"
    TRUSTED = "TRUSTED"
    VERIFIED = "VERIFIED"


@dataclass(frozen=True, slots=True)
class VerifiedClaims:
    """What a verified ID token says about a person. `email` is "" unless the address counts."""

    issuer: str
    subject: str
    email: str
    name: str
    received: Mapping[str, Any] = field(default_factory=dict)
    """All claims of the ID token, and those that only the userinfo response has."""
    id_token: str = field(default="", repr=False)
    email_state: EmailState = EmailState.MISSING


class Rule(StrEnum):
    """Why a person may sign in."""

    LINKED = "LINKED"
    EXTERNAL_ID = "EXTERNAL_ID"
    USER_NAME = "USER_NAME"
    EMAIL = "EMAIL"
    NEW_USER = "NEW_USER"


@dataclass(frozen=True, slots=True)
class Decision:
    """The rule that lets a person in, and the user they sign in as; None if the user is to be created."""

    rule: Rule
    user: User | None


class ProviderNotFound(NotFound):
    """The account has no identity provider with this id."""

    code = "identity_provider.not_found"
    detail = "There is no such identity provider in this account."


class IssuerTaken(Conflict):
    """Another identity provider of the account has this issuer."""

    code = "identity_provider.issuer_taken"
    detail = "This account already has an identity provider with this issuer."


class TooManyProviders(Conflict):
    """The account has the maximum number of identity providers."""

    code = "identity_provider.too_many"
    detail = f"An account can have at most {MAX_PROVIDERS} identity providers."


class ProviderUnavailable(Exception):
    """The provider cannot be reached or does not answer as OpenID Connect requires. The message is for owners."""


class SignInRefused(Exception):
    """Somebody may not sign in. The message tells owners why; the person who signs in must not see it."""
