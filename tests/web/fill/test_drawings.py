"""Drawings on an empty sheet, and on photos."""

import pytest
from factories.files import png
from fixtures.fill_pages import AccountApi, Phone, choose, send, set_offline
from playwright.async_api import FilePayload, Page, expect

PICTURE: FilePayload = {"name": "a.png", "mimeType": "image/png", "buffer": png(200)}

SIZE_AND_RED = """async (image) => {
  await image.decode();
  const picture = await createImageBitmap(image);
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, picture.width, picture.height);
  const isRed = (at) => data[at] > 150 && data[at + 1] < 90 && data[at + 2] < 90;
  return [picture.width, picture.height, [...Array(data.length / 4).keys()].some((at) => isRed(4 * at))];
}"""


@pytest.mark.slow
async def test_drawings_made_offline_are_submitted(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "sketch", "type": "photo", "drawing": "sheet", "required": True},
        {"name": "damage", "type": "photo", "drawing": "photo", "maxFiles": 2},
    )
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    sketch, damage = page.locator('[data-name="sketch"]'), page.locator('[data-name="damage"]')
    await sketch.get_by_role("button", name="Draw", exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await expect(sketch.get_by_role("img")).to_have_count(0)
    await sketch.get_by_role("button", name="Draw", exact=True).click()
    await expect(page.get_by_role("button", name="Keep drawing")).to_be_disabled()
    await scribble(page)
    assert await sketch.get_by_role("img").evaluate(SIZE_AND_RED) == [1200, 900, True]

    await choose(page, PICTURE)
    await choose(page, {**PICTURE, "name": "b.png"})
    before = await damage.get_by_role("img").nth(1).get_attribute("src")
    await damage.get_by_role("button", name="Draw on Photo 1").click()
    await scribble(page)
    assert (await damage.get_by_role("img").first.evaluate(SIZE_AND_RED))[:2] == [1, 1]
    assert await damage.get_by_role("img").nth(1).get_attribute("src") == before
    await page.reload()
    await expect(page.get_by_role("img")).to_have_count(3)
    await set_offline(phone.context, off=False)
    await send(page)
    data = await form.data()
    assert (len(data["sketch"]), len(data["damage"])) == (1, 2)
    phone.ignore_errors()


async def scribble(page: Page) -> None:
    """Draw two lines in the open dialog, take the second one back, and keep the drawing."""
    view = page.get_by_role("dialog")
    box = await view.locator("canvas").bounding_box()
    assert box
    for share in (0.2, 0.6):
        await page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] * 0.3)
        await page.mouse.down()
        await page.mouse.move(box["x"] + box["width"] * (share + 0.2), box["y"] + box["height"] * 0.7, steps=5)
        await page.mouse.up()
    await view.get_by_role("button", name="Undo").click()
    await view.get_by_role("button", name="Keep drawing").click()
    await expect(view).to_have_count(0)
