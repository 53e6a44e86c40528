"""The migration from SQLite to PostgreSQL keeps everything, and work continues."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import asyncpg
import httpx
import pytest
from backup.conftest import staged
from factories.files import FIELDS, png, uploaded
from factories.forms import form
from factories.sample_account import OPERATIONS, World, call, world
from factories.submissions import submission
from fixtures.app_contexts import create_tenant, open_migrated_context, run_delivery_worker, settings_for
from fixtures.postgres import Server as Postgres
from fixtures.webhook_receiver import Receiver

from formwright.backup.migrate_to_postgres import TableChecksum, copy_to_postgres
from formwright.backup.models import BackupError
from formwright.core.db.sqlite import connect
from formwright.domain.users.auth import sessions
from formwright.domain.users.models import PasswordCredentials
from formwright.settings import Settings
from formwright.web.session import cookie_name

WITH_ANSWERS = {"listSubmissions", "listCustomerSubmissions", "getSubmission", "listSubmissionRevisions"}
"""PostgreSQL orders the keys of answers differently. All other responses are identical bytes."""
_EXPIRY = re.compile(rb"expires=[^\"]*|\"urlExpiresAt\":\"[^\"]*\"")
READS = [operation for operation in OPERATIONS if operation.method == "GET"]


def _nothing(what: str, done: int, total: int) -> None:
    del what, done, total


@pytest.fixture
def here(tmp_path: Path) -> Settings:
    return settings_for(tmp_path)


@pytest.fixture
def there(here: Settings, postgres_cluster: Postgres, worker_id: str) -> Iterator[Settings]:
    """The same installation on an empty PostgreSQL database."""
    name = f"copy_{worker_id}"
    yield replace(here, database_url=postgres_cluster.create_database(name))
    postgres_cluster.drop_database(name)


async def _answers(furnished: World, api: httpx.AsyncClient) -> dict[str, bytes]:
    """Return the response of each reading operation, without the expiry of links to files.

    For a workbook, which contains the time, only its type.
    """
    answers = {}
    for operation in READS:
        response = await call(operation, furnished, client=api)
        assert response.status_code == 200, f"{operation.name}: {response.text}"
        is_json = response.headers["content-type"].startswith("application/json")
        answers[operation.name] = _EXPIRY.sub(b"", response.content) if is_json else response.content[:2]
    return answers


async def test_all_responses_are_the_same_and_work_continues(here: Settings, there: Settings) -> None:
    async with Receiver() as receiver, staged(here) as stage, stage.account() as account:
        furnished = await world(account)
        new_form = await form(account, fields=FIELDS)
        picture = await uploaded(account, new_form, content=png(3))
        await submission(account, new_form, data={"site": "\u200fمرفأ 🌊 \"'\\", "photos": [picture]})
        tenants = await create_tenant(stage.ctx)
        hook = await tenants.subscribe(receiver.url)
        waiting = await tenants.submit()
        async with stage.ctx.db.writing() as tx:
            session = await sessions.create(tx, PasswordCredentials(account.id, account.owner.id, ""))
        before = await _answers(furnished, account.api)
        with pytest.raises(BackupError, match="in use"):
            await copy_to_postgres(here, there.database_url, _nothing)
    rows = await copy_to_postgres(here, there.database_url, _nothing)
    assert rows == await _counted(here, there)
    assert all(rows[table] for table in ("submissions", "events", "deliveries", "files", "sessions", "key_hashes"))

    async with staged(there) as stage, stage.client(**{"x-api-key": account.key}) as api:
        after = await _answers(furnished, api)
        assert {name for name in before if after[name] != before[name]} <= WITH_ANSWERS
        assert all(json.loads(after[name]) == json.loads(before[name]) for name in WITH_ANSWERS)
        page = await api.get("/submissions", headers={"cookie": f"{cookie_name(there)}={session}"})
        assert page.status_code == 200, "the session holds"
        account.stage, account.api = stage, api
        await submission(account, new_form, data={"site": "afterwards"})
        async with Receiver(port=receiver.port) as again, run_delivery_worker(stage.ctx):
            moved = tenants.with_context(stage.ctx)
            [arrived] = await again.wait_for(1)
            assert waiting.id in arrived.body.decode()
        assert [one.status for one in await moved.invocations(hook)] == ["SUCCEEDED"]


async def _counted(here: Settings, there: Settings) -> dict[str, int]:
    """Return the number of rows of every table, after asserting that both databases have as many."""
    target = await asyncpg.connect(there.database_url)
    with closing(sqlite3.connect(here.sqlite_path)) as source:
        tables = [name for (name,) in source.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        counts = {name: source.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
    there_too = {name: await target.fetchval(f"SELECT count(*) FROM {name}") for name in tables}
    await target.close()
    assert counts == there_too
    del counts["alembic_version"]
    return counts


async def _rows(url: str) -> int:
    target = await asyncpg.connect(url)
    count: int = await target.fetchval("SELECT count(*) FROM customers")
    await target.close()
    return count


async def test_a_rehearsal_runs_while_others_write_and_stays_consistent(here: Settings, there: Settings) -> None:
    async with open_migrated_context(here) as ctx:
        await (await create_tenant(ctx)).submit()
        await copy_to_postgres(here, there.database_url, _nothing, rehearsal=True)
        assert await _rows(there.database_url) == 1
        with pytest.raises(BackupError, match="not empty"):
            await copy_to_postgres(here, there.database_url, _nothing, rehearsal=True)


@pytest.mark.slow
async def test_a_value_that_postgresql_refuses_leaves_the_database_empty(here: Settings, there: Settings) -> None:
    async with open_migrated_context(here) as ctx:
        await (await create_tenant(ctx)).submit()
    connection = connect(here.sqlite_path)
    connection.execute("UPDATE submissions SET status = 'a' || char(0)")
    connection.close()
    with pytest.raises(BackupError, match="Nothing was copied"):
        await copy_to_postgres(here, there.database_url, _nothing)
    assert await _rows(there.database_url) == 0
    connection = connect(here.sqlite_path)
    connection.execute("UPDATE submissions SET status = 'SUBMITTED'")
    connection.execute("CREATE TABLE strange (id TEXT)")
    connection.close()
    with pytest.raises(BackupError, match="strange"):
        await copy_to_postgres(here, there.database_url, _nothing)
    connection = connect(here.sqlite_path)
    connection.execute("DROP TABLE strange")
    connection.close()
    assert (await copy_to_postgres(here, there.database_url, _nothing))["submissions"] == 1


async def test_changed_rows_are_detected(here: Settings, there: Settings) -> None:
    """A trigger represents whatever may change a row on the way."""
    async with open_migrated_context(here) as ctx:
        await create_tenant(ctx)
    async with open_migrated_context(there):
        pass
    target = await asyncpg.connect(there.database_url)
    await target.execute(
        "CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN NEW.name = upper(NEW.name); RETURN NEW; END $$;"
        "CREATE TRIGGER shout BEFORE INSERT ON customers FOR EACH ROW EXECUTE FUNCTION shout()"
    )
    with pytest.raises(BackupError, match="copy of customers differs"):
        await copy_to_postgres(here, there.database_url, _nothing)
    assert await target.fetchval("SELECT count(*) FROM account_order") == 0
    await target.close()


def test_checksums_do_not_depend_on_the_order_or_format_of_json() -> None:
    def digest(text: str) -> TableChecksum:
        table_checksum = TableChecksum(json=(0,))
        table_checksum.add([text])
        return table_checksum

    same = ('{"a": 1e2, "b": [1.5, 1e300]}', '{"b":[1.50,1' + "0" * 300 + '],"a":100}')
    assert digest(same[0]) == digest(same[1])
    for other in ('{"a":101,"b":[1.5,1e300]}', '{"a":100,"b":[1e300,1.5]}', '{"a":"100","b":[1.5,1e300]}', "{}"):
        assert digest(other) != digest(same[0])
