"""A long Excel file: made while its person goes on, shown as it grows, hers alone, and taken away again."""

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

from formwright.core.auth.actor import ResourceType
from formwright.core.errors import Unavailable
from formwright.domain.users.models import Grant
from formwright.web.background_jobs import MAX_EXPORTS, RETENTION_MS, Export, ExportStore, Stage, remove_expired_exports
from formwright.web.views.submissions.export import file_download
from formwright.web.views.submissions.export.table import Batch
from tests.web.submissions.conftest import Office, words

USER = "usr_01h455vb4pex5vsknk084sn02q"


class Held:
    """Reads the first piece, and the others when it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go, self.ended = asyncio.Event(), asyncio.Event()
        self._pieces, self._make = file_download.iter_batches, file_download._run_export
        monkeypatch.setattr("formwright.web.views.submissions.export.streaming_download.MAX_LIMIT", 2)
        monkeypatch.setattr("formwright.web.background_jobs._INITIAL_WAIT_S", 0.01)
        monkeypatch.setattr("formwright.web.background_jobs._REPORT_INTERVAL_S", 0.01)
        monkeypatch.setattr(file_download, "iter_batches", self.pieces)
        monkeypatch.setattr(file_download, "_run_export", self.make)

    async def pieces(self, *asked: Any) -> AsyncIterator[Batch]:
        async for piece in self._pieces(*asked):
            yield piece
            await self.go.wait()

    async def make(self, *asked: Any) -> None:
        try:
            await self._make(*asked)
        finally:
            self.ended.set()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


def kept(account: Account) -> ExportStore:
    return ExportStore(account.ctx.settings.exports_folder, account.ctx.clock)


async def begun(office: Office, count: int = 5) -> tuple[str, str, list[str]]:
    """Where a file of `count` submissions is being made; the query of the list; what will be in it."""
    made = await form(office.account, name="<i>Crane")
    ids = [(await submission(office.account, made))["id"] for _ in range(count)]
    query = f"?form={made['id']}&order=submitted"
    answer = await office.http.get(f"/submissions/download.xlsx{query}")
    assert answer.status_code == 303
    return answer.headers["location"], query, ids


async def says(office: Office, path: str, text: str) -> str:
    """The page, once it says so."""
    for _ in range(500):
        if text in (page := words(await office.page(path))):
            return page
        await asyncio.sleep(0.01)
    raise AssertionError(page)


async def test_it_is_made_while_its_person_goes_on(office: Office, held: Held) -> None:
    path, query, ids = await begun(office)
    await says(office, path, "2 submissions so far")
    assert (await office.http.get(f"{path}/file")).status_code == 404, "not before it is whole"
    assert "Excel file of <i>Crane is being prepared" in words(await office.page("/submissions"))
    again = await office.http.get(f"/submissions/download.xlsx{query}")
    assert again.headers["location"] == path, "a second press makes no second file"
    other = await office.http.get(f"/submissions/download.parquet{query}")
    assert other.headers["location"] != path, "of another kind it does"
    await office.press(f"{other.headers['location']}/remove")
    held.go.set()
    await says(office, path, "Your file with 5 submissions is ready.")
    assert "Excel file of <i>Crane is ready" in words(await office.page("/submissions"))
    for _ in range(2):
        answer = await office.http.get(f"{path}/file")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
        assert int(answer.headers["content-length"]) == len(answer.content)
        sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).worksheets[0]
        assert [row[0].value for row in sheet.iter_rows(min_row=2)] == ids
    folder = office.account.ctx.settings.exports_folder
    [one] = folder.glob(f"{office.account.owner.id}.*")
    assert sorted(left.name for left in one.iterdir()) == ["file", "state.json"]
    assert one.stat().st_mode & 0o777 == 0o700
    await office.press(f"{path}/remove")
    assert not one.exists()
    assert "Export not available" in await office.page(path, 404)


async def test_what_is_made_at_once_is_not_kept(office: Office) -> None:
    made = await form(office.account)
    await submission(office.account, made)
    assert (await office.http.get(f"/submissions/download.xlsx?form={made['id']}")).status_code == 200
    assert kept(office.account).list_by_user(office.account.owner.id) == []


async def test_to_cancel_ends_the_work(office: Office, held: Held) -> None:
    path, query, _ = await begun(office)
    await says(office, path, "2 submissions so far")
    answer = await office.press(f"{path}/remove")
    assert answer.headers["location"] == f"/submissions{query}"
    async with asyncio.timeout(60):
        await held.ended.wait()
    assert not list(office.account.ctx.settings.exports_folder.glob(f"{office.account.owner.id}.*"))
    await office.page(path, 404)


async def test_what_fails_says_why_and_can_begin_again(
    office: Office, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("formwright.web.views.submissions.export.streaming_download.TIMEOUT_S", 60)
    path, query, _ = await begun(office)
    await says(office, path, "2 submissions so far")
    monkeypatch.setattr("formwright.web.views.submissions.export.streaming_download.MAX_LIMIT", "no number")
    held.go.set()
    await says(office, path, "Export failed. Something went wrong.")
    assert f"/submissions/download.xlsx{query}".replace("&", "&amp;") in await office.page(path)
    [one] = kept(office.account).list_by_user(office.account.owner.id)
    assert not kept(office.account).content_path(one).exists(), "no part of it stays"


async def test_it_is_its_persons_alone(office: Office, held: Held) -> None:
    path, _, _ = await begun(office)
    held.go.set()
    await says(office, path, "Your file with 5 submissions is ready")
    colleague = await built_in(office.account)
    other = await member(office.account, Grant(colleague, ResourceType.ACCOUNT, office.account.id))
    async with office.account.stage.account("Neighbour") as neighbour, office.account.stage.client() as http:
        token = csrf((await http.get("/sign-in")).text)
        for account, person in ((office.account, other.id), (neighbour, neighbour.owner.id)):
            await enter(account, http, person)
            assert (await http.get(path)).status_code == 404
            assert (await http.get(f"{path}/file")).status_code == 404
            assert (await http.post(f"{path}/remove", data={"_csrf_token": token})).status_code == 404
    assert (await office.http.get(f"{path}/file")).status_code == 200


async def test_who_may_no_longer_read_the_form_gets_no_file_of_it(office: Office) -> None:
    account = office.account
    mine, other = await form(account), await form(account)
    manager = await built_in(account, "Form manager")
    who = await member(account, Grant(manager, ResourceType.FORM, mine["id"]))
    async with account.stage.client() as http:
        await enter(account, http, who.id)
        for made, status in ((mine, 200), (other, 404)):
            export = kept(account).create(who.id, made["id"], "xlsx", "Crane", "")
            kept(account).content_path(export).write_bytes(b"x")
            kept(account).save_progress(replace(export, stage=Stage.READY))
            assert (await http.get(f"/submissions/exports/{export.id}")).status_code == status
            assert (await http.get(f"/submissions/exports/{export.id}/file")).status_code == status


async def test_no_other_name_leads_to_a_file(office: Office) -> None:
    for name in ("..", "%2e%2e%2fsecret.key", "0" * 31, "0" * 33, "A" * 32):
        assert (await office.http.get(f"/submissions/exports/{name}/file")).status_code == 404


def waiting(tmp_path: Any) -> tuple[ExportStore, SetClock, Export]:
    clock = SetClock(1_800_000_000_000)
    exports = ExportStore(tmp_path / "exports", clock)
    return exports, clock, exports.create(USER, "frm_1", "xlsx", "Crane", "?form=frm_1")


def test_what_nobody_goes_on_with_has_failed(tmp_path: Any) -> None:
    exports, clock, one = waiting(tmp_path)
    clock.ms += 30_001
    found = exports.find(USER, one.id)
    assert found is not None
    assert (found.stage, found.fault) == (Stage.FAILED, "The server was restarted. Try again.")


def test_after_an_hour_it_is_gone(tmp_path: Any) -> None:
    exports, clock, one = waiting(tmp_path)
    exports.save_progress(replace(one, stage=Stage.READY))
    clock.ms += RETENTION_MS
    exports.remove_expired()
    assert exports.list_by_user(USER)
    clock.ms += 1
    assert (exports.list_by_user(USER), exports.find(USER, one.id)) == ([], None)
    exports.remove_expired()
    assert list((tmp_path / "exports").iterdir()) == []


async def test_a_folder_that_cannot_be_read_for_once_is_cleared_later(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    exports, clock, _ = waiting(tmp_path)
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


def test_the_oldest_that_is_ready_gives_way(tmp_path: Any) -> None:
    exports, clock, first = waiting(tmp_path)
    for _ in range(MAX_EXPORTS - 1):
        clock.ms += 1
        exports.create(USER, "frm_1", "xlsx", "Crane", "")
    with pytest.raises(Unavailable, match="You already have 5 exports in progress"):
        exports.create(USER, "frm_1", "xlsx", "Crane", "")
    exports.save_progress(replace(first, stage=Stage.READY))
    exports.create(USER, "frm_1", "xlsx", "Crane", "")
    assert (len(exports.list_by_user(USER)), exports.find(USER, first.id)) == (MAX_EXPORTS, None)


def test_what_was_cancelled_is_not_written_again(tmp_path: Any) -> None:
    exports, _, one = waiting(tmp_path)
    exports.remove(one)
    assert not exports.save_progress(one)
    assert list((tmp_path / "exports").iterdir()) == []
