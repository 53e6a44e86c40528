"""Users as SCIM resources."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec
from scim2_models import GroupMembership, Meta, Name, Reference

from formwright.core.auth.actor import Actor
from formwright.core.crypto import SecretBox
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Invalid
from formwright.domain.provisioning import users
from formwright.domain.provisioning.models import (
    ProvisionedAttributes,
    ProvisionedUser,
    ProvisionedUserEdit,
    ProvisionedUserFilter,
)
from formwright.domain.trash import deleted_people
from formwright.scim.filters import Lookup
from formwright.scim.limits import check_attributes
from formwright.scim.schemas import PROVIDER, Email, User

_MODEL: Any = PROVIDER.model_for("User")
_NAME_COLUMNS = frozenset({"formatted", "givenName", "familyName"})
_COLUMNS = frozenset(
    {
        *("schemas", "id", "externalId", "meta", "groups", "name", "emails"),
        *("userName", "displayName", "preferredLanguage", "active"),
    }
)


@dataclass(frozen=True, slots=True)
class Users:
    """The users of the actor's account, in a transaction. Reading needs no transaction that can write."""

    tx: WriteTransaction
    actor: Actor
    secret_box: SecretBox
    loaded: dict[str, ProvisionedUser] = field(default_factory=dict)
    lookups = frozenset({"id", "username", "externalid", "emails", "emails.value"})
    """The attributes that the database can look up."""

    async def load(self, user_id: str) -> ProvisionedUser:
        """Return a user; raises `UserNotFound`.

        Each is read once: the library asks for a user several times, and nobody else changes them in the meantime.
        """
        if user_id not in self.loaded:
            self.loaded[user_id] = await users.get(self.tx, self.actor, user_id=user_id)
        return self.loaded[user_id]

    async def get(self, user_id: str) -> User[Any]:
        """Return a user; raises `UserNotFound`."""
        return to_resource(await self.load(user_id))

    async def create(self, resource: User[Any]) -> User[Any]:
        """Create a user. Raises the errors of `users.create`."""
        return to_resource(await users.create(self.tx, self.actor, _to_edit(resource, None)))

    async def update(self, resource: User[Any]) -> User[Any]:
        """Change a user to the state of the resource. Raises the errors of `users.update`."""
        current = await self.load(resource.id or "")
        edited = await users.update(self.tx, self.actor, _to_edit(resource, current), current, self.secret_box)
        self.loaded[edited.details.id] = edited
        return to_resource(edited)

    async def delete(self, user_id: str) -> None:
        """Move a user to the trash. Raises `UserNotFound` or `LastOwner`."""
        self.loaded.pop(user_id, None)
        await deleted_people.delete_user(self.tx, self.actor, user_id=user_id)

    async def count(self, lookup: Lookup) -> int:
        """Return how many users have the values of the lookup."""
        return await users.count(self.tx, self.actor, _to_criteria(lookup))

    async def page(self, lookup: Lookup, offset: int, limit: int) -> list[User[Any]]:
        """Return some of the users that have the values of the lookup, the oldest first."""
        found = await users.page(self.tx, self.actor, _to_criteria(lookup), offset=offset, limit=limit)
        return [to_resource(user) for user in found]


def to_meta(resource_type: str, created: int, updated: int, version: str) -> Meta:
    """Return the metadata of a resource; times are in milliseconds since 1970."""
    first, last = (datetime.fromtimestamp(time / 1000, UTC) for time in (created, updated))
    return Meta(resource_type=resource_type, created=first, last_modified=last, version=f'W/"{version}"')


def to_resource(user: ProvisionedUser) -> User[Any]:
    """Return a user as identity providers see them."""
    record, attributes = user.details.user, user.attributes
    resource: User[Any] = _MODEL.model_validate_json(attributes.others or "{}")
    resource.id, resource.external_id = record.id, record.external_id
    resource.meta = to_meta("User", record.created, user.updated, user.version)
    resource.user_name, resource.display_name = attributes.user_name, record.name
    if resource.name or attributes.formatted or attributes.family_name or attributes.given_name:
        resource.name = resource.name or Name()
        resource.name.formatted = attributes.formatted
        resource.name.family_name, resource.name.given_name = attributes.family_name, attributes.given_name
    resource.preferred_language, resource.active = attributes.preferred_language, user.is_active
    resource.emails = [Email(value=record.email, type=attributes.email_type, primary=attributes.is_email_primary)]
    group_ids = user.details.group_ids
    resource.groups = [
        GroupMembership(value=one, ref=Reference(f"Groups/{one}"), type="direct") for one in group_ids
    ] or None
    return resource


def _to_criteria(lookup: Lookup) -> ProvisionedUserFilter:
    values = lookup.values
    return ProvisionedUserFilter(
        user_id=values.get("id"),
        user_name=values.get("username"),
        external_id=values.get("externalid"),
        email=values.get("emails.value", values.get("emails")),
    )


def _to_edit(resource: User[Any], current: ProvisionedUser | None) -> ProvisionedUserEdit:
    name, email = resource.name or Name(), _choose_email(resource)
    others = _dump_others(resource)
    attributes = ProvisionedAttributes(
        user_name=(resource.user_name or "").strip(),
        formatted=name.formatted or None,
        given_name=name.given_name or None,
        family_name=name.family_name or None,
        preferred_language=resource.preferred_language or None,
        email_type=email.type or None,
        is_email_primary=email.primary,
        others=msgspec.json.encode(others, order="sorted").decode() if others else None,
    )
    display_name = (resource.display_name or "").strip() or attributes.display_name
    if current and display_name == current.details.name == current.attributes.display_name:
        # The name was composed of its components, and it still is when these change.
        display_name = attributes.display_name
    return ProvisionedUserEdit(
        attributes=attributes,
        email=str(email.value),
        name=display_name,
        is_active=resource.active is not False,
        external_id=resource.external_id or None,
    )


def _dump_others(resource: User[Any]) -> dict[str, Any]:
    """Return the JSON of the attributes that have no column."""
    document: dict[str, Any] = resource.model_dump()
    name = {key: text for key, text in (document.get("name") or {}).items() if key not in _NAME_COLUMNS}
    others = {key: value for key, value in document.items() if key not in _COLUMNS}
    check_attributes(others)
    return others | {"name": name} if name else others


def _choose_email(resource: User[Any]) -> Email:
    """Return the primary address or, without one, the first for work, or the first of all.

    Raises `Invalid` if there is none.
    """
    emails = [one for one in resource.emails or () if one.value]
    primary = [one for one in emails if one.primary]
    for_work = [one for one in emails if (one.type or "").lower() == "work"]
    for one in (*primary, *for_work, *emails):
        return one
    raise Invalid.at("/emails", "value.required", "Send an email address, as emails or as userName.")
