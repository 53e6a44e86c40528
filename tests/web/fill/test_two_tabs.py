"""One form in two tabs that share the storage of the browser: each submission arrives, and arrives once."""

import pytest
from fixtures.fill_pages import SITE, AccountApi, Form, Phone, choose, send
from playwright.async_api import Page, expect


async def open_two_tabs(api: AccountApi, phone: Phone) -> tuple[Form, Page, Page]:
    """Open one draft with a site and a photo in two tabs. The second tab has gone to the next page."""
    form = await api.create_form(SITE, {"name": "photos", "type": "photo"})
    first = await phone.open(form.url)
    await first.get_by_label("Site").fill("Pier")
    await choose(first)
    await first.get_by_text("Uploaded").wait_for()
    second = await phone.open(form.url)
    await second.get_by_role("img", name="Photo 1").wait_for()
    await second.get_by_label("Site").fill("Pier 2")
    return form, first, second


async def submit_offline(page: Page) -> None:
    # Chromium may not deliver a click to a tab in the background.
    await page.bring_to_front()
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved").wait_for()


@pytest.mark.slow
async def test_different_answers_submitted_offline_in_two_tabs_all_arrive(api: AccountApi, phone: Phone) -> None:
    form, first, second = await open_two_tabs(api, phone)
    await phone.context.set_offline(True)
    for page in (second, first):
        await submit_offline(page)
    await first.get_by_text("2 responses waiting to be submitted").wait_for()
    await phone.context.set_offline(False)
    found = await form.wait_for_submissions(2)
    assert sorted(one["data"]["site"] for one in found) == ["Pier", "Pier 2"]
    assert len({photo for one in found for photo in one["data"]["photos"]}) == 2
    phone.ignore_errors()


@pytest.mark.slow
async def test_the_same_answers_submitted_offline_in_two_tabs_are_one_submission(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    pages = [await phone.open(form.url)]
    await pages[0].get_by_label("Site").fill("Pier")
    await pages[0].get_by_role("status").get_by_text("Saved").wait_for()
    pages.append(await phone.open(form.url))
    await expect(pages[1].get_by_label("Site")).to_have_value("Pier")
    await phone.context.set_offline(True)
    for page in pages:
        await page.bring_to_front()
        await page.get_by_role("button", name="Submit").dblclick()
        await page.get_by_role("heading", name="Saved").wait_for()
    await pages[1].get_by_text("1 response waiting to be submitted").wait_for()
    await phone.context.set_offline(False)
    await form.wait_for_submissions(1)
    for page in pages:
        await page.get_by_text("Your response has been received.").wait_for()
    await expect(pages[0].locator("#waiting")).to_be_hidden()
    assert await form.data() == {"site": "Pier"}
    phone.ignore_errors()


@pytest.mark.slow
async def test_answers_typed_after_another_tab_submitted_survive_a_reload(api: AccountApi, phone: Phone) -> None:
    form, first, second = await open_two_tabs(api, phone)
    await phone.wait_until_cached(first)
    await phone.context.set_offline(True)
    await submit_offline(second)
    await first.get_by_label("Site").fill("Pier 3")
    await first.reload()
    await expect(first.get_by_label("Site")).to_have_value("Pier 3")
    await submit_offline(first)
    await phone.context.set_offline(False)
    found = await form.wait_for_submissions(2)
    assert sorted((one["data"]["site"], len(one["data"]["photos"])) for one in found) == [("Pier 2", 1), ("Pier 3", 1)]
    phone.ignore_errors()


@pytest.mark.slow
async def test_different_answers_submitted_in_two_tabs_all_arrive(api: AccountApi, phone: Phone) -> None:
    """The second tab asks its user to submit once more, and loses nothing until then."""
    form, first, second = await open_two_tabs(api, phone)
    await send(first)
    await second.get_by_role("button", name="Submit").click()
    await second.get_by_text("This form has already been submitted with different answers.").wait_for()
    await second.reload()
    await expect(second.get_by_label("Site")).to_have_value("Pier 2")
    await second.get_by_role("img", name="Photo 1").wait_for()
    await send(second)
    found = await form.wait_for_submissions(2)
    assert sorted(one["data"]["site"] for one in found) == ["Pier", "Pier 2"]
    assert len({photo for one in found for photo in one["data"]["photos"]}) == 2
    phone.ignore_errors("409")


@pytest.mark.slow
async def test_a_tab_shows_that_another_tab_sent_its_pending_submission(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE, thanks="Well done.")
    page = await phone.open(form.url)
    await page.context.route("**/submissions/*", lambda route: route.abort())
    await page.get_by_label("Site").fill("Pier")
    await submit_offline(page)
    await page.context.unroute_all()
    other = await phone.open(form.url)
    await page.get_by_role("heading", name="Well done.").wait_for()
    assert await form.data() == {"site": "Pier"}
    await other.get_by_label("Site").fill("Pier 2")
    await page.get_by_role("button", name="Submit another response").click()
    await other.get_by_role("status").get_by_text("Saved").wait_for()
    await other.reload()
    await expect(other.get_by_label("Site")).to_have_value("Pier 2")
    phone.ignore_errors()
