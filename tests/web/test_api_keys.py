"""The page of API keys in a browser, on a desktop and on a phone."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, PHONE, WatchedPage, open_page
from playwright.async_api import Browser, Page, expect

from formwright.core.auth import actor as actors
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties

NAME = "Nightly <b>export</b> & “co”"


@pytest_asyncio.fixture(loop_scope="session", params=[DESKTOP, PHONE], ids=["desktop", "phone"])
async def watched(request: pytest.FixtureRequest, browser: Browser) -> AsyncIterator[WatchedPage]:
    async with open_page(browser, **request.param) as watched:
        yield watched


async def _open(page: Page, person: Person) -> None:
    await person.sign_in_browser(page)
    await page.goto(person.path("/settings"))
    await page.get_by_role("link", name="API keys").click()
    await expect(page.get_by_role("heading", name="API keys", exact=True)).to_be_visible()


async def _add(page: Page, name: str) -> str:
    await page.get_by_role("link", name="Add API key").click()
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_role("button", name="Add key").click()
    return await page.get_by_label("Key", exact=True).input_value()


async def _status(person: Person, key: str) -> int:
    async with person.server.client(**{"x-api-key": key}) as http:
        return (await http.get("/api/v1.0/customers")).status_code


async def test_add_copy_use_and_revoke_a_key(watched: WatchedPage, person: Person) -> None:
    page = watched.page
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=person.server.base_url)
    await _open(page, person)
    key = await _add(page, NAME)
    await page.get_by_role("button", name="Copy the key").click()
    await expect(page.get_by_role("button", name="Copied the key")).to_be_visible()
    assert await page.evaluate("navigator.clipboard.readText()") == key
    assert await _status(person, key) == 200

    await page.reload()
    await expect(page.get_by_text("2 of 20 keys.")).to_be_visible()
    await expect(page.get_by_label("Key", exact=True)).to_have_count(0)
    assert key not in await page.content()
    row = page.get_by_role("row").filter(has_text=NAME)
    for text in (NAME, key[:12] + "…", "<i>Owner</i>"):
        await expect(row).to_contain_text(text)

    await row.locator("summary").click()
    await row.get_by_role("button", name="Revoke").click()
    dialog = page.get_by_role("dialog", name="Revoke")
    await dialog.get_by_role("button", name="Cancel").click()
    assert await _status(person, key) == 200
    await row.locator("summary").click()
    await row.get_by_role("button", name="Revoke").click()
    await dialog.get_by_role("button", name="Revoke key").click()
    await expect(page.get_by_text("1 of 20 keys.")).to_be_visible()
    assert await _status(person, key) == 401
    assert await _status(person, person.key) == 200
    assert watched.errors == []


@pytest.mark.slow
async def test_the_last_use_of_a_key_is_shown(desktop_page: WatchedPage, person: Person) -> None:
    page = desktop_page.page
    await _open(page, person)
    row = page.get_by_role("row").filter(has_text="<b>First</b>")
    await expect(row).to_contain_text("Never")
    assert await _status(person, person.key) == 200
    for _ in range(40):
        await page.reload()
        if "Never" not in await row.inner_text():
            break
        await page.wait_for_timeout(250)
    await expect(row).not_to_contain_text("Never")


@pytest.mark.slow
async def test_a_key_needs_a_name_and_there_can_be_twenty(desktop_page: WatchedPage, person: Person) -> None:
    page = desktop_page.page
    await _open(page, person)
    await page.get_by_role("link", name="Add API key").click()
    await page.get_by_label("Name", exact=True).fill("   ")
    await page.get_by_role("button", name="Add key").click()
    await expect(page.get_by_role("alert")).to_contain_text("Enter a name of 1 to")
    await page.get_by_role("link", name="Cancel").click()
    async with person.factory.ctx.db.writing() as tx:
        for number in range(18):
            await keys.create(tx, actors.system(person.customer_id), KeyProperties(f"Key {number}"), maker_name="")
    await _add(page, "The last")
    await expect(page.get_by_text("20 of 20 keys.")).to_be_visible()
    await expect(page.get_by_text("reached its limit of 20 keys")).to_be_visible()
    await expect(page.get_by_role("link", name="Add API key")).to_have_count(0)


async def test_the_answers_of_a_submission_are_escaped(watched: WatchedPage, person: Person) -> None:
    fields = [
        {"type": "text", "name": "site", "label": "<blink>Site</blink>"},
        {"type": "choice", "name": "kind", "label": "Kind", "options": [{"value": "a", "label": "Alpha"}]},
        {"type": "boolean", "name": "safe", "label": "Safe"},
    ]
    async with person.client() as http:
        form = (await http.post("/api/v1.0/forms", json={"name": "Visit", "fields": fields, "publish": True})).json()
        path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
        data = {"site": "<script>alert(1)</script>", "kind": "a", "safe": True}
        assert (await http.post(path, json={"data": data})).status_code == 201
    page = watched.page
    await _open(page, person)
    await page.get_by_role("link", name="Submissions").click()
    await page.get_by_role("link", name="Visit").click()
    for text in ("<blink>Site</blink>", "<script>alert(1)</script>", "Alpha", "Yes"):
        await expect(page.get_by_role("region", name="Answers").get_by_text(text)).to_be_visible()
    assert watched.errors == []
