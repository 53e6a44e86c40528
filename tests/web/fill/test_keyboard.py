"""Filling in a form with the keyboard only, and what screen readers announce."""

from fixtures.fill_pages import AccountApi, Phone
from playwright.async_api import Page, expect


async def reach(page: Page, name: str) -> None:
    """Press Tab until the element with this name has the focus."""
    for _ in range(40):
        await page.keyboard.press("Tab")
        if await page.evaluate("name => document.activeElement.textContent.trim() === name", name):
            return
    raise AssertionError(f"Tab never came to {name}")


async def scroll(page: Page, by: int) -> None:
    """Scroll, and wait until the page has been told."""
    js = "by => new Promise((done) => { addEventListener('scroll', () => done(), { once: true }); scrollBy(0, by); })"
    await page.evaluate(js, by)


async def test_a_form_is_filled_in_and_submitted_by_keyboard(api: AccountApi, desktop: Phone) -> None:
    form = await api.create_form(
        {"name": "site", "type": "text", "required": True},
        {"name": "safe", "type": "boolean"},
        {"name": "colour", "type": "choice", "options": [{"value": v, "label": v} for v in "abcdefghijkl"]},
        {"name": "items", "type": "repeat", "fields": [{"name": "what", "type": "text"}]},
        {
            "name": "end",
            "type": "section",
            "page": True,
            "fields": [{"name": "order", "type": "rating"}, {"name": "remarks", "type": "textarea"}],
        },
    )
    page = await desktop.open(form.url)
    await page.get_by_label("Site").focus()
    await page.keyboard.type("Pier")
    await page.keyboard.press("Tab")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Tab")
    await page.keyboard.type("c")
    await page.get_by_role("option", name="c", exact=True).wait_for()
    # The browser itself may still be scrolling to the field that got the focus.
    await scroll(page, 20)
    await page.keyboard.press("Enter")
    await reach(page, "Add new")
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("What")).to_be_focused()
    await page.keyboard.type("nail")
    await reach(page, "Next")
    await page.keyboard.press("Enter")
    await page.get_by_text("Page 2 of 2").wait_for()
    await page.keyboard.press("Tab")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Tab")
    await page.keyboard.type("fine")
    await reach(page, "Submit")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Thank you")).to_be_focused()
    data = await form.data()
    assert data.pop("order") in (2, 3)
    assert data == {"site": "Pier", "safe": False, "colour": "c", "items": [{"what": "nail"}], "remarks": "fine"}


async def test_an_error_is_announced_and_focused(api: AccountApi, desktop: Phone) -> None:
    form = await api.create_form(
        {"name": "one", "type": "text", "required": True}, {"name": "two", "type": "integer", "max": 3}
    )
    page = await desktop.open(form.url)
    await page.get_by_label("Two").fill("4")
    await reach(page, "Submit")
    await page.keyboard.press("Enter")
    first = page.get_by_label("One")
    await expect(first).to_be_focused()
    await expect(first).to_have_attribute("aria-invalid", "true")
    await page.get_by_role("link", name="Two").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Two")).to_be_focused()


async def test_every_kind_of_field_has_an_accessible_name(api: AccountApi, phone: Phone) -> None:
    kinds = ("text", "textarea", "email", "phone", "url", "integer", "decimal", "boolean", "date", "time", "datetime")
    drawn = (
        "rating",
        "nps",
        "slider",
        "photo",
        "audio",
        "video",
        "signature",
        "file",
        "location",
        "line",
        "area",
        "barcode",
    )
    ranking = {"name": "ranking", "type": "ranking", "options": [{"value": v, "label": v} for v in "ab"]}
    form = await api.create_form(*({"name": kind, "type": kind} for kind in (*kinds, *drawn)), ranking)
    page = await phone.open(form.url)
    nameless = await page.evaluate(
        """() => [...document.querySelectorAll("#form :is(input, textarea, button, canvas, [tabindex='0'])")]
          .filter((one) => one.checkVisibility() && !one.ariaHidden && !one.closest("[aria-hidden=true]"))
          .filter((one) => !one.ariaLabel && !one.labels?.length && !one.getAttribute("aria-labelledby")
            && !one.textContent.trim())
          .map((one) => one.outerHTML.slice(0, 200))"""
    )
    assert nameless == []


async def test_touch_targets_are_large(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "photos", "type": "photo"},
        {"name": "sign", "type": "signature"},
        {"name": "here", "type": "location"},
        {"name": "colour", "type": "choice", "options": [{"value": v, "label": v} for v in "ab"]},
        {"name": "items", "type": "repeat", "fields": [{"name": "what", "type": "text"}]},
    )
    page = await phone.open(form.url)
    small = await page.evaluate(
        """() => [...document.querySelectorAll("main button, main label, main input:not([type=radio])")]
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 40)
          .map((one) => one.outerHTML.slice(0, 200))"""
    )
    assert small == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= 412


async def test_a_focus_ring_is_visible(api: AccountApi, desktop: Phone) -> None:
    options = [{"value": "a", "label": "A"}]
    inner = {"name": "what", "type": "text"}
    form = await api.create_form(
        {"name": "site", "type": "text"},
        {"name": "one", "type": "choice", "options": options},
        {"name": "items", "type": "repeat", "fields": [inner]},
    )
    page = await desktop.open(form.url)
    await page.get_by_text("A", exact=True).click()
    await page.get_by_label("Site").focus()
    for name in ("Clear", "Add new"):
        await reach(page, name)
        assert await page.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "3px"
        assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
