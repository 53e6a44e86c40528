"""What no submission names goes after a day; what one names stays."""

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
from formwright.domain.files import service as files
from formwright.domain.files import store
from formwright.domain.files.cleanup import delete_unreferenced
from formwright.domain.files.models import FileNotFound, FileState, FileUse, Target

HOUR_MS = 3600 * 1000


def kept(account: Account) -> list[Path]:
    """The contents that are kept of an account, with what was half written."""
    folder = account.ctx.settings.files_folder / account.id
    return [path for path in folder.rglob("*") if path.is_file()]


async def cleared(account: Account, hours: int = 25) -> None:
    """Clear as if it were later."""
    ctx = account.ctx
    await delete_unreferenced(ctx.db, ctx.files, ctx.clock.now() + hours * HOUR_MS)


async def is_there(account: Account, file_id: str) -> bool:
    async with account.ctx.db.reading() as tx:
        try:
            await files.find(tx, Scope(account.id), file_id=file_id)
        except FileNotFound:
            return False
    return True


async def test_a_file_that_nobody_names_goes_after_a_day_with_its_content(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    file_id = await uploaded(account, f)
    await cleared(account, hours=23)
    assert await is_there(account, file_id)
    await cleared(account)
    assert not await is_there(account, file_id)
    assert kept(account) == []
    path = f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions"
    late = await account.api.post(path, json={"data": {"photos": [file_id]}})
    assert [fault["code"] for fault in late.json()["errors"]] == ["file.unknown"]


async def test_a_file_that_is_named_stays_also_when_its_twin_goes(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    named, lonely = await uploaded(account, f), await uploaded(account, f)
    made = await submission(account, f, data={"photos": [named]})
    await cleared(account)
    assert (await is_there(account, named), await is_there(account, lonely)) == (True, False)
    (file,) = await listed(account, made["id"])
    async with account.stage.client() as anybody:
        assert (await anybody.get(file["url"])).content == png()


async def test_more_than_are_taken_at_once_all_go(account: Account) -> None:
    for start in range(0, 450, 50):
        f = await form(account, fields=FIELDS)
        await asyncio.gather(*(uploaded(account, f, content=png(start + n)) for n in range(50)))
    assert len(kept(account)) == 450
    await cleared(account)
    assert kept(account) == []


async def test_what_a_killed_process_left_between_row_and_content_is_nameless_and_goes(account: Account) -> None:
    """The row is written, the content half or wholly; then the process ends and nobody says that it is ready."""
    f = await form(account, fields=FIELDS)
    ctx, target = account.ctx, Target(f["id"], "papers", FileUse.FILE)
    async with ctx.files.receive(_pieces(), 1 << 20) as arrived:
        async with ctx.db.writing() as tx:
            file = await files.register(tx, account.actor, target, name="a", type_="application/pdf", received=arrived)
        await ctx.files.put(file.blob_key, arrived)
    half = ctx.settings.files_folder / f"{file.blob_key}#1"
    half.write_bytes(b"half")
    path = f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions"
    answer = await account.api.post(path, json={"data": {"papers": [file.id]}})
    assert [fault["code"] for fault in answer.json()["errors"]] == ["file.unknown"]
    again = await post(account, f, "papers", PDF, "application/pdf")
    assert again.status_code == 201, "the same content can be uploaded all the same"
    await cleared(account)
    assert kept(account) == []


async def test_what_a_killed_clearing_left_is_cleared_by_the_next(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    file_id = await uploaded(account, f)
    async with account.ctx.db.writing() as tx:
        before = account.ctx.clock.now() + HOUR_MS
        (leaving,) = await store.mark_for_deletion(tx, Scope(account.id), before, 10)
    assert leaving.id == file_id
    assert not await is_there(account, file_id)
    again = await uploaded(account, f)
    assert len(kept(account)) == 2, "the leaving content is not counted on"
    await submission(account, f, data={"photos": [again]})
    await cleared(account)
    assert len(kept(account)) == 1


async def test_a_content_that_is_uploaded_again_while_it_is_cleared_stays(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clearing has decided, and is about to remove the content, when the same content comes in anew."""
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
    await cleared(account)
    (path,) = kept(account)
    assert path.read_bytes() == png()
    assert path.name.endswith(news[0])


async def test_attaching_and_clearing_at_once_leave_no_submission_without_its_content(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    path = f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions"
    for shade in range(15):
        file_id = await uploaded(account, f, content=png(shade))
        answer, _ = await asyncio.gather(account.api.post(path, json={"data": {"photos": [file_id]}}), cleared(account))
        if answer.status_code == 201:
            assert await is_there(account, file_id)
            assert png(shade) in [kept_.read_bytes() for kept_ in kept(account)]
        else:
            assert [fault["code"] for fault in answer.json()["errors"]] == ["file.unknown"]
            assert not await is_there(account, file_id)


async def test_when_the_content_cannot_be_kept_nothing_can_be_named(
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
    answer = await post(account, f, "photos", png(), "image/png")
    assert (answer.status_code, answer.json()["code"]) == (503, "files.unavailable")
    assert answer.headers["retry-after"] == "1"
    monkeypatch.setattr(contents, "put", put)
    async with account.ctx.db.reading() as tx:
        assert FileState.READY not in await _states(tx, account) - before
    await uploaded(account, f)


async def _states(tx: object, account: Account) -> set[str]:
    rows = await tx.fetch("SELECT state FROM files WHERE customer_id = $1", account.id)  # type: ignore[attr-defined]
    return {row[0] for row in rows}


async def _pieces() -> AsyncIterator[bytes]:
    yield PDF
