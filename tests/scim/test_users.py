"""Users over SCIM: creating, changing, disabling and finding them, as identity providers do it."""

from typing import Any

import httpx
import pytest
from actors import Account
from factories.requests import get
from factories.subscribers import subscriber
from fixtures.scim import GROUP, PATCH, ROOT, USER, ScimClient, scim_client

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.domain.provisioning import tokens
from formwright.domain.trash import deleted_people
from formwright.domain.users import management
from formwright.domain.users.auth import sessions
from formwright.domain.users.models import Credentials, NewUser, UserDetails, UserEdit, UserStatus

SEARCH = "urn:ietf:params:scim:api:messages:2.0:SearchRequest"
ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"


async def test_a_user_lives_and_a_repeated_change_is_none(scim: ScimClient) -> None:
    account = scim.account
    new_user = await scim.add_user(
        "ada",
        externalId="e-1",
        name={"givenName": "Ada", "familyName": "Löve 😀"},
        preferredLanguage="de-CH",
        title="Countess",
        nonsense="Ignored",
        **{ENTERPRISE: {"department": "Engines", "manager": "usr_x"}},
    )
    user_id, email = new_user["id"], new_user["userName"]
    assert new_user["emails"] == [{"value": email, "type": "work", "primary": True}]
    assert new_user["meta"]["location"] == f"{account.stage.base_url}{ROOT}/Users/{user_id}"
    user = await get(account, f"/customers/{account.id}/users/{user_id}")
    assert (user["email"], user["name"], user["language"]) == (email, "ada", "de")
    assert (user["status"], user["externalId"]) == ("INVITED", "e-1")

    assert new_user["title"] == "Countess"
    assert new_user[ENTERPRISE] == {"department": "Engines", "manager": {"value": "usr_x"}}

    body = {key: value for key, value in new_user.items() if key not in ("meta", "id")}
    same = await scim.call("PUT", f"/Users/{user_id}", body)
    assert same["meta"] == new_user["meta"], "nothing changed"
    await scim.patch(f"/Users/{user_id}", {"op": "replace", "path": "displayName", "value": "ada"})
    work = {"op": "Add", "path": 'phoneNumbers[type eq "work"].value', "value": "+49 40 1"}
    await scim.patch(f"/Users/{user_id}", work, {"op": "Add", "path": f"{ENTERPRISE}:manager", "value": "usr_y"})
    found = await scim.call("GET", f"/Users/{user_id}")
    assert found[ENTERPRISE]["manager"] == {"value": "usr_y"}, "Entra ID sends a text"
    for value in ({ENTERPRISE: {"manager": "usr_z"}}, {f"{ENTERPRISE}:manager": {"value": "usr_z"}}):
        await scim.patch(f"/Users/{user_id}", {"op": "replace", "value": value})
        assert (await scim.call("GET", f"/Users/{user_id}"))[ENTERPRISE]["manager"] == {"value": "usr_z"}
    await scim.patch(f"/Users/{user_id}", {"op": "remove", "path": f"{ENTERPRISE}:manager"})
    phone = found["phoneNumbers"]
    assert phone == [{"value": "+49 40 1", "type": "work"}], "kept, but no change of the user"
    assert await scim.events() == ["user.created"]

    await scim.patch(f"/Users/{user_id}", {"op": "Replace", "path": "active", "value": "False"})
    await scim.patch(f"/Users/{user_id}", {"op": "Replace", "path": "active", "value": "False"})
    assert (await scim.call("GET", f"/Users/{user_id}"))["active"] is False
    await scim.patch(f"/Users/{user_id}", {"op": "replace", "value": {"active": True, "name.givenName": "Adah"}})
    await scim.call("DELETE", f"/Users/{user_id}", status=204)
    await scim.call("GET", f"/Users/{user_id}", status=404)
    await scim.call("DELETE", f"/Users/{user_id}", status=404)
    assert await scim.events() == ["user.created", "user.disabled", "user.enabled", "user.deleted"]
    entries = (await get(account, f"/customers/{account.id}/audit?resourceId={user_id}"))["items"]
    assert {entry["actor"]["name"] for entry in entries} == {"Entra (provisioning)"}

    async with account.ctx.db.writing() as tx:
        await deleted_people.restore_user(tx, account.actor, user_id=user_id)
    assert (await scim.call("GET", f"/Users/{user_id}"))["name"]["givenName"] == "Adah"


