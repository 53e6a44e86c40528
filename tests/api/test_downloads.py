"""Downloads: files that people request on pages, which any worker writes. The pages have tests of their own."""

import asyncio
import io
import os
import time
from functools import partial
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX
from factories.submissions import submission
from factories.users import built_in, member
from fixtures.server_process import eventually

from formwright.core.auth.actor import Actor, ResourceType
from formwright.core.blobs import BlobStoreUnavailable
from formwright.core.errors import Unavailable
from formwright.domain.exports import downloads, execution, run_queue
from formwright.domain.exports.models import (
    DOWNLOAD_RETENTION_MS,
    ERASURE,
    MAX_DOWNLOADS,
    PERSONAL_DATA_ZIP,
    REPORT_ZIP,
    Download,
    ExportRun,
    ExportState,
)
from formwright.domain.exports.run_queue import ClaimedRun, RunLeaseLost
from formwright.domain.privacy import erasure
from formwright.domain.privacy.models import Subject
from formwright.domain.users.models import Grant
from formwright.worker.downloads import DownloadWorker


async def start(account: Account, actor: Actor, query: str, kind: str = "xlsx", form_id: str = "") -> ExportRun:
    async with account.ctx.db.writing() as tx:
        return await downloads.start(tx, actor, Download(kind, "Crane", query), form_id or None)


async def start_of_form(account: Account, actor: Actor, form: dict[str, Any], kind: str = "xlsx") -> ExportRun:
    return await start(account, actor, f"?form={form['id']}&order=submitted", kind, form["id"])


async def work(account: Account) -> None:
    while await DownloadWorker(account.ctx).run_batch():
        pass


async def claim(account: Account, wait_ms: int = 0) -> ClaimedRun | None:
    async with account.ctx.db.writing() as tx:
        return await run_queue.claim_download(tx, account.id, account.ctx.clock.now() + wait_ms)


async def find(account: Account, actor: Actor, run: ExportRun, wait_ms: int = 0) -> ExportRun | None:
    async with account.ctx.db.reading() as tx:
        return await downloads.find(tx, actor, account.ctx.clock.now() + wait_ms, run_id=run.id)


async def has_ended(account: Account, actor: Actor, run: ExportRun) -> bool:
    return not (await find(account, actor, run) or run).is_running


async def read(account: Account, run: ExportRun | None) -> bytes:
    assert run
    [file] = run.files
    content = b"".join([chunk async for chunk in await account.ctx.files.read(file.key, 0, file.size)])
    assert len(content) == file.size
    return content


async def exported_ids(account: Account, run: ExportRun | None) -> list[Any]:
    sheet = openpyxl.load_workbook(io.BytesIO(await read(account, run))).worksheets[0]
    return [row[0].value for row in sheet.iter_rows(min_row=2)]


async def owner(account: Account) -> Actor:
    return await member(account, Grant(await built_in(account), ResourceType.ACCOUNT, account.id))


async def manager(account: Account, form: dict[str, Any]) -> Actor:
    role = await built_in(account, "Form manager")
    return await member(account, Grant(role, ResourceType.FORM, form["id"]), name="Ann")


async def test_a_file_has_what_its_user_may_read_when_it_is_written(account: Account) -> None:
    mine, other = await form(account), await form(account)
    sent = await submission(account, mine)
    await submission(account, other)
    who = await manager(account, mine)
    allowed = await start_of_form(account, who, mine)
    denied = await start_of_form(account, who, other)
    await work(account)
    assert await exported_ids(account, await find(account, who, allowed)) == [sent["id"]]
    failed = await find(account, who, denied)
    assert failed
    assert (failed.state, failed.files) == (ExportState.FAILED, [])
    assert failed.detail.startswith("The form no longer exists, or you may no longer read")

    lost = await start_of_form(account, who, mine, "parquet")
    people = f"{PREFIX}/customers/{account.id}/users/{who.id}"
    person = (await account.api.get(people)).json()
    edit = {name: person[name] for name in ("email", "name", "language")} | {"groups": [], "grants": []}
    assert (await account.api.put(people, json=edit)).status_code == 200
    await work(account)
    run = await find(account, who, lost)
    assert run
    assert (run.state, run.files) == (ExportState.FAILED, []), "the permissions are those at the time of writing"
    disabled = await start_of_form(account, who, mine)
    assert (await account.api.put(people, json=edit | {"status": "DISABLED"})).status_code == 200
    await work(account)
    run = await find(account, who, disabled)
    assert run
    assert "can no longer sign in" in run.detail


