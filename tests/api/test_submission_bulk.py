"""Changing many submissions in one request."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from actors import Account
from factories.files import FIELDS as FILE_FIELDS
from factories.files import uploaded
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import started, submission

Item = dict[str, Any]


async def bulk(account: Account, items: list[Item], **options: Any) -> Any:
    """Send the items; return the answer, whatever its status."""
    headers = {"idempotency-key": options.pop("key")} if "key" in options else {}
    query = options.pop("query", "")
    address = f"{PREFIX}/customers/{account.id}/submissions/bulk{query}"
    return await account.api.post(address, json={"items": items, **options}, headers=headers)


async def changed(account: Account, *items: Item) -> list[Item]:
    response = await bulk(account, list(items))
    assert response.status_code == 200, response.text
    found = response.json()
    assert found["failed"] == sum(one["problem"] is not None for one in found["items"])
    return list(found["items"])


def creation(form_id: str, **more: Any) -> Item:
    return {"op": "create", "formId": form_id, "data": {"site": "Harbour"}} | more


async def _one(account: Account, submission_id: str) -> Item:
    return dict(await get(account, f"/customers/{account.id}/submissions/{submission_id}"))


async def _events(account: Account) -> list[Item]:
    found = await get(account, f"/webhooks/customer/{account.id}/events", limit=1000)
    return [one for one in found["items"] if one["type"].startswith("submission.")]


async def test_items_are_applied_in_order_with_one_event_each(account: Account) -> None:
    new_form = await form(account)
    first, second = await submission(account, new_form), await submission(account, new_form)
    before = len(await _events(account))
    results = await changed(
        account,
        creation(new_form["id"], data={"site": "Kai 🎉"}, externalId="erp-1", userId=account.owner.id),
        {"op": "update", "id": first["id"], "data": {"site": "Quay 4"}},
        {"op": "review", "id": first["id"], "status": "REJECTED", "note": "Which quay?"},
        {"op": "review", "id": second["id"], "status": "APPROVED"},
        {"op": "delete", "id": second["id"]},
        creation(new_form["id"]),
    )
    assert [one["status"] for one in results] == [201, 200, 200, 200, 204, 201]
    assert [one["revision"] for one in results] == [1, 2, 3, 2, None, 1]
    assert [one["id"] for one in results[1:5]] == [first["id"], first["id"], second["id"], second["id"]]
    outcomes = (await _events(account))[before:]
    kinds = ["submitted", "updated", "updated", "updated", "deleted", "submitted"]
    assert [(one["type"], one["data"]["id"]) for one in outcomes] == [
        (f"submission.{kind}", one["id"]) for kind, one in zip(kinds, results, strict=True)
    ]
    created = await _one(account, results[0]["id"])
    assert (created["data"], created["externalId"], created["userId"]) == (
        {"site": "Kai 🎉"},
        "erp-1",
        account.owner.id,
    )
    assert outcomes[0]["data"] == created
    reviewed = await _one(account, first["id"])
    assert (reviewed["status"], reviewed["note"], reviewed["data"]["site"]) == ("REJECTED", "Which quay?", "Quay 4")
    history = await get(account, f"/customers/{account.id}/submissions/{first['id']}/revisions")
    assert [(one["revision"], one["status"], one["data"]["site"]) for one in history["items"]] == [
        (1, "SUBMITTED", "Harbour"),
        (2, "SUBMITTED", "Quay 4"),
        (3, "REJECTED", "Quay 4"),
    ]
    audit = await get(account, f"/customers/{account.id}/audit", limit=6)
    assert [one["action"] for one in audit["items"]][::-1] == [f"submission.{kind}" for kind in kinds]


async def test_a_rejected_item_changes_nothing_and_does_not_stop_the_others(account: Account) -> None:
    new_form, unpublished = await form(account), await form(account, publish=False)
    draft_id = (await started(account, new_form, str(uuid4()), site="A")).id
    old = await submission(account, new_form, externalId="taken")
    nobody = f"sub_{'0' * 26}"
    before = len(await _events(account))
    results = await changed(
        account,
        creation(new_form["id"], data={"site": 3}),
        creation(unpublished["id"]),
        creation(new_form["id"], externalId="taken"),
        creation(new_form["id"], externalId="x" * 201),
        creation(new_form["id"], externalId="twice"),
        creation(new_form["id"], externalId="twice"),
        {"op": "update", "id": nobody},
        {"op": "review", "id": draft_id, "status": "APPROVED"},
        {"op": "update", "id": old["id"], "userId": f"usr_{'0' * 26}"},
        {"op": "delete", "id": nobody},
        {"op": "forget", "id": old["id"]},
        {"op": "create"},
    )
    outcomes = [(one["status"], (one["problem"] or {}).get("code")) for one in results]
    assert outcomes == [
        (422, "request.invalid"),
        (409, "form.not_published"),
        (409, "submission.external_id_taken"),
        (422, "request.invalid"),
        (201, None),
        (409, "submission.external_id_taken"),
        (404, "submission.not_found"),
        (409, "submission.not_submitted"),
        (422, "request.invalid"),
        (404, "submission.not_found"),
        (422, "request.invalid"),
        (422, "request.invalid"),
    ]
    pointers = [[fault["pointer"] for fault in (one["problem"] or {}).get("errors", [])] for one in results]
    assert [pointers[index] for index in (0, 3, 8)] == [["/data/site"], ["/externalId"], ["/userId"]]
    assert len(await _events(account)) == before + 1
    assert await _one(account, old["id"]) == old


async def test_an_external_id_is_free_as_soon_as_an_earlier_item_gave_it_up(account: Account) -> None:
    new_form = await form(account)
    first, second = (
        await submission(account, new_form, externalId="a"),
        await submission(account, new_form, externalId="b"),
    )
    results = await changed(
        account,
        creation(new_form["id"], externalId="a"),
        {"op": "delete", "id": first["id"]},
        creation(new_form["id"], externalId="a"),
        {"op": "update", "id": second["id"], "externalId": "c"},
        creation(new_form["id"], externalId="b"),
        creation(new_form["id"], externalId="c"),
    )
    assert [one["status"] for one in results] == [409, 204, 201, 200, 201, 409]


async def test_a_rejected_item_leaves_its_files_to_others(account: Account) -> None:
    new_form = await form(account, fields=FILE_FIELDS)
    photo = await uploaded(account, new_form)
    results = await changed(
        account,
        creation(new_form["id"], data={"photos": [photo], "nobody": 1}),
        creation(new_form["id"], data={"photos": [photo]}),
        creation(new_form["id"], data={"photos": [photo]}),
        creation(new_form["id"], data={}),
    )
    assert [one["status"] for one in results] == [422, 201, 422, 201]
    assert results[2]["problem"]["errors"][0]["code"] == "file.taken"
    files = await get(account, f"/customers/{account.id}/submissions/{results[1]['id']}/files")
    assert [one["id"] for one in files["items"]] == [photo]


async def test_atomic_changes_all_or_nothing(account: Account) -> None:
    new_form = await form(account)
    old, before = await submission(account, new_form), await _events(account)
    items = [
        creation(new_form["id"]),
        {"op": "update", "id": old["id"], "data": {"site": "Quay 4"}},
        creation(new_form["id"], data={"site": 3, "nobody": 1}),
        {"op": "delete", "id": f"sub_{'0' * 26}"},
    ]
    response = await bulk(account, items, atomic=True, key="all-1")
    assert (response.status_code, response.json()["code"]) == (422, "submission.bulk_rejected")
    outcomes = {(one["pointer"], one["code"]) for one in response.json()["errors"]}
    assert {pointer for pointer, _ in outcomes} == {"/items/2/data/site", "/items/2/data/nobody", "/items/3/id"}
    assert ("/items/3/id", "submission.not_found") in outcomes
    assert (await _one(account, old["id"]), await _events(account)) == (old, before)
    corrected = await bulk(account, items[:2], atomic=True, key="all-1")
    assert (corrected.status_code, corrected.json()["failed"]) == (200, 0)
    assert len(await _events(account)) == len(before) + 2


async def test_a_dry_run_and_a_repetition_change_nothing(account: Account) -> None:
    new_form = await form(account)
    items = [creation(new_form["id"], externalId=f"e-{number}") for number in range(3)]
    dry = await bulk(account, items, query="?dryRun=true", key="b-1")
    assert [one["status"] for one in dry.json()["items"]] == [201] * 3
    first = await bulk(account, [*items, creation(new_form["id"], data=[])], key="b-1")
    again = await bulk(account, [*items, creation(new_form["id"], data=[])], key="b-1")
    assert first.json()["failed"] == 1
    assert (again.status_code, again.content, again.headers["idempotent-replayed"]) == (200, first.content, "true")
    found = await get(account, f"/submissions?formId={new_form['id']}&order=updated")
    assert [one["externalId"] for one in found["items"]] == ["e-0", "e-1", "e-2"]


async def test_indexed_answers_are_indexed(account: Account) -> None:
    fields = [{"type": "text", "name": "site", "label": "Site", "indexed": True}]
    new_form = await form(account, fields=fields)
    results = await changed(account, *(creation(new_form["id"], data={"site": site}) for site in ("a", "b", "c")))
    one = {"id": results[0]["id"]}
    await changed(
        account,
        {"op": "update", **one, "data": {"site": "d"}},
        {"op": "update", **one, "data": {"site": "e"}},
        {"op": "delete", "id": results[1]["id"]},
    )
    for site, expected in (("a", []), ("b", []), ("c", [results[2]["id"]]), ("d", []), ("e", [results[0]["id"]])):
        query = {"formId": new_form["id"], "answers.site": site}
        found = await get(account, "/submissions", **query)
        assert [item["id"] for item in found["items"]] == expected, site


@pytest.mark.parametrize("count", [0, 1001])
async def test_a_request_has_1_to_1000_items(account: Account, count: int) -> None:
    response = await bulk(account, [{"op": "delete", "id": f"sub_{'0' * 26}"}] * count)
    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (422, "/items")


async def test_a_thousand_large_items(account: Account) -> None:
    fields = [{"type": "text", "name": f"t{n}", "label": "T", "maxLength": 10_000} for n in range(150)]
    new_form = await form(account, fields=fields)
    data = {f"t{n}": "🎉" * 10 for n in range(150)}
    response = await bulk(account, [creation(new_form["id"], data=data)] * 1000)
    assert (response.status_code, response.json()["failed"]) == (200, 0), response.text[:300]
    last = await _one(account, response.json()["items"][-1]["id"])
    assert last["data"] == data


async def test_concurrent_requests_about_the_same_submissions(account: Account) -> None:
    new_form = await form(account)
    ids = [one["id"] for one in await changed(account, *[creation(new_form["id"])] * 40)]

    async def send(name: str, order: list[str]) -> list[Item]:
        reviews = [{"op": "update", "id": one, "data": {"site": name}} for one in order]
        new = [creation(new_form["id"], externalId=f"same-{number}") for number in range(20)]
        deleted = [{"op": "delete", "id": one} for one in order[30:]]
        return await changed(account, *reviews, *new, *deleted)

    orders = [ids, ids[::-1], ids[20:] + ids[:20], ids]
    answers = await asyncio.gather(*(send(f"n{number}", order) for number, order in enumerate(orders)))
    statuses = [one["status"] for answer in answers for one in answer]
    assert set(statuses) <= {200, 201, 204, 404, 409}
    assert statuses.count(201) == 20
    gone = {one["id"] for answer in answers for one in answer if one["status"] == 204}
    assert statuses.count(204) == len(gone)
    kept = [one for one in ids if one not in gone]
    left = await get(account, f"/submissions?formId={new_form['id']}&limit=1000")
    assert {one["id"] for one in left["items"]} >= set(kept)
    assert len(left["items"]) == len(kept) + 20
    numbers = [one["sequence"] for one in await _events(account)]
    assert numbers == sorted(set(numbers))


async def test_items_of_anstranger_do_not_exist(account: Account, stranger: Account) -> None:
    theirs = await form(stranger)
    one = await submission(stranger, theirs)
    results = await changed(
        account,
        creation(theirs["id"]),
        {"op": "update", "id": one["id"], "data": {"site": "x"}},
        {"op": "review", "id": one["id"], "status": "APPROVED"},
        {"op": "delete", "id": one["id"]},
    )
    assert [item["status"] for item in results] == [404] * 4
    assert await _one(stranger, one["id"]) == one


async def test_all_changes_of_a_request_have_one_timestamp_and_later_changes_have_a_later_one(account: Account) -> None:
    new_form = await form(account)
    items = [{"op": "create", "formId": new_form["id"], "data": {"site": "Quay", "people": 1}} for _ in range(50)]
    path = f"{PREFIX}/customers/{account.id}/submissions/bulk"
    assert (await account.api.post(path, json={"items": items})).json()["failed"] == 0
    listed = (await get(account, f"/submissions?formId={new_form['id']}&limit=1000"))["items"]
    [stamp] = {one["updated"] for one in listed}
    assert len(listed) == 50
    assert (await submission(account, new_form))["updated"] > stamp
