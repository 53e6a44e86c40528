"""A key stops working with the commit that revokes it, and changes of a key apply from their commit on."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from actors import Account
from factories.forms import form
from factories.submissions import submission

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Invalid
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import OVERLAP_MS, Key, KeyLimits, KeyProperties

MISSING = "sub_01h455vb4pex5vsknk084sn02q"

Ending = Callable[[WriteTransaction, Account, str], Awaitable[object]]


async def _revoke(tx: WriteTransaction, account: Account, key_id: str) -> object:
    return await keys.revoke(tx, account.actor, key_id=key_id)


async def _replace(tx: WriteTransaction, account: Account, key_id: str) -> object:
    return await keys.rotate(tx, account.actor, key_id=key_id, overlap_ms=0)


async def _read_statuses(api: httpx.AsyncClient, account: Account, form_id: str, submission_id: str) -> dict[str, int]:
    """Return the statuses of all kinds of requests: existing, missing, invalid, lists and writes."""
    here = f"/api/v1.0/customers/{account.id}"
    one, into = f"{here}/submissions/{submission_id}", f"{here}/forms/{form_id}/submissions"
    answers = {
        "one": await api.get(one),
        "unchanged": await api.get(one, headers={"if-none-match": "*"}),
        "nothing": await api.get(f"{here}/submissions/{MISSING}"),
        "another account": await api.get(f"/api/v1.0/customers/cus_{MISSING[4:]}/submissions/{MISSING}"),
        "unknown query": await api.get(f"{one}?nobody=1"),
        "not acceptable": await api.get(one, headers={"accept": "image/png"}),
        "list": await api.get("/api/v1.0/submissions"),
        "write": await api.post(into, json={"data": {"site": "Harbour", "people": 3}}),
        "bad body": await api.post(into, content=b"{", headers={"content-type": "application/json"}),
    }
    return {what: response.status_code for what, response in answers.items()}


@pytest.mark.parametrize("end", [_revoke, _replace])
async def test_a_revoked_key_is_rejected_at_once_by_every_operation(account: Account, end: Ending) -> None:
    new_form = await form(account)
    known = (new_form["id"], (await submission(account, new_form))["id"])
    before = await _read_statuses(account.api, account, *known)
    assert sorted(before.values()) == [200, 200, 201, 304, 400, 400, 404, 404, 406], before
    async with account.ctx.db.writing() as tx:
        [key] = await keys.list_active(tx, account.actor)
        await end(tx, account, key.id)
    for _ in range(2):
        assert set((await _read_statuses(account.api, account, *known)).values()) == {401}


FIRST: dict[str, dict[str, Any]] = {
    "a submission": {},
    "a dry run": {"url": "?dryRun=true"},
    "one that was answered before": {"headers": {"idempotency-key": "again"}},
    "a body that is not JSON": {"content": b"{"},
    "answers that do not fit": {"content": b'{"data":{"people":"three"}}'},
    "another media type": {"headers": {"content-type": "text/plain"}},
    "an unsupported media type": {"headers": {"accept": "image/png"}},
    "an unknown query": {"url": "?nobody=1"},
    "a key that is none": {"headers": {"idempotency-key": "two words"}},
}


@pytest.mark.parametrize("first", FIRST.values(), ids=FIRST)
async def test_a_revoked_key_creates_no_submission_in_any_interleaving(account: Account, first: dict[str, Any]) -> None:
    path = f"/api/v1.0/customers/{account.id}/forms/{(await form(account))['id']}/submissions"
    sent = {"content": b'{"data":{"site":"Harbour"}}', "headers": {"content-type": "application/json"}}
    sent["headers"] |= first.get("headers", {})
    sent["content"] = first.get("content", sent["content"])
    before = (await account.api.post(path + first.get("url", ""), **sent)).status_code
    assert before != 401
    events = await _sequence(account)
    async with account.ctx.db.writing() as tx:
        [key] = await keys.list_active(tx, account.actor)
        await keys.revoke(tx, account.actor, key_id=key.id)
    assert (await account.api.post(path + first.get("url", ""), **sent)).status_code == 401
    assert await _sequence(account) == events


async def _sequence(account: Account) -> int:
    async with account.ctx.db.reading() as tx:
        row = await tx.fetch_one("SELECT sequence FROM account_order WHERE customer_id = $1", account.id)
        assert row is not None
        return int(row[0])


async def test_no_concurrent_request_after_the_revocation_succeeds(account: Account) -> None:
    path = f"/api/v1.0/customers/{account.id}/forms/{(await form(account))['id']}/submissions"
    before, ended, enough = await _sequence(account), asyncio.Event(), asyncio.Event()
    came: list[tuple[bool, int]] = []

    async def hand_in() -> None:
        for _ in range(12):
            late = ended.is_set()
            response = await account.api.post(path, json={"data": {"site": "Harbour"}})
            came.append((late, response.status_code))
            if len(came) == 20:
                enough.set()

    async def end() -> None:
        await enough.wait()
        async with account.ctx.db.writing() as tx:
            [key] = await keys.list_active(tx, account.actor)
            await keys.revoke(tx, account.actor, key_id=key.id)
        ended.set()

    await asyncio.gather(end(), *(hand_in() for _ in range(8)))
    assert {status for late, status in came if late} == {401}
    assert (False, 201) in came
    assert await _sequence(account) - before == sum(status == 201 for _, status in came)


async def test_an_earlier_expiry_takes_effect(account: Account) -> None:
    async with account.ctx.db.writing() as tx:
        [key] = await keys.list_active(tx, account.actor)
        await keys.rotate(tx, account.actor, key_id=key.id, overlap_ms=OVERLAP_MS)
    here = f"/api/v1.0/customers/{account.id}"
    assert (await account.api.get(here)).status_code == 200
    async with account.ctx.db.writing() as tx:
        await keys.rotate(tx, account.actor, key_id=key.id, overlap_ms=0)
    assert (await account.api.get(here)).status_code == 401


def _limits(*form_ids: str) -> KeyLimits:
    reads_and_creates = {Permission.FORMS_READ, Permission.SUBMISSIONS_READ, Permission.SUBMISSIONS_CREATE}
    return KeyLimits(frozenset(reads_and_creates), form_ids=form_ids)


async def _limited(account: Account, limits: KeyLimits) -> tuple[Key, httpx.AsyncClient]:
    async with account.ctx.db.writing() as tx:
        new = KeyProperties("Limited", limits=limits)
        key, text = await keys.create(tx, account.actor, new, maker_name="Test")
    return key, account.stage.client(**{"x-api-key": text})


async def _change(account: Account, key: Key, limits: KeyLimits, rate_limit: int | None = None) -> None:
    # Not by a request, so that nothing in this process learns of it, as if another one had changed the key.
    async with account.ctx.db.writing() as tx:
        new = KeyProperties("Changed", limits=limits, rate_limit=rate_limit)
        await keys.update(tx, account.actor, key_id=key.id, new=new)


async def test_changed_limits_apply_to_the_next_request_of_every_kind(account: Account) -> None:
    first, second = await form(account), await form(account)
    known = {created["id"]: (await submission(account, created))["id"] for created in (first, second)}
    key, client = await _limited(account, _limits(first["id"]))
    async with client as api:
        for allowed, other in ((first, second), (second, first), (first, second)):
            await _change(account, key, _limits(allowed["id"]))
            for kind in ("one", "list", "write", "nothing", "not acceptable"):
                # Each kind of request is the first one after the change.
                await _change(account, key, _limits(other["id"]))
                assert (await _read_statuses(api, account, other["id"], known[other["id"]]))["one"] == 200
                await _change(account, key, _limits(allowed["id"]))
                here = f"/api/v1.0/customers/{account.id}"
                if kind == "one":
                    assert (await api.get(f"{here}/submissions/{known[other['id']]}")).status_code == 404
                elif kind == "list":
                    listed = (await api.get("/api/v1.0/submissions")).json()["items"]
                    assert {item["formId"] for item in listed} == {allowed["id"]}
                elif kind == "write":
                    into = f"{here}/forms/{allowed['id']}/submissions"
                    assert (await api.post(into, json={"data": {"site": "Quay"}})).status_code == 201
                elif kind == "nothing":
                    assert (await api.get(f"{here}/submissions/{MISSING}")).status_code == 404
                else:
                    one = f"{here}/submissions/{known[allowed['id']]}"
                    assert (await api.get(one, headers={"accept": "image/png"})).status_code == 406
                assert (await api.get(f"/api/v1.0/forms/customer/{account.id}/forms/{other['id']}")).status_code == 404


async def test_no_concurrent_request_after_the_change_uses_the_old_limits(account: Account) -> None:
    first, second = await form(account), await form(account)
    key, client = await _limited(account, _limits(first["id"]))
    changed, enough = asyncio.Event(), asyncio.Event()
    came: list[tuple[bool, int]] = []

    async with client as api:

        async def submit() -> None:
            for _ in range(12):
                late = changed.is_set()
                into = f"/api/v1.0/customers/{account.id}/forms/{first['id']}/submissions"
                response = await api.post(into, json={"data": {"site": "Harbour"}})
                came.append((late, response.status_code))
                if len(came) == 20:
                    enough.set()

        async def change() -> None:
            await enough.wait()
            await _change(account, key, _limits(second["id"]))
            changed.set()

        await asyncio.gather(change(), *(submit() for _ in range(8)))
    assert {status for late, status in came if late} == {404}
    assert (False, 201) in came


async def test_a_changed_rate_limit_and_expiry_apply_to_the_next_request(account: Account) -> None:
    key, client = await _limited(account, _limits())
    async with client as api:
        assert (await api.get("/api/v1.0/customers")).status_code == 200
        await _change(account, key, _limits(), rate_limit=77)
        calling = (await api.get("/api/v1.0/customers")).json()["items"][0]["key"]
        assert (calling["name"], calling["rateLimit"]) == ("Changed", 77)
        now = account.ctx.clock.now()
        async with account.ctx.db.writing() as tx:
            new = KeyProperties("Changed", limits=_limits(), expires=now + 60_000)
            await keys.rotate(tx, account.actor, key_id=key.id, overlap_ms=OVERLAP_MS)
            changed = await keys.update(tx, account.actor, key_id=key.id, new=new)
            assert (changed.expires, changed.old_ends) == (now + 60_000, now + 60_000)
        assert (await api.get("/api/v1.0/customers")).status_code == 200


async def test_a_key_keeps_its_kind_of_access(account: Account) -> None:
    key, client = await _limited(account, _limits())
    await client.aclose()
    for new in (KeyProperties("Full"), KeyProperties("Reads", read_only=True), KeyProperties("", limits=_limits())):
        async with account.ctx.db.writing() as tx:
            with pytest.raises(Invalid):
                await keys.update(tx, account.actor, key_id=key.id, new=new)
    async with account.ctx.db.reading() as tx:
        assert await keys.get(tx, account.actor, key_id=key.id) == key
