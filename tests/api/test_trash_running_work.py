"""Deleting what is being imported or pulled: the work stops, nothing is lost, and restoring brings everything back."""

import asyncio
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get
from factories.row_files import CSV, csv_file
from factories.submission_imports import csv_file as submissions_file
from factories.submission_imports import send, submissions_of
from factories.users import built_in, member
from factories.web_client import visit
from fixtures.app_contexts import Tenant
from fixtures.row_source import Ask, Source, create_synced_datasource, page, run_pull_worker
from fixtures.server_process import eventually
from structlog.testing import capture_logs

from formwright.core.auth.actor import ResourceType
from formwright.domain.datasources.models import PullStatus
from formwright.domain.submissions.imports import runner
from formwright.domain.submissions.imports import service as imports
from formwright.domain.users.models import Grant

VISITS = [["site", "externalId"], *[[f"Site {number}", f"e-{number}"] for number in range(1, 31)]]
TABLE = csv_file([("number", "name"), ("C-1", "Harbour"), ("C-2", "Mill")])


async def test_an_import_into_a_deleted_form_stops_and_its_rows_are_restored_with_the_form(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_BATCH", 7)
    new_form = await form(account)
    url = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
    response = await send(account, new_form, submissions_file(VISITS), skipBadRows="true")
    path = f"/customers/{account.id}/submission-imports/{response.json()['id']}"
    async with account.ctx.db.writing() as tx:
        claimed = await imports.claim(tx, account.id, account.ctx.clock.now())
    assert claimed
    written, real = asyncio.Event(), runner._Job._write_batch

    async def write_then_wait(run: Any, *args: Any) -> None:
        await real(run, *args)
        if not written.is_set():
            written.set()
            assert (await account.api.delete(url)).status_code == 200

    monkeypatch.setattr(runner._Job, "_write_batch", write_then_wait)
    await runner.run(account.ctx.db, account.ctx.files, claimed)
    # It is in the trash with its form.
    assert (await account.api.get(PREFIX + path)).status_code == 404

    assert (await account.api.post(url + "/restore")).status_code == 200
    found = await get(account, path)
    assert (found["status"], found["imported"]) == ("FAILED", 7)
    assert [one["code"] for one in found["errors"]] == ["form.not_found"]
    assert len(await submissions_of(account, new_form)) == 7
    # The same file again adds what is missing, because the external ids of the others are taken.
    again = await send(account, new_form, submissions_file(VISITS), skipBadRows="true")
    async with account.ctx.db.writing() as tx:
        claimed = await imports.claim(tx, account.id, account.ctx.clock.now())
    assert claimed
    await runner.run(account.ctx.db, account.ctx.files, claimed)
    found = await get(account, f"/customers/{account.id}/submission-imports/{again.json()['id']}")
    assert (found["status"], found["imported"], found["rejected"]) == ("DONE", 23, 7)
    ids = [one["externalId"] for one in await submissions_of(account, new_form)]
    assert sorted(ids) == sorted(f"e-{number}" for number in range(1, 31))


async def test_a_data_source_that_is_deleted_during_its_pull_is_pulled_again_once_it_is_restored(
    account: Account,
) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def answer_later(ask: Ask, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await go_on.wait()
        await page(TABLE, content_type=CSV)(ask, writer)

    tenant = Tenant(account.ctx, account.actor, None)
    async with Source(answer_later) as source, run_pull_worker(account.ctx) as puller:
        table = await create_synced_datasource(tenant, source.url)
        url = f"{PREFIX}/customers/{account.id}/datasources/{table.id}"
        await asked.wait()
        assert (await account.api.delete(url)).status_code == 200
        with capture_logs() as logged:
            go_on.set()
            await asyncio.gather(*puller._running)
        assert [entry["event"] for entry in logged if "pull" in entry["event"]] == []
        assert (await account.api.post(url + "/restore")).status_code == 200

        async def pulled() -> bool:
            return (await table.pull()).status is PullStatus.DONE

        await table.refresh()
        await eventually(pulled)
        listed = await get(account, f"/customers/{account.id}/datasources/{table.id}/rows")
        assert [row["key"] for row in listed["items"]] == ["C-1", "C-2"]
        events = (await get(account, f"/webhooks/customer/{account.id}/events"))["items"]
        assert [one["type"] for one in events if one["type"] == "datasource.failed"] == []


async def test_nobody_deletes_themselves_or_the_last_owner(account: Account) -> None:
    owner = await built_in(account, "Owner")
    second = await member(account, Grant(owner, ResourceType.ACCOUNT, account.id))
    async with visit(account) as site:
        asked = await site.http.get(f"/settings/trash/new/user/{account.owner.id}")
        assert "You cannot delete yourself" in asked.text
        sent = await site.post(f"/settings/trash/new/user/{account.owner.id}")
        assert "You cannot delete yourself" in (await site.http.get(sent.headers["location"])).text
        # Another owner can be deleted, and then nobody can delete the last one.
        assert (await site.post(f"/settings/trash/new/user/{second.id}")).status_code == 303
    refused = await account.api.delete(f"{PREFIX}/customers/{account.id}/users/{account.owner.id}")
    assert (refused.status_code, refused.json()["code"]) == (409, "user.last_owner")
    async with visit(account) as site:
        assert (await site.http.get("/settings")).status_code == 200
