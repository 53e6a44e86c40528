"""Reconciliation with copies in other systems."""

import hashlib
from typing import Any

from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission


def address(account: Account) -> str:
    return f"/webhooks/customer/{account.id}/reconcile"


def pair(handed: dict[str, Any], revision: int = 1) -> dict[str, Any]:
    return {"id": handed["id"], "revision": revision}


async def compared(account: Account, held: list[dict[str, Any]], **part: Any) -> dict[str, Any]:
    response = await account.api.post(PREFIX + address(account), json={"submissions": held} | part)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def test_missing_stale_and_deleted_submissions_are_reported(account: Account) -> None:
    new_form = await form(account)
    same, newer, gone, unknown = [await submission(account, new_form) for _ in range(4)]
    submissions = f"{PREFIX}/customers/{account.id}/submissions"
    changed = await account.api.put(f"{submissions}/{newer['id']}", json={"status": "APPROVED"})
    assert changed.json()["revision"] == 2
    assert (await account.api.delete(f"{submissions}/{gone['id']}")).status_code == 204
    found = await compared(account, [pair(same), pair(newer), pair(gone)])
    assert found == {"missing": [pair(unknown)], "stale": [pair(newer, 2)], "deleted": [gone["id"]]}
    everything = [pair(same), pair(newer, 2), pair(unknown)]
    assert await compared(account, everything) == {"missing": [], "stale": [], "deleted": []}


async def test_only_the_selected_submissions_can_be_missing(account: Account, stranger: Account) -> None:
    one, two = await form(account), await form(account)
    here = await submission(account, one, submittedAt="2026-03-29T23:59:59.999Z")
    await submission(account, one, submittedAt="2026-03-30T00:00:00Z")
    await submission(account, two, submittedAt="2026-03-29T12:00:00Z")
    foreign = await submission(stranger, await form(stranger), submittedAt="2026-03-29T12:00:00Z")
    day = {"submittedFrom": "2026-03-29T00:00:00Z", "submittedTo": "2026-03-30T00:00:00Z"}
    found = await compared(account, [pair(foreign)], formIds=[one["id"]], **day)
    assert found == {"missing": [pair(here)], "stale": [], "deleted": [foreign["id"]]}


async def test_each_form_and_day_has_a_count_and_a_checksum(account: Account) -> None:
    one, two = await form(account), await form(account)
    first = [await submission(account, one, submittedAt=f"2026-03-29T{hour:02}:00:00Z") for hour in (23, 5)]
    other = await submission(account, two, submittedAt="2026-03-29T10:00:00Z")
    last = await submission(account, one, submittedAt="2026-03-30T00:00:00Z")
    days = [_day(one, "2026-03-29", *first), _day(two, "2026-03-29", other), _day(one, "2026-03-30", last)]
    assert (await get(account, address(account)))["items"] == sorted(days, key=lambda d: (d["day"], d["formId"]))
    narrowed = await get(account, address(account), formId=one["id"], submittedTo="2026-03-30T00:00:00Z")
    assert narrowed["items"] == [days[0]]
    page = await get(account, address(account), limit=1)
    assert [one["day"] for one in page["items"]] == ["2026-03-29"] * 2, "whole days"
    assert (await account.api.get(page["next"])).json() == {"items": [days[2]], "nextCursor": None, "next": None}


def _day(of: dict[str, Any], day: str, *handed: dict[str, Any]) -> dict[str, Any]:
    lines = "".join(f"{one}:1\n" for one in sorted(one["id"] for one in handed))
    checksum = hashlib.sha256(lines.encode()).hexdigest()
    return {"formId": of["id"], "day": day, "count": len(handed), "checksum": checksum}


async def test_too_many_submissions_are_rejected(account: Account) -> None:
    pairs = [{"id": f"sub_{number:026}", "revision": 1} for number in range(10_001)]
    response = await account.api.post(PREFIX + address(account), json={"submissions": pairs})
    assert [fault["code"] for fault in response.json()["errors"]] == ["value.too_many"]
    found = await compared(account, pairs[:10_000])
    assert len(found["deleted"]) == 10_000
