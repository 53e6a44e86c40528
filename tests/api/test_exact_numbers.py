"""Numbers in requests are stored exactly or refused, never rounded."""

from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get

FIELDS = [
    {"type": "decimal", "name": "size", "label": "Size"},
    {"type": "integer", "name": "count", "label": "Count"},
    {"type": "location", "name": "place", "label": "Place"},
    {"type": "repeat", "name": "rows", "label": "Rows", "fields": [{"type": "decimal", "name": "n", "label": "N"}]},
]
KEPT = ["0.1", "-12345678901234.5", "123456789012345", "9007199254740993e-16", "1e300", "100000000000000000000"]
ROUNDED = ["12345678901234567890", "0.12345678901234567890", "123456789.123456789123", "-9007199254740993"]
LONG = "0.12345678901234567890"


async def send(account: Account, path: str, body: str) -> Any:
    headers = {"content-type": "application/json"}
    return await account.api.post(f"{PREFIX}{path}", content=body, headers=headers)


async def submit(account: Account, form_id: str, data: str) -> Any:
    return await send(account, f"/customers/{account.id}/forms/{form_id}/submissions", f'{{"data": {data}}}')


async def test_numbers_are_stored_exactly_or_refused(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    for literal in KEPT:
        response = await submit(account, new_form["id"], f'{{"size": {literal}, "rows": [{{"n": {literal}}}]}}')
        assert response.status_code == 201, (literal, response.text)
        stored = await get(account, f"/customers/{account.id}/submissions/{response.json()['id']}")
        # PostgreSQL writes 1e300 with all its zeros.
        found = [stored["data"]["size"], stored["data"]["rows"][0]["n"]]
        assert list(map(float, found)) == [float(literal)] * 2
    for literal in ROUNDED:
        response = await submit(account, new_form["id"], f'{{"size": 1, "rows": [{{"n": 1}}, {{"n": {literal}}}]}}')
        assert (response.status_code, response.json()["code"]) == (422, "request.invalid"), literal
        [error] = response.json()["errors"]
        assert (error["pointer"], error["code"]) == ("/data/rows/1/n", "value.inexact")
    response = await submit(account, new_form["id"], '{"count": 12345678901234567890}')
    assert [error["code"] for error in response.json()["errors"]] == ["value.too_great"]
    assert (await get(account, "/submissions", formId=new_form["id"], count="true"))["count"] == len(KEPT)


async def test_many_digits_in_a_text_are_no_number(account: Account) -> None:
    new_form = await form(account, fields=[*FIELDS, {"type": "text", "name": "iban", "label": "IBAN"}])
    text = f"[{LONG}, 1234567890123456]"
    kept = await submit(account, new_form["id"], f'{{"iban": "{text}", "size": 1.5}}')
    assert kept.status_code == 201
    assert (await get(account, f"/customers/{account.id}/submissions/{kept.json()['id']}"))["data"]["iban"] == text


async def test_one_rounded_number_does_not_reject_other_items(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    items = [f'{{"op": "create", "formId": "{new_form["id"]}", "data": {{"size": {size}}}}}' for size in (LONG, "2.5")]
    response = await send(account, f"/customers/{account.id}/submissions/bulk", f'{{"items": [{", ".join(items)}]}}')
    first, second = response.json()["items"]
    assert (first["status"], second["status"]) == (422, 201)
    assert [(e["pointer"], e["code"]) for e in first["problem"]["errors"]] == [("/data/size", "value.inexact")]


@pytest.mark.parametrize("member", ["min", "default"])
async def test_a_form_keeps_its_numbers_too(account: Account, member: str) -> None:
    body = f'{{"name": "F", "fields": [{{"type": "decimal", "name": "a", "label": "A", "{member}": {LONG}}}]}}'
    response = await send(account, "/forms", body)
    assert [(e["pointer"], e["code"]) for e in response.json()["errors"]] == [(f"/fields/0/{member}", "value.inexact")]


async def test_cells_of_data_sources_are_not_rounded(account: Account) -> None:
    path = f"/customers/{account.id}/datasources"
    body = '{"name": "D", "keyColumn": "id", "rows": [{"id": 12345678901234567890, "size": %s}]}'
    response = await send(account, path, body % LONG)
    assert [(e["pointer"], e["code"]) for e in response.json()["errors"]] == [("/rows/0/size", "value.inexact")]
    created = (await send(account, path, body % "1.5")).json()
    [row] = (await get(account, f"{path}/{created['id']}/rows"))["items"]
    assert row["key"] == "12345678901234567890"
