"""A server of its own for the designer's pages, and a person who has signed in."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser
from rig.browser import DESKTOP, PHONE, Sight, opened
from web.designer.site import Site

START_S = 30
SOURCES = Path(__file__).parents[3] / "src"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The program, as an operator starts it, with its demo account."""
    folder = tmp_path_factory.mktemp("designer")
    port = str(_free_port())
    command = [sys.executable, "-m", "formwright"]
    common = ["--data-dir", str(folder), "--insecure-http", "--port", port]
    environment = os.environ | {"PYTHONPATH": str(SOURCES), "FORMWRIGHT_LOG_LEVEL": "error"}
    made = subprocess.run([*command, "demo", "--json", *common], env=environment, capture_output=True, check=True)
    server = subprocess.Popen([*command, "serve", *common], env=environment, stdout=subprocess.DEVNULL)
    found = json.loads(made.stdout)
    try:
        _wait_for(server, found["baseUrl"])
        yield Site(found["baseUrl"], found["customerId"], found["apiKey"], found["email"], found["password"])
    finally:
        server.terminate()
        server.wait(10)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(server: subprocess.Popen[bytes], address: str) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        assert server.poll() is None, "the server ended"
        try:
            if httpx.get(f"{address}/sign-in").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise TimeoutError("the server does not answer")


@pytest_asyncio.fixture(loop_scope="session")
async def desk(browser: Browser, site: Site) -> AsyncIterator[Sight]:
    """A person at a desk who has signed in."""
    async with opened(browser, **DESKTOP) as sight:
        await site.sign_in(sight.page)
        yield sight


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser, site: Site) -> AsyncIterator[Sight]:
    """A person with a phone who has signed in."""
    async with opened(browser, **PHONE) as sight:
        await site.sign_in(sight.page)
        yield sight
