"""Permanent deletion of what is in the trash, and personal data in the trash."""

import pytest
from actors import Account
from api.test_trash import delete, restore
from factories.datasources import datasource, rows
from factories.forms import form
from factories.invites import invite
from factories.requests import PREFIX, get
from factories.sample_account import state
from factories.submissions import submission
from factories.tasks import task
from factories.users import user

from formwright.domain.privacy import erasure
from formwright.domain.privacy.models import Subject
from formwright.domain.trash import purge, purge_store
from formwright.domain.trash.models import RETENTION_MS
from formwright.domain.trash.store import COLUMNS
from formwright.domain.users.models import UserNotFound

KEPT = {"events", "audit_log", "account_order", "deliveries", "due_work", "invocations", "replies", "subscriber_heads"}
"""The logs, which keep the sequence of events."""


async def _purge_all(account: Account, later_ms: int = 0) -> int:
    """Do a worker's job until nothing is due; return how many entries it deleted."""
    count = 0
    while await purge.purge_next(account.ctx.db, account.id, account.ctx.clock.now() + later_ms):
        count += 1
    return count


async def test_nothing_is_left_of_a_form_but_tombstones(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purge, "_BATCH", 2)
    before = await state(account)
    made = await form(account)
    for _ in range(5):
        await submission(account, made)
    await task(account, made)
    await invite(account, made)
    await delete(account, "form", made["id"])
    assert await _purge_all(account) == 0
    assert await _purge_all(account, RETENTION_MS) == 1
    after = await state(account)
    changed = {table for table in after if after[table] != before[table]}
    # The email of the invite is deleted with all others after 90 days.
    assert changed <= {*KEPT, "mails"}, changed
    assert (await restore(account, "form", made["id"])).status_code == 404
    events = (await get(account, f"/webhooks/customer/{account.id}/events", formId=made["id"]))["items"]
    assert len(events) >= 9
    assert all(event["erased"] and list(event["data"]) == ["id"] for event in events)


async def test_a_purge_that_was_interrupted_is_continued(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purge, "_BATCH", 2)
    made = await form(account)
    for _ in range(5):
        await submission(account, made)
    before = (await get(account, f"/customers/{account.id}/trash"))["items"]
    answer = await account.api.delete(
        f"{PREFIX}/forms/customer/{account.id}/forms/{made['id']}", params={"permanent": "true"}
    )
    assert answer.status_code == 200
    assert (await get(account, f"/customers/{account.id}/trash"))["items"] == before == []
    assert (await restore(account, "form", made["id"])).status_code == 404
    for stop in (purge_store.delete_tasks, purge_store.delete_rest_of_forms):
        with monkeypatch.context() as patch:
            patch.setattr(purge_store, stop.__name__, _kill)
            with pytest.raises(KeyboardInterrupt):
                await _purge_all(account)
    assert await _purge_all(account) == 1
    async with account.ctx.db.reading() as tx:
        for table in ("submissions", "versions", "trash", "trash_rows", "fill_links"):
            assert await tx.fetch(f"SELECT 1 FROM {table} WHERE customer_id = $1", account.id) == [], table


async def _kill(*_: object) -> int:
    raise KeyboardInterrupt


async def test_nothing_is_left_of_a_data_source(account: Account) -> None:
    before = await state(account)
    table = await datasource(account, rows=rows(5))
    base = f"{PREFIX}/customers/{account.id}/datasources/{table['id']}"
    await account.api.delete(f"{base}/rows", params={"key": "C-1"})
    await delete(account, "datasource", table["id"])
    assert await _purge_all(account, RETENTION_MS) >= 1
    after = await state(account)
    assert {name for name in after if after[name] != before[name]} <= KEPT


async def test_the_columns_of_the_trash_are_those_of_the_tables(account: Account) -> None:
    postgres = "SELECT column_name FROM information_schema.columns WHERE table_name = '{}'"
    sqlite = "SELECT name FROM pragma_table_info('{}')"
    async with account.ctx.db.reading() as tx:
        for table, columns in COLUMNS.items():
            sql = (postgres if account.ctx.settings.is_postgres else sqlite).format(table)
            stored = {row[0] for row in await tx.fetch(sql)}
            assert stored == {"customer_id", *columns.split(", ")}, "add new columns to domain/trash/store.py"


async def test_a_deleted_user_is_erased_with_what_they_submitted_to_a_deleted_form(account: Account) -> None:
    mate, made = await user(account, "Ann"), await form(account)
    filled = await submission(account, made, userId=mate.id)
    await delete(account, "form", made["id"])
    await delete(account, "user", mate.id)
    subject = Subject(user_id=mate.id)
    found = await erasure.check(account.ctx.db, account.actor, subject)
    assert found.submission_ids == [filled["id"]]
    async for _ in erasure.erase(account.ctx.db, account.ctx.files, account.actor, subject, account.ctx.clock.now):
        pass
    assert (await restore(account, "user", mate.id)).status_code == 404
    with pytest.raises(UserNotFound):
        await erasure.check(account.ctx.db, account.actor, subject)
    assert (await restore(account, "form", made["id"])).status_code == 200
    assert (await get(account, f"/customers/{account.id}/submissions"))["items"] == []
    async with account.ctx.db.reading() as tx:
        for table, column in (("events", "body"), ("trash_rows", "content"), ("trash", "name")):
            stored = await tx.fetch(f"SELECT {column} FROM {table} WHERE customer_id = $1", account.id)
            assert not [text for (text,) in stored if mate.email in text or '"Ann"' in text], table
