"""Takes the pictures of the README: `make screenshots`.

A server with the demo account runs in a temporary folder. A client fills the account through the API, a receiver on
this machine takes its webhooks, and Chromium shows the pages.
"""

import asyncio
import random
import ssl
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from fixtures import host_programs
from fixtures.browser import ARGUMENTS
from fixtures.server_process import Server
from formwright_client import Client
from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "images"
DESKTOP = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True, "locale": "en-GB"}
SITES = ("Harbour 4", "Quay 9", "Pier West", "Dry dock", "Boathouse", "North gate", "Crane hall", "Lock 2")
KINDS = ("routine", "routine", "complaint", "handover")
REMARKS = (
    "",
    "Exit at the back is blocked.",
    "Extinguisher 3 is out of date.",
    "Everything in order.",
    "Call the owner.",
)
SUBMISSIONS = 26


class Receiver(BaseHTTPRequestHandler):
    """Accepts deliveries, except the first one after the switch, which the server has to repeat."""

    rejects = threading.Event()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(503 if self.rejects.is_set() else 204)
        self.rejects.clear()
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, _receiver() as receiver_url, _server(Path(folder)) as server:
        demo = server.demo()
        subscriber = _fill(server, demo, receiver_url)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=host_programs.chromium(), args=ARGUMENTS)
            _take_pictures(browser, server.base_url, demo, subscriber)
            browser.close()
    for picture in sorted(PICTURES.glob("*.png")):
        print(f"{picture.name}: {picture.stat().st_size // 1000} kB")


@contextmanager
def _receiver() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/formwright"
    server.shutdown()


@contextmanager
def _server(data: Path) -> Iterator[Server]:
    server = Server(data, WEBHOOK_ALLOW="127.0.0.1/32")
    asyncio.run(server.start("--demo"))
    try:
        yield server
    finally:
        asyncio.run(server.stop())


def _fill(server: Server, demo: dict[str, str], receiver_url: str) -> str:
    """Create submissions, review some, and let their events be delivered. Return the id of the subscriber."""
    choices, now = random.Random(4), datetime.now(UTC)
    trust = ssl.create_default_context(cafile=str(server.data / "tls" / "ca.pem"))
    with Client(demo["baseUrl"], demo["apiKey"], ssl_context=trust) as client:
        subscriber = client.subscribers.create(url=receiver_url, name="Maintenance planning", types=["submission.*"])
        for index in range(SUBMISSIONS):
            at = now - timedelta(hours=7 * (SUBMISSIONS - index) - choices.randrange(6), minutes=choices.randrange(60))
            submission = client.submissions.create(demo["formId"], data=_answers(choices, at), submitted_at=at)
            if index in (SUBMISSIONS - 2, SUBMISSIONS - 9):
                Receiver.rejects.set()
            if index < SUBMISSIONS - 4:
                client.submissions.update(submission["id"], status="REJECTED" if index % 9 == 4 else "APPROVED")
            time.sleep(0.2)  # The receiver gets each event before the next.
        while any(one["status"] == "PENDING" for one in client.invocations.list(subscriber["id"])):
            time.sleep(0.5)
    return subscriber["id"]


def _answers(choices: random.Random, at: datetime) -> dict[str, Any]:
    return {
        "site": choices.choice(SITES),
        "day": at.date().isoformat(),
        "kind": choices.choice(KINDS),
        "people": choices.randrange(2, 40),
        "temperature": round(choices.uniform(4, 19), 1),
        "safe": choices.random() < 0.8,
        "seen": choices.sample(["exits", "extinguishers", "first_aid"], choices.randrange(1, 4)),
        "order": choices.randrange(2, 6),
        "contact": "warden@example.org",
        "remarks": choices.choice(REMARKS),
    }


def _take_pictures(browser: Browser, base_url: str, demo: dict[str, str], subscriber: str) -> None:
    phone = browser.new_context(ignore_https_errors=True, **PHONE).new_page()  # type: ignore[arg-type]
    phone.goto(demo["fillUrl"])
    phone.get_by_role("textbox", name="Site", exact=True).fill("Harbour 4")
    phone.get_by_text("Routine", exact=True).click()
    _save(phone, "fill")
    page = browser.new_context(ignore_https_errors=True, **DESKTOP).new_page()  # type: ignore[arg-type]
    page.goto(f"{base_url}/sign-in")
    page.get_by_label("Email").fill(demo["email"])
    page.get_by_label("Password").fill(demo["password"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/overview")
    for name, path in {
        "overview": "/overview",
        "summary": f"/forms/{demo['formId']}/summary",
        "designer": f"/forms/{demo['formId']}/design",
        "submissions": f"/submissions?form={demo['formId']}",
        "webhooks": f"/settings/connections/webhooks/{subscriber}",
    }.items():
        page.goto(f"{base_url}{path}")
        page.wait_for_load_state("networkidle")
        if name in ("overview", "summary"):
            page.locator("figure[data-ready]").first.wait_for()
        if name == "summary":
            heading = page.get_by_role("heading", name="Answers", exact=True)
            heading.evaluate("heading => scrollBy(0, heading.getBoundingClientRect().top - 24)")
            page.wait_for_timeout(1000)  # Charts are drawn when they come into view.
        if name == "designer":
            page.get_by_text("Kind of visit", exact=True).first.click()
            page.get_by_label("Field name").wait_for()
        _save(page, name)


def _save(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    page.screenshot(path=PICTURES / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
