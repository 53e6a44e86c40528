"""Receiving webhooks with the client: order, and missing events."""

import asyncio
import json
import threading
import time
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.submissions import submission
from fixtures.one_database import ONE_DATABASE
from fixtures.sync_client import Bridge, waiting
from formwright_client import Client, EventsExpiredError, InvalidSignatureError, MemoryCheckpoint, WebhookReceiver

from formwright.domain.webhooks.signing import build_headers, new_secret

pytestmark = ONE_DATABASE
SECRET, OTHER = new_secret(), new_secret()


class Inbox:
    """A receiver of an account's submissions, and the deliveries that the server would send to it."""

    def __init__(self, client: Client, **settings: Any) -> None:
        self.client, self.checkpoint, self.processed = client, MemoryCheckpoint(), []
        self.trouble: list[Exception] = []
        settings = {"types": ["submission.*"]} | settings
        self.receiver = WebhookReceiver(client, [OTHER, SECRET], self.checkpoint, self.process, **settings)
        self.messages = self.deliveries()

    def process(self, event: Any) -> None:
        if self.trouble:
            raise self.trouble.pop()
        self.processed.append(event["sequence"])

    def deliveries(self) -> dict[int, tuple[dict[str, str], bytes]]:
        """Return the headers and body of each delivery of a submission, by sequence."""
        messages, previous = {}, 0
        for event in self.client.events.list(types=["submission.*"]):
            body, place = json.dumps(event).encode(), (event["sequence"], previous)
            said = build_headers(
                [SECRET], message_id=event["id"], timestamp=int(time.time()), body=body, position=place
            )
            messages[previous := event["sequence"]] = (said, body)
        return messages

    def receive(self, *sequences: int) -> list[int]:
        for one in sequences:
            self.receiver.receive(*self.messages[one])
        return self.processed


@pytest.fixture
async def submissions(account: Account) -> list[int]:
    """Return the sequences of five submissions of one form, with other events before and between them."""
    one, two = await form(account), await form(account)
    for n in range(5):
        await submission(account, one if n % 2 else two)
        await form(account, publish=False)
    return [6, 8, 10, 12, 14]


@waiting
def test_events_in_order_are_processed_once_each(client: Client, submissions: list[int], bridge: Bridge) -> None:
    inbox = Inbox(client)
    asked = len(bridge.asked)
    assert inbox.receive(6, 8, 10, 10, 6, 12, 14, 14) == submissions
    assert len(bridge.asked) == asked, "without a missing event, the log is not read"


@waiting
def test_missing_events_are_read_from_the_log(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    assert inbox.receive(6, 12) == [6, 8, 10, 12]
    assert inbox.receive(10, 8) == [6, 8, 10, 12], "delayed deliveries arrive late, as duplicates"
    assert inbox.receive(14) == submissions


@waiting
def test_the_first_event_may_be_missing_too(client: Client, submissions: list[int]) -> None:
    assert Inbox(client).receive(10) == [6, 8, 10]


@waiting
def test_events_of_other_forms_are_not_read(client: Client, submissions: list[int]) -> None:
    first: Any = next(client.events.list(types=["submission.*"]))
    inbox = Inbox(client, form_ids=[first["data"]["formId"]])
    assert inbox.receive(14) == [6, 10, 14]


@waiting
def test_events_whose_processing_failed_are_processed_again(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    inbox.receive(6)
    inbox.trouble.append(OSError("disk full"))
    with pytest.raises(OSError, match="disk full"):
        inbox.receive(10)
    assert (inbox.processed, inbox.checkpoint.load()) == ([6], 6)
    assert inbox.receive(10) == [6, 8, 10]


@waiting
def test_events_missed_during_a_pause_are_read(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    inbox.receive(6)
    inbox.receiver.catch_up()
    assert inbox.processed == submissions


@waiting
def test_concurrent_deliveries_are_processed_one_after_another(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    threads = [threading.Thread(target=inbox.receive, args=(one,)) for one in (14, 6, 12, 8, 10, 8, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert inbox.processed == submissions


@waiting
def test_a_test_event_is_verified_and_ignored(client: Client, account: Account) -> None:
    inbox = Inbox(client)
    body = json.dumps({"id": "evt_t", "sequence": 0, "type": "test"}).encode()
    inbox.receiver.receive(build_headers([SECRET], message_id="evt_t", timestamp=int(time.time()), body=body), body)
    assert (inbox.processed, inbox.checkpoint.load()) == ([], None)


@waiting
def test_a_forged_event_does_not_change_the_position(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    said, body = inbox.messages[6]
    with pytest.raises(InvalidSignatureError):
        inbox.receiver.receive(said, body.replace(b"6", b"5"))
    said = build_headers([new_secret()], message_id="evt_x", timestamp=int(time.time()), body=body)
    with pytest.raises(InvalidSignatureError):
        inbox.receiver.receive(said, body)
    assert (inbox.processed, inbox.checkpoint.load()) == ([], None)


async def test_rare_events_are_not_mistaken_for_deleted_ones(
    client: Client, account: Account, submissions: list[int]
) -> None:
    inbox = await asyncio.to_thread(Inbox, client)
    await asyncio.to_thread(inbox.receiver.catch_up)
    assert (inbox.processed, inbox.checkpoint.load()) == (submissions, 15)
    await form(account, publish=False)
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence < 16", account.id)
    await asyncio.to_thread(inbox.receiver.catch_up)
    assert (inbox.processed, inbox.checkpoint.load()) == (submissions, 16)


async def test_permanently_deleted_events_are_reported(
    client: Client, account: Account, submissions: list[int]
) -> None:
    inbox = await asyncio.to_thread(Inbox, client)
    await asyncio.to_thread(inbox.receive, 6)
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence < 11", account.id)
    with pytest.raises(EventsExpiredError):
        await asyncio.to_thread(inbox.receive, 14)
    assert inbox.checkpoint.load() == 6
