"""An installation like an operator runs it: processes that restart when killed, and a database that may stop."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from fixtures.ports import free_port
from fixtures.postgres import Cluster
from fixtures.server_process import Child, command, spawn

TRY_S = 3
STEPS = ",".join(["0", "0.3", "0.5", *["1"] * 47])
SETTINGS = {
    "RATE_LIMIT": "0",
    "WEBHOOK_ALLOW": "127.0.0.0/8",
    "WEBHOOK_RETRY": STEPS,
    "WEBHOOK_TIMEOUT": str(TRY_S),
    "WEBHOOK_HOLD": "1",
    "LOG_LEVEL": "warning",
}
_LOOK_S = 0.05
_START_S = 60


class Process:
    """One process of the application. `up` says whether it has logged anything since its last start."""

    def __init__(self, folder: Path, name: str, arguments: tuple[str, ...], variables: Mapping[str, str]) -> None:
        self.name, self._arguments, self._variables = name, arguments, dict(variables)
        self._words, self._log = folder / f"{name}.words", folder / f"{name}.log"
        self._child: Child | None = None
        self._begun = 0

    @property
    def up(self) -> bool:
        return self.alive and self._words.stat().st_size > self._begun

    @property
    def alive(self) -> bool:
        return self._child is not None and self._child.is_alive()

    def start(self) -> None:
        self._words.touch()
        self._begun = self._words.stat().st_size
        self._child = spawn(self._arguments, self._variables, self._words, self._log)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to it and all its children."""
        if self._child and self._child.pid and self._child.is_alive():
            os.killpg(self._child.pid, number)

    def kill(self) -> None:
        """Kill it and all its children with SIGKILL."""
        self.signal(signal.SIGKILL)
        if self._child:
            self._child.join()

    def log(self) -> str:
        return self._log.read_text(errors="replace") if self._log.exists() else ""


@dataclass(frozen=True, slots=True)
class Installation:
    """Servers and workers on one database, and the demo account's key."""

    folder: Path
    servers: list[Process]
    workers: list[Process]
    addresses: list[str]
    demo: Mapping[str, str]
    cluster: Cluster | None = None

    @property
    def processes(self) -> list[Process]:
        return self.servers + self.workers

    async def keep(self) -> None:
        """Restart dead processes like a service manager does, until cancelled."""
        while True:
            for process in self.processes:
                if not process.alive:
                    process.start()
            await asyncio.sleep(_LOOK_S)

    async def are_up(self, *processes: Process) -> None:
        """Wait until these work; AssertionError if they do not in time."""
        for _ in range(round(_START_S / _LOOK_S)):
            if await self.work(processes):
                return
            await asyncio.sleep(_LOOK_S)
        raise AssertionError("a process does not start")

    async def work(self, processes: Iterable[Process]) -> bool:
        """Return whether all of these have started, and servers respond."""
        return all([one.up and await self._answers(one) for one in processes])

    async def _answers(self, process: Process) -> bool:
        if process not in self.servers:
            return True
        try:
            address = self.addresses[self.servers.index(process)]
            async with httpx.AsyncClient(base_url=address, timeout=2, verify=False) as http:
                return (await http.get("/health/live")).status_code == 200
        except httpx.HTTPError:
            return False

    @asynccontextmanager
    async def client(self, number: int = 0) -> AsyncIterator[httpx.AsyncClient]:
        """A client of one of the servers with the account's key."""
        headers = {"x-api-key": self.demo["apiKey"]}
        async with httpx.AsyncClient(
            base_url=self.addresses[number], headers=headers, timeout=30, verify=False
        ) as http:
            yield http

    async def subscribe(self, http: httpx.AsyncClient, url: str) -> dict[str, Any]:
        """Subscribe a URL to every submitted form."""
        response = await http.post(
            "/api/v1.0/webhooks/subscribers", json={"url": url, "types": ["submission.submitted"]}
        )
        assert response.status_code == 201, response.text
        created: dict[str, Any] = response.json()
        return created

    async def post(self, http: httpx.AsyncClient, number: int) -> str | None:
        """Create a submission; return its id once it is acknowledged, or None if there was no response."""
        path = f"/api/v1.0/customers/{self.demo['customerId']}/forms/{self.demo['formId']}/submissions"
        data = {"site": f"Harbour {number} – 起重机", "day": "2026-03-01", "kind": "routine"}
        try:
            response = await http.post(path, json={"data": data})
        except httpx.HTTPError:
            return None
        assert response.status_code in (201, 503), response.text
        return str(response.json()["id"]) if response.status_code == 201 else None


@asynccontextmanager
async def installed(
    folder: Path, *, url: str = "", cluster: Cluster | None = None, servers: int = 2, workers: int = 2
) -> AsyncIterator[Installation]:
    """Create tables and the demo account without running anything; afterwards, stop everything."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    variables = SETTINGS | {"DATA_DIR": str(folder), "DATABASE_URL": url}
    created = await asyncio.to_thread(command, "demo", "--json", **variables)
    assert created.returncode == 0, created.stderr
    ports = [free_port() for _ in range(servers)]
    serve = ("serve", "--no-worker", "--insecure-http", "--port")
    it = Installation(
        folder,
        [Process(folder, f"server{n}", (*serve, str(port)), variables) for n, port in enumerate(ports)],
        [Process(folder, f"worker{n}", ("worker",), variables) for n in range(workers)],
        [f"http://127.0.0.1:{port}" for port in ports],
        json.loads(created.stdout),
        cluster,
    )
    try:
        yield it
    finally:
        for process in it.processes:
            process.signal(signal.SIGCONT)
            process.kill()


async def until(look: Callable[[], bool], seconds: float, words: str) -> None:
    """Wait until it is true; AssertionError with these words if it is not in time."""
    for _ in range(round(seconds / _LOOK_S)):
        if look():
            return
        await asyncio.sleep(_LOOK_S)
    raise AssertionError(words)
