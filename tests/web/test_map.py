"""The map of a form: which positions its script gets, and how people use it in a browser."""

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from actors import Account
from factories.forms import form
from factories.submissions import started, submission
from factories.users import built_in, member
from factories.web_client import visit
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import open_page
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.async_api import Browser, Page, expect

from formwright.core.auth.actor import ResourceType
from formwright.core.pagination import Window
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.location_fields import OWN_LOCATION, location_paths
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.geojson import placed
from formwright.domain.submissions.models import SubmissionFilter
from formwright.domain.users.models import Grant

MARKUP = "<img src=x onerror=\"document.title='run'\">"
FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": f"Site {MARKUP}"},
    {"type": "location", "name": "place", "label": "Place"},
    {
        "type": "repeat",
        "name": "visits",
        "label": "Visits",
        "fields": [
            {"type": "location", "name": "spot", "label": "Spot"},
            {"type": "line", "name": "fence", "label": "Fence"},
            {
                "type": "repeat",
                "name": "stops",
                "label": "Stops",
                "fields": [{"type": "location", "name": "stop", "label": "Stop"}],
            },
        ],
    },
    {"type": "area", "name": "plot", "label": "Plot"},
]
DEGREES = st.sampled_from([-180, -90, 0, 90, 180, -90.0000001, 180.5, 1e-7, 10**30, True, "5", None]) | st.floats(
    -200, 200, allow_nan=False
)
PLACES = st.fixed_dictionaries({"latitude": DEGREES, "longitude": DEGREES}) | st.sampled_from([None, "x", [], {}])
SHAPES = PLACES | st.lists(PLACES, max_size=3)
STOPS = st.fixed_dictionaries({"stop": PLACES})


def at(longitude: float, latitude: float) -> dict[str, float]:
    return {"latitude": latitude, "longitude": longitude}


async def points(account: Account, form_id: str, query: str = "") -> list[Any]:
    """Return what the script of the map gets."""
    async with visit(account) as site:
        response = await site.http.get(f"/forms/{form_id}/map/points{query}")
    assert response.status_code == 200, response.text
    return located(response.json()["points"])


def located(items: list[Any]) -> list[list[Any]]:
    """Return the positions of these items, four for each, without those of submissions that have none."""
    return [items[index : index + 4] for index in range(0, len(items), 4) if items[index]]


