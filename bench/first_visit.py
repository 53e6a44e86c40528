"""How long the first and the second visit to a form take on slow networks. `python -m bench.first_visit`.

With `--before FOLDER`, a checkout of an earlier version with its assets (`make assets`), both are measured in one run,
in turns.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from fixtures import host_programs
from fixtures.browser import ARGUMENTS, PHONE
from playwright.async_api import Browser, BrowserContext, CDPSession, async_playwright

from bench import servers
from bench.form_page import FIRST_FIELD_SCRIPT

ROUNDS = 7
NETWORKS = {"560 ms, 50 kB/s": (560, 50_000), "300 ms, 200 kB/s": (300, 200_000)}
"""The latency of each request in milliseconds, and the bytes per second in each direction."""
WEATHER = [{"value": value, "label": value} for value in ("dry", "rain", "snow")]
FORMS: Mapping[str, list[dict[str, Any]]] = {
    "plain": [
        {"name": "site", "label": "Site", "type": "text", "required": True},
        {"name": "people", "label": "People on site", "type": "integer", "min": 0},
        {"name": "day", "label": "Day", "type": "date"},
        {"name": "weather", "label": "Weather", "type": "choice", "options": WEATHER},
        {"name": "remarks", "label": "Remarks", "type": "textarea"},
    ],
    "with rules, a repeat and a rating": [
        {"name": "site", "label": "Site", "type": "text", "required": True, "pattern": "^[A-Z]"},
        {"name": "safe", "label": "Is it safe?", "type": "boolean"},
        {"name": "why", "label": "Why not?", "type": "textarea", "visibleIf": "!safe"},
        {"name": "order", "label": "Order", "type": "rating"},
        {
            "name": "tools",
            "label": "Tools",
            "type": "repeat",
            "fields": [{"name": "tool", "label": "Tool", "type": "text"}],
        },
    ],
}


@dataclass(frozen=True, slots=True)
class Visit:
    """The milliseconds until the first field is painted, and what had been transferred when all was loaded."""

    ms: float
    requests: int
    kilobytes: float


class Traffic:
    """Counts the requests of a page that reach the network, and the bytes of their responses."""

    def __init__(self) -> None:
        self.requests, self.bytes = 0, 0
        self._cached: set[str] = set()

    async def watch(self, session: CDPSession) -> None:
        session.on("Network.requestServedFromCache", lambda event: self._cached.add(event["requestId"]))
        session.on("Network.responseReceived", self._received)
        session.on("Network.loadingFinished", self._finished)
        await session.send("Network.enable")

    def _received(self, event: Any) -> None:
        answer = event["response"]
        is_local = answer.get("fromDiskCache") or answer.get("fromServiceWorker") or answer["url"].startswith("data:")
        if is_local or event["requestId"] in self._cached:
            self._cached.add(event["requestId"])
        else:
            self.requests += 1

    def _finished(self, event: Any) -> None:
        if event["requestId"] not in self._cached:
            self.bytes += event["encodedDataLength"]


async def visit(context: BrowserContext, url: str, network: tuple[int, int]) -> Visit:
    """Open a form in a new page of this context, whose cache is what earlier visits left in it."""
    page = await context.new_page()
    session, traffic = await context.new_cdp_session(page), Traffic()
    await traffic.watch(session)
    latency, bytes_per_second = network
    throughput = {"downloadThroughput": bytes_per_second, "uploadThroughput": bytes_per_second}
    await session.send("Network.emulateNetworkConditions", {"offline": False, "latency": latency} | throughput)
    await page.goto(url, wait_until="commit", timeout=120_000)
    ms: float = await page.evaluate(FIRST_FIELD_SCRIPT)
    await page.wait_for_load_state("networkidle", timeout=120_000)
    # The service worker takes over, and stores the page for the next visit.
    await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    await page.wait_for_timeout(3000)
    await page.close()
    return Visit(ms, traffic.requests, traffic.bytes / 1000)


async def visit_twice(browser: Browser, url: str, network: tuple[int, int]) -> tuple[Visit, Visit]:
    """Return the first and the second visit of a new browser."""
    context = await browser.new_context(**PHONE)
    first = await visit(context, url, network)
    second = await visit(context, url, network)
    await context.close()
    return first, second


@contextmanager
def run_version(folder: Path, sources: Path | None) -> Iterator[dict[str, str]]:
    """Serve this version, or that in another folder, and yield the URLs of the forms."""
    more = {"PYTHONPATH": str(sources / "src")} if sources else {}
    with servers.run_formwright(folder, "", **more) as server:
        account = servers.create_demo(folder, "")
        base = f"http://{server.host}"
        with httpx.Client(base_url=base, headers={"x-api-key": account["apiKey"]}, timeout=60) as http:
            yield {name: base + _create(http, name, fields) for name, fields in FORMS.items()}


def _create(http: httpx.Client, name: str, fields: list[dict[str, Any]]) -> str:
    response = http.post("/api/v1.0/forms", json={"name": name, "fields": fields, "publish": True})
    response.raise_for_status()
    path: str = response.json()["fillPath"]
    return path


async def measure(versions: Mapping[str, Mapping[str, str]], rounds: int) -> None:
    """Print the medians of the visits to each form, on each network, with each version."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=host_programs.chromium(), args=ARGUMENTS)
        for form in FORMS:
            for name, network in NETWORKS.items():
                visits: dict[str, list[tuple[Visit, Visit]]] = {version: [] for version in versions}
                for _ in range(rounds):
                    for version, urls in versions.items():
                        visits[version].append(await visit_twice(browser, urls[form], network))
                for version, found in visits.items():
                    for which, those in zip(("first", "second"), zip(*found, strict=True), strict=True):
                        print(f"{form} · {name} · {version} · {which}: {_describe(those)}", flush=True)
        await browser.close()


def _describe(visits: tuple[Visit, ...]) -> str:
    times = [one.ms / 1000 for one in visits]
    last = visits[-1]
    spread = f"{min(times):.2f} to {max(times):.2f}"
    return f"{median(times):.2f} s ({spread}), {last.requests} requests, {last.kilobytes:.0f} kB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="a checkout of an earlier version, with its assets")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="formwright-bench-") as name, ExitStack() as stack:
        # As a wheel has them: compressed.
        subprocess.run([sys.executable, "scripts/assets.py"], check=True)
        versions = {"now": None} if options.before is None else {"before": options.before, "now": None}
        urls = {}
        for version, sources in versions.items():
            folder = Path(name, version)
            folder.mkdir()
            urls[version] = stack.enter_context(run_version(folder, sources))
        print(f"{os.cpu_count()} cores, {options.rounds} rounds")
        asyncio.run(measure(urls, options.rounds))


if __name__ == "__main__":
    main()