async def test_the_name_follows_its_components_unless_it_was_chosen(scim: ScimClient) -> None:
    body = {"schemas": [USER], "userName": f"bo.{scim.account.id}@acme.example"}
    created = await scim.call("POST", "/Users", {**body, "name": {"givenName": "Bo", "familyName": "Li"}}, 201)
    assert (created["displayName"], created["active"]) == ("Bo Li", True)
    path = f"/Users/{created['id']}"
    await scim.patch(path, {"op": "replace", "path": "name.familyName", "value": "Lo"})
    assert (await scim.call("GET", path))["displayName"] == "Bo Lo"
    await scim.patch(path, {"op": "replace", "path": "displayName", "value": "Bobo"})
    await scim.patch(path, {"op": "replace", "path": "name.familyName", "value": "Le"})
    assert (await scim.call("GET", path))["displayName"] == "Bobo"


async def test_disabling_ends_sessions_and_enabling_does_not_bring_them_back(scim: ScimClient) -> None:
    account, user = scim.account, await scim.add_user("cleo")
    async with account.ctx.db.writing() as tx:
        await management.activate(tx, account.actor, user_id=user["id"])
        token = await sessions.create(tx, Credentials(account.id, user["id"]))

    async def is_signed_in() -> bool:
        async with account.ctx.db.reading() as tx:
            return await sessions.find(tx, token, account.ctx.clock.now()) is not None

    assert await is_signed_in()
    body = {"schemas": [USER], "userName": user["userName"], "active": False}
    await scim.call("PUT", f"/Users/{user['id']}", body)
    assert not await is_signed_in()
    await scim.call("PUT", f"/Users/{user['id']}", {**body, "active": True})
    assert not await is_signed_in()
    # PUT without `active` neither enables nor disables anybody.
    await scim.call("PUT", f"/Users/{user['id']}", body)
    del body["active"]
    assert (await scim.call("PUT", f"/Users/{user['id']}", body))["active"] is False


async def test_users_who_exist_are_found_and_taken_over(scim: ScimClient) -> None:
    account = scim.account
    email = f"dora.{account.id}@acme.example"
    async with account.ctx.db.writing() as tx:
        user = await management.invite(tx, account.actor, NewUser(email, "Dora"))
    [found] = (await scim.call("GET", f'/Users?filter=userName eq "{email.upper()}"'))["Resources"]
    assert (found["id"], found["userName"], found["displayName"]) == (user.id, email, "Dora")
    await scim.call("POST", "/Users", {"schemas": [USER], "userName": email}, 409)
    await scim.patch(f"/Users/{user.id}", {"op": "add", "path": "externalId", "value": "e-9"})
    [found] = (await scim.call("GET", '/Users?filter=externalId eq "e-9"'))["Resources"]
    assert found["id"] == user.id

    # The user name of one person is the address of another.
    named = await scim.add_user("eve", userName="eve@upn.example", emails=[{"value": f"eve.{account.id}@a.example"}])
    async with account.ctx.db.writing() as tx:
        await management.invite(tx, account.actor, NewUser("eve@upn.example", "Other"))
    listed = (await scim.call("GET", '/Users?filter=userName eq "EVE@upn.example"'))["Resources"]
    assert named["id"] in {one["id"] for one in listed}
    taken = await scim.call("POST", "/Users", {"schemas": [USER], "userName": "eve@upn.example"}, 409)
    assert taken["scimType"] == "uniqueness"


