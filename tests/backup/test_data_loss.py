"""Killed, full, cut off: what was acknowledged is there, what was refused left nothing, and all goes on by itself.

`LOSS_ROUNDS` says how often a server is killed; `make chaos` has it killed more often.
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
from backup.writers import Told, Writers, compare
from fixtures.accounts import Person, office
from fixtures.postgres import Cluster
from fixtures.server_process import Server, eventually

ROUNDS = int(os.environ.get("LOSS_ROUNDS", "1"))


async def _person(server: Server) -> Person:
    async with office(server) as desk:
        return await desk.owner()


async def _goes_on(told: Told) -> None:
    """Something is acknowledged that was not before."""
    before = len(told.kept)

    async def look() -> bool:
        return len(told.kept) > before

    await eventually(look, 60)


def _children(server: Server) -> list[int]:
    """The processes that answer, as the system knows them."""
    assert server._process
    tasks = Path(f"/proc/{server._process.pid}/task").glob("*/children")
    return [int(pid) for task in tasks for pid in task.read_text().split() if _answers(int(pid))]


def _answers(pid: int) -> bool:
    return "resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_text()


async def _moment() -> None:
    """A point that nobody chose."""
    await asyncio.sleep(random.uniform(0, 0.4))


@asynccontextmanager
async def _busy(server: Server) -> AsyncIterator[tuple[Writers, Person]]:
    """A server on which people write all the time; at the end all is compared with what they were told."""
    try:
        await server.start()
        person = await _person(server)
        writers = Writers(person)
        await writers.prepare()
        async with writers.writing():
            await _goes_on(writers.submissions)
            yield writers, person
            # Nor do those who were cut off stand in the way of what comes.
            for told in (writers.submissions, writers.tasks, writers.versions):
                await _goes_on(told)
        assert writers.statuses <= {200, 201, 409, 503}, "never a 500"
        await compare(writers, person)
    finally:
        server.close()


async def _is_killed(server: Server, writers: Writers) -> None:
    """The process that answers, in whose place the server puts another by itself; in later rounds all of it before."""
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


@pytest.mark.timeout(120 + 60 * ROUNDS)
async def test_on_sqlite_with_a_full_disk_and_killed_at_any_moment(tmp_path: Path) -> None:
    """A bound on the size of files stands for the disk: SQLite meets it at any point of its writing."""
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


@pytest.mark.timeout(120 + 60 * ROUNDS)
async def test_on_postgresql_that_stops_and_killed_at_any_moment(tmp_path: Path) -> None:
    with Cluster() as cluster:
        server = Server(tmp_path, database_url=cluster.create_database("house"), LOG_LEVEL="error")
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


def _is_unavailable(answer: httpx.Response) -> None:
    assert (answer.status_code, answer.json()["code"]) == (503, "database.unavailable")
    assert int(answer.headers["retry-after"]) >= 1


def _sizes(server: Server) -> list[int]:
    return [path.stat().st_size for path in server.data.glob("formwright.sqlite3*")]


def _bound(server: Server, size: int) -> None:
    for pid in _children(server):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]))


async def _refuses(told: Told) -> None:
    """Something is refused that was not before."""
    before = len(told.refused)

    async def look() -> bool:
        return len(told.refused) > before

    await eventually(look, 60)
