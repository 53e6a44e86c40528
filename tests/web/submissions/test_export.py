"""Exports of long lists as Excel files: progress, cancellation, access and deletion."""

import asyncio
import io
from collections.abc import AsyncIterator
from typing import Any

import openpyxl
import pytest
from actors import Account
from factories.forms import form
from factories.submissions import submission
from factories.users import built_in, member
from factories.web_client import csrf, enter
from fixtures.server_process import eventually
from web.submissions.conftest import SubmissionPages, words

from formwright.core.auth.actor import ResourceType
from formwright.domain.exports import downloads, execution, reading
from formwright.domain.exports.models import ExportRun
from formwright.domain.exports.records import Batch
from formwright.domain.users import service as users
from formwright.domain.users.models import Grant


class BlockedExport:
    """Blocks an export after its first batch, until `go` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go, self.ended = asyncio.Event(), asyncio.Event()
        self._pieces, self._write = reading.iter_batches, execution.write_table
        monkeypatch.setattr("formwright.domain.exports.reading._MAX_ROWS", 2)
        monkeypatch.setattr("formwright.web.views.submissions.export.file_download._INITIAL_WAIT_S", 0.01)
        monkeypatch.setattr(execution, "iter_batches", self.pieces)
        monkeypatch.setattr(execution, "write_table", self.write)

    async def pieces(self, *asked: Any, **options: Any) -> AsyncIterator[Batch]:
        async for piece in self._pieces(*asked, **options):
            yield piece
            await self.go.wait()

    async def write(self, *asked: Any, **options: Any) -> int:
        try:
            return await self._write(*asked, **options)
        finally:
            self.ended.set()


@pytest.fixture
def blocked_export(monkeypatch: pytest.MonkeyPatch) -> BlockedExport:
    return BlockedExport(monkeypatch)


async def list_downloads(account: Account) -> list[ExportRun]:
    async with account.ctx.db.reading() as tx:
        actor = await users.load_actor(tx, account.owner)
        return await downloads.list_by_user(tx, actor, account.ctx.clock.now())


async def start_export(pages: SubmissionPages, count: int = 5) -> tuple[str, str, list[str]]:
    """Start an export of `count` submissions; returns its path, the query of the list and the ids."""
    new_form = await form(pages.account, name="<i>Crane")
    ids = [(await submission(pages.account, new_form))["id"] for _ in range(count)]
    query = f"?form={new_form['id']}&order=submitted"
    response = await pages.http.get(f"/submissions/download.xlsx{query}")
    assert response.status_code == 303
    return response.headers["location"], query, ids


async def wait_for_text(pages: SubmissionPages, path: str, text: str) -> str:
    """Wait until the page contains the text and return its text."""
    for _ in range(500):
        if text in (page := words(await pages.page(path))):
            return page
        await asyncio.sleep(0.01)
    raise AssertionError(page)


async def test_an_export_runs_while_the_user_continues(pages: SubmissionPages, blocked_export: BlockedExport) -> None:
    path, query, ids = await start_export(pages)
    await wait_for_text(pages, path, "2 submissions so far")
    assert (await pages.http.get(f"{path}/file")).status_code == 404, "not before it is complete"
    assert "Excel file of <i>Crane is being prepared" in words(await pages.page("/submissions"))
    again = await pages.http.get(f"/submissions/download.xlsx{query}")
    assert again.headers["location"] == path, "a second press makes no second file"
    other = await pages.http.get(f"/submissions/download.parquet{query}")
    assert other.headers["location"] != path, "of another kind it does"
    await pages.press(f"{other.headers['location']}/remove")
    blocked_export.go.set()
    await wait_for_text(pages, path, "Your file with 5 submissions is ready.")
    assert "Excel file of <i>Crane is ready" in words(await pages.page("/submissions"))
    for _ in range(2):
        response = await pages.http.get(f"{path}/file")
        assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
        assert int(response.headers["content-length"]) == len(response.content)
        sheet = openpyxl.load_workbook(io.BytesIO(response.content)).worksheets[0]
        assert [row[0].value for row in sheet.iter_rows(min_row=2)] == ids
    [run] = await list_downloads(pages.account)
    assert list(pages.account.ctx.settings.exports_folder.iterdir()) == []
    await pages.press(f"{path}/remove")
    assert not await pages.account.ctx.files.exists(run.files[0].key)
    assert "Export not available" in await pages.page(path, 404)


async def test_a_short_export_is_not_stored(pages: SubmissionPages) -> None:
    new_form = await form(pages.account)
    await submission(pages.account, new_form)
    assert (await pages.http.get(f"/submissions/download.xlsx?form={new_form['id']}")).status_code == 200
    assert await list_downloads(pages.account) == []


async def test_cancelling_ends_the_export(pages: SubmissionPages, blocked_export: BlockedExport) -> None:
    path, query, _ = await start_export(pages)
    await wait_for_text(pages, path, "2 submissions so far")
    response = await pages.press(f"{path}/remove")
    assert response.headers["location"] == f"/submissions{query}"
    async with asyncio.timeout(60):
        await blocked_export.ended.wait()
    assert await list_downloads(pages.account) == []
    await pages.page(path, 404)


async def test_a_failed_export_shows_the_reason_and_can_be_repeated(
    pages: SubmissionPages, blocked_export: BlockedExport, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, query, _ = await start_export(pages)
    await wait_for_text(pages, path, "2 submissions so far")
    monkeypatch.setattr("formwright.domain.exports.reading._MAX_ROWS", "no number")
    blocked_export.go.set()
    await wait_for_text(pages, path, "Export failed. Something went wrong.")
    assert f"/submissions/download.xlsx{query}".replace("&", "&amp;") in await pages.page(path)
    [run] = await list_downloads(pages.account)
    assert not await pages.account.ctx.files.exists(execution.file_key(run, 0)), "the incomplete file is not stored"


async def test_an_export_is_only_available_to_its_user(pages: SubmissionPages, blocked_export: BlockedExport) -> None:
    path, _, _ = await start_export(pages)
    blocked_export.go.set()
    await wait_for_text(pages, path, "Your file with 5 submissions is ready")
    colleague = await built_in(pages.account)
    other = await member(pages.account, Grant(colleague, ResourceType.ACCOUNT, pages.account.id))
    async with pages.account.stage.account("Neighbour") as neighbour, pages.account.stage.client() as http:
        token = csrf((await http.get("/sign-in")).text)
        for account, person in ((pages.account, other.id), (neighbour, neighbour.owner.id)):
            await enter(account, http, person)
            assert (await http.get(path)).status_code == 404
            assert (await http.get(f"{path}/file")).status_code == 404
            assert (await http.post(f"{path}/remove", data={"_csrf_token": token})).status_code == 404
    assert (await pages.http.get(f"{path}/file")).status_code == 200


async def test_a_user_who_lost_access_to_the_form_cannot_download_the_file(
    pages: SubmissionPages, blocked_export: BlockedExport
) -> None:
    account = pages.account
    new_form = await form(account)
    await submission(account, new_form)
    manager = await built_in(account, "Form manager")
    who = await member(account, Grant(manager, ResourceType.FORM, new_form["id"]))
    async with account.stage.client() as http:
        await enter(account, http, who.id)
        path = (await http.get(f"/submissions/download.parquet?form={new_form['id']}")).headers["location"]
        blocked_export.go.set()

        async def is_ready() -> bool:
            return "Your file with 1 submission is ready." in words((await http.get(path)).text)

        assert await eventually(is_ready)
        assert (await http.get(f"{path}/file")).status_code == 200
        people = f"/api/v1.0/customers/{account.id}/users/{who.id}"
        person = (await account.api.get(people)).json()
        other = [{"roleId": manager, "resource": {"type": "form", "id": (await form(account))["id"]}}]
        edit = {name: person[name] for name in ("email", "name", "language")} | {"groups": [], "grants": other}
        assert (await account.api.put(people, json=edit)).status_code == 200
        assert (await http.get(path)).status_code == 404
        assert (await http.get(f"{path}/file")).status_code == 404


async def test_other_names_do_not_lead_to_a_file(pages: SubmissionPages) -> None:
    for name in ("..", "%2e%2e%2fsecret.key", "run_0", "run_01h455vb4pex5vsknk084sn02q", "A" * 32):
        assert (await pages.http.get(f"/submissions/exports/{name}/file")).status_code == 404