async def test_filters_and_pages(scim: ScimClient) -> None:
    names = [f"user{number}" for number in range(5)]
    users = [await scim.add_user(name, externalId=f"x-{name}") for name in names]
    first, last = users[0], users[-1]
    for text, expected in {
        f'id eq "{first["id"]}"': [first],
        'externalId eq "x-user4"': [last],
        'externalId eq "X-USER4"': [],
        f'emails.value eq "{first["userName"].upper()}"': [first],
        f'emails eq "{first["userName"]}"': [first],
        f'emails[type eq "work" and value eq "{last["userName"]}"]': [last],
        f'userName eq "{first["userName"]}" and active eq true': [first],
        f'userName eq "{first["userName"]}" and active eq false': [],
        'displayName sw "USER" and not (displayName eq "user0")': users[1:],
        'externalId eq "x-user0" or externalId eq "x-user1"': users[:2],
        'externalId eq "x-user0" and externalId eq "x-user1"': [],
        f'meta.lastModified ge "{last["meta"]["lastModified"]}" and externalId pr': [last],
        'userName eq "\' OR 1=1 --"': [],
    }.items():
        page = await scim.call("GET", f"/Users?filter={httpx.QueryParams(f=text)['f'].replace('&', '%26')}")
        assert [one["id"] for one in page.get("Resources", [])] == [one["id"] for one in expected], text
        assert page["totalResults"] == len(expected), text
    found: list[str] = []
    for start in (1, 3, 5, 7):
        page = await scim.call("GET", f"/Users?startIndex={start}&count=2")
        assert (page["totalResults"], page["startIndex"]) == (6, start)
        found += [one["id"] for one in page.get("Resources", [])]
    assert found == [scim.account.owner.id, *(one["id"] for one in users)]
    assert not (await scim.call("GET", "/Users?count=0")).get("Resources")
    slim = await scim.call("GET", f"/Users/{first['id']}?attributes=userName")
    assert sorted(slim) == ["id", "schemas", "userName"]
    for text in ("userName eq", "nope eq 1", "active gt true", "userName eq 'x'", "(" * 500):
        assert (await scim.call("GET", f"/Users?filter={text}", status=400))["scimType"] == "invalidFilter"
    await scim.call("GET", "/Users?count=x", status=400)
    found_by_post = await scim.call("POST", "/Users/.search", {"filter": f'id eq "{first["id"]}"'})
    assert [one["id"] for one in found_by_post["Resources"]] == [first["id"]]
    await scim.call("POST", "/Users/.search", {"filter": " or ".join(["active pr"] * 2000)}, 413)
    await scim.call("GET", "/Users?sortBy=userName", status=501)


BAD_USERS: dict[str, tuple[Any, str]] = {
    "no name": ({}, "invalidValue"),
    "no address": ({"userName": "bo"}, "invalidValue"),
    "a bad address": ({"userName": "bo", "emails": [{"value": "a@b"}]}, "invalidValue"),
    "addresses that are none": ({"userName": "bo", "emails": "a@b.example"}, "invalidValue"),
    "an empty name": ({"userName": "  "}, "invalidValue"),
    "a long name": ({"userName": "b@a.example", "displayName": "x" * 201}, "invalidValue"),
    "a control character": ({"userName": "b@a.example", "displayName": "a\u0000b"}, "invalidValue"),
    "a number for active": ({"userName": "b@a.example", "active": 7}, "invalidValue"),
    "large attributes": ({"userName": "b@a.example", "title": "x" * 70_000}, "invalidValue"),
    "a list": ([], "invalidValue"),
    "a text": ("x", "invalidValue"),
}


@pytest.mark.parametrize("case", BAD_USERS)
async def test_bad_users_are_refused(scim: ScimClient, case: str) -> None:
    body, scim_type = BAD_USERS[case]
    body = {"schemas": [USER], **body} if isinstance(body, dict) else body
    error = await scim.call("POST", "/Users", body, 400)
    assert error.get("scimType", scim_type) == scim_type or error["scimType"] == "invalidSyntax", error
    assert await scim.events() == []


async def test_bad_bodies_paths_and_methods(scim: ScimClient) -> None:
    user = await scim.add_user("fay")
    path = f"/Users/{user['id']}"
    for content in (b"", b"{", b"\xff\xfe", b'{"a":"\\ud800"}', b"[" * 100_000, b"null"):
        for method, where in (("POST", "/Users"), ("PUT", path), ("PATCH", path)):
            response = await scim.http.request(method, ROOT + where, content=content)
            assert response.status_code == 400, (method, content[:20], response.text)
    response = await scim.http.post(f"{ROOT}/Users", content=b"x" * 2_000_000)
    assert response.status_code == 413, response.text
    response = await scim.http.post(f"{ROOT}/Users", content=b"a=b", headers={"content-type": "text/plain"})
    assert response.status_code == 415, response.text
    for operation in (
        {"op": "replace", "path": "nope[", "value": 1},
        {"op": "explode", "path": "active", "value": 1},
        {"op": "remove"},
        {"op": "remove", "path": "userName"},
        {"op": "replace", "path": "id", "value": "usr_x"},
        {"op": "replace", "path": "active", "value": "perhaps"},
        {"op": "replace", "path": 'emails[type eq "work"].value', "value": "no address"},
        {"op": "add", "path": "displayName", "value": "a\nb"},
    ):
        await scim.patch(path, operation, status=400)
    await scim.call("PATCH", path, {"schemas": [PATCH], "Operations": []}, 400)
    await scim.call("DELETE", "/Users", status=405)
    await scim.call("GET", "/Nothing", status=404)
    await scim.call("GET", "/Me", status=501)
    await scim.call("POST", "/Bulk", {"Operations": []}, 501)
    assert (await scim.call("GET", "/ServiceProviderConfig"))["bulk"]["supported"] is False
    assert await scim.call("GET", path) == user


