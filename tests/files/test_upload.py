"""Uploads while filling in a form, and the errors of rejected files."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from actors import Account
from factories.files import FIELDS, JPEG, PDF, TEXT, listed, png, post, uploaded
from factories.forms import form
from factories.submissions import submission

from formwright.domain.files import service
from formwright.domain.files.models import MAX_SIZE, MAX_UNUSED


def list_stored(account: Account) -> list[Path]:
    """Return the stored contents of an account."""
    folder = account.ctx.settings.files_folder / account.id
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_a_file_is_uploaded_submitted_listed_and_downloaded(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    response = await post(account, f, "photos", JPEG, "image/jpeg", "../Hafen/Kai ß\u202e.jpg")
    assert response.status_code == 201
    added = response.json()
    assert added == {"id": added["id"], "name": "Kai ß.jpg", "type": "image/jpeg", "size": len(JPEG)}

    new_submission = await submission(account, f, data={"photos": [added["id"]]})
    (file,) = await listed(account, new_submission["id"])
    assert file["url"].startswith(f"https://forms.test/files/{added['id']}?")
    assert (file["submissionId"], file["field"], file["name"]) == (new_submission["id"], "photos", added["name"])

    async with account.stage.client() as anybody:
        got = await anybody.get(file["url"])
    assert (got.status_code, got.content) == (200, JPEG)
    assert got.headers["content-type"] == "image/jpeg"
    assert got.headers["content-length"] == str(len(JPEG))
    assert got.headers["content-disposition"].startswith('attachment; filename="Kai _.jpg"')
    assert got.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in got.headers["content-security-policy"]
    assert got.headers["cache-control"] == "private, no-store"


async def test_the_same_file_uploaded_twice_shares_its_content(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    ids = {await uploaded(account, f, content=png(7)) for _ in range(2)}
    assert len(ids) == 2
    (path,) = list_stored(account)
    assert path.read_bytes() == png(7)


async def test_two_accounts_do_not_share_content(account: Account, stranger: Account) -> None:
    for owner in (account, stranger):
        await uploaded(owner, await form(owner, fields=FIELDS), content=png(8))
    assert len(list_stored(account)) == len(list_stored(stranger)) == 1


async def test_the_number_of_unused_files_per_form_is_limited(account: Account) -> None:
    f, other = await form(account, fields=FIELDS), await form(account, fields=FIELDS)
    ids = [await uploaded(account, f, content=png(n % 10)) for n in range(MAX_UNUSED)]
    refused = await post(account, f, "photos", png(), "image/png", "a.png")
    assert (refused.status_code, refused.json()["code"]) == (409, "file.limit_reached")
    assert await uploaded(account, other, content=png(1))
    await submission(account, f, data={"photos": ids[:1]})
    assert await uploaded(account, f, content=png(1)), "one of them has been submitted, which frees a slot"


async def test_the_size_of_unused_files_per_form_is_limited(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    f = await form(account, fields=FIELDS)
    monkeypatch.setattr(service, "MAX_UNUSED_SIZE", 2 * len(png(1)))
    for _ in range(2):
        await uploaded(account, f, content=png(1))
    refused = await post(account, f, "photos", png(1), "image/png", "a.png")
    assert (refused.status_code, refused.json()["code"]) == (409, "file.limit_reached")


async def test_many_concurrent_uploads_are_all_stored(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    ids = await asyncio.gather(*(uploaded(account, f, content=png(n % 10)) for n in range(40)))
    assert len(set(ids)) == 40
    assert {path.read_bytes() for path in list_stored(account)} == {png(n) for n in range(10)}


@pytest.mark.parametrize(
    ("field", "content", "type_", "name", "pointer", "code"),
    [
        ("photos", png(), "image/jpeg", "a.jpg", "", "file.type"),
        ("papers", b"MZ\x90\0", "application/x-msdownload", "a.exe", "", "file.not_accepted"),
        ("photos", b"", "image/png", "a.png", "", "file.empty"),
        ("site", png(), "image/png", "a.png", "?field", "file.field"),
        ("nobody", png(), "image/png", "a.png", "?field", "file.field"),
        ("defects", png(), "image/png", "a.png", "?field", "file.field"),
        ("", png(), "image/png", "a.png", "?field", "file.field"),
    ],
)
async def test_rejected_files_are_reported_and_not_stored(
    account: Account, field: str, content: bytes, type_: str, name: str, pointer: str, code: str
) -> None:
    f = await form(account, fields=FIELDS)
    response = await post(account, f, field, content, type_, name)
    assert response.status_code == 422
    (fault,) = response.json()["errors"]
    assert (fault["pointer"], fault["code"]) == (pointer, code)
    assert list_stored(account) == []


async def test_a_name_that_is_not_utf8_is_rejected(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    async with account.stage.client(**{"x-file-name": "%ff%fe.png", "content-type": "image/png"}) as anybody:
        response = await anybody.post(f"{f['fillPath']}/files?field=photos", content=png())
    assert [fault["code"] for fault in response.json()["errors"]] == ["file.name"]


@pytest.mark.parametrize("announced", [True, False])
async def test_one_byte_more_than_100_mib_is_rejected(account: Account, announced: bool) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield PDF.ljust(1 << 20)
        for _ in range(99):
            yield b" " * (1 << 20)
        yield b"!"

    f = await form(account, fields=FIELDS)
    headers = {"content-type": "application/pdf"} | ({"content-length": str(MAX_SIZE + 1)} if announced else {})
    async with account.stage.client(**headers) as anybody:
        response = await anybody.post(f"{f['fillPath']}/files?field=papers", content=endless())
    assert response.status_code == 413
    assert response.json()["code"] == "file.too_large"
    assert list_stored(account) == []


async def test_100_mib_are_accepted(account: Account) -> None:
    async def whole() -> AsyncIterator[bytes]:
        yield PDF.ljust(1 << 20)
        for _ in range(99):
            yield b" " * (1 << 20)

    response = await post(account, await form(account, fields=FIELDS), "papers", whole(), "application/pdf")
    assert (response.status_code, response.json()["size"]) == (201, MAX_SIZE)


@pytest.mark.parametrize("version", ["", "ver_01h455vb4pex5vsknk084sn02q", "frm_x", "ver_\0"])
async def test_an_unknown_version_accepts_no_files(account: Account, version: str) -> None:
    response = await post(account, await form(account, fields=FIELDS), "photos", png(), "image/png", version=version)
    assert (response.status_code, response.json()["code"]) == (404, "form.version.not_found")


async def test_files_can_be_uploaded_for_an_older_version(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    old = f["publishedVersionId"]
    path = f"/api/v1.0/forms/customer/{account.id}/forms/{f['id']}"
    newer = await account.api.post(f"{path}/versions", json={"fields": FIELDS[:1]})
    await account.api.post(f"{path}/versions/{newer.json()['id']}/publish")
    assert (await post(account, f, "photos", png(), "image/png")).status_code == 422
    assert (await post(account, f, "photos", png(), "image/png", version=old)).status_code == 201


async def test_an_invalid_fill_link_accepts_no_files(account: Account) -> None:
    response = await post(account, {"fillPath": "/fill/f" + "x" * 42}, "papers", TEXT, "text/plain")
    assert (response.status_code, response.json()["code"]) == (404, "form.not_found")


async def test_other_endpoints_still_accept_10_mib_only(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    whole, kind = b" " * (11 << 20), {"content-type": "application/json"}
    async with account.stage.client(**kind) as anybody:
        saved = await anybody.put(f"{f['fillPath']}/submissions/{uuid.uuid4()}", content=whole)
    response = await account.api.post("/api/v1.0/forms", content=whole, headers=kind)
    assert (saved.status_code, response.status_code) == (413, 413)
