"""The server is killed while it writes an export."""

import asyncio
import hashlib
import json
from typing import Any

import httpx
from fixtures.server_process import Server

from bench.data import build_submission
from formwright.bootstrap import open_context
from formwright.domain.submissions import store

COUNT = 60_000


async def _insert(server: Server, customer: str, form: dict[str, Any], first: int, count: int) -> None:
    records = [
        build_submission(customer, form["id"], form["publishedVersionId"], number)
        for number in range(first, first + count)
    ]
    async with open_context(server.settings()) as ctx, ctx.db.writing() as tx:
        await tx.copy("submissions", store.COLUMNS, [store.to_row(record) for record in records])


async def _end_leases(server: Server) -> None:
    """Do what a minute does."""
    async with open_context(server.settings()) as ctx, ctx.db.writing() as tx:
        await tx.execute("UPDATE export_runs SET due = 0 WHERE due IS NOT NULL")
        await tx.execute("UPDATE due_work SET due = 0 WHERE kind = 'EXPORT'")


async def _wait(client: httpx.AsyncClient, path: str, *states: str) -> dict[str, Any]:
    for _ in range(6000):
        run: dict[str, Any] = (await client.get(path)).json()["latestRun"]
        if run["status"] in states:
            return run
        await asyncio.sleep(0.02)
    raise AssertionError(run)


async def test_a_killed_export_is_repeated_and_has_every_submission_once(server: Server) -> None:
    await server.start()
    demo = server.demo()
    async with server.client(**{"x-api-key": demo["apiKey"]}) as client:
        fields = [{"type": "text", "name": "site", "label": "Site"}]
        form = (await client.post("/api/v1.0/forms", json={"name": "Large", "fields": fields, "publish": True})).json()
        await _insert(server, demo["customerId"], form, 0, COUNT)
        exports = f"/api/v1.0/customers/{demo['customerId']}/exports"
        made = (await client.post(exports, json={"name": "All", "formId": form["id"], "format": "NDJSON"})).json()
        path = f"{exports}/{made['id']}"
        killed = await _wait(client, path, "RUNNING", "COMPLETED")
        server.kill()
    assert (killed["status"], killed["files"]) == ("RUNNING", []), "nothing can be downloaded before it is complete"
    await _end_leases(server)
    await server.start()
    async with server.client(**{"x-api-key": demo["apiKey"]}) as client:
        run = await _wait(client, path, "COMPLETED", "FAILED")
        assert (run["id"], run["through"], run["rows"]) == (killed["id"], killed["through"], COUNT)
        content = (await client.get(run["files"][0]["url"])).content
        runs = (await client.get(f"{path}/runs")).json()["items"]
    assert hashlib.sha256(content).hexdigest() == run["files"][0]["sha256"]
    assert len({json.loads(line)["id"] for line in content.splitlines()}) == len(content.splitlines()) == COUNT
    assert [one["id"] for one in runs] == [run["id"]]
