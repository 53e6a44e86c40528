"""Datasources."""

import itertools
from typing import Any

from cast import Account

from make.posting import post

_numbers = itertools.count(1)


def rows(count: int) -> list[dict[str, Any]]:
    """Customers, numbered from 1."""
    return [{"number": f"C-{n}", "name": f"Customer {n}"} for n in range(1, count + 1)]


def body(**members: Any) -> dict[str, Any]:
    """What a datasource is made from, under a name of its own."""
    return {"name": f"Customers {next(_numbers)}", "keyColumn": "number", "rows": rows(2)} | members


async def datasource(account: Account, **members: Any) -> dict[str, Any]:
    """A datasource imported over the API, as it is read from then on."""
    made = await post(account, f"/customers/{account.id}/datasources", body(**members))
    return {name: value for name, value in made.items() if name != "import"}
