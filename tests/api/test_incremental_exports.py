"""Incremental exports: each change is in exactly one file, whatever happens while a run reads."""

import asyncio
import json
from typing import Any

import pytest
from actors import Account
from factories.exports import create, download, exported_ids, latest_run, path_of, run_export, work
from factories.forms import form
from factories.pagination import pages
from factories.requests import PREFIX, post
from factories.submissions import submission

from formwright.domain.exports import execution, reading, run_queue
from formwright.domain.exports.models import Progress
from formwright.domain.exports.run_queue import ClaimedExport


async def _rows(account: Account, run: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the submissions in the NDJSON file of a run."""
    [file] = [file for file in run["files"] if file["name"].endswith(".ndjson")]
    return [json.loads(line) for line in (await download(account, file)).splitlines()]


async def test_incremental_runs_have_each_change_once_while_others_write(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_FIRST_ROWS", "_MIN_ROWS", "_MAX_ROWS"):
        monkeypatch.setattr(reading, name, 5)
    new_form = await form(account)
    ids = [(await submission(account, new_form))["id"] for _ in range(20)]
    created = await create(account, formId=new_form["id"], format="NDJSON", incremental=True)
    ended = asyncio.Event()

    async def write(part: int) -> None:
        number = 0
        while not ended.is_set():
            number += 1
            if number % 2:
                ids.append((await submission(account, new_form))["id"])
            path = f"{PREFIX}/customers/{account.id}/submissions/{ids[number * (part + 7) % len(ids)]}"
            changed = await account.api.put(path, json={"note": f"{part} {number}"})
            assert changed.status_code == 200, changed.text
            # The run has to keep up with the writers.
            await asyncio.sleep(0.02)

    writers = [asyncio.create_task(write(part)) for part in range(3)]
    await work(account)
    runs = [await latest_run(account, created), await run_export(account, created)]
    ended.set()
    await asyncio.gather(*writers)
    runs += [await run_export(account, created), await run_export(account, created)]
    rows = [await _rows(account, run) for run in runs]
    assert [run["since"] for run in runs] == [None, *(run["through"] for run in runs[:-1])]
    for run, found in zip(runs, rows, strict=True):
        assert all((run["since"] or "") < row["updated"] <= run["through"] for row in found), "(since, through]"
    exported = [(row["id"], row["revision"]) for found in rows for row in found]
    assert len(exported) == len(set(exported)), "no change is in two files"
    kept = await pages(account, f"/customers/{account.id}/submissions?formId={new_form['id']}&limit=1000")
    last = {(one["id"], one["revision"]) for one in kept[0]}
    assert last <= set(exported), "no change is missing"
    assert (len(rows[0]) > 0, len(rows[1]) > 0, rows[3]) == (True, True, [])


async def _claim(account: Account, wait_ms: int = 0) -> ClaimedExport:
    async with account.ctx.db.writing() as tx:
        claimed = await run_queue.claim(tx, account.id, account.ctx.clock.now() + wait_ms)
    assert claimed
    return claimed


async def _write_and_complete(account: Account, claimed: ClaimedExport) -> None:
    ctx, now = account.ctx, account.ctx.clock.now()
    storage = execution.Storage(ctx.files, ctx.settings.exports_folder, ctx.destination_rules)
    files = await execution.write_files(ctx.db, storage, claimed, now, Progress())
    async with ctx.db.writing() as tx:
        await run_queue.complete(tx, claimed, files, now)


async def _change(account: Account, export: dict[str, Any], **properties: Any) -> None:
    changed = await account.api.put(PREFIX + path_of(account, export), json={"name": "All"} | properties)
    assert changed.status_code == 200, changed.text


async def test_an_export_that_is_changed_while_it_runs_has_everything_again(account: Account) -> None:
    first, other = await form(account), await form(account)
    old = await submission(account, other)
    created = await create(account, formId=first["id"], incremental=True)
    claimed = await _claim(account)
    await _change(account, created, formId=other["id"], incremental=True)
    await _write_and_complete(account, claimed)
    run = await run_export(account, created)
    assert (run["since"], await exported_ids(account, run)) == (None, [old["id"]])


async def test_a_killed_run_of_an_export_that_is_then_changed_has_everything_again(account: Account) -> None:
    first, other = await form(account), await form(account)
    old = await submission(account, other)
    created = await create(account, formId=first["id"], incremental=True)
    await work(account)
    await post(account, f"{path_of(account, created)}/runs", None)
    assert (await _claim(account)).run.since is not None
    await _change(account, created, formId=other["id"], incremental=True)
    await _write_and_complete(account, await _claim(account, run_queue.LEASE_MS))
    run = await latest_run(account, created)
    assert (run["since"], await exported_ids(account, run)) == (None, [old["id"]])


async def test_an_export_that_becomes_incremental_begins_with_everything(account: Account) -> None:
    new_form = await form(account)
    sent = await submission(account, new_form)
    created = await create(account, formId=new_form["id"])
    await work(account)
    await _change(account, created, formId=new_form["id"], incremental=True)
    run = await run_export(account, created)
    assert (run["since"], await exported_ids(account, run)) == (None, [sent["id"]])
    assert await exported_ids(account, await run_export(account, created)) == []
