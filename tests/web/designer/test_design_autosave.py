"""No edits are lost: validation errors, offline work, conflicts with other editors, and expired sessions."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from fixtures.accounts import AccountFactory
from fixtures.browser import DESKTOP, WatchedPage, open_page
from playwright.async_api import Browser, Page, Route, expect
from web.designer.pages import Designer, names, open_rule_code, row, rows, wait_until_saved

from formwright.core.auth.permissions import Permission

FIELDS: list[dict[str, Any]] = [
    {"type": "integer", "name": "people", "label": "People"},
    {"type": "text", "name": "contact", "label": "Contact"},
]
DRAFT = re.compile("/design/draft$")


async def rename(page: Page, before: str, after: str) -> None:
    await row(page, before).click()
    await page.get_by_label("Question", exact=True).fill(after)


@pytest.mark.slow
async def test_an_invalid_rule_is_marked_until_it_is_fixed(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    await designer.open(page, form["id"])
    await row(page, "Contact").click()
    rule = await open_rule_code(page, "Show if")
    await rule.fill("peple > 10")
    fault = page.locator("[data-property=visibleIf] .field-error:visible")
    await expect(fault).to_have_text("There is no field named peple. Did you mean people?")
    await expect(rule).to_have_attribute("aria-invalid", "true")
    await expect(page.locator("#saving")).to_contain_text("1 error to fix")
    assert designer.newest_version(form["id"])["number"] == 1

    await row(page, "People").click()
    await page.locator("#saving button").click()
    # Without such a field, the server refuses the rule, and the condition says why.
    await expect(page.get_by_label("Answer to")).to_be_focused()
    await page.get_by_label("Answer to").select_option("people")
    await wait_until_saved(page)
    await expect(fault).to_be_hidden()
    assert designer.newest_version(form["id"])["fields"][1]["visibleIf"] == "people > 10"
    refused = [error for error in desktop.errors if "422" not in error]
    assert refused == []


@pytest.mark.slow
async def test_a_rule_that_refers_to_its_own_field_follows_a_rename(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(
        [{"type": "text", "name": "contact", "label": "Contact", "validIf": "size(contact) > 2"}]
    )
    await designer.open(page, form["id"])
    await row(page, "Contact").click()
    await page.get_by_label("Field name").fill("person")
    code = await open_rule_code(page, "Valid if")
    await expect(code).to_have_value("size(person) > 2")
    await code.press_sequentially(" && ")
    await page.locator("[data-property=validIf]").get_by_label("Insert a field").select_option("person")
    await code.press_sequentially('!= "nobody"')
    await wait_until_saved(page)
    assert designer.newest_version(form["id"])["fields"][0]["validIf"] == 'size(person) > 2 && person!= "nobody"'
    assert desktop.errors == []


@pytest.mark.slow
async def test_a_name_that_differs_in_case_only_is_not_applied(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    fields = [{"type": "text", "name": name, "label": name} for name in ("site", "other")]
    form = designer.create_form(fields)
    await designer.open(page, form["id"])
    await row(page, "other").click()
    name = page.get_by_label("Field name")
    await name.fill("Site")
    await expect(page.get_by_text("Another field has this name. Choose a different one.")).to_be_visible()
    await name.fill("sites")
    await wait_until_saved(page)
    assert [one["name"] for one in designer.newest_version(form["id"])["fields"]] == ["site", "sites"]
    assert desktop.errors == []


@pytest.mark.slow
async def test_rules_follow_renames_in_rows_and_next_to_keywords(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    exits = [{"type": "boolean", "name": "blocked", "label": "Blocked"}]
    fields = [
        {"type": "text", "name": "size", "label": "Size"},
        {"type": "choices", "name": "risks", "label": "Risks", "options": [{"value": "water", "label": "Water"}]},
        {"type": "repeat", "name": "exits", "label": "Exits", "fields": exits},
        {
            "type": "note",
            "name": "warning",
            "label": "Warning",
            "visibleIf": '"water" in risks && size(size) > 2 && exits.exists(row, has(row.blocked) && row.blocked)',
        },
    ]
    form = designer.create_form(fields, publish=False)
    await designer.open(page, form["id"])
    for before, after in (("Size", "room"), ("Blocked", "shut"), ("Risks", "in_question")):
        await row(page, before).click()
        name = page.get_by_label("Field name")
        await name.fill("")
        await name.press_sequentially(after)
    await wait_until_saved(page)
    rule = '"water" in in_question && size(room) > 2 && exits.exists(row, has(row.shut) && row.shut)'
    assert designer.newest_version(form["id"])["fields"][3]["visibleIf"] == rule
    await row(page, "Exits").click()
    await (await open_rule_code(page, "Valid if")).fill("exits.all(row, has(row.shut))")
    await page.get_by_role("button", name="Duplicate", exact=True).click()
    await wait_until_saved(page)
    copy = designer.newest_version(form["id"])["fields"][3]
    assert (copy["fields"][0]["name"], copy["validIf"]) == ("shut_2", "exits_2.all(row, has(row.shut_2))")
    assert desktop.errors == []


async def _rename_offline(page: Page, designer: Designer) -> dict[str, Any]:
    """Create a form and rename its field offline."""
    form = designer.create_form(FIELDS)
    await designer.open(page, form["id"])
    await page.route(DRAFT, lambda route: route.abort())
    await rename(page, "Contact", "Whom to call")
    await expect(page.locator("#saving")).to_contain_text("Offline. Changes are kept on this device")
    return form


@pytest.mark.slow
async def test_offline_edits_are_stored_on_the_device_and_sent_later(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = await _rename_offline(page, designer)
    await designer.open(page, form["id"])
    assert await names(page) == ["People", "Whom to call"]
    await page.unroute(DRAFT)
    await wait_until_saved(page)
    assert designer.newest_version(form["id"])["fields"][1]["label"] == "Whom to call"


@pytest.mark.slow
async def test_offline_edits_are_only_visible_to_their_author(
    desktop: WatchedPage, designer: Designer, http_accounts: AccountFactory
) -> None:
    page = desktop.page
    form = await _rename_offline(page, designer)
    await page.context.clear_cookies()
    name = f"other-{form['id'][-6:]}"
    other = await http_accounts.add_user(designer.person, name, Permission.FORMS_READ, Permission.FORMS_EDIT)
    await other.sign_in_browser(page)
    await designer.open(page, form["id"])
    assert await names(page) == ["People", "Contact"]


@pytest.mark.slow
async def test_the_name_of_a_copied_field_is_shortened_to_the_limit(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form([{"type": "text", "name": "a" * 64, "label": "Long"}])
    await designer.open(page, form["id"])
    await row(page, "Long").click()
    await page.get_by_role("button", name="Duplicate", exact=True).click()
    await wait_until_saved(page)
    assert [field["name"] for field in designer.newest_version(form["id"])["fields"]] == ["a" * 64, "a" * 62 + "_2"]


@pytest.mark.slow
async def test_a_lost_response_is_not_a_conflict(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    await designer.open(page, form["id"])

    lost: list[str] = []

    async def swallow(route: Route) -> None:
        if lost:
            return await route.continue_()
        lost.append(route.request.url)
        await route.fetch()
        return await route.abort()

    await page.route(DRAFT, swallow)
    await rename(page, "Contact", "Lost")
    await expect(page.locator("#saving")).to_contain_text("Offline")
    await page.get_by_label("Question", exact=True).fill("Lost and found")
    await wait_until_saved(page)
    newest = designer.newest_version(form["id"])
    assert (newest["number"], newest["fields"][1]["label"]) == (2, "Lost and found")


async def test_on_a_conflict_own_changes_can_be_restored(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    await designer.open(page, form["id"])
    await rename(page, "Contact", "Mine")
    await wait_until_saved(page)
    theirs = [*FIELDS, {"type": "text", "name": "theirs", "label": "Theirs"}]
    draft = designer.newest_version(form["id"])
    designer.call_api("PUT", f"{designer.forms_path}/{form['id']}/versions/{draft['id']}", {"fields": theirs})
    await page.get_by_label("Question", exact=True).fill("Mine again")
    await expect(page.get_by_role("alert")).to_contain_text("Someone else changed this form")
    assert designer.newest_version(form["id"])["fields"] == theirs
    await page.get_by_role("link", name="Load newest version").click()
    await expect(rows(page).locator(".name")).to_have_text(["People", "Contact", "Theirs"])
    await page.get_by_role("button", name="Restore my changes").click()
    assert await names(page) == ["People", "Mine again"]
    await wait_until_saved(page)
    assert [field["label"] for field in designer.newest_version(form["id"])["fields"]] == ["People", "Mine again"]


@pytest.mark.slow
async def test_changes_published_by_another_user_are_not_overwritten(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS, publish=False)
    await designer.open(page, form["id"])
    theirs = [*FIELDS, {"type": "text", "name": "theirs", "label": "Theirs"}]
    designer.call_api("PUT", f"{designer.forms_path}/{form['id']}", {"fields": theirs, "publish": True})
    await rename(page, "Contact", "Mine")
    await expect(page.get_by_role("alert")).to_contain_text("Someone else changed this form")
    newest = designer.newest_version(form["id"])
    assert (newest["number"], newest["fields"]) == (1, theirs)


@pytest.mark.slow
async def test_on_a_conflict_the_other_changes_can_be_overwritten(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    await designer.open(page, form["id"])
    designer.call_api("POST", f"{designer.forms_path}/{form['id']}/versions", {"fields": FIELDS[:1]})
    await rename(page, "Contact", "Mine")
    await page.get_by_role("button", name="Overwrite with my changes").click()
    await wait_until_saved(page)
    assert [field["label"] for field in designer.newest_version(form["id"])["fields"]] == ["People", "Mine"]
    await expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow
async def test_a_signed_out_user_keeps_their_edits(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    await designer.open(page, form["id"])
    cookies = await page.context.cookies()
    await page.context.clear_cookies(name="formwright")
    await rename(page, "Contact", "Still here")
    await expect(page.get_by_role("alert")).to_contain_text("You’ve been signed out")
    await page.context.add_cookies(cookies)
    await page.reload()
    assert await names(page) == ["People", "Still here"]
    await wait_until_saved(page)


@pytest.mark.slow
async def test_the_preview_is_updated_and_submits_nothing(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS)
    await designer.open(page, form["id"])
    frame = page.frame_locator("#preview")
    await expect(frame.get_by_role("textbox", name="Contact")).to_be_visible()
    await rename(page, "Contact", "Whom to call")
    await expect(frame.get_by_role("textbox", name="Whom to call")).to_be_visible()
    await frame.get_by_role("textbox", name="Whom to call").fill("Jo")
    await frame.get_by_role("button", name="Submit").click()
    await page.wait_for_timeout(1500)
    assert designer.call_api("GET", f"/submissions?formId={form['id']}")["items"] == []
    assert not [url for url in desktop.requests if "/submissions/" in url or urlsplit(url).path.startswith("/fill/")]


async def test_typed_markup_is_shown_as_text(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    evil = "</script><img src=x onerror=\"document.title='broken'\"><b>{{7*7}}"
    fields = [
        {"type": "choice", "name": "pick", "label": evil, "hint": evil, "options": [{"value": evil, "label": evil}]},
        {"type": "section", "name": "part", "label": evil, "fields": [{"type": "note", "name": "note", "label": evil}]},
    ]
    form = designer.create_form(fields, name=evil[:200], description=evil)
    for address in ("/forms", f"/forms/{form['id']}/versions", f"/forms/{form['id']}/design", "/forms/new"):
        await page.goto(designer.url + address)
        await expect(page.locator("main img")).to_have_count(0)
    await designer.open(page, form["id"])
    assert (await names(page))[0] == evil
    await row(page, evil).first.click()
    await page.get_by_role("button", name="Duplicate", exact=True).click()
    await page.get_by_role("button", name="Delete", exact=True).click()
    await page.get_by_role("button", name="Publish").click()
    await expect(page.locator("main img")).to_have_count(0)
    assert await page.title() != "broken"
    assert json.dumps(designer.newest_version(form["id"])["fields"][0]["label"]) == json.dumps(evil)


async def test_the_form_can_be_read_without_javascript(browser: Browser, designer: Designer) -> None:
    form = designer.create_form(
        [*FIELDS, {"type": "section", "name": "part", "label": "Part", "fields": [FIELDS[0] | {"name": "inner"}]}]
    )
    async with open_page(browser, java_script_enabled=False, **DESKTOP) as watched:
        await designer.person.sign_in_browser(watched.page)
        await watched.page.goto(f"{designer.url}/forms/{form['id']}/design?publish=1")
        outline = watched.page.locator(".outline").first
        await expect(outline).to_contain_text("People")
        await expect(outline.locator(".outline")).to_contain_text("Whole number · inner")
        await expect(watched.page.get_by_role("dialog")).to_contain_text("No changes since the published version.")
        await watched.page.goto(f"{designer.url}/forms/{form['id']}/versions")
        await expect(watched.page.get_by_role("rowheader")).to_have_text("Version 1")
