"""Calculated answers outside of what people can choose are shown and submitted; rules about them are reported."""

from fixtures.fill_pages import AccountApi, Phone, send
from playwright.async_api import expect

OPTIONS = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]


async def test_calculated_answers_outside_of_the_choices_are_submitted(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "code", "type": "text"},
        {"name": "n", "type": "integer"},
        {"name": "one", "type": "choice", "options": OPTIONS, "calculate": "code"},
        {"name": "filtered", "type": "choice", "options": OPTIONS, "calculate": "'a'", "optionFilter": "n > 99"},
        {"name": "many", "type": "choices", "options": OPTIONS, "calculate": "[code, 'a']"},
        {"name": "scale", "type": "slider", "min": 0, "max": 5, "calculate": "n"},
        {"name": "stars", "type": "rating", "max": 5, "calculate": "n"},
        {"name": "score", "type": "nps", "calculate": "n"},
        {"name": "day", "type": "date", "calculate": "code"},
        {"name": "moment", "type": "datetime", "calculate": "code"},
    )
    page = await phone.open(form.url)
    await page.get_by_label("Code").fill("zzz")
    await page.get_by_label("N", exact=True).fill("50")
    await send(page)
    expected = {"one": "zzz", "filtered": "a", "many": ["zzz", "a"], "scale": 50, "stars": 50, "score": 50}
    assert await form.data() == {"code": "zzz", "n": 50, **expected}
    assert phone.errors == []


async def test_rules_about_calculated_answers_are_reported(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "n", "type": "integer"},
        {"name": "twice", "type": "integer", "calculate": "n * 2", "requiredIf": "true", "requiredMessage": "Say N",
         "validIf": "twice < 9", "message": "Too many"},
    )  # fmt: skip
    page = await phone.open(form.url)
    await page.get_by_role("button", name="Submit").click()
    await expect(page.get_by_role("link", name="Twice: Say N")).to_be_visible()
    await expect(page.locator("[data-name=twice]").get_by_text("Say N")).to_have_count(1)
    await page.get_by_label("N", exact=True).fill("7")
    await page.get_by_role("button", name="Submit").click()
    await expect(page.get_by_role("link", name="Twice: Too many")).to_be_visible()
    await page.get_by_label("N", exact=True).fill("4")
    await send(page)
    assert await form.data() == {"n": 4, "twice": 8}
