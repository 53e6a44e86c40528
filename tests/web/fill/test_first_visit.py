"""What the first visit to a form costs: few requests and bytes, because most people open one on a phone, once."""

import asyncio
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fixtures.counting_proxy import Traffic, count_traffic
from fixtures.fill_pages import AccountApi, Phone
from playwright.async_api import Route, expect

from formwright.web.bundles import FOLDER, load_manifest
from formwright.web.templating import asset

ROOT = Path(__file__).parents[3]
MAX_REQUESTS, MAX_BYTES = 8, 225_000
FIELDS = [
    {"name": "site", "type": "text", "required": True},
    {"name": "people", "type": "integer", "min": 0},
    {"name": "day", "type": "date"},
    {"name": "weather", "type": "choice", "options": [{"value": one, "label": one} for one in ("dry", "rain")]},
    {"name": "remarks", "type": "textarea"},
]


@pytest.fixture(scope="module", autouse=True)
def compressed_bundles() -> None:
    """A checkout does not compress its bundles, because that takes longer than to create them; a wheel does."""
    if not Path(f"{FOLDER / load_manifest()['fill.js'].file}.br").exists():
        subprocess.run([sys.executable, "scripts/assets.py", "--compress"], cwd=ROOT, check=True)


async def _visit(phone: Phone, url: str, traffic: Traffic) -> None:
    page = await phone.open(f"http://localhost:{traffic.port}{urlsplit(url).path}")
    await phone.wait_until_cached(page)
    await page.wait_for_load_state("networkidle")
    await page.close()


@pytest.mark.parametrize("language", ["en", "de"])
async def test_the_first_visit_to_a_form_is_light_and_the_second_loads_nothing(
    api: AccountApi, phone: Phone, language: str
) -> None:
    form = await api.create_form(*FIELDS, language=language)
    async with count_traffic(urlsplit(form.url).port or 0) as traffic:
        await _visit(phone, form.url, traffic)
        assert len(traffic.paths) <= MAX_REQUESTS, traffic.paths
        assert traffic.received <= MAX_BYTES
        assert len(set(traffic.paths)) >= len(traffic.paths) - 1, "only the page itself is loaded twice, to be stored"
        request_count = len(traffic.paths)
        await _visit(phone, form.url, traffic)
        assert [path for path in traffic.paths[request_count:] if "/static/" in path] == []


@pytest.mark.parametrize(
    ("field", "module"),
    [
        ({"type": "signature"}, "fill/widgets/device_widgets.js"),
        ({"type": "audio"}, "fill/widgets/device_widgets.js"),
        ({"type": "location"}, "fill/widgets/device_widgets.js"),
        ({"type": "rating"}, "survey-js-ui/later"),
        ({"type": "text", "pattern": "^a"}, "re2js/build/index.js"),
        ({"type": "text", "validIf": "it != 'x'"}, "fill/rule_compiler.js"),
        ({"type": "text", "validIf": "digest(it, 'MD5', 'hex') != 'x'"}, "fill/digest_algorithms.js"),
    ],
)
async def test_what_only_some_forms_need_is_loaded_by_these(
    api: AccountApi, phone: Phone, field: dict[str, str], module: str
) -> None:
    plain, special = await api.create_form(*FIELDS), await api.create_form({"name": "it", **field})
    loaded = []
    for form in (plain, special):
        page = await phone.open(form.url)
        await page.wait_for_load_state("networkidle")
        names = await page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
        loaded.append(any(name.endswith(asset(module)) for name in names))
    assert loaded == [False, True]


async def test_a_form_is_filled_in_before_its_patterns_are_loaded_and_checked_with_them(
    api: AccountApi, phone: Phone
) -> None:
    form = await api.create_form({"name": "site", "label": "Site", "type": "text", "pattern": "^[A-Z]"})
    has_typed = asyncio.Event()

    async def delay(route: Route) -> None:
        await has_typed.wait()
        await route.continue_()

    await phone.context.route(f"**{asset('re2js/build/index.js')}", delay)
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("north")
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#send")).to_have_attribute("aria-disabled", "true")
    await expect(page.locator("#problems")).to_be_hidden()
    has_typed.set()
    await expect(page.locator("#problems")).to_contain_text("Site")
    await page.get_by_label("Site").fill("North")
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#thanks")).to_be_visible()
