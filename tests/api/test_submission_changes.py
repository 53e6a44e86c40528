"""Correcting, reviewing and deleting submissions."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from actors import Account
from factories.datasources import datasource
from factories.files import FIELDS as FILE_FIELDS
from factories.files import listed, uploaded
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import started, submission

NO_CHANGE: dict[str, Any] = {"data": {"site": "Harbour", "people": 3}, "status": "SUBMITTED", "externalId": None}


def _address(account: Account, submission_id: str, rest: str = "") -> str:
    return f"{PREFIX}/customers/{account.id}/submissions/{submission_id}{rest}"


async def changed(account: Account, submission_id: str, **what: Any) -> dict[str, Any]:
    response = await account.api.put(_address(account, submission_id), json=what)
    assert response.status_code == 200, response.text
    created: dict[str, Any] = response.json()
    return created


async def revisions(account: Account, submission_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await account.api.get(_address(account, submission_id, "/revisions"))).json()[
        "items"
    ]
    return found


async def events(account: Account) -> list[dict[str, Any]]:
    found = await get(
        account, f"/webhooks/customer/{account.id}/events", type=["submission.updated", "submission.deleted"]
    )
    return list(found["items"])


async def test_each_change_creates_a_revision_and_an_event(account: Account) -> None:
    new_submission = await submission(account, await form(account))
    noted = await changed(account, new_submission["id"], status="REJECTED", note="Which quay?")
    assert (noted["status"], noted["note"], noted["revision"]) == ("REJECTED", "Which quay?", 2)
    assert noted["updated"] > new_submission["updated"]
    corrected = await changed(account, new_submission["id"], data={"site": "Quay 4"})
    assert (corrected["data"], corrected["note"]) == ({"site": "Quay 4"}, "Which quay?")
    approved = await changed(account, new_submission["id"], status="APPROVED")
    assert (approved["status"], approved["note"], approved["revision"]) == ("APPROVED", None, 4)
    found = await revisions(account, new_submission["id"])
    changes = [(one["revision"], one["status"], one["note"], one["data"].get("site")) for one in found]
    assert changes == [
        (1, "SUBMITTED", None, "Harbour"),
        (2, "REJECTED", "Which quay?", "Harbour"),
        (3, "REJECTED", "Which quay?", "Quay 4"),
        (4, "APPROVED", None, "Quay 4"),
    ]
    assert {one["updatedBy"][:4] for one in found} == {"key_"}
    assert [event["data"] for event in await events(account)] == [noted, corrected, approved]
    assert await get(account, f"/customers/{account.id}/submissions/{new_submission['id']}") == approved


async def test_revisions_are_paged(account: Account) -> None:
    new_submission = await submission(account, await form(account))
    for people in range(4, 8):
        await changed(account, new_submission["id"], data={"site": "x", "people": people})
    first = await get(account, f"/customers/{account.id}/submissions/{new_submission['id']}/revisions", limit=2)
    second = (await account.api.get(first["next"])).json()
    assert [one["revision"] for one in [*first["items"], *second["items"]]] == [1, 2, 3, 4]


async def test_a_request_without_changes_creates_no_revision(account: Account) -> None:
    new_submission = await submission(account, await form(account))
    for same in (
        {},
        {"status": "SUBMITTED"},
        {"note": None},
        {"note": ""},
        NO_CHANGE,
        {"submittedAt": new_submission["submittedAt"]},
    ):
        assert await changed(account, new_submission["id"], **same) == new_submission
    assert await events(account) == []


async def test_equal_answers_in_another_order_without_calculated_ones_are_no_change(account: Account) -> None:
    fields = [
        {"type": "decimal", "name": "price", "label": "Price"},
        {"type": "integer", "name": "n", "label": "How many"},
        {"type": "decimal", "name": "total", "label": "Total", "calculate": "double(n) * price"},
        {"type": "text", "name": "why", "label": "Why", "visibleIf": "n > 100"},
    ]
    new_submission = await submission(account, await form(account, fields=fields), data={"price": 2.5, "n": 2})
    for same in ({"price": 2.5, "n": 2}, {"n": 2, "price": 2.5}, {"n": 2, "why": "Many", "price": 2.5, "total": 7}):
        assert await changed(account, new_submission["id"], data=same) == new_submission
    assert await events(account) == []


async def test_all_properties_can_be_set_and_removed(account: Account) -> None:
    visit = await form(account)
    new_submission = await submission(account, visit)
    about = {
        "externalId": "erp-1",
        "userId": account.owner.id,
        "location": {"latitude": 1.5, "longitude": 2, "accuracy": None},
    }
    whole = await changed(account, new_submission["id"], submittedAt="2026-01-01T00:00:00Z", **about)
    assert {name: whole[name] for name in about} == about
    assert whole["submittedAt"] == "2026-01-01T00:00:00.000Z"
    assert await changed(account, new_submission["id"]) == whole
    bare = await changed(account, new_submission["id"], externalId=None, userId=None, location=None)
    assert [bare[name] for name in about] == [None, None, None]
    other = await submission(account, visit, externalId="erp-1")
    taken = await account.api.put(_address(account, new_submission["id"]), json={"externalId": "erp-1"})
    assert (taken.status_code, taken.json()["code"]) == (409, "submission.external_id_taken")
    assert taken.json()["existingId"] == other["id"]
    assert taken.headers["location"].endswith(f"/customers/{account.id}/submissions/{other['id']}")
    assert (await account.api.get(taken.headers["location"])).json() == other


async def test_a_correction_is_validated_like_a_submission(account: Account) -> None:
    new_submission = await submission(account, await form(account))
    response = await account.api.put(
        _address(account, new_submission["id"]), json={"data": {"people": "three", "nobody": 1}}
    )
    assert response.status_code == 422
    assert {fault["pointer"] for fault in response.json()["errors"]} == {"/data/site", "/data/people", "/data/nobody"}
    assert len(await revisions(account, new_submission["id"])) == 1


async def test_a_started_submission_cannot_be_reviewed(account: Account) -> None:
    draft = await started(account, await form(account), "c1", site="x")
    response = await account.api.put(_address(account, draft.id), json={"status": "APPROVED"})
    assert (response.status_code, response.json()["code"]) == (409, "submission.not_submitted")
    assert (await account.api.put(_address(account, draft.id), json={"status": "STARTED"})).status_code == 422


async def test_two_concurrent_changes_create_two_revisions(account: Account) -> None:
    new_submission = await submission(account, await form(account))
    await asyncio.gather(*(changed(account, new_submission["id"], data={"site": f"Site {n}"}) for n in range(6)))
    found = await revisions(account, new_submission["id"])
    assert [one["revision"] for one in found] == list(range(1, 8))
    assert {one["data"]["site"] for one in found[1:]} == {f"Site {n}" for n in range(6)}


async def test_a_deleted_row_stays_in_a_submission_that_refers_to_it(account: Account) -> None:
    table = await datasource(account, rows=[{"number": "C-1", "name": "One"}, {"number": "C-2", "name": "Two"}])
    look_up = {"type": "lookup", "name": "client", "label": "Client", "datasourceId": table["id"], "display": ["name"]}
    visit = await form(account, fields=[look_up, {"type": "text", "name": "site", "label": "Site"}])
    new_submission = await submission(account, visit, data={"client": "C-1"})
    rows = f"{PREFIX}/customers/{account.id}/datasources/{table['id']}/rows"
    assert (await account.api.put(rows, json={"rows": [{"number": "C-2", "name": "Two"}]})).status_code == 200
    corrected = await changed(account, new_submission["id"], data={"client": "C-1", "site": "x"})
    assert corrected["lookups"] == new_submission["lookups"]
    unknown = await account.api.put(_address(account, new_submission["id"]), json={"data": {"client": "C-9"}})
    assert [fault["code"] for fault in unknown.json()["errors"]] == ["answer.lookup.unknown"]


async def test_deleting_a_submission_deletes_everything_that_belongs_to_it(account: Account) -> None:
    text = {"type": "text", "name": "quay", "label": "Quay", "indexed": True}
    visit = await form(account, fields=[*FILE_FIELDS, text])
    photo = await uploaded(account, visit)
    new_submission = await submission(account, visit, data={"photos": [photo], "quay": "x"}, externalId="erp-1")
    last = await changed(account, new_submission["id"], data={"photos": [photo], "quay": "y"})
    [file] = await listed(account, new_submission["id"])
    assert (await account.api.delete(_address(account, new_submission["id"]))).status_code == 204
    for rest in ("", "/revisions", "/files"):
        assert (await account.api.get(_address(account, new_submission["id"], rest))).status_code == 404
    assert (await account.api.delete(_address(account, new_submission["id"]))).status_code == 404
    assert (await get(account, f"/submissions?formId={visit['id']}&answers.quay=y"))["items"] == []
    changes = (await events(account))[-1]
    assert (changes["type"], changes["category"], changes["data"]) == ("submission.deleted", "form updated", last)
    again = await submission(account, visit, data={"photos": [photo], "quay": "x"}, externalId="erp-1")
    assert [one["id"] for one in await listed(account, again["id"])] == [file["id"]]


@pytest.mark.parametrize("same", [True, False], ids=["the same again", "other answers"])
async def test_a_rejected_submission_can_be_submitted_again(account: Account, same: bool) -> None:
    visit, client_id = await form(account), uuid4()

    async def send(**data: Any) -> tuple[int, str]:
        async with account.stage.client() as anybody:
            body = {"versionId": visit["publishedVersionId"], "data": data}
            response = await anybody.post(f"{visit['fillPath']}/submissions/{client_id}", json=body)
        return response.status_code, response.json().get("id") or response.json()["code"]

    _, submission_id = await send(site="A")
    await changed(account, submission_id, status="REJECTED", note="Which one?")
    # The first one may arrive again, from a phone that did not receive the response.
    assert await send(site="A" if same else "B") == (200 if same else 201, submission_id)
    now = await get(account, f"/customers/{account.id}/submissions/{submission_id}")
    assert (now["status"], now["note"]) == (("REJECTED", "Which one?") if same else ("SUBMITTED", None))
    assert [one["status"] for one in await revisions(account, submission_id)] == [
        "SUBMITTED",
        "REJECTED",
        *([] if same else ["SUBMITTED"]),
    ]
    if not same:
        assert await send(site="C") == (409, "submission.submitted_already")
