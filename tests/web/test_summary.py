"""The tab “Summary” of a form: its figures, filters, and what it shows without and with many submissions."""

import os
import re
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.realistic import WORD
from factories.requests import post
from factories.submissions import submission
from factories.users import built_in, member
from factories.web_client import visit
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import open_page
from playwright.async_api import Browser, Page, expect

from formwright.core.auth.actor import ResourceType
from formwright.domain.summaries.models import PeriodUnit
from formwright.domain.users.models import Grant
from formwright.web.views.forms.summary_cards import format_duration, format_period

MARKUP = "<img src=x onerror=\"document.title='run'\">"
OPTIONS = [{"value": f"o{number}", "label": f"Option {number}"} for number in range(30)]
FIELDS: list[dict[str, Any]] = [
    {"type": "choice", "name": "kind", "label": f"Kind {MARKUP}", "options": OPTIONS},
    {"type": "decimal", "name": "height", "label": "Height"},
    {"type": "textarea", "name": "remark", "label": "Remark"},
    {"type": "date", "name": "day", "label": "Day"},
    {"type": "location", "name": "spot", "label": "Spot"},
    {"type": "text", "name": "never", "label": "Never answered"},
    {
        "type": "repeat",
        "name": "visits",
        "label": "Visits",
        "fields": [{"type": "rating", "name": "stars", "label": "Stars"}],
    },
]


def answers(number: int) -> dict[str, Any]:
    return {
        "kind": f"o{number % 4}",
        "height": number * 1.5,
        "remark": f"{MARKUP} remark number {number}",
        "day": f"2026-03-{number + 1:02}",
        "spot": {"latitude": number, "longitude": -number},
        "visits": [{"stars": 1 + number % 5}] * (number % 3),
    }


async def test_the_page_has_the_figures_of_the_filtered_submissions(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    path = f"/forms/{new_form['id']}/summary"
    async with visit(account) as site:
        empty = (await site.http.get(path)).text
        assert "No submissions yet" in empty
        assert f'href="/forms/{new_form["id"]}/share"' in empty
        for number in range(8):
            await submission(account, new_form, data=answers(number))
        page = (await site.http.get(path)).text
        assert MARKUP not in page
        assert "8 of 8 submissions answered" in page
        assert "0 of 8 submissions answered" in page
        assert "Visits › Stars" in page
        assert "7 of 7 rows answered" in page
        assert "Option 29" in page
        assert f'href="/forms/{new_form["id"]}/map?field=spot"' in page
        assert page.rstrip().endswith("</html>")
        narrowed = (await site.http.get(f"{path}?answers.height%5Bgte%5D=9")).text
        assert "2 of 2 submissions answered" in narrowed
        assert "No matching submissions" in (await site.http.get(f"{path}?status=REJECTED")).text
        compared = (await site.http.get(f"{path}?split=kind")).text
        assert "Option 3, share" in compared, "a series per group"
        assert "Mean and median by group" in compared
        assert "No matching submissions" in (await site.http.get(f"{path}?answers.height=tall")).text


async def test_tabs_keep_the_comparison_and_chosen_columns_limit_the_fields(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    await submission(account, new_form, data=answers(1))
    home = f"/forms/{new_form['id']}"
    async with visit(account) as site:
        for path in (
            f"{home}/summary?split=kind",
            f"{home}/map?split=kind",
            f"/submissions?form={new_form['id']}&split=kind",
        ):
            page = (await site.http.get(path)).text
            assert f'href="{home}/summary?split=kind"' in page, path
            assert f'href="{home}/map?split=kind"' in page, path
        chosen = f"{home}/summary?split=kind&column=answers.height"
        page = (await site.http.get(chosen)).text
        assert ("Mean and median by group" in page, "Visits › Stars" in page) == (True, False)
        all_url = f"{chosen}&fields=all".replace("&", "&amp;")
        assert f'<a href="{all_url}">Show all fields</a>' in page
        page = (await site.http.get(f"{chosen}&fields=all")).text
        assert "Visits › Stars" in page
        assert "Show the chosen columns only" in page


async def test_the_order_of_charts_is_part_of_the_address_and_kept_by_views_and_tabs(account: Account) -> None:
    options = [{"value": one, "label": f"Size {one}"} for one in "SML"]
    new_form = await form(account, fields=[{"type": "choice", "name": "size", "label": "Size", "options": options}])
    for size in "MML":
        await submission(account, new_form, data={"size": size})
    home = f"/forms/{new_form['id']}"
    view = await post(account, f"/customers/{account.id}/views", {"name": "Mine", "formId": new_form["id"]})

    async with visit(account) as site:
        for query, sizes, other in (
            ("", ["S", "M", "L"], "charts=count"),
            ("charts=count", ["M", "L", "S"], ""),
            ("days=7&split=size&charts=count", ["M", "L", "S"], "days=7&amp;split=size"),
            (f"view={view['id']}&charts=count", ["M", "L", "S"], f"view={view['id']}"),
        ):
            page = (await site.http.get(f"{home}/summary?{query}")).text
            assert re.findall(r'<th scope="row" dir="auto">Size (.)<', page) == sizes, query
            assert f'href="{home}/summary{"?" if other else ""}{other}#answers"' in page, query
            assert (f'href="{home}/map?{query.replace("&", "&amp;")}"' in page) == bool(query), query
            assert (f'href="{home}/map"' in page) == (not query), query
            assert ('<input type="hidden" name="charts" value="count">' in page) == ("charts" in query), query


async def test_a_summary_stays_within_what_a_visitor_may_read(account: Account) -> None:
    inside, outside = await form(account, fields=FIELDS), await form(account, fields=FIELDS)
    for new_form in (inside, outside):
        await submission(account, new_form, data=answers(1))
    viewer = await member(account, Grant(await built_in(account, "Data viewer"), ResourceType.FORM, inside["id"]))
    async with visit(account, viewer.id) as site:
        assert "1 of 1 submission answered" in (await site.http.get(f"/forms/{inside['id']}/summary")).text
        assert (await site.http.get(f"/forms/{outside['id']}/summary")).status_code == 404


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.25, "0.2 s"), (42, "42 s"), (185, "3 min 5 s"), (7800, "2 h 10 min"), (3600, "1 h"), (273_600, "3 d 4 h")],
)
def test_durations_have_two_units(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("start", "unit", "text"),
    [
        ("2026-03-29T14:00", PeriodUnit.HOUR, "29 Mar, 14:00"),
        ("2026-03-30", PeriodUnit.WEEK, "30 Mar 2026"),
        ("0001-03-01", PeriodUnit.MONTH, "Mar 1"),
        ("1900-01-01", PeriodUnit.CENTURY, "1900"),
        ("14:00", PeriodUnit.HOUR_OF_DAY, "14:00"),
    ],
)
def test_periods_are_named_by_their_unit(start: str, unit: PeriodUnit, text: str) -> None:
    assert format_period(start, unit) == text


