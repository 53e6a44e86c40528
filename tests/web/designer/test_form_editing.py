"""A form with ten fields is built by hand, published and filled in."""

import pytest
from fixtures.browser import WatchedPage
from playwright.async_api import expect
from web.designer.pages import Designer, add_field, names, row, rows, wait_until_saved

TEN = [
    ("Short text", "Site", "site"),
    ("Long text", "What was found?", "what_was_found"),
    ("Email address", "Contact", "contact"),
    ("Whole number", "People on site", "people_on_site"),
    ("Decimal number", "Temperature", "temperature"),
    ("Yes or no", "Is it safe?", "is_it_safe"),
    ("Single choice", "Kind of visit", "kind_of_visit"),
    ("Multiple choice", "Seen", "seen"),
    ("Date", "Day", "day"),
    ("Rating", "Order", "order"),
]


async def test_ten_fields_are_added_published_and_filled_in(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    await page.goto(f"{designer.url}/forms")
    await page.get_by_role("link", name="New form").click()
    await page.get_by_label("Name").fill("By hand")
    await page.get_by_role("button", name="Create blank form").click()
    await row(page, "First question").click()
    for kind, label, _ in TEN:
        await add_field(page, kind, label)
    await row(page, "First question").click()
    await page.get_by_role("button", name="Delete", exact=True).click()
    await row(page, "Site").click()
    await page.get_by_label("Required", exact=True).check()
    await wait_until_saved(page)
    assert await names(page) == [label for _, label, _ in TEN]

    await page.get_by_role("button", name="Publish").click()
    dialog = page.get_by_role("dialog", name="Publish this form?")
    await expect(dialog).to_contain_text("Anyone with the link")
    await dialog.get_by_label("Remarks").fill("The first one")
    await dialog.get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("Published. Anyone with the link")).to_be_visible()

    form_id = page.url.split("/")[4]
    version = designer.newest_version(form_id)
    assert [field["name"] for field in version["fields"]] == [name for _, _, name in TEN]
    assert (version["status"], version["remarks"]) == ("FINAL", "The first one")
    assert version["fields"][0]["required"] is True

    await page.goto(await page.get_by_role("link", name="Open form").evaluate("link => link.href"))
    await page.get_by_role("textbox", name="Site", exact=True).fill("Harbour 4")
    await page.get_by_label("People on site").fill("12")
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#thanks")).to_be_visible()
    sent = designer.call_api("GET", f"/submissions?formId={form_id}")["items"]
    assert [submission["data"] for submission in sent] == [{"site": "Harbour 4", "people_on_site": 12}]
    assert desktop.errors == []


