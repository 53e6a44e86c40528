"""Subscribers and their deliveries."""

import asyncio
from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission
from factories.subscribers import URL, subscriber
from standardwebhooks import Webhook

from formwright.core.auth.actor import Scope
from formwright.domain.webhooks import store
from formwright.domain.webhooks.health import HEALTHY


async def refused(account: Account, **members: Any) -> list[tuple[str, str]]:
    """Return the errors of a rejected subscriber."""
    response = await account.api.post(f"{PREFIX}/webhooks/subscribers", json={"url": URL} | members)
    assert response.status_code == 422, response.text
    assert (await get(account, f"/webhooks/customer/{account.id}/subscribers"))["items"] == []
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


async def pending_event_types(account: Account, hook: dict[str, Any]) -> list[str]:
    """Return the event types of pending deliveries to a subscriber, oldest first."""
    listed = await get(account, f"/webhooks/customer/{account.id}/subscribers/{hook['id']}/invocations")
    return [invocation["type"] for invocation in listed["items"]][::-1]


async def test_a_subscriber_is_returned_without_its_secret(account: Account) -> None:
    new_subscriber = await subscriber(account, name="CRM", types=["submission.*", "task.created"])
    secret = new_subscriber.pop("secret")
    Webhook(secret)
    assert await get(account, f"/webhooks/customer/{account.id}/subscribers/{new_subscriber['id']}") == new_subscriber
    assert (await get(account, f"/webhooks/customer/{account.id}/subscribers"))["items"] == [new_subscriber]
    assert (new_subscriber["status"], new_subscriber["reason"], new_subscriber["name"], new_subscriber["url"]) == (
        "ACTIVE",
        None,
        "CRM",
        URL,
    )


async def test_the_secret_is_stored_encrypted(account: Account) -> None:
    new_subscriber = await subscriber(account)
    async with account.ctx.db.reading() as tx:
        row = await tx.fetch_one("SELECT * FROM subscribers WHERE customer_id = $1", account.id)
    assert row
    assert new_subscriber["secret"].removeprefix("whsec_") not in str(list(row))


async def test_a_failing_subscriber_can_be_changed_with_if_match(account: Account) -> None:
    hook = await subscriber(account)
    address = f"{PREFIX}/webhooks/customer/{account.id}/subscribers/{hook['id']}"
    read = (await account.api.get(address)).headers["etag"]
    async with account.ctx.db.writing() as tx:
        await store.update_health(tx, Scope(account.id), [(hook["id"], HEALTHY.after_failure(1000, 2000))])
    now = await account.api.get(address, headers={"if-none-match": read})
    assert (now.status_code, now.json()["failingSince"]) == (200, "1970-01-01T00:00:01.000Z")
    done = await account.api.put(address, json={"name": "Fixed"}, headers={"if-match": read})
    assert (done.status_code, done.json()["name"]) == (200, "Fixed")
    late = await account.api.put(address, json={"name": "Late"}, headers={"if-match": now.headers["etag"]})
    assert (late.status_code, late.json()["code"]) == (412, "precondition.failed")


async def test_earlier_events_are_not_delivered(account: Account) -> None:
    await form(account)
    assert await pending_event_types(account, await subscriber(account)) == []


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ([], ["form.created", "form.published", "submission.submitted", "datasource.imported"]),
        (["*"], ["form.created", "form.published", "submission.submitted", "datasource.imported"]),
        (["submission.submitted"], ["submission.submitted"]),
        (["form.*"], ["form.created", "form.published"]),
        (["form.created", "datasource.*"], ["form.created", "datasource.imported"]),
        (["task.*"], []),
    ],
)
async def test_a_subscriber_receives_only_its_event_types(
    account: Account, types: list[str], expected: list[str]
) -> None:
    hook = await subscriber(account, types=types)
    await submission(account, await form(account))
    await datasource(account)
    assert await pending_event_types(account, hook) == expected


async def test_a_subscriber_of_some_forms_receives_only_their_events(account: Account) -> None:
    one, two = await form(account), await form(account)
    hook = await subscriber(account, formIds=[one["id"]])
    await submission(account, two)
    assert await pending_event_types(account, hook) == []
    await submission(account, one)
    assert await pending_event_types(account, hook) == ["submission.submitted"]


