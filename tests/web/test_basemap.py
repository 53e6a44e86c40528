"""The operator's PMTiles file as the background of maps, in a browser."""

import asyncio
from pathlib import Path

import pytest
from fixtures import axe
from fixtures.accounts import account_factory
from fixtures.browser import open_page
from fixtures.client_generators import program, run
from fixtures.server_process import Server
from playwright.async_api import Browser, expect

# The file ends at zoom 5, and the map begins at a higher one.
WRITE = """
import struct, sys
import numpy
from pyogrio.raw import write
ring = [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4), (-0.5, -0.4)]
polygon = struct.pack("<BIII", 1, 3, 1, len(ring)) + b"".join(struct.pack("<dd", *point) for point in ring)
write(sys.argv[1], numpy.array([polygon], object), [numpy.array(["earth"], object)], ["kind"], driver="PMTiles",
    geometry_type="Polygon", crs="EPSG:4326", layer="earth")
"""
COLOR = """(at_edge) => {
  const tiles = [...document.querySelectorAll("#map canvas")];
  const frame = document.getElementById("map").getBoundingClientRect();
  const [x, y] = [frame.left + frame.width / 2, frame.top + (at_edge ? 20 : frame.height / 2)];
  for (const tile of tiles) {
    const box = tile.getBoundingClientRect();
    if (box.left > x || box.right <= x || box.top > y || box.bottom <= y) continue;
    const [ratio, context] = [tile.width / box.width, tile.getContext("2d")];
    return [...context.getImageData((x - box.left) * ratio, (y - box.top) * ratio, 1, 1).data.slice(0, 3)].join();
  }
}"""
EARTH, WATER = "226,223,218", "204,204,204"


@pytest.mark.slow
async def test_the_basemap_is_drawn_from_the_file(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "earth.pmtiles"
    await asyncio.to_thread(run, program("python"), "-c", WRITE, str(file))
    server = Server(tmp_path, MAP_FILE=str(file), MAP_ATTRIBUTION="© <b>Surveyors</b> & Co")
    await server.start()
    try:
        async with (
            account_factory(server) as accounts,
            open_page(browser, viewport={"width": 800, "height": 900}) as seen,
        ):
            page, person = seen.page, await accounts.create_account()
            await axe.bring(page)
            async with person.client() as http:
                fields = [{"type": "location", "name": "place", "label": "Place"}]
                form = (
                    await http.post("/api/v1.0/forms", json={"name": "V", "fields": fields, "publish": True})
                ).json()
                path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
                for longitude in (-0.6, 0.6):
                    await http.post(path, json={"data": {"place": {"latitude": 0, "longitude": longitude}}})
            await person.sign_in_browser(page)
            await page.goto(person.path(f"/forms/{form['id']}/map"))
            await expect(page.locator(".map-point")).to_have_count(2)
            await expect(page.get_by_text("© <b>Surveyors</b> & Co")).to_be_visible()
            for _ in range(100):  # The policy of the page keeps wait_for_function from polling.
                if await page.evaluate(COLOR, False) == EARTH:
                    break
                await page.wait_for_timeout(100)
            assert await page.evaluate(COLOR, False) == EARTH
            assert await page.evaluate(COLOR, True) == WATER
            assert await axe.faults(page) == []
            assert [url for url in seen.requests if "countries" in url] == [], "no outlines"
            assert seen.errors == []
    finally:
        server.close()
