"""Imports of files that nobody should send, and of forms that change in the meantime."""

import asyncio
import codecs
import io
import zipfile
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from actors import Account
from api.test_trash import delete, restore
from factories.forms import FIELDS, form
from factories.random_answers import publish
from factories.requests import get
from factories.submission_imports import XLSX, csv_file, imported, send, submissions_of, xlsx_file
from factories.web_client import visit

from formwright.domain.submissions.imports import runner
from formwright.domain.submissions.imports import service as imports
from formwright.worker.submission_imports import ImportWorker

ROWS = [["site", "externalId"], *([f"Quay {n}", f"e-{n}"] for n in range(30))]


def bomb() -> bytes:
    """Return a workbook whose sheet unpacks to 300 MiB, which takes a second."""
    whole = io.BytesIO(xlsx_file({"Visits": [["site"], ["Quay"]]}))
    with zipfile.ZipFile(whole) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in parts.items():
            is_sheet = name == "xl/worksheets/sheet1.xml"
            book.writestr(
                name, content.replace(b"</sheetData>", b" " * 300 * 2**20 + b"</sheetData>") if is_sheet else content
            )
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "type_", "code"),
    [
        (csv_file([["site", *(f"c{n}" for n in range(199))], ["x"] * 200]), "text/csv", "import.columns.unmapped"),
        (csv_file([["site", *(f"c{n}" for n in range(200))]]), "text/csv", "table.columns.too_many"),
        (csv_file([["site", "site"], ["a", "b"]]), "text/csv", "table.header.taken"),
        (csv_file([["site", "", "kind"], ["a", "", "b"]]), "text/csv", "table.header.blank"),
        (b"\xef\xbb\xbf", "text/csv", "table.empty"),
        (codecs.BOM_UTF16_LE + b"s\0i\0t\0e\0\n\0\x00\xd8", "text/csv", "table.encoding"),
        (b'site\n"never closed', "text/csv", ""),
        (bomb, XLSX, "table.zip_bomb"),
        (csv_file([["site"], ["x" * 10 * 2**20], ["Quay"]]), "text/csv", "table.line"),
        (b"", XLSX, "table.empty"),
        (csv_file(ROWS), XLSX, "table.kind"),
    ],
    ids=["unmapped", "201", "twice", "blank", "bom", "utf-16", "quote", "bomb", "10 MiB", "empty", "kind"],
)
async def test_a_file_that_is_no_table_is_rejected_and_nothing_is_left(
    account: Account, content: bytes | Callable[[], bytes], type_: str, code: str
) -> None:
    f = await form(account)
    content = content if isinstance(content, bytes) else content()
    response = await send(account, f, content, type_)
    if code:
        assert response.status_code == 422, response.text
        assert [fault["code"] for fault in response.json()["errors"]] == [code]
        assert (await get(account, f"/customers/{account.id}/submission-imports", formId=f["id"]))["items"] == []
    else:
        found = await imported(account, f, content, type_)
        assert (found["status"], found["imported"]) in (("FAILED", 0), ("REJECTED", 0)), found
        assert found["errors"]
    assert await submissions_of(account, f) == []


