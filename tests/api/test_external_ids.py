"""Your own ids of forms, data sources, users and groups."""

import asyncio
from typing import Any

import pytest
from actors import Account
from factories.forms import FIELDS
from factories.requests import PREFIX, get, post

KINDS = {
    "form": ("/forms/customer/{account}/forms", lambda account, n: {"name": f"Form {n}", "fields": FIELDS}),
    "user": (
        "/customers/{account}/users",
        lambda account, n: {"name": f"User {n}", "email": f"{account.id}-{n}@example.org"},
    ),
    "datasource": (
        "/customers/{account}/datasources",
        lambda account, n: {"name": f"Table {n}", "keyColumn": "number", "rows": [{"number": str(n)}]},
    ),
    "group": ("/customers/{account}/groups", lambda account, n: {"name": f"Group {n}"}),
}


def _record(response: dict[str, Any]) -> dict[str, Any]:
    """Return a response without the result of an import."""
    return {name: value for name, value in response.items() if name != "import"}


@pytest.mark.parametrize("kind", list(KINDS))
async def test_an_external_id_is_found_changed_and_unique(account: Account, stranger: Account, kind: str) -> None:
    path, body = KINDS[kind]

    def at(of: Account) -> str:
        return path.replace("{account}", of.id)

    async def put(item: dict[str, Any], **change: Any) -> Any:
        return await account.api.put(f"{PREFIX}{at(account)}/{item['id']}", json=change)

    first = _record(await post(account, at(account), body(account, 1) | {"externalId": "erp-1 🎉"}))
    second = _record(await post(account, at(account), body(account, 2)))
    assert (first["externalId"], second["externalId"]) == ("erp-1 🎉", None)
    await post(stranger, at(stranger), body(stranger, 1) | {"externalId": "erp-1 🎉"})
    found = await get(account, at(account), externalId="erp-1 🎉")
    assert found["items"] == [first]
    again = await account.api.post(PREFIX + at(account), json=body(account, 3) | {"externalId": "erp-1 🎉"})
    for response in (again, await put(second, externalId="erp-1 🎉")):
        assert (response.status_code, response.json()["code"]) == (409, f"{kind}.external_id_taken")
    assert _record((await put(first, externalId="erp-1 🎉")).json()) == first, "no change"
    freed = _record((await put(first, externalId=None)).json())
    assert (freed["externalId"], freed["revision"]) == (None, first["revision"] + 1)
    taken = _record((await put(second, externalId="erp-1 🎉")).json())
    assert await get(account, f"{at(account)}/{second['id']}") == taken
    assert (taken["externalId"], taken["name"]) == ("erp-1 🎉", second["name"])
    [event] = (await get(account, f"/webhooks/customer/{account.id}/events", order="-sequence", limit=1))["items"]
    assert (event["type"], event["data"]) == (f"{kind}.updated", taken)
    [entry] = (await get(account, f"/customers/{account.id}/audit", limit=1))["items"]
    assert entry["changed"] == ["externalId"]


async def test_a_user_and_a_group_are_created_or_updated_by_external_id(account: Account) -> None:
    async def put(kind: str, body: dict[str, Any]) -> Any:
        return await account.api.put(f"{PREFIX}/customers/{account.id}/{kind}/by-external-id", json=body)

    email = f"{account.id}@example.org"
    incomplete = await put("users", {"externalId": "hr-1", "language": "de"})
    assert [(one["pointer"], one["code"]) for one in incomplete.json()["errors"]] == [
        ("/email", "value.required"),
        ("/name", "value.required"),
    ]
    created = (await put("users", {"externalId": "hr-1", "email": email, "name": "Ann"})).json()
    assert (created["externalId"], created["status"], created["revision"]) == ("hr-1", "INVITED", 1)
    renamed = (await put("users", {"externalId": "hr-1", "name": "Ann Lee"})).json()
    assert (renamed["id"], renamed["name"], renamed["email"]) == (created["id"], "Ann Lee", email)
    team = (await put("groups", {"externalId": "hr-1", "name": "Team", "members": [created["id"]]})).json()
    again = (await put("groups", {"externalId": "hr-1", "members": []})).json()
    assert (again["id"], again["name"], again["members"]) == (team["id"], "Team", [])
    answers = await asyncio.gather(*(put("groups", {"externalId": "hr-2", "name": f"Crew {n}"}) for n in range(5)))
    assert [response.status_code for response in answers] == [200] * 5
    assert len({response.json()["id"] for response in answers}) == 1


