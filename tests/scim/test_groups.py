"""Groups over SCIM: members, names and external ids, with the spellings of Microsoft Entra ID."""

import pytest
from factories.requests import get
from fixtures.scim import GROUP, ScimClient

from formwright.core.auth.actor import ResourceType
from formwright.domain.users import groups, management
from formwright.domain.users.models import Grant, GroupEdit, NewUser


async def test_a_group_lives_and_a_repeated_change_is_none(scim: ScimClient) -> None:
    account = scim.account
    ada, bo, cleo = [await scim.add_user(name) for name in ("ada", "bo", "cleo")]
    group = await scim.add_group("Crew 😀", ada, externalId="g-1")
    path = f"/Groups/{group['id']}"
    assert [(one["value"], one["type"]) for one in group["members"]] == [(ada["id"], "User")]
    assert group["members"][0]["$ref"] == ada["meta"]["location"]
    assert await scim.events() == ["user.created"] * 3 + ["user.updated", "group.created"]

    async def members() -> set[str]:
        found = (await scim.call("GET", path)).get("members", [])
        shown = await get(account, f"/customers/{account.id}/groups/{group['id']}")
        assert {one["value"] for one in found} == set(shown["members"])
        return set(shown["members"])

    await scim.patch(path, {"op": "Add", "path": "members", "value": [{"value": bo["id"]}, {"value": ada["id"]}]})
    assert await members() == {ada["id"], bo["id"]}
    before = await scim.events()
    await scim.patch(path, {"op": "Add", "path": "members", "value": [{"value": bo["id"], "display": "Bo"}]})
    await scim.patch(path, {"op": "Remove", "path": f'members[value eq "{cleo["id"]}"]'})
    await scim.patch(path, {"op": "Replace", "value": {"id": group["id"], "displayName": "Crew 😀"}})
    assert await scim.events() == before, "nothing changed"
    await scim.patch(path, {"op": "Remove", "path": f'members[value eq "{ada["id"]}"]'})
    assert await members() == {bo["id"]}
    await scim.patch(path, {"op": "Remove", "path": "members", "value": [{"value": bo["id"]}]})
    assert await members() == set()
    await scim.patch(path, {"op": "replace", "path": "members", "value": [{"value": cleo["id"]}]})
    assert [one["value"] for one in (await scim.call("GET", f"/Users/{cleo['id']}"))["groups"]] == [group["id"]]
    await scim.patch(path, {"op": "Remove", "path": "members"})
    assert await members() == set()

    await scim.patch(path, {"op": "Replace", "path": "displayName", "value": "Renamed"})
    await scim.call("PUT", path, {"schemas": [GROUP], "displayName": "Renamed", "externalId": "g-2"})
    shown = await get(account, f"/customers/{account.id}/groups/{group['id']}")
    assert (shown["name"], shown["externalId"]) == ("Renamed", "g-2")
    for text in ('displayName eq "rENAMED"', 'externalId eq "g-2"', f'id eq "{group["id"]}"', 'displayName ew "med"'):
        assert (await scim.call("GET", f"/Groups?filter={text}"))["totalResults"] == 1, text
    assert (await scim.call("GET", '/Groups?filter=displayName eq "Ren"'))["totalResults"] == 0
    await scim.call("DELETE", path, status=204)
    await scim.call("GET", path, status=404)
    entries = (await get(account, f"/customers/{account.id}/audit?resourceId={group['id']}"))["items"]
    assert {entry["actor"]["name"] for entry in entries} == {"Entra (provisioning)"}


@pytest.mark.slow
async def test_a_thousand_members(scim: ScimClient) -> None:
    account, ids = scim.account, []
    async with account.ctx.db.writing() as tx:
        for number in range(1001):
            user = await management.invite(
                tx, account.actor, NewUser(f"m{number}.{account.id}@a.example", f"M{number}")
            )
            ids.append(user.id)
    new_group = await scim.add_group("Everybody", *({"id": user_id} for user_id in ids[:999]))
    path = f"/Groups/{new_group['id']}"
    await scim.patch(path, {"op": "add", "path": "members", "value": [{"value": ids[999]}]})
    one = (await scim.call("GET", f'/Groups?filter=members.value eq "{ids[999]}"&excludedAttributes=members'))[
        "Resources"
    ]
    assert [(group["id"], "members" in group) for group in one] == [(new_group["id"], False)]
    error = await scim.patch(path, {"op": "add", "path": "members", "value": [{"value": ids[1000]}]}, status=400)
    assert "1000 members" in error["detail"]
    assert len((await scim.call("GET", path))["members"]) == 1000
    await scim.patch(path, {"op": "remove", "path": f'members[value eq "{ids[0]}"]'})
    assert len((await scim.call("GET", path))["members"]) == 999


async def test_bad_groups_are_refused(scim: ScimClient) -> None:
    ada = await scim.add_user("ada")
    group, other = await scim.add_group("One", ada, externalId="g-1"), await scim.add_group("Two")
    path, before = f"/Groups/{other['id']}", await scim.events()
    for body, status in (
        ({}, 400),
        ({"displayName": " "}, 400),
        ({"displayName": "x" * 201}, 400),
        ({"displayName": "a\u0000b"}, 400),
        ({"displayName": "Three", "members": [{"value": "usr_none"}]}, 400),
        ({"displayName": "Three", "members": [{"value": group["id"], "type": "Group"}]}, 400),
        ({"displayName": "Three", "members": [{}]}, 400),
        ({"displayName": "Three", "members": "usr_x"}, 400),
        ({"displayName": "One"}, 409),
        ({"displayName": "Three", "externalId": "g-1"}, 409),
    ):
        body = {"schemas": [GROUP], **body}
        await scim.call("POST", "/Groups", body, status)
        await scim.call("PUT", path, body, status)
    assert await scim.events() == before
    assert await scim.call("GET", path) == other


async def test_roles_of_a_group_stay_and_the_last_owner_stays_in_it(scim: ScimClient) -> None:
    account = scim.account
    [mine] = (await get(account, f"/customers/{account.id}/users/{account.owner.id}"))["grants"]
    group = await scim.add_group("Owners", {"id": account.owner.id})
    path = f"/Groups/{group['id']}"
    ownership = Grant(mine["roleId"], ResourceType.ACCOUNT, account.id)
    async with account.ctx.db.writing() as tx:
        await groups.edit(tx, account.actor, GroupEdit(add_grants=[ownership]), group_id=group["id"])
        await management.remove_grant(tx, account.actor, ownership, user_id=account.owner.id)
    await scim.patch(path, {"op": "remove", "path": "members"}, status=403)
    await scim.call("DELETE", path, status=403)
    await scim.call("PUT", path, {**group, "displayName": "Bosses"})
    shown = await get(account, f"/customers/{account.id}/groups/{group['id']}")
    assert (shown["name"], len(shown["grants"]), shown["members"]) == ("Bosses", 1, [account.owner.id])
