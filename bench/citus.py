"""Submissions and lists on Citus beside plain PostgreSQL. `python -m bench.citus`, where Citus is installed.

Everything runs on this machine: the load, one `serve` process for each database, a PostgreSQL server, and a cluster of
a coordinator and two workers. The load alternates between the two databases.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import msgspec
from fixtures.citus import SETTINGS, CitusCluster, upgrade_and_distribute
from fixtures.postgres import Cluster
from fixtures.postgres import Server as PostgresServer

from bench.data import Account, analyze, build_answers, create_account
from bench.load import ExpectedResponse, build_get, build_post
from bench.rounds import Comparison, LoadGenerator, RoundResults, Workload
from bench.servers import Server, run_formwright
from formwright.bootstrap import open_context
from formwright.cli.demo import FIELDS
from formwright.settings import Settings

ACCOUNTS, CLIENTS, SHARDS = 9, 24, 32
_INDEXED = ("site", "people")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two databases, its server, and the accounts in it."""

    database_url: str
    server: Server
    accounts: Sequence[Account]


def main() -> int:
    """Measure both databases and print their rates; return 1 if a response was wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.citus", description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--no-worker", action="store_true", help="start serve without a worker inside")
    options = parser.parse_args()
    variables = {"FORMWRIGHT_NO_WORKER": "1"} if options.no_worker else {}
    with ExitStack() as stack:
        plain = stack.enter_context(Cluster(durable=True))
        cluster = stack.enter_context(CitusCluster(SETTINGS | {"citus.shard_count": str(SHARDS)}, durable=True))
        pids = [node.pid for node in (plain, cluster.coordinator, *cluster.workers) if node.pid]
        clients = stack.enter_context(LoadGenerator(options.rounds, options.seconds, pids))
        ours, baseline = (_start(stack, database, variables) for database in (cluster, plain))
        results = [
            _compare(clients, name, build, ours, baseline)
            for name, build in (("submissions", _submission), ("lists of 20 submissions", _list))
        ]
    return 1 if any(result.ours.wrong or result.baseline.wrong for result in results) else 0


def _start(stack: ExitStack, database: PostgresServer, variables: dict[str, str]) -> Side:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="formwright-bench-")))
    url = database.create_database("bench")
    accounts = asyncio.run(_create_accounts(Settings(data_dir=folder, database_url=url)))
    return Side(url, stack.enter_context(run_formwright(folder, url, **variables)), accounts)


async def _create_accounts(settings: Settings) -> list[Account]:
    """Create the tables, and accounts with a form with two indexed fields."""
    await upgrade_and_distribute(settings)
    fields = [one | {"indexed": True} if one["name"] in _INDEXED else one for one in FIELDS]
    async with open_context(settings) as ctx:
        return [await create_account(ctx, number, fields) for number in range(ACCOUNTS)]


def _compare(
    clients: LoadGenerator,
    name: str,
    build: Callable[[Side, Account, int], ExpectedResponse],
    ours: Side,
    baseline: Side,
) -> Comparison:
    requests = []
    for side in (ours, baseline):
        asyncio.run(analyze(side.database_url))
        requests.append([build(side, side.accounts[number % ACCOUNTS], number) for number in range(CLIENTS)])
    workload = Workload(name, None, CLIENTS, *requests)
    result = clients.compare("citus", workload, ours.server, baseline.server)
    print(f"{name} per second on Citus beside PostgreSQL: ratio {result.rate_ratio:.2f}")
    _print_results("PostgreSQL", result.baseline)
    _print_results("Citus", result.ours)
    return result


def _print_results(name: str, results: RoundResults) -> None:
    print(
        f"{name}: {results.rate:,.0f} ({min(results.rates):,.0f} to {max(results.rates):,.0f}), {results.wrong} wrong;"
        f" processor time in ms: serve {results.cost / 1000:.2f}, database {results.database_cost / 1000:.2f}"
    )


def _submission(side: Side, account: Account, number: int) -> ExpectedResponse:
    data = msgspec.json.encode(build_answers(number))
    path = f"/api/v1.0/customers/{account.id}/forms/{account.form_id}/submissions"
    request = build_post(side.server.host, path, b'{"data":%b}' % data, account.key)
    return ExpectedResponse(request, 201, b"", exact=False)


def _list(side: Side, account: Account, number: int) -> ExpectedResponse:
    del number
    path = f"/api/v1.0/customers/{account.id}/submissions?limit=20"
    return ExpectedResponse(build_get(side.server.host, path, account.key), 200, b"", exact=False)


if __name__ == "__main__":
    sys.exit(main())
