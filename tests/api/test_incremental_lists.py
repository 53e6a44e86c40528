"""Lists in the order of the last change: a reader misses nothing, and gets nothing twice that did not change."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
import pytest_asyncio
from actors import Account
from factories import datasources
from factories.forms import FIELDS, form
from factories.pagination import ids, pages
from factories.requests import PREFIX, get, post

COUNT = 6
Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Listed:
    """A list: its path, the body of a new item, and how an item changes. `{form}` in the path is the id of a form."""

    path: str
    body: Callable[[Account, int], Item]
    change: Callable[[int], Item] | None
    create: str = ""
    """The path at which items are created, if it is another one."""
    change_at: str = field(default="/{id}")
    method: str = "PUT"

    def at(self, account: Account, form_id: str, path: str = "") -> str:
        return (path or self.path).replace("{account}", account.id).replace("{form}", form_id)


def _user(account: Account, number: int) -> Item:
    return {"email": f"{account.id}-{number}@example.org", "name": f"User {number}"}


LISTS = {
    "forms": Listed(
        "/forms/customer/{account}/forms",
        lambda account, number: {"name": f"Form {number}", "fields": FIELDS},
        lambda number: {"name": f"Changed {number}"},
    ),
    "versions": Listed(
        "/forms/customer/{account}/forms/{form}/versions",
        lambda account, number: {"fields": FIELDS, "remarks": f"Version {number}"},
        lambda number: {"fields": FIELDS, "remarks": f"Changed {number}"},
    ),
    "tasks": Listed(
        "/customers/{account}/tasks",
        lambda account, number: {"recipients": {"users": [account.owner.id]}, "message": f"Task {number}"},
        lambda number: {"message": f"Changed {number}"},
        create="/customers/{account}/{form}/tasks",
    ),
    "invites": Listed(
        "/customers/{account}/invites",
        lambda account, number: {"formId": "{form}", "email": f"guest-{number}@example.org"},
        None,
        change_at="/{id}/revoke",
        method="POST",
    ),
    "users": Listed("/customers/{account}/users", _user, lambda number: {"name": f"Changed {number}"}),
    "groups": Listed(
        "/customers/{account}/groups",
        lambda account, number: {"name": f"Group {number}"},
        lambda number: {"name": f"Changed {number}"},
    ),
    "roles": Listed(
        "/customers/{account}/roles",
        lambda account, number: {"name": f"Role {number}", "permissions": ["forms:read"]},
        lambda number: {"name": f"Changed {number}"},
    ),
    "datasources": Listed(
        "/customers/{account}/datasources",
        lambda account, number: datasources.body(name=f"Table {number}"),
        lambda number: {"name": f"Changed {number}"},
    ),
}


@dataclass(slots=True)
class Scene:
    """A list with some items in an account."""

    account: Account
    listed: Listed
    form_id: str
    number: int = 0

    @property
    def path(self) -> str:
        return self.listed.at(self.account, self.form_id)

    async def create(self) -> Item:
        self.number += 1
        create = self.listed.at(self.account, self.form_id, self.listed.create)
        body = self.listed.body(self.account, self.number)
        if "formId" in body:
            body["formId"] = self.form_id
        created = await post(self.account, create, body)
        return created[0] if isinstance(created, list) else created

    async def change(self, item: Item) -> None:
        self.number += 1
        address = PREFIX + self.path + self.listed.change_at.replace("{id}", item["id"])
        body = self.listed.change(self.number) if self.listed.change else None
        response = await self.account.api.request(self.listed.method, address, json=body)
        assert response.status_code == 200, response.text

    async def all(self) -> list[Item]:
        return list((await get(self.account, self.path, limit=1000))["items"])


@pytest_asyncio.fixture(params=list(LISTS))
async def scene(request: pytest.FixtureRequest, account: Account) -> Scene:
    return Scene(account, LISTS[request.param], (await form(account))["id"])


async def test_a_reader_misses_no_change_and_gets_none_twice(scene: Scene) -> None:
    created = [await scene.create() for _ in range(COUNT)]

    steps = [partial(scene.change, created[4]), scene.create, partial(scene.change, created[0]), scene.create]

    async def between() -> None:
        """Change or create several items at once while the reader is between two pages."""
        now, steps[:] = steps[:2], steps[2:]
        await asyncio.gather(*(step() for step in now))

    copy: dict[str, Item] = {}
    since = ""
    for _ in range(3):
        query = f"?order=updated&limit=2{f'&updatedFrom={since}' if since else ''}"
        for page in await pages(scene.account, scene.path + query, between):
            for item in page:
                known = copy.get(item["id"])
                # `updatedFrom` includes its time, so the last item is repeated.
                assert known is None or item["revision"] > known["revision"] or item["updated"] == since
                assert item["updated"] >= since
                copy[item["id"]], since = item, item["updated"]
        assert copy == {item["id"]: item for item in await scene.all()}
        await scene.change(created.pop(1))


async def test_a_list_is_filtered_and_ordered_by_its_times(scene: Scene) -> None:
    created = [await scene.create() for _ in range(3)]
    await scene.change(created[1])
    every = await scene.all()
    for name in ("created", "updated"):
        ordered = sorted(every, key=lambda item: (item[name], item["id"]))
        for order, expected in ((name, ordered), (f"-{name}", ordered[::-1])):
            found = await pages(scene.account, f"{scene.path}?order={order}&limit=2")
            assert ids(found) == [item["id"] for item in expected], order
        first, last = ordered[1][name], ordered[-1][name]
        inside = [item["id"] for item in ordered if first <= item[name] < last]
        query = f"?{name}From={first}&{name}To={last}&order={name}&limit=2"
        assert ids(await pages(scene.account, scene.path + query)) == inside


async def test_the_older_names_of_a_period_apply_too(account: Account) -> None:
    new_form = await form(account)
    path = f"/customers/{account.id}/invites"
    bodies = [{"formId": new_form["id"], "email": f"g{n}@example.org"} for n in range(3)]
    sent = [(await post(account, path, body))["id"] for body in bodies]
    listed = (await get(account, path))["items"]
    times = [item["created"] for item in listed]
    for query in (
        {"from": times[1], "createdTo": times[2]},
        {"createdFrom": times[1], "to": times[2]},
        {"from": times[0], "createdFrom": times[1], "to": times[2], "createdTo": "2999-01-01T00:00:00Z"},
    ):
        found = await get(account, path, **query)
        assert [item["id"] for item in found["items"]] == sent[1:2]
    audit = f"/customers/{account.id}/audit"
    entries = (await get(account, audit))["items"]
    after = (datetime.fromisoformat(entries[0]["timestamp"]) + timedelta(milliseconds=1)).isoformat()
    events = f"/webhooks/customer/{account.id}/events"
    for list_ in (audit, events):
        assert (await get(account, list_, createdFrom=after))["items"] == []
        assert (await get(account, list_, createdTo=after))["items"] == (await get(account, list_))["items"]


async def test_forms_are_found_by_name_text_and_status(account: Account) -> None:
    visit, day, old = [await form(account, name=name) for name in ("Site visit", "Tagesbericht Ä", "Site visit 2")]
    archived = await account.api.put(
        f"{PREFIX}/forms/customer/{account.id}/forms/{old['id']}", json={"status": "ARCHIVED"}
    )
    assert archived.status_code == 200, archived.text
    for query, expected in (
        ({"name": "Site visit"}, [visit]),
        ({"name": "site visit"}, []),
        ({"q": "VISIT"}, [visit, old]),
        ({"q": "bericht ä"}, [day]),
        ({"q": "%"}, []),
        ({"status": "ARCHIVED"}, [old]),
        ({"status": "ACTIVE", "q": "site"}, [visit]),
    ):
        found = await get(account, f"/forms/customer/{account.id}/forms", **query)
        assert [item["id"] for item in found["items"]] == [item["id"] for item in expected], query
