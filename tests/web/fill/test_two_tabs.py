"""One form in two tabs, which share what is kept on the device: what each of them sends arrives, and once."""

from fixtures.fill_pages import SITE, Desk, Form, Phone, choose, send
from playwright.async_api import Page, expect


async def photographed(desk: Desk, phone: Phone) -> tuple[Form, Page, Page]:
    """One draft in two tabs: a site and a photo; the second has gone on."""
    form = await desk.form(SITE, {"name": "photos", "type": "photo"})
    first = await phone.open(form.url)
    await first.get_by_label("Site").fill("Pier")
    await choose(first)
    await first.get_by_text("Uploaded").wait_for()
    second = await phone.open(form.url)
    await second.get_by_role("img", name="Photo 1").wait_for()
    await second.get_by_label("Site").fill("Pier 2")
    return form, first, second


async def send_away(page: Page) -> None:
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved").wait_for()


async def test_different_answers_of_one_draft_that_two_tabs_send_offline_all_arrive(desk: Desk, phone: Phone) -> None:
    form, first, second = await photographed(desk, phone)
    await phone.context.set_offline(True)
    for page in (second, first):
        await send_away(page)
    await first.get_by_text("2 responses waiting to be submitted").wait_for()
    await phone.context.set_offline(False)
    found = await form.arrived(2)
    assert sorted(one["data"]["site"] for one in found) == ["Pier", "Pier 2"]
    assert len({photo for one in found for photo in one["data"]["photos"]}) == 2
    phone.forgive()


async def test_the_same_answers_that_two_tabs_send_offline_are_one_submission(desk: Desk, phone: Phone) -> None:
    form = await desk.form(SITE)
    pages = [await phone.open(form.url)]
    await pages[0].get_by_label("Site").fill("Pier")
    await pages[0].get_by_role("status").get_by_text("Saved").wait_for()
    pages.append(await phone.open(form.url))
    await expect(pages[1].get_by_label("Site")).to_have_value("Pier")
    await phone.context.set_offline(True)
    for page in pages:
        await page.get_by_role("button", name="Submit").dblclick()
        await page.get_by_role("heading", name="Saved").wait_for()
    await pages[1].get_by_text("1 response waiting to be submitted").wait_for()
    await phone.context.set_offline(False)
    await form.arrived(1)
    for page in pages:
        await page.get_by_text("Your response has been received.").wait_for()
    await expect(pages[0].locator("#waiting")).to_be_hidden()
    assert await form.data() == {"site": "Pier"}
    phone.forgive()


async def test_what_was_typed_on_after_another_tab_has_sent_is_there_after_a_reload(desk: Desk, phone: Phone) -> None:
    form, first, second = await photographed(desk, phone)
    await phone.kept(first)
    await phone.context.set_offline(True)
    await send_away(second)
    await first.get_by_label("Site").fill("Pier 3")
    await first.reload()
    await expect(first.get_by_label("Site")).to_have_value("Pier 3")
    await send_away(first)
    await phone.context.set_offline(False)
    found = await form.arrived(2)
    assert sorted((one["data"]["site"], len(one["data"]["photos"])) for one in found) == [("Pier 2", 1), ("Pier 3", 1)]
    phone.forgive()


async def test_different_answers_of_one_draft_that_two_tabs_send_all_arrive(desk: Desk, phone: Phone) -> None:
    """The second is told, and asked to press Send once more; meanwhile nothing of it can be lost."""
    form, first, second = await photographed(desk, phone)
    await send(first)
    await second.get_by_role("button", name="Submit").click()
    await second.get_by_text("This form has already been submitted with different answers.").wait_for()
    await second.reload()
    await expect(second.get_by_label("Site")).to_have_value("Pier 2")
    await second.get_by_role("img", name="Photo 1").wait_for()
    await send(second)
    found = await form.arrived(2)
    assert sorted(one["data"]["site"] for one in found) == ["Pier", "Pier 2"]
    assert len({photo for one in found for photo in one["data"]["photos"]}) == 2
    phone.forgive("409")


async def test_what_waits_is_said_to_have_arrived_when_another_tab_has_sent_it(desk: Desk, phone: Phone) -> None:
    form = await desk.form(SITE, thanks="Well done.")
    page = await phone.open(form.url)
    await page.context.route("**/submissions/*", lambda route: route.abort())
    await page.get_by_label("Site").fill("Pier")
    await send_away(page)
    await page.context.unroute_all()
    other = await phone.open(form.url)
    await page.get_by_role("heading", name="Well done.").wait_for()
    assert await form.data() == {"site": "Pier"}
    await other.get_by_label("Site").fill("Pier 2")
    await page.get_by_role("button", name="Submit another response").click()
    await other.get_by_role("status").get_by_text("Saved").wait_for()
    await other.reload()
    await expect(other.get_by_label("Site")).to_have_value("Pier 2")
    phone.forgive()
