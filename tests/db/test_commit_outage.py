"""PostgreSQL stops or hangs during a commit: no unknown outcome is reported as known."""

import asyncio
import itertools
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import asyncpg
import pytest
from actors import Stage
from backup.conftest import staged
from factories.datasources import rows
from factories.forms import form
from factories.requests import PREFIX
from factories.row_files import xlsx_file
from factories.web_client import visit
from fixtures.app_contexts import Tenant, create_tenant, open_migrated_context, settings_for
from fixtures.connection_cutter import CutsConnections
from fixtures.notes_database import Notes, write
from fixtures.postgres import Cluster
from fixtures.scim import GROUP, scim_client

from formwright.core.db import group_commit
from formwright.core.db.interface import CommitOutcomeUnknown, DatabaseBusy
from formwright.core.db.postgres_connection import PostgresTransaction
from formwright.domain.datasources.imports.diff import BATCH_ROWS

pytestmark = pytest.mark.slow
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def cluster() -> Any:
    with Cluster() as own:
        yield own


@pytest.mark.parametrize("arrives", [True, False], ids=["commit arrives", "commit is lost"])
async def test_a_writer_that_loses_the_response_to_a_commit_gets_an_error(
    cluster: Cluster, tmp_path: Path, arrives: bool
) -> None:
    url = cluster.create_database(f"cut_{arrives}".lower())
    async with (
        CutsConnections(cluster.port) as proxy,
        open_migrated_context(settings_for(tmp_path, proxy.address(url))) as ctx,
    ):
        account = await create_tenant(ctx)
        await account.submit()
        proxy.cut_at(b"COMMIT;", arrives=arrives)
        with pytest.raises(CommitOutcomeUnknown, match="may or may not have been saved"):
            await account.submit()
        proxy.cut_at(b"COMMIT;", arrives=arrives)
        with pytest.raises(CommitOutcomeUnknown, match="may or may not have been saved"):
            async with ctx.db.writing() as tx:
                await tx.execute("UPDATE customers SET name = 'Cut' WHERE customer_id = $1", account.id)
        async with ctx.db.reading() as tx:
            assert await tx.fetch("SELECT name FROM customers") == [("Cut" if arrives else "Tenant",)]
            assert await tx.fetch_one("SELECT count(*) FROM submissions") == (2 if arrives else 1,)


async def _change_and_lose_connection(account: Tenant) -> None:
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE customers SET name = 'Cut' WHERE customer_id = $1", account.id)
        connection = cast(PostgresTransaction, tx)._connection
        os.kill(connection.get_server_pid(), signal.SIGTERM)
        # The pool takes a lost connection back, and then it cannot even be asked.
        with suppress(asyncpg.InterfaceError):
            while not connection.is_closed():  # noqa: ASYNC110 - the connection has no event for it
                await asyncio.sleep(0.01)


async def test_a_connection_that_is_lost_before_the_commit_saves_nothing(cluster: Cluster, tmp_path: Path) -> None:
    async with open_migrated_context(settings_for(tmp_path, cluster.create_database("before"))) as ctx:
        account = await create_tenant(ctx)
        with pytest.raises(DatabaseBusy, match="Nothing was changed"):
            await _change_and_lose_connection(account)
        async with ctx.db.reading() as tx:
            assert await tx.fetch("SELECT name FROM customers") == [("Tenant",)]


async def test_a_rejected_writer_of_a_group_with_an_unknown_outcome_has_changed_nothing(cluster: Cluster) -> None:
    url = cluster.create_database("rejected")
    await Notes(url).empty()
    async with CutsConnections(cluster.port) as proxy:
        db = await Notes(proxy.address(url)).open()

        async def write_note(text: str, account: str, *, is_rejected: bool = False) -> None:
            async with db.writing(account=account) as tx:
                await write(tx, text, account)
                if is_rejected:
                    raise ZeroDivisionError

        await write_note("earlier", "one")
        proxy.cut_at(b"COMMIT;")
        outcomes = await asyncio.gather(
            write_note("kept", "one"), write_note("rejected", "two", is_rejected=True), return_exceptions=True
        )
        assert [type(outcome) for outcome in outcomes] == [CommitOutcomeUnknown, DatabaseBusy]
        async with db.reading() as tx:
            assert await tx.fetch("SELECT text FROM notes ORDER BY text") == [("earlier",), ("kept",)]
        await db.close()


