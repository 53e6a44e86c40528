"""Versions of forms: drafts, publishing and changes."""

from typing import Any

import httpx
from actors import Account
from factories.forms import FIELDS, form
from factories.requests import PREFIX, get, post
from factories.submissions import submission


def _versions(account: Account, form: dict[str, Any]) -> str:
    return f"/forms/customer/{account.id}/forms/{form['id']}/versions"


async def _put(account: Account, path: str, body: object) -> httpx.Response:
    return await account.api.put(PREFIX + path, json=body)


async def test_several_drafts_can_exist_and_none_is_filled_in(account: Account) -> None:
    new_form = await form(account)
    first = await post(account, _versions(account, new_form), {"fields": FIELDS[:1]})
    second = await post(account, _versions(account, new_form), {"fields": FIELDS[:2], "remarks": "Shorter"})
    assert [(v["number"], v["status"]) for v in (first, second)] == [(2, "DRAFT"), (3, "DRAFT")]
    assert (await submission(account, new_form))["versionId"] == new_form["publishedVersionId"]


async def test_a_published_draft_is_the_version_that_is_filled_in(account: Account) -> None:
    new_form = await form(account)
    draft = await post(account, _versions(account, new_form), {"fields": [{"type": "text", "name": "b", "label": "B"}]})
    response = await account.api.post(f"{PREFIX}{_versions(account, new_form)}/{draft['id']}/publish")
    assert response.json()["publishedVersionId"] == draft["id"]
    assert (await submission(account, new_form, data={"b": "x"}))["versionId"] == draft["id"]
    events = (await get(account, f"/webhooks/customer/{account.id}/events", type="form.published"))["items"]
    assert [event["data"]["publishedVersionId"] for event in events] == [new_form["publishedVersionId"], draft["id"]]


async def test_a_final_version_cannot_be_changed(account: Account) -> None:
    new_form = await form(account)
    path = f"{_versions(account, new_form)}/{new_form['publishedVersionId']}"
    before = await get(account, path)
    response = await _put(account, path, {"fields": FIELDS[:1]})
    assert (response.status_code, response.json()["code"]) == (409, "form.version.not_draft")
    assert await get(account, path) == before


async def test_an_older_version_can_be_published_again(account: Account) -> None:
    new_form = await form(account)
    draft = await post(account, _versions(account, new_form), {"fields": FIELDS[:1]})
    for version in (draft["id"], new_form["publishedVersionId"]):
        response = await account.api.post(f"{PREFIX}{_versions(account, new_form)}/{version}/publish")
        assert response.json()["publishedVersionId"] == version


async def test_a_definition_can_be_validated_without_saving(account: Account) -> None:
    new_form = await form(account)
    broken = [{"type": "text", "name": "a", "label": "A", "visibleIf": "nobody == 1"}]
    response = await account.api.post(f"{PREFIX}{_versions(account, new_form)}/validate", json={"fields": broken})
    assert response.json()["valid"] is False
    assert [(f["pointer"], f["code"]) for f in response.json()["errors"]] == [("/fields/0/visibleIf", "field.rule")]
    assert len((await get(account, _versions(account, new_form)))["items"]) == 1


async def test_the_title_of_submissions_is_an_answer_outside_of_repeats(account: Account) -> None:
    inner = {"type": "text", "name": "inner", "label": "Inner"}
    fields = [
        {"type": "section", "name": "s", "label": "S", "fields": [{"type": "text", "name": "a", "label": "A"}]},
        {"type": "repeat", "name": "r", "label": "R", "fields": [inner]},
        {"type": "photo", "name": "p", "label": "P"},
    ]
    new_form = await form(account)
    for name, errors in (
        ("a", []),
        *((n, [("/settings/titleField", "field.unknown")]) for n in ("inner", "r", "p", "s")),
    ):
        body = {"fields": fields, "settings": {"titleField": name}}
        response = await account.api.post(f"{PREFIX}{_versions(account, new_form)}/validate", json=body)
        assert [(f["pointer"], f["code"]) for f in response.json()["errors"]] == errors
    refused = await account.api.post(PREFIX + _versions(account, new_form), json=body)
    assert refused.status_code == 422


async def test_the_schema_describes_the_answers(account: Account) -> None:
    new_form = await form(account)
    schema = await get(account, f"{_versions(account, new_form)}/{new_form['publishedVersionId']}/schema")
    assert schema["required"] == ["site"]
    assert schema["properties"]["people"] == {"type": "integer", "minimum": 0, "maximum": 500}


