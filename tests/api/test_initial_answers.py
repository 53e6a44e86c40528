"""Submissions that another system creates get the initial answers of hidden fields."""

from typing import Any
from uuid import UUID

import httpx
import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX
from factories.submissions import submission

TIME = "2026-03-29T23:30:00+02:00"


def hidden(kind: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "name": name, "label": name, "hidden": True, **more}


FIELDS = [
    {"type": "date", "name": "born", "label": "Born", "validIf": "born <= today"},
    hidden("date", "today", defaultRule="today()"),
    hidden("text", "plan", default="free"),
    hidden("text", "both", defaultRule="plan + '/' + today"),
    hidden("text", "town", defaultRule="has(lastSaved.seen) ? lastSaved.seen : 'Kiel'"),
    {"type": "text", "name": "seen", "label": "Seen", "defaultRule": "'never here'"},
    hidden("integer", "wrong", defaultRule="7", max=5),
    hidden("text", "copied", defaultRule="seen + '!'", recalculateOn=["seen"]),
    hidden("text", "gone", defaultRule="'x'", visibleIf="answered.seen"),
    {
        "type": "repeat",
        "name": "rows",
        "label": "Rows",
        "fields": [
            {"type": "integer", "name": "n", "label": "N"},
            hidden("text", "code", defaultRule="plan + string(position(rows))"),
            hidden("integer", "twice", defaultRule="n * 2"),
        ],
    },
]


@pytest.mark.parametrize(
    ("sent", "added"),
    [
        ({}, {}),
        ({"plan": "paid", "both": ""}, {"both": "paid/2026-03-29"}),
        ({"seen": "here"}, {"copied": "here!", "gone": "x"}),
        (
            {"born": "2026-03-29", "rows": [{"n": 4}, {"code": "own"}]},
            {"rows": [{"n": 4, "code": "free1", "twice": 8}, {"code": "own"}]},
        ),
    ],
)
async def test_hidden_fields_get_their_initial_answers(
    account: Account, sent: dict[str, Any], added: dict[str, Any]
) -> None:
    new_form = await form(account, fields=FIELDS)
    came = await submission(account, new_form, data=sent, deviceTime=TIME)
    usual = {"today": "2026-03-29", "plan": "free", "both": "free/2026-03-29", "town": "Kiel"}
    assert came["data"] == usual | sent | added


async def test_rules_see_the_initial_answers(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    response = await send(account, new_form, {"born": "2026-03-30"})
    assert (response.status_code, [one["pointer"] for one in response.json()["errors"]]) == (422, ["/data/born"])


async def test_answers_that_are_too_large_are_rejected_as_before(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    response = await send(account, new_form, {"seen": "x" * 100_001})
    assert [one["code"] for one in response.json()["errors"]] == ["value.too_long"]
    assert (await send(account, new_form, {"seen": "x" * 200})).status_code == 201


async def test_random_initial_answers(account: Account) -> None:
    chance = [hidden("decimal", "draw", defaultRule="random()"), hidden("text", "id", defaultRule="uuid()")]
    new_form = await form(account, fields=[FIELDS[5], *chance])
    came = [(await submission(account, new_form, data={}))["data"] for _ in range(2)]
    assert all(0 <= one["draw"] < 1 and UUID(one["id"]).version == 4 for one in came)
    assert came[0]["draw"] != came[1]["draw"]
    assert came[0]["id"] != came[1]["id"]


async def send(account: Account, form: dict[str, Any], data: dict[str, Any]) -> httpx.Response:
    path = f"{PREFIX}/customers/{account.id}/forms/{form['id']}/submissions"
    return await account.api.post(path, json={"data": data, "deviceTime": TIME})
