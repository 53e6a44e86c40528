"""Users, kept in sync with another system."""

import asyncio
from typing import Any

import pytest
from actors import Account
from factories.bodies import pointers
from factories.forms import form
from factories.requests import PREFIX, get, post
from factories.users import built_in, grants, group, role, user

from formwright.domain.users import service as people
from formwright.domain.users.auth import sessions
from formwright.domain.users.models import PasswordCredentials


def path(account: Account, user_id: str = "") -> str:
    return f"/customers/{account.id}/users" + (f"/{user_id}" if user_id else "")


async def put(account: Account, user_id: str, **body: Any) -> Any:
    response = await account.api.put(PREFIX + path(account, user_id), json=body)
    return response.json() | {"http": response.status_code}


async def list_user_events(account: Account) -> list[tuple[str, dict[str, Any]]]:
    """Return the events about users."""
    listed = (await get(account, f"/webhooks/customer/{account.id}/events", limit=1000))["items"]
    return [(e["type"], e["data"]) for e in listed if e["type"].partition(".")[0] in ("user", "group", "role")][1:]


async def test_a_new_user_is_invited_with_groups_and_grants(account: Account) -> None:
    team, reader = await group(account), await role(account)
    body = {"email": " Ann@Example.org", "name": "Ann 🌳", "language": "de", "groups": [team["id"]]}
    created = await post(account, path(account), body | {"grants": grants(reader["id"], account=account.id)})
    assert (created["email"], created["name"], created["language"]) == ("ann@example.org", "Ann 🌳", "de")
    assert (created["status"], created["groups"]) == ("INVITED", [team["id"]])
    assert created["grants"] == grants(reader["id"], account=account.id)
    assert await get(account, path(account, created["id"])) == created
    joined = await get(account, f"/customers/{account.id}/groups/{team['id']}")
    assert (joined["members"], joined["revision"]) == ([created["id"]], 2)
    assert (await list_user_events(account))[-2:] == [("group.updated", joined), ("user.created", created)]


async def test_an_update_keeps_omitted_properties(account: Account) -> None:
    team, reader = await group(account), await role(account)
    body = {"email": "ann@example.org", "name": "Ann", "groups": [team["id"]]}
    created = await post(account, path(account), body | {"grants": grants(reader["id"], account=account.id)})
    changed = await put(account, created["id"], name="Anna")
    assert changed == created | {"http": 200, "name": "Anna", "updated": changed["updated"], "revision": 2}
    emptied = await put(account, created["id"], groups=[], grants=[])
    assert (emptied["groups"], emptied["grants"], emptied["revision"]) == ([], [], 3)
    assert (await get(account, f"/customers/{account.id}/groups/{team['id']}"))["members"] == []


async def test_an_update_without_changes_records_no_event(account: Account) -> None:
    created = await post(account, path(account), {"email": "ann@example.org", "name": "Ann"})
    before = await list_user_events(account)
    assert (
        await put(account, created["id"], **{k: created[k] for k in ("email", "name", "status", "groups", "grants")})
    )["revision"] == 1
    assert await list_user_events(account) == before


async def test_disabling_a_user_ends_their_sessions(account: Account) -> None:
    mate = await user(account)
    async with account.ctx.db.writing() as tx:
        token = await sessions.create(tx, PasswordCredentials(account.id, mate.id, "-"))
    assert (await put(account, mate.id, status="DISABLED"))["status"] == "DISABLED"
    async with account.ctx.db.reading() as tx:
        assert await sessions.find(tx, token, account.ctx.clock.now()) is None
        assert await people.find_credentials(tx, mate.email) == []
    assert (await put(account, mate.id, status="ACTIVE"))["status"] == "ACTIVE"
    async with account.ctx.db.reading() as tx:
        assert await sessions.find(tx, token, account.ctx.clock.now()) is None
    assert [type_ for type_, _ in await list_user_events(account)] == ["user.created", "user.disabled", "user.enabled"]


async def test_enabling_a_user_without_password_invites_them_again(account: Account) -> None:
    created = await post(account, path(account), {"email": "ann@example.org", "name": "Ann", "status": "DISABLED"})
    assert created["status"] == "DISABLED"
    assert (await put(account, created["id"], status="ACTIVE"))["status"] == "INVITED"
    refused = await put(account, created["id"], status="ACTIVE")
    assert (refused["http"], refused["errors"][0]["pointer"]) == (422, "/status")
    assert (await put(account, (await user(account)).id, status="INVITED"))["errors"][0]["code"] == "user.status"


async def test_a_user_with_password_cannot_become_invited(account: Account) -> None:
    mate = await user(account)
    await put(account, mate.id, status="DISABLED")
    refused = await put(account, mate.id, status="INVITED")
    assert (refused["http"], [fault["code"] for fault in refused["errors"]]) == (422, ["user.status"])
    assert (await get(account, path(account, mate.id)))["status"] == "DISABLED"


async def test_a_new_email_address_is_used_to_sign_in(account: Account) -> None:
    mate = await user(account)
    new = mate.email.replace("@", ".new@")
    assert (await put(account, mate.id, email=new.upper()))["email"] == new
    async with account.ctx.db.reading() as tx:
        assert await people.find_credentials(tx, mate.email) == []
        assert [who.user_id for who in await people.find_credentials(tx, new)] == [mate.id]


