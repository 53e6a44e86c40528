"""Versions of forms: drafts, publishing, what changed."""

from typing import Any

import httpx
from cast import Account
from make.forms import FIELDS, form
from make.posting import PREFIX, get, post
from make.submissions import submission


def _versions(account: Account, made: dict[str, Any]) -> str:
    return f"/forms/customer/{account.id}/forms/{made['id']}/versions"


async def _put(account: Account, path: str, body: object) -> httpx.Response:
    return await account.api.put(PREFIX + path, json=body)


async def test_drafts_stand_beside_each_other_and_none_is_filled(account: Account) -> None:
    made = await form(account)
    first = await post(account, _versions(account, made), {"fields": FIELDS[:1]})
    second = await post(account, _versions(account, made), {"fields": FIELDS[:2], "remarks": "Shorter"})
    assert [(v["number"], v["status"]) for v in (first, second)] == [(2, "DRAFT"), (3, "DRAFT")]
    assert (await submission(account, made))["versionId"] == made["publishedVersionId"]


async def test_a_draft_that_is_published_is_what_is_filled(account: Account) -> None:
    made = await form(account)
    draft = await post(account, _versions(account, made), {"fields": [{"type": "text", "name": "b", "label": "B"}]})
    answer = await account.api.post(f"{PREFIX}{_versions(account, made)}/{draft['id']}/publish")
    assert answer.json()["publishedVersionId"] == draft["id"]
    assert (await submission(account, made, data={"b": "x"}))["versionId"] == draft["id"]
    events = (await get(account, f"/webhooks/customer/{account.id}/events", type="form.published"))["items"]
    assert [event["data"]["publishedVersionId"] for event in events] == [made["publishedVersionId"], draft["id"]]


async def test_a_final_version_refuses_change(account: Account) -> None:
    made = await form(account)
    path = f"{_versions(account, made)}/{made['publishedVersionId']}"
    before = await get(account, path)
    answer = await _put(account, path, {"fields": FIELDS[:1]})
    assert (answer.status_code, answer.json()["code"]) == (409, "form.version.not_draft")
    assert await get(account, path) == before


async def test_an_older_version_can_be_published_again(account: Account) -> None:
    made = await form(account)
    draft = await post(account, _versions(account, made), {"fields": FIELDS[:1]})
    for version in (draft["id"], made["publishedVersionId"]):
        answer = await account.api.post(f"{PREFIX}{_versions(account, made)}/{version}/publish")
        assert answer.json()["publishedVersionId"] == version


async def test_a_definition_is_checked_without_being_saved(account: Account) -> None:
    made = await form(account)
    broken = [{"type": "text", "name": "a", "label": "A", "visibleIf": "nobody == 1"}]
    answer = await account.api.post(f"{PREFIX}{_versions(account, made)}/validate", json={"fields": broken})
    assert answer.json()["valid"] is False
    assert [(f["pointer"], f["code"]) for f in answer.json()["errors"]] == [("/fields/0/visibleIf", "field.rule")]
    assert len((await get(account, _versions(account, made)))["items"]) == 1


async def test_the_schema_says_what_answers_must_be(account: Account) -> None:
    made = await form(account)
    schema = await get(account, f"{_versions(account, made)}/{made['publishedVersionId']}/schema")
    assert schema["required"] == ["site"]
    assert schema["properties"]["people"] == {"type": "integer", "minimum": 0, "maximum": 500}


async def test_changes_name_what_breaks_readers_and_what_it_touches(account: Account) -> None:
    made = await form(account)
    await submission(account, made, data={"site": "x", "people": 3, "kind": "a"})
    await submission(account, made, data={"site": "y"})
    fields = [
        {"type": "text", "name": "place", "label": "Site", "required": True},  # renamed
        {"type": "text", "name": "people", "label": "People"},  # another type
        FIELDS[2] | {"label": "Which kind"},  # reworded
        {"type": "email", "name": "mail", "label": "Mail"},  # added; day is removed
    ]
    draft = await post(account, _versions(account, made), {"fields": fields})
    found = await get(account, f"{_versions(account, made)}/{draft['id']}/changes", since=made["publishedVersionId"])
    assert found["breaking"] is True
    assert {(c["kind"], c["before"], c["after"], c["breaking"], c["submissions"]) for c in found["changes"]} == {
        ("RENAMED", "site", "place", True, 2),
        ("RETYPED", "people", "people", True, 1),
        ("CHANGED", "kind", "kind", False, 1),
        ("ADDED", None, "mail", False, 0),
        ("REMOVED", "day", None, True, 0),
    }


async def test_a_form_is_renamed_moved_and_archived(account: Account) -> None:
    made = await form(account)
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    path = f"/forms/customer/{account.id}/forms/{made['id']}"
    changed = (await _put(account, path, {"name": "Visits", "folderId": folder["id"], "status": "ARCHIVED"})).json()
    assert (changed["name"], changed["folderId"], changed["status"]) == ("Visits", folder["id"], "ARCHIVED")
    answer = await account.api.post(
        f"{PREFIX}/customers/{account.id}/forms/{made['id']}/submissions", json={"data": {"site": "x"}}
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "form.archived")
    assert (await _put(account, path, {"folderId": None})).json()["folderId"] is None


async def test_another_definition_goes_into_the_newest_draft(account: Account) -> None:
    made = await form(account)
    path = f"/forms/customer/{account.id}/forms/{made['id']}"
    for count in (1, 2):
        assert (await _put(account, path, {"fields": FIELDS[:count]})).status_code == 200
    versions = (await get(account, _versions(account, made)))["items"]
    assert [(v["number"], v["status"], len(v["fields"])) for v in versions] == [(1, "FINAL", 4), (2, "DRAFT", 2)]
