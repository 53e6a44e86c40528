"""A phone and a computer work on the same answers, and the sender changes what was submitted."""

import pytest
from fixtures.browser import DESKTOP, new_context
from fixtures.fill_pages import PICTURE, SITE, AccountApi, Phone, send, set_offline
from playwright.async_api import Browser, Route, expect

MORE = {"name": "more", "type": "text"}
PHOTO = {"name": "photo", "type": "photo"}


@pytest.mark.slow
async def test_answers_begun_on_a_phone_are_finished_on_a_computer_and_changed(
    api: AccountApi, phone: Phone, browser: Browser
) -> None:
    form = await api.create_form(
        SITE, MORE, PHOTO, continueLater=True, editAfterSubmitting={"hours": 24}, questionPerPage=True
    )
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("button", name="Next").click()
    await page.get_by_role("button", name="Next").click()
    await page.locator("input[type=file]").first.set_input_files(PICTURE)
    await page.get_by_text("Photo 1").wait_for()
    keep = page.get_by_role("button", name="Continue later or on another device")
    await set_offline(phone.context)
    await keep.click()
    await page.get_by_text("You’re offline. Your answers are saved on this device. Try again").wait_for()
    await set_offline(phone.context, off=False)
    await keep.click()
    await page.wait_for_url("**/fill/r*")
    link = await page.get_by_label("Your link").input_value()
    assert link == page.url.partition("#")[0]
    await expect(page.get_by_text("Photo 1")).to_be_visible()
    # The public link is free for the next person.
    free = await phone.open(form.url)
    await expect(free.get_by_label("Site")).to_have_value("")
    await free.close()
    computer = Phone(await new_context(browser, **DESKTOP, locale="en-GB"))
    other = await computer.open(link)
    await expect(other.get_by_text("Photo 1")).to_be_visible()
    await other.get_by_role("button", name="Back").click()
    await other.get_by_label("More").fill("Much")
    await other.get_by_role("status").get_by_text("Saved", exact=True).wait_for()
    # The phone still shows the answers from before.
    await page.get_by_role("button", name="Back").click()
    await page.get_by_role("button", name="Back").click()
    await page.get_by_label("Site").fill("Quay")
    await page.get_by_text("These answers were changed on another device").wait_for()
    await page.get_by_role("button", name="Reload").click()
    await expect(page.get_by_label("Site")).to_have_value("Quay")
    await page.get_by_role("button", name="Next").click()
    await expect(page.get_by_label("More")).to_have_value("Much")
    await page.get_by_role("button", name="Next").click()
    await send(page)
    await page.get_by_text("You can change your answers until").wait_for()
    await expect(page.locator("#return").get_by_label("Your link")).to_have_value(link)
    await page.get_by_role("link", name="Change your answers").click()
    await page.get_by_label("Site").fill("Quay 2")
    await page.get_by_role("button", name="Save changes").click()
    await page.get_by_role("heading", name="Your changes are saved").wait_for()
    stored = await form.data()
    assert (stored["site"], stored["more"], len(stored["photo"])) == ("Quay 2", "Much", 1)
    await computer.context.close()
    phone.ignore_errors("409", "ERR_INTERNET_DISCONNECTED")


@pytest.mark.slow
async def test_a_page_whose_link_was_lost_goes_on_with_its_draft(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE, MORE, continueLater=True)
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    keep = page.get_by_role("button", name="Continue later or on another device")
    lost: list[str] = []

    async def lose(route: Route) -> None:
        response = await route.fetch()
        lost.append((await response.json())["id"])
        await route.abort()

    await page.route("**/link", lose)
    await keep.click()
    await page.locator("#continue-failed").wait_for()
    await page.unroute("**/link")
    await page.get_by_label("More").fill("Much")
    await keep.click()
    await page.wait_for_url("**/fill/r*")
    await expect(page.get_by_label("More")).to_have_value("Much")
    await send(page)
    [stored] = await form.submissions()
    assert ([stored["id"]], stored["data"]) == (lost, {"site": "Pier", "more": "Much"})
    phone.ignore_errors("ERR_FAILED")