async def test_a_download_of_a_killed_worker_is_repeated_by_another_one(account: Account) -> None:
    new_form, who = await form(account), await owner(account)
    sent = await submission(account, new_form)
    run = await start_of_form(account, who, new_form)
    killed = await claim(account)
    assert killed
    assert killed.run.id == run.id
    assert await claim(account) is None, "the lease has not ended"
    other = await claim(account, run_queue.DOWNLOAD_LEASE_MS)
    assert other
    worker = DownloadWorker(account.ctx)
    await worker._run(other)
    await worker._run(killed)
    found = await find(account, who, run)
    assert await exported_ids(account, found) == [sent["id"]]
    assert found
    assert [file.key[-2:] for file in found.files] == ["/1"], "the file of the first worker replaces nothing"


async def test_a_download_that_is_interrupted_again_and_again_fails(account: Account) -> None:
    new_form, who = await form(account), await owner(account)
    run = await start_of_form(account, who, new_form)
    for attempt in range(run_queue.MAX_TRIES + 1):
        claimed = await claim(account, attempt * run_queue.DOWNLOAD_LEASE_MS)
        assert (claimed is None) == (attempt == run_queue.MAX_TRIES)
    found = await find(account, who, run)
    assert found
    assert (found.state, found.detail[:34]) == (ExportState.FAILED, "The server was stopped each time w")


