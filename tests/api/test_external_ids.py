"""Your own ids of forms, users and groups."""

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
    "group": ("/customers/{account}/groups", lambda account, n: {"name": f"Group {n}"}),
}


@pytest.mark.parametrize("kind", list(KINDS))
async def test_an_external_id_is_found_changed_and_unique(account: Account, stranger: Account, kind: str) -> None:
    path, body = KINDS[kind]

    def at(of: Account) -> str:
        return path.replace("{account}", of.id)

    async def put(item: dict[str, Any], **change: Any) -> Any:
        return await account.api.put(f"{PREFIX}{at(account)}/{item['id']}", json=change)

    first = await post(account, at(account), body(account, 1) | {"externalId": "erp-1 🎉"})
    second = await post(account, at(account), body(account, 2))
    assert (first["externalId"], second["externalId"]) == ("erp-1 🎉", None)
    await post(stranger, at(stranger), body(stranger, 1) | {"externalId": "erp-1 🎉"})
    found = await get(account, at(account), externalId="erp-1 🎉")
    assert found["items"] == [first]
    again = await account.api.post(PREFIX + at(account), json=body(account, 3) | {"externalId": "erp-1 🎉"})
    for answer in (again, await put(second, externalId="erp-1 🎉")):
        assert (answer.status_code, answer.json()["code"]) == (409, f"{kind}.external_id_taken")
    assert (await put(first, externalId="erp-1 🎉")).json() == first, "no change"
    freed = (await put(first, externalId=None)).json()
    assert (freed["externalId"], freed["revision"]) == (None, first["revision"] + 1)
    taken = (await put(second, externalId="erp-1 🎉")).json()
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
    made = (await put("users", {"externalId": "hr-1", "email": email, "name": "Ann"})).json()
    assert (made["externalId"], made["status"], made["revision"]) == ("hr-1", "INVITED", 1)
    renamed = (await put("users", {"externalId": "hr-1", "name": "Ann Lee"})).json()
    assert (renamed["id"], renamed["name"], renamed["email"]) == (made["id"], "Ann Lee", email)
    team = (await put("groups", {"externalId": "hr-1", "name": "Team", "members": [made["id"]]})).json()
    again = (await put("groups", {"externalId": "hr-1", "members": []})).json()
    assert (again["id"], again["name"], again["members"]) == (team["id"], "Team", [])
    answers = await asyncio.gather(*(put("groups", {"externalId": "hr-2", "name": f"Crew {n}"}) for n in range(5)))
    assert [answer.status_code for answer in answers] == [200] * 5
    assert len({answer.json()["id"] for answer in answers}) == 1


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
    made = (await put(whole)).json()
    assert (made["externalId"], made["name"], made["status"]) == ("erp-1", "Visit", "ACTIVE")
    assert (await put(whole)).json() == made, "repeating it changes nothing"
    renamed = (await put(whole | {"name": "Visits"})).json()
    assert (renamed["id"], renamed["publishedVersionId"]) == (made["id"], made["publishedVersionId"])
    newer = (await put({"fields": FIELDS[:1], "publish": True})).json()
    assert newer["publishedVersionId"] != made["publishedVersionId"]
    versions = f"/forms/customer/{account.id}/forms/{made['id']}/versions"
    assert [one["settings"] for one in (await get(account, versions))["items"]] == [{"language": "de"}] * 2
    other = (await put(whole | {"status": "ARCHIVED"}, stranger)).json()
    assert other["id"] != made["id"]
    assert other["status"] == "ARCHIVED"
    answers = await asyncio.gather(*(put(whole | {"externalId": "erp-2"}) for _ in range(5)))
    assert len({answer.json()["id"] for answer in answers}) == 1
