"""The resources that identity providers see: which attributes users and groups have, and what the service can do.

Users have all attributes of the standard but `password`. Formwright uses few of them, and returns the others as they
were sent, because identity providers compare. Attributes that are not here are ignored.
"""

from typing import Annotated, Any, ClassVar

from pydantic import Field
from scim2_models import (
    URN,
    Address,
    AnyExtension,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    Entitlement,
    ETag,
    Extension,
    External,
    Filter,
    GroupMembership,
    Im,
    Mutability,
    Name,
    Patch,
    PhoneNumber,
    Photo,
    Reference,
    Required,
    Resource,
    ResourceType,
    Role,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
    X509Certificate,
)

PAGE_SIZE = 200


class Email(ComplexAttribute):
    """The email address of the user."""

    value: Annotated[str | None, Required.true] = None
    """The address."""
    type: str | None = Field(None, examples=["work", "home", "other"])
    """What the address is for."""
    primary: bool | None = None
    """Whether it is the address of the user, if several are sent."""


class User(Resource[AnyExtension]):
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
    nick_name: str | None = None
    """A casual name."""
    profile_url: Reference[External] | None = None
    """The URL of a page about the user."""
    title: str | None = None
    """The title, such as Vice President."""
    user_type: str | None = None
    """How the user belongs to the organisation, such as Employee."""
    locale: str | None = None
    """The location, for formats of dates and numbers."""
    timezone: str | None = None
    """The time zone, such as America/Los_Angeles."""
    emails: Annotated[list[Email] | None, Required.true] = None
    """The address of the user: the primary one. If it is omitted, `userName` must be an address."""
    Emails: ClassVar[type[ComplexAttribute]] = Email
    phone_numbers: list[PhoneNumber] | None = None
    """Phone numbers of the user."""
    PhoneNumbers: ClassVar[type[ComplexAttribute]] = PhoneNumber
    ims: list[Im] | None = None
    """Instant messaging addresses of the user."""
    Ims: ClassVar[type[ComplexAttribute]] = Im
    photos: list[Photo] | None = None
    """URLs of photos of the user."""
    Photos: ClassVar[type[ComplexAttribute]] = Photo
    addresses: list[Address] | None = None
    """Postal addresses of the user."""
    Addresses: ClassVar[type[ComplexAttribute]] = Address
    groups: Annotated[list[GroupMembership] | None, Mutability.read_only] = None
    """The groups of the user. They are changed at the groups."""
    Groups: ClassVar[type[ComplexAttribute]] = GroupMembership
    entitlements: list[Entitlement] | None = None
    """Things that the user has elsewhere. They give no permissions here."""
    Entitlements: ClassVar[type[ComplexAttribute]] = Entitlement
    roles: list[Role] | None = None
    """Roles of the user elsewhere. They give no permissions here."""
    Roles: ClassVar[type[ComplexAttribute]] = Role
    x509_certificates: list[X509Certificate] | None = None
    """Certificates of the user."""
    X509Certificates: ClassVar[type[ComplexAttribute]] = X509Certificate


class Manager(ComplexAttribute):
    """The manager of a user. `$ref` is optional here, because Microsoft Entra ID only sends the id."""

    value: Annotated[str | None, CaseExact.true] = None
    """The id of the manager."""
    ref: Reference["User"] | None = Field(None, serialization_alias="$ref", validation_alias="$ref")  # type: ignore[type-arg]
    """The URL of the manager."""
    display_name: Annotated[str | None, Mutability.read_only] = None
    """The name of the manager."""


class EnterpriseUser(Extension):
    """What organisations know about a user."""

    __schema__ = URN("urn:ietf:params:scim:schemas:extension:enterprise:2.0:User")

    employee_number: str | None = None
    """The number of the user in the organisation."""
    cost_center: str | None = None
    """The cost center."""
    organization: str | None = None
    """The organisation."""
    division: str | None = None
    """The division."""
    department: str | None = None
    """The department."""
    manager: Manager | None = None
    """The manager of the user."""
    Manager: ClassVar[type[ComplexAttribute]] = Manager


class Member(ComplexAttribute):
    """A member of a group."""

    value: Annotated[str | None, Mutability.immutable, CaseExact.true] = None
    """The id of the user."""
    ref: Annotated[Reference["User"] | None, Mutability.immutable] = Field(  # type: ignore[type-arg]
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
    models=[User, EnterpriseUser, Group],
    resource_types=[ResourceType.from_resource(User[EnterpriseUser]), ResourceType.from_resource(Group)],
    config=_config(),
    # As Microsoft Entra ID needs it.
    policy=ScimPolicy(
        unknown=ScimPolicy.Unknown.ignore,
        remove_value_as_filter=ScimPolicy.RemoveValue.apply,
        unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
    ),
)
"""What the service serves, and how tolerantly it reads requests."""
