"""Pages in a real Chromium: as wide as a phone or as a desk, and watched for errors and for calls to other servers.

A test goes somewhere with `phone_page.page`, does what a person would do, and asserts that `phone_page.errors` is
empty. That nothing was asked of another server is asserted for every page when it is closed.
"""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Route, WebError, async_playwright

from rig import machine

# Chromium refuses root without --no-sandbox; the others keep it from calling home.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A service worker is fetched by the browser itself, whatever the page was told to trust.
    "--ignore-certificate-errors",
]
PHONE = {"viewport": {"width": 412, "height": 915}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
# All but the one that stands before the page in its head.
SCRIPTS = re.compile(r"/static/(?!.*/theme\.js).*\.js$")
LATE = float(os.environ.get("LATE", "0"))
"""So many seconds late each script comes, to find tests that do something before the page can."""
LOCAL_SCHEMES = {"data", "blob", "about"}


@dataclass(slots=True)
class Sight:
    """A page and what was seen while it was used."""

    page: Page
    errors: list[str] = field(default_factory=list)
    """Errors in the console (a broken CSP and a failed request are among them) and uncaught ones."""
    requests: list[str] = field(default_factory=list)

    @property
    def strangers(self) -> list[str]:
        """Requests to any other server than the one first asked."""
        return [url for url in self.requests if _server(url) != _server(self.requests[0])]


async def window(browser: Browser, **manner: object) -> BrowserContext:
    """A browser with nothing stored."""
    context = await browser.new_context(**manner)  # type: ignore[arg-type]
    if LATE:
        await hold_scripts(context, lambda: asyncio.sleep(LATE))
    return context


async def hold_scripts(context: BrowserContext, wait: Callable[[], Awaitable[object]]) -> None:
    """No script comes before `wait` is over, as over a slow network."""

    async def hold(route: Route) -> None:
        await wait()
        await route.continue_()

    await context.route(SCRIPTS, hold)


@asynccontextmanager
async def opened(browser: Browser, **manner: object) -> AsyncIterator[Sight]:
    """A fresh page with nothing stored. On leaving, it must have asked no other server for anything."""
    context = await window(browser, ignore_https_errors=True, **manner)
    sight = Sight(await context.new_page())
    _watch(context, sight)
    try:
        yield sight
    finally:
        await context.close()
    assert sight.strangers == [], "the page asked other servers"


def _watch(context: BrowserContext, sight: Sight) -> None:
    def console(message: ConsoleMessage) -> None:
        if message.type == "error":
            sight.errors.append(f"{message.text} ({message.location['url']})")

    def uncaught(error: WebError) -> None:
        sight.errors.append(str(error.error))

    def request(url: str) -> None:
        if urlsplit(url).scheme not in LOCAL_SCHEMES:
            sight.requests.append(url)

    context.on("console", console)
    context.on("weberror", uncaught)
    context.on("request", lambda asked: request(asked.url))
    context.on("page", lambda page: page.on("websocket", lambda socket: request(socket.url)))
    sight.page.on("websocket", lambda socket: request(socket.url))


def _server(url: str) -> tuple[str | None, int]:
    parts = urlsplit(url)
    return parts.hostname, parts.port or (443 if parts.scheme in {"https", "wss"} else 80)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for all pages of this process."""
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=machine.chromium(), args=ARGUMENTS)
        yield running
        await running.close()


@pytest_asyncio.fixture(loop_scope="session")
async def phone_page(browser: Browser) -> AsyncIterator[Sight]:
    async with opened(browser, **PHONE) as sight:
        yield sight


@pytest_asyncio.fixture(loop_scope="session")
async def desktop_page(browser: Browser) -> AsyncIterator[Sight]:
    async with opened(browser, **DESKTOP) as sight:
        yield sight