async def test_a_template_fills_in_its_fields(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    await page.goto(f"{designer.url}/forms/new")
    await page.get_by_role("button", name="Use this template: Delivery note").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Delivery note")
    await expect(row(page, "Parcels")).to_be_visible()
    assert (await names(page))[:3] == ["Delivery number", "Receiver", "Parcels"]
    assert await row(page, "Barcode").get_attribute("aria-level") == "2"
    assert desktop.errors == []


async def test_a_form_needs_a_name(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    await page.goto(f"{designer.url}/forms/new")
    await page.get_by_label("Name").fill("   ")
    await page.get_by_role("button", name="Create blank form").click()
    await expect(page.get_by_role("alert")).to_have_text("Enter a name (up to 200 characters).")


@pytest.mark.slow
async def test_fields_are_moved_by_dragging_and_by_buttons(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    section = {"type": "section", "name": "group", "label": "Group", "fields": [text("inner")]}
    form = designer.create_form([text("one"), text("two"), section, text("last")], publish=False)
    await page.set_viewport_size({"width": 1280, "height": 800})  # All rows are visible without scrolling.
    await designer.open(page, form["id"])
    await row(page, "last").locator(".grip").hover()
    await page.mouse.down()
    box = await row(page, "one").bounding_box()
    assert box
    await page.mouse.move(box["x"] + 60, box["y"] + 4, steps=8)
    await page.mouse.up()
    assert await names(page) == ["last", "one", "two", "Group", "inner"]
    await page.get_by_role("button", name="Move down", exact=True).click()
    await row(page, "two").click()
    await page.get_by_role("button", name="Move into group", exact=True).click()
    assert await names(page) == ["one", "last", "Group", "two", "inner"]
    assert await row(page, "two").get_attribute("aria-level") == "2"
    await page.get_by_role("button", name="Move out of group", exact=True).click()
    assert await names(page) == ["one", "last", "Group", "inner", "two"]
    await wait_until_saved(page)
    kept = designer.newest_version(form["id"])["fields"]
    assert [field["name"] for field in kept] == ["one", "last", "group", "two"]
    assert desktop.errors == []


@pytest.mark.slow
async def test_a_deleted_field_can_be_restored(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form([text("one"), text("two")], publish=False)
    await designer.open(page, form["id"])
    await row(page, "one").click()
    await page.get_by_role("button", name="Duplicate", exact=True).click()
    assert await names(page) == ["one", "one", "two"]
    await page.get_by_role("button", name="Delete", exact=True).click()
    await row(page, "two").click()
    await page.get_by_role("button", name="Delete", exact=True).click()
    assert await names(page) == ["one"]
    await page.locator(".toast").get_by_role("button", name="Undo").click()
    assert await names(page) == ["one", "two"]
    await page.keyboard.press("Control+z")
    assert await names(page) == ["one", "one", "two"]
    await page.keyboard.press("Control+Shift+Z")
    assert await names(page) == ["one", "two"]


@pytest.mark.slow
async def test_deleted_options_are_restored_one_by_one(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form([text("one")], publish=False)
    await designer.open(page, form["id"])
    await add_field(page, "Single choice", "Colour")
    await page.get_by_role("button", name="Add option").click()
    await page.get_by_label("Option 3", exact=True).fill("Red")
    await page.get_by_label("Option 3", exact=True).press_sequentially("dish")
    await page.get_by_role("button", name="Remove option 1").click()
    for labels in (["Option 1", "Option 2", "Reddish"], ["Option 1", "Option 2", "Option 3"], ["Option 1", "Option 2"]):
        await page.get_by_role("button", name="Undo").click()
        await wait_until_saved(page)
        assert [one["label"] for one in designer.newest_version(form["id"])["fields"][1]["options"]] == labels
    assert desktop.errors == []


@pytest.mark.slow
async def test_an_option_used_by_a_rule_keeps_its_value_when_relabelled(
    desktop: WatchedPage, designer: Designer
) -> None:
    page = desktop.page
    options = [{"value": f"option_{n}", "label": f"Option {n}"} for n in (1, 2, 3)]
    kind = {"type": "choice", "name": "kind", "label": "Kind", "options": options, "default": "option_2"}
    why = {"type": "text", "name": "why", "label": "Why", "visibleIf": "kind == 'option_1'"}
    form = designer.create_form([kind, why], publish=False)
    await designer.open(page, form["id"])
    await row(page, "Kind").click()
    for number, label in enumerate(("Complaint", "Routine", "Handover"), start=1):
        await page.get_by_label(f"Option {number}", exact=True).fill(label)
    await wait_until_saved(page)
    kept = designer.newest_version(form["id"])["fields"][0]["options"]
    assert [(one["value"], one["label"]) for one in kept] == [
        ("option_1", "Complaint"),
        ("option_2", "Routine"),
        ("handover", "Handover"),
    ]


@pytest.mark.slow
async def test_lines_pasted_into_an_option_become_options(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form([text("one")], publish=False)
    await designer.open(page, form["id"])
    await add_field(page, "Single choice", "Colour")
    await page.get_by_role("button", name="Edit as text").click()
    await page.get_by_label("One option per line").fill("Red\nGreen\n\nB\tBlue")
    await page.get_by_role("button", name="Apply").click()
    await wait_until_saved(page)
    field = designer.newest_version(form["id"])["fields"][1]
    assert field["name"] == "colour"
    assert [(o["value"], o["label"]) for o in field["options"]] == [("red", "Red"), ("green", "Green"), ("B", "Blue")]
    assert desktop.errors == []


@pytest.mark.slow
async def test_edited_lines_keep_the_values_and_translations_of_options(
    desktop: WatchedPage, designer: Designer
) -> None:
    page = desktop.page
    options = [
        {"value": value, "label": {"fr": fr, "en": en}} for value, fr, en in (("1", "Oui", "Yes"), ("2", "Non", "No"))
    ]
    form = designer.create_form(
        [{"type": "choice", "name": "sure", "label": {"fr": "Sûr", "en": "Sure"}, "options": options}]
    )
    await designer.open(page, form["id"])
    await rows(page).first.click()
    await page.get_by_role("button", name="Edit as text").click()
    await page.get_by_label("One option per line").fill("No\nYes\nPerhaps")
    await page.get_by_role("button", name="Apply").click()
    await wait_until_saved(page)
    perhaps = {"value": "perhaps", "label": "Perhaps"}
    assert designer.newest_version(form["id"])["fields"][0]["options"] == [*options[::-1], perhaps]
    assert desktop.errors == []


@pytest.mark.slow
async def test_the_title_of_submissions_follows_its_field(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    inner = [text("inner")]
    fields = [text("one"), text("two"), {"type": "repeat", "name": "more", "label": "More", "fields": inner}]
    form = designer.create_form(fields, publish=False)
    await designer.open(page, form["id"])
    await page.get_by_role("button", name="Form settings").click()
    title = page.get_by_label("Title of submissions")
    await expect(title.get_by_role("option")).to_have_text(["None", "one", "two"])
    await title.select_option("two")
    await row(page, "two").click()
    await page.get_by_label("Field name").fill("second")
    await wait_until_saved(page)
    assert designer.newest_version(form["id"])["settings"]["titleField"] == "second"
    await page.get_by_role("button", name="Delete", exact=True).click()
    await wait_until_saved(page)
    assert "titleField" not in designer.newest_version(form["id"])["settings"]
    assert desktop.errors == []


@pytest.mark.slow
async def test_a_field_has_texts_in_several_languages(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form([text("one")], publish=False)
    await designer.open(page, form["id"])
    await page.get_by_role("button", name="Form settings").click()
    await page.get_by_label("Translations").fill("de")
    await page.get_by_role("button", name="Add language").click()
    await row(page, "one").click()
    await page.get_by_label("Question (German)").fill("Eins")
    await page.get_by_label("Question (English)").fill("First")
    await wait_until_saved(page)
    field = designer.newest_version(form["id"])["fields"][0]
    assert (field["name"], field["label"]) == ("first", {"en": "First", "de": "Eins"})
    await expect(rows(page)).to_have_count(1)


def text(name: str) -> dict[str, str]:
    return {"type": "text", "name": name, "label": name}


@pytest.mark.slow
async def test_rules_in_a_copied_group_refer_to_the_copied_fields(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    inner = [text("kind"), text("more") | {"visibleIf": 'kind == "kind" && answered.kind && answered.other'}]
    form = designer.create_form([text("other"), {"type": "section", "name": "part", "label": "Part", "fields": inner}])
    await designer.open(page, form["id"])
    await row(page, "Part").click()
    await page.get_by_role("button", name="Duplicate", exact=True).click()
    await wait_until_saved(page)
    copy = designer.newest_version(form["id"])["fields"][2]
    assert [copy["name"], *(field["name"] for field in copy["fields"])] == ["part_2", "kind_2", "more_2"]
    assert copy["fields"][1]["visibleIf"] == 'kind_2 == "kind" && answered.kind_2 && answered.other'
    assert desktop.errors == []
