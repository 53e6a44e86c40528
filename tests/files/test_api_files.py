"""Files through the API: upload, use in a submission, download, and the archive of many submissions."""

import io
import tracemalloc
import zipfile
from typing import Any

import httpx
import pytest
from actors import Account
from factories.files import FIELDS, JPEG, PDF, TEXT, listed, png, sent, uploaded
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission

from formwright.domain.files import service
from formwright.domain.submissions import file_archive
from formwright.domain.submissions.models import SubmissionFilter

Json = dict[str, Any]


async def upload(account: Account, form: Json, content: bytes, type_: str = "", **query: str) -> httpx.Response:
    """Upload a file and return the response, whatever its status."""
    path = f"{PREFIX}/customers/{account.id}/forms/{form['id']}/files"
    headers = {"content-type": type_ or "application/octet-stream"}
    return await account.api.post(path, params={"field": "photos"} | query, content=content, headers=headers)


async def archive(account: Account, **query: Any) -> zipfile.ZipFile:
    """Return the archive of the submissions that match the query."""
    response = await account.api.get(f"{PREFIX}/customers/{account.id}/submissions/files.zip", params=query)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/zip")
    return zipfile.ZipFile(io.BytesIO(response.content))


def read(found: zipfile.ZipFile) -> dict[str, bytes]:
    return {name: found.read(name) for name in found.namelist()}


