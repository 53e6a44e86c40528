"""Groups and roles, and explanations of access."""

from typing import Any

import pytest
from actors import Account
from factories.bodies import pointers
from factories.forms import form
from factories.requests import PREFIX, get, post
from factories.users import built_in, grants, group, role, user


def path(account: Account, rest: str = "groups") -> str:
    return f"/customers/{account.id}/{rest}"


async def put(account: Account, rest: str, **body: Any) -> Any:
    response = await account.api.put(PREFIX + path(account, rest), json=body)
    return response.json() | {"http": response.status_code}


async def test_groups_and_members_refer_to_each_other(account: Account) -> None:
    mate, other = await user(account), await user(account)
    new_group = await group(account, mate.id)
    assert (await get(account, path(account, f"users/{mate.id}")))["groups"] == [new_group["id"]]
    changed = await put(account, f"groups/{new_group['id']}", members=[other.id])
    assert (changed["members"], changed["name"], changed["revision"]) == ([other.id], new_group["name"], 2)
    left, joined = [await get(account, path(account, f"users/{one.id}")) for one in (mate, other)]
    assert (left["groups"], left["revision"]) == ([], 3)
    assert (joined["groups"], joined["revision"]) == ([new_group["id"]], 2)
    events = (await get(account, f"/webhooks/customer/{account.id}/events", type=["user.updated", "group.updated"]))[
        "items"
    ]
    last = [(event["type"], event["data"]) for event in events[-3:]]
    assert sorted(last, key=str) == sorted(
        [
            ("user.updated", left),
            ("user.updated", joined),
            ("group.updated", {k: v for k, v in changed.items() if k != "http"}),
        ],
        key=str,
    )


async def test_group_names_are_unique(account: Account) -> None:
    one, two = await group(account, name="Ops"), await group(account)
    response = await account.api.post(PREFIX + path(account), json={"name": "Ops"})
    assert (response.status_code, response.json()["code"]) == (409, "group.name_taken")
    assert (await put(account, f"groups/{two['id']}", name="Ops"))["code"] == "group.name_taken"
    assert (await put(account, f"groups/{one['id']}", name="Ops", members=[]))["revision"] == 1
    assert [g["name"] for g in (await get(account, path(account)))["items"]] == ["Ops", two["name"]]


async def test_errors_of_a_group_have_pointers(account: Account, stranger: Account) -> None:
    mate = await user(account)
    body = {
        "name": "Ops",
        "members": [mate.id, stranger.owner.id, mate.id],
        "grants": grants("rol_01h455vb4pex5vsknk084sn02q", form="frm_01h455vb4pex5vsknk084sn02q"),
    }
    response = await account.api.post(PREFIX + path(account), json=body)
    assert pointers(response.json()) == ["/members/1", "/members/2", "/grants/0/roleId", "/grants/0/resource/id"]


async def test_every_account_has_the_unchangeable_built_in_roles(account: Account) -> None:
    roles = (await get(account, path(account, "roles")))["items"]
    assert {r["name"] for r in roles} == {"Owner", "Administrator", "Form manager", "Data viewer", "Filler"}
    owner, admin = ({r["name"]: r["permissions"] for r in roles}[name] for name in ("Owner", "Administrator"))
    assert set(owner) - set(admin) == {"customer:edit"}
    for body in ({"name": "Boss"}, {"permissions": ["forms:read"]}):
        assert (await put(account, f"roles/{roles[0]['id']}", **body))["code"] == "role.built_in"


async def test_a_custom_role_has_its_permissions(account: Account) -> None:
    new_role = await role(account, "submissions:read", "forms:read", "forms:read", name="Reader")
    assert (new_role["permissions"], new_role["builtIn"]) == (["forms:read", "submissions:read"], False)
    changed = await put(account, f"roles/{new_role['id']}", permissions=["forms:read"])
    assert (changed["permissions"], changed["name"], changed["revision"]) == (["forms:read"], "Reader", 2)
    response = await account.api.post(
        PREFIX + path(account, "roles"), json={"name": "Owner", "permissions": ["forms:read"]}
    )
    assert response.json()["code"] == "role.name_taken"


@pytest.mark.parametrize("permissions", [[], ["forms:fly"], "forms:read", ["forms:read", None]])
async def test_a_role_with_unknown_permissions_is_rejected(account: Account, permissions: Any) -> None:
    response = await account.api.post(PREFIX + path(account, "roles"), json={"name": "Odd", "permissions": permissions})
    assert response.status_code == 422
    assert pointers(response.json())[0].startswith("/permissions")


async def access(account: Account, user_id: str, **query: str) -> tuple[bool, list[tuple[str, str, str | None]]]:
    """Return whether the user has access, and for each reason the role, the type of resource and the group."""
    access = await get(account, path(account, f"users/{user_id}/access"), **query)
    found = [(r["role"]["name"], r["resource"]["type"], (r["group"] or {}).get("name")) for r in access["reasons"]]
    return access["allowed"], found


async def test_access_is_explained_with_role_resource_and_group(account: Account) -> None:
    folders = f"/forms/customer/{account.id}/folders"
    north = await post(account, folders, {"name": "North"})
    sites = await post(account, folders, {"name": "Sites", "parentId": north["id"]})
    inside, outside = await form(account, folderId=sites["id"]), await form(account)
    editor, viewer = (
        await role(account, "forms:edit", "people:read", name="Editor"),
        await built_in(account, "Data viewer"),
    )
    mate = await user(account)
    team = await group(account, mate.id, name="Ops", grants=grants(editor["id"], folder=north["id"]))
    await put(account, f"users/{mate.id}", grants=grants(viewer, form=outside["id"]))

    assert await access(account, mate.id, permission="forms:edit", formId=inside["id"]) == (
        True,
        [("Editor", "folder", "Ops")],
    )
    assert await access(account, mate.id, permission="forms:edit", folderId=sites["id"]) == (
        True,
        [("Editor", "folder", "Ops")],
    )
    assert await access(account, mate.id, permission="forms:edit", formId=outside["id"]) == (False, [])
    assert await access(account, mate.id, permission="forms:edit") == (False, [])
    assert await access(account, mate.id, permission="people:read") == (True, [("Editor", "folder", "Ops")])
    assert await access(account, mate.id, permission="submissions:read", formId=outside["id"]) == (
        True,
        [("Data viewer", "form", None)],
    )
    assert await access(account, account.owner.id, permission="keys:manage") == (True, [("Owner", "account", None)])

    whole = await get(account, path(account, f"users/{mate.id}/access"), formId=inside["id"])
    by_role = {reason["role"]["name"]: reason["permissions"] for reason in whole["reasons"]}
    assert by_role == {"Editor": ["forms:edit", "people:read"], "Data viewer": ["customer:read"]}
    await put(account, f"users/{mate.id}", status="DISABLED")
    assert await access(account, mate.id, permission="forms:edit", formId=inside["id"]) == (
        False,
        [("Editor", "folder", "Ops")],
    )
    assert (await get(account, path(account), userId=mate.id))["items"][0]["id"] == team["id"]


async def test_access_is_queried_for_one_resource_at_a_time(account: Account) -> None:
    new_form = await form(account)
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    address = PREFIX + path(account, f"users/{account.owner.id}/access")
    response = await account.api.get(address, params={"formId": new_form["id"], "folderId": folder["id"]})
    assert (response.status_code, pointers(response.json())) == (400, ["?folderId"])
    response = await account.api.get(address, params={"permission": "forms:fly"})
    assert (response.status_code, pointers(response.json())) == (400, ["?permission"])
