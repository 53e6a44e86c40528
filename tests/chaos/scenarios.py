"""The acts of the proof: one in which everything works and is killed, one in which a worker comes back too late."""

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

from fixtures.postgres import Cluster
from fixtures.server_process import free_port, run_aside

from chaos import receivers as sinks
from chaos.checks import Told, ask, judge, pages
from chaos.faults import Faults
from chaos.installation import Installation, installed, until
from chaos.journal import read
from chaos.load import Posting

ALL = (*sinks.WILLING, *sinks.UNWILLING)


@dataclass(frozen=True, slots=True)
class Terms:
    """For how long everything is killed, how many submissions come a second from how many clients, and to whom.

    `still_s`: after so long without an arrival, nothing more is waited for.
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
    """Where they listen, and what they have noted."""

    port: int
    notes: Path

    def arrivals(self) -> list[dict[str, Any]]:
        return list(read(self.notes)) if self.notes.exists() else []


@asynccontextmanager
async def receivers(folder: Path) -> AsyncIterator[Receivers]:
    """All of them, in a process of their own."""
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
    """Submissions come in, and everything is killed meanwhile unless the terms are calm; answers what was found."""
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
        told, known = Told(), -1
        # What a client did not wait for may be committed after nothing was due any more: then it is waited for too.
        while len(told.submissions) != known:
            known = len(told.submissions)
            await _drained(it, to, hooks, terms)
            async with it.client() as http:
                told = await ask(http, it.demo["customerId"], hooks)
        drained = time.monotonic() - began
        await _ended(keeping)
    secrets = {sink: hook["secret"] for sink, hook in hooks.items()}
    acknowledged, arrivals = {one["id"] for one in read(noted)}, to.arrivals()
    # A database that stopped may have kept each of the workers from writing down what had arrived.
    strokes = faults.workers + faults.databases * len(it.workers)
    verdict = judge(acknowledged, arrivals, told, secrets, strokes=strokes)
    verdict.must(terms.calm or faults.kills > 0, "nobody was killed")
    verdict.must(bool(acknowledged), "nothing was acknowledged")
    return {
        "seconds": terms.seconds,
        "killed": faults.kills,
        "databaseStops": faults.databases,
        "acknowledged": len(acknowledged),
        "unanswered": posting.unanswered,
        "events": len(told.events),
        "drainedS": round(drained, 1),
        "wellMs": _waits(arrivals),
        **asdict(verdict),
    }


def _waits(arrivals: list[dict[str, Any]]) -> dict[str, int]:
    """Of the receiver that is well: from the commit of a change to the arrival of its first try, in milliseconds."""
    firsts = [one for one in arrivals if one["sink"] == "well" and one["body"] is not None]
    waits = sorted(
        one["at"] - datetime.fromisoformat(json.loads(one["body"])["timestamp"]).timestamp() for one in firsts
    )
    return {f"p{share}": round(waits[len(waits) * share // 100] * 1000) for share in (50, 99)} if waits else {}


async def _drained(it: Installation, to: Receivers, hooks: dict[str, dict[str, Any]], terms: Terms) -> None:
    """Returns once nothing waits for a willing receiver any more, or nothing has come for too long."""
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
    """A worker is stopped during a try until its lease has ended and another has the delivery; then it goes on."""
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
            await until(lambda: len(to.arrivals()) == 2, within_s, "nobody takes up what a stopped worker had")
            first.signal(signal.SIGCONT)
            await _over(http, f"/api/v1.0/webhooks/customer/{it.demo['customerId']}/subscribers/{hook['id']}")
            told = await ask(http, it.demo["customerId"], {"late": hook})
    verdict = judge({acknowledged}, to.arrivals(), told, {"late": hook["secret"]}, strokes=1)
    return {"stopped": 1, "acknowledged": 1, "events": len(told.events), **asdict(verdict)}


async def _over(http: Any, subscriber: str) -> None:
    """The second try has been answered, and the worker that came back has had its time too."""
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
