"""10,000 users synchronised over SCIM, twice, as Microsoft Entra ID does it: `python -m bench.scim_sync`."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
from fixtures.postgres import Cluster

from bench.data import Account, create_dataset
from bench.measurements import Measurement
from bench.servers import run_formwright
from formwright.bootstrap import open_context
from formwright.core.auth import actor as actors
from formwright.domain.provisioning import tokens
from formwright.settings import Settings

USERS, CLIENTS = 10_000, 4
_USER = "urn:ietf:params:scim:schemas:core:2.0:User"


def measure(database: str, account: Account, host: str, token: str) -> Iterator[Measurement]:
    """Measure how many users per second are looked up and created, and then looked up and replaced by the same."""
    first = asyncio.run(_synchronise(host, token))
    before = _newest_event(account, host)
    second = asyncio.run(_synchronise(host, token))
    events = _newest_event(account, host) - before
    value = f"{USERS / first:.0f} and {USERS / second:.0f} users/s, {events} events the second time"
    yield Measurement(database, f"{USERS:,} users synchronised over SCIM twice", "0 events", value, "", events == 0)


async def _synchronise(host: str, token: str) -> float:
    """Look each user up, create or replace them. Returns the seconds."""
    started, numbers = time.perf_counter(), iter(range(USERS))
    headers = {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=f"http://{host}/scim/v2", headers=headers, timeout=60) as http:

        async def work() -> None:
            for number in numbers:
                name = f"person{number}@sync.example"
                body = {
                    "schemas": [_USER],
                    "userName": name,
                    "externalId": str(number),
                    "active": True,
                    "displayName": f"Person {number}",
                    "name": {"givenName": "Person", "familyName": str(number)},
                    "emails": [{"value": name, "type": "work", "primary": True}],
                }
                found = await http.get("/Users", params={"filter": f'userName eq "{name}"'})
                if known := found.raise_for_status().json().get("Resources"):
                    response = await http.put(f"/Users/{known[0]['id']}", json=body)
                else:
                    response = await http.post("/Users", json=body)
                response.raise_for_status()

        await asyncio.gather(*(work() for _ in range(CLIENTS)))
    return time.perf_counter() - started


def _newest_event(account: Account, host: str) -> int:
    """Return the sequence number of the newest event of the account."""
    path = f"http://{host}/api/v1.0/webhooks/customer/{account.id}/events?limit=1&order=-sequence"
    response = httpx.get(path, headers={"x-api-key": account.key})
    return int(response.raise_for_status().json()["items"][0]["sequence"])


async def _prepare(settings: Settings) -> tuple[Account, str]:
    account = (await create_dataset(settings, 1)).accounts[0]
    async with open_context(settings) as ctx, ctx.db.writing() as tx:
        return account, (await tokens.enable(tx, actors.system(account.id)))[1]


def main() -> int:
    """Print the measurements on both databases."""
    for database in ("sqlite", "postgres"):
        with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder, ExitStack() as stack:
            cluster = stack.enter_context(Cluster(durable=True)) if database == "postgres" else None
            url = cluster.create_database("bench") if cluster else ""
            account, token = asyncio.run(_prepare(Settings(data_dir=Path(folder), database_url=url)))
            server = stack.enter_context(run_formwright(Path(folder), url))
            for one in measure(database, account, server.host, token):
                print(f"{one.database:9} {one.name}: {one.value}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