async def test_a_cell_that_is_too_long_makes_its_row_invalid(account: Account) -> None:
    f = await form(account)
    content = csv_file([["site", "kind"], ["x" * 2 * 2**20, ""], ["Quay", ""], ["a\0b", ""]])
    found = await imported(account, f, content, skipBadRows="true")
    assert (found["status"], found["imported"], found["rejected"]) == ("DONE", 1, 2)
    assert [one["code"] for one in found["errors"]] == ["cell.too_long", "cell.nul"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1", "cp1252"])
async def test_the_encoding_is_detected(account: Account, encoding: str) -> None:
    f = await form(account)
    found = await imported(account, f, csv_file([["site", "people"], ["Größe Nîmes", "3"]], encoding=encoding))
    assert found["status"] == "DONE", found
    (submission,) = await submissions_of(account, f)
    assert submission["data"] == {"site": "Größe Nîmes", "people": 3}


async def _run_with(
    account: Account,
    monkeypatch: pytest.MonkeyPatch,
    f: dict[str, Any],
    change: Callable[[], Awaitable[object]],
    **query: str,
) -> str:
    """Import 30 rows in batches of seven, and change something after the first batch."""
    monkeypatch.setattr(runner, "_BATCH", 7)
    started = (await send(account, f, csv_file(ROWS), **query)).json()
    real, is_changed = runner._Job._write_batch, False

    async def write(job: Any, *args: Any) -> None:
        nonlocal is_changed
        await real(job, *args)
        # The worker also continues imports that other tests have left in the database.
        if not is_changed and job.record.id == started["id"]:
            is_changed = True
            await change()

    monkeypatch.setattr(runner._Job, "_write_batch", write)
    worker = ImportWorker(account.ctx)
    while await worker.run_batch():
        pass
    assert is_changed
    return str(started["id"])


@pytest.mark.parametrize("skip", ["false", "true"])
async def test_a_form_that_is_deleted_during_an_import_stops_it(
    account: Account, monkeypatch: pytest.MonkeyPatch, skip: str
) -> None:
    f = await form(account)

    async def remove() -> None:
        await delete(account, "form", f["id"])

    id_ = await _run_with(account, monkeypatch, f, remove, skipBadRows=skip)
    assert (await restore(account, "form", f["id"])).status_code == 200
    found = await get(account, f"/customers/{account.id}/submission-imports/{id_}")
    assert (found["status"], found["imported"], found["rejected"]) == ("FAILED", 7, 0)
    assert [one["code"] for one in found["errors"]] == ["form.not_found"]
    folder = account.ctx.settings.files_folder / "imports" / account.id
    assert [path for path in folder.rglob("*") if path.is_file()] == []
    assert len(await submissions_of(account, f)) == 7


async def test_a_form_that_is_archived_during_an_import_stops_it(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = await form(account)

    async def archive() -> None:
        async with visit(account) as site:
            assert (await site.post(f"/forms/{f['id']}/archive")).status_code == 303

    id_ = await _run_with(account, monkeypatch, f, archive, skipBadRows="true")
    found = await get(account, f"/customers/{account.id}/submission-imports/{id_}")
    assert (found["status"], found["imported"], found["errors"][0]["code"]) == ("FAILED", 7, "form.archived")


async def test_an_import_continues_in_its_version_if_the_form_is_published_again(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = await form(account)
    required = {"type": "text", "name": "more", "label": "More", "required": True}
    id_ = await _run_with(account, monkeypatch, f, lambda: publish(account, f["id"], [*FIELDS, required]))
    found = await get(account, f"/customers/{account.id}/submission-imports/{id_}")
    assert (found["status"], found["imported"]) == ("DONE", 30)
    assert {one["versionId"] for one in await submissions_of(account, f)} == {f["publishedVersionId"]}


@pytest.mark.parametrize("skip", ["false", "true"])
async def test_two_imports_at_once_with_the_same_external_ids_write_each_once(
    account: Account, monkeypatch: pytest.MonkeyPatch, skip: str
) -> None:
    monkeypatch.setattr(runner, "_BATCH", 7)
    f = await form(account)
    for _ in range(2):
        assert (await send(account, f, csv_file(ROWS), skipBadRows=skip)).status_code == 201
    now, checked = account.ctx.clock.now(), asyncio.Barrier(2)
    real_write = runner._Job._write

    async def write(job: Any, file: Any) -> None:
        await checked.wait()  # Both have been checked before either writes.
        await real_write(job, file)

    monkeypatch.setattr(runner._Job, "_write", write)
    claimed = []
    for _ in range(2):
        async with account.ctx.db.writing() as tx:
            claimed.append(await imports.claim(tx, account.id, now))
    ended = await asyncio.gather(*(runner.run(account.ctx.db, account.ctx.files, one) for one in claimed if one))
    assert len(ended) == 2
    ids = [one["externalId"] for one in await submissions_of(account, f)]
    assert sorted(ids) == sorted({*ids})
    assert sum(one.imported for one in ended) == len(ids)
    taken = {error.code for one in ended for error in one.errors}
    assert taken == {"submission.external_id_taken"}
    if skip == "true":
        assert len(ids) == 30
        assert sum(one.rejected for one in ended) == 30
