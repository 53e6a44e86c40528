"""Changing many submissions at once from their list."""

from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import get
from factories.submissions import started, submission
from factories.users import user
from web.submissions.conftest import SubmissionPages, cells, words

from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Unavailable
from formwright.domain.bulk_changes import service as bulk_changes
from formwright.domain.bulk_changes import store
from formwright.domain.bulk_changes.models import RETENTION_MS, BulkAction, NewChange, Target


async def _create(account: Account, submissions: dict[str, Any], count: int) -> list[dict[str, Any]]:
    return [await submission(account, submissions, data={"site": f"Quay {number}"}) for number in range(count)]


async def _statuses(account: Account, submissions: list[dict[str, Any]]) -> list[str]:
    return [(await get(account, f"/customers/{account.id}/submissions/{one['id']}"))["status"] for one in submissions]


def _rows(submissions: list[dict[str, Any]]) -> list[str]:
    return [f"{one['id']}.{one['revision']}" for one in submissions]


async def test_ticked_rows_are_approved_and_undo_restores_what_nobody_changed_since(pages: SubmissionPages) -> None:
    new_form = await form(pages.account)
    three = await _create(pages.account, new_form, 3)
    here = f"?form={new_form['id']}&status=SUBMITTED"
    done = await pages.press(f"/submissions/bulk{here}", action="APPROVE", row=_rows(three))
    location = done.headers["location"]
    assert location.startswith(f"/submissions{here}&bulk=blk_")
    text = await pages.page(location)
    assert "3 submissions approved." in words(text)
    assert await _statuses(pages.account, three) == ["APPROVED"] * 3

    address = f"/api/v1.0/customers/{pages.account.id}/submissions/{three[0]['id']}"
    await pages.account.api.put(address, json={"note": "Checked on site"})
    change_id = location.partition("bulk=")[2]
    undone = await pages.press(f"/submissions/bulk/{change_id}/undo")
    text = words(await pages.page(undone.headers["location"]))
    assert "2 submissions restored. 1 left unchanged." in text
    assert await _statuses(pages.account, three) == ["APPROVED", "SUBMITTED", "SUBMITTED"]
    again = await pages.press(f"/submissions/bulk/{change_id}/undo")
    assert again.headers["location"] == undone.headers["location"], "a second press undoes nothing else"


async def test_what_somebody_else_changed_is_left_alone_and_listed_with_the_reason(pages: SubmissionPages) -> None:
    new_form = await form(pages.account)
    three = await _create(pages.account, new_form, 3)
    draft = await started(pages.account, new_form, "c1", site="Quay 4")
    address = f"/api/v1.0/customers/{pages.account.id}/submissions/{three[1]['id']}"
    await pages.account.api.put(address, json={"status": "APPROVED"})
    rows = [*_rows(three), f"{draft.id}.1", f"sub_{'0' * 26}.1", "nonsense", f"{three[0]['id']}.x"]
    asked = await pages.press("/submissions/bulk", 200, action="REJECT", row=rows)
    assert "Reject 5 submissions?" in words(asked.text)
    done = await pages.press("/submissions/bulk", confirmed="REJECT", row=rows, note="Which <b>quay</b>?")
    change_id = done.headers["location"].partition("bulk=")[2]
    assert "2 submissions rejected. 3 left unchanged." in words(await pages.page(done.headers["location"]))
    text = await pages.page(f"/submissions/bulk/{change_id}")
    assert f"Changed by someone else since you opened the list 1 {three[1]['id']}" in words(text)
    assert f"Not submitted yet 1 {draft.id}" in words(text)
    assert await _statuses(pages.account, three) == ["REJECTED", "APPROVED", "REJECTED"]
    first = await get(pages.account, f"/customers/{pages.account.id}/submissions/{three[0]['id']}")
    assert first["note"] == "Which <b>quay</b>?"


