"""The media of a form as a ZIP archive, which moves a form with pictures to another account in two steps."""

import io
import struct
import zipfile

import httpx
import pytest
from actors import Account
from factories.files import FIELDS, MP4, PDF, archive, media, png
from factories.forms import form
from factories.requests import PREFIX
from files.test_form_media import names, path

from formwright.domain.files import form_media


async def _import(account: Account, form_id: str, content: bytes, **query: str) -> httpx.Response:
    place = path(account, form_id) + ".zip"
    return await account.api.post(place, content=content, headers={"content-type": "application/zip"}, params=query)


async def _download(account: Account, form_id: str) -> bytes:
    response = await account.api.get(path(account, form_id) + ".zip")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/zip")
    return response.content


async def test_a_form_with_pictures_moves_to_another_account_in_two_steps(account: Account, stranger: Account) -> None:
    first, second = account, stranger
    bird = {"type": "text", "name": "bird", "label": "Bird", "media": {"image": "Grün: é?.png"}}
    original = await form(first, fields=[bird])
    await media(first, original, "Grün: é?.png", png(1))
    await media(first, original, "song.mp4", MP4)
    forms = "{}/forms/customer/{}/forms"
    bundle = (await first.api.get(f"{forms.format(PREFIX, first.id)}/{original['id']}/bundle")).json()
    moved = await second.api.post(f"{forms.format(PREFIX, second.id)}/import-bundle", json={"bundle": bundle})
    content = await _download(first, original["id"])
    assert await names(second, moved.json()["id"]) == []
    dry = await _import(second, moved.json()["id"], content, dryRun="true")
    assert (dry.status_code, await names(second, moved.json()["id"])) == (200, [])
    added = await _import(second, moved.json()["id"], content)
    assert [(one["name"], one["size"]) for one in added.json()["added"]] == [
        ("Grün: é?.png", len(png(1))),
        ("song.mp4", len(MP4)),
    ]
    assert await names(second, moved.json()["id"]) == ["Grün: é?.png", "song.mp4"]
    assert (await _import(second, moved.json()["id"], content)).status_code == 200, "it can be repeated"
    assert await _download(second, moved.json()["id"])
    assert (await _import(first, moved.json()["id"], content)).status_code == 404


async def test_an_archive_made_elsewhere_is_added(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    await media(account, f, "b.png", png(1))
    content = archive({
        "birds/Gru\u0308n.png": png(2),
        "b.png": png(3),
        "__MACOSX/birds/._b.png": b"x",
        "birds/.DS_Store": b"x",
        "missing.txt": b"c.png\n",
    })  # fmt: skip
    unmarked = content.replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")
    assert unmarked != content, "the names are UTF-8 without a sign of it"
    assert (await _import(account, f["id"], unmarked)).status_code == 200
    assert await names(account, f["id"]) == ["Grün.png", "b.png"]
    with zipfile.ZipFile(io.BytesIO(await _download(account, f["id"]))) as whole:
        assert {name: whole.read(name) for name in whole.namelist()} == {"Grün.png": png(2), "b.png": png(3)}


def _locked() -> bytes:
    content = bytearray(archive({"a.png": png()}))
    for at in (6, content.index(b"PK\x01\x02") + 8):
        content[at] |= 1
    return bytes(content)


def _long_list() -> bytes:
    """An archive whose list of files has more than 1 MiB."""
    return archive({f"{number:0200}/": b"" for number in range(5000)})


def _bomb() -> bytes:
    """An archive whose file is larger than it says."""
    content = archive({"a.png": png() + bytes(100_000)})
    at = content.index(b"PK\x01\x02") + 24
    return content[:at] + struct.pack("<L", 200) + content[at + 4 :]


DAMAGED = {"text": b"x", "cut": archive({"a.png": png()})[:-30], "locked": _locked(), "list": _long_list()}


@pytest.mark.parametrize(
    ("content", "errors"),
    [
        *((content, [("", "media.archive")]) for content in [*DAMAGED.values(), _bomb(), archive({"x/": b""})]),
        (
            archive({"a/1.png": png(1), "x.pdf": PDF, "b/1.png": png(2), "empty.png": b"", "2.png": MP4}),
            [
                ("/x.pdf", "file.not_accepted"),
                ("/b~11.png", "media.archive"),
                ("/empty.png", "file.empty"),
                ("/2.png", "file.type"),
            ],
        ),
        (archive({"a.png": png() + bytes(500)}), [("/a.png", "media.too_large")]),
    ],
)
async def test_nothing_is_added_from_a_faulty_archive(
    account: Account, content: bytes, errors: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form_media, "MAX_SIZE", 400)
    f = await form(account, fields=FIELDS)
    response = await _import(account, f["id"], content)
    assert response.status_code == 422, response.text
    assert [(one["pointer"], one["code"]) for one in response.json()["errors"]] == errors
    assert await names(account, f["id"]) == []


async def test_an_archive_cannot_exceed_the_limits_of_a_form(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_media, "MAX_FILES", 3)
    f = await form(account, fields=FIELDS)
    for name in ("a.png", "b.png"):
        await media(account, f, name, png(1))
    refused = await _import(account, f["id"], archive({f"{one}.png": png(2) for one in "acd"}))
    assert (refused.status_code, refused.json()["code"]) == (409, "media.limit_reached")
    assert await names(account, f["id"]) == ["a.png", "b.png"]
    assert (await _import(account, f["id"], archive({"a.png": png(2), "c.png": png(2)}))).status_code == 200
    monkeypatch.setattr(form_media, "MAX_TOTAL_SIZE", 4 * len(png()) - 1)
    large = await _import(account, f["id"], archive({"c.png": png(2), "d.png": png(3)}))
    assert (large.status_code, large.json()["code"]) == (409, "media.limit_reached")


async def test_content_that_was_deleted_while_it_was_stored_is_an_error(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Storing took more than a day, so the cleanup has deleted the file."""
    f = await form(account, fields=FIELDS)
    ctx = account.ctx
    put = ctx.files.put

    async def slow(key: str, received: object) -> None:
        await put(key, received)
        async with ctx.db.writing() as tx:
            await tx.execute("DELETE FROM files WHERE customer_id = $1 AND place = $2", account.id, key)

    monkeypatch.setattr(ctx.files, "put", slow)
    headers = {"content-type": "image/png"}
    response = await account.api.post(path(account, f["id"]), params={"name": "a.png"}, content=png(), headers=headers)
    assert (response.status_code, response.json()["code"]) == (404, "file.not_found")