async def test_changes_depend_on_the_version_that_was_read(scim: ScimClient) -> None:
    user = await scim.add_user("gus")
    path, version = f"/Users/{user['id']}", user["meta"]["version"]
    change = {"op": "replace", "path": "name.givenName", "value": "Gus"}
    await scim.patch(path, change, if_match=version)
    await scim.patch(path, {**change, "value": "Gustav"}, status=412, if_match=version)
    await scim.call("DELETE", path, status=412, if_match=version)
    now = (await scim.call("GET", path))["meta"]["version"]
    response = await scim.http.get(ROOT + path, headers={"if-none-match": now})
    assert (response.status_code, response.content) == (304, b"")
    await scim.call("DELETE", path, status=204, if_match=now)


async def test_the_last_owner_is_never_locked_out(scim: ScimClient) -> None:
    path = f"/Users/{scim.account.owner.id}"
    before = await scim.call("GET", path)
    error = await scim.patch(path, {"op": "replace", "path": "active", "value": False}, status=403)
    assert "user.last_owner" in error["detail"]
    await scim.call("DELETE", path, status=403)
    assert await scim.call("GET", path) == before


async def test_a_token_reaches_its_own_account_only(scim: ScimClient, stranger: Account) -> None:
    user, group = await scim.add_user("hal"), await scim.add_group("Crew")
    patch = {"schemas": [PATCH], "Operations": [{"op": "replace", "path": "displayName", "value": "Mine"}]}
    async with scim_client(stranger) as other:
        for path, body in ((f"/Users/{user['id']}", user), (f"/Groups/{group['id']}", group)):
            for method, content in (("GET", None), ("PUT", body), ("PATCH", patch), ("DELETE", None)):
                await other.call(method, path, content, 404)
            kind = path.split("/")[1]
            search = {"schemas": [SEARCH], "filter": f'id eq "{body["id"]}"'}
            for found in (
                await other.call("GET", f"/{kind}?filter={search['filter']}"),
                await other.call("POST", f"/{kind}/.search", search),
                await other.call("POST", "/.search", search),
            ):
                assert found["totalResults"] == 0
        theirs = {"schemas": group["schemas"], "displayName": "Theirs", "members": [{"value": user["id"]}]}
        await other.call("POST", "/Groups", theirs, 400)
        assert (await other.call("GET", "/Users"))["totalResults"] == 1
        own = await other.add_group("Theirs")
        member = {"op": "add", "path": "members", "value": [{"value": user["id"]}]}
        await other.patch(f"/Groups/{own['id']}", member, status=400)
        assert await other.events() == ["group.created"]
        # The same person has a user of their own in each account.
        twin = await other.call("POST", "/Users", {"schemas": [USER], "userName": user["userName"]}, 201)
        assert twin["id"] != user["id"]
        await other.patch(f"/Users/{twin['id']}", {"op": "replace", "path": "active", "value": False})
        assert (await scim.call("GET", f"/Users/{user['id']}"))["active"] is True
        await other.call("DELETE", f"/Users/{twin['id']}", status=204)
    assert await scim.events() == ["user.created", "group.created"]


OPERATIONS = [
    ("GET", "/ServiceProviderConfig"),
    ("GET", "/Schemas"),
    ("GET", "/ResourceTypes"),
    ("GET", "/"),
    *((method, path) for path in ("/Users", "/Groups") for method in ("GET", "POST")),
    *((method, path) for path in ("/Users/x", "/Groups/x") for method in ("GET", "PUT", "PATCH", "DELETE")),
    ("POST", "/Users/.search"),
    ("POST", "/Bulk"),
    ("GET", "/Me"),
]


