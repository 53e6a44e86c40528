"""Exports that write to a folder or a bucket, with a real folder and a real S3-compatible server."""

import asyncio
import hashlib
import json
import shutil
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, cast

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get, post
from factories.submissions import submission
from fixtures.object_storage import ObjectStorage

from formwright.domain.exports import delivery, execution, run_queue
from formwright.domain.exports.destinations import DestinationRules
from formwright.domain.exports.models import Export, Progress
from formwright.worker.exports import ExportWorker


@pytest.fixture
def folder(account: Account, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder that the operator offers as `reports`."""
    offered = tmp_path / "offered"
    offered.mkdir()
    folders = cast("MutableMapping[str, Path]", account.ctx.destination_rules.folders)
    monkeypatch.setitem(folders, "reports", offered)
    return offered


def _exports(account: Account) -> str:
    return f"/customers/{account.id}/exports"


async def _run(account: Account, **properties: Any) -> dict[str, Any]:
    """Create an export, run it, and return it."""
    created = await post(account, _exports(account), {"name": "All"} | properties)
    worker = ExportWorker(account.ctx)
    while await worker.run_batch():
        pass
    found: dict[str, Any] = await get(account, f"{_exports(account)}/{created['id']}")
    return found


def _read_folder(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def _test(account: Account, export: dict[str, Any]) -> tuple[bool, str]:
    response = await account.api.post(f"{PREFIX}{_exports(account)}/{export['id']}/test-destination")
    assert response.status_code == 200, response.text
    return response.json()["success"], response.json()["detail"]


def _check_complete(run: dict[str, Any], stored: dict[str, bytes], root: str) -> None:
    """Check that the destination has the files of a run, as its manifest lists them."""
    prefix = f"{root}/{run['location'].rpartition('/')[2]}"
    files = {name.removeprefix(f"{prefix}/"): content for name, content in stored.items() if name.startswith(prefix)}
    assert set(files) == {file["name"] for file in run["files"]}
    for file in run["files"]:
        content = files[file["name"]]
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["size"], file["sha256"])
    manifest = json.loads(files["manifest.json"])
    assert (manifest["rows"], manifest["through"]) == (run["rows"], run["through"])


async def test_others_write_while_a_destination_is_tested(
    account: Account, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A destination may take long to answer."""
    new_form = await form(account)
    to = {"type": "FOLDER", "folder": "reports", "path": "exports/daily"}
    export = await _run(account, formId=new_form["id"], destination=to)
    verify = delivery.verify_destination

    async def verify_slowly(rules: DestinationRules, record: Export) -> str:
        await asyncio.wait_for(submission(account, new_form), 5)
        return await verify(rules, record)

    monkeypatch.setattr(delivery, "verify_destination", verify_slowly)
    for dry_run, entries in (("true", 0), ("false", 1)):
        response = await account.api.post(
            f"{PREFIX}{_exports(account)}/{export['id']}/test-destination", params={"dryRun": dry_run}
        )
        assert (response.status_code, response.json()["success"]) == (200, True), response.text
        audit = await get(account, f"/customers/{account.id}/audit")
        assert [entry["action"] for entry in audit["items"]].count("export.tested") == entries


async def test_runs_write_to_a_folder_of_the_operator(account: Account, folder: Path) -> None:
    new_form = await form(account, name="Site #1 [x] ä")
    await submission(account, new_form)
    to = {"type": "FOLDER", "folder": "reports", "path": "exports/daily"}
    export = await _run(account, formId=new_form["id"], destination=to)
    run, root = export["latestRun"], f"{account.id}/exports/daily"
    assert (run["status"], run["location"].rpartition("/")[0]) == ("COMPLETED", f"reports/{root}")
    _check_complete(run, _read_folder(folder), root)
    assert await _test(account, export) == (True, "")
    assert len(_read_folder(folder)) == 2, "the test file is deleted"
    assert export["destination"] == to | {"endpoint": "", "region": "", "bucket": "", "accessKeyId": ""}


async def test_runs_write_to_a_bucket_and_the_secret_is_never_returned(
    account: Account, object_storage: ObjectStorage
) -> None:
    new_form = await form(account, name="Site #1 [x] ä")
    sent = [await submission(account, new_form) for _ in range(2)]
    to = object_storage.destination(path=f"daily/{account.id}")
    export = await _run(account, formId=new_form["id"], format="NDJSON", destination=to)
    run = export["latestRun"]
    assert (run["status"], run["detail"]) == ("COMPLETED", "")
    _check_complete(run, object_storage.objects(), f"daily/{account.id}")
    assert run["rows"] == len(sent)
    assert await _test(account, export) == (True, "")
    assert object_storage.secret_access_key not in json.dumps(export)
    async with account.ctx.db.reading() as tx:
        sql = "SELECT secret, settings FROM exports WHERE customer_id = $1"
        [row] = await tx.fetch(sql, account.id)
    assert object_storage.secret_access_key not in repr(tuple(row))
    audit = json.dumps((await get(account, f"/customers/{account.id}/audit"))["items"])
    assert object_storage.secret_access_key not in audit


async def test_a_stored_secret_is_used_for_the_same_bucket_only(
    account: Account, object_storage: ObjectStorage
) -> None:
    new_form = await form(account)
    to = object_storage.destination()
    export = await _run(account, formId=new_form["id"], destination=to)
    path = f"{PREFIX}{_exports(account)}/{export['id']}"
    del to["secretAccessKey"]
    body = {"name": "All", "formId": new_form["id"], "destination": to | {"path": "elsewhere"}}
    kept = await account.api.put(path, json=body)
    assert (kept.status_code, await _test(account, export)) == (200, (True, ""))
    for change in ({"endpoint": "https://s3.example.org"}, {"bucket": "another"}, {"accessKeyId": "AKIAX"}):
        refused = await account.api.put(path, json=body | {"destination": to | change})
        assert refused.status_code == 422, refused.text
        assert [one["code"] for one in refused.json()["errors"]] == ["export.secret_missing"]
    removed = await account.api.put(path, json={"name": "All", "formId": new_form["id"]})
    assert removed.json()["destination"] is None
    untested = await account.api.post(f"{path}/test-destination")
    assert (untested.status_code, untested.json()["code"]) == (409, "export.no_destination")
    again = await account.api.put(path, json=body)
    assert again.status_code == 422, "the secret is gone with the bucket"


async def test_failures_of_a_bucket_are_shown_and_reported(account: Account, object_storage: ObjectStorage) -> None:
    new_form = await form(account)
    for change, reason in (
        ({"bucket": "missing"}, "the server responded with NoSuchBucket"),
        ({"secretAccessKey": "x" * 40}, "the server responded with SignatureDoesNotMatch"),
        ({"endpoint": "http://127.0.0.1:1"}, "the server does not accept connections"),
    ):
        export = await _run(account, formId=new_form["id"], destination=object_storage.destination(**change))
        run = export["latestRun"]
        assert (run["status"], run["files"]) == ("FAILED", []), change
        assert run["detail"].endswith(f": {reason}."), run["detail"]
        success, detail = await _test(account, export)
        assert (success, detail) == (False, run["detail"])
    events = (await get(account, f"/webhooks/customer/{account.id}/events?type=export.*"))["items"]
    assert [event["type"] for event in events] == ["export.failed"] * 3


async def test_a_folder_that_is_gone_fails_the_run(account: Account, folder: Path) -> None:
    new_form = await form(account)
    to = {"type": "FOLDER", "folder": "reports"}
    export = await _run(account, formId=new_form["id"], destination=to)
    await asyncio.to_thread(shutil.rmtree, folder)
    await post(account, f"{_exports(account)}/{export['id']}/runs", None)
    while await ExportWorker(account.ctx).run_batch():
        pass
    run = (await get(account, f"{_exports(account)}/{export['id']}"))["latestRun"]
    assert (run["status"], "no longer has the folder “reports”" in run["detail"]) == ("FAILED", True)
    assert _read_folder(folder.parent) == {}, "the folder is not created again"


async def test_a_repeated_run_replaces_what_the_interrupted_one_has_written(
    account: Account, folder: Path, object_storage: ObjectStorage
) -> None:
    new_form = await form(account)
    await submission(account, new_form)
    for to in (object_storage.destination(path=account.id), {"type": "FOLDER", "folder": "reports"}):
        created = await post(account, _exports(account), {"name": "All", "formId": new_form["id"], "destination": to})
        now, later = account.ctx.clock.now(), account.ctx.clock.now() + run_queue.LEASE_MS
        storage = execution.Storage(
            account.ctx.files, account.ctx.settings.exports_folder, account.ctx.destination_rules
        )
        async with account.ctx.db.writing() as tx:
            killed = await run_queue.claim(tx, account.id, now)
        assert killed
        await execution.write_files(account.ctx.db, storage, killed, now, Progress())
        async with delivery.open_destination(account.ctx.destination_rules, killed.export) as writer:
            assert writer
            with (account.ctx.settings.data_dir / "left").open("w+b") as file:
                await writer.put(f"{delivery.run_folder(killed.run)}/of another name.csv", file)
        async with account.ctx.db.writing() as tx:
            other = await run_queue.claim(tx, account.id, later)
        assert other
        again = await execution.write_files(account.ctx.db, storage, other, later, Progress())
        async with account.ctx.db.writing() as tx:
            await run_queue.complete(tx, other, again, later)
        run = (await get(account, f"{_exports(account)}/{created['id']}"))["latestRun"]
        stored = object_storage.objects() if to["type"] == "S3" else _read_folder(folder)
        _check_complete(run, stored, account.id)
        assert sum(account.id in name for name in stored) == 2


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"type": "FOLDER", "folder": "other"}, "/destination/folder", "export.folder_unknown"),
        ({"type": "FOLDER", "folder": "reports", "path": "../x"}, "/destination/path", "export.path"),
        ({"type": "FOLDER", "folder": "reports", "path": "/etc"}, "/destination/path", "export.path"),
        ({"type": "FOLDER", "folder": "reports", "path": "a//b"}, "/destination/path", "export.path"),
        ({"type": "FOLDER", "folder": "reports", "path": "a/.ssh"}, "/destination/path", "export.path"),
        ({"type": "S3", "endpoint": "http://169.254.169.254"}, "/destination/endpoint", "export.endpoint"),
        ({"type": "S3", "endpoint": "https://10.0.0.1"}, "/destination/endpoint", "export.endpoint"),
        ({"type": "S3", "endpoint": "https://s3.example.org/x"}, "/destination/endpoint", "export.endpoint"),
        ({"type": "S3", "endpoint": "ftp://s3.example.org"}, "/destination/endpoint", "export.endpoint"),
        ({"type": "S3", "bucket": "a/b"}, "/destination/bucket", "value.format"),
        ({"type": "S3", "bucket": ""}, "/destination/bucket", "value.required"),
        ({"type": "S3", "region": "eu central"}, "/destination/region", "value.format"),
        ({"type": "S3", "accessKeyId": "a\nb"}, "/destination/accessKeyId", "value.format"),
        ({"type": "S3", "secretAccessKey": ""}, "/destination/secretAccessKey", "export.secret_missing"),
    ],
)
async def test_invalid_destinations_are_rejected(
    account: Account, folder: Path, change: dict[str, Any], pointer: str, code: str
) -> None:
    bucket = {"region": "eu-central-1", "bucket": "reports", "accessKeyId": "AKIA", "secretAccessKey": "secret"}
    response = await account.api.post(
        f"{PREFIX}{_exports(account)}", json={"name": "All", "destination": bucket | change}
    )
    assert response.status_code == 422, response.text
    assert [(one["pointer"], one["code"]) for one in response.json()["errors"]] == [(pointer, code)]
    assert (await get(account, _exports(account)))["items"] == []
    assert _read_folder(folder) == {}