async def test_changes_list_breaking_changes_and_affected_submissions(account: Account) -> None:
    new_form = await form(account)
    await submission(account, new_form, data={"site": "x", "people": 3, "kind": "a"})
    await submission(account, new_form, data={"site": "y"})
    fields = [
        {"type": "text", "name": "place", "label": "Site", "required": True},  # renamed
        {"type": "text", "name": "people", "label": "People"},  # another type
        FIELDS[2] | {"label": "Which kind"},  # reworded
        {"type": "email", "name": "mail", "label": "Mail"},  # added; day is removed
    ]
    draft = await post(account, _versions(account, new_form), {"fields": fields})
    found = await get(
        account, f"{_versions(account, new_form)}/{draft['id']}/changes", since=new_form["publishedVersionId"]
    )
    assert found["breaking"] is True
    assert {(c["kind"], c["before"], c["after"], c["breaking"], c["submissions"]) for c in found["changes"]} == {
        ("RENAMED", "site", "place", True, 2),
        ("RETYPED", "people", "people", True, 1),
        ("CHANGED", "kind", "kind", False, 1),
        ("ADDED", None, "mail", False, 0),
        ("REMOVED", "day", None, True, 0),
    }


async def test_a_form_can_be_renamed_moved_and_archived(account: Account) -> None:
    new_form = await form(account)
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    path = f"/forms/customer/{account.id}/forms/{new_form['id']}"
    changed = (await _put(account, path, {"name": "Visits", "folderId": folder["id"], "status": "ARCHIVED"})).json()
    assert (changed["name"], changed["folderId"], changed["status"]) == ("Visits", folder["id"], "ARCHIVED")
    response = await account.api.post(
        f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submissions", json={"data": {"site": "x"}}
    )
    assert (response.status_code, response.json()["code"]) == (409, "form.archived")
    assert (await _put(account, path, {"folderId": None})).json()["folderId"] is None


async def test_a_new_definition_goes_into_the_newest_draft(account: Account) -> None:
    new_form = await form(account)
    path = f"/forms/customer/{account.id}/forms/{new_form['id']}"
    for count in (1, 2):
        assert (await _put(account, path, {"fields": FIELDS[:count]})).status_code == 200
    versions = (await get(account, _versions(account, new_form)))["items"]
    assert [(v["number"], v["status"], len(v["fields"])) for v in versions] == [(1, "FINAL", 4), (2, "DRAFT", 2)]


async def test_updating_fields_keeps_settings_and_vice_versa(account: Account) -> None:
    settings = {"language": "de", "thanks": "Danke"}
    new_form = await form(account, settings=settings)
    path = f"/forms/customer/{account.id}/forms/{new_form['id']}"
    assert (await _put(account, path, {"fields": FIELDS[:1]})).status_code == 200
    draft = (await get(account, _versions(account, new_form)))["items"][-1]
    assert (draft["number"], draft["fields"], draft["settings"]) == (2, FIELDS[:1], settings)
    assert (await _put(account, path, {"settings": {"language": "fr"}})).status_code == 200
    assert (await _put(account, path, {"name": "Other"})).status_code == 200
    draft = (await get(account, _versions(account, new_form)))["items"][-1]
    assert (draft["number"], draft["fields"], draft["settings"]) == (2, FIELDS[:1], {"language": "fr"})


async def test_updating_settings_of_a_published_form_creates_a_version(account: Account) -> None:
    new_form = await form(account)
    path = f"/forms/customer/{account.id}/forms/{new_form['id']}"
    response = await _put(account, path, {"settings": {"language": "en", "thanks": "Bye"}, "publish": True})
    newest = (await get(account, _versions(account, new_form)))["items"][-1]
    assert response.json()["publishedVersionId"] == newest["id"] != new_form["publishedVersionId"]
    assert (newest["number"], newest["status"]) == (2, "FINAL")
    assert (newest["fields"], newest["settings"]) == (FIELDS, {"language": "en", "thanks": "Bye"})


async def test_publish_alone_publishes_the_newest_draft(account: Account) -> None:
    new_form = await form(account, publish=False)
    path = f"/forms/customer/{account.id}/forms/{new_form['id']}"
    response = await _put(account, path, {"publish": True})
    version = (await get(account, _versions(account, new_form)))["items"][0]
    assert (response.status_code, response.json()["publishedVersionId"]) == (200, version["id"])
    assert version["status"] == "FINAL"


