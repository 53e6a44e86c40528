"""Kills, full disks, cut connections: acknowledged changes are there, refused ones left nothing, and work continues.

`LOSS_ROUNDS` sets how often a server is killed; `make chaos` kills it more often.
"""

import asyncio
import os
import random
import resource
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from backup.writers import WriteOutcomes, Writers, compare
from fixtures.accounts import Person, account_factory
from fixtures.postgres import Cluster
from fixtures.server_process import Server, eventually

ROUNDS = int(os.environ.get("LOSS_ROUNDS", "1"))


async def _person(server: Server) -> Person:
    async with account_factory(server) as desk:
        return await desk.create_account()


async def _goes_on(outcomes: WriteOutcomes) -> None:
    """Wait until one more change is acknowledged."""
    before = len(outcomes.kept)

    async def look() -> bool:
        return len(outcomes.kept) > before

    await eventually(look, 60)


def _children(server: Server) -> list[int]:
    """Return the process ids of the server's children."""
    assert server._process
    tasks = Path(f"/proc/{server._process.pid}/task").glob("*/children")
    return [int(pid) for task in tasks for pid in task.read_text().split() if _answers(int(pid))]


def _answers(pid: int) -> bool:
    return "resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_text()


async def _moment() -> None:
    """Wait until a random moment."""
    await asyncio.sleep(random.uniform(0, 0.4))


@asynccontextmanager
async def _busy(server: Server) -> AsyncIterator[tuple[Writers, Person]]:
    """A server with clients that write all the time; at the end, its data is compared with their responses."""
    try:
        await server.start()
        person = await _person(server)
        writers = Writers(person)
        await writers.prepare()
        async with writers.writing():
            await _goes_on(writers.submissions)
            yield writers, person
            # Requests that were cut off do not block later ones either.
            for outcomes in (writers.submissions, writers.tasks, writers.versions):
                await _goes_on(outcomes)
        assert writers.statuses <= {200, 201, 409, 503}, "never a 500"
        await compare(writers, person)
    finally:
        server.close()


async def _is_killed(server: Server, writers: Writers) -> None:
    """Kill a child process, which the server replaces; in later rounds, kill the whole server first."""
    for number in range(ROUNDS):
        if number:
            server.kill()
            await server.start()
            await _goes_on(writers.submissions)
            await _moment()
        for pid in _children(server):
            os.kill(pid, signal.SIGKILL)
        await _goes_on(writers.submissions)
        await _moment()


@pytest.mark.slow
@pytest.mark.timeout(120 + 60 * ROUNDS)
async def test_sqlite_with_a_full_disk_and_kills_at_random_moments(tmp_path: Path) -> None:
    """A limit on file sizes represents the full disk: SQLite meets it at any point of a write."""
    server = Server(tmp_path, LOG_LEVEL="error")
    async with _busy(server) as (writers, person):
        async with person.client() as http:
            _bound(server, max(_sizes(server)) + 20_000)
            await _refuses(writers.submissions)
            assert writers.submissions.refusal
            _is_unavailable(writers.submissions.refusal)
            read = await http.get(f"{writers.account}/submissions?limit=1")
            assert (read.status_code, len(read.json()["items"])) == (200, 1)
            _bound(server, resource.RLIM_INFINITY)
        await _goes_on(writers.submissions)
        await _is_killed(server, writers)


@pytest.mark.slow
@pytest.mark.timeout(120 + 60 * ROUNDS)
async def test_postgresql_with_stops_and_kills_at_random_moments(tmp_path: Path) -> None:
    with Cluster() as cluster:
        server = Server(tmp_path, database_url=cluster.create_database("formwright"), LOG_LEVEL="error")
        async with _busy(server) as (writers, person):
            async with person.client() as http:
                cluster.stop(immediate=True)
                ready = await http.get("/health/ready", timeout=30)
                assert (ready.status_code, ready.json()["parts"]["database"]) == (503, "unavailable")
                assert (await http.get("/health/live")).status_code == 200
                _is_unavailable(await http.get(f"{writers.account}/submissions", timeout=60))
                cluster.start()
                await _goes_on(writers.submissions)

                async def is_ready() -> bool:
                    return (await http.get("/health/ready")).status_code == 200

                await eventually(is_ready, 30)
            await _is_killed(server, writers)


def _is_unavailable(response: httpx.Response) -> None:
    assert (response.status_code, response.json()["code"]) == (503, "database.unavailable")
    assert int(response.headers["retry-after"]) >= 1


def _sizes(server: Server) -> list[int]:
    return [path.stat().st_size for path in server.data.glob("formwright.sqlite3*")]


def _bound(server: Server, size: int) -> None:
    for pid in _children(server):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]))


async def _refuses(outcomes: WriteOutcomes) -> None:
    """Wait until one more change is refused."""
    before = len(outcomes.refused)

    async def look() -> bool:
        return len(outcomes.refused) > before

    await eventually(look, 60)