@asynccontextmanager
async def _cut_stage(cluster: Cluster, folder: Path) -> AsyncIterator[tuple[Stage, CutsConnections]]:
    """The application, and the proxy between it and its database."""
    url = cluster.create_database(f"stage_{next(_numbers)}")
    async with CutsConnections(cluster.port) as proxy, staged(settings_for(folder, proxy.address(url))) as stage:
        yield stage, proxy


@pytest.mark.parametrize("arrives", [True, False], ids=["commit arrives", "commit is lost"])
async def test_a_request_with_an_unknown_outcome_can_be_repeated(
    cluster: Cluster, tmp_path: Path, arrives: bool
) -> None:
    async with _cut_stage(cluster, tmp_path) as (stage, proxy), stage.account() as account:
        new_form = await form(account)
        path = f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submissions"
        body, key = {"data": {"site": "A"}, "externalId": "A-1"}, {"idempotency-key": "K-1"}
        proxy.cut_at(b"COMMIT;", arrives=arrives)
        unknown = await account.api.post(path, json=body, headers=key)
        assert (unknown.status_code, unknown.json()["code"]) == (503, "database.outcome_unknown")
        assert "may or may not have been saved" in unknown.json()["detail"]
        assert int(unknown.headers["retry-after"]) >= 1
        repeated = await account.api.post(path, json=body, headers=key)
        assert (repeated.status_code, repeated.headers.get("idempotent-replayed")) == (201, "true" if arrives else None)
        with_other_key = await account.api.post(path, json=body, headers={"idempotency-key": "K-2"})
        assert with_other_key.json()["code"] == "submission.external_id_taken"
        found = await account.api.get(f"{PREFIX}/submissions")
        assert [item["id"] for item in found.json()["items"]] == [repeated.json()["id"]]


async def test_a_repeated_import_with_an_unknown_outcome_runs_once(cluster: Cluster, tmp_path: Path) -> None:
    async with _cut_stage(cluster, tmp_path) as (stage, proxy), stage.account() as account:
        new_form = await form(account)
        path = f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submission-imports"
        headers = {"content-type": "text/csv", "idempotency-key": "K-1"}
        # The first commit reserves the import, and the second one starts it.
        proxy.cut_at(b"COMMIT;", skip=1)
        unknown = await account.api.post(path, content=b"site\nA\n", headers=headers)
        assert (unknown.status_code, unknown.json()["code"]) == (503, "database.outcome_unknown")
        repeated = await account.api.post(path, content=b"site\nA\n", headers=headers)
        assert (repeated.status_code, repeated.headers.get("idempotent-replayed")) == (201, "true")
        found = await account.api.get(f"{PREFIX}/customers/{account.id}/submission-imports")
        assert [item["id"] for item in found.json()["items"]] == [repeated.json()["id"]]


async def test_every_interface_says_that_the_outcome_is_unknown(cluster: Cluster, tmp_path: Path) -> None:
    async with (
        _cut_stage(cluster, tmp_path) as (stage, proxy),
        stage.account() as account,
        visit(account) as site,
    ):
        new_form = await form(account)
        path = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
        proxy.cut_at(b"COMMIT;")
        changed = await account.api.put(path, json={"name": "Cut"})
        assert (changed.status_code, changed.json()["code"]) == (503, "database.outcome_unknown")
        assert (await account.api.get(path)).json()["name"] == "Cut"
        proxy.cut_at(b"COMMIT;")
        page = await site.post(f"/forms/{new_form['id']}/archive")
        assert (page.status_code, "may or may not have been saved" in page.text) == (503, True)
        proxy.cut_at(b"COMMIT;")
        redirected = await site.post("/folders", {"name": "Cut"})
        assert "may+or+may+not+have+been+saved" in redirected.headers["location"]
        # The script of the designer repeats its request after any 5xx, and gives up after 400.
        details = {"name": "Cut again", "description": ""}
        proxy.cut_at(b"COMMIT;")
        assert (await site.send(f"/forms/{new_form['id']}/design/about", details)).status_code == 503
        async with scim_client(account) as scim:
            await scim.call("GET", "/Users")
            proxy.cut_at(b"COMMIT;")
            error = await scim.call("POST", "/Groups", {"schemas": [GROUP], "displayName": "Cut"}, 503)
            assert error["detail"].endswith("(database.outcome_unknown)")


