"""Pages, groups, repeats and languages."""

import asyncio
from typing import Any

import pytest
from fixtures.fill_pages import AccountApi, Phone, send, set_offline
from playwright.async_api import Page, expect

PAGES: list[dict[str, Any]] = [
    {"name": "one", "type": "section", "page": True, "fields": [{"name": "first", "type": "text", "required": True}]},
    {
        "name": "two",
        "type": "section",
        "page": True,
        "visibleIf": "!answered.first || first != 'skip'",
        "fields": [{"name": "second", "type": "text"}],
    },
    {"name": "three", "type": "section", "page": True, "fields": [{"name": "third", "type": "text"}]},
]


@pytest.mark.slow
async def test_pages_are_navigated_forward_and_back(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(*PAGES)
    page = await phone.open(form.url)
    following = page.get_by_role("button", name="Next")
    await page.get_by_text("Page 1 of 3").wait_for()
    await following.click()
    await page.get_by_role("heading", name="1 answer needs attention").wait_for()
    await page.get_by_label("First").fill("here")
    await following.click()
    await page.get_by_text("Page 2 of 3").wait_for()
    await page.get_by_label("Second").fill("there")
    await following.click()
    await page.get_by_text("Page 3 of 3").wait_for()
    await page.get_by_role("button", name="Back").click()
    assert await page.get_by_label("Second").input_value() == "there"
    # A reload returns to the page, also without a network.
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await page.reload()
    await page.get_by_text("Page 2 of 3").wait_for()
    assert await page.get_by_label("Second").input_value() == "there"
    await set_offline(phone.context, off=False)
    await following.click()
    await send(page)
    assert await form.data() == {"first": "here", "second": "there"}


async def test_one_question_at_a_time_after_the_welcome(api: AccountApi, phone: Phone) -> None:
    fields = [
        {"name": "hello", "type": "note", "label": "About you"},
        {"name": "name", "type": "text", "label": "Name", "required": True},
        {"name": "pet", "type": "boolean", "label": "Do you have a pet?"},
        {"name": "kind", "type": "text", "label": "Kind", "visibleIf": "answered.pet && pet"},
        {
            "name": "home",
            "type": "section",
            "label": "Your home",
            "fields": [
                {"name": "rooms", "type": "integer", "label": "Rooms"},
                {"name": "floor", "type": "integer", "label": "Floor"},
            ],
        },
    ]
    form = await api.create_form(*fields, welcome="Five questions <b>about you</b>.", questionPerPage=True)
    page = await phone.open(form.url)
    following = page.get_by_role("button", name="Next")
    await page.get_by_text("Five questions about you.").wait_for()
    await expect(page.get_by_text("Page 1 of 4")).to_be_visible()
    await following.click()
    await expect(page.get_by_text("About you", exact=True)).to_be_visible()
    await following.click()
    await page.get_by_role("heading", name="1 answer needs attention").wait_for()
    await page.get_by_label("Name").fill("Ann")
    await following.click()
    await expect(page.get_by_text("Page 3 of 4")).to_be_visible()
    await page.get_by_text("Yes").click()
    await page.get_by_text("Page 3 of 5").wait_for()
    await following.click()
    await page.get_by_label("Kind").fill("Cat")
    await page.reload()
    await page.get_by_text("Page 4 of 5").wait_for()
    await following.click()
    await page.get_by_label("Rooms").fill("3")
    await page.get_by_label("Floor").fill("2")
    await send(page)
    assert await form.data() == {"name": "Ann", "pet": True, "kind": "Cat", "rooms": 3, "floor": 2}


async def test_a_hidden_page_is_skipped(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(*PAGES)
    page = await phone.open(form.url)
    await page.get_by_label("First").fill("skip")
    await page.get_by_text("Page 1 of 2").wait_for()
    await page.get_by_role("button", name="Next").click()
    await page.get_by_label("Third").fill("end")
    await send(page)
    assert await form.data() == {"first": "skip", "third": "end"}


@pytest.mark.slow
async def test_rows_are_added_validated_and_removed(api: AccountApi, phone: Phone) -> None:
    fields = [
        {"name": "what", "type": "text", "required": True},
        {"name": "count", "type": "integer"},
        {"name": "reason", "type": "text", "visibleIf": "count > limit", "required": True},
        {"name": "double", "type": "integer", "calculate": "count * 2"},
    ]
    form = await api.create_form(
        {"name": "limit", "type": "integer"},
        {"name": "items", "type": "repeat", "max": 2, "fields": fields},
        {"name": "total", "type": "integer", "calculate": "size(items)"},
    )
    page = await phone.open(form.url)
    await page.get_by_label("Limit").fill("5")
    for text, count in (("nail", "3"), ("screw", "9")):
        await page.get_by_role("button", name="Add new").click()
        await page.get_by_label("What").last.fill(text)
        await page.get_by_label("Count").last.fill(count)
    assert await page.get_by_role("button", name="Add new").count() == 0
    assert await page.get_by_label("Reason").count() == 1
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("link", name="Reason").wait_for()
    await page.get_by_label("Reason").fill("stock")
    await page.reload()
    await remove(page, "dismiss")
    assert await page.get_by_label("What").count() == 2
    await remove(page, "accept")
    await send(page)
    items = [{"what": "screw", "count": 9, "reason": "stock", "double": 18}]
    assert await form.data() == {"limit": 5, "items": items, "total": 1}


async def remove(page: Page, answer: str) -> None:
    """Remove the first row, and answer the confirmation dialog."""
    async with page.expect_event("dialog") as asking:
        pressing = asyncio.ensure_future(page.get_by_role("button", name="Remove", exact=True).first.click())
    asked = await asking.value
    assert asked.message == "Remove this entry and all its answers?"
    await getattr(asked, answer)()
    await pressing


async def test_an_empty_row_is_removed_without_confirmation(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "items", "type": "repeat", "fields": [{"name": "what", "type": "text"}]})
    page = await phone.open(form.url)
    await page.get_by_role("button", name="Add new").click()
    await page.get_by_role("button", name="Remove", exact=True).click()
    await expect(page.get_by_label("What")).to_have_count(0)


async def test_an_error_from_the_server_is_shown_in_its_row(api: AccountApi, phone: Phone) -> None:
    """Only the server can find this error: the file belongs to another account."""
    inner = {"name": "site", "type": "url"}
    form = await api.create_form({"name": "items", "type": "repeat", "min": 1, "fields": [inner]})
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("https://a[b")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("link", name="Site").wait_for()


@pytest.mark.slow
async def test_the_form_uses_the_persons_language(api: AccountApi, phone: Phone) -> None:
    label = {"de": "Ort", "en": "Place", "fr": "Lieu"}
    options = [{"value": "g", "label": {"de": "Grün", "en": "Green"}}]
    form = await api.create_form(
        {"name": "place", "type": "text", "label": label, "required": True},
        {"name": "colour", "type": "choice", "label": {"de": "Farbe"}, "options": options},
        language="de",
    )
    page = await phone.open(form.url)
    assert await page.locator("html").get_attribute("lang") == "en", "the browser requests English"
    await page.get_by_label("Place").fill("Pier 7")
    await page.get_by_text("Green").wait_for()
    await page.get_by_role("combobox", name="Language").select_option("fr")
    await page.get_by_label("Lieu").wait_for()
    assert await page.get_by_label("Lieu").input_value() == "Pier 7"
    await page.get_by_text("Grün").wait_for()
    await page.get_by_label("Lieu").fill("")
    await page.get_by_role("button", name="Envoyer").click()
    await page.get_by_role("heading", name="1 réponse à corriger").wait_for()
    await page.reload()
    await page.get_by_role("button", name="Envoyer").wait_for()
    await page.goto(f"{form.url}?lang=de-AT")
    await page.get_by_label("Ort").fill("Linz")
    await page.get_by_role("button", name="Absenden").click()
    await page.get_by_role("heading", name="Vielen Dank").wait_for()


async def test_a_form_in_one_language_has_no_language_menu(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "it", "type": "text"})
    page = await phone.open(form.url)
    assert await page.get_by_role("combobox").count() == 0
