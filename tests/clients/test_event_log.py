"""Reading the event log with the client: completely, from a saved position, and with gaps reported."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from actors import Account
from factories.forms import FIELDS, form
from factories.submissions import submission
from fixtures.one_database import ONE_DATABASE
from fixtures.sync_client import waiting
from formwright_client import Client, EventsExpiredError, FileCheckpoint, MemoryCheckpoint

pytestmark = ONE_DATABASE
FORM: Any = {"name": "Visit", "fields": FIELDS, "publish": True}


@pytest.fixture
async def form_with_events(account: Account) -> dict[str, Any]:
    """A form with three submissions: six events, the first of which is that of the owner."""
    new_form = await form(account)
    for _ in range(3):
        await submission(account, new_form)
    return new_form


@pytest.fixture
async def first_sequence(account: Account, form_with_events: dict[str, Any]) -> int:
    """Delete the events before sequence 4, and return the first one left."""
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence < 4", account.id)
    return 4


@waiting
def test_the_log_is_read_to_its_end(client: Client, form_with_events: dict[str, Any]) -> None:
    assert [event["sequence"] for event in client.events.list(limit=2)] == [1, 2, 3, 4, 5, 6]
    assert [event["sequence"] for event in client.events.list(after=4, limit=1)] == [5, 6]
    assert list(client.events.list(after=6)) == []
    assert [event["type"] for event in client.events.list(types=["form.*"])] == ["form.created", "form.published"]
    assert (
        len(list(client.events.list(types=["submission.submitted"], form_ids=[form_with_events["id"]], limit=2))) == 3
    )


@waiting
def test_processed_events_are_not_returned_again(
    client: Client, form_with_events: dict[str, Any], tmp_path: Path
) -> None:
    checkpoint = FileCheckpoint(tmp_path / "last")
    seen = []
    for event in client.events.follow(checkpoint):
        seen.append(event["sequence"])
        if len(seen) == 3:
            break
    assert checkpoint.load() == 2, "processing the third event was not finished"
    seen += [event["sequence"] for event in client.events.follow(FileCheckpoint(str(tmp_path / "last")))]
    assert seen == [1, 2, 3, 3, 4, 5, 6]
    client.forms.create(**FORM)
    assert [event["type"] for event in client.events.follow(checkpoint)] == ["form.created", "form.published"]
    assert [path.name for path in tmp_path.iterdir()] == ["last"]


@waiting
def test_the_position_advances_over_events_of_other_types(client: Client, form_with_events: dict[str, Any]) -> None:
    checkpoint = MemoryCheckpoint()
    assert [event["sequence"] for event in client.events.follow(checkpoint, types=["form.*"])] == [2, 3]
    assert checkpoint.load() == 6


@waiting
def test_the_log_is_polled(client: Client, form_with_events: dict[str, Any]) -> None:
    naps: list[float] = []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        client.forms.create(**FORM)

    client._transport.sleep = sleep
    seen = []
    for event in client.events.follow(MemoryCheckpoint(5), poll_interval=2.5):
        seen.append(event["type"])
        if len(seen) == 5:
            break
    assert seen == ["submission.submitted", "form.created", "form.published", "form.created", "form.published"]
    assert naps == [2.5, 2.5]


@waiting
def test_deleted_events_are_reported(client: Client, first_sequence: int) -> None:
    with pytest.raises(EventsExpiredError) as gone:
        list(client.events.follow(MemoryCheckpoint(1)))
    assert (gone.value.after, gone.value.oldest_available) == (1, first_sequence)
    with pytest.raises(EventsExpiredError):
        next(client.events.list(after=2))
    assert [event["sequence"] for event in client.events.list(after=3)] == [4, 5, 6]
    assert [event["sequence"] for event in client.events.list()] == [4, 5, 6], (
        "reading from the start returns what is left"
    )


async def test_events_deleted_while_reading_are_reported(
    client: Client, account: Account, form_with_events: dict[str, Any]
) -> None:
    reading = client.events.list(limit=1)
    assert (await asyncio.to_thread(next, reading))["sequence"] == 1
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence < 4", account.id)
    with pytest.raises(EventsExpiredError):
        await asyncio.to_thread(next, reading)
