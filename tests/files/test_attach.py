"""Attaching uploaded files to submissions."""

import uuid
from typing import Any

from actors import Account
from factories.files import FIELDS, listed, png, uploaded
from factories.forms import form
from factories.submissions import submission

UNKNOWN = "fil_01h455vb4pex5vsknk084sn02q"


async def _handed_in(account: Account, f: dict[str, Any], data: dict[str, Any]) -> tuple[int, list[tuple[str, str]]]:
    path = f"/api/v1.0/customers/{account.id}/forms/{f['id']}/submissions"
    response = await account.api.post(path, json={"data": data})
    return response.status_code, [(fault["pointer"], fault["code"]) for fault in response.json().get("errors", [])]


async def _filled(account: Account, f: dict[str, Any], method: str, client_id: str, data: dict[str, Any]) -> Any:
    async with account.stage.client() as anybody:
        body = {"versionId": f["publishedVersionId"], "data": data}
        return await anybody.request(method, f"{f['fillPath']}/submissions/{client_id}", json=body)


async def test_every_invalid_file_is_reported_with_the_other_errors(account: Account) -> None:
    f = await form(account, fields=[*FIELDS, {"type": "integer", "name": "n", "label": "N", "required": True}])
    good = await uploaded(account, f)
    data = {"photos": [good, UNKNOWN], "signed": UNKNOWN, "defects": [{}, {"picture": [UNKNOWN]}], "n": "x"}
    status, faults = await _handed_in(account, f, data)
    assert status == 422
    assert set(faults) == {
        ("/data/n", "value.type"),
        ("/data/photos/1", "file.unknown"),
        ("/data/signed", "file.unknown"),
        ("/data/defects/1/picture/0", "file.unknown"),
    }
    assert (await _handed_in(account, f, {"photos": [good], "n": 1}))[0] == 201, "the good one is still free"


async def test_files_in_the_rows_of_a_repeat_belong_to_the_submission(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    ids = [await uploaded(account, f, "picture", png(n)) for n in range(3)]
    new_submission = await submission(account, f, data={"defects": [{"picture": [file_id]} for file_id in ids]})
    assert [file["id"] for file in await listed(account, new_submission["id"])] == ids


async def test_a_file_of_another_account_is_unknown(account: Account, stranger: Account) -> None:
    theirs = await uploaded(stranger, await form(stranger, fields=FIELDS))
    f = await form(account, fields=FIELDS)
    assert await _handed_in(account, f, {"photos": [theirs]}) == (422, [("/data/photos/0", "file.unknown")])


async def test_a_file_of_another_form_or_field_is_unknown(account: Account) -> None:
    f, other = await form(account, fields=FIELDS), await form(account, fields=FIELDS)
    elsewhere, paper = await uploaded(account, other), await uploaded(account, f, "papers")
    status, faults = await _handed_in(account, f, {"photos": [elsewhere, paper]})
    assert (status, faults) == (422, [("/data/photos/0", "file.unknown"), ("/data/photos/1", "file.unknown")])


async def test_a_file_belongs_to_one_submission(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    file_id = await uploaded(account, f)
    first = await submission(account, f, data={"photos": [file_id]})
    assert await _handed_in(account, f, {"photos": [file_id]}) == (422, [("/data/photos/0", "file.taken")])
    assert [file["id"] for file in await listed(account, first["id"])] == [file_id]


async def test_a_draft_keeps_its_files_and_releases_removed_ones(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    one, two = await uploaded(account, f, content=png(1)), await uploaded(account, f, content=png(2))
    client_id = str(uuid.uuid4())
    saved = await _filled(account, f, "PUT", client_id, {"photos": [one, UNKNOWN, "x", None], "signed": [4]})
    assert saved.status_code == 200
    submission_id = saved.json()["id"]
    assert [file["id"] for file in await listed(account, submission_id)] == [one]
    await _filled(account, f, "PUT", client_id, {"photos": [two]})
    assert [file["id"] for file in await listed(account, submission_id)] == [two]
    sent = await _filled(account, f, "POST", client_id, {"photos": [two, one]})
    assert sent.status_code == 201, sent.text
    again = await _filled(account, f, "POST", client_id, {"photos": [two, one]})
    assert again.status_code == 200
    assert {file["id"] for file in await listed(account, submission_id)} == {one, two}


async def test_submitting_an_invalid_file_leaves_the_draft_unchanged(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    file_id, client_id = await uploaded(account, f), str(uuid.uuid4())
    draft = (await _filled(account, f, "PUT", client_id, {"photos": [file_id]})).json()
    refused = await _filled(account, f, "POST", client_id, {"photos": [UNKNOWN]})
    assert refused.status_code == 422
    assert [file["id"] for file in await listed(account, draft["id"])] == [file_id]


async def test_the_answer_of_a_hidden_field_keeps_no_file(account: Account) -> None:
    hidden = {"type": "photo", "name": "photos", "label": "P", "visibleIf": "site == 'x'"}
    f = await form(account, fields=[FIELDS[0], hidden])
    file_id = await uploaded(account, f)
    new_submission = await submission(account, f, data={"site": "y", "photos": [file_id]})
    assert await listed(account, new_submission["id"]) == []


async def test_a_flood_of_unknown_files_is_rejected_before_it_is_looked_up(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    wrong = [f"fil_{n:026d}" for n in range(40_000)]
    response = await _filled(account, f, "POST", str(uuid.uuid4()), {"photos": wrong})
    assert (response.status_code, response.json()["code"]) == (413, "body.too_large")


async def test_the_files_of_another_account_cannot_be_listed(account: Account, stranger: Account) -> None:
    f = await form(account, fields=FIELDS)
    new_submission = await submission(account, f, data={"photos": [await uploaded(account, f)]})
    for path in (f"/customers/{account.id}", f"/customers/{stranger.id}"):
        response = await stranger.api.get(f"/api/v1.0{path}/submissions/{new_submission['id']}/files")
        assert response.status_code == 404


async def test_the_list_is_paginated(account: Account) -> None:
    f = await form(account, fields=FIELDS)
    ids = [await uploaded(account, f, content=png(n)) for n in range(5)]
    new_submission = await submission(account, f, data={"photos": ids})
    path: str | None = f"/api/v1.0/customers/{account.id}/submissions/{new_submission['id']}/files?limit=2"
    seen: list[str] = []
    while path:
        page = (await account.api.get(path)).json()
        seen, path = seen + [file["id"] for file in page["items"]], page["next"]
    assert seen == ids
