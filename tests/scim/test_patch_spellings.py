"""The spellings of PATCH that the documentation of Microsoft Entra ID and Okta shows, and those of the standard.

Entra ID: "Develop and plan provisioning for a SCIM endpoint", "Known issues with SCIM 2.0 protocol compliance" with and
without the flag aadOptscim062020, and "Customize application attributes". Okta: "SCIM 2.0 Protocol Reference".
"""

from typing import Any

import pytest
from factories.requests import get
from fixtures.scim import GROUP, USER, ScimClient

from formwright.domain.trash import deleted_people

ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
WORK_EMAIL = 'emails[type eq "work"].value'
NEW = "new@acme.example"


def op(name: str, path: str | None = None, **value: Any) -> dict[str, Any]:
    """Return an operation; `value` is left out if it isn't given."""
    return {"op": name, **({"path": path} if path else {}), **value}


OF_USERS: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "Entra: disable": ([op("Replace", "active", value="False")], {"active": False}),
    "Entra: disable, in its tutorial": ([op("Replace", "active", value=False)], {"active": False}),
    "Entra with the flag: disable": ([op("replace", "active", value=False)], {"active": False}),
    "Entra: enable": ([op("Replace", "active", value="True")], {"active": True}),
    "Entra: add a text": ([op("Add", "nickName", value="Babs")], {"nickName": "Babs"}),
    "Entra with the flag: add a text": ([op("add", "nickName", value="Babs")], {"nickName": "Babs"}),
    "Entra: several attributes": (
        [
            op("Replace", "displayName", value="Pvlo"),
            op("Replace", WORK_EMAIL, value=NEW),
            op("Replace", "name.givenName", value="Gtfd"),
            op("Replace", "name.familyName", value="Pkqf"),
            op("Replace", "externalId", value="Eqpj"),
            op("Replace", f"{ENTERPRISE}:employeeNumber", value="Eqpj"),
        ],
        {
            "displayName": "Pvlo",
            "emails": [{"value": NEW, "type": "work", "primary": True}],
            "name": {"givenName": "Gtfd", "familyName": "Pkqf"},
            "externalId": "Eqpj",
            ENTERPRISE: {"employeeNumber": "Eqpj", "department": "Engines"},
        },
    ),
    "Entra with the flag: several attributes": (
        [
            op("replace", WORK_EMAIL, value=NEW),
            op(
                "replace",
                value={
                    "displayName": "Bjfe",
                    "name.givenName": "Kkom",
                    "name.familyName": "Unua",
                    f"{ENTERPRISE}:employeeNumber": "Aklq",
                },
            ),
        ],
        {
            "displayName": "Bjfe",
            "emails": [{"value": NEW, "type": "work", "primary": True}],
            "name": {"givenName": "Kkom", "familyName": "Unua"},
            ENTERPRISE: {"employeeNumber": "Aklq", "department": "Engines"},
        },
    ),
    "Entra: the user name": ([op("Replace", "userName", value="upn@acme.example")], {"userName": "upn@acme.example"}),
    "Entra: Value in capital": (
        [op("Replace", 'emails[type eq "work"].Value', value=NEW)],
        {"emails": [{"value": NEW, "type": "work", "primary": True}]},
    ),
    "Entra: a number that was not there": (
        [op("Add", 'phoneNumbers[type eq "mobile"].value', value="+49 40 1")],
        {"phoneNumbers": [{"value": "+49 40 1", "type": "mobile"}]},
    ),
    "Entra: a part of an address": (
        [op("Add", 'addresses[type eq "work"].streetAddress', value="Way 1")],
        {"addresses": [{"streetAddress": "Way 1", "type": "work"}]},
    ),
    "Entra: the manager as a text": (
        [op("Add", f"{ENTERPRISE}:manager", value="usr_x")],
        {ENTERPRISE: {"department": "Engines", "manager": {"value": "usr_x"}}},
    ),
    "Entra: no manager": (
        [op("Add", f"{ENTERPRISE}:manager", value="usr_x"), op("Remove", f"{ENTERPRISE}:manager")],
        {ENTERPRISE: {"department": "Engines"}},
    ),
    "Entra: remove a text": ([op("Remove", f"{ENTERPRISE}:department")], {ENTERPRISE: None}),
    "Entra: the roles of an application": (
        [op("Add", "roles", value=[{"value": '{"id":"06b","value":"25","displayName":"Role"}'}])],
        {"roles": [{"value": '{"id":"06b","value":"25","displayName":"Role"}'}]},
    ),
    "Entra: the primary role": (
        [op("Add", 'roles[primary eq "True"].value', value="Admin")],
        {"roles": [{"value": "Admin", "primary": True}]},
    ),
    "Entra: an unknown extension": (
        [op("Add", "urn:ietf:params:scim:schemas:extension:CustomExtensionName:2.0:User:tag", value="701984")],
        {},
    ),
    "Okta: disable": ([op("replace", value={"active": False})], {"active": False}),
    "Okta: enable": ([op("replace", value={"active": True})], {"active": True}),
    "Okta: a password": ([op("replace", value={"password": "t1meMa$heen"})], {}),
    "the standard: an object without a path": (
        [op("add", value={"title": "Countess", "name": {"givenName": "Ada"}})],
        {"title": "Countess", "name": {"givenName": "Ada"}},
    ),
    "the standard: with the schema": ([op("replace", f"{USER}:title", value="Countess")], {"title": "Countess"}),
    "the standard: the list of addresses": (
        [op("replace", "emails", value=[{"value": NEW, "type": "home"}])],
        {"emails": [{"value": NEW, "type": "home"}]},
    ),
    "another case": ([op("REPLACE", "DISPLAYNAME", value="Ada L")], {"displayName": "Ada L"}),
}


