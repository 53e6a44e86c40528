"""Provisioning in a browser: the token is created, copied, replaced and revoked, with the keyboard alone."""

import httpx
import pytest
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, open_page
from playwright.async_api import Browser, Page, expect

PATH = "/settings/sign-in/provisioning"


async def press(page: Page, name: str) -> None:
    """Press a button, as people do who have no mouse."""
    button = page.get_by_role("button", name=name, exact=True)
    await button.focus()
    await page.keyboard.press("Enter")


@pytest.mark.slow
async def test_an_owner_creates_replaces_and_revokes_the_token(browser: Browser, person: Person) -> None:
    async with person.client() as http, open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=person.server.base_url)
        await person.sign_in_browser(page)
        await page.goto(person.path(PATH))
        await page.get_by_label("Name of the identity provider").focus()
        await page.keyboard.type("Entra ID")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Copy the token now.")).to_be_visible()
        first = await copy_token(page)
        assert await status(http, first) == 200
        await page.reload()
        await expect(page.get_by_label("Token", exact=True)).to_have_value(f"…{first[-4:]}")

        await press(page, "Replace token")
        dialog = page.get_by_role("dialog", name="Replace the token?")
        await expect(dialog).to_contain_text(
            "Entra ID can’t change users and groups until you enter the new token there."
        )
        await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()
        assert await status(http, first) == 200, "nothing happens without confirmation"
        await press(page, "Replace token")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Copy the token now.")).to_be_visible()
        second = await copy_token(page)
        assert [await status(http, token) for token in (first, second)] == [401, 200]

        # Without JavaScript, the same button opens the dialog with the page.
        await page.goto(person.path(f"{PATH}?ask=disable"))
        dialog = page.get_by_role("dialog", name="Switch provisioning off?")
        await dialog.get_by_role("button", name="Switch off").click()
        await expect(page.get_by_label("Name of the identity provider")).to_be_visible()
        assert await status(http, second) == 401


async def copy_token(page: Page) -> str:
    """Return what the button beside the token copies."""
    await press(page, "Copy the token")
    await expect(page.get_by_role("button", name="Copied the token")).to_be_visible()
    copied = str(await page.evaluate("navigator.clipboard.readText()"))
    await expect(page.get_by_label("Token", exact=True)).to_have_value(copied)
    return copied


async def status(http: httpx.AsyncClient, token: str) -> int:
    return (await http.get("/scim/v2/Users", headers={"authorization": f"Bearer {token}"})).status_code
