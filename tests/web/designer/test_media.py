"""Media beside questions and options, added in the designer and seen in the preview."""

from typing import Any

from fixtures.browser import WatchedPage
from fixtures.fill_pages import PICTURE
from playwright.async_api import expect
from web.designer.pages import Designer, row, wait_until_saved

FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "land", "label": {"en": "Land", "de": "Land"}},
    {
        "type": "choice",
        "name": "town",
        "label": "Town",
        "options": [{"value": "a", "label": "A", "media": {"audio": "x.mp3"}}],
    },
]


async def test_media_are_uploaded_chosen_described_and_removed(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS, publish=False)
    await designer.open(page, form["id"])
    await row(page, "Land").click()
    await page.locator("summary", has_text="Further help").click()
    await page.get_by_label("More information (English)").fill("**Longer**")
    await page.locator("summary", has_text="Image, audio and video").click()
    async with page.expect_file_chooser() as choosing:
        await page.get_by_role("button", name="Upload: Image").first.click()
    await (await choosing.value).set_files(PICTURE)
    await expect(page.get_by_label("Image (English)", exact=True)).to_have_value("a.png")
    await page.get_by_label("Description (English)").fill("A dot")
    async with page.expect_file_chooser() as choosing:
        await page.get_by_role("button", name="Upload: Audio").first.click()
    await (await choosing.value).set_files({"name": "b.mp3", "mimeType": "audio/mpeg", "buffer": b"%PDF-1.4"})
    await expect(page.get_by_text("The content of the file does not match its type, audio/mpeg.")).to_be_visible()
    await row(page, "Town").click()
    await page.get_by_label("A (English)", exact=True).select_option("a.png")
    await wait_until_saved(page)
    preview = page.frame_locator("#preview")
    await expect(preview.get_by_role("img", name="A dot")).to_be_visible()
    await expect(preview.locator(".sd-radio img")).to_be_visible()
    await preview.locator("summary", has_text="More information").click()
    await expect(preview.locator("strong", has_text="Longer")).to_be_visible()

    land, town = designer.newest_version(form["id"])["fields"]
    assert (land["media"], land["guidance"]) == ({"image": "a.png", "alt": "A dot"}, "**Longer**")
    assert town["options"] == [{"value": "a", "label": "A", "media": {"audio": "x.mp3", "image": "a.png"}}]

    await page.get_by_role("button", name="Form settings").click()
    await page.locator("summary", has_text="Media files").click()
    await page.get_by_role("button", name="Remove a.png").click()
    await expect(page.get_by_role("button", name="Remove a.png")).to_be_hidden()
    await row(page, "Town").click()
    await expect(page.get_by_label("A (English)", exact=True).locator("option:checked")).to_have_text(
        "a.png (not uploaded)"
    )
