"""Media beside questions and options on the page."""

import io
import struct
import wave
from typing import Any

import pytest
from fixtures.fill_pages import AccountApi, Form, Phone, set_offline
from PIL import Image
from playwright.async_api import Locator, expect


def picture(width: int, color: str) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (width, width // 2), color).save(content, "PNG")
    return content.getvalue()


def sound() -> bytes:
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(struct.pack("<h", 0) * 8000)
    return content.getvalue()


async def attach(api: AccountApi, form: Form, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        response = await api.http.post(
            f"/api/v1.0/forms/customer/{api.customer_id}/forms/{form.id}/media",
            params={"name": name},
            content=content,
            headers={"content-type": "application/octet-stream"},
        )
        assert response.status_code == 201, response.text


async def loaded_width(image: Locator) -> int:
    """Return the width of an image, 0 if it could not be loaded."""
    await image.scroll_into_view_if_needed()
    await image.evaluate("one => one.decode().catch(() => {})")
    return int(await image.evaluate("one => one.naturalWidth"))


DURATION = """one => new Promise((done) => {
    one.onloadedmetadata = () => done(one.duration);
    one.load();
    one.preload = "auto";
})"""
OPTIONS: list[dict[str, Any]] = [
    {"value": f"o{number}", "label": f"Option {number}", "media": {"image": "map.png"}} for number in range(10)
]


@pytest.mark.slow
async def test_media_are_shown_in_the_language_and_offline(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "site", "type": "text", "label": {"en": "**Site**", "de": "Ort"}, "hint": "Where",
         "media": {"image": {"en": "map.png", "de": "karte.png"}, "bigImage": "large.png", "audio": "a.wav"}},
        {"name": "kind", "type": "choice", "options": OPTIONS},
        {"name": "order", "type": "ranking", "options": OPTIONS[:2]},
        {"name": "told", "type": "note", "label": "Note", "media": {"image": "map.png", "alt": "A map of **it**"}},
        {"name": "part", "type": "section", "media": {"image": "missing.png", "video": "map.png"}, "fields": [
            {"name": "rows", "type": "repeat", "min": 1, "fields": [
                {"name": "count", "type": "integer", "media": {"image": "karte.png"}}]}]},
    )  # fmt: skip
    files = {"map.png": picture(300, "blue"), "karte.png": picture(200, "red"), "large.png": picture(900, "green")}
    await attach(api, form, files | {"a.wav": sound()})
    page = await phone.open(form.url)
    image = page.get_by_role("img", name="Site", exact=True)
    assert await loaded_width(image) == 300
    await page.locator("button.media-zoom").click()
    await expect(page.locator("button.media-zoom")).to_have_attribute("aria-expanded", "true")
    assert await loaded_width(image) == 900
    assert await loaded_width(page.get_by_role("img", name="A map of it")) == 300
    assert await page.locator(".sd-radio img").count() == 10
    assert await page.locator(".ranking img").count() == 2
    assert await loaded_width(page.get_by_role("img", name="Count")) == 200
    await page.locator(".sd-radio img").nth(3).click()
    await expect(page.get_by_role("radio", name="Option 3")).to_be_checked()
    assert await page.locator("audio").evaluate(DURATION) == 1
    await page.locator("#language").select_option("de")
    assert await loaded_width(page.get_by_role("img", name="Ort", exact=True)) == 200
    await phone.wait_until_cached(page)
    await page.close()
    await set_offline(phone.context)
    page = await phone.open(form.url)
    assert await loaded_width(page.get_by_role("img", name="Ort", exact=True)) == 200
    assert await page.locator("audio").evaluate(DURATION) == 1
    phone.ignore_errors()
