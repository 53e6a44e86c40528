"""Exports as jobs and on a schedule, as an integrator sees them."""

import asyncio
import hashlib
import json
from typing import Any

import msgspec
import pytest
from actors import Account
from factories.exports import create, download, exported_ids, path_of, run_export, work
from factories.forms import form
from factories.requests import PREFIX, get, post
from factories.submissions import started, submission
from factories.users import built_in, member, user

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import ResourceType
from formwright.core.blobs import BlobStoreUnavailable
from formwright.core.db import account_lock
from formwright.core.errors import Invalid
from formwright.domain.api_keys import service as keys
from formwright.domain.exports import execution, run_queue
from formwright.domain.exports import service as exports
from formwright.domain.exports.models import (
    ExportFormat,
    ExportNotFound,
    ExportSettings,
    NewExport,
    Progress,
    Schedule,
)
from formwright.domain.exports.run_queue import ClaimedRun
from formwright.domain.users.models import Grant
from formwright.worker.exports import ExportWorker, delete_expired_files

DAY_MS = 24 * 3600 * 1000


async def test_a_job_writes_files_that_can_be_downloaded(account: Account) -> None:
    new_form = await form(account, name='Site "visit" 🏗/2')
    sent = [await submission(account, new_form) for _ in range(3)]
    created = await create(account, formId=new_form["id"])
    assert (created["latestRun"]["status"], created["nextRunAt"]) == ("WAITING", None)
    assert created["latestRun"]["files"] == []
    await work(account)
    run = (await get(account, path_of(account, created)))["latestRun"]
    assert (run["status"], run["rows"], run["since"], run["detail"]) == ("COMPLETED", 3, None, "")
    data, manifest = run["files"]
    assert (data["name"], data["rows"], manifest["name"]) == ("Site _visit_ 🏗_2.csv", 3, "manifest.json")
    content = await download(account, data)
    assert (len(content), hashlib.sha256(content).hexdigest()) == (data["size"], data["sha256"])
    assert await exported_ids(account, run) == [one["id"] for one in sent]
    listed = json.loads(await download(account, manifest))
    assert (listed["rows"], listed["through"], listed["runId"]) == (3, run["through"], run["id"])
    assert listed["files"] == [{name: data[name] for name in ("name", "rows", "size", "sha256")}]
    assert run == await get(account, f"{path_of(account, created)}/runs/{run['id']}")
    [event] = (await get(account, f"/webhooks/customer/{account.id}/events?type=export.*"))["items"]
    assert (event["type"], event["data"]["id"], event["data"]["files"][0]["url"]) == (
        "export.completed",
        run["id"],
        None,
    )


@pytest.mark.parametrize("kind", ["XLSX", "NDJSON", "PARQUET"])
async def test_every_format_can_be_exported(account: Account, kind: str) -> None:
    new_form = await form(account)
    await submission(account, new_form)
    created = await create(account, formId=new_form["id"], format=kind)
    await work(account)
    run = (await get(account, path_of(account, created)))["latestRun"]
    assert [file["name"].rpartition(".")[2] for file in run["files"]] == [kind.lower(), "json"]
    assert len(await download(account, run["files"][0])) == run["files"][0]["size"] > 0


async def test_all_forms_are_exported_to_a_file_each(account: Account) -> None:
    for _ in range(2):
        new_form = await form(account, name="Visit")
        await submission(account, new_form)
    await form(account, name="Empty")
    created = await create(account)
    await work(account)
    run = (await get(account, path_of(account, created)))["latestRun"]
    assert [file["name"] for file in run["files"]] == ["Visit.csv", "Visit 2.csv", "manifest.json"]
    assert run["rows"] == 2


async def test_an_incremental_export_has_each_change_once(account: Account) -> None:
    new_form = await form(account)
    first, second = await submission(account, new_form), await submission(account, new_form)
    created = await create(account, formId=new_form["id"], incremental=True, schedule={"every": "MONTHLY"})
    run = await run_export(account, created)
    assert await exported_ids(account, run) == [first["id"], second["id"]]
    assert (await run_export(account, created))["rows"] == 0
    third = await submission(account, new_form)
    path = f"{PREFIX}/customers/{account.id}/submissions/{first['id']}"
    assert (await account.api.put(path, json={"status": "APPROVED"})).status_code == 200
    again = await run_export(account, created)
    assert sorted(await exported_ids(account, again)) == sorted([first["id"], third["id"]])
    runs = (await get(account, f"{path_of(account, created)}/runs"))["items"]
    assert [one["rows"] for one in runs] == [2, 0, 2]
    assert [one["since"] for one in runs[:-1]] == [one["through"] for one in runs[1:]]


