"""The component for charts: what it draws, says, lists and offers for download, in Chromium under our policy."""

import asyncio
import csv
import io
import os
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import pytest
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import open_page
from playwright.async_api import Browser, Page, Route, expect

from formwright.web.charts import Chart, ChartKind, ChartSeries, format_number, format_share
from formwright.web.templating import PAGE_HEADERS, template_environment

MARKUP = "<img src=x onerror=\"document.title='run'\">"
LONG = "A label that is much longer than its place, " * 8
TEMPLATE = """
{% extends "base.html" %}
{% from "_chart.html" import chart, chart_assets %}
{% block title %}Charts{% endblock %}
{% block head %}{{ chart_assets() }}{% endblock %}
{% block main %}
<h1>Charts</h1>
{% for one in charts %}<section class="card">{{ chart(one, 2) }}</section>{% endfor %}
{% endblock %}
"""


def charts() -> list[Chart]:
    options = [MARKUP, LONG, "=1+1", "שלום", *[f"Option {n}" for n in range(5, 1001)]]
    counts = [1000 - n for n in range(1000)]
    days = [f"{n} Nov" for n in range(1, 31)]
    yes, no = [3, 0, 7], [1, 5, None]
    return [
        Chart("options", "Which?", ChartKind.BARS, "Option", options, [ChartSeries("Responses", counts, 2000)]),
        Chart("age", "Age", ChartKind.COLUMNS, "Years", ["0 to 9", "10 to 19"], [ChartSeries("Responses", [2, 5])]),
        Chart("days", "Per day", ChartKind.LINE, "Day", days, [ChartSeries("Received", [n % 7 for n in range(30)])]),
        Chart(
            "split",
            "By answer",
            ChartKind.BARS,
            "Town",
            ["Berlin", "Roma", "Wien"],
            [ChartSeries("Yes", yes, 10), ChartSeries(MARKUP, no)],
            stacked=True,
        ),
        Chart("none", "Nothing", ChartKind.BARS, "Option", ["A"], [ChartSeries("Responses", [0], 0)]),
    ]


def test_shares_and_numbers_say_no_more_than_is_true() -> None:
    shares = [0, 0.0001, 0.004, 0.006, 0.5, 0.994, 0.9999, 1]
    assert [format_share(one) for one in shares] == ["0%", "<1%", "<1%", "1%", "50%", "99%", ">99%", "100%"]
    numbers = [0, -0.001, 1234567, 1.005, 2.5, 1.7976931348623157e308, -1e15]
    assert [format_number(one) for one in numbers] == ["0", "0", "1,234,567", "1", "2.5", "1.8e+308", "-1e+15"]


def test_the_text_alternative_names_the_largest_value() -> None:
    options, _, days, split, none = charts()
    assert options.text == f"Most: {MARKUP}, 1,000 of 2,000 (50%). The chart shows the first 20 of 1,000."
    assert days.text == "Most: 7 Nov, 6."
    assert split.text == "Most: Wien (Yes), 7 of 10 (70%)."
    assert none.text == "No data yet."


@dataclass(slots=True)
class ChartPage:
    """A page of the server with charts, and nothing else that is not on every page."""

    page: Page
    url: str

    async def open(self, direction: str = "ltr") -> None:
        html = (
            template_environment()
            .from_string(TEMPLATE)
            .render(charts=charts(), me=None, account=None, may=(), section="", csrf="")
        )

        async def answer(route: Route) -> None:
            body = html.replace('<html lang="en"', f'<html lang="en" dir="{direction}"')
            await route.fulfill(body=body, content_type="text/html; charset=utf-8", headers=dict(PAGE_HEADERS))

        await self.page.unroute_all()
        await self.page.route(self.url, answer)
        await self.page.goto(self.url)

    async def download(self, chart: str, kind: str) -> bytes:
        await self.page.locator(f"#{chart} figcaption summary").click()
        async with self.page.expect_download() as loading:
            await self.page.locator(f"#{chart} [data-download={kind}]").click()
        file = await loading.value
        assert file.suggested_filename == f"{chart}.{kind}"
        return await asyncio.to_thread((await file.path()).read_bytes)


async def drawn_colors(page: Page, chart: str) -> int:
    """Return how many pixels of a chart have the first colour of the page's scheme."""
    return int(
        await page.evaluate(
            """(id) => {
              const color = getComputedStyle(document.documentElement).getPropertyValue("--chart-1").trim();
              const [r, g, b] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
              const canvas = document.querySelector(`#${id} canvas`);
              const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
              let count = 0;
              for (let at = 0; at < data.length; at += 4)
                if (data[at] === r && data[at + 1] === g && data[at + 2] === b) count += 1;
              return count;
            }""",
            chart,
        )
    )


@pytest.mark.slow
async def test_charts_in_a_browser(browser: Browser, person: Person) -> None:
    async with open_page(browser, viewport={"width": 1024, "height": 900}, color_scheme="light") as watched:
        page = watched.page
        shown = ChartPage(page, person.path("/charts"))
        await axe.bring(page)
        await shown.open()
        await expect(page.locator("figure[data-ready]")).not_to_have_count(0)
        assert await page.locator("#split[data-ready]").count() == 0, "not in view yet"
        await page.locator("#split").scroll_into_view_if_needed()
        await expect(page.locator("figure[data-ready]")).to_have_count(4)
        assert await page.locator("#none canvas").is_hidden(), "nothing to draw"
        assert await drawn_colors(page, "options") > 5000
        assert await axe.faults(page) == []

        before = await page.locator("#days").get_attribute("data-ready")
        await page.emulate_media(color_scheme="dark")
        await expect(page.locator("#days")).not_to_have_attribute("data-ready", before or "")
        assert await drawn_colors(page, "days") > 100, "in the colours of the dark scheme"
        assert await axe.faults(page) == []

        rows = list(csv.reader(io.StringIO((await shown.download("options", "csv")).decode("utf-8-sig"))))
        assert rows[:4] == [
            ["Option", "Responses", "Share"],
            [MARKUP, "1000", "0.5"],
            [LONG, "999", "0.4995"],
            ["'=1+1", "998", "0.499"],
        ]
        assert len(rows) == 1001
        assert (await shown.download("days", "png")).startswith(b"\x89PNG")
        svg = ET.fromstring(await shown.download("options", "svg"))
        texts = [text.text or "" for text in svg.iter("{http://www.w3.org/2000/svg}text")]
        assert "Which?" in texts
        assert "\u2068Others (980)\u2069" in texts, "the bars that are drawn"
        assert "1,000 · 50%" in texts
        assert len(list(svg.iter("{http://www.w3.org/2000/svg}path"))) > 20
        assert await page.title() != "run"
        assert watched.errors == []
        if folder := os.environ.get("PICTURES"):
            for name, width, scheme in (("ltr", 1024, "light"), ("rtl", 1024, "dark"), ("ltr", 390, "light")):
                await page.set_viewport_size({"width": width, "height": 900})
                await page.emulate_media(color_scheme=scheme)
                await shown.open(name)
                await page.locator("#split").scroll_into_view_if_needed()
                await expect(page.locator("figure[data-ready]")).to_have_count(4)
                await page.wait_for_timeout(300)
                await page.screenshot(path=f"{folder}/charts-{name}-{width}-{scheme}.png", full_page=True)
