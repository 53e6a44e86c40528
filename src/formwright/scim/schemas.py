"""The resources that identity providers see: which attributes users and groups have, and what the service can do.

Attributes that are not here, such as phone numbers, are ignored, because identity providers send them by default.
"""

from typing import Annotated, Any, ClassVar

from pydantic import Field
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    ETag,
    External,
    Filter,
    Mutability,
    Patch,
    Reference,
    Required,
    Resource,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
)

PAGE_SIZE = 200


class Name(ComplexAttribute):
    """The components of the user's name."""

    formatted: str | None = None
    """The full name."""
    family_name: str | None = None
    """The family name."""
    given_name: str | None = None
    """The given name."""


class Email(ComplexAttribute):
    """The email address of the user."""

    value: Annotated[str | None, Required.true] = None
    """The address."""
    type: str | None = Field(None, examples=["work", "home", "other"])
    """What the address is for."""
    primary: bool | None = None
    """Whether it is the address of the user, if several are sent."""


class Membership(ComplexAttribute):
    """A group of the user."""

    value: Annotated[str | None, Mutability.read_only, CaseExact.true] = None
    """The id of the group."""
    ref: Annotated[Reference["Group"] | None, Mutability.read_only] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    """The URL of the group."""


class User(Resource[Any]):
    """A user of the account."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    """The name by which the identity provider knows the user, often an email address."""
    name: Name | None = None
    """The components of the user's name."""
    Name: ClassVar[type[ComplexAttribute]] = Name
    display_name: Annotated[str | None, Required.true] = None
    """The name of the user. If it is omitted, it is composed of `name`."""
    preferred_language: str | None = None
    """The language of the user interface, such as de-DE."""
    active: Annotated[bool | None, Required.true] = None
    """Whether the user may sign in. If it is omitted, a new user may."""
    emails: Annotated[list[Email] | None, Required.true] = None
    """The address of the user: the primary one. If it is omitted, `userName` must be an address."""
    Emails: ClassVar[type[ComplexAttribute]] = Email
    groups: Annotated[list[Membership] | None, Mutability.read_only] = None
    """The groups of the user. They are changed at the groups."""
    Groups: ClassVar[type[ComplexAttribute]] = Membership


class Member(ComplexAttribute):
    """A member of a group."""

    value: Annotated[str | None, Mutability.immutable, CaseExact.true] = None
    """The id of the user."""
    ref: Annotated[Reference["User"] | None, Mutability.immutable] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    """The URL of the user."""
    type: Annotated[str | None, Mutability.immutable] = Field(None, examples=["User"])
    """Always `User`: groups cannot be members."""


class Group(Resource[Any]):
    """A group of users."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    """The name of the group."""
    members: list[Member] | None = None
    """The users in the group, at most 1,000."""
    Members: ClassVar[type[ComplexAttribute]] = Member


def _config() -> ServiceProviderConfig:
    token = AuthenticationScheme(
        type=AuthenticationScheme.Type.oauthbearertoken,
        name="Bearer token",
        description="The token from Settings, Sign-in, Provisioning.",
        spec_uri=Reference[External]("https://www.rfc-editor.org/rfc/rfc6750"),
        primary=True,
    )
    return ServiceProviderConfig(
        patch=Patch(supported=True),
        bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
        filter=Filter(supported=True, max_results=PAGE_SIZE),
        change_password=ChangePassword(supported=False),
        sort=Sort(supported=False),
        etag=ETag(supported=True),
        authentication_schemes=[token],
    )


PROVIDER = ScimProvider(
    models=[User, Group],
    config=_config(),
    # As Microsoft Entra ID needs it.
    policy=ScimPolicy(
        unknown=ScimPolicy.Unknown.ignore,
        remove_value_as_filter=ScimPolicy.RemoveValue.apply,
        unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
    ),
)
"""What the service serves, and how tolerantly it reads requests."""
