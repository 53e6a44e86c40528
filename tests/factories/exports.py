"""Exports, their runs and files."""

import asyncio
import csv
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from actors import Account
from fixtures.server_process import eventually

from factories.requests import PREFIX, get, post
from factories.web_client import visit
from formwright.worker.downloads import DownloadWorker
from formwright.worker.exports import ExportWorker


async def every_event(account: Account, form_id: str) -> None:
    """Run an export that completes, and one that fails because its saved view was deleted."""
    exports, views = path_of(account), f"/customers/{account.id}/views"
    view = await post(account, views, {"name": "For a while", "formId": form_id})
    for properties in ({}, {"viewId": view["id"]}):
        await post(account, exports, {"name": "All", "formId": form_id, **properties})
    assert (await account.api.delete(f"{PREFIX}{views}/{view['id']}")).status_code == 204
    await work(account)


def path_of(account: Account, export: dict[str, Any] | None = None) -> str:
    """Return the path of an export, or of all."""
    return f"/customers/{account.id}/exports" + (f"/{export['id']}" if export else "")


async def create(account: Account, **properties: Any) -> dict[str, Any]:
    """Create an export."""
    return await post(account, path_of(account), {"name": "All"} | properties)


async def work(account: Account) -> None:
    """Do what a worker does until nothing is due."""
    worker = ExportWorker(account.ctx)
    while await worker.run_batch():
        pass


@asynccontextmanager
async def run_download_worker(account: Account) -> AsyncIterator[None]:
    """Run a worker that writes the files that people request on pages."""
    running = asyncio.create_task(DownloadWorker(account.ctx, poll_interval_s=0.02, renew_s=0.02).run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def load_file(account: Account, path: str) -> bytes:
    """Return the file that the owner downloads on a page, also if it takes longer than a second."""
    async with visit(account) as site, run_download_worker(account):
        response = await site.http.get(path)
        if response.status_code == 303:
            page = response.headers["location"]

            async def is_ready() -> bool:
                text = (await site.http.get(page)).text
                assert "Export failed" not in text, text
                return "is ready" in text

            assert await eventually(is_ready, 60)
            response = await site.http.get(f"{page}/file")
    assert response.status_code == 200, response.text
    return response.content


async def latest_run(account: Account, export: dict[str, Any]) -> dict[str, Any]:
    """Return the latest run of an export."""
    found: dict[str, Any] = (await get(account, path_of(account, export)))["latestRun"]
    return found


async def run_export(account: Account, export: dict[str, Any]) -> dict[str, Any]:
    """Run an export, and return the run after it has ended."""
    await post(account, f"{path_of(account, export)}/runs", None)
    await work(account)
    return await latest_run(account, export)


async def download(account: Account, file: dict[str, Any]) -> bytes:
    """Return the content of a file."""
    async with account.stage.client() as http:
        response = await http.get(file["url"][file["url"].index("/files/") :])
    assert response.status_code == 200, response.text
    return response.content


async def exported_ids(account: Account, run: dict[str, Any]) -> list[str]:
    """Return the ids of the submissions in the CSV file of a run."""
    [file] = [file for file in run["files"] if file["name"].endswith(".csv")]
    text = (await download(account, file)).decode("utf-8-sig")
    return [row["Submission"] for row in csv.DictReader(io.StringIO(text, newline=""))]
