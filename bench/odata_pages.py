"""Pages of 1,000 submissions from the OData feed, beside those of the API: `python -m bench.odata_pages`."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import httpx
from fixtures.postgres import Cluster

from bench.data import Account, create_dataset
from bench.measurements import Measurement
from bench.servers import run_formwright
from formwright.bootstrap import open_context
from formwright.core.auth import actor as actors
from formwright.domain.feeds import service as feeds
from formwright.settings import Settings

PAGES, ROUNDS, GOAL = 10, 5, 0.5


def measure(database: str, account: Account, host: str) -> Iterator[Measurement]:
    """Measure the pages per second that one client reads, by following links."""
    with httpx.Client(base_url=f"http://{host}", timeout=60) as http:
        api, feed = [], []
        for _ in range(ROUNDS):
            api.append(_read(http, f"/api/v1.0/customers/{account.id}/submissions?limit=1000", account, "next"))
            table = http.get(f"/odata/v4/{account.id}/", auth=("bench", account.key)).json()["value"][0]["url"]
            feed.append(_read(http, f"/odata/v4/{account.id}/{table}", account, "@odata.nextLink"))
    ratio = median(feed) / median(api)
    what = "OData pages of 1,000 submissions, one client: per second"
    value = f"{median(feed):.1f} ({ratio:.2f} of the API)"
    yield Measurement(database, what, f"≥ {GOAL}", value, f"{median(api):.1f}", ratio >= GOAL, needs_quiet_machine=True)


def _read(http: httpx.Client, path: str, account: Account, link: str) -> float:
    started = time.perf_counter()
    for _ in range(PAGES):
        response = http.get(path, auth=("bench", account.key), headers={"x-api-key": account.key})
        path = response.raise_for_status().json()[link]
    return PAGES / (time.perf_counter() - started)


async def _fill(settings: Settings) -> Account:
    """Create submissions for one more page than is read, and switch the feed on."""
    account = (await create_dataset(settings, 1000 * (PAGES + 1))).accounts[0]
    async with open_context(settings) as ctx, ctx.db.writing() as tx:
        await feeds.switch(tx, actors.system(account.id), enabled=True)
    return account


def main() -> int:
    """Print the measurements on both databases."""
    for database in ("sqlite", "postgres"):
        with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder, ExitStack() as stack:
            cluster = stack.enter_context(Cluster(durable=True)) if database == "postgres" else None
            url = cluster.create_database("bench") if cluster else ""
            account = asyncio.run(_fill(Settings(data_dir=Path(folder), database_url=url)))
            server = stack.enter_context(run_formwright(Path(folder), url))
            for one in measure(database, account, server.host):
                print(f"{one.database:9} {one.name}: {one.value}; pages of the API: {one.baseline}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
