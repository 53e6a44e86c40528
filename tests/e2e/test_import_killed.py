"""The server is killed during a large import into a data source."""

import asyncio
from contextlib import suppress
from typing import Any

import httpx
import pytest
from fixtures.server_process import Server

pytestmark = pytest.mark.slow

COUNT = 30_000
CSV = {"content-type": "text/csv"}


def table(name: str, count: int = COUNT) -> bytes:
    return ("number,name\n" + "".join(f"C-{n},{name} {n}\n" for n in range(count))).encode()


async def test_a_killed_import_is_never_visible_and_can_be_repeated(server: Server) -> None:
    await server.start()
    demo = server.demo()
    headers = {"x-api-key": demo["apiKey"]}
    base = f"/api/v1.0/customers/{demo['customerId']}/datasources"
    async with server.client(**headers) as client:
        client.timeout = httpx.Timeout(120)
        created = (await client.post(base, content=table("old"), headers=CSV, params={"name": "Customers"})).json()
        rows = f"{base}/{created['id']}/rows"
        under_way = asyncio.create_task(client.put(rows, content=table("new"), headers=CSV))
        await wait_until_it_writes(client, rows, under_way)
        server.kill()
        with suppress(httpx.HTTPError):
            await under_way
    await server.start()
    async with server.client(**headers) as client:
        assert await first_and_last(client, rows) == (["old 0"], [f"old {COUNT - 1}"])
        assert (await client.get(f"{base}/{created['id']}")).json()["version"] == 1
        waits = await client.put(rows, content=table("newer", 3000), headers=CSV)
        assert (waits.status_code, waits.json()["code"]) == (409, "datasource.busy")


async def wait_until_it_writes(client: httpx.AsyncClient, rows: str, under_way: "asyncio.Task[Any]") -> None:
    """Wait until another import is rejected, which means that the first one has started to write."""
    while not under_way.done():
        response = await client.post(rows, json={"rows": []}, timeout=60)
        if response.status_code == 409:
            return
    raise AssertionError("the import was over before it could be cut off")


async def first_and_last(client: httpx.AsyncClient, rows: str) -> tuple[list[str], list[str]]:
    found = [(await client.get(rows, params={"key": key})).json()["items"] for key in ("C-0", f"C-{COUNT - 1}")]
    return [row["data"]["name"] for row in found[0]], [row["data"]["name"] for row in found[1]]


async def test_a_killed_import_of_submissions_continues_without_writing_a_row_twice(server: Server) -> None:
    count = 4000
    await server.start()
    demo = server.demo()
    headers = {"x-api-key": demo["apiKey"]}
    account = f"/api/v1.0/customers/{demo['customerId']}"
    content = ("site,externalId\n" + "".join(f"Quay {n},e-{n}\n" for n in range(count))).encode()
    async with server.client(**headers) as client:
        client.timeout = httpx.Timeout(120)
        fields = [{"type": "text", "name": "site", "label": "Site"}]
        form = (await client.post("/api/v1.0/forms", json={"name": "Visit", "fields": fields, "publish": True})).json()
        started = await client.post(f"{account}/forms/{form['id']}/submission-imports", content=content, headers=CSV)
        path = f"{account}/submission-imports/{started.json()['id']}"
        while not 0 < (found := (await client.get(path)).json())["imported"] < count:
            assert found["endedAt"] is None, "the import was over before it could be cut off"
        server.kill()
    await server.start()
    async with server.client(**headers) as client:
        client.timeout = httpx.Timeout(120)
        async with asyncio.timeout(120):
            while (found := (await client.get(path)).json())["endedAt"] is None:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.2)
        assert (found["status"], found["imported"], found["rejected"]) == ("DONE", count, 0)
        ids: list[str] = []
        url = f"{account}/submissions?formId={form['id']}&limit=1000"
        while url:
            page = (await client.get(url)).json()
            ids += [one["externalId"] for one in page["items"]]
            url = page["next"]
    assert sorted(ids) == sorted(f"e-{n}" for n in range(count))
