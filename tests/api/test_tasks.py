"""Creating and updating tasks."""

import asyncio
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get
from factories.tasks import end, task
from factories.users import user


async def change(account: Account, **members: Any) -> Any:
    """Return the task after an update."""
    response = await account.api.put(f"{PREFIX}/tasks", json=members)
    assert response.status_code == 200, response.text
    return response.json()


async def refused(account: Account, method: str, path: str, **members: Any) -> tuple[int, list[tuple[str, str]]]:
    """Return the status of a problem, and its errors or its code."""
    response = await account.api.request(method, PREFIX + path, json=members)
    problem = response.json()
    found = [(fault["pointer"], fault["code"]) for fault in problem.get("errors", [])]
    return response.status_code, found or [("", problem["code"])]


async def types(account: Account) -> list[str]:
    """Return the types of the account's task events."""
    events = (await get(account, f"/webhooks/customer/{account.id}/events"))["items"]
    return [event["type"] for event in events if event["type"].startswith("task.")]


async def test_a_task_is_open_at_once_and_can_be_read(account: Account) -> None:
    mate = await user(account)
    new_task = await task(
        account,
        await form(account),
        recipients={"users": [mate.id, account.owner.id]},
        message="Please look",
        data={"people": 4},
        dueAt="2030-05-01T12:00:00+02:00",
        completeWhen="ALL",
        externalId="erp-7",
    )
    assert await get(account, f"/customers/{account.id}/tasks/{new_task['id']}") == new_task
    assert (await get(account, f"/customers/{account.id}/tasks"))["items"] == [new_task]
    assert new_task["status"] == "OPEN"
    assert new_task["recipients"] == {"users": [mate.id, account.owner.id], "groups": []}
    assert (new_task["dueAt"], new_task["data"]) == ("2030-05-01T10:00:00.000Z", {"people": 4})
    assert await types(account) == ["task.created", "task.opened"]


@pytest.mark.parametrize("named_by", ["id", "externalId"])
async def test_a_task_is_updated_by_either_of_its_ids(account: Account, named_by: str) -> None:
    new_task = await task(account, await form(account), externalId="erp-7", message="Please")
    await task(account, await form(account), externalId="erp-8")
    changed = await change(account, **{named_by: new_task[named_by]}, message="Soon", completeWhen="ALL")
    assert changed == new_task | {
        "message": "Soon",
        "completeWhen": "ALL",
        "revision": 2,
        "updated": changed["updated"],
        "updatedBy": changed["updatedBy"],
    }
    assert changed["updated"] > new_task["updated"]
    assert await get(account, f"/customers/{account.id}/tasks/{new_task['id']}") == changed
    assert (await types(account))[-1] == "task.updated"


async def test_omitted_properties_stay_and_null_removes_the_due_time(account: Account) -> None:
    new_task = await task(account, await form(account), dueAt="2030-01-01T00:00:00Z", data={"site": "x"})
    assert (await change(account, id=new_task["id"], message="Soon"))["dueAt"] == "2030-01-01T00:00:00.000Z"
    changed = await change(account, id=new_task["id"], dueAt=None, data={})
    assert (changed["dueAt"], changed["data"], changed["message"]) == (None, {}, "Soon")


@pytest.mark.parametrize("member", ["message", "data", "recipients", "completeWhen"])
async def test_null_is_invalid_for_other_properties(account: Account, member: str) -> None:
    new_task = await task(account, await form(account))
    status, [(where, _)] = await refused(account, "PUT", "/tasks", id=new_task["id"], **{member: None})
    assert (status, where) == (422, f"/{member}")


async def test_recipients_are_replaced(account: Account) -> None:
    mate = await user(account)
    new_task = await task(account, await form(account))
    changed = await change(account, id=new_task["id"], recipients={"users": [mate.id]})
    assert changed["recipients"] == {"users": [mate.id], "groups": []}


async def test_a_task_is_identified_by_exactly_one_id(account: Account) -> None:
    new_task = await task(account, await form(account), externalId="erp-7")
    for named in ({}, {"id": new_task["id"], "externalId": "erp-7"}, {"id": None, "externalId": None}):
        assert await refused(account, "PUT", "/tasks", message="x", **named) == (422, [("", "task.which")])


