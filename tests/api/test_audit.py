"""The audit log: its entries, filters, and that entries never change."""

import sqlite3
from typing import Any

import asyncpg
import pytest
from actors import Account
from factories.forms import form
from factories.pagination import ids, pages
from factories.requests import get, post
from factories.submissions import submission


async def lines(account: Account, query: str = "") -> list[dict[str, Any]]:
    return list((await get(account, f"/customers/{account.id}/audit?{query}"))["items"])


def actions(found: list[dict[str, Any]]) -> list[str]:
    return [line["action"] for line in found]


async def test_an_entry_lists_changed_properties_without_values(account: Account) -> None:
    new_form = await form(account)
    here = f"/forms/customer/{account.id}/forms/{new_form['id']}"
    response = await account.api.put("/api/v1.0" + here, json={"name": "Hafen 🚢", "description": "Strictly secret"})
    assert response.status_code == 200, response.text
    line, *_ = await lines(account)
    assert line["resource"] == {"type": "form", "id": new_form["id"], "name": "Hafen 🚢"}
    assert (line["action"], line["changed"]) == ("form.updated", ["name", "description"])
    assert (line["actor"]["type"], line["actor"]["name"]) == ("key", "Test")
    assert line["address"] == "127.0.0.1"
    assert line["requestId"] == response.headers["x-request-id"]
    assert line["timestamp"] >= new_form["created"]
    assert "Strictly secret" not in str(line)


async def test_rejected_requests_leave_no_entry(account: Account) -> None:
    new_form = await form(account)
    before = await lines(account)
    for data in ({}, {"site": 3}):
        response = await account.api.post(
            f"/api/v1.0/customers/{account.id}/forms/{new_form['id']}/submissions", json={"data": data}
        )
        assert response.status_code == 422
    assert await lines(account) == before


async def test_entries_are_filtered_by_actor_action_resource_and_time(account: Account, stranger: Account) -> None:
    new_form = await form(account)
    filled = await submission(account, new_form)
    await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    everything = await lines(account)
    assert actions(everything)[:4] == ["folder.created", "submission.submitted", "form.published", "form.created"]
    times = [line["timestamp"] for line in everything]
    assert times == sorted(times, reverse=True)

    assert actions(await lines(account, "action=form.*")) == ["form.published", "form.created"]
    assert actions(await lines(account, "action=form.created")) == ["form.created"]
    assert actions(await lines(account, "action=form.*&resourceType=folder")) == []
    assert actions(await lines(account, "resourceType=folder")) == ["folder.created"]
    assert actions(await lines(account, "resourceType=submission")) == ["submission.submitted"]
    assert actions(await lines(account, f"resourceId={filled['id']}")) == ["submission.submitted"]
    key = everything[0]["actor"]["id"]
    assert len(await lines(account, f"actor={key}")) == 4
    assert actions(await lines(account, f"from={times[1]}")) == ["folder.created", "submission.submitted"]
    assert actions(await lines(account, f"from={times[1]}&to={times[0]}")) == ["submission.submitted"]
    assert "folder.created" not in actions(await lines(account, f"to={times[0]}"))

    assert await lines(stranger, f"resourceId={filled['id']}") == []
    assert await lines(stranger, f"actor={key}") == []


@pytest.mark.parametrize(
    "query", ["action=form", "action=*", "action=form.*.x", "action=Form.created", "from=yesterday", "who=me"]
)
async def test_an_invalid_filter_is_rejected_with_a_pointer(account: Account, query: str) -> None:
    response = await account.api.get(f"/api/v1.0/customers/{account.id}/audit?{query}")
    assert response.status_code == 400, response.text
    assert response.json()["errors"][0]["pointer"] == "?" + query.partition("=")[0]


async def test_new_entries_while_paging_cause_no_gaps_or_duplicates(account: Account) -> None:
    for n in range(7):
        await post(account, f"/forms/customer/{account.id}/folders", {"name": f"Folder {n}"})
    before = [line["id"] for line in await lines(account)]

    async def come() -> None:
        await post(account, f"/forms/customer/{account.id}/templates", {"name": "T", "fields": [FIELD]})

    found = await pages(account, f"/customers/{account.id}/audit?limit=2", come)
    assert ids(found) == before


FIELD = {"type": "text", "name": "site", "label": "Site"}


@pytest.mark.parametrize("statement", ["UPDATE audit_log SET action = 'x.y'", "DELETE FROM audit_log"])
async def test_the_database_rejects_changes_to_an_entry(account: Account, statement: str) -> None:
    before = await lines(account)
    with pytest.raises((sqlite3.IntegrityError, asyncpg.RaiseError), match="never changed"):
        async with account.ctx.db.writing() as tx:
            await tx.execute(statement)
    assert await lines(account) == before