async def test_all_that_match_are_assigned_except_what_arrived_since(pages: SubmissionPages) -> None:
    mate = await user(pages.account)
    new_form, other = await form(pages.account), await form(pages.account)
    three, [foreign] = await _create(pages.account, new_form, 3), await _create(pages.account, other, 1)
    text = await pages.page(f"/submissions?form={new_form['id']}")
    seen = text.partition('name="seen" value="')[2].partition('"')[0]
    late = await submission(pages.account, new_form)
    path = f"/submissions/bulk?form={new_form['id']}"
    missing = await pages.press(path, 422, confirmed="ASSIGN", scope="all", seen=seen)
    assert "Choose a person." in missing.text
    stranger = f"usr_{'0' * 26}"
    unknown = await pages.press(path, 422, confirmed="ASSIGN", scope="all", assignee=stranger)
    assert "There is no such user" in unknown.text
    await pages.press(path, confirmed="ASSIGN", scope="all", seen=seen, assignee=mate.id)
    found = await get(pages.account, f"/customers/{pages.account.id}/submissions?userId={mate.id}")
    assert {one["id"] for one in found["items"]} == {one["id"] for one in three}
    assert {late["id"], foreign["id"]}.isdisjoint({one["id"] for one in found["items"]})


async def test_an_interrupted_change_says_what_is_done_and_can_be_continued(
    pages: SubmissionPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_form = await form(pages.account)
    five = await _create(pages.account, new_form, 5)
    monkeypatch.setattr("formwright.domain.bulk_changes.service.STEP_SIZE", 2)
    run_step, steps = bulk_changes.run_step, 0

    async def fail_at_the_second(*args: Any, **named: Any) -> bool:
        nonlocal steps
        steps += 1
        if steps == 2:
            await run_step(*args, **named)
            raise Unavailable()  # The step is rolled back with its outcome.
        return await run_step(*args, **named)

    monkeypatch.setattr(bulk_changes, "run_step", fail_at_the_second)
    response = await pages.press("/submissions/bulk", action="APPROVE", row=_rows(five))
    path = response.headers["location"]
    assert path.startswith("/submissions/bulk/blk_")
    assert "2 of 5 done" in words(await pages.page(path))
    assert await _statuses(pages.account, five) == ["APPROVED"] * 2 + ["SUBMITTED"] * 3
    assert "Approve 5 submissions is not finished" in await pages.page("/submissions")
    await pages.press(f"{path}/stop")
    assert "You stopped this change." in await pages.page(path)
    done = await pages.press(f"{path}/continue")
    assert "5 submissions approved." in words(await pages.page(done.headers["location"]))
    assert await _statuses(pages.account, five) == ["APPROVED"] * 5


async def test_a_deletion_can_be_undone_before_it_begins(pages: SubmissionPages) -> None:
    new_form = await form(pages.account)
    three = await _create(pages.account, new_form, 3)
    here = f"?form={new_form['id']}"
    started = await pages.press(f"/submissions/bulk{here}", confirmed="DELETE", row=_rows(three))
    page = started.headers["location"]
    assert "Deleting starts in a few seconds." in words(await pages.page(page))
    assert len(cells(await pages.page(f"/submissions{here}"))) == 3
    undone = await pages.press(f"{page}/undo")
    text = await pages.page(undone.headers["location"])
    assert "Nothing was deleted." in words(text)
    assert "is not finished" not in words(text)
    await pages.press(f"{page}/continue")
    await pages.press(f"{page}/undo", 404)
    assert len(cells(await pages.page(f"/submissions{here}"))) == 3


async def test_deletion_asks_first_and_downloads_contain_the_ticked_rows_only(
    pages: SubmissionPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_changes, "UNDO_PERIOD_MS", 0)
    new_form = await form(pages.account)
    three = await _create(pages.account, new_form, 3)
    here = f"?form={new_form['id']}"
    sent = await pages.press(f"/submissions/bulk{here}", download="csv", row=_rows(three[:2]))
    text = await pages.page(sent.headers["location"])
    assert [f"Quay {number}" in text for number in range(3)] == [True, True, False]
    asked = await pages.press(f"/submissions/bulk{here}", 200, action="DELETE", row=_rows(three[:2]))
    assert "Delete 2 submissions?" in words(asked.text)
    assert len(cells(await pages.page(f"/submissions{here}"))) == 3
    done = await pages.press(f"/submissions/bulk{here}", confirmed="DELETE", row=_rows(three[:2]))
    text = await pages.page(done.headers["location"])
    assert "2 submissions deleted." in words(text)
    assert len(cells(text)) == 1
    change_id = done.headers["location"].partition("bulk=")[2]
    await pages.press(f"/submissions/bulk/{change_id}/undo", 404)


async def test_submissions_and_changes_of_another_account_are_out_of_reach(
    pages: SubmissionPages, stranger: Account
) -> None:
    theirs = await submission(stranger, await form(stranger))
    done = await pages.press("/submissions/bulk", action="APPROVE", row=_rows([theirs]))
    assert "1 left unchanged." in words(await pages.page(done.headers["location"]))
    assert await _statuses(stranger, [theirs]) == ["SUBMITTED"]
    empty = await pages.press("/submissions/bulk", 422, action="APPROVE")
    assert "Select at least one submission." in empty.text
    async with stranger.ctx.db.writing() as tx:
        new = NewChange(BulkAction.APPROVE, [Target(theirs["id"], 1)])
        change = await bulk_changes.start(tx, stranger.actor, new)
    await pages.page(f"/submissions/bulk/{change.id}", 404)
    for step in ("undo", "stop", "continue"):
        await pages.press(f"/submissions/bulk/{change.id}/{step}", 404)


async def test_neighbours_follow_the_list_even_after_a_review_moved_the_submission(pages: SubmissionPages) -> None:
    new_form = await form(pages.account)
    three = await _create(pages.account, new_form, 3)
    for order, revision in (("updated", 1), ("-submitted", 3)):
        text = await pages.page(f"/submissions?form={new_form['id']}&status=SUBMITTED&order={order}")
        middle = f"/submissions/{three[1]['id']}"
        url = text.partition(f'href="{middle}')[2].partition('"')[0].replace("&amp;", "&")
        done = await pages.press(f"{middle}/status{url}", status="REJECTED", revision=revision)
        text = await pages.page(done.headers["location"])
        first, last = (three[0], three[2]) if order == "updated" else (three[2], three[0])
        assert first["id"] in text.partition('rel="prev"')[0].rpartition("href=")[2], order
        assert last["id"] in text.partition('rel="next"')[0].rpartition("href=")[2], order
        await pages.press(f"{middle}/status", status="SUBMITTED", revision=revision + 1)


async def test_old_bulk_changes_are_deleted_in_short_transactions(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await submission(account, await form(account))
    async with account.ctx.db.writing() as tx:
        for _ in range(5):
            await bulk_changes.start(tx, account.actor, NewChange(BulkAction.APPROVE, [Target(one["id"], 1)]))
        now = tx.now()
    real, deleted = store.delete_expired, list[int]()

    async def count_deleted(tx: WriteTransaction, before: int) -> int:
        deleted.append(await real(tx, before))
        return deleted[-1]

    monkeypatch.setattr(store, "BATCH_ROWS", 2)
    monkeypatch.setattr(store, "delete_expired", count_deleted)
    await bulk_changes.delete_expired(account.ctx.db, now + RETENTION_MS + 60_000)
    assert (max(deleted), deleted[-1], sum(deleted) >= 10) == (2, 0, True)
    for table in ("bulk_changes", "bulk_change_steps"):
        async with account.ctx.db.reading() as tx:
            assert not await tx.fetch(f"SELECT 1 FROM {table} WHERE customer_id = $1", account.id)
