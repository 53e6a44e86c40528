"""The server is killed during a large import into a data source."""

import asyncio
from contextlib import suppress
from typing import Any

import httpx
from fixtures.server_process import Server

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
        made = (await client.post(base, content=table("old"), headers=CSV, params={"name": "Customers"})).json()
        rows = f"{base}/{made['id']}/rows"
        under_way = asyncio.create_task(client.put(rows, content=table("new"), headers=CSV))
        await wait_until_it_writes(client, rows, under_way)
        server.kill()
        with suppress(httpx.HTTPError):
            await under_way
    await server.start()
    async with server.client(**headers) as client:
        assert await first_and_last(client, rows) == (["old 0"], [f"old {COUNT - 1}"])
        assert (await client.get(f"{base}/{made['id']}")).json()["version"] == 1
        waits = await client.put(rows, content=table("newer", 3000), headers=CSV)
        assert (waits.status_code, waits.json()["code"]) == (409, "datasource.busy")


async def wait_until_it_writes(client: httpx.AsyncClient, rows: str, under_way: "asyncio.Task[Any]") -> None:
    """Wait until another import is rejected, which means that the first one has started to write."""
    while not under_way.done():
        answer = await client.post(rows, json={"rows": []}, timeout=60)
        if answer.status_code == 409:
            return
    raise AssertionError("the import was over before it could be cut off")


async def first_and_last(client: httpx.AsyncClient, rows: str) -> tuple[list[str], list[str]]:
    found = [(await client.get(rows, params={"key": key})).json()["items"] for key in ("C-0", f"C-{COUNT - 1}")]
    return [row["data"]["name"] for row in found[0]], [row["data"]["name"] for row in found[1]]