async def test_a_page_that_fails_after_its_first_commit_does_not_say_that_nothing_was_changed(
    cluster: Cluster, tmp_path: Path
) -> None:
    """Importing a form stores its report in a transaction of its own."""
    workbook = xlsx_file(
        [], survey=[("type", "name", "label"), ("text", "a", "A")], settings=[("form_title",), ("Cut",)]
    )
    async with (
        _cut_stage(cluster, tmp_path) as (stage, proxy),
        stage.account() as account,
        visit(account) as site,
    ):
        for skip, text, names in ((0, "Nothing was changed", []), (1, "may or may not have been saved", ["Cut"])):
            proxy.cut_at(b"BEGIN;", skip=skip, arrives=False)
            page = await site.post("/forms/import", files={"file": ("form.xlsx", workbook)})
            assert (page.status_code, text in page.text) == (503, True)
            found = await account.api.get(f"{PREFIX}/forms/customer/{account.id}/forms")
            assert [item["name"] for item in found.json()["items"]] == names


async def test_an_import_succeeds_although_its_tables_cannot_be_analyzed(cluster: Cluster, tmp_path: Path) -> None:
    async with _cut_stage(cluster, tmp_path) as (stage, proxy), stage.account() as account:
        body = {"name": "Clients", "keyColumn": "number", "rows": rows(BATCH_ROWS + 1)}
        proxy.cut_at(b"ANALYZE", arrives=False)
        created = await account.api.post(f"{PREFIX}/customers/{account.id}/datasources", json=body)
        assert (created.status_code, proxy.is_armed) == (201, False)


async def test_a_failure_after_the_first_of_several_commits_is_an_unknown_outcome(
    cluster: Cluster, tmp_path: Path
) -> None:
    """The response for an `Idempotency-Key` is stored after an import, in a transaction of its own."""
    async with _cut_stage(cluster, tmp_path) as (stage, proxy), stage.account() as account:
        path = f"{PREFIX}/customers/{account.id}/datasources"
        body = {"name": "Clients", "keyColumn": "number", "rows": rows(2)}
        proxy.cut_at(b"BEGIN;", skip=1, arrives=False)
        unknown = await account.api.post(path, json=body, headers={"idempotency-key": "K-1"})
        assert (unknown.status_code, unknown.json()["code"]) == (503, "database.outcome_unknown")
        assert [item["name"] for item in (await account.api.get(path)).json()["items"]] == ["Clients"]
        proxy.cut_at(b"BEGIN;", arrives=False)
        unchanged = await account.api.post(path, json=body | {"name": "Others"}, headers={"idempotency-key": "K-2"})
        assert (unchanged.status_code, unchanged.json()["code"]) == (503, "database.unavailable")
        assert [item["name"] for item in (await account.api.get(path)).json()["items"]] == ["Clients"]


@pytest.mark.parametrize("pooler", ["session", "transaction"])
async def test_a_retry_during_the_commit_of_an_abandoned_request_is_done_once(
    cluster: Cluster, tmp_path: Path, pooler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(tmp_path, cluster.create_database(pooler))
    stopped: list[int] = []
    done = group_commit.GroupedWriter.complete

    async def wait_in_group(writer: Any, hooks: Any) -> None:
        # It has done its part and waits for the others; then the server hangs.
        await done(writer, hooks)
        if not stopped:
            stopped.append(writer._tx._connection.get_server_pid())
            os.kill(stopped[0], signal.SIGSTOP)

    async with staged(replace(settings, request_s=2, database_pooler=pooler)) as stage, stage.account() as account:
        new_form = await form(account)
        path = f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submissions"

        async def send() -> Any:
            return await account.api.post(path, json={"data": {"site": "A"}}, headers={"idempotency-key": "K-1"})

        monkeypatch.setattr(group_commit.GroupedWriter, "complete", wait_in_group)
        given_up = await send()
        again = await send()
        os.kill(stopped[0], signal.SIGCONT)
        codes = [response.json()["code"] for response in (given_up, again)]
        assert codes == ["request.timeout", "idempotency.running"]
        while (last := await send()).status_code != 201:
            assert last.json()["code"] == "idempotency.running"
        assert last.headers["idempotent-replayed"] == "true"
        async with stage.ctx.db.reading() as tx:
            assert await tx.fetch_one("SELECT count(*) FROM submissions") == (1,)
