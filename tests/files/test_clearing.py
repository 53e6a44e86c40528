"""Files without a submission are deleted after a day; all others stay."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from actors import Account
from factories.files import FIELDS, PDF, listed, png, post, uploaded
from factories.forms import form
from factories.submissions import submission

from formwright.core.auth.actor import Scope
from formwright.core.blobs import BlobStoreUnavailable
from formwright.core.file_uses import FileUse
from formwright.domain.files import service as files
from formwright.domain.files import store
from formwright.domain.files.cleanup import delete_unreferenced
from formwright.domain.files.models import FileNotFound, FileState, Target

HOUR_MS = 3600 * 1000


def list_stored(account: Account) -> list[Path]:
    """Return the stored contents of an account, including partial ones."""
    folder = account.ctx.settings.files_folder / account.id
    return [path for path in folder.rglob("*") if path.is_file()]


async def run_cleanup(account: Account, hours: int = 25) -> None:
    """Run the cleanup as if it were this many hours later."""
    ctx = account.ctx
    await delete_unreferenced(ctx.db, ctx.files, ctx.clock.now() + hours * HOUR_MS)


async def is_there(account: Account, file_id: str) -> bool:
    async with account.ctx.db.reading() as tx:
        try:
            await files.find(tx, Scope(account.id), file_id=file_id)
        except FileNotFound:
            return False
    return True


async def test_an_unreferenced_file_is_deleted_after_a_day_with_its_content(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    file_id = await uploaded(account, f)
    await run_cleanup(account, hours=23)
    assert await is_there(account, file_id)
    await run_cleanup(account)
    assert not await is_there(account, file_id)
    assert list_stored(account) == []
    path = f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions"
    late = await account.api.post(path, json={"data": {"photos": [file_id]}})
    assert [fault["code"] for fault in late.json()["errors"]] == ["file.unknown"]


async def test_a_referenced_file_stays_when_another_with_the_same_content_is_deleted(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    named, lonely = await uploaded(account, f), await uploaded(account, f)
    new_submission = await submission(account, f, data={"photos": [named]})
    await run_cleanup(account)
    assert (await is_there(account, named), await is_there(account, lonely)) == (True, False)
    (file,) = await listed(account, new_submission["id"])
    async with account.stage.client() as anybody:
        assert (await anybody.get(file["url"])).content == png()


async def test_more_files_than_a_batch_are_all_deleted(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formwright.domain.files.cleanup._BATCH_FILES", 20)
    f = await form(account, fields=FIELDS)
    await asyncio.gather(*(uploaded(account, f, content=png(n)) for n in range(45)))
    assert len(list_stored(account)) == 45
    await run_cleanup(account)
    assert list_stored(account) == []


async def test_a_file_that_a_killed_process_left_cannot_be_used_and_is_deleted(account: Account) -> None:
    """The file is inserted and its content stored, partially or completely, but not marked as ready."""
    f = await form(account, fields=FIELDS)
    ctx, target = account.ctx, Target(f["id"], "papers", FileUse.FILE)
    async with ctx.files.receive(_pieces(), 1 << 20) as arrived:
        async with ctx.db.writing() as tx:
            file = await files.register(tx, account.actor, target, name="a", type_="application/pdf", received=arrived)
        await ctx.files.put(file.blob_key, arrived)
    half = ctx.settings.files_folder / f"{file.blob_key}#1"
    half.write_bytes(b"half")
    path = f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions"
    response = await account.api.post(path, json={"data": {"papers": [file.id]}})
    assert [fault["code"] for fault in response.json()["errors"]] == ["file.unknown"]
    again = await post(account, f, "papers", PDF, "application/pdf")
    assert again.status_code == 201, "the same content can be uploaded again"
    await run_cleanup(account)
    assert list_stored(account) == []


async def test_an_interrupted_cleanup_is_completed_by_the_next(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    file_id = await uploaded(account, f)
    async with account.ctx.db.writing() as tx:
        before = account.ctx.clock.now() + HOUR_MS
        (leaving,) = await store.mark_for_deletion(tx, Scope(account.id), before, 10)
    assert leaving.id == file_id
    assert not await is_there(account, file_id)
    again = await uploaded(account, f)
    assert len(list_stored(account)) == 2, "content marked for deletion is not reused"
    await submission(account, f, data={"photos": [again]})
    await run_cleanup(account)
    assert len(list_stored(account)) == 1


async def test_content_uploaded_again_during_the_cleanup_stays(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same content is uploaded when the cleanup is about to delete it."""
    f = await form(account, fields=FIELDS)
    old = await uploaded(account, f)
    contents, news = account.ctx.files, []
    remove = contents.delete

    async def remove_late(place: str) -> None:
        if place.endswith(old):
            news.append(await uploaded(account, f))
            await submission(account, f, data={"photos": news})
        await remove(place)

    monkeypatch.setattr(contents, "delete", remove_late)
    await run_cleanup(account)
    (path,) = list_stored(account)
    assert path.read_bytes() == png()
    assert path.name.endswith(news[0])


async def test_concurrent_attaching_and_cleanup_leave_no_submission_without_its_content(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    path = f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions"
    for shade in range(15):
        file_id = await uploaded(account, f, content=png(shade))
        response, _ = await asyncio.gather(
            account.api.post(path, json={"data": {"photos": [file_id]}}), run_cleanup(account)
        )
        if response.status_code == 201:
            assert await is_there(account, file_id)
            assert png(shade) in [kept_.read_bytes() for kept_ in list_stored(account)]
        else:
            assert [fault["code"] for fault in response.json()["errors"]] == ["file.unknown"]
            assert not await is_there(account, file_id)


async def test_a_file_whose_content_cannot_be_stored_cannot_be_used(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = await form(account, fields=FIELDS)
    async with account.ctx.db.reading() as tx:
        before = await _states(tx, account)
    contents = account.ctx.files
    put = contents.put

    async def full(place: str, arrived: object) -> None:
        raise BlobStoreUnavailable()

    monkeypatch.setattr(contents, "put", full)
    response = await post(account, f, "photos", png(), "image/png")
    assert (response.status_code, response.json()["code"]) == (503, "files.unavailable")
    assert response.headers["retry-after"] == "1"
    monkeypatch.setattr(contents, "put", put)
    async with account.ctx.db.reading() as tx:
        assert FileState.READY not in await _states(tx, account) - before
    await uploaded(account, f)


async def _states(tx: object, account: Account) -> set[str]:
    rows = await tx.fetch("SELECT state FROM files WHERE customer_id = $1", account.id)  # type: ignore[attr-defined]
    return {row[0] for row in rows}


async def _pieces() -> AsyncIterator[bytes]:
    yield PDF