@pytest.mark.parametrize("spelling", OF_USERS)
async def test_spellings_of_users(scim: ScimClient, spelling: str) -> None:
    operations, expected = OF_USERS[spelling]
    user = await scim.add_user("ada", **{ENTERPRISE: {"department": "Engines"}})
    await scim.patch(f"/Users/{user['id']}", *operations)
    found = await scim.call("GET", f"/Users/{user['id']}")
    unchanged = {key: value for key, value in user.items() if key not in ("meta", "schemas")}
    wanted = {key: value for key, value in {**unchanged, **expected}.items() if value is not None}
    assert {key: value for key, value in found.items() if key not in ("meta", "schemas")} == wanted


def members(*names: str, **more: Any) -> list[dict[str, Any]]:
    return [{**more, "value": name} for name in names]


OK, NO_TARGET, INVALID, BAD_PATH = "", "noTarget", "invalidValue", "invalidPath"
ALL, NOBODY, UNKNOWN = "ada bo", "", "usr_01h455vb4pex5vsknk084sn02q"
OF_GROUPS: dict[str, tuple[list[dict[str, Any]], str, str]] = {
    # Ada and Bo are members, Cleo is a user, Dora was deleted. Names stand for ids.
    "Entra: remove": ([op("Remove", "members", value=members("ada", **{"$ref": None}))], "bo", OK),
    "Entra, in its list of issues: remove": ([op("Remove", "members", value=members("ada"))], "bo", OK),
    "Entra with the flag: remove": ([op("remove", 'members[value eq "ada"]')], "bo", OK),
    "Entra: remove several": ([op("Remove", "members", value=members("ada", "bo", **{"$ref": None}))], NOBODY, OK),
    "Entra: add": ([op("Add", "members", value=members("cleo", **{"$ref": None}))], "ada bo cleo", OK),
    "Entra: add a member": ([op("Add", "members", value=members("bo", **{"$ref": None}))], ALL, OK),
    "Entra: rename": ([op("Replace", "displayName", value="Renamed")], ALL, OK),
    "Okta: remove and add": (
        [op("remove", 'members[value eq "ada"]'), op("add", "members", value=members("cleo", display="c@a.example"))],
        "bo cleo",
        OK,
    ),
    "Okta: replace": ([op("replace", "members", value=members("cleo", "ada", display="c@a.example"))], "ada cleo", OK),
    "Okta: rename": ([op("replace", value={"id": "GROUP", "displayName": "Renamed"})], ALL, OK),
    "the standard: remove all": ([op("remove", "members")], NOBODY, OK),
    "the standard: remove with the schema": ([op("remove", f'{GROUP}:members[value eq "ada"]')], "bo", OK),
    "the standard: replace all without a path": ([op("replace", value={"members": members("cleo")})], "cleo", OK),
    "the standard: add without a path": ([op("add", value={"members": members("cleo")})], "ada bo cleo", OK),
    "with all that is known": (
        [op("remove", "members", value=members("ada", display="Ada", type="User", **{"$ref": "../Users/ada"}))],
        "bo",
        OK,
    ),
    "with a wrong name": ([op("remove", "members", value=members("ada", display="Somebody else"))], "bo", OK),
    "as an object": ([op("remove", "members", value={"value": "ada"})], "bo", OK),
    "as a text": ([op("remove", "members", value="ada")], "bo", OK),
    "as texts": ([op("Remove", "members", value=["ada", "bo"])], NOBODY, OK),
    "add texts": ([op("Add", "members", value=["cleo"])], "ada bo cleo", OK),
    "in other case": ([op("REMOVE", "Members", Value=[{"VALUE": "ada"}])], "bo", OK),
    "by a filter with or": ([op("remove", 'members[value eq "ada" or value eq "bo"]')], NOBODY, OK),
    "by a filter with a value": ([op("remove", 'members[value eq "ada"]', value=members("ada"))], "bo", OK),
    "by the value of a filter": ([op("remove", 'members[value eq "ada"].value')], "bo", OK),
    "add by a filter": ([op("add", 'members[value eq "cleo"]', value={"display": "Cleo"})], "ada bo cleo", OK),
    "with the schema without a path": ([op("replace", value={GROUP: {"members": members("cleo")}})], "cleo", OK),
    "with a rename": (
        [op("replace", value={"displayName": "Renamed", "members": members("cleo")}), op("remove", "externalId")],
        "cleo",
        OK,
    ),
    "in order": (
        [op("remove", "members"), op("add", "members", value=members("cleo")), op("add", "members", value=["ada"])],
        "ada cleo",
        OK,
    ),
    "twice": (
        [op("add", "members", value=members("cleo", "cleo")), op("add", "members", value=["cleo"])],
        "ada bo cleo",
        OK,
    ),
    "add nobody": ([op("add", "members", value=[])], ALL, OK),
    "remove nobody": ([op("remove", "members", value=[])], ALL, OK),
    "replace by nobody": ([op("replace", "members", value=[])], NOBODY, OK),
    # Removals are repeated, and arrive after a user has been deleted.
    "remove a user who is no member": ([op("Remove", "members", value=members("cleo"))], ALL, OK),
    "remove them by a filter": ([op("remove", 'members[value eq "cleo"]')], ALL, OK),
    "remove a deleted user": ([op("Remove", "members", value=members("dora", **{"$ref": None}))], ALL, OK),
    "remove somebody twice": (
        [op("remove", "members", value=["ada"]), op("remove", "members", value=["ada"])],
        "bo",
        OK,
    ),
    # Whoever means somebody is told if nobody was found.
    "remove an unknown user": ([op("Remove", "members", value=members(UNKNOWN, **{"$ref": None}))], ALL, NO_TARGET),
    "remove an unknown user by a filter": ([op("remove", f'members[value eq "{UNKNOWN}"]')], ALL, NO_TARGET),
    "remove a member and an unknown user": ([op("Remove", "members", value=members("ada", "x"))], ALL, NO_TARGET),
    "remove an address": ([op("Remove", "members", value=members("ada@acme.example"))], ALL, NO_TARGET),
    "remove without a value": ([op("Remove", "members", value=[{"$ref": None}])], ALL, INVALID),
    "remove an empty text": ([op("Remove", "members", value="")], ALL, INVALID),
    "remove an empty object": ([op("Remove", "members", value=[{}])], ALL, INVALID),
    "remove null": ([op("Remove", "members", value=[None])], ALL, INVALID),
    "remove a number": ([op("Remove", "members", value=[7])], ALL, INVALID),
    "remove a group": ([op("Remove", "members", value=members("ada", type="Group"))], ALL, INVALID),
    "add an unknown user": ([op("Add", "members", value=members(UNKNOWN))], ALL, INVALID),
    "add without a value": ([op("Add", "members")], ALL, INVALID),
    "by a name": ([op("remove", 'members[display eq "ada"]')], ALL, BAD_PATH),
    "by all but one": ([op("remove", 'members[value ne "ada"]')], ALL, BAD_PATH),
    "by a negation": ([op("remove", 'members[not (value eq "ada")]')], ALL, BAD_PATH),
    "by a broken filter": ([op("remove", "members[value eq")], ALL, BAD_PATH),
    "without a path": ([op("remove", value={"members": members("ada")})], ALL, NO_TARGET),
    "an unknown operation": ([op("delete", "members", value=members("ada"))], ALL, INVALID),
}


