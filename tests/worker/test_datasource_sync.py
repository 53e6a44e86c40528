"""Synced data sources: imported rows, failures that change nothing, and the requests that are sent."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from factories.row_files import CSV, XLSX, csv_file, xlsx_file
from fixtures.app_contexts import Tenant, create_tenant, open_migrated_context
from fixtures.row_source import (
    Source,
    Talk,
    conditional_page,
    create_synced_datasource,
    dripping,
    endless,
    page,
    pull_settings,
    raw,
    reset,
    run_pull_worker,
    stuck,
)

from formwright.core.net.http_client import UNREACHABLE, Bounds
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.imports.row_sources import JsonRows
from formwright.domain.datasources.models import ImportMode, ImportPlan, ImportStatus, PullStatus
from formwright.domain.datasources.models import ImportSource as By
from formwright.domain.datasources.service import DatasourceChanges
from formwright.settings import Settings

ONE = csv_file([("number", "name"), ("C-1", "Harbour"), ("C-2", "Mill")])
TWO = csv_file([("number", "name", "town"), ("C-1", "Harbour", "Kiel"), ("C-3", "Quay", "Bonn")])
ROWS = [{"number": "C-1", "name": "Harbour"}, {"number": "C-2", "name": "Mill"}]
KEPT = {"C-1": '{"name":"Harbour","number":"C-1"}', "C-2": '{"name":"Mill","number":"C-2"}'}
SECRET = "Bearer s3cret-of-the-source"


@pytest.fixture
async def account(own_settings: Settings) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings) as ctx:
        yield await create_tenant(ctx)


async def test_a_source_is_pulled_at_once_and_again_when_it_changes(account: Tenant) -> None:
    async with Source(page(ONE, content_type=CSV)) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url, every="PT6H")
        first = await table.wait_until_ended()
        assert (first.status, first.rows, first.detail, first.bad) == (PullStatus.DONE, 2, "", [])
        assert first.ended
        assert (first.due, first.took) == (
            first.ended + 6 * 3600 * 1000,
            first.ended - (first.started or 0),
        )
        assert await table.rows() == KEPT
        source.talk = page(TWO, content_type=CSV)
        second = await table.again()
        assert (second.status, second.rows) == (PullStatus.DONE, 2)
        now = await table.now()
        assert (now.column_names, now.row_count, now.version) == (("number", "name", "town"), 2, 3)
        assert list(await table.rows()) == ["C-1", "C-3"]
        newest, before = await table.history()
        assert (newest.source, newest.status, newest.by_kind) == (By.PULL, ImportStatus.DONE, "system")
        assert (newest.counts.inserted, newest.counts.updated, newest.counts.deleted) == (1, 1, 1)
        assert before.counts.inserted == 2
        assert len(await table.events("datasource.imported")) == 2
        assert await table.events("datasource.failed") == []
    assert source.paths == ["GET /rows?list=1 HTTP/1.1"] * 2


@pytest.mark.parametrize(
    "talk",
    [
        page(ONE, content_type="text/csv; charset=utf-8"),
        page(ONE.replace(b",", b";"), content_type="application/vnd.ms-excel"),
        page(ONE),
        page(ONE.decode().encode("utf-16"), content_type="text/plain"),
        page(xlsx_file([("number", "name"), ("C-1", "Harbour"), ("C-2", "Mill")]), content_type=XLSX),
        page(xlsx_file([("number", "name"), ("C-1", "Harbour"), ("C-2", "Mill")]), content_type=CSV),
        page(json.dumps(ROWS).encode(), content_type="application/json; charset=utf-8"),
        page(json.dumps({"next": None, "rows": ROWS}).encode(), content_type="application/problem+json"),
        page(json.dumps(ROWS).encode("utf-8-sig"), content_type="application/octet-stream"),
        raw(b"HTTP/1.0 200 OK\r\n\r\n" + ONE),
    ],
    ids=[
        "csv",
        "semicolons",
        "no type",
        "utf-16",
        "xlsx",
        "xlsx as csv",
        "json",
        "json rows",
        "json bytes",
        "http 1.0",
    ],
)
async def test_the_format_is_detected_from_the_content(account: Tenant, talk: Talk) -> None:
    async with Source(talk) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url)
        state = await table.wait_until_ended()
        assert (state.status, state.detail) == (PullStatus.DONE, "")
        assert await table.rows() == KEPT


async def test_the_charset_of_the_response_is_used(account: Tenant) -> None:
    body = csv_file([("number", "name"), ("1", "Košice")]).decode().encode("iso-8859-2")
    async with Source(page(body, content_type="text/csv; charset=iso-8859-2")) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url)
        await table.wait_until_ended()
        assert await table.rows() == {"1": '{"name":"Košice","number":"1"}'}


@pytest.mark.parametrize(
    ("header", "value", "asked"),
    [
        ("etag", 'W/"v1"', "if-none-match"),
        ("last_modified", "Sat, 21 Nov 2026 08:00:00 GMT", "if-modified-since"),
    ],
)
async def test_unchanged_content_is_not_downloaded_again(account: Tenant, header: str, value: str, asked: str) -> None:
    async with Source(conditional_page(header, value, ONE, content_type=CSV)) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url)
        await table.wait_until_ended()
        second = await table.again()
        third = await table.again()
        assert [state.status for state in (second, third)] == [PullStatus.UNCHANGED] * 2
        assert third.rows == 2
        assert [ask.get(asked) for ask in source.asks] == [None, value, value]
        assert len(await table.history()) == 1
        assert len(await table.events("datasource.imported", "datasource.failed")) == 1


async def test_after_another_import_the_request_is_unconditional(account: Tenant) -> None:
    async with Source(conditional_page("etag", '"1"', ONE, content_type=CSV)) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url)
        await table.wait_until_ended()
        rows = JsonRows([{"number": "C-9", "name": "By hand"}])
        plan = ImportPlan(By.JSON, ImportMode.UPSERT)
        await datasources.import_rows(account.ctx.db, account.actor, rows, plan, datasource_id=table.id)
        assert (await table.again()).status is PullStatus.DONE
        assert await table.rows() == KEPT
        assert "if-none-match" not in source.asks[1]


async def test_importing_the_same_rows_again_publishes_no_event(account: Tenant) -> None:
    async with Source(page(ONE, content_type=CSV)) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url)
        version = (await table.wait_until_ended(), (await table.now()).version)[1]
        assert (await table.again()).status is PullStatus.UNCHANGED
        assert (await table.now()).version == version
        assert len(await table.events("datasource.imported")) == 1


def _bad(status: str) -> Talk:
    return page(b"Sorry", status, content_type="text/plain")


@pytest.mark.parametrize(
    ("talk", "words"),
    [
        (_bad("500 Broken"), "The server responded with status 500 instead of 200."),
        (_bad("404 Gone"), "status 404"),
        (raw(b"HTTP/1.1 204 Nothing\r\n\r\n"), "status 204"),
        (page(b"", "304 Same"), "status 304"),
        (page(b"", "302 There", location="http://127.0.0.1:1/"), "status 302, a redirect"),
        (reset, "cut off: "),
        (raw(b""), "reset: "),
        (raw(b"What?\r\n\r\n"), "protocol: "),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nnumber,name\r\n"), "cut off: "),
        (page(b"<!doctype html><form>Sign in</form>", content_type="text/html"), "is an HTML page"),
        (page(b"<!doctype html><form>Sign in</form>", content_type=CSV), "is an HTML page"),
        (page(b"", content_type=CSV), "The file is empty"),
        (page(b"%PDF-1.7", content_type=CSV), "a PDF"),
        (page(b"a,b\r\n1,2\r\n", content_type=CSV), "no column 'number'"),
        (page(b'{"error": "no"}', content_type="application/json"), "neither a JSON array"),
        (page(b'[{"number": {"a": 1}}]', content_type="application/json"), "$[0]"),
        (page(b'[{"number": "a\\u0000"}]', content_type="application/json"), "NUL"),
        (page(b"[" * 100_000, content_type="application/json"), "neither a JSON array"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_failed_pull_leaves_the_rows_and_says_why(account: Tenant, talk: Talk, words: str) -> None:
    async with Source(page(ONE, content_type=CSV)) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url, every="PT15M")
        await table.wait_until_ended()
        version = (await table.now()).version
        source.talk = talk
        state = await table.again()
        assert state.status is PullStatus.FAILED
        assert words in state.detail
        assert state.rows == 2
        assert (state.due or 0) - (state.ended or 0) == 15 * 60 * 1000
        assert (await table.rows(), (await table.now()).version) == (KEPT, version)
        newest = (await table.history())[0]
        assert (newest.source, newest.status, newest.detail) == (By.PULL, ImportStatus.FAILED, state.detail)
        [event] = await table.events("datasource.failed")
        event_data = json.loads(event)["data"]
        assert (event_data["id"], event_data["rowCount"], event_data["pull"]["status"]) == (table.id, 2, "FAILED")
        assert event_data["pull"]["detail"] == state.detail
        source.talk = page(TWO, content_type=CSV)
        back = await table.again()
        assert (back.status, back.detail) == (PullStatus.DONE, "")


async def test_invalid_rows_are_reported_with_line_and_reason(account: Tenant) -> None:
    body = b"number,name\r\nC-1,Harbour\r\nC-2,Mill,what\r\nC-1,Twice\r\n"
    async with Source(page(ONE, content_type=CSV)) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(account, source.url)
        await table.wait_until_ended()
        source.talk = page(body, content_type=CSV)
        state = await table.again()
        assert state.detail.startswith("Nothing was imported, because 2 rows are invalid. Line 3: ")
        assert [(row.line, row.column) for row in state.bad] == [(3, None), (4, "number")]
        assert (await table.history())[0].bad == state.bad
        assert await table.rows() == KEPT


@pytest.mark.parametrize(
    ("talk", "bounds", "words"),
    [
        (endless, Bounds(size=1024 * 1024), "too large: more than 1 MiB"),
        (page(b"x" * 2000, content_type=CSV), Bounds(size=1000), "too large: "),
        (stuck, Bounds(idle_s=0.2), "timeout: no data for 0.2 s"),
        (dripping, Bounds(whole_s=0.3, idle_s=0.2), "timeout: no complete response within 0.3 s"),
    ],
    ids=["endless", "announced as large", "stuck", "dripping"],
)
async def test_endless_and_slow_responses_are_aborted(account: Tenant, talk: Talk, bounds: Bounds, words: str) -> None:
    async with Source(talk) as source, run_pull_worker(account.ctx, bounds):
        table = await create_synced_datasource(account, source.url)
        state = await table.wait_until_ended()
        assert state.status is PullStatus.FAILED
        assert state.detail.startswith(words)


async def test_a_host_with_a_forbidden_address_is_not_called(own_settings: Settings) -> None:
    strict = replace(own_settings, webhook_allow=())
    async with open_migrated_context(strict) as ctx, Source(page(ONE)) as source, run_pull_worker(ctx):
        table = await create_synced_datasource(await create_tenant(ctx), f"https://localhost:{source.port}/")
        state = await table.wait_until_ended()
        assert state.detail == f"dns: {UNREACHABLE}"
        assert source.asks == []


async def test_after_a_change_of_the_secret_key_headers_must_be_set_again(
    account: Tenant, own_settings: Settings
) -> None:
    strange = replace(own_settings, secret_key="another secret of this installation")
    async with (
        Source(page(ONE, content_type=CSV)) as source,
        open_migrated_context(strange) as ctx,
        run_pull_worker(ctx),
    ):
        plain = await create_synced_datasource(account, source.url)
        assert (await plain.wait_until_ended()).status is PullStatus.DONE
        keyed = await create_synced_datasource(account, source.url, headers={"Authorization": SECRET})
        failed = await keyed.wait_until_ended()
        assert (failed.status, "Set them again" in failed.detail) == (PullStatus.FAILED, True)
        without = pull_settings(ctx, source.url, headers={})
        await datasources.update(ctx.db, account.actor, DatasourceChanges(), without, datasource_id=keyed.id)
        ended = await keyed.wait_until_ended(failed.started)
        assert (ended.status, ended.headers) == (PullStatus.DONE, ())


async def test_headers_are_sent_and_stored_encrypted(account: Tenant) -> None:
    async with Source(page(ONE, content_type=CSV)) as source, run_pull_worker(account.ctx):
        table = await create_synced_datasource(
            account, source.url, headers={"Authorization": SECRET, "X-Tenant": "t-77-secret"}
        )
        await table.wait_until_ended()
        source.talk = page(b"", "401 No", www_authenticate=SECRET)
        state = await table.again()
        assert [ask["authorization"] for ask in source.asks] == [SECRET] * 2
        assert state.headers == ("Authorization", "X-Tenant")
        async with account.ctx.db.reading() as tx:
            everything = repr(await tx.fetch("SELECT * FROM datasource_pulls"))
        events = "".join(await table.events("datasource.imported", "datasource.failed"))
        for text in (everything, events, repr(await table.now()), repr(await table.history())):
            assert SECRET not in text
            assert "t-77-secret" not in text
        assert '"Authorization":null' in events
