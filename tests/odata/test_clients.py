"""Clients that others wrote read the feed of a server over HTTPS: python-odata and @odata/client."""

import asyncio
import json
from typing import Any

from fixtures.accounts import AccountFactory, Person
from fixtures.client_generators import EXAMPLES, MODULES, ROOT, program, run
from fixtures.node import node

from formwright.core.auth import actor as actors
from formwright.domain.feeds import service as feeds

FIELDS = [
    {"type": "text", "name": "site", "label": "Site"},
    {"type": "integer", "name": "people", "label": "People"},
    {"type": "boolean", "name": "safe", "label": "Safe"},
]
ROWS: list[list[Any]] = [["Häfen's 😀", 3, True], ["Quay", 1, False], [None, None, True], ["Pier", 2, False]]


async def fill(person: Person) -> dict[str, str]:
    """Create a form with submissions, switch the feed on, and return the variables of a client."""
    async with person.factory.ctx.db.writing() as tx:
        await feeds.switch(tx, actors.system(person.customer_id), enabled=True)
    async with person.client() as api:
        form = (await api.post("/api/v1.0/forms", json={"name": "Visit", "fields": FIELDS, "publish": True})).json()
        path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
        for row in ROWS:
            names = ("site", "people", "safe")
            data: dict[str, Any] = {name: value for name, value in zip(names, row, strict=True) if value is not None}
            assert (await api.post(path, json={"data": data})).status_code == 201
    authority = str(person.server.data / "tls" / "ca.pem")
    return {
        "ROOT": person.path(f"/odata/v4/{person.customer_id}/"),
        "KEY": person.key,
        "TABLE": "Submissions_Visit",
        "COLUMNS": "site,people,safe",
        "REQUESTS_CA_BUNDLE": authority,
        "NODE_EXTRA_CA_CERTS": authority,
    }


async def test_two_clients_read_the_feed(https_accounts: AccountFactory) -> None:
    variables = await fill(await https_accounts.create_account())

    def call(*words: str) -> list[Any]:
        return [json.loads(line) for line in run(*words, folder=ROOT, **variables).splitlines()]

    assert await asyncio.to_thread(call, program("python"), str(EXAMPLES / "odata_feed.py")) == [ROWS, [3, 2]]
    # Node finds modules in the folders above the script.
    script = MODULES / ".cache" / "odata_feed.mjs"
    script.parent.mkdir(exist_ok=True)
    script.write_bytes((EXAMPLES / "odata_feed.mjs").read_bytes())
    assert await asyncio.to_thread(call, str(node()), str(script)) == [ROWS, [2, 3, 2], ROWS[0][0]]
