"""The pages of submissions in a browser: with the keyboard on a desktop, and on a phone."""

import io
import re
from typing import Any

import httpx
import pytest
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, PHONE, open_page
from playwright.async_api import Browser, Page, expect

from formwright.core.auth import actor as actors
from formwright.core.blobs import ReceivedBlob
from formwright.domain.exports import downloads, execution, run_queue, store
from formwright.domain.exports.models import Download, RunFile
from formwright.domain.exports.run_queue import ClaimedRun
from formwright.domain.users import service as users

MARKUP = "<img src=x onerror=\"document.title='run'\">"
FIELDS = [
    {"type": "text", "name": "site", "label": f"Site {MARKUP}"},
    {"type": "integer", "name": "people", "label": "People"},
    {"type": "choice", "name": "kind", "label": "Kind", "options": [{"value": "c1", "label": "Complaint"}]},
]


async def _create_list(person: Person, count: int) -> str:
    """Create a form with this number of submissions; returns the address of its list."""
    async with person.client() as http:
        form = await _post(http, "/api/v1.0/forms", {"name": f"Visit {MARKUP}", "fields": FIELDS, "publish": True})
        for number in range(count):
            data = {"site": f"{MARKUP} {number}", "people": number} | ({"kind": "c1"} if number % 2 else {})
            path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
            await _post(http, path, {"data": data})
    return person.path(f"/submissions?form={form['id']}")


