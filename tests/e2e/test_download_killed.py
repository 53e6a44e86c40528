"""Downloads of pages on several servers that share the database and the file storage, but no folder."""

import asyncio
import io
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import pytest_asyncio
from fixtures.accounts import AccountFactory, Person, account_factory
from fixtures.object_storage import BUCKET, ObjectStorage
from fixtures.postgres import Server as Postgres
from fixtures.server_process import Server, eventually

from bench.data import build_submission
from formwright.domain.exports import run_queue
from formwright.domain.submissions import store
from formwright.web.session import cookie_name

pytestmark = pytest.mark.slow

COUNT = 40_000
"""So many that the server is killed while the file is written."""
FIELDS = [{"type": "text", "name": "site", "label": "Site"}]


class Deployment:
    """Two servers with folders of their own, on one database and one file storage."""

    def __init__(self, servers: list[Server], factory: AccountFactory) -> None:
        self.servers, self.factory = servers, factory

    async def create_form(self, owner: Person, count: int) -> str:
        """Create a form with this number of submissions, and return its id."""
        async with owner.client() as client:
            body = {"name": "Large", "fields": FIELDS, "publish": True}
            form = (await client.post("/api/v1.0/forms", json=body)).json()
        records = [
            build_submission(owner.customer_id, form["id"], form["publishedVersionId"], number)
            for number in range(count)
        ]
        async with self.factory.ctx.db.writing() as tx:
            await tx.copy("submissions", store.COLUMNS, [store.to_row(record) for record in records])
        form_id: str = form["id"]
        return form_id

    async def claimed_run(self, owner: Person) -> tuple[str, int] | None:
        """Return the state and the number of tries of the owner's download; None if there is none."""
        async with self.factory.ctx.db.reading() as tx:
            row = await tx.fetch_one("SELECT state, tries FROM export_runs WHERE customer_id = $1", owner.customer_id)
        return (row[0], row[1]) if row else None


@pytest_asyncio.fixture(params=["sqlite", "postgres"])
async def deployment(
    request: pytest.FixtureRequest, tmp_path: Path, worker_id: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Deployment]:
    """On SQLite, the servers share the data folder with the database; on PostgreSQL, they have a bucket for files."""
    folders, own = [tmp_path / "data"] * 2, {"SECRET_KEY": "s" * 40}
    url = ""
    if request.param == "postgres":
        cluster: Postgres = request.getfixturevalue("postgres_cluster")
        storage: ObjectStorage = request.getfixturevalue("object_storage")
        name = f"downloads_{worker_id}_{tmp_path.name}".lower()
        url, own = cluster.create_database(name), own | {"FILES_URL": f"s3://{BUCKET}/{name}"}
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", storage.access_key_id)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", storage.secret_access_key)
        monkeypatch.setenv("AWS_REGION", "eu-central-1")
        monkeypatch.setenv("AWS_ENDPOINT", storage.endpoint)
        monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
        folders = [tmp_path / "first", tmp_path / "second"]
    async with AsyncExitStack() as stack:
        servers = []
        for folder in folders:
            folder.mkdir(exist_ok=True)
            servers.append(Server(folder, database_url=url, **own))
            stack.callback(servers[-1].close)
        await servers[0].start()
        yield Deployment(servers, await stack.enter_async_context(account_factory(servers[0])))


async def test_a_download_of_a_killed_server_is_finished_by_another_one(deployment: Deployment) -> None:
    first, second = deployment.servers
    owner = await deployment.factory.create_account()
    form_id = await deployment.create_form(owner, COUNT)
    cookies = {cookie_name(deployment.factory.ctx.settings): await deployment.factory.start_session(owner)}
    async with first.client() as http:
        http.cookies.update(cookies)
        response = await http.get(f"/submissions/download.xlsx?form={form_id}")
    assert response.status_code == 303, "it takes longer than a second"
    assert await deployment.claimed_run(owner) == ("RUNNING", 1)
    first.kill()
    killed = time.monotonic()
    await second.start()
    async with second.client() as http:
        http.cookies.update(cookies)
        path = response.headers["location"]
        assert "Submissions</a> links" in (await http.get(path)).text.replace("\n", " "), "the page shows the progress"

        async def is_ready() -> bool:
            page = (await http.get(path)).text
            assert "Export failed" not in page
            return f"Your file with {COUNT:,} submissions is ready." in page

        assert await eventually(is_ready, 240)
        assert await deployment.claimed_run(owner) == ("COMPLETED", 2)
        assert time.monotonic() - killed > run_queue.DOWNLOAD_LEASE_MS / 1000 - 2, "the lease had to end first"
        content = (await http.get(f"{path}/file")).content
    sheet = await asyncio.to_thread(lambda: openpyxl.load_workbook(io.BytesIO(content), read_only=True).worksheets[0])
    assert len({row[0].value for row in sheet.iter_rows(min_row=2)}) == COUNT


async def test_a_file_that_one_server_writes_is_sent_and_removed_by_another_one(deployment: Deployment) -> None:
    first, second = deployment.servers
    await second.start("--no-worker")
    owner = await deployment.factory.create_account()
    form_id = await deployment.create_form(owner, 3)
    cookies = {cookie_name(deployment.factory.ctx.settings): await deployment.factory.start_session(owner)}
    async with second.client() as http:
        http.cookies.update(cookies)
        response = await http.get(f"/submissions/download.xlsx?form={form_id}")
        if response.status_code == 303:  # The machine is busy.
            path = response.headers["location"]

            async def is_ready() -> bool:
                return "is ready" in (await http.get(path)).text

            assert await eventually(is_ready, 60)
            response = await http.get(f"{path}/file")
        sheet: Any = openpyxl.load_workbook(io.BytesIO(response.content)).worksheets[0]
        assert sheet.max_row == 4
    for server in (first, second):
        assert not list((server.data / "exports").glob("*"))
