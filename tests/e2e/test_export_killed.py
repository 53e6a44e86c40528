"""The server is killed while it writes an export, to its own storage, to a folder or to a bucket."""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from fixtures.object_storage import ObjectStorage
from fixtures.proxy import StallingProxy
from fixtures.server_process import Server

from bench.data import build_submission
from formwright.bootstrap import open_context
from formwright.domain.submissions import store

pytestmark = pytest.mark.slow

COUNT = 60_000
"""So many that the export is killed while it is written."""


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
        folder = (await client.post(exports, json={"name": "All", "formId": form["id"], "format": "NDJSON"})).json()
        path = f"{exports}/{folder['id']}"
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


@dataclass(frozen=True)
class Place:
    """A destination of exports, how to wait until its first file is complete, and how to read all of its files."""

    destination: dict[str, Any]
    wait_for_first_file: Callable[[], Awaitable[object]]
    read: Callable[[], dict[str, bytes]]


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """A folder that the operator offers."""
    folder = tmp_path / "reports"
    folder.mkdir()
    return folder


@pytest.fixture
def reporting(tmp_path: Path, reports: Path) -> Iterator[Server]:
    """A server that can write to the folder, and to a bucket on this machine."""
    (tmp_path / "data").mkdir()
    running = Server(tmp_path / "data", EXPORT_FOLDERS=f"reports={reports}", WEBHOOK_ALLOW="127.0.0.0/8")
    yield running
    running.close()


@pytest_asyncio.fixture(params=["FOLDER", "S3"])
async def place(request: pytest.FixtureRequest, reports: Path) -> AsyncIterator[Place]:
    def read_folder() -> dict[str, bytes]:
        return {str(path.relative_to(reports)): path.read_bytes() for path in reports.rglob("*") if path.is_file()}

    def watch_folder() -> None:
        while not any(reports.rglob("*First.ndjson")):
            time.sleep(0.01)

    if request.param == "FOLDER":
        yield Place(
            {"type": "FOLDER", "folder": "reports", "path": "killed"},
            partial(asyncio.to_thread, watch_folder),
            read_folder,
        )
        return
    storage: ObjectStorage = request.getfixturevalue("object_storage")

    def read_bucket() -> dict[str, bytes]:
        # Other tests use the same bucket.
        return {key: content for key, content in storage.objects().items() if key.startswith("killed/")}

    async with StallingProxy(int(storage.endpoint.rpartition(":")[2]), b"Second.ndjson") as proxy:
        endpoint = f"http://127.0.0.1:{proxy.port}"
        yield Place(storage.destination(path="killed", endpoint=endpoint), proxy.stalled.wait, read_bucket)


async def test_the_destination_of_a_killed_export_has_each_file_once(reporting: Server, place: Place) -> None:
    await reporting.start()
    demo = reporting.demo()
    exports = f"/api/v1.0/customers/{demo['customerId']}/exports"
    async with reporting.client(**{"x-api-key": demo["apiKey"]}) as client:
        fields = [{"type": "text", "name": "site", "label": "Site"}]
        for name in ("First", "Second"):
            body = {"name": name, "fields": fields, "publish": True}
            form = (await client.post("/api/v1.0/forms", json=body)).json()
            await _insert(reporting, demo["customerId"], form, 0 if name == "First" else COUNT, COUNT)
        body = {"name": "All", "format": "NDJSON", "destination": place.destination}
        new_folder = (await client.post(exports, json=body)).json()
        path = f"{exports}/{new_folder['id']}"
        async with asyncio.timeout(60):
            await place.wait_for_first_file()
        reporting.kill()
    written = await asyncio.to_thread(place.read)
    assert any(name.endswith("First.ndjson") for name in written)
    assert not any(name.endswith("manifest.json") for name in written), "a manifest would mean that it is complete"
    await _end_leases(reporting)
    await reporting.start()
    async with reporting.client(**{"x-api-key": demo["apiKey"]}) as client:
        run = await _wait(client, path, "COMPLETED", "FAILED")
    assert (run["status"], run["rows"]) == ("COMPLETED", 2 * COUNT + demo_rows(run)), run["detail"]
    stored = await asyncio.to_thread(place.read)
    folder = run["location"].rpartition("/")[2]
    assert {name.rpartition("/")[2] for name in stored if folder in name} == {file["name"] for file in run["files"]}
    assert len(stored) == len(run["files"]), "the first attempt left nothing"
    for file in run["files"]:
        [content] = [content for name, content in stored.items() if name.endswith(f"{folder}/{file['name']}")]
        assert hashlib.sha256(content).hexdigest() == file["sha256"], file["name"]


def demo_rows(run: dict[str, Any]) -> int:
    """Return how many submissions are not in the two large forms."""
    own = ("First.ndjson", "Second.ndjson", "manifest.json")
    return sum(file["rows"] for file in run["files"] if file["name"] not in own)
