"""How fast a form loads and responds in a real Chromium. `python -m bench.form_page`."""

import asyncio
import tempfile
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import httpx
from fixtures import host_programs
from fixtures.browser import ARGUMENTS, PHONE
from playwright.async_api import Browser, async_playwright
from unit.xlsform.workbooks import workbook as write_workbook

from bench import servers

ROUNDS = 15
FIELDS = 500
IMPORTED_FIELDS = (500, 1500)
COUNTRIES, REGIONS, TOWNS = 20, 400, 50_000
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
Times = tuple[str, list[float]]
"""What was measured, and the milliseconds."""
KINDS = ["integer", "select_one yn", "text", "decimal", "select_multiple yn", "calculate"]
OPENS_MS, REACTS_MS = 1000, 100

FIRST_FIELD_SCRIPT = """() => new Promise((resolve) => {
  const look = () => {
    const field = document.querySelector("#form input, #form textarea");
    if (field?.checkVisibility()) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Milliseconds from the start of the navigation until the first field is painted."""

REACTION_SCRIPT = """([name, value]) => new Promise((resolve) => {
  const field = document.querySelector(`[data-name="${name}"] input`);
  field.focus();
  const begun = performance.now();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, value);
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: value }));
  field.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true, key: value }));
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
})"""
"""Milliseconds from a typed character until its effect is painted."""


def cascade(datasource_id: str) -> list[dict[str, Any]]:
    """Return a country, a region that depends on it, and a town of the data source that depends on the region.

    The country and the region have an answer.
    """
    countries = [{"value": f"c{index}", "label": f"Country {index}"} for index in range(COUNTRIES)]
    regions = [
        {"value": f"r{index}", "label": f"Region {index}", "columns": {"country": f"c{index % COUNTRIES}"}}
        for index in range(REGIONS)
    ]
    filtered = {"optionFilter": "option.country == country", "options": regions}
    town = {"datasourceId": datasource_id, "display": ["name"], "filter": {"region": "region"}}
    return [
        {"name": "country", "label": "Country", "type": "choice", "default": "c7", "options": countries},
        {"name": "region", "label": "Region", "type": "choice", "default": "r27", **filtered},
        {"name": "town", "label": "Town", "type": "lookup", **town},
    ]


def towns() -> list[dict[str, Any]]:
    """Return the rows of the data source."""
    return [{"number": f"T-{i}", "name": f"Town {i}", "region": f"r{i % REGIONS}"} for i in range(TOWNS)]


def fields() -> list[dict[str, Any]]:
    """Return text and number fields: a third with visibility rules, a third with validation, a tenth calculated."""
    fields_ = []
    for index in range(FIELDS):
        field: dict[str, Any] = {"name": f"f{index}", "label": f"Field {index}", "type": "integer"}
        if index % 3 == 1:
            field["visibleIf"] = f"!answered.f{index - 1} || f{index - 1} < 900"
        if index % 3 == 2:
            field["validIf"] = f"f{index} < 1000"
        if index % 10 == 9:
            field["calculate"] = f"f{index - 3} + 1"
        fields_.append(field)
    return fields_


