"""Editing the answers of a submission in the pages: permissions, concurrent edits and validation."""

from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource
from factories.files import FIELDS as FILE_FIELDS
from factories.files import uploaded
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import started, submission
from factories.users import grants, role, user
from factories.web_client import visit
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, open_page
from fixtures.device_storage import read_records
from fixtures.fill_pages import choose
from playwright.async_api import Browser, Route, expect
from web.submissions.conftest import words

FIELDS = [
    {"type": "text", "name": "site", "label": "Site", "required": True},
    {"type": "integer", "name": "people", "label": "People", "max": 500},
    {"type": "text", "name": "left", "label": "Left open", "default": "given"},
    {"type": "datetime", "name": "at", "label": "At"},
]
DATA = {"site": "Quay <b>", "people": 3, "at": "2026-03-29T14:30:05+02:00"}


async def fetch_submission(account: Account, one: dict[str, Any]) -> dict[str, Any]:
    return await get(account, f"/customers/{account.id}/submissions/{one['id']}")


async def test_answers_are_validated_as_in_the_api_and_the_first_of_two_edits_wins(account: Account) -> None:
    one = await submission(account, await form(account, fields=FIELDS), data=DATA)
    here = f"/submissions/{one['id']}"
    async with visit(account) as site:
        assert f'href="{here}/edit"' in (await site.http.get(here)).text
        assert "Quay \\u003cb\\u003e" in (await site.http.get(f"{here}/edit")).text
        wrong = await site.send(f"{here}/answers", {"data": {"people": 501, "x": 1}, "revision": 1, "note": "n" * 2001})
        assert wrong.status_code == 422
        assert [fault["pointer"] for fault in wrong.json()["errors"]] == ["/note"]
        wrong = await site.send(f"{here}/answers", {"data": {"people": 501, "x": 1}, "revision": 1})
        assert {fault["pointer"] for fault in wrong.json()["errors"]} == {"/data/people", "/data/site", "/data/x"}
        for body in ("[]", "{", '{"data": 1}', '{"data": {}, "revision": "1"}', '{"data": {}}'):
            headers = {"x-csrftoken": site.token, "content-type": "application/json"}
            assert (await site.http.post(f"{here}/answers", content=body, headers=headers)).status_code in (400, 422)
        assert (await fetch_submission(account, one))["revision"] == 1
        changed = DATA | {"people": 4}
        saved = await site.send(f"{here}/answers", {"data": changed, "revision": 1, "note": "They were <i>four</i>."})
        assert (saved.status_code, saved.json()) == (200, {"changed": True})
        late = await site.send(f"{here}/answers", {"data": DATA | {"people": 5}, "revision": 1})
        assert (late.status_code, (await fetch_submission(account, one))["data"]["people"]) == (409, 4)
        same = await site.send(f"{here}/answers", {"data": changed, "revision": 2})
        assert same.json() == {"changed": False}
        over = await site.send(f"{here}/answers", {"data": DATA | {"people": 5}, "revision": None})
        assert over.status_code == 200
        page = words((await site.http.get(here)).text)
    last = await fetch_submission(account, one)
    assert (last["data"]["people"], last["revision"], last["note"]) == (5, 3, "They were <i>four</i>.")
    assert last["updatedBy"] == account.owner.id
    assert "Edited by" in page
    assert "They were <i>four</i>. People : 3 → 4" in page
    events = (await get(account, f"/webhooks/customer/{account.id}/events?type=submission.updated"))["items"]
    assert [event["data"]["revision"] for event in events] == [2, 3]


async def test_the_edit_permission_includes_rows_and_files(account: Account) -> None:
    table = await datasource(account, rows=[{"number": "C-1", "city": "Kiel"}])
    look_up = {"type": "lookup", "name": "client", "label": "Client", "datasourceId": table["id"]}
    asked = await form(account, fields=[look_up, *FILE_FIELDS])
    photo = await uploaded(account, asked)
    one = await submission(account, asked, data={"site": "Quay"})
    reading = ("submissions:read", "forms:read")
    may, sees = await role(account, "submissions:edit", *reading), await role(account, *reading)
    mia, noor = await user(account, "Mia"), await user(account, "Noor")
    for who, given in ((mia, may), (noor, sees)):
        path = f"{PREFIX}/customers/{account.id}/users/{who.id}"
        body = {"grants": grants(given["id"], form=asked["id"])}
        assert (await account.api.put(path, json=body)).status_code == 200
    here, body = f"/submissions/{one['id']}", {"data": {"site": "Quay", "client": "C-1", "photos": [photo]}}
    async with visit(account, noor.id) as site:
        assert "/edit" not in (await site.http.get(here)).text
        assert (await site.http.get(f"{here}/edit")).status_code == 403
        assert (await site.send(f"{here}/answers", body | {"revision": 1})).status_code == 403
    async with visit(account, mia.id) as site:
        assert (await site.send(f"{here}/answers", body | {"revision": 1})).status_code == 200
        page = (await site.http.get(f"{here}/edit")).text
    assert f"/files/{photo}?" in page.replace("\\u0026", "&")
    assert (await fetch_submission(account, one))["lookups"][0]["key"] == "C-1"


