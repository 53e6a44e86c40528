"""The question library: blocks, their versions, and the forms that use them."""

import asyncio
from typing import Any

from actors import Account
from factories.forms import bundle, form
from factories.requests import PREFIX, get, post

from formwright.core.db.interface import Row
from formwright.domain.trash import purge

STREET = {"type": "text", "name": "street", "label": {"en": "Street", "de": "Straße"}}
CITY = {"type": "text", "name": "city", "label": "City", "visibleIf": "answered.street"}


def path(account: Account, block: dict[str, Any] | None = None, tail: str = "") -> str:
    return f"/forms/customer/{account.id}/question-blocks" + (f"/{block['id']}{tail}" if block else "")


async def address(account: Account, **more: Any) -> dict[str, Any]:
    return await post(account, path(account), {"name": "Address", "fields": [STREET, CITY]} | more)


async def change(account: Account, block: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {name: block[name] for name in ("name", "description", "fields", "language")} | more
    response = await account.api.put(PREFIX + path(account, block), json=body)
    assert response.status_code == 200, response.text
    changed: dict[str, Any] = response.json()
    return changed


def copied(block: dict[str, Any], *fields: dict[str, Any], copy: int = 1) -> list[dict[str, Any]]:
    origin = {"id": block["id"], "version": block["version"]} | ({"copy": copy} if copy > 1 else {})
    return [one | {"name": f"home_{one['name']}{copy}", "block": origin | {"field": one["name"]}} for one in fields]


async def test_different_questions_are_a_new_version_and_old_ones_stay_readable(account: Account) -> None:
    block = await address(account)
    renamed = await change(account, block, name="Postal address")
    assert (renamed["version"], renamed["revision"]) == (1, 2), "a new name is no new version"
    same = await change(account, renamed)
    assert same == renamed, "nothing changes"
    second = await change(account, renamed, fields=[STREET])
    assert second["version"] == 2
    versions = (await get(account, path(account, block, "/versions?limit=1")))["items"]
    assert [(one["number"], one["fields"]) for one in versions] == [(1, [STREET, CITY])]
    both = await get(account, path(account, block, "/versions"))
    assert [one["number"] for one in both["items"]] == [1, 2]
    [only] = (await get(account, path(account, block, "/versions?number=2")))["items"]
    assert only["fields"] == [STREET]
    assert only["createdBy"].startswith("key_")
    types = [event["type"] for event in (await get(account, f"/webhooks/customer/{account.id}/events"))["items"]]
    assert [one for one in types if one.startswith("question_block")] == [
        "question_block.created",
        "question_block.updated",
        "question_block.updated",
    ]
    entries = (await get(account, f"/customers/{account.id}/audit"))["items"]
    assert [entry["changed"] for entry in entries if entry["action"] == "question_block.updated"] == [
        ["fields"],
        ["name"],
    ]


async def test_blocks_are_found_by_name_and_pages_follow_each_other(account: Account) -> None:
    for name in ("Adresse", "Ärztin", "Consent"):
        await address(account, name=name)
    found = await get(account, path(account) + "?q=%C3%A4RZ")
    assert [one["name"] for one in found["items"]] == ["Ärztin"]
    first = await get(account, path(account) + "?limit=2")
    rest = (await account.api.get(first["next"])).json()
    assert [one["name"] for one in first["items"] + rest["items"]] == ["Adresse", "Ärztin", "Consent"]


async def test_a_block_is_checked_like_a_form_and_contains_no_other_blocks(account: Account) -> None:
    outside = {"name": "Bad", "fields": [CITY]}
    response = await account.api.post(PREFIX + path(account), json=outside)
    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (422, "/fields/0/visibleIf")
    assert (await account.api.post(PREFIX + path(account), json={"name": "None", "fields": []})).status_code == 422
    section = {"type": "section", "name": "home", "label": "Home 🏠", "fields": copied(await address(account), STREET)}
    created = await address(account, fields=[section])
    assert "block" not in created["fields"][0]["fields"][0]


async def test_two_updates_of_the_same_state_do_not_overwrite_each_other(account: Account) -> None:
    block = await address(account)
    url = PREFIX + path(account, block)
    tag = (await account.api.get(url)).headers["etag"]
    bodies = [{"name": name, "fields": [STREET, {**CITY, "label": name}]} for name in ("Town", "Place")]
    answers = await asyncio.gather(*(account.api.put(url, json=body, headers={"if-match": tag}) for body in bodies))
    assert sorted(response.status_code for response in answers) == [200, 412]
    assert (await get(account, path(account, block)))["version"] == 2
    unconditional = await asyncio.gather(*(account.api.put(url, json=body) for body in bodies * 2))
    assert {response.status_code for response in unconditional} == {200}
    numbers = [one["number"] for one in (await get(account, path(account, block, "/versions")))["items"]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert (await get(account, path(account, block)))["version"] == numbers[-1]


async def test_forms_that_use_a_block_are_listed_with_available_updates(account: Account) -> None:
    block = await address(account)
    old = await form(account, name="Old", fields=copied(block, STREET, copy=1))
    await form(account, name="Without")
    drafted = await form(account, name="Drafted", fields=copied(block, STREET))
    newer = await change(account, block, fields=[STREET])
    versions = f"/forms/customer/{account.id}/forms/{drafted['id']}/versions"
    group = {"type": "repeat", "name": "homes", "label": "Homes", "fields": copied(newer, STREET, copy=2)}
    await post(account, versions, {"fields": [group]})
    uses = (await get(account, path(account, block, "/forms")))["items"]
    assert uses == [
        {"formId": old["id"], "name": "Old", "published": [1], "draft": [], "updateAvailable": True},
        {"formId": drafted["id"], "name": "Drafted", "published": [1], "draft": [2], "updateAvailable": False},
    ]
    changes = await get(account, f"{versions}/{old['publishedVersionId']}/changes".replace(drafted["id"], old["id"]))
    assert changes["changes"] == []


async def test_origins_alone_are_no_change_for_who_reads_the_answers(account: Account) -> None:
    block = await address(account)
    [field] = copied(block, STREET)
    new_form = await form(account, fields=[field])
    del field["block"]
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    detached = await post(account, versions, {"fields": [field]})
    assert (await get(account, f"{versions}/{detached['id']}/changes"))["changes"] == []


async def test_a_deleted_block_leaves_its_questions_in_the_forms(account: Account) -> None:
    block = await address(account)
    await change(account, block, fields=[STREET])
    fields = copied(block, STREET)
    new_form = await form(account, fields=fields)
    url = PREFIX + path(account, block)
    assert (await account.api.delete(url)).json()["kind"] == "questionBlock"
    for tail in ("", "/versions", "/forms"):
        assert (await account.api.get(url + tail)).json()["code"] == "question_block.not_found"
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    assert (await post(account, versions, {"fields": fields}))["fields"] == fields, "it can still be saved"
    restored = (await account.api.post(url + "/restore")).json()
    assert (restored["version"], restored["fields"]) == (2, [STREET])
    assert [one["number"] for one in (await get(account, path(account, block, "/versions")))["items"]] == [1, 2]
    assert (await account.api.delete(url + "?permanent=true")).status_code == 200
    while await purge.purge_next(account.ctx.db, account.id, account.ctx.clock.now()):
        pass
    assert await _stored_versions(account) == []
    assert (await post(account, versions, {"fields": fields}))["fields"] == fields


async def _stored_versions(account: Account) -> list[Row]:
    async with account.ctx.db.reading() as tx:
        return list(await tx.fetch("SELECT number FROM question_block_versions WHERE customer_id = $1", account.id))


async def test_the_id_of_a_block_of_another_account_reveals_nothing(account: Account, stranger: Account) -> None:
    theirs = await address(stranger)
    new_form = await form(account, fields=copied(theirs, STREET))
    assert (await account.api.get(PREFIX + path(account, theirs, "/forms"))).status_code == 404
    assert (await get(stranger, path(stranger, theirs, "/forms")))["items"] == []
    exported = await get(account, f"/forms/customer/{account.id}/forms/{new_form['id']}/bundle")
    assert "block" not in exported["fields"][0]
    imported = {"bundle": bundle(fields=copied(theirs, STREET))}
    assert (await post(stranger, f"/forms/customer/{stranger.id}/forms/import-bundle", imported))["name"]


async def test_copies_within_the_account_stay_linked_and_workbooks_name_no_loss(account: Account) -> None:
    block = await address(account)
    new_form = await form(account, fields=copied(block, STREET))
    here = f"/forms/customer/{account.id}/forms"
    await post(account, f"{here}/{new_form['id']}/copy", {"name": "Copy"})
    uses = (await get(account, path(account, block, "/forms")))["items"]
    assert [one["published"] or one["draft"] for one in uses] == [[1], [1]]
    report = await get(account, f"{here}/{new_form['id']}/versions/{new_form['publishedVersionId']}/xlsform/report")
    assert report["report"] == []
