"""The server is killed while it changes many submissions."""

import asyncio
from contextlib import suppress
from typing import Any

import httpx
import pytest
from fixtures.server_process import Server

pytestmark = pytest.mark.slow

ITEMS = 400
ROUNDS = 3


async def test_a_killed_request_is_committed_completely_or_not_at_all(server: Server) -> None:
    await server.start()
    demo = server.demo()
    headers = {"x-api-key": demo["apiKey"]}
    async with server.client(**headers) as client:
        fields = [{"type": "text", "name": "site", "label": "Site"}]
        body = {"name": "Bulk", "fields": fields, "publish": True}
        form_id = (await client.post("/api/v1.0/forms", json=body)).json()["id"]
    answers: dict[int, bytes] = {}
    count = 0
    for _ in range(ROUNDS):
        async with server.client(**headers) as client:
            acknowledged_two = asyncio.Event()
            sending = _send_all(client, demo["customerId"], form_id, count, answers, acknowledged_two)
            under_way = asyncio.create_task(sending)
            await acknowledged_two.wait()
            # One request is under way, wherever it may be.
            server.kill()
            with suppress(httpx.HTTPError):
                await under_way
        await server.start()
        async with server.client(**headers) as client:
            count = len(answers) + 1
            stored = await _list_all(client, form_id)
            whole = {f"{number}-{index}" for number in range(count) for index in range(ITEMS)}
            acknowledged = {f"{number}-{index}" for number in answers for index in range(ITEMS)}
            assert stored in (sorted(acknowledged), sorted(whole)), "committed completely or not at all"
            for number in range(count):
                again = await _send(client, demo["customerId"], form_id, number)
                assert answers.setdefault(number, again) == again
            assert await _list_all(client, form_id) == sorted(whole)


async def _send_all(
    client: httpx.AsyncClient,
    customer_id: str,
    form_id: str,
    first: int,
    answers: dict[int, bytes],
    acknowledged_two: asyncio.Event,
) -> None:
    for number in range(first, first + 100):
        answers[number] = await _send(client, customer_id, form_id, number)
        if number > first:
            acknowledged_two.set()


async def _send(client: httpx.AsyncClient, customer_id: str, form_id: str, number: int) -> bytes:
    items = [
        {"op": "create", "formId": form_id, "externalId": f"{number}-{index}", "data": {"site": "Quay"}}
        for index in range(ITEMS)
    ]
    response = await client.post(
        f"/api/v1.0/customers/{customer_id}/submissions/bulk",
        json={"items": items},
        headers={"idempotency-key": f"bulk-{number}"},
        timeout=60,
    )
    assert (response.status_code, response.json()["failed"]) == (200, 0), response.text[:500]
    return response.content


async def _list_all(client: httpx.AsyncClient, form_id: str) -> list[str]:
    """Return the external ids of all submissions of the form, sorted."""
    found: list[str] = []
    url = f"/api/v1.0/submissions?formId={form_id}&limit=1000"
    while url:
        page: dict[str, Any] = (await client.get(url)).json()
        found += [one["externalId"] for one in page["items"]]
        url = page["next"]
    return sorted(found)
