"""The main use case, from filling in a form on a phone to the signed webhook at the subscriber."""

import json
import time
from datetime import datetime
from typing import Any

import httpx
from fixtures.browser import WatchedPage
from fixtures.server_process import Server, eventually
from fixtures.webhook_receiver import Receiver
from playwright.async_api import Page
from standardwebhooks import Webhook

REMARKS = "Zwei Leitern, ein Kran – 起重机 <b>&amp;"
CONTACT = "site.contact@example.org"
ANSWERS = {
    "site": "Pier 7 <script>alert(1)</script>",
    "day": "2031-03-14",
    "kind": "complaint",
    "people": 12,
    "temperature": -3.5,
    "safe": True,
    "seen": ["exits", "first_aid"],
    "order": 4,
    "contact": CONTACT,
    "remarks": REMARKS,
}


class Caller:
    """A customer's system, with its key and account."""

    def __init__(self, http: httpx.AsyncClient, demo: dict[str, str]) -> None:
        self._http, self.demo = http, demo
        self.webhooks = f"/api/v1.0/webhooks/customer/{demo['customerId']}"

    async def get(self, path: str, **query: Any) -> Any:
        response = await self._http.get(path, params=query or None)
        assert response.status_code == 200, response.text
        return response.json()

    async def subscribe(self, url: str) -> dict[str, Any]:
        response = await self._http.post("/api/v1.0/webhooks/subscribers", json={"url": url, "types": ["submission.*"]})
        assert response.status_code == 201, response.text
        created: dict[str, Any] = response.json()
        return created

    async def events(self) -> list[dict[str, Any]]:
        found = (await self.get(f"{self.webhooks}/events"))["items"]
        return [event for event in found if event["type"].startswith("submission.")]

    async def event_bytes(self, event_id: str) -> bytes:
        return (await self._http.get(f"{self.webhooks}/events/{event_id}")).content

    async def invocations(self, subscriber: dict[str, Any]) -> list[dict[str, Any]]:
        found = await self.get(f"{self.webhooks}/subscribers/{subscriber['id']}/invocations")
        return sorted(found["items"], key=lambda invocation: invocation["sequence"])

    async def wait_until_ended(
        self, subscriber: dict[str, Any], count: int, seconds: float = 20
    ) -> list[dict[str, Any]]:
        """Wait until the subscriber has `count` invocations and none is pending, and return them."""

        async def look() -> list[dict[str, Any]] | None:
            found = await self.invocations(subscriber)
            done = len(found) == count and all(one["status"] != "PENDING" for one in found)
            return found if done else None

        found: list[dict[str, Any]] = await eventually(look, seconds)
        return found


async def _fill(page: Page, address: str) -> None:
    """Fill in the form by its visible texts, because the library hides its radio buttons and checkboxes."""
    await page.goto(address)
    await page.get_by_role("textbox", name="Site", exact=False).first.fill(str(ANSWERS["site"]))
    await page.get_by_label("Day of the visit").fill(str(ANSWERS["day"]))
    await page.get_by_text("After a complaint", exact=True).click()
    await page.get_by_label("People on site").fill("12")
    await page.get_by_label("Temperature").fill("-3.5")
    await page.get_by_role("radiogroup", name="Is the site safe?").get_by_text("Yes", exact=True).click()
    await page.get_by_text("Exits", exact=True).click()
    await page.get_by_text("First aid", exact=True).click()
    await page.get_by_role("radio", name="4 of 5").check(force=True)
    await page.get_by_label("E-mail of the contact on site").fill(CONTACT)
    await page.get_by_label("Remarks").fill(REMARKS)


async def _send(page: Page) -> None:
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Thank you").wait_for()


def _ms(timestamp: str) -> float:
    return datetime.fromisoformat(timestamp).timestamp() * 1000


async def test_a_submitted_form_is_delivered_with_the_first_attempt(server: Server, phone_page: WatchedPage) -> None:
    await server.start()
    demo = server.demo()
    async with server.client(**{"x-api-key": demo["apiKey"]}) as http, Receiver() as receiver:
        caller = Caller(http, demo)
        subscriber = await caller.subscribe(receiver.url)
        await _fill(phone_page.page, demo["fillUrl"])
        await phone_page.page.get_by_text("Saved", exact=True).wait_for()
        await _send(phone_page.page)

        await receiver.wait_for(2)
        started, submitted = await caller.events()
        assert [started["type"], submitted["type"]] == ["submission.started", "submission.submitted"]
        assert started["sequence"] < submitted["sequence"]
        await _assert_readable(caller, submitted["data"])
        await _assert_delivered(caller, receiver, subscriber, [started, submitted])
    assert phone_page.errors == []
    assert (await server.stop())[0] == 0
    _assert_no_secrets(server.log(), demo, subscriber["secret"])