async def test_the_script_gets_the_positions_of_the_filtered_list(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    spots = [(180, 90), (-180, -90), (13.4049512, -52.5)]
    ids = [
        (await submission(account, new_form, data={"site": f"n{n}", "place": at(*spot)}, location=at(n, n)))["id"][4:]
        for n, spot in enumerate(spots)
    ]
    rows = await submission(
        account, new_form, data={"site": "rows", "visits": [{"spot": at(1, 2)}, {}, {"spot": at(3, 4)}]}
    )
    newest_first = [[ids[2], 0, 13.404951, -52.5], [ids[1], 0, -180, -90], [ids[0], 0, 180, 90]]
    assert await points(account, new_form["id"]) == newest_first
    assert await points(account, new_form["id"]) == newest_first, "from the cache"
    one, three = [rows["id"][4:], 1, 1, 2], [rows["id"][4:], 3, 3, 4]
    assert await points(account, new_form["id"], "?field=spot") == [one, three]
    assert [point[2:] for point in await points(account, new_form["id"], "?field=_location")] == [
        [2, 2],
        [1, 1],
        [0, 0],
    ]
    assert await points(account, new_form["id"], "?answers.site=n1") == newest_first[1:2]
    assert await points(account, new_form["id"], "?status=APPROVED") == []
    assert await points(account, new_form["id"], "?answers.nobody=1") == [], "an invalid filter shows nothing"
    await account.api.delete(f"/api/v1.0/customers/{account.id}/submissions/sub_{ids[1]}")
    assert await points(account, new_form["id"]) == [newest_first[0], newest_first[2]]


async def test_the_map_shows_no_more_than_the_visitor_may_read(account: Account) -> None:
    mine, other = await form(account, fields=FIELDS), await form(account, fields=FIELDS)
    own, foreign = [(await submission(account, created, data={"place": at(1, 2)}))["id"] for created in (mine, other)]
    role = await built_in(account, "Form manager")
    user = await member(account, Grant(role, ResourceType.FORM, mine["id"]), name="Ann")
    async with visit(account, user.user_id or "") as site:
        read = (await site.http.get(f"/forms/{mine['id']}/map/points")).json()["points"]
        assert [f"sub_{point[0]}" for point in located(read)] == [own]
        for path in ("map", "map/points", f"map/submissions?id={foreign}"):
            assert (await site.http.get(f"/forms/{other['id']}/{path}")).status_code == 404
        details = (await site.http.get(f"/forms/{mine['id']}/map/submissions?id={foreign}&id={own}&id=x")).json()
        assert [one["id"] for one in details] == [own]
        chosen = (await site.http.get(f"/forms/{mine['id']}/map/submissions?column=id&id={own}")).json()
        assert chosen[0]["answers"] == [["ID", own]], "the columns of a view"
    async with visit(account) as site:
        details = (await site.http.get(f"/forms/{mine['id']}/map/submissions?id={foreign}")).json()
        assert details == [], "a submission of another form"


def rows_of(row: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Rows of a repeat, and what else a draft may have in their place."""
    return st.lists(row | st.just("x"), max_size=3) | st.just("no")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    place=PLACES,
    plot=SHAPES,
    rows=rows_of(st.fixed_dictionaries({"spot": PLACES, "fence": SHAPES, "stops": rows_of(STOPS)})),
)
async def test_databases_read_positions_like_the_api(account: Account, place: Any, plot: Any, rows: Any) -> None:
    new_form = await form(account, fields=FIELDS)
    draft = await started(account, new_form, "page1", place=place, plot=plot, visits=rows)
    paths = location_paths(msgspec.convert(FIELDS, list[AnyField]))
    for path in (*paths, OWN_LOCATION):
        async with account.ctx.db.reading() as tx:
            filter_ = SubmissionFilter(form_ids=[new_form["id"]])
            page = await submissions.positions_page(tx, account.actor, filter_, path, Window(10))
        found = [
            [
                draft.id[4:],
                one.rows[0] if one.rows else 0,
                pytest.approx(one.positions[0].longitude, abs=1e-6),
                one.positions[0].latitude,
            ]
            for one in placed(draft, path)
            if one.positions
        ]
        read = located(msgspec.json.decode(b"[%b]" % page.items))
        assert [one[:3] for one in read] == [one[:3] for one in found]
        assert [one[3] for one in read] == pytest.approx([one[3] for one in found], abs=1e-6)


async def test_the_basemap_file_is_sent_in_parts(account: Account, tmp_path: Path) -> None:
    file = tmp_path / "world.pmtiles"
    file.write_bytes(b"PMTiles\3" + bytes(range(100)))
    new_form = await form(account, fields=FIELDS)
    links = {link: f"/fill/{link}/basemap.pmtiles" for link in (new_form["fillPath"].rpartition("/")[2], "x" * 26)}
    settings_before = account.ctx.settings
    try:
        object.__setattr__(settings_before, "map_file", file)
        async with visit(account) as site:
            part = await site.http.get("/basemap.pmtiles", headers={"range": "bytes=8-11"})
            assert (part.status_code, part.content) == (206, bytes(range(4)))
            assert part.headers["content-range"] == "bytes 8-11/108"
            beyond = await site.http.get("/basemap.pmtiles", headers={"range": "bytes=108-120"})
            assert beyond.status_code == 416
        async with account.stage.client() as nobody:
            assert (await nobody.get("/basemap.pmtiles")).status_code == 303
            begins = {"range": "bytes=100-"}
            assert [(await nobody.get(path, headers=begins)).status_code for path in links.values()] == [206, 404]
            assert [(await nobody.get(path)).status_code for path in links.values()] == [400, 404], "without a range"
    finally:
        object.__setattr__(settings_before, "map_file", None)
    async with visit(account) as site:
        assert (await site.http.get("/basemap.pmtiles")).status_code == 404


async def test_only_pages_with_a_map_may_load_tiles(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    object.__setattr__(account.ctx.settings, "map_tiles", "https://tiles.example.org:8443/{z}/{x}/{y}.png?key=1;2")
    try:
        async with visit(account) as site:
            page, other = [await site.http.get(f"/forms/{new_form['id']}/{tab}") for tab in ("map", "share")]
            filled = await site.http.get(new_form["fillPath"])
    finally:
        object.__setattr__(account.ctx.settings, "map_tiles", "")
    for found in (page, filled):
        assert "img-src 'self' https://tiles.example.org:8443 data:" in found.headers["content-security-policy"]
    assert "tiles.example.org" not in other.headers["content-security-policy"]


async def _fill(person: Person) -> str:
    """Create a form with submissions around Berlin, at one spot, on both sides of the date line and at a pole."""
    berlin = [(13.3 + n % 20 / 100, 52.4 + n // 20 / 100) for n in range(60)]
    spots = [*berlin, *[(10.0, 10.0)] * 3, (179.9, -17), (-179.9, -17), (0, 90)]
    async with person.client() as http:
        body = {"name": f"Visit {MARKUP}", "fields": FIELDS, "publish": True}
        form = (await http.post("/api/v1.0/forms", json=body)).json()
        path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
        for n, spot in enumerate(spots):
            data = {"site": f"{'pole' if n == len(spots) - 1 else 'other'}{MARKUP}", "place": at(*spot)}
            assert (await http.post(path, json={"data": data})).status_code == 201
    return person.path(f"/forms/{form['id']}/map")


async def _picture(page: Page, name: str) -> None:
    """Save pictures at four widths in both color schemes, if `PICTURES` names a folder."""
    if folder := os.environ.get("PICTURES"):
        for width in (390, 768, 1024, 1440):
            for scheme in ("light", "dark"):
                await page.set_viewport_size({"width": width, "height": 1000})
                await page.emulate_media(color_scheme=scheme)
                await page.reload()
                await page.locator("#map[data-ready]").wait_for()
                await page.wait_for_timeout(700)
                await page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png")


@pytest.mark.slow
async def test_people_use_the_map_with_mouse_and_keyboard(browser: Browser, person: Person) -> None:
    async with open_page(browser, viewport={"width": 1280, "height": 900}) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        url = await _fill(person)
        await page.goto(url)
        await expect(page.locator("#map-summary")).to_have_text("66 positions.")
        clusters = page.locator(".map-cluster")
        await expect(clusters.filter(has_text="60")).to_have_count(1)
        await expect(page.locator("#in-view-list li")).to_have_count(20)
        assert await axe.faults(page) == []
        await _picture(page, "map")
        await page.set_viewport_size({"width": 1280, "height": 900})

        await clusters.filter(has_text="60").click()
        await expect(clusters.filter(has_text="60")).to_have_count(0)

        await page.reload()
        # The keyboard: a cluster at one spot opens the list of its submissions.
        same = page.get_by_role("button", name="3 positions")
        await same.press("Enter")
        popup = page.locator(".map-popup")
        await expect(popup.locator("article")).to_have_count(3)
        await expect(popup.locator("a").first).to_be_focused()
        await expect(popup.locator("dd").first).to_have_text(f"other{MARKUP}")
        assert await axe.faults(page) == []
        await page.keyboard.press("Escape")
        await expect(popup).to_have_count(0)

        await page.goto(f"{url}?answers.site[contains]=pole")
        await expect(page.locator("#map-summary")).to_have_text("1 position.")
        point = page.get_by_role("button", name="Position 90.00000° N, 0.00000° E")
        box = await point.bounding_box()
        frame = await page.locator("#map").bounding_box()
        assert box
        assert frame
        assert frame["y"] <= box["y"] <= frame["y"] + frame["height"] - box["height"], "the pole is within the map"
        await point.click()
        await popup.get_by_role("link").click()
        await page.wait_for_url("**/submissions/sub_*")
        await expect(page.locator(".map.small .map-point")).to_have_count(1)
        assert await axe.faults(page) == []
        await _picture(page, "submission")
        assert await page.title() != "run"
        assert watched.errors == []


@pytest.mark.slow
async def test_both_sides_of_the_date_line_are_next_to_each_other(browser: Browser, person: Person) -> None:
    async with open_page(browser, viewport={"width": 800, "height": 900}) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        async with person.client() as http:
            body = {"name": "Fiji", "fields": FIELDS, "publish": True}
            form = (await http.post("/api/v1.0/forms", json=body)).json()
            path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
            for spot in ((179, -17), (-179, -17)):
                await http.post(path, json={"data": {"place": at(*spot)}})
        await page.goto(person.path(f"/forms/{form['id']}/map"))
        await expect(page.locator(".map-point")).to_have_count(2)
        east = await page.get_by_role("button", name="Position 17.00000° S, 179.00000° E").bounding_box()
        west = await page.get_by_role("button", name="Position 17.00000° S, 179.00000° W").bounding_box()
        assert east
        assert west
        assert 0 < west["x"] - east["x"] < 700, "zoomed in to both, in their order"
        assert watched.errors == []
