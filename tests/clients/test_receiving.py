"""Webhooks with the client: their order, and missing events."""

import asyncio
import json
import threading
import time
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.submissions import submission
from fixtures.sync_client import ONE_DATABASE, Bridge, waiting
from formwright_client import BadSignature, Client, EventsGone, MemoryPlace, Receiver

from formwright.domain.webhooks.signing import build_headers, new_secret

pytestmark = ONE_DATABASE
SECRET, OTHER = new_secret(), new_secret()


class Inbox:
    """A receiver of an account's submissions, and how the server would send its log to it."""

    def __init__(self, client: Client, **settings: Any) -> None:
        self.client, self.place, self.taken = client, MemoryPlace(), []
        self.trouble: list[Exception] = []
        settings = {"types": ["submission.*"]} | settings
        self.receiver = Receiver(client, [OTHER, SECRET], self.place, self.deal_with, **settings)
        self.messages = self.sent()

    def deal_with(self, event: Any) -> None:
        if self.trouble:
            raise self.trouble.pop()
        self.taken.append(event["sequence"])

    def sent(self) -> dict[int, tuple[dict[str, str], bytes]]:
        """What goes to a subscriber of submissions, by its sequence."""
        messages, previous = {}, 0
        for event in self.client.events(types=["submission.*"]):
            body, place = json.dumps(event).encode(), (event["sequence"], previous)
            said = build_headers(
                [SECRET], message_id=event["id"], timestamp=int(time.time()), body=body, position=place
            )
            messages[previous := event["sequence"]] = (said, body)
        return messages

    def take(self, *sequences: int) -> list[int]:
        for one in sequences:
            self.receiver.take(*self.messages[one])
        return self.taken


@pytest.fixture
async def submissions(account: Account) -> list[int]:
    """The sequences of five submissions of one form, with other events before and between."""
    one, two = await form(account), await form(account)
    for n in range(5):
        await submission(account, one if n % 2 else two)
        await form(account, publish=False)
    return [6, 8, 10, 12, 14]


@waiting
def test_in_order_each_is_taken_once(client: Client, submissions: list[int], bridge: Bridge) -> None:
    inbox = Inbox(client)
    asked = len(bridge.asked)
    assert inbox.take(6, 8, 10, 10, 6, 12, 14, 14) == submissions
    assert len(bridge.asked) == asked, "without a missing event, the log is not read"


@waiting
def test_what_is_missing_is_read_from_the_log(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    assert inbox.take(6, 12) == [6, 8, 10, 12]
    assert inbox.take(10, 8) == [6, 8, 10, 12], "events that were under way arrive late, and again"
    assert inbox.take(14) == submissions


@waiting
def test_the_first_may_be_missing_too(client: Client, submissions: list[int]) -> None:
    assert Inbox(client).take(10) == [6, 8, 10]


@waiting
def test_of_other_forms_nothing_is_read(client: Client, submissions: list[int]) -> None:
    theirs = next(iter(client.events(types=["submission.*"])))["data"]["formId"]
    inbox = Inbox(client, form_ids=[theirs])
    assert inbox.take(14) == [6, 10, 14]


@waiting
def test_what_could_not_be_dealt_with_comes_again(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    inbox.take(6)
    inbox.trouble.append(OSError("disk full"))
    with pytest.raises(OSError, match="disk full"):
        inbox.take(10)
    assert (inbox.taken, inbox.place.read()) == ([6], 6)
    assert inbox.take(10) == [6, 8, 10]


@waiting
def test_a_pause_is_made_up_for(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    inbox.take(6)
    inbox.receiver.catch_up()
    assert inbox.taken == submissions


@waiting
def test_many_at_once_are_taken_one_after_another(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    threads = [threading.Thread(target=inbox.take, args=(one,)) for one in (14, 6, 12, 8, 10, 8, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert inbox.taken == submissions


@waiting
def test_a_test_event_is_believed_and_left_aside(client: Client, account: Account) -> None:
    inbox = Inbox(client)
    body = json.dumps({"id": "evt_t", "sequence": 0, "type": "test"}).encode()
    inbox.receiver.take(build_headers([SECRET], message_id="evt_t", timestamp=int(time.time()), body=body), body)
    assert (inbox.taken, inbox.place.read()) == ([], None)


@waiting
def test_a_stranger_moves_nothing(client: Client, submissions: list[int]) -> None:
    inbox = Inbox(client)
    said, body = inbox.messages[6]
    with pytest.raises(BadSignature):
        inbox.receiver.take(said, body.replace(b"6", b"5"))
    said = build_headers([new_secret()], message_id="evt_x", timestamp=int(time.time()), body=body)
    with pytest.raises(BadSignature):
        inbox.receiver.take(said, body)
    assert (inbox.taken, inbox.place.read()) == ([], None)


async def test_what_is_rare_is_not_held_to_be_gone(client: Client, account: Account, submissions: list[int]) -> None:
    inbox = await asyncio.to_thread(Inbox, client)
    await asyncio.to_thread(inbox.receiver.catch_up)
    assert (inbox.taken, inbox.place.read()) == (submissions, 15)
    await form(account, publish=False)
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence < 16", account.id)
    await asyncio.to_thread(inbox.receiver.catch_up)
    assert (inbox.taken, inbox.place.read()) == (submissions, 16)


async def test_what_is_gone_for_good_is_told(client: Client, account: Account, submissions: list[int]) -> None:
    inbox = await asyncio.to_thread(Inbox, client)
    await asyncio.to_thread(inbox.take, 6)
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence < 11", account.id)
    with pytest.raises(EventsGone):
        await asyncio.to_thread(inbox.take, 14)
    assert inbox.place.read() == 6
