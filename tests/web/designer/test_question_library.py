"""The question library in the designer and on its own pages."""

import pytest
from fixtures.browser import WatchedPage
from playwright.async_api import Page, expect
from web.designer.pages import Designer, row, rows, wait_until_saved

pytestmark = pytest.mark.asyncio(loop_scope="session")
FIELDS = [
    {
        "type": "section",
        "name": "home",
        "label": "Home address",
        "fields": [
            {"type": "text", "name": "street", "label": "Street"},
            {"type": "text", "name": "city", "label": "City", "visibleIf": "answered.street"},
        ],
    },
    {"type": "text", "name": "end", "label": "End"},
]


async def _select(page: Page, name: str) -> None:
    await row(page, name).click()


@pytest.mark.slow
async def test_questions_are_saved_inserted_and_updated(designer: Designer, desktop: WatchedPage) -> None:
    page = desktop.page
    first = designer.create_form(FIELDS, "Visit of homes")
    second = designer.create_form([{"type": "text", "name": "street", "label": "Our street"}], "Delivery to homes")

    # Save the section of one form to the library.
    await designer.open(page, first["id"])
    await _select(page, "Home address")
    await page.get_by_role("button", name="Save to library").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Name", exact=True)).to_have_value("Home address")
    await dialog.get_by_role("button", name="Save to library").click()
    await expect(page.locator("#panel")).to_contain_text("From the library: “Home address”, version 1.")
    await wait_until_saved(page)

    # Insert it in another form, in which one of its names is taken.
    await designer.open(page, second["id"])
    await page.get_by_role("button", name="+ From library").click()
    await dialog.get_by_label("Search").fill("HOME")
    await dialog.get_by_text("Questions", exact=True).click()
    await expect(dialog.get_by_role("list").last).to_contain_text("City")
    await dialog.get_by_role("button", name="Insert Home address").click()
    await expect(rows(page)).to_have_count(4)
    await wait_until_saved(page)
    [_, section] = designer.newest_version(second["id"])["fields"]
    assert [one["name"] for one in section["fields"]] == ["street_2", "city"]
    assert section["fields"][1]["visibleIf"] == "answered.street_2"
    block = section["block"]["id"]
    assert section["fields"][0]["block"] == {"id": block, "version": 1, "field": "street"}

    # Change the questions in the first form, and update the library from it.
    await designer.open(page, first["id"])
    await _select(page, "City")
    await page.get_by_label("Question").fill("Town")
    await page.get_by_role("button", name="Update library from this form").click()
    await dialog.get_by_role("button", name="Update library").click()
    await expect(page.locator("#panel")).to_contain_text("version 2.")
    await wait_until_saved(page)

    # The library's page names the form that is behind, whose designer offers the update.
    await page.goto(f"{designer.url}/forms/question-library")
    await page.get_by_role("link", name="Home address").click()
    line = page.get_by_role("row").filter(has=page.get_by_role("link", name="Delivery to homes"))
    await expect(line).to_contain_text("Update available")
    await line.get_by_role("link").click()
    await expect(row(page, "Home address")).to_contain_text("Update available")
    await expect(row(page, "City")).not_to_contain_text("Update available")
    await _select(page, "City")
    await page.get_by_role("button", name="Review update").click()
    await expect(dialog).to_contain_text("label: “City” becomes “Town”.")
    await dialog.get_by_role("button", name="Apply update").click()
    await expect(row(page, "Town")).to_be_visible()
    await expect(page.get_by_text("Update available")).to_have_count(0)
    await wait_until_saved(page)
    [_, section] = designer.newest_version(second["id"])["fields"]
    assert [(one["name"], one["label"]) for one in section["fields"]] == [("street_2", "Street"), ("city", "Town")]
    uses = designer.call_api("GET", f"/forms/customer/{designer.customer_id}/question-blocks/{block}/forms")["items"]
    assert [(one["name"], one["draft"], one["updateAvailable"]) for one in uses] == [
        ("Visit of homes", [2], False),
        ("Delivery to homes", [2], False),
    ]
    assert designer.newest_version(second["id"])["status"] == "DRAFT", "respondents see nothing of it yet"

    # Detached questions stay, and undo links them again.
    await page.get_by_role("button", name="Detach").click()
    await expect(page.get_by_role("button", name="Save to library")).to_be_visible()
    await expect(rows(page)).to_have_count(4)
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator("#panel")).to_contain_text("version 2.")
    assert (desktop.errors, desktop.strangers) == ([], [])
