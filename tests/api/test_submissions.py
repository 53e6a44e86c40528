"""Creating submissions with the API."""

from actors import Account
from factories.forms import form
from factories.submissions import submission


async def test_a_created_submission_can_be_read(account: Account) -> None:
    new_submission = await submission(
        account, await form(account), externalId="crm-1", data={"site": "Ää 🎉", "people": 3}
    )
    read = await account.api.get(f"/api/v1.0/customers/{account.id}/submissions/{new_submission['id']}")
    assert read.status_code == 200
    assert read.json() == new_submission
    assert new_submission["status"] == "SUBMITTED"
    assert new_submission["data"] == {"site": "Ää 🎉", "people": 3}


async def test_the_location_header_is_the_url_of_the_submission(account: Account) -> None:
    f = await form(account)
    response = await account.api.post(
        f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions", json={"data": {"site": "x"}}
    )
    assert response.headers["location"].startswith("https://forms.test/api/v1.0/customers/")
    assert (await account.api.get(response.headers["location"])).json()["id"] == response.json()["id"]


async def test_all_errors_of_the_answers_are_reported_at_once(account: Account) -> None:
    f = await form(account)
    response = await account.api.post(
        f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions",
        json={"data": {"people": "three", "kind": "z", "day": "2026-02-30", "nobody": 1}},
    )
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    faults = {(fault["pointer"], fault["code"]) for fault in response.json()["errors"]}
    assert faults == {
        ("/data/site", "value.required"),
        ("/data/people", "value.type"),
        ("/data/kind", "value.choice"),
        ("/data/day", "value.format"),
        ("/data/nobody", "value.unknown"),
    }


async def test_a_rejected_submission_stores_nothing(account: Account) -> None:
    f = await form(account)
    await account.api.post(
        f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions", json={"data": {"people": "three"}}
    )
    assert (await account.api.get("/api/v1.0/submissions")).json()["items"] == []
    events = (await account.api.get(f"/api/v1.0/webhooks/customer/{account.id}/events")).json()["items"]
    assert not [event for event in events if event["type"].startswith("submission.")]
