"""Templates, folders and workbooks."""

import pytest
from actors import Account
from factories.forms import FIELDS, form
from factories.requests import PREFIX, get, post
from factories.submissions import submission

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


async def test_global_templates_are_listed_first_and_create_forms(account: Account) -> None:
    listed = (await get(account, f"/forms/customer/{account.id}/templates"))["items"]
    names = ["Inspection", "Work order", "Incident report", "Delivery note", "Customer survey", "Quiz"]
    assert [(t["name"], t["global"]) for t in listed] == [(name, True) for name in names]
    for template in listed:
        form = await post(account, "/forms", {"templateId": template["id"], "publish": True})
        assert form["name"] == template["name"]


async def test_templates_are_paged_in_one_order(account: Account) -> None:
    own = await post(account, f"/forms/customer/{account.id}/templates", {"name": "Own", "fields": FIELDS})
    seen, address = [], f"{PREFIX}/forms/customer/{account.id}/templates?limit=2"
    while address:
        page = (await account.api.get(address)).json()
        seen += [template["id"] for template in page["items"]]
        address = page["next"]
    assert len(seen) == len(set(seen)) == 7
    assert seen[-1] == own["id"]


async def test_templates_of_other_accounts_do_not_exist(account: Account, stranger: Account) -> None:
    foreign = await post(stranger, f"/forms/customer/{stranger.id}/templates", {"name": "Own", "fields": FIELDS})
    response = await account.api.post(f"{PREFIX}/forms", json={"templateId": foreign["id"]})
    assert response.status_code == 422
    assert [(f["pointer"], f["code"]) for f in response.json()["errors"]] == [("/templateId", "template.not_found")]


async def test_a_global_template_cannot_be_updated(account: Account) -> None:
    path = f"{PREFIX}/forms/customer/{account.id}/templates/tpl_00000000000000000000000001"
    response = await account.api.put(path, json={"name": "Mine", "fields": FIELDS})
    assert (response.status_code, response.json()["code"]) == (409, "template.global")


@pytest.mark.parametrize("body", [{}, {"name": "A"}, {"fields": FIELDS}])
async def test_a_form_requires_a_name_and_fields_or_a_template(account: Account, body: dict[str, object]) -> None:
    response = await account.api.post(f"{PREFIX}/forms", json=body)
    assert response.status_code == 422, response.text


async def _folder(account: Account, name: str, parent: str | None = None) -> str:
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": name, "parentId": parent})
    return str(folder["id"])


async def test_a_folder_includes_what_is_below_it(account: Account) -> None:
    north = await _folder(account, "North")
    harbour = await _folder(account, "Harbour", north)
    inside, outside = await form(account), await form(account)
    await account.api.post(
        f"{PREFIX}/forms/customer/{account.id}/folders/{harbour}/forms", json={"formIds": [inside["id"]]}
    )
    there, _ = await submission(account, inside), await submission(account, outside)
    forms = (await get(account, f"/forms/customer/{account.id}/forms", folderId=north))["items"]
    assert [one["id"] for one in forms] == [inside["id"]]
    assert [s["id"] for s in (await get(account, "/submissions", folderId=north))["items"]] == [there["id"]]
    assert (await get(account, "/submissions", folderId=north, formId=outside["id"]))["items"] == []


async def test_a_folder_cannot_be_moved_below_itself(account: Account) -> None:
    north = await _folder(account, "North")
    harbour = await _folder(account, "Harbour", north)
    for parent in (north, harbour):
        response = await account.api.put(
            f"{PREFIX}/forms/customer/{account.id}/folders/{north}", json={"name": "North", "parentId": parent}
        )
        assert (response.status_code, response.json()["code"]) == (409, "folder.circle")


async def test_folders_are_limited_to_20_levels_also_when_moved(account: Account) -> None:
    async def line(name: str, length: int) -> list[str]:
        parents: list[str | None] = [None]
        for level in range(length):
            parents.append(await _folder(account, f"{name} {level}", parents[-1]))
        return [one for one in parents if one]

    deep, tree = await line("deep", 19), await line("tree", 2)
    address = f"{PREFIX}/forms/customer/{account.id}/folders/{tree[0]}"
    refused = await account.api.put(address, json={"name": "tree 0", "parentId": deep[18]})
    assert (refused.status_code, refused.json()["code"]) == (409, "folder.too_deep")
    moved = await account.api.put(address, json={"name": "tree 0", "parentId": deep[17]})
    assert (moved.status_code, moved.json()["revision"]) == (200, 2)
    again = await account.api.put(address, json={"name": "tree 0", "parentId": deep[17]})
    assert again.json() == moved.json()
    renamed = await account.api.put(address, json={"name": "Tree", "parentId": deep[17]})
    assert (renamed.status_code, renamed.json()["revision"]) == (200, 3)


async def test_moving_forms_is_all_or_nothing(account: Account, stranger: Account) -> None:
    north, mine, theirs = await _folder(account, "North"), await form(account), await form(stranger)
    response = await account.api.post(
        f"{PREFIX}/forms/customer/{account.id}/folders/{north}/forms", json={"formIds": [mine["id"], theirs["id"]]}
    )
    assert [f["pointer"] for f in response.json()["errors"]] == ["/formIds/1"]
    assert (await get(account, f"/forms/customer/{account.id}/forms/{mine['id']}"))["folderId"] is None


async def test_a_form_is_exported_to_a_workbook_and_imported_again(account: Account) -> None:
    new_form = await form(account)
    version = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions/{new_form['publishedVersionId']}"
    file = await account.api.get(f"{PREFIX}{version}/xlsform")
    assert (file.headers["content-type"], file.headers["content-disposition"]) == (
        XLSX,
        'attachment; filename="Visit.xlsx"',
    )
    response = await account.api.post(
        f"{PREFIX}/forms/customer/{account.id}/forms/import?publish=true",
        content=file.content,
        headers={"content-type": XLSX},
    )
    back = response.json()
    codes = [note["code"] for note in back["report"]]
    assert (response.status_code, back["name"], codes) == (201, "Visit", ["xlsform.form_id_taken"])
    again = f"/forms/customer/{account.id}/forms/{back['id']}/versions/{back['publishedVersionId']}"
    assert (await get(account, again))["fields"] == (await get(account, version))["fields"]


async def test_a_file_that_is_not_a_workbook_is_rejected(account: Account) -> None:
    path = f"{PREFIX}/forms/customer/{account.id}/forms/import"
    response = await account.api.post(path, content=b"<html>", headers={"content-type": XLSX})
    assert response.status_code == 422
    assert (await account.api.post(path, json={})).status_code == 415
    assert (await get(account, f"/forms/customer/{account.id}/forms"))["items"] == []
