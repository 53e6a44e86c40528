"""Lines and areas on the page: typed, added from the device, and recorded while walking."""

import pytest
from fixtures.fill_pages import AccountApi, Phone, send, set_offline
from playwright.async_api import expect

CORNERS = [{"latitude": 50, "longitude": 10}, {"latitude": 50, "longitude": 11}, {"latitude": 51.5, "longitude": 11}]
DITCH = {"name": "ditch", "type": "line", "default": CORNERS[:2]}


@pytest.mark.slow
async def test_a_line_is_walked_and_an_area_typed_offline(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "way", "type": "line", "required": True, "validIf": "distance(way) > 100.0", "message": "Too short"},
        {"name": "plot", "type": "area"},
        {"name": "size", "type": "decimal", "calculate": "round(area(plot))"},
        {"name": "rows", "type": "repeat", "min": 1, "fields": [{"name": "fence", "type": "line"}, DITCH]},
        {"name": "border", "type": "area", "default": CORNERS},
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
    fence = [{"latitude": 1, "longitude": 2}, {"latitude": 1, "longitude": 3}]
    assert data["rows"] == [{"fence": fence, "ditch": CORNERS[:2]}]
    assert data["border"] == CORNERS
    phone.ignore_errors()


@pytest.mark.slow
async def test_points_are_placed_on_a_map_offline(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "place", "type": "location"}, {"name": "way", "type": "line"}, {"name": "plot", "type": "area"}
    )
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    fields = {name: page.locator(f'[data-name="{name}"]') for name in ("place", "way", "plot")}
    for field in fields.values():
        await field.get_by_role("button", name="Show map").click()
        await expect(field.locator(".map[data-ready]")).to_be_focused()
        await expect(field.locator(".map-land").first).to_be_attached()

    for position in ({"x": 60, "y": 80}, {"x": 120, "y": 140}):
        await fields["place"].locator(".map").click(position=position)
        await fields["way"].locator(".map").click(position=position)
    await expect(fields["place"].locator(".map-point")).to_have_count(1)
    await expect(fields["way"].locator(".map-point")).to_have_count(2)
    await expect(fields["way"].locator(".map-shape")).to_have_count(1)
    plot = fields["plot"].locator(".map")
    await plot.press("Enter")
    for key in ("ArrowRight", "ArrowDown"):
        await plot.press(key)
        await expect(fields["plot"].locator(".leaflet-pan-anim")).to_have_count(0)
        await fields["plot"].get_by_role("button", name="Place a point in the middle").click()
        await plot.focus()
    await expect(fields["plot"].get_by_text("Points: 3")).to_be_visible()
    await fields["plot"].get_by_role("button", name="Hide map").click()
    await expect(plot).to_be_hidden()

    await set_offline(phone.context, off=False)
    await send(page)
    data = await form.data()
    west, east = data["way"]
    assert (data["place"], west["longitude"] < east["longitude"], west["latitude"] > east["latitude"]) == (
        east,
        True,
        True,
    )
    first, right, below = data["plot"]
    assert first == {"latitude": 53.541112, "longitude": 9.99}
    assert right["longitude"] > first["longitude"]
    assert below["latitude"] < right["latitude"]
    phone.ignore_errors()