async def _assert_readable(caller: Caller, event: dict[str, Any]) -> None:
    customer, form = caller.demo["customerId"], caller.demo["formId"]
    record = await caller.get(f"/api/v1.0/customers/{customer}/submissions/{event['id']}")
    assert record == event
    assert record["status"] == "SUBMITTED"
    assert record["data"] == ANSWERS
    assert _ms(record["startedAt"]) <= _ms(record["submittedAt"])
    await _submit_more(caller, 2)
    page = await caller.get(
        "/api/v1.0/submissions", formId=form, status="SUBMITTED", submittedFrom=record["submittedAt"], limit=1
    )
    assert page["items"] == [record]
    found = []
    while page["next"]:
        page = await caller.get(page["next"])
        found += page["items"]
    assert [one["externalId"] for one in found] == ["later-0", "later-1"]


async def _submit_more(caller: Caller, count: int) -> None:
    """Create some more submissions, so that the list has several pages."""
    path = f"/api/v1.0/customers/{caller.demo['customerId']}/forms/{caller.demo['formId']}/submissions"
    for number in range(count):
        data = {"site": "Later", "day": "2031-03-15", "kind": "routine"}
        response = await caller._http.post(path, json={"data": data, "externalId": f"later-{number}"})
        assert response.status_code == 201, response.text


async def _assert_delivered(
    caller: Caller, receiver: Receiver, subscriber: dict[str, Any], events: list[dict[str, Any]]
) -> None:
    arrivals = {arrival.id: arrival for arrival in receiver.arrivals}
    verifier = Webhook(subscriber["secret"])
    logged = {one["eventId"]: one for one in await caller.wait_until_ended(subscriber, 4)}
    for event in events:
        arrival = arrivals[event["id"]]
        assert verifier.verify(arrival.body, arrival.headers) == event
        assert arrival.body == await caller.event_bytes(event["id"])
        invocation = logged[event["id"]]
        assert (invocation["status"], invocation["tries"], invocation["type"]) == ("SUCCEEDED", 1, event["type"])
        [attempt] = invocation["attempts"]
        assert (attempt["outcome"], attempt["statusCode"], attempt["answer"]) == ("success", 200, "ok")
        assert _ms(attempt["started"]) >= _ms(event["timestamp"])


def _assert_no_secrets(log: str, demo: dict[str, str], webhook_secret: str) -> None:
    assert '"path":"/api/v1.0/submissions"' in log, "this is the log of requests"
    fill_word = demo["fillUrl"].rpartition("/")[2]
    secrets = (demo["apiKey"], demo["password"], webhook_secret, fill_word)
    for secret in (*secrets, CONTACT, "Pier 7", "Leitern", "起重机", "2031-03-14"):
        assert secret not in log


async def test_a_subscriber_outage_and_a_killed_server_lose_no_events(server: Server, phone_page: WatchedPage) -> None:
    await server.start()
    demo = server.demo()
    headers = {"x-api-key": demo["apiKey"]}
    async with Receiver() as gone:
        url, port = gone.url, gone.port
    async with server.client(**headers) as http:
        subscriber = await Caller(http, demo).subscribe(url)
    await _fill(phone_page.page, demo["fillUrl"])
    await _send(phone_page.page)
    server.kill()
    killed = time.time()

    async with Receiver(port=port) as receiver:
        await server.start()
        async with server.client(**headers) as http:
            caller = Caller(http, demo)
            # If the server was killed during an attempt, the lease of that attempt has to expire first.
            logged = await caller.wait_until_ended(subscriber, 2, 80)
            events = await caller.events()
        assert [one["type"] for one in events] == ["submission.started", "submission.submitted"]
        assert receiver.ids == {event["id"]: 1 for event in events}
        assert all(arrival.at > killed for arrival in receiver.arrivals)
        # An event whose attempt was interrupted arrives after the other one.
        bodies = {body["type"]: body for body in (json.loads(arrival.body) for arrival in receiver.arrivals)}
        assert bodies["submission.submitted"]["data"]["data"] == ANSWERS
    assert [one["status"] for one in logged] == ["SUCCEEDED", "SUCCEEDED"]
    assert all(one["attempts"][-1]["statusCode"] == 200 for one in logged)
    assert phone_page.errors == []