async def test_a_data_source_is_created_or_updated_by_external_id(account: Account, stranger: Account) -> None:
    table = {"externalId": "erp-1", "name": "Customers", "keyColumn": "number", "rows": [{"number": "1"}]}
    where = f"{PREFIX}/customers/{account.id}/datasources/by-external-id"

    async def put(body: dict[str, Any]) -> dict[str, Any]:
        response = await account.api.put(where, json=body)
        assert response.status_code == 200, response.text
        return response.json()

    incomplete = await account.api.put(where, json={"externalId": "erp-1"})
    assert [(one["pointer"], one["code"]) for one in incomplete.json()["errors"]] == [
        ("/name", "value.required"),
        ("/keyColumn", "value.required"),
    ]
    first = await put(table)
    again = await put(table)
    assert (again["id"], again["revision"], again["import"]["unchanged"]) == (first["id"], 1, 1)
    renamed = await put({"externalId": "erp-1", "name": "Clients"})
    assert (renamed["id"], renamed["name"], renamed["version"]) == (first["id"], "Clients", 1)
    pull = {"url": "https://erp.example.org/customers.csv", "headers": {"Authorization": "Bearer a"}, "every": "PT6H"}
    pulled = {"externalId": "erp-2", "name": "Sites", "keyColumn": "number", "pull": pull}
    created = await put(pulled)
    assert await put(pulled) == created, "the same pull is no change"
    pulled["pull"] = {"every": "PT1H"}
    assert (await put(pulled))["revision"] == created["revision"] + 1
    without_url = await account.api.put(where, json=pulled | {"externalId": "erp-3", "name": "Places"})
    assert [error["pointer"] for error in without_url.json()["errors"]] == ["/pull/url"]
    events = (await get(account, f"/webhooks/customer/{account.id}/events", type="datasource.*"))["items"]
    assert [(event["type"], event["data"]["name"]) for event in events] == [
        ("datasource.imported", "Customers"),
        ("datasource.updated", "Clients"),
        ("datasource.updated", "Sites"),
    ]
    theirs = await stranger.api.put(where.replace(account.id, stranger.id), json=table)
    assert theirs.json()["id"] != first["id"]


async def test_a_file_creates_or_updates_a_data_source_by_external_id(account: Account) -> None:
    async def put(query: dict[str, str], text: str = "number,name\n1,Ann\n") -> Any:
        where = f"{PREFIX}/customers/{account.id}/datasources/by-external-id"
        return await account.api.put(where, params=query, content=text, headers={"content-type": "text/csv"})

    missing = (await put({"name": "Customers"})).json()
    assert [(one["pointer"], one["code"]) for one in missing["errors"]] == [("?externalId", "value.required")]
    query = {"externalId": "erp-1", "name": "Customers"}
    answers = await asyncio.gather(*(put(query, f"number,name\n1,Ann {n}\n") for n in range(5)))
    assert {response.status_code for response in answers} <= {200, 409}
    assert {response.json()["code"] for response in answers if response.status_code == 409} <= {"datasource.busy"}
    assert len({response.json()["id"] for response in answers if response.status_code == 200}) == 1
    changed = (await put(query | {"name": "Clients"})).json()
    assert (changed["name"], changed["import"]["updated"], changed["externalId"]) == ("Clients", 1, "erp-1")
    by_json = await account.api.put(
        f"{PREFIX}/customers/{account.id}/datasources/by-external-id",
        params={"externalId": "erp-1"},
        json={"externalId": "erp-1", "name": "Customers"},
    )
    assert (by_json.status_code, by_json.json()["errors"][0]["pointer"]) == (400, "?externalId")


async def test_the_external_id_of_a_deleted_data_source_is_free(account: Account) -> None:
    where = f"/customers/{account.id}/datasources"
    table = {"externalId": "erp-1", "name": "Customers", "keyColumn": "number", "rows": [{"number": "1"}]}
    first = await post(account, where, table)
    assert (await account.api.delete(f"{PREFIX}{where}/{first['id']}")).status_code == 200
    second = await post(account, where, table | {"name": "Clients"})
    refused = await account.api.post(f"{PREFIX}{where}/{first['id']}/restore")
    assert (refused.status_code, refused.json()["code"]) == (409, "datasource.external_id_taken")
    await account.api.put(f"{PREFIX}{where}/{second['id']}", json={"externalId": None})
    restored = await account.api.post(f"{PREFIX}{where}/{first['id']}/restore")
    assert restored.json()["externalId"] == "erp-1"


async def test_a_form_is_created_or_updated_by_external_id(account: Account, stranger: Account) -> None:
    async def put(body: dict[str, Any], of: Account = account) -> Any:
        where = f"{PREFIX}/forms/customer/{of.id}/forms/by-external-id"
        return await of.api.put(where, json={"externalId": "erp-1"} | body)

    incomplete = await put({"tags": ["a"]})
    assert [(one["pointer"], one["code"]) for one in incomplete.json()["errors"]] == [
        ("/name", "value.required"),
        ("/fields", "value.required"),
    ]
    whole = {"name": "Visit", "fields": FIELDS, "settings": {"language": "de"}, "publish": True}
    form = (await put(whole)).json()
    assert (form["externalId"], form["name"], form["status"]) == ("erp-1", "Visit", "ACTIVE")
    assert (await put(whole)).json() == form, "repeating it changes nothing"
    renamed = (await put(whole | {"name": "Visits"})).json()
    assert (renamed["id"], renamed["publishedVersionId"]) == (form["id"], form["publishedVersionId"])
    newer = (await put({"fields": FIELDS[:1], "publish": True})).json()
    assert newer["publishedVersionId"] != form["publishedVersionId"]
    versions = f"/forms/customer/{account.id}/forms/{form['id']}/versions"
    assert [one["settings"] for one in (await get(account, versions))["items"]] == [{"language": "de"}] * 2
    other = (await put(whole | {"status": "ARCHIVED"}, stranger)).json()
    assert other["id"] != form["id"]
    assert other["status"] == "ARCHIVED"
    answers = await asyncio.gather(*(put(whole | {"externalId": "erp-2"}) for _ in range(5)))
    assert len({response.json()["id"] for response in answers}) == 1
