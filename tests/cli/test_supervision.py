"""The port keeps responding while workers are killed or cannot start, and while the whole server restarts."""

import asyncio
import json
import os
import re
import signal
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
from fixtures.postgres import Cluster
from fixtures.server_process import KILL_SECONDS, Server, _stay, environment, eventually, run_aside

KILLS, PAUSE_S, RESTARTS = int(os.environ.get("KILLS", "12")), 0.5, 2


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    yield server
    server.close()


def children(server: Server) -> list[int]:
    assert server._process
    pid = server._process.pid
    return sorted(int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


class Load:
    """Light load: each request opens a new connection, and is repeated if the connection breaks."""

    def __init__(self, server: Server) -> None:
        self._server, self._trust = server, server.trust()
        self.statuses: Counter[int] = Counter()
        self.refused: list[str] = []

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        jobs = [asyncio.create_task(self._call()) for _ in range(2)]
        try:
            yield
        finally:
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)

    async def wait_for_progress(self) -> None:
        """Wait for some more responses."""
        wanted = self.statuses.total() + 20

        async def has_progressed() -> bool:
            return self.statuses.total() > wanted

        await eventually(has_progressed, 60)

    async def _call(self) -> None:
        while True:
            try:
                async with httpx.AsyncClient(base_url=self._server.base_url, verify=self._trust) as http:
                    self.statuses[(await http.get("/health/ready", timeout=30)).status_code] += 1
            except httpx.ConnectError as error:
                # A worker killed during the TLS handshake breaks the connection. That is not a refused connection.
                if "refused" in repr(error.__cause__).lower() or "All connection attempts" in str(error):
                    self.refused.append(repr(error))
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.05)


async def all_workers_respond(server: Server) -> bool:
    with suppress(httpx.TransportError):
        async with server.client() as http:
            ready = await http.get("/health/ready", timeout=30)
            return ready.status_code == 200 and ready.json()["parts"]["processes"] == "ok"
    return False


async def kill_workers(server: Server, load: Load | None = None) -> None:
    """Send SIGKILL to a worker twice a second, until `load` has received as many responses as workers were killed."""
    killed = 0
    while killed < KILLS or (load and load.statuses.total() < killed):
        if found := children(server):
            with suppress(ProcessLookupError):
                os.kill(found[killed % len(found)], signal.SIGKILL)
            killed += 1
        await asyncio.sleep(PAUSE_S)


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_the_port_responds_while_workers_are_killed_twice_a_second(server: Server) -> None:
    await server.start("--workers", "3")
    load = Load(server)
    async with load.running():
        await kill_workers(server, load)
        await eventually(lambda: all_workers_respond(server), 60)
    assert server.running
    assert load.refused == []
    assert set(load.statuses) == {200}
    assert (await server.stop())[0] == 0


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_the_server_recovers_from_a_database_outage_while_workers_are_killed(tmp_path: Path) -> None:
    with Cluster() as cluster:
        server = Server(tmp_path, database_url=cluster.create_database("formwright"))
        try:
            await server.start("--workers", "2")
            cluster.stop(immediate=True)
            await kill_workers(server)
            assert server.running
            waiting = server.log().count("waiting for the database")
            cluster.start()
            await eventually(lambda: all_workers_respond(server), 60)
            assert 1 <= waiting <= 2 * len(re.findall("died and is restarted", server.log()))
            cluster.stop(immediate=True)
            for pid in children(server):
                os.kill(pid, signal.SIGKILL)
            waiting = server.log().count("waiting for the database")
            await eventually(lambda: _has_logged(server, "waiting for the database", waiting + 2), 60)
            await asyncio.sleep(4)
            assert server.log().count("waiting for the database") - waiting <= 6, "one log entry every few seconds"
            # Workers that wait for the database stop immediately.
            status, took = await server.stop()
            assert (status, took < KILL_SECONDS) == (0, True)
        finally:
            server.close()


async def _has_logged(server: Server, text: str, times: int) -> bool:
    return server.log().count(text) >= times


@pytest.mark.slow
async def test_a_worker_that_cannot_start_is_retried_while_the_others_serve(server: Server) -> None:
    await server.start("--workers", "2")
    await eventually(lambda: all_workers_respond(server), 60)
    key, away = server.data / "secret.key", server.data / "away"
    key.rename(away)
    key.mkdir()
    os.kill(children(server)[0], signal.SIGKILL)

    async def degraded() -> bool:
        async with server.client() as http:
            ready = await http.get("/health/ready", timeout=30)
            return ready.status_code == 200 and ready.json()["parts"]["processes"] == "degraded"

    async def start_delays() -> list[float]:
        events = [json.loads(line) for line in server.log().splitlines() if line.startswith("{")]
        delays = [one["delay_s"] for one in events if one["event"] == "a process died and is restarted"]
        return delays if len(delays) >= 4 else []

    delays = await eventually(start_delays)
    assert delays[:4] == [0, 0.25, 0.5, 1]
    assert await degraded()
    assert server.running
    key.rmdir()
    away.rename(key)
    await eventually(lambda: all_workers_respond(server), 60)


def _service_manager(port: int, stopped: str, arguments: tuple[str, ...], *rest: object) -> None:
    """Keep the listening socket like systemd does for a socket unit, and pass it to one server after another."""
    listening = socket.create_server(("127.0.0.1", port), backlog=1024)
    os.dup2(listening.fileno(), 3)
    for number in range(RESTARTS + 1):
        if not (pid := os.fork()):
            variables = {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
            _stay(arguments, environment(**rest[0]) | variables, *rest[1:])
        os.waitpid(pid, 0)
        Path(f"{stopped}{number}").touch()


class ActivatedServer(Server):
    """A server that gets its listening socket from a service manager, which starts it again when it stops."""

    def spawn(self, *arguments: str) -> None:
        given = (self._variables, self._words, self._log)
        self._words.touch()
        self._log.touch()
        self._process = run_aside(_service_manager, self.port, str(self.data / "stopped"), arguments, *given)

    def stop_server(self) -> None:
        for pid in children(self):
            os.kill(pid, signal.SIGTERM)

    async def has_stopped(self, number: int) -> None:
        async def stopped() -> bool:
            return bool(list(self.data.glob(f"stopped{number}")))

        await eventually(stopped, 60)

    async def _answers(self) -> bool:
        # The port is open long before the server has created its certificate.
        return (self.data / "tls" / "ca.pem").exists() and await super()._answers()

    def kill(self) -> None:
        for pid in children(self):
            os.killpg(pid, signal.SIGKILL)
        assert self._process
        self._process.kill()
        self._process.join()


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_a_restart_with_socket_activation_refuses_no_connection(tmp_path: Path) -> None:
    server = ActivatedServer(tmp_path)
    try:
        await server.start("--workers", "2")
        load = Load(server)
        async with load.running():
            for number in range(RESTARTS):
                server.stop_server()
                await server.has_stopped(number)
                await load.wait_for_progress()
        assert load.refused == []
        assert set(load.statuses) == {200}
    finally:
        server.close()
