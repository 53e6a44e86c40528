"""A data loader of others, dlt, pulls submissions into DuckDB again and again: without a gap, and none twice."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import httpx
from make.forms import FIELDS
from rig.generators import EXAMPLES, program, run
from rig.office import Office, Person

LOOK = """
import duckdb, json
rows = duckdb.connect("formwright.duckdb").execute
held = rows("SELECT id, revision, status, data__site FROM forms.submissions ORDER BY id").fetchall()
deleted = rows("SELECT data__id FROM forms.deleted_submissions").fetchall() if %s else []
print(json.dumps([held, [one for (one,) in deleted]]))
"""


class Warehouse:
    """A folder in which the example of the docs loads; it asks for pages of two, so that there are several."""

    def __init__(self, person: Person, folder: Path) -> None:
        self._folder = folder
        program_text = (EXAMPLES / "load.py").read_text(encoding="utf-8").replace('"limit": 1000', '"limit": 2')
        assert program_text.count('"limit": 2') == 2
        (folder / "load.py").write_text(program_text, encoding="utf-8")
        self._variables = {
            "BASE": person.path("/api/v1.0"),
            "KEY": person.key,
            "CUSTOMER": person.customer_id,
            "REQUESTS_CA_BUNDLE": str(person.server.data / "tls" / "ca.pem"),
            "DLT_DATA_DIR": str(folder / "state"),
            "RUNTIME__DLTHUB_TELEMETRY": "false",
        }

    async def load(self) -> str:
        return await self._run(str(self._folder / "load.py"))

    async def look(self, deleted: bool) -> Any:
        """What is held, and what is known to be deleted."""
        return json.loads(await self._run("-c", LOOK % deleted))

    async def _run(self, *words: str) -> str:
        whole = program("python"), *words
        return await asyncio.to_thread(lambda: run(*whole, folder=self._folder, **self._variables))


async def test_dlt_pulls_what_is_new_and_what_changed(served: Office, tmp_path: Path) -> None:
    person = await served.owner()
    warehouse, submissions = Warehouse(person, tmp_path), f"/api/v1.0/customers/{person.customer_id}/submissions"
    async with person.client() as api:
        answer = await api.post("/api/v1.0/forms", json={"name": "Visit", "fields": FIELDS, "publish": True})
        form = f"/api/v1.0/customers/{person.customer_id}/forms/{answer.json()['id']}/submissions"
        ids = [await submit(api, form, site) for site in ("A", "B", "C", "D", "E")]
        await warehouse.load()
        assert await warehouse.look(deleted=False) == [await there(api), []]

        await api.put(f"{submissions}/{ids[0]}", json={"status": "APPROVED"})
        await api.put(f"{submissions}/{ids[4]}", json={"data": {"site": "E, mended"}})
        await api.delete(f"{submissions}/{ids[1]}")
        ids += [await submit(api, form, site) for site in ("F", "G", "H")]
        said = await warehouse.load()
        pulled = dict(re.findall(r"'(\w*submissions)': (\d+)", said))
        assert pulled == {"submissions": "5", "deleted_submissions": "1"}, "what did not change is not pulled again"
        held, deleted = await warehouse.look(deleted=True)
        assert deleted == [ids[1]]
        assert [row for row in held if row[0] not in deleted] == await there(api)
        assert [row[0] for row in held] == sorted(ids), "none twice"


async def submit(api: httpx.AsyncClient, form: str, site: str) -> str:
    return str((await api.post(form, json={"data": {"site": site}})).json()["id"])


async def there(api: httpx.AsyncClient) -> list[list[Any]]:
    """What the server has, as it should be held."""
    items = (await api.get("/api/v1.0/submissions", params={"limit": 1000})).json()["items"]
    return sorted([one["id"], one["revision"], one["status"], one["data"]["site"]] for one in items)
