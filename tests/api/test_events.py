"""The event log."""

import json
from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import FIELDS, form
from factories.openapi_validator import described, faults_of
from factories.requests import PREFIX, get
from factories.submissions import started, submission
from factories.tasks import task


async def log(account: Account, **query: Any) -> list[dict[str, Any]]:
    """Return the events of the account."""
    listed = await get(account, f"/webhooks/customer/{account.id}/events", **query)
    found: list[dict[str, Any]] = listed["items"]
    return found


async def test_each_change_is_logged_with_its_resource(account: Account) -> None:
    new_form = await form(account)
    handed = await submission(account, new_form)
    work = await task(account, new_form)
    table = await datasource(account)
    owner = await get(account, f"/customers/{account.id}/users/{account.owner.id}")
    entries = [(event["type"], event["category"], event["data"]) for event in await log(account)]
    assert entries == [
        ("user.created", "other", owner),
        ("form.created", "form updated", new_form),
        ("form.published", "form updated", new_form),
        ("submission.submitted", "form submitted", handed),
        ("task.created", "task updates", work),
        ("task.opened", "task updates", work),
        ("datasource.imported", "other", table),
    ]


async def test_starting_a_form_is_logged_once(account: Account) -> None:
    new_form = await form(account)
    for site in ("H", "Ha", "Harbour"):
        draft = await started(account, new_form, "page-1", site=site)
    [event] = await log(account, type="submission.started")
    assert (event["category"], event["data"]["id"]) == ("form started", draft.id)
    assert (event["data"]["data"], event["data"]["status"]) == ({"site": "H"}, "STARTED")


async def test_types_are_filtered_like_those_of_subscribers(account: Account) -> None:
    new_form = await form(account)
    await submission(account, new_form)
    every = [event["type"] for event in await log(account)]
    assert [event["type"] for event in await log(account, type="form.*")] == ["form.created", "form.published"]
    both = await log(account, type=["submission.*", "form.created"])
    assert [event["type"] for event in both] == ["form.created", "submission.submitted"]
    for all_of_them in ("*", ["*", "form.created"]):
        assert [event["type"] for event in await log(account, type=all_of_them)] == every


@pytest.mark.parametrize(
    ("type_", "near"),
    [
        ("submission.submited", "submission.submitted"),
        ("submissions.*", "submission.*"),
        ("Form.created", "form.created"),
        ("submission.", "submission.*"),
        ("submission*", "submission.*"),
        ("%", "event-types"),
        ("", "event-types"),
        ("*.created", "created"),
    ],
)
async def test_an_unknown_type_is_rejected(account: Account, type_: str, near: str) -> None:
    path = f"{PREFIX}/webhooks/customer/{account.id}/events"
    response = await account.api.get(path, params={"type": [type_, "form.created"]})
    assert (response.status_code, response.json()["code"]) == (400, "query.invalid")
    [fault] = response.json()["errors"]
    assert (fault["pointer"], fault["code"]) == ("?type", "query.value")
    assert near in fault["detail"]


async def test_the_sequence_starts_at_1_and_follows_the_changes(account: Account) -> None:
    for _ in range(3):
        await form(account)
    events = await log(account)
    assert [event["sequence"] for event in events] == list(range(1, 8))
    assert [event["timestamp"] for event in events] == sorted(event["timestamp"] for event in events)
    assert {event["customerId"] for event in events} == {account.id}
    assert len({event["id"] for event in events}) == 7


async def test_each_account_has_its_own_log(account: Account, stranger: Account) -> None:
    await form(stranger)
    assert [event["type"] for event in await log(account)] == ["user.created"]
    await form(account, publish=False)
    assert [event["sequence"] for event in await log(account)] == [1, 2]


async def test_a_single_event_equals_the_listed_one_byte_for_byte(account: Account) -> None:
    new_form = await form(account, name='Ää 🎉 </script> \\ "quoted" \u2028', tags=["1e3", "0.10"])
    await submission(account, new_form, data={"site": "Ää 🎉 \u2028 \\u0000", "people": 3, "kind": "b"})
    await datasource(account, rows=[{"number": 1.50, "name": "1e400"}])
    address = f"{PREFIX}/webhooks/customer/{account.id}/events"
    listed = await account.api.get(address)
    alone = [(await account.api.get(f"{address}/{event['id']}")).content for event in listed.json()["items"]]
    assert len(alone) == 5
    assert b"[" + b",".join(alone) + b"]" in listed.content


