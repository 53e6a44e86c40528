"""Rolling upgrades: no request is refused while new processes replace old ones, and nothing acknowledged is lost.

The database is one migration ahead of the old processes, as it is once the first new one has started. The new ones run
the same code, as there is no other: the test shows that neither is disturbed by a newer schema.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest
from factories.forms import FIELDS
from fixtures.accounts import Person, account_factory
from fixtures.app_contexts import open_migrated_context
from fixtures.server_process import Server, eventually

from formwright import migrations
from formwright.settings import Settings

pytestmark = pytest.mark.slow

DRAIN_S = 6
AHEAD = (
    "ALTER TABLE submissions ADD COLUMN probe TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX submissions_probe ON submissions (customer_id, probe)",
    "CREATE TABLE probes (customer_id TEXT PRIMARY KEY)",
    "UPDATE alembic_version SET version_num = '9999'",
)


class Balancer:
    """Sends each request to a server that reports to be ready, like a load balancer does."""

    def __init__(self, person: Person, *servers: Server) -> None:
        self._servers = servers
        self._clients = {server: server.client(**{"x-api-key": person.key}) for server in servers}
        self._turn = itertools.count()
        self._ready: list[Server] = []

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        job = asyncio.create_task(self._watch())
        yield
        job.cancel()
        with suppress(asyncio.CancelledError):
            await job
        for client in self._clients.values():
            await client.aclose()

    async def _watch(self) -> None:
        while True:
            states = await asyncio.gather(*(self._is_ready(server) for server in self._servers))
            self._ready = [server for server, ready in zip(self._servers, states, strict=True) if ready]
            await asyncio.sleep(0.05)

    async def _is_ready(self, server: Server) -> bool:
        try:
            return (await self._clients[server].get("/health/ready")).status_code == 200
        except (httpx.TransportError, FileNotFoundError):
            return False

    async def serves_from(self, *servers: Server) -> None:
        async def look() -> bool:
            return self._ready == list(servers)

        await eventually(look, 30)

    async def call(self, method: str, path: str, **sent: object) -> httpx.Response:
        server = self._ready[next(self._turn) % len(self._ready)]
        return await self._clients[server].request(method, "/api/v1.0" + path, **sent)


class Callers:
    """Users and systems: each submits and reads its submission again, all the time."""

    def __init__(self, balancer: Balancer, person: Person, form_id: str) -> None:
        self._balancer, self._person, self._form_id = balancer, person, form_id
        self.kept: list[str] = []
        self.refused: list[str] = []

    @asynccontextmanager
    async def calling(self) -> AsyncIterator[None]:
        over = asyncio.Event()
        jobs = [asyncio.create_task(self._call(over)) for _ in range(3)]
        yield
        over.set()
        await asyncio.gather(*jobs)

    async def _call(self, over: asyncio.Event) -> None:
        path = f"/customers/{self._person.customer_id}"
        while not over.is_set():
            created = await self._send(
                "POST", f"{path}/forms/{self._form_id}/submissions", json={"data": {"site": "A"}}
            )
            if created is not None and created.status_code == 201:
                self.kept.append(created.json()["id"])
                await self._send("GET", f"{path}/submissions/{self.kept[-1]}")
            await asyncio.sleep(0.02)

    async def _send(self, method: str, path: str, **sent: object) -> httpx.Response | None:
        try:
            response = await self._balancer.call(method, path, **sent)
        except httpx.TransportError as error:
            self.refused.append(f"{method}: {error!r}")
            return None
        if response.status_code not in (200, 201):
            self.refused.append(f"{method}: {response.status_code} {response.text}")
        return response


@pytest.mark.parametrize("settings_without_tables", ["postgres"], indirect=True)
async def test_no_request_is_refused_while_a_new_version_takes_over(settings_without_tables: Settings) -> None:
    settings = settings_without_tables
    old, new = (
        Server(settings.data_dir, database_url=settings.database_url, DRAIN=str(DRAIN_S), LOG_LEVEL="error")
        for _ in range(2)
    )
    try:
        await old.start("--no-worker")
        async with account_factory(old) as desk:
            person = await desk.create_account()
            async with person.client() as http:
                body = {"name": "Visit", "fields": FIELDS, "publish": True}
                form = (await http.post(f"/api/v1.0/forms/customer/{person.customer_id}/forms", json=body)).json()
        balancer = Balancer(person, old, new)
        callers = Callers(balancer, person, form["id"])
        async with balancer.watching():
            await balancer.serves_from(old)
            async with callers.calling():
                async with open_migrated_context(settings) as ctx, ctx.db.writing() as tx:
                    for statement in AHEAD:
                        await tx.execute(statement)
                await new.start("--no-worker")
                await balancer.serves_from(old, new)
                async with old.client() as http:
                    assert (await http.get("/health/ready")).status_code == 200
                    stopping = asyncio.create_task(old.stop())
                    await _says_that_it_leaves(http)
                status, took = await stopping
                assert (status, took >= DRAIN_S) == (0, True), old.log()
                before = len(callers.kept)
                await balancer.serves_from(new)
            assert callers.refused == []
            assert len(callers.kept) >= before > 0
            for submission_id in callers.kept[:: len(callers.kept) // 20 + 1]:
                path = f"/customers/{person.customer_id}/submissions/{submission_id}"
                assert (await balancer.call("GET", path)).status_code == 200
        # Old processes can even be restarted.
        assert await migrations.upgrade(settings) == "9999"
    finally:
        old.close()
        new.close()


async def _says_that_it_leaves(http: httpx.AsyncClient) -> None:
    """Wait until it is not ready, still responds, and closes the connection after the response."""

    async def look() -> httpx.Response | None:
        response = await http.get("/health/ready")
        return None if response.status_code == 200 else response

    ready = await eventually(look, 30)
    assert (ready.status_code, ready.json()["parts"]) == (503, {"process": "unavailable"})
    live = await http.get("/health/live")
    assert (live.status_code, live.headers["connection"]) == (200, "close")
