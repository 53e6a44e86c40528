"""Lines and areas on the page: typed, added from the device, and recorded while walking."""

from fixtures.fill_pages import AccountApi, Phone, send, set_offline
from playwright.async_api import expect


async def test_a_line_is_walked_and_an_area_typed_offline(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "way", "type": "line", "required": True, "validIf": "distance(way) > 100.0", "message": "Too short"},
        {"name": "plot", "type": "area"},
        {"name": "size", "type": "decimal", "calculate": "round(area(plot))"},
        {"name": "rows", "type": "repeat", "min": 1, "fields": [{"name": "fence", "type": "line"}]},
    )
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    way, plot = page.locator('[data-name="way"]'), page.locator('[data-name="plot"]')
    await phone.context.set_geolocation({"latitude": 53.5, "longitude": 10, "accuracy": 6})
    await way.get_by_role("button", name="Record while walking").click()
    await expect(way.get_by_text("Points: 1")).to_be_visible()
    for latitude in (53.500001, 53.5005):
        await phone.context.set_geolocation({"latitude": latitude, "longitude": 10, "accuracy": 6})
    await expect(way.get_by_text("Points: 2 · 55.6 m")).to_be_visible()
    await page.get_by_role("button", name="Submit").click()
    await expect(way.get_by_text("Too short").first).to_be_visible()
    await phone.context.set_geolocation({"latitude": 53.502, "longitude": 10, "accuracy": 6})
    await expect(way.get_by_text("Points: 3 · 223 m")).to_be_visible()
    await way.get_by_role("button", name="Stop recording").click()
    await phone.context.set_geolocation({"latitude": 53.9, "longitude": 10, "accuracy": 6})

    await plot.get_by_role("button", name="Add my location").click()
    typed = plot.get_by_role("textbox")
    await expect(typed).to_have_value("53.9, 10")
    await typed.press_sequentially("\n53.9, 10.01\n53.91,")
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#problems")).to_contain_text("The format isn’t correct.")
    await expect(plot.get_by_role("button", name="Add my location")).to_be_focused()
    await typed.press_sequentially("10.01\n0, 0")
    await typed.press("Tab")
    await plot.get_by_role("button", name="Undo").click()
    await expect(typed).to_have_value("53.9, 10\n53.9, 10.01\n53.91, 10.01")
    await expect(plot.get_by_text("Points: 3 · 36.6 ha")).to_be_visible()
    await page.locator('[data-name="fence"]').get_by_role("textbox").fill("1, 2")
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#problems")).to_contain_text("Add at least 2 points.")
    await page.locator('[data-name="fence"]').get_by_role("textbox").fill("1, 2\n1, 3")

    await page.reload()
    await expect(typed).to_have_value("53.9, 10\n53.9, 10.01\n53.91, 10.01")
    await set_offline(phone.context, off=False)
    await send(page)
    data = await form.data()
    assert data["way"] == [{"latitude": one, "longitude": 10, "accuracy": 6} for one in (53.5, 53.5005, 53.502)]
    assert data["plot"][0] == {"latitude": 53.9, "longitude": 10, "accuracy": 6}
    assert 365_000 < data["size"] < 367_000
    assert data["rows"] == [{"fence": [{"latitude": 1, "longitude": 2}, {"latitude": 1, "longitude": 3}]}]
    phone.ignore_errors()
