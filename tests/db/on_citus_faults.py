"""Faults of a real Citus cluster under load: they affect only the accounts on that machine. `make citus` runs these.

The server has a worker inside, and each account has a webhook.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from actors import Account, Stage
from factories.forms import form
from factories.requests import PREFIX
from factories.subscribers import subscriber
from fixtures.app_contexts import settings_for
from fixtures.citus import CitusCluster, upgrade_and_distribute
from fixtures.loopback_server import Loopback
from fixtures.postgres import Cluster
from fixtures.webhook_receiver import Receiver

from formwright.app import create_app
from formwright.cli.welcome import welcome
from formwright.core.db.interface import DatabaseBusy
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties
from formwright.domain.users import management
from formwright.domain.users import service as people
from formwright.domain.users.auth import emails, sessions
from formwright.domain.users.models import NewUser
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings

FIELDS = [{"type": "text", "name": "site", "label": "Site", "indexed": True}]
ROUNDS = 15
SETTLING_S = 5
"""After this time, statements that wait for a hanging worker no longer hold connections that others need."""
_numbers = count(1)


@dataclass
class Filler:
    """An account whose form somebody fills in, and the ids of the submissions that were acknowledged."""

    account: Account
    form_id: str
    port: int
    receiver: Receiver
    acknowledged: list[str] = field(default_factory=list)

    async def submit(self) -> int:
        """Create a submission; return the status of the response."""
        path = f"{PREFIX}/customers/{self.account.id}/forms/{self.form_id}/submissions"
        response = await self.account.api.post(path, json={"data": {"site": "Quay"}})
        if response.status_code == 201:
            self.acknowledged.append(response.json()["id"])
        return response.status_code

    async def list(self) -> int:
        path = f"{PREFIX}/customers/{self.account.id}/submissions?limit=20"
        return (await self.account.api.get(path)).status_code

    async def deliver(self) -> int:
        """Create a submission and wait until its webhook arrives; return the status of the response."""
        status = await self.submit()
        if status == 201:
            await self.receiver.wait_for_body(self.acknowledged[-1].encode())
        return status

    async def look_up_owner(self) -> int:
        """Look for the owner as the sign-in page does, which does not know the account before."""
        try:
            async with self.account.ctx.db.reading() as tx:
                await people.find_credentials(tx, self.account.owner.email)
        except DatabaseBusy:
            return 503
        return 200


@dataclass
class Site:
    """A server whose database is distributed, and accounts on each of the workers."""

    cluster: CitusCluster
    settings: Settings
    stage: Stage
    fillers: list[Filler]
    receiver: Receiver

    async def query(self, sql: str, *args: object) -> list[asyncpg.Record]:
        """Run a statement on the coordinator, on a connection of its own."""
        return await _query(self.settings.database_url, sql, *args)

    def on(self, worker: Cluster) -> list[Filler]:
        """Return the fillers of accounts on this worker."""
        return [filler for filler in self.fillers if filler.port == worker.port]

    async def lost(self) -> set[str]:
        """Return the acknowledged submissions that do not exist."""
        acknowledged = {one for filler in self.fillers for one in filler.acknowledged}
        return acknowledged - {row[0] for row in await self.query("SELECT id FROM submissions")}

    async def wait_for_webhooks(self) -> None:
        """Wait until a webhook has arrived for each acknowledged submission."""
        for filler in self.fillers:
            for submission_id in filler.acknowledged:
                await self.receiver.wait_for_body(submission_id.encode())


async def _query(url: str, sql: str, *args: object) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(url, statement_cache_size=0)
    try:
        return list(await connection.fetch(sql, *args))
    finally:
        await connection.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[CitusCluster]:
    with CitusCluster() as cluster:
        yield cluster


@asynccontextmanager
async def _open_site(cluster: CitusCluster, folder: Path) -> AsyncIterator[Site]:
    """Open a server with a worker inside, whose accounts have a webhook."""
    url = cluster.create_database(f"faults{next(_numbers)}")
    settings = replace(settings_for(folder, url), embedded_worker=True)
    await upgrade_and_distribute(settings)
    entrance = create_app(settings, passwords=PasswordVerifier(cheap=True))
    async with Receiver() as receiver, entrance.app.lifespan(), AsyncExitStack() as accounts:
        stage = Stage(entrance, entrance.app.state.ctx, "https://forms.test")
        site = Site(cluster, settings, stage, [], receiver)
        while not all(len(site.on(worker)) >= 3 for worker in cluster.workers):
            site.fillers.append(await _new_filler(site, await accounts.enter_async_context(stage.account())))
        yield site


async def _new_filler(site: Site, account: Account) -> Filler:
    new_form = await form(account, fields=FIELDS)
    await subscriber(account, url=site.receiver.url, types=["submission.submitted"])
    sql = (
        "SELECT nodeport FROM citus_shards WHERE shardid = get_shard_id_for_distribution_column('customers', $1::text)"
    )
    [[port]] = await site.query(sql, account.id)
    return Filler(account, new_form["id"], port, site.receiver)


@asynccontextmanager
async def _killed(site: Site, worker: Cluster) -> AsyncIterator[None]:
    worker.stop(immediate=True)
    try:
        yield
    finally:
        worker.start()


@asynccontextmanager
async def _frozen(_: Site, worker: Cluster) -> AsyncIterator[None]:
    assert worker.pid
    os.kill(worker.pid, signal.SIGSTOP)
    processes = [worker.pid, *_children(worker.pid)]
    try:
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def _children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@asynccontextmanager
async def _slow(site: Site, worker: Cluster) -> AsyncIterator[None]:
    """Connect the coordinator with the worker through a proxy that delays all that the worker sends."""
    update = "SELECT citus_update_node(nodeid, '127.0.0.1', $2) FROM pg_dist_node WHERE nodeport = $1"
    async with _SlowProxy(worker.port) as proxy:
        await site.query(update, worker.port, proxy.port)
        try:
            yield
        finally:
            await site.query(update, proxy.port, worker.port)


class _SlowProxy(Loopback):
    DELAY_S = 0.3

    def __init__(self, target: int) -> None:
        super().__init__()
        self._target = target

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_connection("127.0.0.1", self._target)
        try:
            await asyncio.gather(self._pump(reader, out, 0), self._pump(there, writer, self.DELAY_S))
        finally:
            out.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
        with suppress(OSError):
            while piece := await reader.read(65536):
                await asyncio.sleep(delay)
                writer.write(piece)
                await writer.drain()
        writer.close()


@pytest.mark.parametrize("fault", [_killed, _frozen, _slow])
async def test_a_failing_worker_only_affects_its_own_accounts(
    cluster: CitusCluster, tmp_path: Path, fault: Callable[[Site, Cluster], AbstractAsyncContextManager[None]]
) -> None:
    async with _open_site(cluster, tmp_path) as site:
        failing, healthy = cluster.workers
        await _use(site.on(healthy))
        async with fault(site, failing):
            requests = [Attack(one) for filler in site.on(failing) for one in (filler.submit, filler.list) * 3]
            lookups = [Attack(filler.look_up_owner) for filler in site.on(failing) * 3]
            await asyncio.sleep(SETTLING_S)
            before = [len(attack.statuses) for attack in requests]
            count = await _use(site.on(healthy))
            during = [len(attack.statuses) - number for attack, number in zip(requests, before, strict=True)]
            for filler in site.on(healthy):
                await _change_access(filler.account)
            await _check_new_server(site)
            await asyncio.gather(*(attack.end() for attack in requests + lookups))
        assert set().union(*(attack.statuses for attack in requests + lookups)) <= {200, 201, 503}
        if fault is not _killed:  # Without a machine, requests fail at once.
            assert max(during) < count / 2, "the other accounts did not wait for the failing machine"
        for filler in site.fillers:
            await _until(201, filler.submit)
        assert await site.lost() == set()
        await site.wait_for_webhooks()


async def _use(fillers: list[Filler]) -> int:
    """Use the accounts, with one request after the other; return the number of requests."""
    operations = [
        (operation, status)
        for filler in fillers
        for operation, status in ((filler.submit, 201), (filler.list, 200), (filler.deliver, 201))
    ] * ROUNDS
    for operation, status in operations:
        assert await operation() == status
    return len(operations)


class Attack:
    """A task that repeats an operation until its end, and the statuses of all responses."""

    def __init__(self, operation: Callable[[], Awaitable[int]]) -> None:
        self.statuses: list[int] = []
        self._operation, self._ended = operation, asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while not self._ended.is_set():
            self.statuses.append(await self._operation())
            await asyncio.sleep(0.1)

    async def end(self) -> None:
        """Wait for the response to the last request."""
        self._ended.set()
        await self._task


async def _change_access(account: Account) -> None:
    """Sign in, create a key and a user, and reset the user's password."""
    db = account.ctx.db
    async with db.writing() as tx:
        [credentials] = await people.find_credentials(tx, account.owner.email)
        token = await sessions.create(tx, credentials)
        _, key = await keys.create(tx, account.actor, KeyProperties("Key"), maker_name="Test")
    async with db.reading() as tx:
        assert await sessions.find(tx, token, account.ctx.clock.now())
        assert await keys.identify(tx, key, account.ctx.clock.now())
    new = NewUser(f"{account.id}@example.org", "Ann Example")
    async with db.writing() as tx:
        await management.create(tx, account.actor, new, password_hash="-")
    async with db.writing() as tx:
        sent = await emails.send_reset_links(tx, account.ctx.secret_box, new.email, lambda _: "https://forms.test")
        assert [mail.address for mail in sent] == [new.email]


