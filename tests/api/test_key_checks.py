"""A key that was good a moment ago opens nothing from the commit on that ended it, whatever it asks for."""

from collections.abc import Awaitable, Callable

import httpx
import pytest
from cast import Account
from make.forms import form
from make.submissions import submission

from formwright.core.storage.database import Writing
from formwright.domain.keys import service as keys

MISSING = "sub_01h455vb4pex5vsknk084sn02q"

Ending = Callable[[Writing, Account, str], Awaitable[object]]


async def _revoke(tx: Writing, account: Account, key_id: str) -> object:
    return await keys.revoke(tx, account.actor, key_id=key_id)


async def _replace(tx: Writing, account: Account, key_id: str) -> object:
    return await keys.rotate(tx, account.actor, key_id=key_id, overlap_ms=0)


async def _asked(api: httpx.AsyncClient, account: Account, form_id: str, submission_id: str) -> dict[str, int]:
    """The status of every kind of request: what is there, what is not, what is wrong, lists and writes."""
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
    return {what: answer.status_code for what, answer in answers.items()}


@pytest.mark.parametrize("end", [_revoke, _replace])
async def test_it_is_refused_at_once_whatever_it_asks_for(account: Account, end: Ending) -> None:
    made = await form(account)
    known = (made["id"], (await submission(account, made))["id"])
    before = await _asked(account.api, account, *known)
    assert sorted(before.values()) == [200, 200, 201, 304, 400, 400, 404, 404, 406], before
    async with account.house.db.writing() as tx:
        [key] = await keys.live(tx, account.actor)
        await end(tx, account, key.id)
    for _ in range(2):
        assert set((await _asked(account.api, account, *known)).values()) == {401}


async def test_an_end_that_comes_nearer_is_kept_to(account: Account) -> None:
    async with account.house.db.writing() as tx:
        [key] = await keys.live(tx, account.actor)
        await keys.rotate(tx, account.actor, key_id=key.id, overlap_ms=keys.OVERLAP_MS)
    here = f"/api/v1.0/customers/{account.id}"
    assert (await account.api.get(here)).status_code == 200
    async with account.house.db.writing() as tx:
        await keys.rotate(tx, account.actor, key_id=key.id, overlap_ms=0)
    assert (await account.api.get(here)).status_code == 401
