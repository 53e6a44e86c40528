"""The data loader dlt pulls submissions into DuckDB repeatedly, without gaps or duplicates."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from factories.forms import FIELDS
from fixtures.accounts import AccountFactory, Person
from fixtures.client_generators import EXAMPLES, program, run
from fixtures.loopback_server import Loopback

pytestmark = pytest.mark.slow

LOOK = """
import duckdb, json
rows = duckdb.connect("formwright.duckdb").execute
held = rows("SELECT id, revision, status, data__site FROM forms.submissions ORDER BY id").fetchall()
deleted = rows("SELECT data__id FROM forms.deleted_submissions").fetchall() if %s else []
print(json.dumps([held, [one for (one,) in deleted]]))
"""
_JSON_LINK = '{"type": "json_link", "next_url_path": "next"}'
_PAGINATORS = {
    "json_link": _JSON_LINK,
    "cursor": '{"type": "cursor", "cursor_path": "nextCursor", "cursor_param": "cursor"}',
}
"""Configurations of dlt's paginators; documentation shows the first one."""


class Warehouse:
    """A folder in which the example of the docs runs, with pages of two submissions, so that there are several."""

    def __init__(self, person: Person, folder: Path, base: str = "", paginator: str = "json_link") -> None:
        self._folder = folder
        program_text = (EXAMPLES / "load.py").read_text(encoding="utf-8").replace('"limit": 1000', '"limit": 2')
        assert program_text.count('"limit": 2') == 2
        assert program_text.count(_JSON_LINK) == 1
        program_text = program_text.replace(_JSON_LINK, _PAGINATORS[paginator])
        (folder / "load.py").write_text(program_text, encoding="utf-8")
        self._variables = {
            "BASE": base or person.path("/api/v1.0"),
            "KEY": person.key,
            "CUSTOMER": person.customer_id,
            "REQUESTS_CA_BUNDLE": str(person.server.data / "tls" / "ca.pem"),
            "DLT_DATA_DIR": str(folder / "state"),
            "RUNTIME__DLTHUB_TELEMETRY": "false",
        }

    async def load(self) -> str:
        return await self._run(str(self._folder / "load.py"))

    async def look(self, deleted: bool) -> Any:
        """Return the current submissions, and the ids of deleted ones."""
        return json.loads(await self._run("-c", LOOK % deleted))

    async def _run(self, *words: str) -> str:
        whole = program("python"), *words
        return await asyncio.to_thread(lambda: run(*whole, folder=self._folder, **self._variables))


async def test_dlt_pulls_new_and_changed_submissions(https_accounts: AccountFactory, tmp_path: Path) -> None:
    person = await https_accounts.create_account()
    warehouse = Warehouse(person, tmp_path, paginator="cursor")
    submissions = f"/api/v1.0/customers/{person.customer_id}/submissions"
    async with person.client() as api:
        response = await api.post("/api/v1.0/forms", json={"name": "Visit", "fields": FIELDS, "publish": True})
        form = f"/api/v1.0/customers/{person.customer_id}/forms/{response.json()['id']}/submissions"
        ids = [await submit(api, form, site) for site in ("A", "B", "C", "D", "E")]
        await warehouse.load()
        assert await warehouse.look(deleted=False) == [await read_submissions(api), []]

        await api.put(f"{submissions}/{ids[0]}", json={"status": "APPROVED"})
        await api.put(f"{submissions}/{ids[4]}", json={"data": {"site": "E, edited"}})
        await api.delete(f"{submissions}/{ids[1]}")
        ids += [await submit(api, form, site) for site in ("F", "G", "H")]
        said = await warehouse.load()
        pulled = dict(re.findall(r"'(\w*submissions)': (\d+)", said))
        assert pulled == {"submissions": "5", "deleted_submissions": "1"}, "unchanged submissions are not pulled again"
        held, deleted = await warehouse.look(deleted=True)
        assert deleted == [ids[1]]
        assert [row for row in held if row[0] not in deleted] == await read_submissions(api)
        assert [row[0] for row in held] == sorted(ids), "no duplicates"


async def test_dlt_keeps_the_latest_state_of_submissions_edited_during_a_pull(
    https_accounts: AccountFactory, tmp_path: Path
) -> None:
    person = await https_accounts.create_account()
    submissions = f"/api/v1.0/customers/{person.customer_id}/submissions"
    async with person.client() as api:
        response = await api.post("/api/v1.0/forms", json={"name": "Visit", "fields": FIELDS, "publish": True})
        form = f"/api/v1.0/customers/{person.customer_id}/forms/{response.json()['id']}/submissions"
        ids = [await submit(api, form, f"Site {number}") for number in range(8)]

        async def edit(ids: Iterable[str], site: str) -> None:
            for id_ in ids:
                done = await api.put(f"{submissions}/{id_}", json={"data": {"site": site}})
                assert done.status_code == 200, done.text

        async with FirstPage(api, edit) as proxy:
            warehouse = Warehouse(person, tmp_path, base=proxy.url)
            for pull in (1, 2):
                said = await warehouse.load()
                pulled = dict(re.findall(r"'(\w*submissions)': (\d+)", said))
                assert int(pulled["submissions"]) > len(ids), "submissions edited during the pull arrive twice"
                held, _ = await warehouse.look(deleted=False)
                assert held == await read_submissions(api)
                await edit(ids, f"Before pull {pull + 1}")


class FirstPage(Loopback):
    """Passes the first page of submissions on after `edit` has changed its submissions.

    They appear again on a later page, which is requested from the server directly.
    """

    def __init__(self, api: httpx.AsyncClient, edit: Callable[[Iterable[str], str], Awaitable[None]]) -> None:
        super().__init__()
        self._api, self._edit, self._edits = api, edit, 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/v1.0"

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                page = await self._api.get(head.decode().split()[1])
                if "/submissions?" in str(page.url):
                    for _ in range(2):
                        self._edits += 1
                        await self._edit((one["id"] for one in page.json()["items"]), f"Edit {self._edits}")
                start = f"HTTP/1.1 {page.status_code} Passed\r\nContent-Type: application/json\r\n"
                writer.write(f"{start}Content-Length: {len(page.content)}\r\n\r\n".encode() + page.content)
                await writer.drain()


async def submit(api: httpx.AsyncClient, form: str, site: str) -> str:
    return str((await api.post(form, json={"data": {"site": site}})).json()["id"])


async def read_submissions(api: httpx.AsyncClient) -> list[list[Any]]:
    """Return the submissions on the server in the form of the table."""
    items = (await api.get("/api/v1.0/submissions", params={"limit": 1000})).json()["items"]
    return sorted([one["id"], one["revision"], one["status"], one["data"]["site"]] for one in items)
