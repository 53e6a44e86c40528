"""Groups as SCIM resources."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from scim2_models import Reference

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.provisioning import groups as provisioned
from formwright.domain.provisioning.models import ProvisionedGroupFilter
from formwright.domain.trash import deleted_people
from formwright.domain.users import groups
from formwright.domain.users import service as users
from formwright.domain.users.models import Group as GroupRecord
from formwright.domain.users.models import GroupEdit
from formwright.scim.filters import Lookup
from formwright.scim.members import MemberChange
from formwright.scim.schemas import Group, Member
from formwright.scim.users import to_meta

MAX_TEXT = 200


@dataclass(slots=True)
class Groups:
    """The groups of the actor's account, in a transaction. Reading needs no transaction that can write."""

    tx: WriteTransaction
    actor: Actor
    change: MemberChange | None = None
    """The members after the request, which the library does not see."""
    loaded: dict[str, GroupRecord] = field(default_factory=dict)
    lookups = frozenset({"id", "externalid", "members", "members.value"})
    """The attributes that the database can look up."""

    async def load(self, group_id: str) -> GroupRecord:
        """Return a group, which is read once; raises `GroupNotFound`."""
        if group_id not in self.loaded:
            self.loaded[group_id] = await groups.get(self.tx, self.actor, group_id=group_id)
        return self.loaded[group_id]

    async def get(self, group_id: str) -> Group:
        """Return a group, without its members if the request changes it; raises `GroupNotFound`."""
        group = await self.load(group_id)
        return to_resource(replace(group, member_ids=()) if self.change else group)

    async def list_unknown(self, user_ids: Sequence[str]) -> list[str]:
        """Return those of the ids that belong neither to a user nor to a deleted one."""
        known = await users.find_many(self.tx, self.actor, user_ids)
        return [
            one
            for one in user_ids
            if one not in known and not await deleted_people.is_deleted_user(self.tx, self.actor, user_id=one)
        ]

    async def create(self, resource: Group) -> Group:
        """Create a group without roles. Raises the errors of `groups.create`."""
        return to_resource(await groups.create(self.tx, self.actor, _to_edit(resource, self.change)))

    async def update(self, resource: Group) -> Group:
        """Change a group to the state of the resource; its roles stay. Raises the errors of `groups.edit`."""
        return to_resource(
            await groups.edit(self.tx, self.actor, _to_edit(resource, self.change), group_id=resource.id or "")
        )

    async def delete(self, group_id: str) -> None:
        """Move a group to the trash. Raises `GroupNotFound` or `LastOwner`."""
        await deleted_people.delete_group(self.tx, self.actor, group_id=group_id)

    async def count(self, lookup: Lookup) -> int:
        """Return how many groups have the values of the lookup."""
        return await provisioned.count(self.tx, self.actor, _to_criteria(lookup))

    async def page(self, lookup: Lookup, offset: int, limit: int) -> list[Group]:
        """Return some of the groups that have the values of the lookup, the oldest first."""
        found = await provisioned.page(self.tx, self.actor, _to_criteria(lookup), offset=offset, limit=limit)
        return [to_resource(group) for group in found]


def to_resource(group: GroupRecord) -> Group:
    """Return a group as identity providers see it."""
    return Group(
        id=group.id,
        external_id=group.external_id,
        meta=to_meta("Group", group.created, group.updated, str(group.revision)),
        display_name=group.name,
        members=[Member(value=one, ref=Reference(f"Users/{one}"), type="User") for one in group.member_ids] or None,
    )


def _to_criteria(lookup: Lookup) -> ProvisionedGroupFilter:
    values = lookup.values
    member_id = values.get("members.value", values.get("members"))
    return ProvisionedGroupFilter(values.get("id"), values.get("externalid"), member_id, lookup.name_part)


def _to_edit(resource: Group, change: MemberChange | None) -> GroupEdit:
    name = (resource.display_name or "").strip()
    texts = {"displayName": name, "externalId": resource.external_id}
    faults = [
        ValidationFault(f"/{key}", "value.too_long", f"Use 1 to {MAX_TEXT} characters on one line.")
        for key, text in texts.items()
        if (text or key == "displayName") and not (text and len(text) <= MAX_TEXT and text.isprintable())
    ]
    if faults:
        raise Invalid(faults)
    member_ids = list(change.ids) if change and change.is_changed else None
    return GroupEdit(name=name, member_ids=member_ids, external_id=resource.external_id or None)
