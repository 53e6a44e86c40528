"""Data sources."""

import itertools
from typing import Any

from actors import Account

from factories.requests import post
from formwright.domain.datasources.sync import queue

_numbers = itertools.count(1)


def rows(count: int) -> list[dict[str, Any]]:
    """Return customers, numbered from 1."""
    return [{"number": f"C-{n}", "name": f"Customer {n}"} for n in range(1, count + 1)]


def body(**members: Any) -> dict[str, Any]:
    """Return the body that creates a data source with a unique name."""
    return {"name": f"Customers {next(_numbers)}", "keyColumn": "number", "rows": rows(2)} | members


async def datasource(account: Account, **members: Any) -> dict[str, Any]:
    """Create a data source through the API and return it as it is read afterwards."""
    datasource = await post(account, f"/customers/{account.id}/datasources", body(**members))
    return {name: value for name, value in datasource.items() if name != "import"}


def pulled_body(**pull: Any) -> dict[str, Any]:
    """Return the body that creates a synced data source. Nothing syncs it in tests of the API."""
    wish = {"url": "https://erp.example.org/customers.csv", "headers": {"Authorization": "Bearer a"}, "every": "PT6H"}
    return {"name": f"Customers {next(_numbers)}", "keyColumn": "number", "pull": wish | pull}


async def pulled(account: Account) -> dict[str, Any]:
    """Create a synced data source."""
    return await post(account, f"/customers/{account.id}/datasources", pulled_body())


async def fail(account: Account) -> None:
    """Let the account's syncs fail, like a worker does if the source is broken."""
    ctx = account.ctx
    bad = queue.PullFailure("The server responded with status 500 instead of 200.")
    async with ctx.db.writing() as tx:
        for claimed in await queue.claim(tx, account.id, ctx.clock.now(), 1000):
            await queue.save_outcome(tx, claimed, bad, ctx.clock.now())
