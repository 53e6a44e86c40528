"""Submissions and lists on Citus beside plain PostgreSQL. `python -m bench.citus`, where Citus is installed.

Everything runs on this machine: the load, one `serve` process for each database, a PostgreSQL server, and a cluster of
a coordinator and two workers. The load alternates between the two databases.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import asyncpg
import msgspec
from fixtures.citus import SETTINGS, CitusCluster, upgrade_and_distribute
from fixtures.postgres import Cluster

from bench import servers
from bench.data import Account, build_answers, create_account
from bench.load import ExpectedResponse, build_get, build_post, run_load
from formwright.bootstrap import open_context
from formwright.cli.demo import FIELDS
from formwright.settings import Settings

ACCOUNTS, CLIENTS, SHARDS = 9, 24, 32
_INDEXED = ("site", "people")
_WARM_S = 2.0


@dataclass
class Side:
    """One of the two databases: its server, the accounts, and the processes whose time is counted."""

    name: str
    server: servers.Server
    database_url: str
    accounts: Sequence[Account]
    groups: dict[str, list[int]]
    """Processes, by what they are."""
    rates: list[float] = field(default_factory=list)
    costs: dict[str, list[float]] = field(default_factory=dict)

    def cpu(self) -> dict[str, float]:
        """Return the processor time of each group of processes so far, in seconds."""
        times = {name: sum(servers.cpu_ms_by_process(pids).values()) / 1000 for name, pids in self.groups.items()}
        return {"serve": self.server.cpu(), **times}

    def reset(self) -> None:
        """Forget the measured rounds."""
        self.rates, self.costs = [], {}

    def round(self, requests: Sequence[ExpectedResponse], seconds: float) -> None:
        """Send requests for some seconds; record their rate and the processor time of each (ms)."""
        before = self.cpu()
        result = run_load(self.server.port, requests, CLIENTS, seconds)
        if result.wrong:
            raise RuntimeError(f"{result.wrong} of {result.responses} responses on {self.name} were wrong")
        self.rates.append(result.responses / result.seconds)
        for name, after in self.cpu().items():
            self.costs.setdefault(name, []).append((after - before[name]) / result.responses * 1000)


Build = Callable[[Side, Account, int], ExpectedResponse]
"""Returns the request with a number, for an account of a side."""


def main() -> None:
    """Measure both databases and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.citus", description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--no-worker", action="store_true", help="start serve without a worker inside")
    options = parser.parse_args()
    with ExitStack() as stack:
        sides = list(_sides(stack, embedded_worker=not options.no_worker))
        workloads: dict[str, Build] = {"submissions": _submission, "lists of 20 submissions": _list}
        for name, build in workloads.items():
            for side in sides:
                side.reset()
                asyncio.run(_analyze(side.database_url))
                run_load(side.server.port, _requests(side, build), CLIENTS, _WARM_S)
            for _ in range(options.rounds):
                for side in sides:
                    side.round(_requests(side, build), options.seconds)
            _print(name, sides)


def _sides(stack: ExitStack, *, embedded_worker: bool) -> Iterator[Side]:
    plain = stack.enter_context(Cluster(durable=True))
    cluster = stack.enter_context(CitusCluster(SETTINGS | {"citus.shard_count": str(SHARDS)}, durable=True))
    workers = [worker.pid or 0 for worker in cluster.workers]
    for name, server, groups in (
        ("PostgreSQL", plain, {"PostgreSQL": [plain.pid or 0]}),
        ("Citus", cluster, {"coordinator": [cluster.coordinator.pid or 0], "workers": workers}),
    ):
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="formwright-bench-")))
        url = server.create_database("bench")
        accounts = asyncio.run(_create_accounts(Settings(data_dir=folder, database_url=url)))
        flags = {} if embedded_worker else {"FORMWRIGHT_NO_WORKER": "1"}
        yield Side(name, stack.enter_context(servers.run_formwright(folder, url, **flags)), url, accounts, groups)


async def _create_accounts(settings: Settings) -> list[Account]:
    """Create the tables, and accounts with a form with two indexed fields."""
    await upgrade_and_distribute(settings)
    fields = [one | {"indexed": True} if one["name"] in _INDEXED else one for one in FIELDS]
    async with open_context(settings) as ctx:
        return [await create_account(ctx, number, fields) for number in range(ACCOUNTS)]


async def _analyze(url: str) -> None:
    """Do what the servers would do by themselves within minutes: without statistics, their plans are wrong."""
    connection = await asyncpg.connect(url)
    await connection.execute("ANALYZE")
    await connection.close()


def _requests(side: Side, build: Build) -> list[ExpectedResponse]:
    return [build(side, side.accounts[number % ACCOUNTS], number) for number in range(CLIENTS)]


def _submission(side: Side, account: Account, number: int) -> ExpectedResponse:
    data = msgspec.json.encode(build_answers(number))
    path = f"/api/v1.0/customers/{account.id}/forms/{account.form_id}/submissions"
    return ExpectedResponse(
        build_post(side.server.host, path, b'{"data":%b}' % data, account.key), 201, b"", exact=False
    )


def _list(side: Side, account: Account, number: int) -> ExpectedResponse:
    del number
    path = f"/api/v1.0/customers/{account.id}/submissions?limit=20"
    return ExpectedResponse(build_get(side.server.host, path, account.key), 200, b"", exact=False)


def _print(name: str, sides: Sequence[Side]) -> None:
    plain, citus = sides
    ratios = [b / a for a, b in zip(plain.rates, citus.rates, strict=True)]
    print(f"{name} per second: {median(plain.rates):,.0f} on PostgreSQL, {median(citus.rates):,.0f} on Citus,", end=" ")
    print(f"ratio {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    for side in sides:
        parts = {part: median(costs) for part, costs in side.costs.items()}
        print(f"  processor time on {side.name}: {sum(parts.values()):.2f} ms:", end=" ")
        print(", ".join(f"{part} {cost:.2f}" for part, cost in parts.items()))


if __name__ == "__main__":
    main()
