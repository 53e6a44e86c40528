"""Each operation that creates background work writes when it is due, in the same commit."""

from actors import Account
from factories.datasources import pulled
from factories.forms import form
from factories.invites import invite
from factories.requests import PREFIX, post
from factories.submissions import submission
from factories.subscribers import subscriber
from factories.tasks import task

from formwright.core.work_kinds import WorkKind


async def _due(account: Account) -> dict[str, int]:
    """Return when each kind of work is due.

    Without the text index, for which one submission in 32 schedules work, depending on its time.
    """
    rows = await _fetch_due(account)
    return {kind: due for kind, due in rows.items() if kind != WorkKind.INDEX}


async def _fetch_due(account: Account) -> dict[str, int]:
    async with account.ctx.db.reading() as tx:
        rows = await tx.fetch("SELECT kind, due FROM due_work WHERE customer_id = $1", account.id)
    return {str(row[0]): int(row[1]) for row in rows}


async def _clear(account: Account) -> None:
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM due_work WHERE customer_id = $1", account.id)


async def test_operations_schedule_their_work(account: Account) -> None:
    new_form = await form(account)
    await submission(account, new_form)
    assert await _due(account) == {}, "nobody subscribes to events"
    await subscriber(account)
    await _clear(account)
    await submission(account, new_form)
    assert set(await _due(account)) == {WorkKind.WEBHOOK}
    await _clear(account)
    await pulled(account)
    assert WorkKind.PULL in await _due(account)
    await invite(account, new_form)
    assert {WorkKind.INVITE, WorkKind.MAIL} <= set(await _due(account))
    await task(account, new_form, notify=False, dueAt="2060-01-01T00:00:00Z")
    far = (await _due(account))[WorkKind.TASK]
    await task(account, new_form, notify=False, dueAt="2061-01-01T00:00:00Z")
    assert (await _due(account))[WorkKind.TASK] == far, "the earliest time counts"
    await task(account, new_form, notify=False, dueAt="2050-01-01T00:00:00Z")
    assert (await _due(account))[WorkKind.TASK] < far


async def test_indexing_a_field_schedules_the_index(account: Account) -> None:
    new_form = await form(account, fields=[{"type": "integer", "name": "size", "label": "Size"}])
    assert await _fetch_due(account) == {}
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    field = {"type": "integer", "name": "size", "label": "Size", "indexed": True}
    version = await post(account, versions, {"fields": [field]})
    response = await account.api.post(f"{PREFIX}{versions}/{version['id']}/publish")
    assert response.status_code == 200, response.text
    assert set(await _fetch_due(account)) == {WorkKind.INDEX}
