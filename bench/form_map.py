"""How soon the map of a form shows 100,000 positions. `python -m bench.form_map`.

The time begins when Chromium, which draws in software, is told to open the page, and ends when the first clusters are
visible. The server is a process of its own and uses the same cores.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import httpx
from fixtures import host_programs
from fixtures.browser import ARGUMENTS
from playwright.sync_api import sync_playwright

from bench import servers
from bench.datasources import peak_mb
from bench.submission_pages import database, insert_submissions, sign_in

GOAL_S, ROUNDS = 2.0, 5
FIELDS = [
    {"type": "text", "name": "site", "label": "Site"},
    {"type": "location", "name": "place", "label": "Place"},
    {"type": "textarea", "name": "remarks", "label": "Remarks"},
]
_REMARKS = "The gate was open; the crane stood still. Größe und Maß geprüft, nothing to add for now."
_LATITUDE, _LONGITUDE = (
    "(CAST(n AS bigint) * 7919 % 160000) / 1000.0 - 80",
    "(CAST(n AS bigint) * 104729 % 360000) / 1000.0 - 180",
)
_DATA = (
    f"{{}}('site', 'Harbour ' || n, 'remarks', '{_REMARKS}', 'place', {{}}('latitude', {_LATITUDE},"
    f" 'longitude', {_LONGITUDE}, 'accuracy', 5))"
)
_FUNCTIONS = {"sqlite": "json_object", "postgres": "jsonb_build_object"}
# As random as real ids, because the response is compressed.
_IDS = {
    "sqlite": "'sub_0' || substr(lower(hex(randomblob(13))), 2)",
    "postgres": "'sub_0' || substr(md5(n::text), 1, 25)",
}


def time_points(http: httpx.Client, path: str) -> tuple[float, int]:
    """Return the seconds until the positions have arrived, and their compressed size in bytes."""
    started = time.perf_counter()
    with http.stream("GET", path) as response:
        size = sum(len(chunk) for chunk in response.iter_raw())
    if response.status_code != 200:
        raise SystemExit(f"the figure would mean nothing: {response.status_code}")
    return time.perf_counter() - started, size


def time_picture(http: httpx.Client, url: str, prepare: Callable[[], object]) -> list[float]:
    """Return the seconds until the first clusters are visible, in several rounds; `prepare` runs before each."""
    cookies = [{"name": name, "value": value, "url": url} for name, value in http.cookies.items()]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=host_programs.chromium(), args=ARGUMENTS)
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.add_cookies(cookies)
        elapsed = []
        for _ in range(ROUNDS):
            prepare()
            page = context.new_page()
            started = time.perf_counter()
            page.goto(url, wait_until="commit")
            page.locator(".map-cluster").first.wait_for()
            elapsed.append(time.perf_counter() - started)
            page.close()
        browser.close()
    return elapsed


def measure(name: str, folder: Path, url: str, count: int) -> None:
    """Print the time of the positions, first and from the cache, and of the first picture."""
    with servers.run_formwright(folder, url) as server:
        demo = servers.create_demo(folder, url)
        api = httpx.Client(base_url=f"http://{server.host}", headers={"x-api-key": demo["apiKey"]})
        form = api.post("/api/v1.0/forms", json={"name": "Large", "fields": FIELDS, "publish": True}).json()
        other = {"data": _DATA.format(*[_FUNCTIONS[name]] * 2), "id": _IDS[name]}
        insert_submissions(folder, url, demo["customerId"], form, count, other)
        http, path = sign_in(server, demo), f"/forms/{form['id']}/map"
        before = peak_mb(server)
        first, size = time_points(http, f"{path}/points")
        cached = median(time_points(http, f"{path}/points")[0] for _ in range(ROUNDS))
        print(f"{name}: {count:,} positions, {size / 1e6:.1f} MB: {first:.2f} s, from the cache {cached:.2f} s")
        print(f"{name}: peak memory of the server {before:.0f} MB before, {peak_mb(server):.0f} MB after")
        submissions = f"/api/v1.0/customers/{demo['customerId']}/forms/{form['id']}/submissions"
        prepares: dict[str, Callable[[], object]] = {
            "after a change": lambda: api.post(submissions, json={"data": {"site": "New"}}).raise_for_status(),
            "from the cache": lambda: time_points(http, f"{path}/points"),
        }
        for state, prepare in prepares.items():
            elapsed = time_picture(http, f"http://{server.host}{path}", prepare)
            times = f"{median(elapsed):.2f} s, at worst {max(elapsed):.2f} s"
            print(f"{name}: first picture {state}: {times}; wanted {GOAL_S} s", flush=True)


def main() -> None:
    """Measure on both databases, or on the one that is named."""
    parser = argparse.ArgumentParser(prog="python -m bench.form_map", description=__doc__)
    parser.add_argument("--submissions", type=int, default=100_000)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    options = parser.parse_args()
    for name in ["sqlite", "postgres"] if options.database == "both" else [options.database]:
        with database(name) as (folder, url):
            measure(name, folder, url, options.submissions)


if __name__ == "__main__":
    main()