async def test_events_never_change(account: Account) -> None:
    work = await task(account, await form(account), message="Please")
    before = await log(account)
    await account.api.put(f"{PREFIX}/tasks", json={"id": work["id"], "message": "Soon"})
    assert (await log(account))[: len(before)] == before


async def test_the_log_can_be_read_from_a_sequence(account: Account) -> None:
    await form(account)
    for after, expected in ((0, [1, 2, 3]), (1, [2, 3]), (3, []), (2**53, [])):
        assert [event["sequence"] for event in await log(account, after=after)] == expected


async def test_events_are_filtered_by_type_and_form(account: Account) -> None:
    one, two = await form(account), await form(account, publish=False)
    await submission(account, one)
    await datasource(account)
    for query, expected in (
        ({"type": "form.created"}, ["form.created", "form.created"]),
        ({"type": ["form.published", "submission.submitted"]}, ["form.published", "submission.submitted"]),
        ({"type": "task.created"}, []),
        ({"formId": two["id"]}, ["form.created"]),
        ({"formId": one["id"], "type": "submission.submitted"}, ["submission.submitted"]),
        ({"formId": [one["id"], two["id"]], "type": "form.created", "after": 3}, ["form.created"]),
    ):
        assert [event["type"] for event in await log(account, **query)] == expected, query


async def test_events_are_filtered_by_time(account: Account) -> None:
    for _ in range(4):
        await form(account, publish=False)
    every = await log(account)
    first, last = every[1]["timestamp"], every[3]["timestamp"]
    expected = [event["sequence"] for event in every if first <= event["timestamp"] < last]
    assert [event["sequence"] for event in await log(account, **{"from": first, "to": last})] == expected
    assert expected[0] == 2
    assert await log(account, **{"from": last}) == [event for event in every if event["timestamp"] >= last]
    assert await log(account, to=every[0]["timestamp"]) == []
    assert await log(account, **{"from": "2999-01-01T00:00:00Z"}) == []
    assert await log(account, **{"from": "2000-01-01T00:00:00Z"}, to="2999-01-01T00:00:00Z") == every


async def test_the_newest_event_can_come_first(account: Account) -> None:
    for _ in range(3):
        await form(account)
    every = await log(account)
    path = f"/webhooks/customer/{account.id}/events"
    found, page = [], await get(account, path, order="-sequence", limit=3, type="form.*")
    found += page["items"]
    while page["next"]:
        page = (await account.api.get(page["next"])).json()
        found += page["items"]
    assert found == [event for event in every[::-1] if event["type"].startswith("form.")]
    response = await account.api.get(PREFIX + path, params={"order": "-sequence", "after": 1})
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["?after"]


async def test_the_document_lists_the_types_and_patterns(account: Account) -> None:
    operation = described()["paths"]["/api/v1.0/webhooks/customer/{customerId}/events"]["get"]
    [schema] = [one["schema"] for one in operation["parameters"] if one["name"] == "type"]
    assert {"submission.submitted", "submission.*", "*"} < set(schema["items"]["enum"])
    for pattern in schema["items"]["enum"]:
        await log(account, type=pattern, limit=1)


async def test_the_list_contains_the_oldest_available_sequence(account: Account) -> None:
    listed = await get(account, f"/webhooks/customer/{account.id}/events", type="task.created")
    assert (listed["items"], listed["oldestAvailable"], listed["newestAvailable"]) == ([], 1, 1)
    await form(account)
    listed = await get(account, f"/webhooks/customer/{account.id}/events", limit=1)
    assert [event["sequence"] for event in listed["items"]] == [1]
    assert (listed["oldestAvailable"], listed["newestAvailable"]) == (1, 3)


async def test_an_event_above_256_kib_links_to_its_resource(account: Account) -> None:
    area = {"type": "textarea", "name": "story", "label": "Story", "maxLength": 100_000}
    new_form = await form(account, fields=[*FIELDS, area])
    handed = await submission(account, new_form, data={"site": "x", "story": "🎉" * 70_000})
    event = (await log(account))[-1]
    assert len(json.dumps(event)) < 1024
    assert (event["data"]["id"], event["data"]["tooLarge"]) == (handed["id"], True)
    schema = described()["webhooks"]["submission.submitted"]["post"]["requestBody"]["content"]["application/json"]
    assert faults_of(schema["schema"], event) == []
    read = await account.api.get(event["data"]["url"])
    assert read.json() == handed
