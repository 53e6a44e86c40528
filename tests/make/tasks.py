"""Tasks."""

from typing import Any

from cast import Account

from make.posting import post


async def task(account: Account, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    """A task for the account's owner, unless others are named."""
    body = {"recipients": {"users": [account.owner.id]}} | members
    return await post(account, f"/customers/{account.id}/{form['id']}/tasks", body)


async def end(account: Account, task: dict[str, Any]) -> None:
    """Let a task be over, as it is once its recipients have answered."""
    sql = "UPDATE tasks SET status = 'COMPLETED' WHERE customer_id = $1 AND id = $2"
    async with account.house.db.writing() as tx:
        assert await tx.execute(sql, account.id, task["id"]) == 1
