"""`Idempotency-Key`: a repeated request has one effect, and returns the same response."""

import asyncio
import json

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get
from factories.sample_account import BY_NAME, call, example, state, world
from fixtures.app_contexts import SetClock, open_migrated_context

from formwright.api.v1_0.operations import OPERATIONS
from formwright.core.crypto import SecretBox
from formwright.domain.api_keys import idempotency as stored_replies


def _submissions(account: Account, form_id: str) -> str:
    return f"{PREFIX}/customers/{account.id}/forms/{form_id}/submissions"


async def test_a_repeated_post_returns_the_first_response_and_has_one_effect(account: Account) -> None:
    here = await world(account)
    for operation in [one for one in OPERATIONS if one.method == "POST"]:
        sample = example(operation)
        body = {"body": sample.body(here)} if sample.body else {"raw": sample.file(here)} if sample.file else {}
        header = {"idempotency-key": operation.name}
        first = await call(operation, here, headers=header, **body)
        assert (first.status_code, "idempotent-replayed" in first.headers) == (operation.status, False), first.text
        before = await state(account)
        again = await call(operation, here, headers=header, **body)
        assert (again.status_code, again.content) == (first.status_code, first.content), operation.name
        assert again.headers["idempotent-replayed"] == "true"
        for name in ("location", "content-type"):
            assert again.headers.get(name) == first.headers.get(name)
        assert await state(account) == before, operation.name


async def test_a_key_of_another_request_is_rejected(account: Account) -> None:
    new_form = await form(account)
    path, header = _submissions(account, new_form["id"]), {"idempotency-key": "b-1"}
    assert (await account.api.post(path, json={"data": {"site": "A"}}, headers=header)).status_code == 201
    other = await account.api.post(path, json={"data": {"site": "B"}}, headers=header)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency.reused")
    elsewhere = await account.api.post(f"{PREFIX}/forms", json={}, headers=header)
    assert elsewhere.status_code == 422, "a key is for one path"


async def test_a_rejected_request_can_be_corrected_with_the_same_key(account: Account) -> None:
    new_form = await form(account)
    path, header = _submissions(account, new_form["id"]), {"idempotency-key": "c-1"}
    assert (await account.api.post(path, json={"data": {"nobody": 1}}, headers=header)).status_code == 422
    assert (await account.api.post(path, json={"data": {"site": "A"}}, headers=header)).status_code == 201


@pytest.mark.parametrize("key", ["", " ", "a b", "ä", "x" * 256])
async def test_an_invalid_key_is_rejected(account: Account, key: str) -> None:
    new_form = await form(account)
    for query in ("", "?dryRun=true"):
        path, header = _submissions(account, new_form["id"]) + query, {"idempotency-key": key.encode()}
        response = await account.api.post(path, json={"data": {"site": "A"}}, headers=header)
        assert (response.status_code, response.json()["code"]) == (400, "idempotency.key")


async def test_ten_concurrent_requests_have_one_effect(account: Account) -> None:
    new_form = await form(account)

    async def send() -> tuple[int, str]:
        response = await account.api.post(
            _submissions(account, new_form["id"]), json={"data": {"site": "A"}}, headers={"idempotency-key": "d-1"}
        )
        if response.status_code == 409:
            assert (response.json()["code"], response.headers["retry-after"]) == ("idempotency.running", "1")
        return response.status_code, response.json().get("id", "")

    answers = await asyncio.gather(*(send() for _ in range(10)))
    assert {status for status, _ in answers} <= {201, 409}
    assert len({created for status, created in answers if status == 201}) == 1
    assert len((await get(account, f"/submissions?formId={new_form['id']}"))["items"]) == 1


async def test_another_process_returns_the_same_response_for_a_day(account: Account) -> None:
    """The response is stored together with the change, so it survives a crash before it is sent."""
    new_form, header = await form(account), {"idempotency-key": "e-1"}
    path, body = _submissions(account, new_form["id"]), {"data": {"site": "A"}}
    first = await account.api.post(path, json=body, headers=header)
    ctx = account.ctx
    async with open_migrated_context(ctx.settings, clock=SetClock(ctx.clock.now())) as other, other.db.reading() as tx:
        [row] = await tx.fetch("SELECT id, content FROM replies WHERE customer_id = $1", account.id)
        reply = await stored_replies.find(tx, account.actor, other.secret_box, request_id=row[0], now=other.clock.now())
        assert reply is not None
        assert json.loads(reply.content) == first.json()
        assert new_form["id"] not in row[1], "it is sealed"
        late = other.clock.now() + stored_replies.RETENTION_MS
        assert await stored_replies.find(tx, account.actor, other.secret_box, request_id=row[0], now=late) is None
    assert await stored_replies.delete_expired(ctx.db, ctx.clock.now()) == 0
    assert await stored_replies.delete_expired(ctx.db, ctx.clock.now() + stored_replies.RETENTION_MS) >= 1
    second = await account.api.post(path, json=body, headers=header)
    assert second.json()["id"] != first.json()["id"]


async def test_after_a_secret_key_change_a_request_is_not_repeated(account: Account) -> None:
    new_form, header = await form(account), {"idempotency-key": "e-2"}
    path, body = _submissions(account, new_form["id"]), {"data": {"site": "A"}}
    await account.api.post(path, json=body, headers=header)
    strange = SecretBox("another secret key of an installation, long enough").close("{}")
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE replies SET content = $2 WHERE customer_id = $1", account.id, strange)
    response = await account.api.post(path, json=body, headers=header)
    assert (response.status_code, response.json()["code"]) == (409, "idempotency.unreadable")
    assert len((await get(account, f"/submissions?formId={new_form['id']}"))["items"]) == 1


async def test_put_ignores_the_key(account: Account) -> None:
    here = await world(account)
    response = await call(BY_NAME["updateForm"], here, headers={"idempotency-key": "not a key"})
    assert response.status_code == 200