async def test_email_addresses_are_unique(account: Account, stranger: Account) -> None:
    mate, other = await user(account), await user(account)
    assert (await put(account, other.id, email=mate.email))["code"] == "user.email_taken"
    response = await account.api.post(PREFIX + path(account), json={"email": mate.email.upper(), "name": "Two"})
    assert (response.status_code, response.json()["code"]) == (409, "user.email_taken")
    await post(stranger, path(stranger), {"email": mate.email, "name": "In another account"})


@pytest.mark.parametrize(
    "email",
    [
        *("", "ann", "ann@", "@example.org", "ann@example", "a b@example.org", "a@b.c\nx", "a@@b.c"),
        *("(ann)@example.org", "ann..b@example.org", "ann.@example.org", "ann@-example.org"),
    ],
)
async def test_invalid_email_addresses_are_rejected(account: Account, email: str) -> None:
    response = await account.api.post(PREFIX + path(account), json={"email": email, "name": "Ann"})
    assert (response.status_code, pointers(response.json())) == (422, ["/email"])
    moved = await put(account, (await user(account)).id, email=email)
    assert (moved["http"], pointers(moved)) == (422, ["/email"])


async def test_every_error_has_a_pointer(account: Account, stranger: Account) -> None:
    keys, new_form = await role(account, "keys:manage"), await form(account)
    foreign = await role(stranger)
    given = [
        *grants(keys["id"], form=new_form["id"]),
        *grants(foreign["id"], account=account.id),
        *grants(keys["id"], account=stranger.id),
        *grants(keys["id"], account=account.id),
        *grants(keys["id"], account=account.id),
    ]
    body = {"email": "no", "name": "Ann", "groups": ["grp_01h455vb4pex5vsknk084sn02q"], "grants": given}
    response = await account.api.post(PREFIX + path(account), json=body | {"status": "ACTIVE"})
    assert [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]] == [
        ("/email", "value.format"),
        ("/status", "user.status"),
        ("/groups/0", "group.not_found"),
        ("/grants/0", "grant.without_effect"),
        ("/grants/1/roleId", "role.not_found"),
        ("/grants/2/resource/id", "customer.not_found"),
        ("/grants/4", "value.repeated"),
    ]


async def test_an_unknown_resource_type_is_rejected(account: Account) -> None:
    reader = await role(account)
    given = grants(reader["id"], form=account.id, folder=account.id, account=(await form(account))["id"])
    body = {"email": "ann@example.org", "name": "Ann", "grants": given}
    response = await account.api.post(PREFIX + path(account), json=body)
    assert pointers(response.json()) == [f"/grants/{i}/resource/id" for i in range(3)]


async def test_the_list_can_be_filtered(account: Account) -> None:
    mate, other = await user(account), await user(account)
    team, pair = await group(account, mate.id), await group(account, mate.id, other.id)
    await put(account, other.id, status="DISABLED")

    async def ids(**query: Any) -> list[str]:
        return [one["id"] for one in (await get(account, path(account), **query))["items"]]

    assert await ids(status=["DISABLED", "INVITED"]) == [other.id]
    assert await ids(groupId=team["id"]) == [mate.id]
    assert await ids(groupId=[team["id"], pair["id"]]) == [mate.id, other.id]
    assert await ids(groupId=pair["id"], status="ACTIVE") == [mate.id]
    assert await ids(email=mate.email.upper()) == [mate.id]
    first = await get(account, path(account), limit=2)
    rest = (await account.api.get(first["next"])).json()
    assert [one["id"] for one in [*first["items"], *rest["items"]]] == [account.owner.id, mate.id, other.id]


@pytest.mark.parametrize("body", [{"status": "DISABLED"}, {"grants": []}])
async def test_the_last_owner_cannot_be_removed(account: Account, body: dict[str, Any]) -> None:
    refused = await put(account, account.owner.id, **body)
    assert (refused["http"], refused["code"]) == (409, "user.last_owner")
    other = await user(account)
    given = grants(await built_in(account), account=account.id)
    assert (await put(account, other.id, grants=given, status="DISABLED"))["http"] == 200
    assert (await put(account, account.owner.id, **body))["code"] == "user.last_owner"
    await put(account, other.id, status="ACTIVE")
    assert (await put(account, account.owner.id, **body))["http"] == 200


async def test_two_owners_cannot_remove_each_other_concurrently(account: Account) -> None:
    other = await user(account)
    await put(account, other.id, grants=grants(await built_in(account), account=account.id))
    answers = await asyncio.gather(put(account, other.id, status="DISABLED"), put(account, account.owner.id, grants=[]))
    assert sorted(answer["http"] for answer in answers) == [200, 409]


async def test_ownership_through_a_group_counts(account: Account) -> None:
    other = await user(account)
    owners = await group(account, other.id, grants=grants(await built_in(account), account=account.id))
    assert (await put(account, account.owner.id, status="DISABLED"))["http"] == 200
    address = f"{PREFIX}/customers/{account.id}/groups/{owners['id']}"
    for body in ({"members": []}, {"grants": []}):
        assert (await account.api.put(address, json=body)).json()["code"] == "user.last_owner"
    assert (await put(account, other.id, groups=[]))["code"] == "user.last_owner"