async def test_charts_are_drawn_and_nothing_runs(browser: Browser, person: Person) -> None:
    async with open_page(browser, viewport={"width": 1280, "height": 900}) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        async with person.client() as api:
            form = (await api.post("/api/v1.0/forms", json={"name": "Visit", "fields": FIELDS, "publish": True})).json()
            path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
            for number in range(8):
                assert (await api.post(path, json={"data": answers(number)})).status_code == 201
        await page.goto(person.path(f"/forms/{form['id']}"))
        await expect(page.locator("figure[data-ready]").first).to_be_visible()
        await expect(page.locator(".summary .card").nth(1)).to_contain_text(MARKUP)
        assert await page.evaluate("document.documentElement.scrollWidth") == 1280
        assert await axe.faults(page) == []
        await _picture(page)
        assert await page.title() != "run"
        assert watched.errors == []


@pytest.mark.slow
async def test_awkward_answers_have_right_figures_and_keep_the_layout(browser: Browser, person: Person) -> None:
    fields = [
        {"type": "choice", "name": "part", "label": WORD, "options": [
            {"value": f"p{number}", "label": f"{WORD} {number}"} for number in range(1000)
        ]},
        {"type": "text", "name": "name", "label": "Name"},
        {"type": "decimal", "name": "edge", "label": "Edge"},
    ]  # fmt: skip
    edges = [1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 0]
    async with person.client() as api:
        form = (await api.post("/api/v1.0/forms", json={"name": WORD, "fields": fields, "publish": True})).json()
        base = f"/api/v1.0/customers/{person.customer_id}"
        for start in range(0, 10_000, 1000):
            items = [
                {"op": "create", "formId": form["id"], "data": {
                    "part": f"p{number % 1000}", "edge": edges[number % 4],
                    "name": "same " + " ".join(f"{WORD[:80]}{number}x{part}" for part in range(6)),
                }}
                for number in range(start, start + 1000)
            ]  # fmt: skip
            response = await api.post(f"{base}/submissions/bulk", json={"items": items})
            assert response.status_code == 200, response.text
        parts, names, edge = (await api.get(f"{base}/forms/{form['id']}/summary")).json()["fields"]
    assert [one["count"] for one in parts["options"]] == [10] * 1000
    assert names["answered"] == 10_000
    assert names["texts"]["words"][0] == {"word": "same", "count": 10_000}
    assert not names["texts"]["wordsComplete"], "60,001 different words"
    found = edge["figures"]
    assert (found["minimum"], found["median"], found["maximum"]) == (edges[1], 0, edges[0])
    assert sum(one["count"] for one in found["histogram"]) == 10_000
    async with open_page(browser, viewport={"width": 390, "height": 844}) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/forms/{form['id']}"))
        await expect(page.locator("figure[data-ready]").first).to_be_visible()
        for width in (390, 1440):
            await page.set_viewport_size({"width": width, "height": 900})
            assert await page.evaluate("document.documentElement.scrollWidth") == width
        assert watched.errors == []
        await _picture(page, "awkward")


async def _picture(page: Page, name: str = "summary") -> None:
    """Save pictures at four widths in both color schemes, if `PICTURES` names a folder."""
    if folder := os.environ.get("PICTURES"):
        for width in (390, 768, 1024, 1440):
            for scheme in ("light", "dark"):
                await page.set_viewport_size({"width": width, "height": 1000})
                await page.emulate_media(color_scheme=scheme)
                await page.reload()
                for chart in await page.locator("figure[data-chart]").all():
                    await chart.scroll_into_view_if_needed()
                    await page.wait_for_timeout(300)
                await page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png", full_page=True)