async def test_a_storage_that_fails_for_a_while_only_delays_a_download(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_form, who = await form(account), await owner(account)
    run = await start_of_form(account, who, new_form)

    async def refuse(*_: object) -> None:
        raise BlobStoreUnavailable()

    with monkeypatch.context() as broken:
        broken.setattr(account.ctx.files.__class__, "put", refuse)
        await DownloadWorker(account.ctx).run_batch()
    found = await find(account, who, run)
    assert found
    assert found.is_running


async def test_a_removed_download_is_not_written_and_leaves_no_file(account: Account) -> None:
    new_form, who = await form(account), await owner(account)
    await submission(account, new_form)
    first, second = await start_of_form(account, who, new_form), await start_of_form(account, who, new_form, "csv")
    claimed = {one.run.id: one for one in [await claim(account), await claim(account)] if one}
    await downloads.remove(account.ctx.db, account.ctx.files, first)
    worker = DownloadWorker(account.ctx, renew_s=0.01)
    for one in claimed.values():
        await worker._run(one)
    assert await find(account, who, first) is None
    assert not await account.ctx.files.exists(execution.file_key(first, 0))
    finished = await find(account, who, second)
    assert finished
    await downloads.remove(account.ctx.db, account.ctx.files, finished)
    assert await find(account, who, second) is None
    assert not await account.ctx.files.exists(finished.files[0].key)
    with pytest.raises(RunLeaseLost):
        async with account.ctx.db.writing() as tx:
            await run_queue.end_download(tx, claimed[second.id], account.ctx.clock.now(), 0)


async def test_a_download_expires_after_an_hour_and_the_cleanup_deletes_it(account: Account) -> None:
    new_form, who = await form(account), await owner(account)
    run = await start_of_form(account, who, new_form)
    await work(account)
    found = await find(account, who, run, DOWNLOAD_RETENTION_MS - 10_000)
    assert found
    assert await find(account, who, run, DOWNLOAD_RETENTION_MS) is None
    now = account.ctx.clock.now()
    await execution.delete_expired(account.ctx.db, account.ctx.files, now)
    await read(account, found)
    await execution.delete_expired(account.ctx.db, account.ctx.files, now + DOWNLOAD_RETENTION_MS)
    assert not await account.ctx.files.exists(found.files[0].key)
    async with account.ctx.db.reading() as tx:
        assert await tx.fetch("SELECT 1 FROM export_runs WHERE customer_id = $1", account.id) == []


def test_folders_that_killed_processes_have_left_are_deleted(tmp_path: Path) -> None:
    now = time.time()
    ages = {"run-new": 3600, "run-old": 90_000, "usr_new.0": 60, "usr_old.0": 4_000, "other": 1_000_000}
    for name, age_s in ages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(b"answers")
        os.utime(tmp_path / name, (now - age_s, now - age_s))
    execution.delete_left_files(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "run-new", "usr_new.0"]
    execution.delete_left_files(tmp_path / "missing")


async def test_a_new_download_replaces_failed_ones_and_the_oldest_finished_one(account: Account) -> None:
    new_form, who, colleague = await form(account), await owner(account), await owner(account)
    runs = [
        await start(account, who, f"?form={new_form['id']}&days={day}", "csv") for day in range(1, MAX_DOWNLOADS + 1)
    ]
    again = await start(account, who, f"?form={new_form['id']}&days=1", "csv")
    assert again.id == runs[0].id, "the same one is in progress"
    with pytest.raises(Unavailable, match="You already have 5 exports in progress"):
        await start_of_form(account, who, new_form)
    await start_of_form(account, colleague, new_form)
    await work(account)
    await start_of_form(account, who, new_form)
    async with account.ctx.db.reading() as tx:
        known = await downloads.list_by_user(tx, who, account.ctx.clock.now())
    assert len(known) == MAX_DOWNLOADS
    assert runs[0].id not in {one.id for one in known}


async def test_an_erasure_removes_downloads_about_the_person(account: Account) -> None:
    new_form, other = await form(account), await form(account)
    who, gone, colleague = await owner(account), await owner(account), await owner(account)
    await submission(account, new_form, userId=gone.id)
    removed = [
        (who, await start_of_form(account, who, new_form)),
        (colleague, await start_of_form(account, colleague, new_form, REPORT_ZIP)),
        (colleague, await start(account, colleague, f"user={gone.id}", PERSONAL_DATA_ZIP)),
        (gone, await start_of_form(account, gone, other)),
    ]
    kept = await start_of_form(account, who, other)
    await work(account)
    files = [file.key for actor, run in removed for file in (await find(account, actor, run) or run).files]
    assert len(files) == len(removed)
    running = await start_of_form(account, who, new_form, "csv")
    claimed = await claim(account)
    erasing = await start(account, who, f"user={gone.id}", ERASURE)
    await work(account)
    found = await find(account, who, erasing)
    assert found
    assert (found.state, found.rows, found.download.query) == (ExportState.COMPLETED, 1, "")
    assert claimed
    await DownloadWorker(account.ctx)._run(claimed)
    for actor, run in [*removed, (who, running)]:
        assert await find(account, actor, run) is None
    assert not any([await account.ctx.files.exists(key) for key in [*files, execution.file_key(running, 0)]])
    await read(account, await find(account, who, kept))


async def test_an_erasure_of_a_killed_worker_is_finished_by_another_one(account: Account) -> None:
    new_form, who = await form(account), await owner(account)
    await submission(account, new_form, data={"site": "Quay"})
    query = f"form={new_form['id']}&field=site&value=Quay"
    run = await start(account, who, query, ERASURE)
    assert await claim(account)
    # The worker is killed before it saves that it has finished.
    subject = Subject(form_id=new_form["id"], field="site", value="Quay")
    ctx = account.ctx
    assert [done async for done in erasure.erase(ctx.db, ctx.files, who, subject, ctx.clock.now)]
    other = await claim(account, run_queue.DOWNLOAD_LEASE_MS)
    assert other
    await DownloadWorker(ctx)._run(other)
    found = await find(account, who, run)
    assert found
    assert (found.state, found.detail) == (ExportState.COMPLETED, "")
    again = await start(account, who, query, ERASURE)
    await work(account)
    found = await find(account, who, again)
    assert found
    assert (found.state, found.detail) == (ExportState.FAILED, "No data was found for this person.")


async def test_downloads_of_an_account_do_not_wait_for_each_other(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_form, who = await form(account), await owner(account)
    go, write = asyncio.Event(), execution.write_table
    started: list[str] = []

    async def wait_and_write(*args: Any, **options: Any) -> int:
        started.append(args[2].name)
        await go.wait()
        return await write(*args, **options)

    monkeypatch.setattr(execution, "write_table", wait_and_write)
    worker = DownloadWorker(account.ctx, poll_interval_s=0.01)
    running = asyncio.create_task(worker.run())
    try:
        runs = [await start_of_form(account, who, new_form, kind) for kind in ("csv", "xlsx", "parquet")]
        assert await eventually(lambda: asyncio.sleep(0, len(started) == len(runs)))
        go.set()
        for run in runs:
            assert await eventually(partial(has_ended, account, who, run))
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
