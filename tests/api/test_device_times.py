"""Rules see the time of the device, which submissions keep."""

from datetime import UTC, datetime
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX

AGE: list[dict[str, Any]] = [
    {"type": "date", "name": "birth", "label": "Birth", "validIf": "birth <= today()", "message": "Not born yet"},
    {"type": "integer", "name": "age", "label": "Age", "calculate": "yearsBetween(birth, today())"},
    {"type": "datetime", "name": "at", "label": "At", "calculate": "now()"},
]
ON_LEAP_DAY = "2028-02-29T00:30:00+14:00"


async def create(account: Account, body: dict[str, Any], *fields: dict[str, Any]) -> Any:
    new_form = await form(account, fields=list(fields or AGE))
    return await account.api.post(f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submissions", json=body)


async def test_a_submission_is_judged_with_the_time_of_its_device(account: Account) -> None:
    submission = (await create(account, {"data": {"birth": "2010-02-28"}, "deviceTime": ON_LEAP_DAY})).json()
    assert submission["data"] == {"birth": "2010-02-28", "age": 18, "at": ON_LEAP_DAY}
    assert submission["deviceTime"] == ON_LEAP_DAY
    address = f"{PREFIX}/customers/{account.id}/submissions/{submission['id']}"
    corrected = (await account.api.put(address, json={"data": {"birth": "2010-03-01"}})).json()
    assert (corrected["data"]["age"], corrected["deviceTime"]) == (17, ON_LEAP_DAY)
    refused = await account.api.put(address, json={"data": {"birth": "2028-03-01"}})
    assert [(one["pointer"], one["detail"]) for one in refused.json()["errors"]] == [("/data/birth", "Not born yet")]


async def test_without_a_device_the_time_of_the_submission_counts(account: Account) -> None:
    body = {"data": {"birth": "2010-02-28"}, "submittedAt": "2020-01-01T00:00:00Z"}
    created = (await create(account, body)).json()
    assert (created["data"]["age"], created["deviceTime"]) == (9, "2020-01-01T00:00:00+00:00")
    now = (await create(account, {"data": {"birth": "2010-02-28"}})).json()
    kept = datetime.fromisoformat(now["deviceTime"])
    assert abs((datetime.now(UTC) - kept).total_seconds()) < 600
    plain = (
        await create(account, {"data": {}, "deviceTime": ON_LEAP_DAY}, {"type": "text", "name": "a", "label": "A"})
    ).json()
    assert "deviceTime" not in plain


@pytest.mark.parametrize(
    "wrong", ["2026-02-30T00:00:00+00:00", "2026-02-03T25:00:00+00:00", "2026-02-03T10:00:00Z", "now", 7]
)
async def test_what_no_clock_shows_is_rejected(account: Account, wrong: Any) -> None:
    response = await create(account, {"data": {}, "deviceTime": wrong})
    assert response.status_code == 422
    assert [one["pointer"] for one in response.json()["errors"]] == ["/deviceTime"]