async def test_events_of_other_accounts_are_not_delivered(account: Account, stranger: Account) -> None:
    hook = await subscriber(account)
    await form(stranger)
    assert await pending_event_types(account, hook) == []


async def test_a_pending_delivery_contains_its_due_time(account: Account) -> None:
    hook = await subscriber(account)
    await form(account)
    address = f"/webhooks/customer/{account.id}/subscribers/{hook['id']}/invocations"
    newest, oldest = (await get(account, address))["items"]
    assert (oldest["status"], oldest["tries"], oldest["attempts"]) == ("PENDING", 0, [])
    assert oldest["nextTry"] <= newest["nextTry"]
    assert await get(account, f"{address}/{oldest['id']}") == oldest
    event = await get(account, f"/webhooks/customer/{account.id}/events/{oldest['eventId']}")
    assert (event["type"], event["sequence"]) == (oldest["type"], oldest["sequence"])


async def test_a_delivery_only_exists_at_its_subscriber(account: Account) -> None:
    one, two = await subscriber(account), await subscriber(account)
    await form(account)
    hooks = f"/webhooks/customer/{account.id}/subscribers"
    [*_, invocation] = (await get(account, f"{hooks}/{one['id']}/invocations"))["items"]
    response = await account.api.get(f"{PREFIX}{hooks}/{two['id']}/invocations/{invocation['id']}")
    assert (response.status_code, response.json()["code"]) == (404, "invocation.not_found")


async def test_deleting_a_subscriber_deletes_its_pending_deliveries(account: Account) -> None:
    hook, other = await subscriber(account), await subscriber(account)
    await form(account)
    address = f"{PREFIX}/webhooks/customer/{account.id}/subscribers/{hook['id']}"
    assert (await account.api.delete(address)).status_code == 204
    for again in (address, f"{address}/invocations"):
        assert (await account.api.get(again)).json()["code"] == "subscriber.not_found"
    assert (await account.api.delete(address)).status_code == 404
    await form(account)
    assert await pending_event_types(account, other) == ["form.created", "form.published"] * 2


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "ftp://example.org/",
        "https://",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://user:secret@example.org/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org/" + "x" * 2048,
        "javascript:alert(1)",
        "https://example.org/\nx-api-key: 1",
    ],
)
async def test_a_forbidden_url_is_rejected(account: Account, url: str) -> None:
    [(pointer, _)] = await refused(account, url=url)
    assert pointer == "/url"


@pytest.mark.parametrize(
    "type_", ["", "**", "submission", "submission.", "nobody.*", "form.create", "FORM.*", "form.*\n"]
)
async def test_an_unknown_event_type_is_rejected(account: Account, type_: str) -> None:
    assert await refused(account, types=["task.*", type_]) == [("/types/1", "value.pattern")]


async def test_repeated_types_and_unknown_forms_are_rejected_with_a_pointer(
    account: Account, stranger: Account
) -> None:
    assert await refused(account, types=["task.*", "form.*", "task.*"]) == [("/types/2", "value.repeated")]
    own, foreign = await form(account), await form(stranger)
    found = await refused(account, formIds=[own["id"], foreign["id"], "frm_00000000000000000000000000"])
    assert found == [("/formIds/1", "form.not_found"), ("/formIds/2", "form.not_found")]


async def test_the_limit_of_100_subscribers_holds_for_concurrent_requests(account: Account) -> None:
    async def ask() -> tuple[int, str]:
        response = await account.api.post(f"{PREFIX}/webhooks/subscribers", json={"url": URL})
        return response.status_code, response.json().get("code", "")

    found = await asyncio.gather(*(ask() for _ in range(115)))
    assert found.count((201, "")) == 100
    assert found.count((409, "subscriber.limit_reached")) == 15
    listed = (await get(account, f"/webhooks/customer/{account.id}/subscribers", limit=1000))["items"]
    assert len(listed) == 100
    await account.api.delete(f"{PREFIX}/webhooks/customer/{account.id}/subscribers/{listed[0]['id']}")
    assert [(await ask())[0] for _ in range(2)] == [201, 409]