async def _check_new_server(site: Site) -> None:
    """Start another server, as `serve` does."""
    entrance = create_app(site.settings)
    async with entrance.app.lifespan():
        ctx: Any = entrance.app.state.ctx
        assert "Sign in" in await welcome(ctx, "https://forms.test", with_demo=False)
        transport = httpx.ASGITransport(entrance)
        async with httpx.AsyncClient(transport=transport, base_url="https://forms.test") as api:
            assert (await api.get("/health/ready")).status_code == 200


async def _until(status: int, operation: Callable[[], Awaitable[int]]) -> None:
    """Repeat the operation until the response has this status, for a minute at most."""
    for _ in range(300):
        if await operation() == status:
            return
        await asyncio.sleep(0.2)
    pytest.fail(f"no response {status}")


async def test_everything_recovers_when_the_coordinator_restarts(cluster: CitusCluster, tmp_path: Path) -> None:
    async with _open_site(cluster, tmp_path) as site:
        attacks = [Attack(filler.submit) for filler in site.fillers]
        await asyncio.sleep(1)
        await asyncio.to_thread(cluster.coordinator.stop, immediate=True)
        await asyncio.sleep(1)
        await asyncio.to_thread(cluster.coordinator.start)
        for filler in site.fillers:
            await _until(201, filler.submit)
            assert await filler.list() == 200
            await _change_access(filler.account)
        await asyncio.gather(*(attack.end() for attack in attacks))
        assert set().union(*(attack.statuses for attack in attacks)) == {201, 503}
        assert await site.lost() == set()
        await site.wait_for_webhooks()


async def test_a_shard_can_be_moved_while_its_account_is_used(cluster: CitusCluster, tmp_path: Path) -> None:
    async with _open_site(cluster, tmp_path) as site:
        source, target = cluster.workers
        filler = site.on(source)[0]
        shard = "SELECT get_shard_id_for_distribution_column('customers', $1::text)"
        [[shard_id]] = await site.query(shard, filler.account.id)
        attacks = [Attack(one.submit) for one in site.fillers]
        await asyncio.sleep(1)
        move = "SELECT citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3)"
        await site.query(move, shard_id, source.port, target.port)
        [[port]] = await site.query("SELECT nodeport FROM citus_shards WHERE shardid = $1", shard_id)
        assert port == target.port
        await asyncio.gather(*(attack.end() for attack in attacks))
        assert set().union(*(attack.statuses for attack in attacks)) == {201}
        assert await filler.list() == 200
        assert await site.lost() == set()
        await site.wait_for_webhooks()
