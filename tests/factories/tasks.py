"""Tasks."""

from typing import Any

from actors import Account

from factories.requests import PREFIX, post
from factories.users import user
from formwright.domain.tasks import respond, scheduler


async def task(account: Account, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Create a task, by default for the account's owner."""
    body = {"recipients": {"users": [account.owner.id]}} | members
    return await post(account, f"/customers/{account.id}/{form['id']}/tasks", body)


async def end(account: Account, task: dict[str, Any]) -> None:
    """End a task: somebody completes it."""
    response = await account.api.post(f"{PREFIX}/customers/{account.id}/tasks/{task['id']}/complete")
    assert response.status_code == 200, response.text


async def work(account: Account, task: dict[str, Any]) -> bool:
    """Do a worker's job for the task; return whether there was any."""
    async with account.ctx.db.writing() as tx:
        return await scheduler.run_due(tx, account.ctx.secret_box, account.id, task["id"]) is not None


async def let_pass(account: Account, task: dict[str, Any], column: str) -> None:
    """Move one of its times into the past."""
    sql = f"UPDATE tasks SET {column} = 1, due = 1 WHERE customer_id = $1 AND id = $2"
    async with account.ctx.db.writing() as tx:
        await tx.execute(sql, account.id, task["id"])


async def send(account: Account, task: dict[str, Any], user_id: str, version_id: str) -> None:
    """Submit the form as a recipient."""
    async with account.ctx.db.writing() as tx:
        await respond.submit(tx, account.id, user_id, task["id"], version_id=version_id, data={"site": "Quay"})


async def decline(account: Account, task: dict[str, Any], user_id: str, reason: str = "Too far") -> None:
    """Decline the task as a recipient."""
    async with account.ctx.db.writing() as tx:
        await respond.decline(tx, account.id, user_id, task["id"], reason)


async def every_event(account: Account, form: dict[str, Any]) -> None:
    """Create tasks in every state, through the actions of recipients, managers and the clock."""
    mate = (await user(account)).id
    sent, declined, revoked = [await task(account, form, recipients={"users": [mate]}) for _ in range(3)]
    await send(account, sent, mate, form["publishedVersionId"])
    await decline(account, declined, mate)
    await account.api.post(f"{PREFIX}/customers/{account.id}/tasks/{revoked['id']}/revoke")
    late = await task(account, form, dueAt="2060-01-01T00:00:00Z")
    await let_pass(account, late, "due_at")
    await work(account, late)
