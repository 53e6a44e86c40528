"""Other ways of working: with the keyboard only, on a phone, and with very many fields."""

import re
import time

import pytest
from fixtures.browser import WatchedPage
from playwright.async_api import Page, expect
from web.designer.pages import Designer, add_field, names, row, rows, wait_until_saved

MAX_NODES = 200


def text_fields(count: int) -> list[dict[str, str]]:
    return [{"type": "text", "name": f"field_{n}", "label": f"Field {n}"} for n in range(count)]


# After the last element, the body has the focus, and its text contains every name.
_FOCUSED = """(({ariaLabel, innerText, id, tagName}) => tagName === "BODY" ? "" : ariaLabel || innerText || id)
  (document.activeElement)"""


async def tab_to(page: Page, name: str) -> None:
    """Press Tab until the element with this name has the focus."""
    for _ in range(60):
        await page.keyboard.press("Tab")
        if name in str(await page.evaluate(_FOCUSED)).strip():
            return
    raise AssertionError(f"{name} cannot be reached")


async def test_a_form_is_built_and_published_with_the_keyboard_only(desktop: WatchedPage, designer: Designer) -> None:
    page, keys = desktop.page, desktop.page.keyboard
    await page.goto(f"{designer.url}/forms/new")
    await page.locator("input:focus").wait_for()
    await keys.type("By keys")
    await keys.press("Enter")
    await expect(page.get_by_label("Question", exact=True)).to_be_focused()
    await keys.type("Visitor")
    # From the text of a question to the next one: three keys for another type, one for the same.
    for key in ("Enter", "y", "Enter"):
        await keys.press(key)
    await keys.type("People")
    await keys.press("Control+Enter")
    await keys.type("Rooms")
    await wait_until_saved(page)
    [form_id] = re.findall(r"/forms/(\w+)/design", page.url)
    saved = designer.newest_version(form_id)["fields"]
    assert [(one["name"], one["type"]) for one in saved] == [
        ("visitor", "text"), ("people", "boolean"), ("rooms", "boolean")]  # fmt: skip
    await keys.press("Enter")
    await expect(page.get_by_role("button", name="Yes or no", exact=True)).to_be_focused()
    await keys.press("ArrowDown")
    await keys.press("Escape")
    await expect(page.get_by_label("Question", exact=True)).to_be_focused()
    await page.keyboard.press("Shift+Tab")
    for _ in range(40):
        if await page.evaluate("document.activeElement.role") == "treeitem":
            break
        await keys.press("Shift+Tab")
    await keys.press("Delete")
    assert await names(page) == ["Visitor", "People"]
    await keys.press("Alt+ArrowUp")
    assert await names(page) == ["People", "Visitor"]
    await expect(page.locator("#announcement")).to_have_text("People: now 1 of 2")
    await keys.press("ArrowDown")
    await keys.press("Control+d")
    assert await names(page) == ["People", "Visitor", "Visitor"]
    await keys.press("Delete")
    await keys.press("Home")
    await keys.press("Enter")
    await expect(page.get_by_label("Question", exact=True)).to_be_focused()
    await keys.type("Persons")
    await wait_until_saved(page)
    assert await names(page) == ["Persons", "Visitor"]
    for _ in range(60):
        await keys.press("Shift+Tab")
        if await page.evaluate("document.activeElement.id") == "publish":
            break
    await keys.press("Enter")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await keys.press("Enter")
    await expect(page.get_by_text("Published. Anyone with the link")).to_be_visible()
    assert desktop.errors == []


async def test_fields_are_moved_into_and_out_of_groups_by_keyboard(desktop: WatchedPage, designer: Designer) -> None:
    page, keys = desktop.page, desktop.page.keyboard
    section = {"type": "section", "name": "part", "label": "Part", "fields": text_fields(1)}
    form = designer.create_form([section, {"type": "text", "name": "last", "label": "Last"}], publish=False)
    await designer.open(page, form["id"])
    await row(page, "Last").click()
    await keys.press("Alt+ArrowRight")
    await expect(row(page, "Last")).to_have_attribute("aria-level", "2")
    await keys.press("ArrowLeft")
    await expect(row(page, "Part")).to_have_attribute("aria-selected", "true")
    await keys.press("End")
    await keys.press("Alt+ArrowLeft")
    await expect(row(page, "Last")).to_have_attribute("aria-level", "1")
    await keys.press("Alt+ArrowDown")
    await expect(page.locator("#announcement")).to_have_text("Last can’t move down here.")