def fill_in(value: Any, ids: dict[str, str]) -> Any:
    """Return the operations with ids instead of names."""
    if isinstance(value, dict):
        return {key: fill_in(inner, ids) for key, inner in value.items()}
    if isinstance(value, list):
        return [fill_in(inner, ids) for inner in value]
    if isinstance(value, str):
        return ids.get(value) or next(
            (value.replace(f'"{name}"', f'"{one}"') for name, one in ids.items() if f'"{name}"' in value), value
        )
    return value


@pytest.mark.parametrize("spelling", OF_GROUPS)
async def test_spellings_of_groups(scim: ScimClient, spelling: str) -> None:
    operations, names, error = OF_GROUPS[spelling]
    account = scim.account
    people = {name: await scim.add_user(name) for name in ("ada", "bo", "cleo", "dora")}
    group = await scim.add_group("Crew", people["ada"], people["bo"], externalId="g-1")
    async with account.ctx.db.writing() as tx:
        await deleted_people.delete_user(tx, account.actor, user_id=people["dora"]["id"])
    ids = {name: one["id"] for name, one in people.items()} | {"GROUP": group["id"]}
    operations = [{**fill_in(one, ids), "op": one["op"]} for one in operations]
    if "or value" in str(operations):
        operations[0]["path"] = f'members[value eq "{ids["ada"]}" or value eq "{ids["bo"]}"]'
    before = await scim.events()
    answer = await scim.patch(f"/Groups/{group['id']}", *operations, status=400 if error else 204)
    assert answer.get("scimType", "") == error, answer
    shown = await get(account, f"/customers/{account.id}/groups/{group['id']}")
    assert set(shown["members"]) == {ids[name] for name in names.split()}
    assert shown["name"] == ("Renamed" if "ename" in spelling else "Crew")
    if names == ALL and shown["name"] == "Crew":
        assert await scim.events() == before, "what changes nothing raises no event"
