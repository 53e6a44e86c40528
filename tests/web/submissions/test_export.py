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
from fixtures.app_contexts import SetClock
from fixtures.server_process import eventually
from msgspec.structs import replace
from web.submissions.conftest import SubmissionPages, words

from formwright.core.auth.actor import ResourceType
from formwright.core.errors import Unavailable
from formwright.domain.exports import reading
from formwright.domain.exports.records import Batch
from formwright.domain.users.models import Grant
from formwright.web.background_jobs import MAX_EXPORTS, RETENTION_MS, Export, ExportStore, Stage, remove_expired_exports
from formwright.web.views.submissions.export import file_download

USER = "usr_01h455vb4pex5vsknk084sn02q"


class BlockedExport:
    """Blocks an export after its first batch, until `go` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go, self.ended = asyncio.Event(), asyncio.Event()
        self._pieces, self._make = reading.iter_batches, file_download._run_export
        monkeypatch.setattr("formwright.domain.exports.reading._MAX_ROWS", 2)
        monkeypatch.setattr("formwright.web.background_jobs._INITIAL_WAIT_S", 0.01)
        monkeypatch.setattr("formwright.web.background_jobs._REPORT_INTERVAL_S", 0.01)
        monkeypatch.setattr(file_download, "iter_batches", self.pieces)
        monkeypatch.setattr(file_download, "_run_export", self.make)

    async def pieces(self, *asked: Any, **options: Any) -> AsyncIterator[Batch]:
        async for piece in self._pieces(*asked, **options):
            yield piece
            await self.go.wait()

    async def make(self, *asked: Any) -> None:
        try:
            await self._make(*asked)
        finally:
            self.ended.set()


@pytest.fixture
def blocked_export(monkeypatch: pytest.MonkeyPatch) -> BlockedExport:
    return BlockedExport(monkeypatch)


def export_store(account: Account) -> ExportStore:
    return ExportStore(account.ctx.settings.exports_folder, account.ctx.clock)


async def start_export(pages: SubmissionPages, count: int = 5) -> tuple[str, str, list[str]]:
    """Start an export of `count` submissions; returns its path, the query of the list and the ids."""
    made = await form(pages.account, name="<i>Crane")
    ids = [(await submission(pages.account, made))["id"] for _ in range(count)]
    query = f"?form={made['id']}&order=submitted"
    answer = await pages.http.get(f"/submissions/download.xlsx{query}")
    assert answer.status_code == 303
    return answer.headers["location"], query, ids


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
        answer = await pages.http.get(f"{path}/file")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
        assert int(answer.headers["content-length"]) == len(answer.content)
        sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).worksheets[0]
        assert [row[0].value for row in sheet.iter_rows(min_row=2)] == ids
    folder = pages.account.ctx.settings.exports_folder
    [one] = folder.glob(f"{pages.account.owner.id}.*")
    assert sorted(left.name for left in one.iterdir()) == ["file", "state.json"]
    assert one.stat().st_mode & 0o777 == 0o700
    await pages.press(f"{path}/remove")
    assert not one.exists()
    assert "Export not available" in await pages.page(path, 404)


async def test_a_short_export_is_not_stored(pages: SubmissionPages) -> None:
    made = await form(pages.account)
    await submission(pages.account, made)
    assert (await pages.http.get(f"/submissions/download.xlsx?form={made['id']}")).status_code == 200
    assert export_store(pages.account).list_by_user(pages.account.owner.id) == []


async def test_cancelling_ends_the_export(pages: SubmissionPages, blocked_export: BlockedExport) -> None:
    path, query, _ = await start_export(pages)
    await wait_for_text(pages, path, "2 submissions so far")
    answer = await pages.press(f"{path}/remove")
    assert answer.headers["location"] == f"/submissions{query}"
    async with asyncio.timeout(60):
        await blocked_export.ended.wait()
    assert not list(pages.account.ctx.settings.exports_folder.glob(f"{pages.account.owner.id}.*"))
    await pages.page(path, 404)


async def test_a_failed_export_shows_the_reason_and_can_be_repeated(
    pages: SubmissionPages, blocked_export: BlockedExport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("formwright.web.views.submissions.export.file_download.TIMEOUT_S", 60)
    path, query, _ = await start_export(pages)
    await wait_for_text(pages, path, "2 submissions so far")
    monkeypatch.setattr("formwright.domain.exports.reading._MAX_ROWS", "no number")
    blocked_export.go.set()
    await wait_for_text(pages, path, "Export failed. Something went wrong.")
    assert f"/submissions/download.xlsx{query}".replace("&", "&amp;") in await pages.page(path)
    [one] = export_store(pages.account).list_by_user(pages.account.owner.id)
    assert not export_store(pages.account).content_path(one).exists(), "the incomplete file is deleted"


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


async def test_a_user_who_lost_access_to_the_form_cannot_download_the_file(pages: SubmissionPages) -> None:
    account = pages.account
    mine, other = await form(account), await form(account)
    manager = await built_in(account, "Form manager")
    who = await member(account, Grant(manager, ResourceType.FORM, mine["id"]))
    async with account.stage.client() as http:
        await enter(account, http, who.id)
        for made, status in ((mine, 200), (other, 404)):
            export = export_store(account).create(who.id, made["id"], "xlsx", "Crane", "")
            export_store(account).content_path(export).write_bytes(b"x")
            export_store(account).save_progress(replace(export, stage=Stage.READY))
            assert (await http.get(f"/submissions/exports/{export.id}")).status_code == status
            assert (await http.get(f"/submissions/exports/{export.id}/file")).status_code == status


async def test_other_names_do_not_lead_to_a_file(pages: SubmissionPages) -> None:
    for name in ("..", "%2e%2e%2fsecret.key", "0" * 31, "0" * 33, "A" * 32):
        assert (await pages.http.get(f"/submissions/exports/{name}/file")).status_code == 404


def create_export(tmp_path: Any) -> tuple[ExportStore, SetClock, Export]:
    clock = SetClock(1_800_000_000_000)
    exports = ExportStore(tmp_path / "exports", clock)
    return exports, clock, exports.create(USER, "frm_1", "xlsx", "Crane", "?form=frm_1")


def test_an_abandoned_export_has_failed(tmp_path: Any) -> None:
    exports, clock, one = create_export(tmp_path)
    clock.ms += 30_001
    found = exports.find(USER, one.id)
    assert found is not None
    assert (found.stage, found.fault) == (Stage.FAILED, "The server was restarted. Try again.")


def test_an_export_is_deleted_after_an_hour(tmp_path: Any) -> None:
    exports, clock, one = create_export(tmp_path)
    exports.save_progress(replace(one, stage=Stage.READY))
    clock.ms += RETENTION_MS
    exports.remove_expired()
    assert exports.list_by_user(USER)
    clock.ms += 1
    assert (exports.list_by_user(USER), exports.find(USER, one.id)) == ([], None)
    exports.remove_expired()
    assert list((tmp_path / "exports").iterdir()) == []


async def test_a_folder_that_cannot_be_read_temporarily_is_deleted_later(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    exports, clock, _ = create_export(tmp_path)
    clock.ms += RETENTION_MS + 1
    monkeypatch.setattr("formwright.web.background_jobs._CLEANUP_INTERVAL_S", 0.01)
    folder = tmp_path / "exports"
    aside = folder.rename(tmp_path / "aside")
    folder.write_text("no folder")
    clearing = asyncio.create_task(remove_expired_exports(exports))
    try:
        await asyncio.sleep(0.05)
        folder.unlink()
        aside.rename(folder)
        assert await eventually(lambda: asyncio.to_thread(lambda: not list(folder.iterdir())))
    finally:
        clearing.cancel()


def test_the_oldest_finished_export_is_deleted_first(tmp_path: Any) -> None:
    exports, clock, first = create_export(tmp_path)
    for _ in range(MAX_EXPORTS - 1):
        clock.ms += 1
        exports.create(USER, "frm_1", "xlsx", "Crane", "")
    with pytest.raises(Unavailable, match="You already have 5 exports in progress"):
        exports.create(USER, "frm_1", "xlsx", "Crane", "")
    exports.save_progress(replace(first, stage=Stage.READY))
    exports.create(USER, "frm_1", "xlsx", "Crane", "")
    assert (len(exports.list_by_user(USER)), exports.find(USER, first.id)) == (MAX_EXPORTS, None)


def test_a_cancelled_export_is_not_written_again(tmp_path: Any) -> None:
    exports, _, one = create_export(tmp_path)
    exports.remove(one)
    assert not exports.save_progress(one)
    assert list((tmp_path / "exports").iterdir()) == []