@pytest.mark.slow
async def test_repeated_groups_are_nested_three_levels_deep(desktop: WatchedPage, designer: Designer) -> None:
    page, keys = desktop.page, desktop.page.keyboard
    inner = {name: {"type": "text", "name": f"{name}_1", "label": f"Field {name}"} for name in "abcd"}
    groups = [{"type": "repeat", "name": one, "label": f"Group {one}", "fields": [inner[one]]} for one in "abcd"]
    form = designer.create_form(groups, publish=False)
    await designer.open(page, form["id"])
    for name, level in (("b", 2), ("c", 3)):
        await row(page, f"Group {name}").click()
        for _ in range(level - 1):
            await keys.press("Alt+ArrowRight")
        await expect(row(page, f"Group {name}")).to_have_attribute("aria-level", str(level))
    await row(page, "Group d").click()
    for _ in range(3):
        await keys.press("Alt+ArrowRight")
    await expect(page.locator("#announcement")).to_have_text("Repeated groups can be nested at most 3 levels deep.")
    await expect(row(page, "Group d")).to_have_attribute("aria-level", "3")
    await wait_until_saved(page)
    [outer] = designer.newest_version(form["id"])["fields"]
    assert [one["name"] for one in outer["fields"][1]["fields"]] == ["b_1", "c", "d"]
    assert desktop.errors == []


async def test_every_control_in_the_panel_has_an_accessible_name(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(text_fields(1), publish=False)
    await designer.open(page, form["id"])
    for kind in ("Single choice", "Slider", "Repeated group", "Photo", "Note"):
        await page.get_by_role("button", name="Add field").click()
        await page.get_by_role("dialog").get_by_role("button", name=kind, exact=True).click()
        nameless = await page.locator("#panel").evaluate(
            """panel => [...panel.querySelectorAll('input, select, textarea, button')].filter(one =>
                 !one.labels?.length && !one.ariaLabel && !one.textContent.trim()).map(one => one.outerHTML)"""
        )
        assert nameless == []


@pytest.mark.slow
async def test_a_phone_shows_one_panel_at_a_time(phone: WatchedPage, designer: Designer) -> None:
    page = phone.page
    form = designer.create_form(text_fields(2))
    await designer.open(page, form["id"])
    await expect(page.get_by_role("heading", name="Preview")).to_be_hidden()
    await row(page, "Field 1").tap()
    await expect(page.get_by_label("Question", exact=True)).to_be_visible()
    await expect(row(page, "Field 1")).to_be_hidden()
    await page.get_by_label("Question", exact=True).fill("On the phone")
    await wait_until_saved(page)
    await page.get_by_role("button", name="Preview", exact=True).tap()
    await expect(page.frame_locator("#preview").get_by_role("textbox", name="On the phone")).to_be_visible()
    await page.get_by_role("button", name="Fields", exact=True).tap()
    await expect(row(page, "On the phone")).to_be_visible()
    wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
    assert phone.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [768, 1024])
async def test_the_form_is_beside_its_fields_on_narrow_screens(
    desktop: WatchedPage, designer: Designer, width: int
) -> None:
    page = desktop.page
    await page.set_viewport_size({"width": width, "height": 600})
    form = designer.create_form(text_fields(2))
    await designer.open(page, form["id"])
    preview = page.frame_locator("#preview").get_by_role("textbox", name="Field 1")
    await expect(preview).to_be_visible()
    await row(page, "Field 1").click()
    await expect(page.get_by_label("Question", exact=True)).to_be_visible()
    await expect(preview).to_be_hidden()
    await page.get_by_role("button", name="Fields", exact=True).click()
    await expect(preview).to_be_visible()
    await expect(page.get_by_label("Question", exact=True)).to_be_hidden()
    assert desktop.errors == []


