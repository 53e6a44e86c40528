"""Subscribers."""

from typing import Any

from actors import Account

from factories.requests import post
from formwright.domain.webhooks import failing_subscribers

URL = "https://127.0.0.1:9/hook"
FAILING_MS = 25 * 3_600_000
"""Long enough for an alert; a further failed delivery, by a running server, does not disable the subscriber yet."""


async def subscriber(account: Account, **members: Any) -> dict[str, Any]:
    """Register a subscriber through the API; nothing listens at its URL."""
    return await post(account, "/webhooks/subscribers", {"url": URL} | members)


async def fail(account: Account) -> None:
    """Let one subscriber fail for a day, and another respond that it is gone."""
    ill, gone = await subscriber(account), await subscriber(account)
    now = account.ctx.clock.now()
    async with account.ctx.db.writing() as tx:
        await tx.execute(
            "UPDATE subscribers SET failing = $1, failed = $2 WHERE customer_id = $3 AND id = $4",
            now - FAILING_MS,
            now,
            account.id,
            ill["id"],
        )
        await failing_subscribers.alert_or_disable(tx, account.id, ill["id"])
        await failing_subscribers.disable_gone(tx, account.id, gone["id"])