async def test_an_unknown_task_is_not_found_by_either_id(account: Account, stranger: Account) -> None:
    theirs = await task(stranger, await form(stranger), externalId="erp-7")
    for named in ({"externalId": "erp-7"}, {"id": theirs["id"]}, {"externalId": "' OR 1=1"}):
        assert await refused(account, "PUT", "/tasks", message="x", **named) == (404, [("", "task.not_found")])


async def test_an_ended_task_cannot_be_updated(account: Account) -> None:
    new_task = await task(account, await form(account))
    await end(account, new_task)
    assert await refused(account, "PUT", "/tasks", id=new_task["id"], message="x") == (409, [("", "task.ended")])
    assert await types(account) == ["task.created", "task.opened", "task.completed"]


async def test_the_same_external_id_returns_the_same_task(account: Account, stranger: Account) -> None:
    new_form = await form(account)
    first = await task(account, new_form, externalId="erp-7")
    await task(stranger, await form(stranger), externalId="erp-7")
    again = await asyncio.gather(*(task(account, new_form, externalId="erp-7", message="x") for _ in range(3)))
    assert again == [first] * 3
    both = await asyncio.gather(*(task(account, new_form, externalId="erp-8") for _ in range(3)))
    assert {one["id"] for one in both} == {both[0]["id"]} != {first["id"]}
    assert await types(account) == ["task.created", "task.opened"] * 2


async def test_an_existing_task_is_returned_even_if_its_form_is_archived(account: Account) -> None:
    new_form = await form(account)
    first = await task(account, new_form, externalId="erp-7")
    path = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
    assert (await account.api.put(path, json={"status": "ARCHIVED"})).status_code == 200
    assert await task(account, new_form, externalId="erp-7") == first
    tasks, whom = f"/customers/{account.id}/{new_form['id']}/tasks", {"recipients": {"users": [account.owner.id]}}
    both = [whom | {"externalId": one} for one in ("erp-7", "erp-8")]
    response = await account.api.post(PREFIX + tasks, json=both)
    assert (response.status_code, response.json()["code"]) == (409, "form.archived")
    assert (await get(account, f"/customers/{account.id}/tasks"))["items"] == [first]


async def test_an_external_id_of_another_form_is_rejected(account: Account) -> None:
    await task(account, await form(account), externalId="erp-7")
    again = {"recipients": {"users": [account.owner.id]}, "externalId": "erp-7"}
    path = f"/customers/{account.id}/{(await form(account))['id']}/tasks"
    assert await refused(account, "POST", path, **again) == (409, [("", "task.external_id_taken")])


async def test_unknown_and_repeated_recipients_are_rejected_with_a_pointer(account: Account, stranger: Account) -> None:
    new_form, mine = await form(account), account.owner.id
    path = f"/customers/{account.id}/{new_form['id']}/tasks"
    named = {"users": [mine, stranger.owner.id, mine]}
    assert await refused(account, "POST", path, recipients=named) == (
        422,
        [("/recipients/users/1", "user.not_found"), ("/recipients/users/2", "value.repeated")],
    )
    assert await refused(account, "POST", path, recipients={"users": []}) == (
        422,
        [("/recipients", "value.too_few")],
    )
    assert await types(account) == []


async def test_pre_filled_answers_must_be_valid_but_may_be_incomplete(account: Account) -> None:
    new_form = await form(account)
    path = f"/customers/{account.id}/{new_form['id']}/tasks"
    to = {"users": [account.owner.id]}
    found = await refused(account, "POST", path, recipients=to, data={"people": "three", "nobody": 1})
    assert found[0] == 422
    assert set(found[1]) == {("/data/people", "value.type"), ("/data/nobody", "value.unknown")}
    work = await task(account, new_form, data={"people": 3})
    assert await refused(account, "PUT", "/tasks", id=work["id"], data={"people": "three"}) == (
        422,
        [("/data/people", "value.type")],
    )


async def test_an_unpublished_form_cannot_be_assigned(account: Account) -> None:
    draft = await form(account, publish=False)
    path = f"/customers/{account.id}/{draft['id']}/tasks"
    found = await refused(account, "POST", path, recipients={"users": [account.owner.id]})
    assert found == (409, [("", "form.not_published")])