async def test_publish_alone_without_a_draft_is_rejected(account: Account) -> None:
    new_form = await form(account)
    left_behind = await post(account, _versions(account, new_form), {"fields": FIELDS[:1]})
    newest = await post(account, _versions(account, new_form), {"fields": FIELDS[:2]})
    await account.api.post(f"{PREFIX}{_versions(account, new_form)}/{newest['id']}/publish")
    path = f"/forms/customer/{account.id}/forms/{new_form['id']}"
    response = await _put(account, path, {"name": "Renamed", "publish": True})
    assert (response.status_code, response.json()["code"]) == (409, "form.no_draft")
    after = await get(account, path)
    assert (after["name"], after["publishedVersionId"]) == (new_form["name"], newest["id"])
    assert (await get(account, f"{_versions(account, new_form)}/{left_behind['id']}"))["status"] == "DRAFT"


async def test_a_draft_keeps_omitted_settings_and_remarks(account: Account) -> None:
    new_form = await form(account, settings={"language": "de"})
    draft = await post(account, _versions(account, new_form), {"fields": FIELDS, "remarks": "Shorter"})
    assert draft["settings"] == {"language": "de"}
    path = f"{_versions(account, new_form)}/{draft['id']}"
    changed = (await _put(account, path, {"fields": FIELDS[:1]})).json()
    assert (changed["fields"], changed["settings"], changed["remarks"]) == (FIELDS[:1], {"language": "de"}, "Shorter")
    changed = (await _put(account, path, {"fields": FIELDS, "settings": {}, "remarks": ""})).json()
    assert (changed["settings"], changed["remarks"]) == ({}, "")


def _exits(*fields: dict[str, Any], name: str = "exits") -> dict[str, Any]:
    return {"type": "repeat", "name": name, "label": "Exits", "fields": list(fields)}


DOOR = {"type": "text", "name": "door", "label": "Door"}
WIDE = {"type": "integer", "name": "wide", "label": "Wide"}


async def _changes(account: Account, form: dict[str, Any], *fields: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    draft = await post(account, _versions(account, form), {"fields": fields})
    found = await get(account, f"{_versions(account, form)}/{draft['id']}/changes", since=form["publishedVersionId"])
    return {c["before"]: (c["kind"], c["after"], c["breaking"], c["submissions"]) for c in found["changes"]}


async def test_a_submission_with_the_field_in_several_rows_counts_once(account: Account) -> None:
    new_form = await form(account, fields=[FIELDS[0], _exits(DOOR, WIDE)])
    for rows in ([{"door": "N"}, {"door": "S", "wide": 2}, {}], [{"wide": 3}], [{"door": None}], []):
        await submission(account, new_form, data={"site": "x", "exits": rows})
    found = await _changes(account, new_form, FIELDS[0], _exits(WIDE | {"type": "text"}))
    assert found == {"door": ("REMOVED", None, True, 1), "wide": ("RETYPED", "wide", True, 2)}


async def test_invalid_rows_of_started_submissions_are_not_counted(account: Account) -> None:
    new_form = await form(account, fields=[_exits(DOOR)])
    async with account.stage.client() as anybody:
        for n, rows in enumerate(["door", 4, ["door", 4, [{"door": "N"}]], [{"door": "N"}]]):
            body = {"versionId": new_form["publishedVersionId"], "data": {"exits": rows}}
            address = f"{new_form['fillPath']}/submissions/00000000-0000-4000-8000-00000000000{n}"
            assert (await anybody.put(address, json=body)).status_code == 200
    assert (await _changes(account, new_form, _exits(WIDE)))["door"] == ("REMOVED", None, True, 1)


async def test_moving_a_field_out_of_its_repeat_is_breaking(account: Account) -> None:
    new_form = await form(account, fields=[_exits(DOOR, WIDE)])
    await submission(account, new_form, data={"exits": [{"door": "N", "wide": 2}]})
    found = await _changes(account, new_form, DOOR, _exits(WIDE))
    assert found == {"door": ("MOVED", "door", True, 1)}
    found = await _changes(account, new_form, _exits(DOOR, WIDE, name="ways"))
    assert found == {"exits": ("RENAMED", "ways", True, 1)}
    found = await _changes(
        account, new_form, {"type": "section", "name": "s", "label": "S", "fields": [_exits(DOOR, WIDE)]}
    )
    assert found == {None: ("ADDED", "s", False, 0)}


async def test_a_version_contains_the_key_that_created_it(account: Account) -> None:
    new_form = await form(account)
    draft = await post(account, _versions(account, new_form), {"fields": FIELDS})
    assert draft["createdBy"].startswith("key_")
    assert draft["updatedBy"] == draft["createdBy"]
    [first, _] = (await get(account, _versions(account, new_form)))["items"]
    assert (first["createdBy"], first["updatedBy"]) == (draft["createdBy"], draft["createdBy"])
