"""Numbers that people type on the pages of an account: the same notations as on forms, or a sentence."""

from typing import Any

import pytest
from actors import Account
from factories.web_client import visit
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, open_page
from playwright.async_api import Browser, FrameLocator, Page, expect

LONG = "12345678901234567890"
FIELDS = [{"type": "decimal", "name": "size", "label": "Size"}, {"type": "integer", "name": "count", "label": "Count"}]


async def create_form(person: Person, **settings: Any) -> dict[str, Any]:
    async with person.client() as api:
        body = {"name": "Visit", "fields": FIELDS, "settings": settings, "publish": True}
        form: dict[str, Any] = (await api.post("/api/v1.0/forms", json=body)).json()
        return form


async def submit(person: Person, form: dict[str, Any], data: dict[str, Any]) -> str:
    """Submit the answers, and return the path of the submission."""
    async with person.client() as api:
        response = await api.post(
            f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions", json={"data": data}
        )
        return f"/submissions/{response.json()['id']}"


async def read(person: Person, path: str) -> Any:
    async with person.client() as api:
        return (await api.get(f"/api/v1.0/customers/{person.customer_id}{path}")).json()


async def correct_number(place: Page | FrameLocator, button: str) -> None:
    """Type numbers that are refused, which stay, and then others."""
    await place.get_by_label("Size").fill("1,234")
    await place.get_by_label("Count").fill(LONG)
    await place.get_by_role("button", name=button, exact=True).click()
    problems = place.locator("#problems a")
    await expect(problems).to_have_count(2)
    await expect(problems.first).to_contain_text("“1,234” could mean 1234 or 1.234.")
    await expect(problems.last).to_contain_text("more digits than can be stored exactly")
    # The form goes to the first of them, and would take the focus away from what is typed before.
    await expect(place.get_by_label("Size")).to_be_focused()
    await expect(place.get_by_label("Size")).to_have_value("1,234")
    await expect(place.get_by_label("Count")).to_have_value(LONG)
    await place.get_by_label("Size").fill("1.234,5")
    await place.get_by_label("Count").fill("١٢")
    await place.get_by_role("button", name=button, exact=True).click()


async def test_a_number_is_edited_and_prefilled_as_on_the_form(browser: Browser, person: Person) -> None:
    form = await create_form(person)
    one = await submit(person, form, {"size": 1.5, "count": 3})
    async with open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path(f"{one}/edit"))
        await expect(page.get_by_label("Size")).to_have_value("1.5")
        await correct_number(page, "Save")
        await expect(page.get_by_role("status").get_by_text("Saved.")).to_be_visible()
        assert (await read(person, one))["data"] == {"size": 1234.5, "count": 12}

        await page.goto(person.path(f"/tasks/new?form={form['id']}"))
        await page.get_by_role("button", name="Fill in answers…").click()
        await correct_number(page.frame_locator("#prefill-frame"), "Use answers")
        await expect(page.locator("#prefill-labels")).to_have_text("Size, Count")
        assert await page.locator("#answers").input_value() == '{"size":1234.5,"count":12}'
        assert watched.errors == []


@pytest.mark.slow
async def test_a_sender_changes_a_number_with_the_return_link(browser: Browser, person: Person) -> None:
    form = await create_form(person, editAfterSubmitting={"hours": 24})
    async with open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await page.goto(person.path(form["fillPath"]))
        await page.get_by_label("Size").fill("-1,5")
        await page.get_by_role("button", name="Submit").click()
        await page.get_by_role("link", name="Change your answers").click()
        await expect(page.get_by_label("Size")).to_have_value("-1.5")
        await correct_number(page, "Save changes")
        await page.get_by_role("heading", name="Your changes are saved").wait_for()
    [one] = (await read(person, f"/submissions?formId={form['id']}"))["items"]
    assert one["data"] == {"size": 1234.5, "count": 12}


async def test_a_filter_reads_the_same_numbers(browser: Browser, person: Person) -> None:
    form = await create_form(person)
    await submit(person, form, {"size": 1.5})
    async with open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/submissions?form={form['id']}"))
        await page.locator("summary", has_text="Filter").first.click()
        value = page.get_by_label("Value", exact=True)
        await value.fill("1,234")
        await page.get_by_role("button", name="Apply filter").click()
        message = await value.evaluate("one => one.validationMessage")
        assert message == "“1,234” could mean 1234 or 1.234. Enter one of these."
        await value.fill("1,5")
        await page.get_by_role("button", name="Apply filter").click()
        await expect(page.get_by_text("Size is 1.5")).to_be_visible()


async def test_a_day_of_the_month_is_not_cut(account: Account) -> None:
    typed = {
        "name": "All",
        "form": "",
        "format": "CSV",
        "every": "MONTHLY",
        "time": "06:00",
        "weekday": "1",
        "day": "312",
    }
    async with visit(account) as site:
        response = await site.post("/exports/new", typed)
    assert "Enter a day." in response.text
    assert 'value="312"' in response.text
