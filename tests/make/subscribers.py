"""Subscribers."""

from typing import Any

from cast import Account

from make.posting import post

URL = "https://127.0.0.1:9/hook"


async def subscriber(account: Account, **members: Any) -> dict[str, Any]:
    """A subscriber registered over the API; where it is, nobody listens."""
    return await post(account, "/webhooks/subscribers", {"url": URL} | members)