def workbook(count: int) -> bytes:
    """Return an XLSForm with groups of 25 fields, half of which depend on the first question of their group."""
    rows = [["type", "name", "label", "relevant", "constraint", "calculation"]]
    for start in range(0, count, 25):
        first = f"${{f{start + 1}}}"
        rows.append(["begin group", f"f{start}", f"Group {start}", "", "", ""])
        for index in range(start + 1, start + 25):
            kind = KINDS[(index - start - 1) % len(KINDS)]
            relevant = f"{first} != '' and {first} < 900" if kind in ("text", "decimal") else ""
            constraint = ". >= 0 and . < 1000" if kind in ("integer", "decimal") else ""
            calculation = f"coalesce({first}, 0) + {index}" if kind == "calculate" else ""
            rows.append([kind, f"f{index}", f"Question {index}", relevant, constraint, calculation])
        rows.append(["end group", "", "", "", "", ""])
    choices = [["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]
    return write_workbook({"survey": rows, "choices": choices})


async def measure_processor_time(browser: Browser, url: str, count: int) -> tuple[float, list[float], list[float]]:
    """Measure the processor time of the page's main thread in an imported form, in milliseconds: until the first field,
    for answers that show eight questions, and for the next character of these answers.
    """
    context = await browser.new_context(**PHONE)
    page = await context.new_page()
    client = await context.new_cdp_session(page)
    await client.send("Performance.enable", {"timeDomain": "threadTicks"})

    async def used_ms() -> float:
        metrics = (await client.send("Performance.getMetrics"))["metrics"]
        return next(1000 * metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    await page.goto(url, wait_until="commit")
    await page.evaluate(FIRST_FIELD_SCRIPT)
    loading = await used_ms()
    await page.locator(f'[data-name="f{count - 24}"] input').wait_for(state="attached", timeout=60_000)
    await page.wait_for_timeout(3000)
    reactions: dict[str, list[float]] = {"7": [], "71": []}
    for start in range(0, count, count // 10):
        for text, times in reactions.items():
            before = await used_ms()
            await page.evaluate(REACTION_SCRIPT, [f"f{start // 25 * 25 + 1}", text])
            times.append(await used_ms() - before)
    await context.close()
    return loading, reactions["7"], reactions["71"]


async def measure_imported(server: servers.Server, account: dict[str, str], count: int) -> list[Times]:
    """Import a form with so many fields, and measure it three times."""
    base, importing = f"http://{server.host}", f"/api/v1.0/forms/customer/{account['customerId']}/forms/import"
    async with httpx.AsyncClient(base_url=base, headers={"x-api-key": account["apiKey"]}, timeout=120) as http:
        query = {"name": f"Imported {count}", "publish": "true"}
        form = await http.post(importing, params=query, content=workbook(count), headers={"content-type": XLSX})
        form.raise_for_status()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=host_programs.chromium(), args=ARGUMENTS)
        found = [await measure_processor_time(browser, base + form.json()["fillPath"], count) for _ in range(3)]
        await browser.close()
    first, showing, typing = zip(*found, strict=True)
    return [
        (f"processor time until the first of {count} imported fields", list(first)),
        (f"processor time of an answer that shows questions among {count}", list(chain(*showing))),
        (f"processor time of another character among {count}", list(chain(*typing))),
    ]


async def measure_load(browser: Browser, url: str) -> float:
    """Measure the first load with an empty cache."""
    context = await browser.new_context(**PHONE)
    page = await context.new_page()
    await page.goto(url, wait_until="commit")
    times: float = await page.evaluate(FIRST_FIELD_SCRIPT)
    await context.close()
    return times


async def measure_reactions(browser: Browser, url: str) -> list[float]:
    """Measure reactions of fields all over the form, once it is fully rendered."""
    context = await browser.new_context(**PHONE)
    page = await context.new_page()
    await page.goto(url)
    await page.locator(f'[data-name="f{FIELDS - 2}"] input').wait_for(state="attached", timeout=60_000)
    await page.wait_for_timeout(2000)
    names = [f"f{index}" for index in range(0, FIELDS - 20, 48)]
    return [await page.evaluate(REACTION_SCRIPT, [name, value]) for name in names for value in ("7", "71")]


async def measure_cascade(browser: Browser, url: str) -> list[float]:
    """Measure reactions of fields next to a cascade, offline with all rows on the device."""
    context = await browser.new_context(**PHONE)
    page = await context.new_page()
    async with page.expect_response(lambda answer: "/rows" in answer.url, timeout=60_000):
        await page.goto(url)
    await page.locator(f'[data-name="f{FIELDS - 5}"] input').wait_for(state="attached", timeout=60_000)
    await page.wait_for_timeout(5000)
    await context.set_offline(True)
    names = [f"f{index}" for index in range(0, FIELDS - 20, 48)]
    reactions = [await page.evaluate(REACTION_SCRIPT, [name, value]) for name in names for value in ("7", "71")]
    await context.close()
    return reactions


async def measure(server: servers.Server, account: dict[str, str]) -> list[tuple[str, list[float], int | None]]:
    base = f"http://{server.host}"
    async with httpx.AsyncClient(base_url=base, headers={"x-api-key": account["apiKey"]}) as http:
        fields_ = await http.post("/api/v1.0/forms", json={"name": "Long", "fields": fields(), "publish": True})
        fields_.raise_for_status()
        rows = {"name": "Towns", "keyColumn": "number", "rows": towns()}
        source = await http.post(f"/api/v1.0/customers/{account['customerId']}/datasources", json=rows, timeout=120)
        source.raise_for_status()
        cascading = {"name": "Towns", "fields": [*cascade(source.json()["id"]), *fields()[:-3]], "publish": True}
        towns_ = await http.post("/api/v1.0/forms", json=cascading)
        towns_.raise_for_status()
    demo_url, long_url = base + urlsplit(account["fillUrl"]).path, base + fields_.json()["fillPath"]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=host_programs.chromium(), args=ARGUMENTS)
        await measure_load(browser, demo_url)
        opening = [await measure_load(browser, demo_url) for _ in range(ROUNDS)]
        long = [await measure_load(browser, long_url) for _ in range(5)]
        reacting = await measure_reactions(browser, long_url)
        beside = await measure_cascade(browser, base + towns_.json()["fillPath"])
        await browser.close()
    return [
        ("the demo form's first field", opening, OPENS_MS),
        (f"the first of {FIELDS} fields with rules", long, None),
        (f"an answer reacts among {FIELDS} fields", reacting, REACTS_MS),
        (f"an answer reacts among {FIELDS} fields with a cascade over {TOWNS:,} rows", beside, REACTS_MS),
    ]


def main() -> None:
    """Print the median, the worst and the goal of each, in milliseconds."""
    with tempfile.TemporaryDirectory(prefix="formwright-bench-") as name:
        folder = Path(name)
        with servers.run_formwright(folder, "") as server:
            account = servers.create_demo(folder, "")
            for count in IMPORTED_FIELDS:
                for name, times in asyncio.run(measure_imported(server, account, count)):
                    print(f"{name}: {median(times):.0f} ms at the median, {max(times):.0f} ms at worst")
            for name, times, goal in asyncio.run(measure(server, account)):
                goal = f"; wanted: {goal} ms" if goal else ""
                print(f"{name}: {median(times):.0f} ms at the median, {max(times):.0f} ms at worst{goal}")


if __name__ == "__main__":
    main()