async def test_a_saved_view_selects_rows_and_columns(account: Account) -> None:
    new_form = await form(account)
    busy = await submission(account, new_form, data={"site": "A", "people": 5})
    await submission(account, new_form, data={"site": "B", "people": 1})
    view = await post(
        account,
        f"/customers/{account.id}/views",
        {
            "name": "Busy",
            "formId": new_form["id"],
            "filter": {"answers": {"people[gte]": "3"}},
            "columns": ["id", "answers.site"],
        },
    )
    created = await create(account, formId=new_form["id"], viewId=view["id"])
    await work(account)
    run = (await get(account, path_of(account, created)))["latestRun"]
    assert (await download(account, run["files"][0])).decode("utf-8-sig").splitlines()[1] == f"{busy['id']},A"
    await account.api.delete(f"{PREFIX}/customers/{account.id}/views/{view['id']}")
    failed = await run_export(account, created)
    assert (failed["status"], failed["files"]) == ("FAILED", [])
    assert failed["detail"].startswith("The saved view of this export was deleted")


async def test_a_schedule_runs_in_the_time_zone_of_the_account(account: Account) -> None:
    new_form = await form(account)
    created = await create(account, formId=new_form["id"], schedule={"every": "DAILY", "hour": 3, "minute": 30})
    assert created["latestRun"] is None
    assert created["nextRunAt"].endswith("T03:30:00.000Z")
    await work(account)
    assert (await get(account, path_of(account, created)))["latestRun"] is None, "not before its time"
    async with account.ctx.db.writing() as tx:
        assert await run_queue.start_due(tx, account.id, account.ctx.clock.now() + 3 * DAY_MS) == 1
    await work(account)
    runs = (await get(account, f"{path_of(account, created)}/runs"))["items"]
    assert [one["status"] for one in runs] == ["COMPLETED"], "once, whatever number of times has passed"


async def test_claiming_a_run_and_deleting_its_export_do_not_deadlock(account: Account) -> None:
    created = await create(account, formId=(await form(account))["id"])

    async def claim() -> ClaimedRun | None:
        async with account.ctx.db.writing() as tx:
            return await run_queue.claim(tx, account.id, account.ctx.clock.now())

    async with account.ctx.db.writing() as tx:
        await account_lock.hold(tx, account.id)
        claiming = asyncio.create_task(claim())
        await asyncio.sleep(0.3)
        await exports.delete(tx, actors.system(account.id), export_id=created["id"])
    assert await claiming is None


