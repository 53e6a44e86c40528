"""Media of forms: images, audio and video that people see while they fill in a form."""

import asyncio

import httpx
import pytest
from actors import Account
from factories.files import FIELDS, HEIC, MP4, PDF, media, png
from factories.forms import form
from factories.requests import PREFIX
from files.test_clearing import list_stored, run_cleanup

from formwright.domain.files import form_media


def path(account: Account, form_id: str) -> str:
    return f"{PREFIX}/forms/customer/{account.id}/forms/{form_id}/media"


async def names(account: Account, form_id: str) -> list[str]:
    response = await account.api.get(path(account, form_id))
    return [one["name"] for one in response.json()["items"]]


async def send(account: Account, form_id: str, name: str, content: bytes, **query: str) -> httpx.Response:
    headers = {"content-type": "application/octet-stream"}
    return await account.api.post(
        path(account, form_id), params={"name": name, **query}, content=content, headers=headers
    )


async def test_media_are_added_replaced_downloaded_and_removed(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    first = await media(account, f, "map.png", png(1))
    assert (first["name"], first["type"], first["size"]) == ("map.png", "image/png", len(png(1)))
    assert (await send(account, f["id"], "other.png", png(3), dryRun="true")).status_code == 201
    second = await media(account, f, "../x/map.png", png(2))
    await media(account, f, "clip", MP4)
    assert await names(account, f["id"]) == ["clip.mp4", "map.png"]
    async with account.stage.client() as anybody:
        link = second["url"].partition("://")[2].partition("/")[2]
        response = await anybody.get(f"/{link}")
        assert (response.status_code, response.content, response.headers["content-type"]) == (200, png(2), "image/png")
        assert (await anybody.get(f"/{link}", headers={"range": "bytes=0-3"})).content == png(2)[:4]
        assert (await anybody.get(f"/{link.replace('customer=', 'customer=x')}")).status_code == 404
    await run_cleanup(account)
    assert {one.read_bytes() for one in list_stored(account)} == {png(2), MP4}, "the replaced one is deleted"
    assert (await account.api.delete(f"{path(account, f['id'])}/{second['id']}")).status_code == 204
    assert (await account.api.delete(f"{path(account, f['id'])}/{second['id']}")).status_code == 404
    assert await names(account, f["id"]) == ["clip.mp4"]
    await run_cleanup(account)
    assert {one.read_bytes() for one in list_stored(account)} == {MP4}


@pytest.mark.parametrize(
    ("name", "content", "status", "code"),
    [
        ("a.pdf", PDF, 422, "file.not_accepted"),
        ("a.heic", HEIC, 422, "file.not_accepted"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", 422, "file.not_accepted"),
        ("a.png", MP4, 422, "file.type"),
        ("a.png", b"", 422, "file.empty"),
        ("a.png", png() + bytes(40), 422, "media.too_large"),
    ],
)
async def test_other_files_are_rejected(
    account: Account, name: str, content: bytes, status: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form_media, "MAX_SIZE", len(png()) + 30)
    f = await form(account, fields=FIELDS)
    response = await send(account, f["id"], name, content)
    assert (response.status_code, [one["code"] for one in response.json()["errors"]]) == (status, [code])
    assert (await names(account, f["id"]), list_stored(account)) == ([], [])


async def test_the_media_of_a_form_are_limited(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    f = await form(account, fields=FIELDS)
    monkeypatch.setattr(form_media, "MAX_FILES", 2)
    await asyncio.gather(*(media(account, f, f"{name}.png", png(name)) for name in (1, 2)))
    refused = await send(account, f["id"], "3.png", png(3))
    assert (refused.status_code, refused.json()["code"]) == (409, "media.limit_reached")
    assert (await send(account, f["id"], "2.png", png(4))).status_code == 201, "replacing one is possible"


async def test_media_go_with_their_form(account: Account) -> None:
    f, other = await form(account, fields=FIELDS), await form(account, fields=FIELDS)
    await media(account, f, "a.png", png(1))
    await media(account, other, "a.png", png(1))
    assert len(list_stored(account)) == 1, "the content is stored once"
    place = f"{PREFIX}/forms/customer/{account.id}/forms"
    assert (await account.api.delete(f"{place}/{f['id']}")).is_success
    assert (await account.api.get(path(account, f["id"]))).status_code == 404
    assert await names(account, other["id"]) == ["a.png"]
