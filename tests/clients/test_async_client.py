"""The asynchronous client, and the synchronous one that is generated from it, do the same against a server."""

import asyncio
import inspect
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import formwright_client
import httpx
import pytest
from actors import Account
from factories.forms import FIELDS, form
from factories.submissions import submission
from fixtures.accounts import AccountFactory, Person
from fixtures.one_database import ONE_DATABASE
from formwright_client import (
    ApiError,
    AsyncClient,
    AsyncFileCheckpoint,
    AsyncMemoryCheckpoint,
    AsyncWebhookReceiver,
    InvalidSignatureError,
    Upload,
    etag,
)

from formwright.domain.webhooks.signing import build_headers, new_secret
from scripts.client.sync_variant import to_sync

SECRET = new_secret()


def sign(event: Any, previous: int) -> tuple[dict[str, str], bytes]:
    """Return the delivery of an event."""
    body, position = json.dumps(event).encode(), (event["sequence"], previous)
    headers = build_headers([SECRET], message_id=event["id"], timestamp=int(time.time()), body=body, position=position)
    return headers, body


async def use_client(client: AsyncClient, folder: Path) -> list[Any]:
    """Return what the calls of a typical integration return."""
    form = await client.forms.create(name="Visit", fields=FIELDS, publish=True)
    created = [await client.submissions.create(form["id"], data={"site": f"Site {n}"}) for n in range(5)]
    read = await client.submissions.get(created[0]["id"])
    approved = await client.submissions.update(read["id"], status="APPROVED", if_match=etag(read))
    await client.submissions.delete(created[1]["id"])
    with pytest.raises(ApiError) as conflict:
        await client.submissions.update(read["id"], status="REJECTED", if_match=etag(read))
    with pytest.raises(ApiError) as invalid:
        await client.submissions.create(form["id"], data={"site": 4})
    with pytest.raises(ValueError, match="not an id"):
        await client.submissions.get("")
    listed = client.submissions.list(answers={"site[in]": ["Site 0", "Site 1", "Site 4"]}, limit=1)
    table = await client.datasources.create_from_file(Upload.csv(b"key,name\n1,Quay\n2,Pier\n"), name="Sites")

    followed = []
    checkpoint = AsyncFileCheckpoint(folder / "last-sequence")
    async for event in client.events.follow(checkpoint, types=["submission.*"], limit=3):
        followed.append(event)
        if len(followed) == 3:
            break
    seen = await checkpoint.load()

    received = []

    async def process(event: Any) -> None:
        received.append(event["type"])

    receiver = AsyncWebhookReceiver(client, SECRET, AsyncMemoryCheckpoint(seen), process, types=["submission.*"])
    last = [event async for event in client.events.list(types=["submission.*"])][-1]
    headers, body = sign(last, last["sequence"] - 1)
    await receiver.receive(headers, body)
    await receiver.receive(headers, body)
    with pytest.raises(InvalidSignatureError):
        await receiver.receive(headers, body + b" ")
    await receiver.catch_up()
    return [
        approved["status"],
        (conflict.value.status, conflict.value.code),
        [(detail.pointer, detail.code) for detail in invalid.value.errors],
        [item["data"]["site"] async for item in listed],
        [len(page) async for page in listed.pages()],
        [row["key"] async for row in client.datasources.list_rows(table["id"])],
        [event["data"]["id"] == one["id"] for event, one in zip(followed, created, strict=False)],
        (await client.get_customer_id()) == form["customerId"],
        received,
    ]


EXPECTED = [
    "APPROVED",
    (412, "precondition.failed"),
    [("/data/site", "value.type")],
    ["Site 0", "Site 4"],
    [1, 1],
    ["1", "2"],
    [True] * 3,
    True,
    ["submission.submitted"] * 3 + ["submission.updated", "submission.deleted"],
]


def connect(client: type[Any], person: Person) -> Any:
    return client(person.server.base_url, person.key, ssl_context=person.server.trust())


async def test_the_asynchronous_client_works(https_accounts: AccountFactory, tmp_path: Path) -> None:
    async with connect(AsyncClient, await https_accounts.create_account()) as client:
        assert await use_client(client, tmp_path) == EXPECTED


async def test_the_synchronous_client_does_the_same(https_accounts: AccountFactory, tmp_path: Path) -> None:
    names: dict[str, Any] = {**globals(), **vars(formwright_client)}
    exec(to_sync(inspect.getsource(use_client)), names)
    use_sync_client: Callable[..., Any] = names["use_client"]
    with connect(formwright_client.Client, await https_accounts.create_account()) as client:
        assert await asyncio.to_thread(use_sync_client, client, tmp_path) == EXPECTED


class BrokenTransport(httpx.ASGITransport):
    """Loses the first response to each POST."""

    def __init__(self, account: Account) -> None:
        super().__init__(account.stage.entrance)
        self.lost: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        key = request.headers.get("idempotency-key", "")
        if key and key not in self.lost:
            self.lost.append(key)
            raise httpx.ReadError("cut", request=request)
        return response


@ONE_DATABASE
async def test_concurrent_tasks_share_a_client_and_a_receiver(account: Account) -> None:
    delays: list[float] = []

    async def sleep(delay: float) -> None:
        delays.append(delay)
        await asyncio.sleep(0)

    http_client = httpx.AsyncClient(transport=BrokenTransport(account))
    client = AsyncClient(account.stage.base_url, account.key, http_client=http_client, sleep=sleep)
    await asyncio.gather(*(client.forms.create(name=f"Form {n}", fields=FIELDS) for n in range(3)))
    assert len(delays) == 3
    assert len([one async for one in client.forms.list()]) == 3, "repeated POSTs take effect once"

    new_form = await form(account)
    for _ in range(4):
        await submission(account, new_form)
    received: list[int] = []

    async def process(event: Any) -> None:
        await asyncio.sleep(0)
        received.append(event["sequence"])

    receiver = AsyncWebhookReceiver(client, SECRET, AsyncMemoryCheckpoint(), process, types=["submission.*"])
    events = [event async for event in client.events.list(types=["submission.*"])]
    previous = [0, *(event["sequence"] for event in events)]
    deliveries = [sign(event, before) for event, before in zip(events, previous, strict=False)]
    await asyncio.gather(*(receiver.receive(*deliveries[n]) for n in (3, 0, 2, 1, 2, 0)))
    assert received == [event["sequence"] for event in events]