@pytest.mark.slow
async def test_fifteen_hundred_fields_stay_usable(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(text_fields(1499), publish=False)
    await designer.open(page, form["id"])
    await expect(rows(page)).to_have_count(1499)
    await row(page, "Field 250").click()
    # Typing may only change the row of the field, not all 1,500. This is measured by the number of added elements.
    changed = await page.evaluate(
        """async () => { const input = document.querySelector('[data-first]'); let changed = 0;
             const seen = new MutationObserver(list => { for (const one of list) changed += one.addedNodes.length; });
             seen.observe(document.body, {childList: true, subtree: true, characterData: true});
             for (const letter of 'abcdefghij') { input.value += letter;
               input.dispatchEvent(new Event('input', {bubbles: true})); }
             await new Promise(requestAnimationFrame);
             return changed; }"""
    )
    assert changed < MAX_NODES
    await page.get_by_role("button", name="Duplicate", exact=True).click()
    await expect(rows(page)).to_have_count(1500)
    await wait_until_saved(page)
    assert len(designer.newest_version(form["id"])["fields"]) == 1500
    await page.get_by_role("button", name="Add field").click()
    await page.get_by_role("dialog").get_by_role("button", name="Date", exact=True).click()
    await expect(page.locator("#announcement")).to_have_text("A form can have at most 1500 fields.")
    await expect(rows(page)).to_have_count(1500)
    assert desktop.errors == []


@pytest.mark.slow
async def test_a_list_with_too_many_options_is_rejected(desktop: WatchedPage, designer: Designer) -> None:
    page, many = desktop.page, "\n".join(f"Customer {n}" for n in range(10_000))
    kind = {"type": "choice", "name": "who", "label": "Who", "options": [{"value": "a", "label": "Ann"}]}
    form = designer.create_form([kind], publish=False)
    await designer.open(page, form["id"])
    await row(page, "Who").click()
    await page.get_by_role("button", name="Edit as text").click()
    await page.get_by_label("One option per line").evaluate("(area, text) => { area.value = text }", many)
    await page.get_by_role("button", name="Apply").click()
    words = "A list can have at most 1000 options, not 10000."
    await expect(page.get_by_role("dialog").get_by_text(words)).to_be_visible()
    await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await page.get_by_label("Option 1", exact=True).evaluate(
        """(input, text) => { const clipboardData = new DataTransfer(); clipboardData.setData("text/plain", text);
             input.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true})) }""",
        many,
    )
    await expect(page.locator("[data-property=options] .field-error")).to_contain_text(words)
    assert designer.newest_version(form["id"])["fields"] == [kind]
    assert desktop.errors == []


@pytest.mark.slow
async def test_a_form_larger_than_a_request_may_be_is_reported(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    options = [{"value": f"v{n}", "label": "x" * 1900} for n in range(1000)]
    form = designer.create_form(
        [{"type": "choice", "name": f"c{n}", "label": f"C{n}", "options": options} for n in range(5)]
    )
    await designer.open(page, form["id"])
    await row(page, "C1").click()
    await page.get_by_role("button", name="Duplicate", exact=True).click()
    await expect(page.get_by_text("The form is larger than 10 MiB")).to_be_visible(timeout=20_000)
    assert len(designer.newest_version(form["id"])["fields"]) == 5


@pytest.mark.slow
async def test_a_lookup_is_set_up_from_a_datasource(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    created = designer.call_api(
        "POST",
        f"/customers/{designer.customer_id}/datasources",
        {"name": f"Customers {time.monotonic_ns()}", "keyColumn": "no", "rows": [{"no": "1", "town": "Ulm"}]},
    )
    fields = [{"type": "text", "name": "town", "label": "Town"}, {"type": "photo", "name": "view", "label": "View"}]
    form = designer.create_form(fields, publish=False)
    await designer.open(page, form["id"])
    await add_field(page, "Lookup", "Customer")
    await page.get_by_label("Data source", exact=True).select_option(created["id"])
    await page.get_by_label("town", exact=True).check()
    await page.get_by_role("button", name="Add field to fill").click()
    pair = page.locator("[data-property=mapping]")
    await pair.get_by_label("Column").select_option("town")
    assert await pair.get_by_label("Field").get_by_role("option").all_inner_texts() == ["Town"]
    await pair.get_by_label("Field").select_option("Town")
    await wait_until_saved(page)
    frame = page.frame_locator("#preview")
    await frame.locator(".sd-dropdown").click()
    await frame.get_by_text("Search results appear in the published form.").wait_for()
    field = designer.newest_version(form["id"])["fields"][2]
    assert (field["datasourceId"], field["display"], field["mapping"]) == (created["id"], ["town"], {"town": "town"})
    for _ in range(3):
        await page.get_by_role("button", name="Undo").click()
    await wait_until_saved(page)
    field = designer.newest_version(form["id"])["fields"][2]
    assert (field["display"], "mapping" in field) == (["town"], False)
    assert desktop.errors == []