async def _post(http: httpx.AsyncClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = await http.post(path, json=body)
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


async def _press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def test_filter_open_reject_and_undo_with_the_keyboard_only(browser: Browser, person: Person) -> None:
    async with open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(await _create_list(person, 4))
        await page.locator("summary", has_text="Filter").focus()
        await _press(page, "Enter")
        await page.get_by_label("Field").focus()
        await _press(page, "p", "Tab")
        await expect(page.get_by_label("Comparison")).to_be_focused()
        words = await page.get_by_label("Comparison").locator("option").all_text_contents()
        assert "contains" not in words, "a number is not compared so"
        await page.keyboard.type("at least")
        await _press(page, "Tab")
        await page.keyboard.type("1")
        await _press(page, "Enter")
        await expect(page.get_by_text("People at least 1")).to_be_visible()
        await expect(page.locator("tr.row-link")).to_have_count(3)
        await page.wait_for_load_state()
        await page.get_by_role("region", name="Submissions").focus()
        await _press(page, "ArrowDown", "ArrowDown", "ArrowUp", "Enter")
        await expect(page.locator("dd").first).to_have_text(f"{MARKUP} 3")
        await page.get_by_role("link", name="Reject").focus()
        await _press(page, "Enter")
        await expect(page.get_by_role("textbox", name="Note")).to_be_focused()
        await page.keyboard.type("Which one?")
        await _press(page, "Tab", "Tab", "Enter")
        await expect(page.locator(".quotation").first).to_have_text("Which one?")
        await page.get_by_role("button", name="Undo").focus()
        await _press(page, "Enter")
        await expect(page.locator(".history")).to_contain_text("No longer rejected")
        assert await page.title() != "run"
        assert watched.errors == []


@pytest.mark.slow
async def test_values_of_conditions_are_chosen_not_typed(browser: Browser, person: Person) -> None:
    async with open_page(browser, **PHONE) as watched, person.client() as http:
        page = watched.page
        rows = [{"number": f"C-{n}", "name": f"Customer {n}"} for n in range(3)]
        body = {"name": "Customers", "keyColumn": "number", "rows": rows}
        source = await _post(http, f"/api/v1.0/customers/{person.customer_id}/datasources", body)
        lookup = {"type": "lookup", "name": "who", "label": "Who", "datasourceId": source["id"], "display": ["name"]}
        body = {"name": "Visit", "fields": [*FIELDS[1:], lookup], "publish": True}
        form = await _post(http, "/api/v1.0/forms", body)
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/submissions?form={form['id']}"))
        await page.locator("html[data-ready]").wait_for()
        sheet, opener = (
            page.get_by_role("group", name="Filter", exact=True),
            page.locator(".sheet-opener", has_text="Filter"),
        )
        await opener.tap()
        await sheet.get_by_label("Field").select_option("Kind")
        await sheet.get_by_label("Comparison").select_option("is one of")
        await sheet.get_by_label("Complaint").check()
        await sheet.get_by_label("Status").select_option("Approved")
        await sheet.get_by_role("button", name="Apply", exact=True).tap()
        await expect(page.get_by_text("Kind is one of Complaint")).to_be_visible()
        await page.locator("html[data-ready]").wait_for()
        await opener.tap()
        await expect(sheet.get_by_label("Status")).to_have_value("APPROVED")
        await sheet.get_by_label("Field").select_option("Who")
        await sheet.get_by_label("Value").fill("omer 2")
        await page.get_by_role("option", name="Customer 2").tap()
        await sheet.get_by_role("button", name="Apply", exact=True).tap()
        await expect(page.get_by_text("Who is Customer 2 (C-2)")).to_be_visible()
        assert watched.errors == []


@pytest.mark.slow
async def test_filter_input_is_applied_when_it_is_complete(browser: Browser, person: Person) -> None:
    """A date input already has a value with the first digit of the year, and arrow keys pass over other values."""
    async with open_page(browser, **DESKTOP, locale="en-US") as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(await _create_list(person, 1))
        await page.locator("summary", has_text="Filter").click()
        await page.get_by_label("From").focus()
        await page.keyboard.type("11212026", delay=50)
        await expect(page.get_by_label("From")).to_have_value("2026-11-21")
        await _press(page, "Enter")
        await page.wait_for_url(re.compile(r"[?&]from=2026-11-21"))
        await page.get_by_role("combobox", name="Status").focus()
        await _press(page, "ArrowDown", "ArrowDown")
        await page.get_by_role("button", name="Apply").click()
        await page.wait_for_url(re.compile(r"[?&]status=SUBMITTED"))
        await page.get_by_role("combobox", name="Status").select_option("Rejected")
        await page.wait_for_url(re.compile(r"[?&]status=REJECTED"))
        assert watched.errors == []


@pytest.mark.slow
async def test_a_view_is_saved_and_shared_with_the_keyboard(browser: Browser, person: Person) -> None:
    async with open_page(browser, **DESKTOP, permissions=["clipboard-read", "clipboard-write"]) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        url = await _create_list(person, 2)
        await page.goto(f"{url}&from=2026-01-01")
        await page.get_by_role("combobox", name="Period").select_option("Last 7 days")
        await page.wait_for_url(re.compile(r"[?&]from=&"))
        await page.locator("summary", has_text="View").click()
        await page.get_by_role("link", name="Save view").focus()
        await _press(page, "Enter")
        await expect(page.get_by_role("textbox", name="Name")).to_be_focused()
        await page.keyboard.type(MARKUP)
        await _press(page, "Enter")
        await expect(page.get_by_text("View saved.")).to_be_visible()
        await page.locator("summary", has_text="View:").focus()
        await _press(page, "Enter", "Tab", "Tab")
        await expect(page.get_by_role("link", name=MARKUP)).to_be_focused()
        assert await axe.faults(page) == []
        await page.get_by_role("button", name="Copy link for others").click()
        shared = await page.evaluate("navigator.clipboard.readText()")
        assert shared == f"{url}&days=7&column=" + shared.partition("&column=")[2]
        await page.get_by_role("link", name="Edit view").click()
        await page.get_by_role("link", name="Delete view").click()
        await page.get_by_role("button", name="Delete", exact=True).click()
        await expect(page.get_by_text("View deleted.")).to_be_visible()
        assert await page.title() != "run"
        assert watched.errors == []


@pytest.mark.slow
async def test_on_a_phone_each_row_is_a_card_and_nothing_overflows(browser: Browser, person: Person) -> None:
    async with open_page(browser, **PHONE) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(await _create_list(person, 2))
        for step in ("Filter", "View"):
            await page.get_by_role("button", name=step, exact=True).tap()
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step
            await page.get_by_role("group", name=step).get_by_role("button", name="Close").tap()
        await page.locator("tr.row-link").first.tap()
        await expect(page.get_by_role("heading", name="Answers")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await page.get_by_role("link", name="Delete").tap()
        await page.get_by_role("button", name="Delete").tap()
        await expect(page.get_by_text("Submission deleted.")).to_be_visible()
        assert watched.errors == []


async def test_a_rejected_submission_is_corrected_and_submitted_again(browser: Browser, person: Person) -> None:
    async with open_page(browser, **DESKTOP) as watched, person.client() as http:
        page = watched.page
        form = await _post(http, "/api/v1.0/forms", {"name": "Visit", "fields": FIELDS, "publish": True})
        await page.goto(person.path(form["fillPath"]))
        await page.get_by_label("People").fill("3")
        await page.get_by_role("button", name="Submit").click()
        await expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/submissions?form={form['id']}"))
        await page.locator("a.open").click()
        await page.get_by_role("link", name="Reject").click()
        await page.get_by_role("textbox", name="Note").fill(MARKUP)
        await page.get_by_role("button", name="Reject", exact=True).click()
        here = page.url
        await page.goto(await page.get_by_label("Link for the respondent").input_value())
        await expect(page.locator("blockquote")).to_have_text(MARKUP)
        await expect(page.get_by_label("People")).to_have_value("3")
        await page.get_by_label("People").fill("4")
        await page.get_by_role("button", name="Submit").click()
        await expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
        await page.goto(here)
        await expect(page.locator(".history")).to_contain_text("Resubmitted")
        await expect(page.locator(".changes")).to_contain_text("3 → 4")
        assert await page.title() != "run"
        assert watched.errors == []


@pytest.mark.slow
async def test_the_page_shows_the_progress_of_a_file_until_it_is_ready(browser: Browser, person: Person) -> None:
    ctx = person.factory.ctx
    form_id = (await _create_list(person, 1)).rpartition("=")[2]
    async with ctx.db.writing() as tx:
        actor = await users.load_actor(tx, await users.get(tx, actors.system(person.customer_id), user_id=person.id))
        run = await downloads.start(tx, actor, Download("xlsx", f"Visit {MARKUP}", f"?form={form_id}"), form_id)
        # No worker claims it.
        await tx.execute("UPDATE export_runs SET download_due = NULL WHERE customer_id = $1", person.customer_id)
    async with open_page(browser, **PHONE) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path("/submissions"))
        await page.get_by_role("link", name=f"Excel file of Visit {MARKUP}").click()
        await expect(page.get_by_text("Starting…")).to_be_visible()
        # The server is being replaced at the moment.
        async with page.expect_response(lambda answer: answer.status == 503):
            await page.route(page.url, lambda route: route.fulfill(status=503), times=1)
        await ctx.files.put(execution.file_key(run, 0), ReceivedBlob(io.BytesIO(b"whole")))
        file = RunFile(f"Visit {MARKUP}.xlsx", 0, 5, "", execution.file_key(run, 0))
        async with ctx.db.writing() as tx:
            await store.claim(tx, run, "lease", 0)
            await run_queue.end_download(tx, ClaimedRun(run, "lease", 0), ctx.clock.now(), 12_000, [file])
        await expect(page.get_by_text("with 12,000 submissions")).to_be_visible()
        async with page.expect_download() as waited:
            await page.get_by_role("link", name="Download Excel").click()
        assert (await waited.value).suggested_filename.endswith(".xlsx")
        await page.get_by_role("button", name="Delete").click()
        await expect(page.get_by_role("region", name="Submissions")).to_be_visible()
    async with ctx.db.reading() as tx:
        assert await downloads.list_by_user(tx, actor, ctx.clock.now()) == []


async def test_ten_submissions_are_approved_with_three_clicks_and_reviewed_with_keys(
    browser: Browser, person: Person
) -> None:
    async with open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        url = await _create_list(person, 12)
        await page.goto(url)
        bar = page.locator("form[data-bulk]")
        await expect(bar).to_be_hidden()
        ticks = page.locator("input[name=row]")
        await ticks.first.click()
        await ticks.nth(9).click(modifiers=["Shift"])
        await expect(bar).to_contain_text("10 selected")
        assert await axe.faults(page) == []
        await bar.get_by_role("button", name="Approve").click()
        await expect(page.get_by_text("10 submissions approved.")).to_be_visible()
        await expect(page.locator("tr.row-link .status.approved")).to_have_count(10)
        await page.get_by_label("Select all on this page").click()
        await bar.get_by_role("button", name="Reject").click()
        await expect(page.get_by_role("heading", name="Reject 12 submissions?")).to_be_visible()
        assert await axe.faults(page) == []
        await page.keyboard.type("Blurred")
        await page.get_by_role("dialog").get_by_role("button", name="Reject").click()
        await expect(page.get_by_text("12 submissions rejected.")).to_be_visible()
        await page.get_by_role("button", name="Undo").click()
        await expect(page.get_by_text("12 submissions restored.")).to_be_visible()

        await page.goto(f"{url}&status=SUBMITTED")
        await page.locator("a.open").first.click()
        await page.wait_for_url("**/submissions/sub_*")
        await page.locator("html[data-ready]").wait_for()
        await _press(page, "?")
        await expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
        assert await axe.faults(page) == []
        await _press(page, "Escape", "a")
        await expect(page.get_by_text("Approved.")).to_be_visible()
        await expect(page.locator("dd").first).to_have_text(f"{MARKUP} 0")
        await page.locator("html[data-ready]").wait_for()
        await _press(page, "r")
        await expect(page.get_by_role("textbox", name="Note")).to_be_focused()
        await _press(page, "j", "Escape")
        await expect(page.get_by_role("textbox", name="Note")).to_be_hidden()
        await _press(page, "k")
        await expect(page.locator("[aria-disabled]", has_text="Previous")).to_be_visible()
        await page.locator("html[data-ready]").wait_for()
        await _press(page, "u")
        await expect(page.locator("tr.row-link")).to_have_count(1)
        assert watched.errors == []


@pytest.mark.slow
async def test_ten_submissions_are_approved_with_eleven_keys(browser: Browser, person: Person) -> None:
    async with open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        url = f"{await _create_list(person, 11)}&status=SUBMITTED"
        await page.goto(url)
        await _press(page, "?")
        await expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
        assert await axe.faults(page) == []
        await _press(page, "Escape", "j", "j", "k", "j", "x")
        await expect(page.locator("tr.row-link").nth(1).get_by_role("checkbox")).to_be_checked()
        await page.goto(url)
        await page.locator("html[data-ready]").wait_for()
        await _press(page, "Enter")
        for number in range(10, 0, -1):
            await expect(page.locator("dd").first).to_have_text(f"{MARKUP} {number}")
            await page.locator("html[data-ready]").wait_for()
            await _press(page, "a")
        await expect(page.locator("dd").first).to_have_text(f"{MARKUP} 0")
        await page.locator("html[data-ready]").wait_for()
        # Undo opens the submission that it concerns.
        await _press(page, "z")
        await expect(page.locator("dd").first).to_have_text(f"{MARKUP} 1")
        await page.locator("html[data-ready]").wait_for()
        await _press(page, "u")
        await expect(page.locator("tr.row-link")).to_have_count(2)
        assert watched.errors == []


@pytest.mark.slow
async def test_excel_is_two_clicks_away_on_every_tab_of_a_form(browser: Browser, person: Person) -> None:
    form_id = (await _create_list(person, 3)).rpartition("=")[2]
    async with open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/forms/{form_id}/summary?days=7"))
        for tab in ("Summary", "Submissions", "Map", "Design", "Share", "Settings"):
            tabs = page.get_by_role("navigation", name="Form")
            await tabs.get_by_role("link", name=tab).click()
            await expect(tabs.get_by_role("link", name=tab)).to_have_attribute("aria-current", "page")
            await page.evaluate("window.clicks = 0; window.addEventListener('click', () => window.clicks++, true)")
            await page.locator(".downloads summary").click()
            link = page.get_by_role("link", name="Excel With a sheet per repeated group")
            # Tabs that show submissions keep their filter.
            assert ("days=7" in (await link.get_attribute("href") or "")) is (tab in ("Summary", "Submissions", "Map"))
            async with page.expect_download() as waited:
                await link.click()
            assert (await waited.value).suggested_filename.endswith(".xlsx")
            assert await page.evaluate("window.clicks") == 2
        await page.goto(person.path("/forms"))
        await page.get_by_label("More for", exact=False).click()
        async with page.expect_download() as waited:
            await page.get_by_role("link", name="Excel file of").click()
        assert (await waited.value).suggested_filename.endswith(".xlsx")
