"""The `form_id` of forms: unique within an account, and the same after renaming, export and import."""

import io
from typing import Any

import pytest
from actors import Account
from factories.forms import FIELDS, form
from factories.requests import PREFIX, get
from openpyxl import load_workbook
from unit.xlsform.workbooks import survey

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def path(account: Account, rest: str = "") -> str:
    return f"/forms/customer/{account.id}/forms{rest}"


async def change(account: Account, form: dict[str, Any], **members: Any) -> Any:
    return await account.api.put(PREFIX + path(account, f"/{form['id']}"), json=members)


async def import_workbook(account: Account, form_id: str) -> dict[str, Any]:
    settings = [["form_title", "form_id", "version", "default_language"], ["Visit", form_id, "2026-1", "en"]]
    content = survey(["text", "a", "A"], settings=settings)
    response = await account.api.post(
        f"{PREFIX}{path(account, '/import')}?publish=true", content=content, headers={"content-type": XLSX}
    )
    assert response.status_code == 201, response.text
    imported: dict[str, Any] = response.json()
    return imported


async def exported_settings(account: Account, form: dict[str, Any]) -> dict[str, Any]:
    address = path(account, f"/{form['id']}/versions/{form['publishedVersionId']}/xlsform")
    content = (await account.api.get(PREFIX + address)).content
    headings, values = load_workbook(io.BytesIO(content))["settings"].iter_rows(values_only=True)
    return dict(zip(headings, values, strict=True))


async def test_the_id_is_made_from_the_name_and_stays(account: Account, stranger: Account) -> None:
    first, second, other = [await form(one, name="Site visit") for one in (account, account, stranger)]
    assert [one["xformId"] for one in (first, second, other)] == ["Site_visit", "Site_visit_2", "Site_visit"]
    renamed = (await change(account, first, name="Tour")).json()
    assert renamed["xformId"] == "Site_visit"
    assert (await exported_settings(account, renamed))["form_id"] == "Site_visit"


async def test_a_taken_id_is_rejected_with_a_pointer(account: Account) -> None:
    first = await form(account, xformId="Visit")
    second = await form(account, xformId="visit")
    assert second["xformId"] == "visit"
    for response in (
        await account.api.post(PREFIX + path(account), json={"name": "x", "fields": FIELDS, "xformId": "Visit"}),
        await change(account, second, xformId="Visit"),
    ):
        assert response.status_code == 422
        assert [(one["pointer"], one["code"]) for one in response.json()["errors"]] == [
            ("/xformId", "form.xform_id_taken")
        ]
    assert (await change(account, first, xformId="Visit")).json()["xformId"] == "Visit"
    assert (await change(account, second, xformId="visit:ü/1")).json()["xformId"] == "visit:ü/1"
    assert (await get(account, path(account, f"/{second['id']}")))["xformId"] == "visit:ü/1"


@pytest.mark.parametrize("wrong", ["", " a", "a ", "a<b", "a\nb", "a" * 201, None])
async def test_an_invalid_id_is_rejected(account: Account, wrong: object) -> None:
    response = await change(account, await form(account), xformId=wrong)
    assert response.status_code == 422


async def test_imports_and_copies_keep_the_id_or_get_one_like_it(account: Account, stranger: Account) -> None:
    imported = await import_workbook(account, "visit")
    assert (imported["xformId"], imported["report"]) == ("visit", [])
    assert await exported_settings(account, imported) == {
        "form_title": "Visit",
        "form_id": "visit",
        "version": "2026-1",
        "default_language": "English (en)",
    }
    again = await import_workbook(account, "visit")
    assert again["xformId"] == "visit_2"
    [note] = again["report"]
    assert (note["code"], note["kind"], note["effect"]) == ("xlsform.form_id_taken", "changed", "converted")
    copied = await account.api.post(PREFIX + path(account, f"/{imported['id']}/copy"), json={})
    assert copied.json()["xformId"] == "visit_3"
    bundle = await get(account, path(account, f"/{imported['id']}/bundle"))
    arrived = await stranger.api.post(PREFIX + path(stranger, "/import-bundle"), json={"bundle": bundle})
    assert arrived.json()["xformId"] == "visit"


async def test_a_restored_form_gets_another_id_if_its_own_is_taken(account: Account) -> None:
    new_form = await form(account, xformId="visit")
    deleted = await account.api.delete(PREFIX + path(account, f"/{new_form['id']}"))
    assert deleted.status_code == 200, deleted.text
    await form(account, xformId="visit")
    restored = await account.api.post(PREFIX + path(account, f"/{new_form['id']}/restore"))
    assert restored.status_code == 200, restored.text
    assert (await get(account, path(account, f"/{new_form['id']}")))["xformId"] == "visit_2"
