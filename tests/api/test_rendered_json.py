"""Submissions are returned from the JSON stored with each of them, including those written by older releases."""

from itertools import pairwise
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.submissions import started, submission

ORDERS = ["submitted", "-submitted", "updated", "-updated"]
OLDER = {
    "had no such text": "shown = NULL, shown_as = NULL",
    "changed it and left the text": "status = 'APPROVED', updated = updated + 1, revision = revision + 1",
    "kept another shape": 'shown = \'{"id":"other","data":\', shown_as = shown_as - 1',
}


async def _filled(account: Account, count: int = 7) -> list[dict[str, Any]]:
    one = await form(account)
    return [await submission(account, one, data={"site": f"Ää {number} 🎉"}) for number in range(count)]


async def _pages(account: Account, order: str, limit: int) -> list[list[dict[str, Any]]]:
    found, path = [], f"/api/v1.0/submissions?order={order}&limit={limit}"
    while path:
        answer = (await account.api.get(path)).json()
        found.append(answer["items"])
        path = answer["next"]
    return found


async def _left_by_an_older_release(account: Account, submission_id: str, change: str) -> None:
    async with account.ctx.db.writing() as tx:
        sql = f"UPDATE submissions SET {change} WHERE customer_id = $1 AND id = $2"
        assert await tx.execute(sql, account.id, submission_id) == 1


@pytest.mark.parametrize("order", ORDERS)
async def test_pages_are_complete_ordered_and_not_empty(account: Account, order: str) -> None:
    submission = await _filled(account)
    wanted = submission if not order.startswith("-") else submission[::-1]
    for limit in (1, 3, 7, 8):
        pages = await _pages(account, order, limit)
        assert [len(page) for page in pages[:-1]] == [limit] * (len(pages) - 1)
        assert pages[-1]
        assert [_plain(one) for page in pages for one in page] == [_plain(one) for one in wanted]


def _plain(one: dict[str, Any]) -> dict[str, Any]:
    return dict(sorted(one.items()))


@pytest.mark.parametrize("change", OLDER.values(), ids=OLDER)
async def test_submissions_of_older_releases_are_returned_in_the_current_format(account: Account, change: str) -> None:
    submission = await _filled(account)
    await _left_by_an_older_release(account, submission[3]["id"], change)
    path = f"/api/v1.0/customers/{account.id}/submissions/{submission[3]['id']}"
    now = (await account.api.get(path)).json()
    assert now["id"] == submission[3]["id"]
    assert (now["status"], now["revision"]) == (("APPROVED", 2) if "APPROVED" in change else ("SUBMITTED", 1))
    listed = [one for page in await _pages(account, "submitted", 3) for one in page]
    assert listed == [*submission[:3], now, *submission[4:]]


async def test_started_submissions_are_listed_with_their_latest_answers(account: Account) -> None:
    one = await form(account)
    for site in ("Quay", "Harbour"):
        draft = await started(account, one, "0b6cd6a6-9ba5-4c0c-a0c7-1a0b0d5f6a11", site=site)
    listed = (await account.api.get("/api/v1.0/submissions?status=STARTED")).json()["items"]
    assert [(item["id"], item["data"], item["submittedAt"]) for item in listed] == [
        (draft.id, {"site": "Harbour"}, None)
    ]


async def test_each_change_is_listed_at_once(account: Account) -> None:
    (submission,) = await _filled(account, 1)
    path = f"/api/v1.0/customers/{account.id}/submissions/{submission['id']}"
    texts = ["plain", 'with "quotes" \\ and\nlines', "حسنًا 🎉", None]
    for note in texts:
        changed = (await account.api.put(path, json={"note": note, "externalId": note})).json()
        assert (changed["note"], changed["externalId"]) == (note, note)
        read = await account.api.get(path)
        assert (await account.api.get("/api/v1.0/submissions")).json()["items"] == [read.json()] == [changed]
    seen = [(await account.api.get(path)).headers["etag"] for _ in range(2)]
    assert all(a == b for a, b in pairwise(seen))
