"""Media beside questions and options, added in the designer and seen in the preview."""

import zipfile
from typing import Any

import pytest
from factories.files import archive, png
from fixtures.browser import WatchedPage
from fixtures.fill_pages import PICTURE
from playwright.async_api import FilePayload, Page, expect
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


async def upload(page: Page, file: FilePayload) -> None:
    """Upload a file in the list of all files of the form."""
    async with page.expect_file_chooser() as choosing:
        await page.get_by_role("button", name="Upload files…").click()
    await (await choosing.value).set_files(file)


@pytest.mark.slow
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
    await page.get_by_label("Larger image of A (English)").select_option("a.png")
    await wait_until_saved(page)
    preview = page.frame_locator("#preview")
    await expect(preview.get_by_role("img", name="A dot")).to_be_visible()
    await expect(preview.locator(".sd-radio img")).to_be_visible()
    await preview.locator("summary", has_text="More information").click()
    await expect(preview.locator("strong", has_text="Longer")).to_be_visible()

    land, town = designer.newest_version(form["id"])["fields"]
    assert (land["media"], land["guidance"]) == ({"image": "a.png", "alt": "A dot"}, "**Longer**")
    assert town["options"] == [
        {"value": "a", "label": "A", "media": {"audio": "x.mp3", "image": "a.png", "bigImage": "a.png"}}
    ]

    await page.get_by_role("button", name="Form settings").click()
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="Download all").click()
    with zipfile.ZipFile(await (await downloading.value).path()) as whole:
        assert whole.namelist() == ["a.png"]
    await page.get_by_role("button", name="Remove a.png").click()
    await expect(page.get_by_role("button", name="Remove a.png")).to_be_hidden()
    await page.reload()
    await expect(page.get_by_text("Media files are missing: a.png, x.mp3. Upload")).to_be_visible()
    await page.get_by_role("button", name="Form settings").click()
    await upload(page, {**PICTURE, "name": "faulty.zip"})
    await expect(page.get_by_text("faulty.zip: The file isn't a ZIP archive")).to_be_visible()
    await upload(
        page, {"name": "all.zip", "mimeType": "application/zip", "buffer": archive({"x/x.mp3": b"ID3", "b.png": png()})}
    )
    await expect(page.get_by_role("button", name="Remove x.mp3")).to_be_visible()
    assert await page.get_by_text("(not uploaded)").all_inner_texts() == ["a.png (not uploaded)"]
    await upload(page, PICTURE)
    await expect(page.get_by_role("button", name="Remove a.png")).to_be_visible()
    await expect(page.get_by_text("Media files are missing")).to_be_hidden()
    await page.get_by_role("button", name="Remove a.png").click()
    await expect(page.get_by_role("button", name="Remove a.png")).to_be_hidden()
    await row(page, "Town").click()
    await expect(page.get_by_label("A (English)", exact=True).locator("option:checked")).to_have_text(
        "a.png (not uploaded)"
    )