async def test_drafts_and_submissions_of_another_account_cannot_be_edited(account: Account, stranger: Account) -> None:
    draft = await started(account, await form(account, fields=FIELDS), "c1")
    theirs = await submission(stranger, await form(stranger, fields=FIELDS), data=DATA)
    async with visit(account) as site:
        assert (await site.http.get(f"/submissions/{draft.id}/edit")).status_code == 400
        for path in (f"/submissions/{theirs['id']}/edit", "/submissions/sub_nothing/edit"):
            assert (await site.http.get(path)).status_code == 404
        sent = await site.send(f"/submissions/{theirs['id']}/answers", {"data": DATA, "revision": 1})
        assert sent.status_code == 404


@pytest.mark.slow
async def test_an_added_photo_is_not_stored_in_the_browser(browser: Browser, person: Person) -> None:
    async with person.client() as api, open_page(browser, **DESKTOP) as watched:
        body = {"name": "Visit", "fields": [{"type": "photo", "name": "photos", "label": "Photos"}], "publish": True}
        form = (await api.post("/api/v1.0/forms", json=body)).json()
        path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
        one = (await api.post(path, json={"data": {}})).json()
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/submissions/{one['id']}/edit"))
        await choose(page)
        await page.get_by_text("Uploaded").wait_for()
        assert await read_records(page, "files") == []
        await page.get_by_role("button", name="Save", exact=True).click()
        await expect(page.get_by_role("status").get_by_text("Saved.")).to_be_visible()
        await expect(page.get_by_role("img", name="a.png")).to_be_visible()
        # Neither does a photo that was added in the preview of the form.
        await page.goto(person.path(f"/forms/{form['id']}/preview"))
        await choose(page)
        await page.get_by_role("img", name="Photo 1").wait_for()
        assert await read_records(page, "files") == []


async def test_only_edited_answers_change_and_concurrent_edits_are_not_lost(browser: Browser, person: Person) -> None:
    async with person.client() as api:
        form = (await api.post("/api/v1.0/forms", json={"name": "Visit", "fields": FIELDS, "publish": True})).json()
        path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
        one = (await api.post(path, json={"data": DATA})).json()
        there = f"/api/v1.0/customers/{person.customer_id}/submissions/{one['id']}"
        async with open_page(browser, **DESKTOP) as watched:
            page = watched.page
            await person.sign_in_browser(page)
            await page.goto(person.path(f"/submissions/{one['id']}"))
            await page.get_by_role("link", name="Edit").click()
            await expect(page.get_by_label("People")).to_have_value("3")
            await expect(page.get_by_label("Left open")).to_have_value("")
            await page.get_by_label("Site").fill("")
            await page.get_by_label("People").fill("7")
            await page.get_by_role("button", name="Save", exact=True).click()
            await expect(page.locator("#problems")).to_contain_text("Site")
            await page.get_by_label("Site").fill("Pier")
            await page.get_by_label("Reason").fill("Counted again")
            assert (await api.put(there, json={"data": DATA | {"people": 4}})).status_code == 200
            await page.get_by_role("button", name="Save", exact=True).click()
            await page.get_by_role("button", name="Overwrite with my changes").click()
            await expect(page.get_by_role("status").get_by_text("Saved.")).to_be_visible()
            await expect(page.locator(".history")).to_contain_text("Counted again")
        assert (await api.get(there)).json()["data"] == {"site": "Pier", "people": 7, "at": DATA["at"]}


@pytest.mark.slow
async def test_a_lost_response_does_not_say_that_nothing_was_saved(browser: Browser, person: Person) -> None:
    async def lose_response(route: Route) -> None:
        await route.fetch()
        await route.abort()

    async with person.client() as api:
        form = (await api.post("/api/v1.0/forms", json={"name": "Visit", "fields": FIELDS, "publish": True})).json()
        path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
        one = (await api.post(path, json={"data": DATA})).json()
        async with open_page(browser, **DESKTOP) as watched:
            page = watched.page
            await person.sign_in_browser(page)
            await page.goto(person.path(f"/submissions/{one['id']}/edit"))
            await page.get_by_label("People").fill("7")
            await page.route("**/answers", lose_response, times=1)
            await page.get_by_role("button", name="Save", exact=True).click()
            await expect(page.get_by_text("your changes may not have been saved")).to_be_visible()
        there = f"/api/v1.0/customers/{person.customer_id}/submissions/{one['id']}"
        assert (await api.get(there)).json()["data"]["people"] == 7
