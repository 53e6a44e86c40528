"""The scenarios: one in which everything is killed while it works, and one in which a worker returns too late."""

import asyncio
import json
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from fixtures.ports import free_port
from fixtures.postgres import Cluster
from fixtures.server_process import run_aside

from chaos import receivers as sinks
from chaos.checks import ServerState, ask, judge, pages
from chaos.faults import Faults
from chaos.installation import Installation, installed, until
from chaos.journal import read
from chaos.load import Posting

ALL = (*sinks.WILLING, *sinks.UNWILLING)


@dataclass(frozen=True, slots=True)
class Terms:
    """How long everything is killed, how many submissions per second come from how many clients, and the receivers.

    `still_s`: the seconds without an arrival after which waiting ends.
    """

    seconds: float = 10
    a_second: float = 20
    clients: int = 4
    sinks: Sequence[str] = ALL
    still_s: float = 100
    calm: bool = False
    servers_only: bool = False


@dataclass(frozen=True, slots=True)
class Receivers:
    """The receivers' address and records."""

    port: int
    notes: Path

    def arrivals(self) -> list[dict[str, Any]]:
        return list(read(self.notes)) if self.notes.exists() else []


@asynccontextmanager
async def receivers(folder: Path) -> AsyncIterator[Receivers]:
    """Run all receivers in a process of their own."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    it = Receivers(free_port(), folder / "arrivals")
    process = run_aside(sinks.serve, it.port, it.notes)
    try:
        await until(it.notes.exists, 60, "the receivers do not start")
        yield it
    finally:
        process.kill()
        process.join()


async def working(folder: Path, terms: Terms, url: str = "", cluster: Cluster | None = None) -> dict[str, Any]:
    """Create submissions while everything is killed, unless the terms are calm; return the findings."""
    noted, faults = folder / "acknowledged", Faults()
    async with receivers(folder) as to, installed(folder / "data", url=url, cluster=cluster) as it:
        keeping = asyncio.create_task(it.keep())
        await until(lambda: all(one.alive for one in it.processes), 60, "nothing starts")
        await it.are_up(*it.processes)
        async with it.client() as http:
            hooks = {sink: await it.subscribe(http, f"http://127.0.0.1:{to.port}/{sink}") for sink in terms.sinks}
        posting = Posting(it, noted, terms.clients, terms.a_second)
        posts = asyncio.create_task(posting.go_on())
        await (
            asyncio.sleep(terms.seconds)
            if terms.calm
            else faults.strike(it, terms.seconds, servers_only=terms.servers_only)
        )
        await _ended(posts)
        began = time.monotonic()
        await it.are_up(*it.processes)
        state, known = ServerState(), -1
        # Submissions without a response may be committed late: wait for those too.
        while len(state.submissions) != known:
            known = len(state.submissions)
            await _drained(it, to, hooks, terms)
            async with it.client() as http:
                state = await ask(http, it.demo["customerId"], hooks)
        drained = time.monotonic() - began
        await _ended(keeping)
    secrets = {sink: hook["secret"] for sink, hook in hooks.items()}
    acknowledged, arrivals = {one["id"] for one in read(noted)}, to.arrivals()
    # When the database stopped, each worker may have been unable to record what had arrived.
    strokes = faults.workers + faults.databases * len(it.workers)
    verdict = judge(acknowledged, arrivals, state, secrets, strokes=strokes)
    verdict.must(terms.calm or faults.kills > 0, "nobody was killed")
    verdict.must(bool(acknowledged), "nothing was acknowledged")
    return {
        "seconds": terms.seconds,
        "killed": faults.kills,
        "databaseStops": faults.databases,
        "acknowledged": len(acknowledged),
        "unanswered": posting.unanswered,
        "events": len(state.events),
        "drainedS": round(drained, 1),
        "wellMs": _waits(arrivals),
        **asdict(verdict),
    }


def _waits(arrivals: list[dict[str, Any]]) -> dict[str, int]:
    """Return the milliseconds from the commit to the arrival of the first attempt at the good receiver."""
    firsts = [one for one in arrivals if one["sink"] == "well" and one["body"] is not None]
    waits = sorted(
        one["at"] - datetime.fromisoformat(json.loads(one["body"])["timestamp"]).timestamp() for one in firsts
    )
    return {f"p{share}": round(waits[len(waits) * share // 100] * 1000) for share in (50, 99)} if waits else {}


async def _drained(it: Installation, to: Receivers, hooks: dict[str, dict[str, Any]], terms: Terms) -> None:
    """Wait until nothing is left to deliver to willing receivers, or nothing has arrived for too long."""
    base = f"/api/v1.0/webhooks/customer/{it.demo['customerId']}/subscribers"
    willing = [hook["id"] for sink, hook in hooks.items() if sink in sinks.WILLING]
    size, since = -1, time.monotonic()
    async with it.client() as http:
        while time.monotonic() < since + terms.still_s:
            left = [(await http.get(f"{base}/{id_}/invocations?status=PENDING&limit=1")).json() for id_ in willing]
            if not any(page["items"] for page in left):
                return
            if (now := _willing(to)) != size:
                size, since = now, time.monotonic()
            await asyncio.sleep(0.2)


def _willing(to: Receivers) -> int:
    return sum(one["sink"] in sinks.WILLING for one in to.arrivals())


async def too_late(folder: Path, url: str = "", within_s: float = 60) -> dict[str, Any]:
    """Stop a worker during an attempt until its lease has expired and another has the delivery; then continue it."""
    async with receivers(folder) as to, installed(folder / "data", url=url, servers=1) as it:
        server, (first, second) = it.servers[0], it.workers
        server.start()
        first.start()
        await it.are_up(server, first)
        async with it.client() as http:
            hook = await it.subscribe(http, f"http://127.0.0.1:{to.port}/late")
            acknowledged = await it.post(http, 1)
            assert acknowledged
            await until(lambda: len(to.arrivals()) == 1, 60, "the first try does not come")
            first.signal(signal.SIGSTOP)
            second.start()
            await until(lambda: len(to.arrivals()) == 2, within_s, "no worker takes over from a stopped one")
            first.signal(signal.SIGCONT)
            await _over(http, f"/api/v1.0/webhooks/customer/{it.demo['customerId']}/subscribers/{hook['id']}")
            state = await ask(http, it.demo["customerId"], {"late": hook})
    verdict = judge({acknowledged}, to.arrivals(), state, {"late": hook["secret"]}, strokes=1)
    return {"stopped": 1, "acknowledged": 1, "events": len(state.events), **asdict(verdict)}


async def _over(http: Any, subscriber: str) -> None:
    """Wait until the second attempt is answered, and the returned worker has had time to act."""
    await asyncio.sleep(sinks.LATE_S)
    for _ in range(600):
        async for one in pages(http, f"{subscriber}/invocations"):
            if one["status"] != "PENDING":
                return
        await asyncio.sleep(0.1)


async def _ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
