"""Permanent deletion of what is in the trash, and personal data in the trash."""

import pytest
from actors import Account
from api.test_trash import delete, restore
from factories.datasources import datasource, rows
from factories.forms import form
from factories.invites import invite
from factories.requests import PREFIX, get
from factories.sample_account import state
from factories.submission_imports import csv_file, imported, send
from factories.submissions import submission
from factories.tasks import task
from factories.users import built_in, member, user
from factories.web_client import visit

from formwright.core.auth.actor import Actor, ResourceType
from formwright.core.blobs import ContentMissing
from formwright.domain.privacy import erasure
from formwright.domain.privacy.models import Subject
from formwright.domain.submissions.imports import runner, staging
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.imports.models import ImportOptions
from formwright.domain.trash import purge, purge_store
from formwright.domain.trash.models import RETENTION_MS
from formwright.domain.trash.store import COLUMNS
from formwright.domain.users import service as people
from formwright.domain.users.models import Grant, UserNotFound

KEPT = {"events", "audit_log", "account_order", "deliveries", "due_work", "invocations", "replies", "subscriber_heads"}
"""The logs, which keep the sequence of events."""


async def everywhere(account: Account, role: str) -> Grant:
    return Grant(await built_in(account, role), ResourceType.ACCOUNT, account.id)


async def load_actor(account: Account, user_id: str) -> Actor:
    async with account.ctx.db.reading() as tx:
        return await people.load_actor(tx, await people.get(tx, account.actor, user_id=user_id))


def files_of_imports(account: Account) -> list[str]:
    folder = account.ctx.settings.files_folder / "imports" / account.id
    return [path.name for path in folder.rglob("*") if path.is_file()]


async def _purge_all(account: Account, later_ms: int = 0) -> int:
    """Do a worker's job until nothing is due; return how many entries it deleted."""
    count = 0
    while await purge.purge_next(account.ctx.db, account.id, account.ctx.clock.now() + later_ms):
        count += 1
    return count


async def test_nothing_is_left_of_a_form_but_tombstones(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purge, "_BATCH", 2)
    before = await state(account)
    new_form = await form(account)
    for _ in range(5):
        await submission(account, new_form)
    await task(account, new_form)
    await invite(account, new_form)
    # One import has ended with problems, and another one waits for a worker.
    await imported(account, new_form, csv_file([["site"], [""]]))
    await send(account, new_form, csv_file([["site"], ["Quay"]]))
    await delete(account, "form", new_form["id"])
    assert await _purge_all(account) == 0
    assert await _purge_all(account, RETENTION_MS) == 1
    await imports.delete_old(account.ctx.db, account.ctx.files, account.ctx.clock.now())
    assert files_of_imports(account) == []
    after = await state(account)
    changed = {table for table in after if after[table] != before[table]}
    # The email of the invite is deleted with all others after 90 days.
    assert changed <= {*KEPT, "mails"}, changed
    assert (await restore(account, "form", new_form["id"])).status_code == 404
    events = (await get(account, f"/webhooks/customer/{account.id}/events", formId=new_form["id"]))["items"]
    assert len(events) >= 9
    assert all(event["erased"] and list(event["data"]) == ["id"] for event in events)


async def test_a_purge_that_was_interrupted_is_continued(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purge, "_BATCH", 2)
    new_form = await form(account)
    for _ in range(5):
        await submission(account, new_form)
    before = (await get(account, f"/customers/{account.id}/trash"))["items"]
    response = await account.api.delete(
        f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}", params={"permanent": "true"}
    )
    assert response.status_code == 200
    assert (await get(account, f"/customers/{account.id}/trash"))["items"] == before == []
    assert (await restore(account, "form", new_form["id"])).status_code == 404
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


async def test_erasure_leaves_no_problems_and_no_waiting_files_of_imports(account: Account) -> None:
    new_form, ann = await form(account), await member(account, await everywhere(account, "Owner"))
    async with visit(account, ann.id) as site:
        for content in (csv_file([["site"], ["Ann Zq7"]]), csv_file([["site", "people"], ["Quay", "Ann Zq7"]])):
            sent = await site.post(f"/forms/{new_form['id']}/imports", files={"file": ("Ann Zq7.csv", content)})
            assert sent.status_code == 303
    await imported(account, new_form, csv_file([["site", "people"], ["Quay", "Ann Zq7"]]), name="Ann Zq7.csv")
    running = (await send(account, new_form, csv_file([["site"], ["Harbour"]]))).json()["id"]
    assert len(files_of_imports(account)) == 3
    subject = Subject(user_id=ann.id)
    async for _ in erasure.erase(account.ctx.db, account.ctx.files, account.actor, subject, account.ctx.clock.now):
        pass
    async with account.ctx.db.reading() as tx:
        rows = await tx.fetch("SELECT * FROM submission_imports WHERE customer_id = $1", account.id)
    assert [row[1] for row in rows] == [running]
    assert len(files_of_imports(account)) == 1


async def test_an_import_stops_when_who_started_it_is_erased(account: Account) -> None:
    new_form, ann = await form(account), await member(account, await everywhere(account, "Owner"))
    async with visit(account, ann.id) as site:
        sent = await site.post(
            f"/forms/{new_form['id']}/imports", files={"file": ("a.csv", csv_file([["site"], ["A"]]))}
        )
        record = sent.headers["location"].rpartition("/")[2]
        actor = await load_actor(account, ann.id)
        await staging.start(
            account.ctx.db, account.ctx.files, actor, ImportOptions(columns={"site": "site"}), import_id=record
        )
    async with account.ctx.db.writing() as tx:
        claimed = await imports.claim(tx, account.id, account.ctx.clock.now())
    assert claimed
    subject = Subject(user_id=ann.id)
    async for _ in erasure.erase(account.ctx.db, account.ctx.files, account.actor, subject, account.ctx.clock.now):
        pass
    with pytest.raises((runner.LeaseLost, ContentMissing)):
        await runner.run(account.ctx.db, account.ctx.files, claimed)
    assert (await get(account, f"/customers/{account.id}/submissions"))["items"] == []


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
    mate, new_form = await user(account, "Ann"), await form(account)
    filled = await submission(account, new_form, userId=mate.id)
    await delete(account, "form", new_form["id"])
    await delete(account, "user", mate.id)
    subject = Subject(user_id=mate.id)
    found = await erasure.check(account.ctx.db, account.actor, subject)
    assert found.submission_ids == [filled["id"]]
    async for _ in erasure.erase(account.ctx.db, account.ctx.files, account.actor, subject, account.ctx.clock.now):
        pass
    assert (await restore(account, "user", mate.id)).status_code == 404
    with pytest.raises(UserNotFound):
        await erasure.check(account.ctx.db, account.actor, subject)
    assert (await restore(account, "form", new_form["id"])).status_code == 200
    assert (await get(account, f"/customers/{account.id}/submissions"))["items"] == []
    async with account.ctx.db.reading() as tx:
        for table, column in (("events", "body"), ("trash_rows", "content"), ("trash", "name")):
            stored = await tx.fetch(f"SELECT {column} FROM {table} WHERE customer_id = $1", account.id)
            assert not [text for (text,) in stored if mate.email in text or '"Ann"' in text], table
