"""Points of options and the score of a form in the designer, and in its preview."""

from typing import Any

import pytest
from fixtures import axe
from fixtures.browser import WatchedPage
from playwright.async_api import expect
from web.designer.pages import Designer, row, wait_until_saved

OPTIONS = [{"value": "a", "label": "Sydney"}, {"value": "b", "label": "Canberra"}]
FIELDS: list[dict[str, Any]] = [
    {"type": "choice", "name": "city", "label": "Which city?", "options": OPTIONS},
    {"type": "choices", "name": "many", "label": "Which ones?", "options": OPTIONS},
]


@pytest.mark.slow
async def test_a_quiz_is_built_and_tried_in_the_preview(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    await axe.bring(page)
    form = designer.create_form(FIELDS, publish=False)
    await designer.open(page, form["id"])
    await row(page, "Which city?").click()
    await page.locator("summary", has_text="Points").click()
    points = page.get_by_role("group", name="Options").locator(".option-points input")
    await points.nth(1).fill("2.5")
    await expect(page.get_by_text("Maximum: 2.5 points")).to_be_visible()
    await page.get_by_role("textbox", name="Option 2", exact=True).fill("Canberra (ACT)")
    await page.keyboard.press("Tab")
    await expect(page.get_by_label("Canberra (ACT)")).to_have_value("2.5")
    await page.get_by_role("button", name="Edit as text").click()
    text = page.get_by_label("One option per line")
    await expect(text).to_have_value("value\tlabel\tpoints\na\tSydney\t0\nb\tCanberra (ACT)\t2.5")
    await text.fill("value\tlabel\tpoints\na\tSydney\t-1,5\nb\tCanberra (ACT)\t2.5\nc\tPerth\t?")
    await page.get_by_role("button", name="Apply").click()
    await expect(points.nth(1)).to_have_value("2.5")

    await page.get_by_role("button", name="Form settings").click()
    await page.locator("summary", has_text="Score").click()
    await expect(page.get_by_text("Maximum: 2.5 points.")).to_be_visible()
    await page.get_by_label("After submitting, show").select_option("results")
    await page.get_by_label("Pass mark (%)").fill("50")
    await page.get_by_role("button", name="Add a field with the score").click()
    await expect(page.get_by_text("The hidden field “Score” has the score")).to_be_visible()
    await wait_until_saved(page)
    saved = designer.newest_version(form["id"])
    assert saved["settings"]["score"] == {"show": "results", "passPercent": 50}
    assert [one.get("points") for one in saved["fields"][0]["options"]] == [-1.5, 2.5, None]
    score = {"type": "decimal", "name": "score", "label": "Score", "hidden": True, "calculate": "score()"}
    assert saved["fields"][2] == score

    preview = page.frame_locator("#preview")
    await preview.get_by_text("Canberra (ACT)").click()
    await preview.get_by_role("button", name="Submit").click()
    await expect(preview.get_by_role("heading", name="Your score: 2.5 of 2.5")).to_be_visible()
    await expect(preview.get_by_text("Passed", exact=True)).to_be_visible()
    await expect(preview.get_by_text("This is a preview. Nothing was submitted.")).to_be_visible()
    await preview.get_by_role("button", name="Submit another response").click()
    await expect(preview.get_by_role("button", name="Submit")).to_be_visible()
    assert await axe.faults(page) == []
    await row(page, "Which city?").click()
    assert await axe.faults(page) == []
    assert desktop.errors == []