async def test_an_uploaded_file_is_used_in_a_submission_and_downloaded_by_its_id(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    response = await upload(account, f, JPEG, "image/jpeg", name="../Hafen/Kai ß\u202e.jpg")
    assert response.status_code == 201, response.text
    created = response.json()
    assert (created["name"], created["type"], created["size"]) == ("Kai ß.jpg", "image/jpeg", len(JPEG))
    assert response.headers["location"].endswith(f"/customers/{account.id}/files/{created['id']}")

    filled = await submission(account, f, data={"photos": [created["id"]]})
    known = await get(account, f"/customers/{account.id}/files/{created['id']}")
    assert known == created | {"submissionId": filled["id"], "url": known["url"]}
    assert [one["id"] for one in await listed(account, filled["id"])] == [created["id"]]
    async with account.stage.client() as anybody:
        assert (await anybody.get(known["url"])).content == JPEG


@pytest.mark.parametrize(
    ("content", "type_", "query", "status", "code"),
    [
        (b"", "image/png", {}, 422, "file.empty"),
        (PDF, "image/png", {}, 422, "file.type"),
        (PDF, "application/pdf", {}, 422, "file.not_accepted"),
        (png(), "", {"field": "site"}, 422, "file.field"),
        (png(), "", {"field": "unknown"}, 422, "file.field"),
        (png(), "", {"version": "1"}, 400, "query.unknown"),
    ],
)
async def test_files_that_the_field_does_not_accept_are_rejected(
    account: Account, content: bytes, type_: str, query: dict[str, str], status: int, code: str
) -> None:
    f = await form(account, fields=FIELDS)
    response = await upload(account, f, content, type_, **query)
    assert (response.status_code, response.json()["errors"][0]["code"]) == (status, code), response.text


async def test_a_form_with_a_file_is_refused_with_what_to_send(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    media = f"{PREFIX}/forms/customer/{account.id}/forms/{f['id']}/media"
    uploads = [
        ("POST", f"{PREFIX}/customers/{account.id}/forms/{f['id']}/files?field=photos"),
        ("POST", f"{media}?name=a.png"),
        ("POST", f"{media}.zip"),
        ("PUT", f"{PREFIX}/customers/{account.id}/branding/logo"),
    ]
    for method, path in uploads:
        answers = [
            await account.api.request(method, path, files={"file": ("a.png", png(), "image/png")}),
            # This is what curl --data-binary sends without a header.
            await account.api.request(
                method, path, content=png(), headers={"content-type": "application/x-www-form-urlencoded"}
            ),
        ]
        for response in answers:
            assert (response.status_code, response.json()["code"]) == (415, "body.media_type"), (path, response.text)
            assert "Send the bytes of the file itself as the body" in response.json()["detail"]
    assert (await get(account, f"/forms/customer/{account.id}/forms/{f['id']}/media"))["items"] == []


async def test_a_file_that_is_too_large_is_rejected_before_it_arrives(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    path = f"{PREFIX}/customers/{account.id}/forms/{f['id']}/files?field=photos"
    headers = {"content-length": str(100 * 2**20 + 1), "content-type": "image/png"}
    response = await account.api.post(path, content=png(), headers=headers)
    assert (response.status_code, response.json()["code"]) == (413, "file.too_large")


async def test_files_of_another_field_or_submission_are_not_attached(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    photo, paper = await sent(account, f), await sent(account, f, "papers", TEXT, "sizes.csv")
    assert paper["type"] == "text/csv"
    await submission(account, f, data={"photos": [photo["id"]]})
    path = f"{PREFIX}/customers/{account.id}/forms/{f['id']}/submissions"
    response = await account.api.post(path, json={"data": {"photos": [photo["id"], paper["id"]]}})
    assert [(one["code"], one["pointer"]) for one in response.json()["errors"]] == [
        ("file.taken", "/data/photos/0"),
        ("file.unknown", "/data/photos/1"),
    ]


async def test_uploads_by_keys_and_by_people_do_not_use_up_the_limit_of_each_other(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_UNUSED_BY_KEYS", 1)
    monkeypatch.setattr(service, "MAX_UNUSED", 1)
    f = await form(account, fields=FIELDS)
    await sent(account, f)
    response = await upload(account, f, png(1))
    assert (response.status_code, response.json()["code"]) == (409, "file.limit_reached")
    await uploaded(account, f)


async def test_the_archive_names_form_submission_and_field_of_each_file(account: Account) -> None:
    f = await form(account, fields=FIELDS, name="Site: visit/2")
    photos = [await sent(account, f, content=png(shade), name="a.png") for shade in (1, 2)]
    crack = await sent(account, f, "picture", png(3), "crack?.png")
    paper = await sent(account, f, "papers", TEXT * 1000, "sizes.csv")
    data = {
        "photos": [photos[1]["id"], photos[0]["id"]],
        "papers": [paper["id"]],
        "defects": [{}, {"picture": [crack["id"]]}],
    }
    new_submission = await submission(account, f, data=data)
    bare = await submission(account, f, data={"site": "Harbour"})
    other = await form(account, fields=FIELDS, name="site_ VISIT_2")
    elsewhere = await submission(account, other, data={"photos": [(await sent(account, other))["id"]]})

    folder = f"Site_ visit_2/{new_submission['id']}"
    expected = {
        f"{folder}/photos-1 a.png": png(2),
        f"{folder}/photos-2 a.png": png(1),
        f"{folder}/papers-1 sizes.csv": TEXT * 1000,
        f"{folder}/defects-2-picture-1 crack_.png": png(3),
    }
    assert read(await archive(account, formId=f["id"])) == expected
    whole = await archive(account)
    assert whole.testzip() is None
    assert read(whole) == expected | {f"site_ VISIT_2 {other['id']}/{elsewhere['id']}/photos-1 dot.png": png()}
    assert read(await archive(account, formId=f["id"], externalId="nobody")) == {}
    assert bare["id"] not in "".join(whole.namelist())


async def test_content_that_was_lost_is_listed_in_the_archive(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    lost, kept = await sent(account, f, content=png(1)), await sent(account, f, content=png(2))
    new_submission = await submission(account, f, data={"photos": [lost["id"], kept["id"]]})
    for path in account.ctx.settings.files_folder.rglob(f"*{lost['sha256']}*"):
        path.unlink()
    found = read(await archive(account, formId=f["id"]))
    assert found.pop("missing.txt") == f"Visit/{new_submission['id']}/photos-1 dot.png\n".encode()
    assert found[f"Visit/{new_submission['id']}/photos-2 dot.png"] == png(2)


async def test_the_archive_needs_no_memory_for_its_contents(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    content = TEXT + bytes(b"x" * 2**20) * 30
    papers = [(await sent(account, f, "papers", content, "large.txt"))["id"] for _ in range(2)]
    await submission(account, f, data={"papers": papers})
    criteria, size, peaks = SubmissionFilter(form_ids=[f["id"]]), 0, []
    tracemalloc.start()
    try:
        async for chunk in file_archive.iter_zip(account.ctx.db, account.ctx.files, account.actor, criteria):
            size += len(chunk)
            peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
    assert 0 < size < 2 * len(content)
    assert max(peaks) < 12 * 2**20


async def test_a_head_request_does_not_create_the_archive(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    f = await form(account, fields=FIELDS)
    await submission(account, f, data={"photos": [(await sent(account, f))["id"]]})
    reads: list[str] = []
    monkeypatch.setattr(account.ctx.files, "read", reads.append)
    response = await account.api.head(f"{PREFIX}/customers/{account.id}/submissions/files.zip")
    assert (response.status_code, response.content, reads) == (200, b"", [])
    assert response.headers["content-disposition"].startswith('attachment; filename="files.zip"')