async def test_a_run_of_a_killed_worker_is_repeated_without_a_double(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_form = await form(account)
    sent = await submission(account, new_form)
    created = await create(account, formId=new_form["id"], incremental=True)
    now, later = account.ctx.clock.now(), account.ctx.clock.now() + run_queue.LEASE_MS
    async with account.ctx.db.writing() as tx:
        killed = await run_queue.claim(tx, account.id, now)
    assert killed
    late = await submission(account, new_form)
    storage = execution.Storage(account.ctx.files, account.ctx.settings.exports_folder, account.ctx.destination_rules)
    files = await execution.write_files(account.ctx.db, storage, killed, now, Progress())
    async with account.ctx.db.writing() as tx:
        assert await run_queue.claim(tx, account.id, now) is None, "the lease has not ended"
        other = await run_queue.claim(tx, account.id, later)
    assert other
    assert (other.run.id, other.run.through) == (killed.run.id, killed.run.through)
    again = await execution.write_files(account.ctx.db, storage, other, later, Progress())
    assert [file.key for file in again] == [file.key for file in files]
    async with account.ctx.db.writing() as tx:
        await run_queue.complete(tx, other, again, later)
    with pytest.raises(run_queue.RunLeaseLost):
        async with account.ctx.db.writing() as tx:
            await run_queue.complete(tx, killed, files, later)
    [run] = (await get(account, f"{path_of(account, created)}/runs"))["items"]
    assert await exported_ids(account, run) == [sent["id"]]
    assert await exported_ids(account, await run_export(account, created)) == [late["id"]], "changed after `through`"


async def test_a_run_that_is_interrupted_again_and_again_fails(account: Account) -> None:
    new_form = await form(account)
    created = await create(account, formId=new_form["id"])
    now = account.ctx.clock.now()
    for attempt in range(run_queue.MAX_TRIES + 1):
        async with account.ctx.db.writing() as tx:
            claimed = await run_queue.claim(tx, account.id, now + attempt * run_queue.LEASE_MS)
        assert (claimed is None) == (attempt == run_queue.MAX_TRIES)
    run = (await get(account, path_of(account, created)))["latestRun"]
    assert (run["status"], run["detail"][:34]) == ("FAILED", "The server was stopped each time w")


async def test_a_storage_that_fails_for_a_while_only_delays_the_run(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_form = await form(account)
    created = await create(account, formId=new_form["id"])

    async def refuse(*_: object) -> None:
        raise BlobStoreUnavailable()

    with monkeypatch.context() as broken:
        broken.setattr(account.ctx.files.__class__, "put", refuse)
        assert await ExportWorker(account.ctx).run_batch() == 0
    assert (await get(account, path_of(account, created)))["latestRun"]["status"] == "RUNNING"


async def test_an_export_has_the_permissions_that_its_owner_has_at_that_time(account: Account) -> None:
    new_form = await form(account)
    manager = await built_in(account, "Form manager")
    who = await member(account, Grant(manager, ResourceType.FORM, new_form["id"]), name="Ann")
    new = NewExport("Mine", new_form["id"], ExportSettings(ExportFormat.CSV))
    async with account.ctx.db.writing() as tx:
        created = await exports.create(tx, who, new, account.ctx.destination_rules)
    await work(account)
    path = f"{path_of(account)}/{created.id}"
    assert (await get(account, path))["latestRun"]["status"] == "COMPLETED"
    people = f"{PREFIX}/customers/{account.id}/users/{who.id}"
    person = (await account.api.get(people)).json()
    edit = {name: person[name] for name in ("email", "name", "language")} | {"groups": [], "grants": []}
    assert (await account.api.put(people, json=edit)).status_code == 200
    run = await run_export(account, {"id": created.id})
    assert (run["status"], run["files"]) == ("FAILED", [])
    assert run["detail"] == "Ann may no longer read these submissions."
    assert (await account.api.put(people, json=edit | {"status": "DISABLED"})).status_code == 200
    assert (
        "Ann, who set up this export, can no longer sign in."
        in (await run_export(account, {"id": created.id}))["detail"]
    )
    events = (await get(account, f"/webhooks/customer/{account.id}/events?type=export.failed"))["items"]
    assert len(events) == 2


async def test_an_export_of_a_revoked_key_fails(account: Account) -> None:
    new_form = await form(account)
    created = await create(account, formId=new_form["id"], schedule={"every": "WEEKLY", "weekday": 7})
    async with account.ctx.db.writing() as tx:
        await keys.revoke(tx, account.actor, key_id=created["ownerId"])
        await exports.run(tx, account.actor, export_id=created["id"])
    await work(account)
    async with account.ctx.db.reading() as tx:
        export = await exports.get(tx, account.actor, export_id=created["id"])
        runs = await exports.latest_runs(tx, account.actor, [export])
    assert "which set up this export, no longer works" in runs[export.latest_run_id or ""].detail


async def test_recipients_receive_an_email_after_each_run(account: Account) -> None:
    new_form, someone = await form(account), await user(account)
    await create(account, formId=new_form["id"], recipients=[someone.id])
    await work(account)
    async with account.ctx.db.reading() as tx:
        mails = await tx.fetch(
            "SELECT address, subject FROM mails WHERE customer_id = $1 AND purpose = 'export'", account.id
        )
    # An invited user cannot open the link yet.
    assert [tuple(row) for row in mails] in ([], [(someone.email, "Export ready: All")])


async def test_files_are_deleted_with_the_export_and_when_they_expire(account: Account) -> None:
    new_form = await form(account)
    await started(account, new_form, "c1", people=1)
    created, other = await create(account, formId=new_form["id"]), await create(account, formId=new_form["id"])
    await work(account)
    run = (await get(account, path_of(account, created)))["latestRun"]
    async with account.ctx.db.reading() as tx:
        scope_run = await exports.get_run(tx, account.actor, export_id=created["id"], run_id=run["id"])
    keys_ = [file.key for file in scope_run.files]
    assert (await account.api.delete(f"{PREFIX}{path_of(account, created)}")).status_code == 204
    assert (await account.api.get(f"{PREFIX}{path_of(account, created)}/runs/{run['id']}")).status_code == 404
    async with account.stage.client() as http:
        link = run["files"][0]["url"]
        assert (await http.get(link[link.index("/files/") :])).status_code == 404
    await delete_expired_files(account.ctx)
    assert not any([await account.ctx.files.exists(key) for key in keys_])
    kept = (await get(account, path_of(account, other)))["latestRun"]
    assert len(await download(account, kept["files"][0])) == kept["files"][0]["size"]


async def test_a_run_fails_while_the_form_is_in_the_trash(account: Account) -> None:
    new_form = await form(account)
    created = await create(account, formId=new_form["id"])
    path = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
    assert (await account.api.delete(path)).status_code == 200
    assert (await account.api.get(PREFIX + path_of(account, created))).status_code == 404, "it is hidden with its form"
    await work(account)
    assert (await account.api.post(f"{path}/restore")).status_code == 200
    run = (await get(account, path_of(account, created)))["latestRun"]
    assert (run["status"], run["detail"][:26]) == ("FAILED", "The form no longer exists,")


INVALID = [
    ({"name": " "}, "/name", "value.pattern"),
    ({"format": "PDF"}, "/format", "value.choice"),
    ({"schedule": {"every": "HOURLY", "minute": 60}}, "/schedule/minute", "value.too_great"),
    ({"schedule": {"every": "HOURLY", "hour": 9}}, "/schedule/hour", "export.schedule_unused"),
    ({"schedule": {"every": "HOURLY", "weekday": 2}}, "/schedule/weekday", "export.schedule_unused"),
    ({"schedule": {"every": "DAILY", "day": 2}}, "/schedule/day", "export.schedule_unused"),
    ({"schedule": {"every": "WEEKLY", "hour": 0, "weekday": 7, "day": 31}}, "/schedule/day", "export.schedule_unused"),
    ({"schedule": {"every": "MONTHLY", "weekday": 2, "day": 5}}, "/schedule/weekday", "export.schedule_unused"),
    ({"formId": "frm_01h455vb4pex5vsknk084sn02q"}, "/formId", "form.not_found"),
    ({"viewId": "view_01h455vb4pex5vsknk084sn02q"}, "/viewId", "view.not_found"),
    ({"recipients": ["usr_01h455vb4pex5vsknk084sn02q"]}, "/recipients/0", "user.not_found"),
]


@pytest.mark.parametrize(("body", "pointer", "code"), INVALID)
async def test_invalid_exports_are_rejected(account: Account, body: dict[str, Any], pointer: str, code: str) -> None:
    response = await account.api.post(PREFIX + path_of(account), json={"name": "All"} | body)
    assert response.status_code == 422
    assert [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]] == [(pointer, code)]


@pytest.mark.parametrize(
    "schedule",
    [
        {"every": "HOURLY", "minute": 5},
        {"every": "DAILY", "hour": 0},
        {"every": "WEEKLY", "hour": 23, "weekday": 7},
        {"every": "MONTHLY", "day": 31},
    ],
)
async def test_a_schedule_can_be_sent_as_it_was_returned(account: Account, schedule: dict[str, Any]) -> None:
    created = await create(account, schedule=schedule)
    # Earlier versions accepted what has no effect.
    stored = msgspec.convert({"hour": 9, "weekday": 3, "day": 4} | schedule, Schedule)
    async with account.ctx.db.writing() as tx:
        await tx.execute(
            "UPDATE exports SET settings = $2 WHERE customer_id = $1",
            account.id,
            msgspec.json.encode(ExportSettings(ExportFormat.CSV, schedule=stored)).decode(),
        )
    kept = (await get(account, path_of(account, created)))["schedule"]
    assert kept.items() >= schedule.items()
    body = {"name": "All", "schedule": kept}
    changed = await account.api.put(PREFIX + path_of(account, created), json=body)
    assert (changed.status_code, changed.json()["schedule"]) == (200, kept)


async def test_a_manager_of_one_form_cannot_export_all(account: Account) -> None:
    new_form, other = await form(account), await form(account)
    manager = await built_in(account, "Form manager")
    who = await member(account, Grant(manager, ResourceType.FORM, new_form["id"]))
    of_all, of_other = await create(account), await create(account, formId=other["id"])
    async with account.ctx.db.reading() as tx:
        for hidden in (of_all, of_other):
            with pytest.raises(ExportNotFound):
                await exports.get(tx, who, export_id=hidden["id"])
    new = NewExport("All", None, ExportSettings(ExportFormat.CSV))
    with pytest.raises(Invalid):
        async with account.ctx.db.writing() as tx:
            await exports.create(tx, who, new, account.ctx.destination_rules)
