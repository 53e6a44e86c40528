"""Signed links, and downloads of files and ranges."""

import shutil
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from actors import Account
from factories.files import FIELDS, PDF, listed, post, uploaded
from factories.forms import form
from factories.submissions import submission

from formwright.domain.files.models import FileLinkExpired, FileNotFound
from formwright.domain.files.signed_links import FileLink, FileLinkSigner

SECRET = "a secret of the operator, long enough"


async def _link(account: Account, content: bytes = PDF) -> str:
    f = await form(account, fields=FIELDS)
    added = await post(account, f, "papers", content, "application/pdf", "a.pdf")
    new_submission = await submission(account, f, data={"papers": [added.json()["id"]]})
    url: str = (await listed(account, new_submission["id"]))[0]["url"]
    return url


async def _get(account: Account, url: str, **headers: str) -> httpx.Response:
    async with account.stage.client(**{"accept-encoding": "gzip", **headers}) as anybody:
        return await anybody.get(url)


@pytest.mark.parametrize("member", ["customer", "expires", "signature"])
@pytest.mark.parametrize(
    "value", [None, "", "x", "cus_01h455vb4pex5vsknk084sn02q", "99999999999999999999", "%00", "%ff", "ä"]
)
async def test_a_modified_link_is_not_found(account: Account, member: str, value: str | None) -> None:
    parts = urlsplit(await _link(account))
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    query = {name: text for name, text in {**query, member: value}.items() if text is not None}
    response = await _get(account, f"{parts.path}?" + "&".join(f"{name}={text}" for name, text in query.items()))
    assert (response.status_code, response.json()["code"]) == (404, "file.not_found")


async def test_the_link_of_a_file_does_not_work_for_another(account: Account) -> None:
    one, two = urlsplit(await _link(account)), urlsplit(await _link(account, PDF + b"2"))
    assert (await _get(account, f"{one.path}?{two.query}")).status_code == 404


@pytest.mark.parametrize(("second", "lifetime"), [(0, 15 * 60), (1, 20 * 60 - 1), (299, 15 * 60 + 1)])
def test_a_link_expires_after_15_to_20_minutes(second: int, lifetime: int) -> None:
    links, now = FileLinkSigner(SECRET), (1_700_000_100 + second) * 1000
    link = links.sign("cus_1", "fil_1", now)
    links.verify(link, "fil_1", now + lifetime * 1000 - 1)
    with pytest.raises(FileLinkExpired):
        links.verify(link, "fil_1", now + lifetime * 1000)


def test_links_signed_in_the_same_five_minutes_are_equal() -> None:
    """A browser then takes photos from its cache."""
    links, now = FileLinkSigner(SECRET), 1_700_000_100_000
    assert len({links.sign("cus_1", "fil_1", now + 1000 * second) for second in (1, 150, 300)}) == 1


def test_a_link_is_valid_only_with_the_secret_that_signed_it() -> None:
    link = FileLinkSigner(SECRET).sign("cus_1", "fil_1", 0)
    with pytest.raises(FileNotFound):
        FileLinkSigner(SECRET + "!").verify(link, "fil_1", 0)
    with pytest.raises(FileNotFound):
        FileLinkSigner(SECRET).verify(FileLink("cus_1", "9" * 12, link.signature), "fil_1", 0)


async def test_an_expired_link_is_reported(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    file_id = await uploaded(account, f)
    link = account.ctx.file_links.sign(account.id, file_id, account.ctx.clock.now() - 20 * 60_000)
    url = f"/files/{file_id}?customer={link.customer}&expires={link.expires}&signature={link.signature}"
    response = await _get(account, url)
    assert (response.status_code, response.json()["code"]) == (403, "file.link_ended")


@pytest.mark.parametrize(
    ("asked", "start", "stop"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=3-9", 3, 10),
        ("bytes=5-", 5, None),
        ("bytes=-4", -4, None),
        ("bytes=2-99999", 2, None),
    ],
)
async def test_a_range_is_returned(account: Account, asked: str, start: int, stop: int | None) -> None:
    response = await _get(account, await _link(account), range=asked)
    part = range(len(PDF))[start:stop]
    assert (response.status_code, response.content) == (206, PDF[start:stop])
    assert response.headers["content-range"] == f"bytes {part.start}-{part.stop - 1}/{len(PDF)}"
    assert response.headers["content-length"] == str(len(part))


@pytest.mark.parametrize("asked", ["bytes=9-3", "bytes=-", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b", "bytes"])
async def test_an_unsupported_range_returns_the_whole_file(account: Account, asked: str) -> None:
    response = await _get(account, await _link(account), range=asked)
    assert (response.status_code, response.content) == (200, PDF)


@pytest.mark.parametrize("asked", [f"bytes={len(PDF)}-", "bytes=999999-", "bytes=-0"])
async def test_a_range_beyond_the_end_is_rejected(account: Account, asked: str) -> None:
    response = await _get(account, await _link(account), range=asked)
    assert (response.status_code, response.json()["code"]) == (416, "file.range")
    assert response.headers["content-range"] == f"bytes */{len(PDF)}"


async def test_a_range_of_an_earlier_version_returns_the_whole_file(account: Account) -> None:
    url = await _link(account)
    etag = (await _get(account, url)).headers["etag"]
    assert (await _get(account, url, range="bytes=0-1", **{"if-range": etag})).status_code == 206
    assert (await _get(account, url, range="bytes=0-1", **{"if-range": '"other"'})).status_code == 200


async def test_a_large_file_is_downloaded_completely(account: Account) -> None:
    whole = PDF + bytes(range(256)) * 20_000
    response = await _get(account, await _link(account, whole))
    assert response.content == whole
    assert "content-encoding" not in response.headers


async def test_missing_content_is_reported(account: Account) -> None:
    url = await _link(account)
    shutil.rmtree(account.ctx.settings.files_folder / account.id)
    response = await _get(account, url)
    assert (response.status_code, response.json()["code"]) == (404, "file.content_missing")
