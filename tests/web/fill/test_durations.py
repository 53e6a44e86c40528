"""Durations: hours and minutes on the page, seconds in the answer."""

from fixtures.fill_pages import AccountApi, Phone, send
from playwright.async_api import Page, expect

SHIFT = {"name": "shift", "type": "duration", "min": 900, "max": 36_000}


async def amounts(page: Page) -> list[str]:
    return [await one.input_value() for one in await page.get_by_role("group", name="Shift").locator("input").all()]


async def test_hours_and_minutes_become_seconds_and_are_checked(api: AccountApi, phone: Phone) -> None:
    pay = {"name": "pay", "type": "decimal", "calculate": "double(shift) / 3600.0 * 20.0"}
    form = await api.create_form(SHIFT, pay)
    page = await phone.open(form.url)
    hours, minutes = page.get_by_role("textbox", name="Hours"), page.get_by_role("textbox", name="Minutes")
    await minutes.fill("5")
    await page.locator("#send").click()
    await expect(page.locator("#problems a")).to_contain_text("at least 15 min")
    await minutes.fill("many")
    await page.locator("#send").click()
    await expect(page.locator("#problems a")).to_contain_text("whole number")
    await expect(minutes).to_have_value("many")
    await minutes.fill("90")
    await hours.focus()
    assert (await amounts(page))[:2] == ["1", "30"], "minutes over an hour are hours"
    await expect(page.locator("#problems")).to_be_hidden()
    await send(page)
    assert await form.data() == {"shift": 5400, "pay": 30}


async def test_seconds_of_an_answer_are_shown_and_kept(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SHIFT | {"default": 3690}, {"name": "note", "type": "text"})
    page = await phone.open(form.url)
    assert await amounts(page) == ["1", "1", "30"]
    await page.get_by_role("textbox", name="Hours").fill("2")
    await page.get_by_label("Note").fill("With a break")
    await send(page)
    assert await form.data() == {"shift": 7290, "note": "With a break"}