async def test_no_operation_without_the_current_token(account: Account) -> None:
    async with scim_client(account) as old, scim_client(account) as new, account.stage.client() as http:
        for method, path in OPERATIONS:
            for credential in ("", "Bearer", "Bearer fwp_x", f"Bearer {account.key}", "Basic eDp5"):
                headers = {"authorization": credential} if credential else {}
                response = await http.request(method, ROOT + path, headers=headers)
                assert response.status_code == 401, (method, path, credential)
                assert response.headers["www-authenticate"].startswith("Bearer")
            assert (await old.http.request(method, ROOT + path)).status_code == 401, "the token was replaced"
        await new.call("GET", "/Users")
        token = new.http.headers["authorization"].removeprefix("Bearer ")
        for header in ({"x-api-key": token}, {"authorization": f"Bearer {token}"}):
            response = await http.get("/api/v1.0/customers", headers=header)
            assert response.status_code == 401, "the token opens nothing else"
        async with account.ctx.db.writing() as tx:
            await tokens.disable(tx, account.actor)
        await new.call("GET", "/Users", status=401)


async def test_a_provisioned_user_whom_an_owner_disabled_is_inactive(scim: ScimClient) -> None:
    user = await scim.add_user("ivy")
    async with scim.account.ctx.db.writing() as tx:
        edit = UserEdit(status=UserStatus.DISABLED, name="Ivy Ox")
        await management.edit(tx, scim.account.actor, edit, user_id=user["id"])
    seen = await scim.call("GET", f"/Users/{user['id']}")
    assert (seen["active"], seen["displayName"]) == (False, "Ivy Ox")
    assert seen["meta"]["version"] != user["meta"]["version"]


async def test_a_change_reads_the_user_once(scim: ScimClient, monkeypatch: pytest.MonkeyPatch) -> None:
    user = await scim.add_user("jo")
    read: list[str] = []

    async def find(tx: ReadTransaction, scope: Scope, user_id: str) -> UserDetails | None:
        read.append(user_id)
        return await found(tx, scope, user_id)

    found = management.find
    monkeypatch.setattr(management, "find", find)
    path, body = f"/Users/{user['id']}", {"schemas": [USER], "userName": user["userName"], "displayName": "Jo"}
    edited = await scim.call("PUT", path, body)
    assert (edited["displayName"], read) == ("Jo", [user["id"]])
    read.clear()
    await scim.patch(path, {"op": "replace", "path": "displayName", "value": "Joan"})
    assert read == [user["id"]]


@pytest.mark.slow
async def test_a_second_synchronisation_raises_no_event(scim: ScimClient) -> None:
    """`python -m bench.scim_sync` does the same with 10,000 users."""
    account = scim.account
    new_subscriber = await subscriber(account, types=["user.created", "group.created"])

    async def synchronise() -> None:
        members = []
        for number in range(40):
            name = f"p{number}.{account.id}@sync.example"
            body = {
                "schemas": [USER],
                "userName": name,
                "externalId": str(number),
                "active": number % 10 != 0,
                "name": {"givenName": "Person", "familyName": str(number)},
                "emails": [{"value": name, "type": "work", "primary": True}],
            }
            found = (await scim.call("GET", f'/Users?filter=userName eq "{name}"')).get("Resources")
            method, path, status = ("PUT", f"/Users/{found[0]['id']}", 200) if found else ("POST", "/Users", 201)
            members.append({"value": (await scim.call(method, path, body, status))["id"]})
        crew = {"schemas": [GROUP], "displayName": "Everybody", "members": members}
        found = (await scim.call("GET", '/Groups?filter=displayName eq "Everybody"')).get("Resources")
        method, path, status = ("PUT", f"/Groups/{found[0]['id']}", 200) if found else ("POST", "/Groups", 201)
        await scim.call(method, path, crew, status)

    await synchronise()
    before = await scim.events()
    await synchronise()
    assert await scim.events() == before
    assert before.count("user.created") == 40
    path = f"/webhooks/customer/{account.id}/subscribers/{new_subscriber['id']}/invocations?limit=1000"
    sent = [one["type"] for one in (await get(account, path))["items"]]
    assert sorted(sent) == ["group.created"] + ["user.created"] * 40, "each is delivered once"