async def test_an_update_keeps_omitted_properties(account: Account) -> None:
    new_subscriber = await subscriber(account, types=["task.*"])
    here = f"{PREFIX}/webhooks/customer/{account.id}/subscribers/{new_subscriber['id']}"
    changed = (await account.api.put(here, json={"name": "Other"})).json()
    kept = {
        name: value for name, value in new_subscriber.items() if name not in ("secret", "updated", "revision", "name")
    }
    assert {name: changed[name] for name in kept} == kept
    assert (changed["name"], changed["revision"]) == ("Other", 2)
    same = (await account.api.put(here, json={"name": "Other", "types": ["task.*"]})).json()
    assert same == changed
    for status in ("DISABLED", "ACTIVE"):
        assert (await account.api.put(here, json={"status": status})).json()["status"] == status
    wrong = {"url": "ftp://example.org", "types": ["task.*", "task.*"], "formIds": []}
    refused = await account.api.put(here, json=wrong)
    assert {fault["pointer"] for fault in refused.json()["errors"]} == {"/url", "/types/1"}
    assert (await account.api.put(here, json={"types": ["no.such"]})).status_code == 422


async def test_deliveries_are_filtered_by_status(account: Account) -> None:
    new_subscriber = await subscriber(account)
    here = f"/webhooks/customer/{account.id}/subscribers/{new_subscriber['id']}"
    tests = [(await account.api.post(f"{PREFIX}{here}/test")).json() for _ in range(2)]
    gone = f"{PREFIX}{here}/invocations/{tests[0]['id']}"
    assert (await account.api.delete(gone)).status_code == 204
    assert (await account.api.delete(gone)).json()["code"] == "invocation.ended"
    found = {
        status: [one["id"] for one in (await get(account, f"{here}/invocations?status={status}"))["items"]]
        for status in ("PENDING", "SUCCEEDED", "FAILED", "CANCELLED")
    }
    assert found == {"PENDING": [tests[1]["id"]], "SUCCEEDED": [], "FAILED": [], "CANCELLED": [tests[0]["id"]]}
    again = await account.api.post(gone + "/retry")
    assert (again.status_code, again.json()["status"]) == (202, "PENDING")


@pytest.mark.parametrize(
    "name", ["webhook-id", "Formwright-Sequence", "Content-Type", "HOST", "transfer-encoding", "a b", "", "ä", "x\n"]
)
async def test_reserved_headers_are_rejected(account: Account, name: str) -> None:
    found = await refused(account, headers={"X-Own": "1", name: "1", "x-own": "2"})
    assert found == [(f"/headers/{name}", "subscriber.header"), ("/headers/x-own", "subscriber.header")]


async def test_header_values_are_not_returned(account: Account) -> None:
    new_subscriber = await subscriber(account, headers={"Authorization": "Bearer 4711"})
    assert new_subscriber["headers"] == {"Authorization": None}
    shown = await get(account, f"/webhooks/customer/{account.id}/subscribers/{new_subscriber['id']}")
    assert shown["headers"] == {"Authorization": None}
    assert [code for _, code in await refused_change(account, new_subscriber, headers={"X": "a\nb"})] == [
        "subscriber.header"
    ]


async def refused_change(account: Account, subscriber: dict[str, Any], **members: Any) -> list[tuple[str, str]]:
    """Return the errors of a rejected update."""
    address = f"{PREFIX}/webhooks/customer/{account.id}/subscribers/{subscriber['id']}"
    response = await account.api.put(address, json=members)
    assert response.status_code == 422, response.text
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


@pytest.mark.parametrize("body", [{}, {"afterSequence": 1, "since": "2026-01-01T00:00:00Z"}])
async def test_a_replay_requires_exactly_one_start(account: Account, body: dict[str, Any]) -> None:
    new_subscriber = await subscriber(account)
    address = f"{PREFIX}/webhooks/customer/{account.id}/subscribers/{new_subscriber['id']}/replay"
    response = await account.api.post(address, json=body)
    assert [fault["code"] for fault in response.json()["errors"]] == ["replay.from"]
