"""The search finds current rows: after changes by any process, with a small cache, and after an upgrade."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from alembic import command
from fixtures.app_contexts import Tenant, create_tenant, open_migrated_context
from sqlalchemy import Connection, text

from formwright.core.pagination import Window
from formwright.domain.datasources import cleanup, row_search, row_store, service
from formwright.domain.datasources.imports.row_sources import JsonRows
from formwright.domain.datasources.limits import ROW_RETENTION_MS
from formwright.domain.datasources.models import Datasource, ImportMode, ImportPlan, ImportSource, RowFilter, RowTimes
from formwright.domain.datasources.search.cache import SegmentCache
from formwright.domain.datasources.service import DatasourceChanges
from formwright.migrations import upgrading
from formwright.settings import Settings

COUNT = 4500


@pytest.fixture
async def home(own_settings: Settings) -> AsyncIterator[Tenant]:
    async with open_migrated_context(own_settings) as ctx:
        yield await create_tenant(ctx)


@contextmanager
def other_process(memory: SegmentCache) -> Iterator[None]:
    """Search as a process with this cache."""
    mine, row_search._cache = row_search._cache, memory
    try:
        yield
    finally:
        row_search._cache = mine


def people(numbers: range, name: str = "Ann Example") -> JsonRows:
    return JsonRows([{"number": f"C-{n}", "name": f"{name} {n}", "even": n % 2 == 0} for n in numbers])


async def create_datasource(home: Tenant, rows: JsonRows) -> Datasource:
    plan, new_id = ImportPlan(ImportSource.JSON), home.ctx.ids.new("dat")
    of, _ = await service.create(
        home.ctx.db, home.actor, DatasourceChanges("People", "number"), rows, plan, datasource_id=new_id
    )
    return of


async def import_rows(home: Tenant, of: Datasource, rows: JsonRows, mode: ImportMode = ImportMode.REPLACE) -> None:
    await service.import_rows(home.ctx.db, home.actor, rows, ImportPlan(ImportSource.JSON, mode), datasource_id=of.id)


async def search(home: Tenant, of: Datasource, words: str, **by: str) -> list[str]:
    async with home.ctx.db.reading() as tx:
        wanted = RowFilter(words, cells=by)
        _, page = await service.find_rows(tx, home.actor, wanted, Window(1000), datasource_id=of.id)
    return [row.key for row in page.items]


async def count(home: Tenant, what: str) -> int:
    async with home.ctx.db.reading() as tx:
        row: Any = await tx.fetch_one(f"SELECT COUNT(*) FROM {what}")
    return int(row[0])


async def test_single_changes_are_found_by_every_process_and_leave_few_segments(home: Tenant) -> None:
    of = await create_datasource(home, people(range(40)))
    here, there = SegmentCache(), SegmentCache()
    for number in range(40):
        with other_process(here):
            await import_rows(home, of, people(range(number, number + 1), "Bo Sample"), ImportMode.UPSERT)
            assert await search(home, of, f"sample {number}") == [f"C-{number}"]
        with other_process(there):
            assert f"C-{number}" in await search(home, of, "bo")
            assert f"C-{number}" not in await search(home, of, "ann")
    assert await search(home, of, "bo") == [f"C-{number}" for number in range(40)]
    assert await count(home, "datasource_segments") < 8


async def test_rows_are_found_by_an_exact_cell(home: Tenant) -> None:
    of = await create_datasource(home, people(range(COUNT)))
    assert await search(home, of, "example 4499", even="false") == ["C-4499"]
    assert await search(home, of, "example 4499", even="true") == []
    assert await search(home, of, "", name="Ann Example 17") == ["C-17"]
    assert await search(home, of, "", name="ANN EXAMPLE 17") == []
    assert await search(home, of, "", name="ann example 17") == []
    assert await search(home, of, "", name="Ann Example 17") == ["C-17"]
    assert await search(home, of, "", name="Ann Example") == []
    assert await search(home, of, "", nowhere="") == [f"C-{n}" for n in range(1000)]


async def test_a_search_with_many_invisible_matches_returns_enough_rows(home: Tenant) -> None:
    """Most of the rows in the search text have ended, which only the rows themselves show."""
    of = await create_datasource(home, people(range(2000)))
    await import_rows(home, of, people(range(1001, 2000), "Bo"), ImportMode.UPSERT)
    assert await search(home, of, "example") == [f"C-{n}" for n in range(1000)]
    assert len(await search(home, of, "bo")) == 999


async def test_a_refined_search_sees_changes(home: Tenant) -> None:
    of = await create_datasource(home, people(range(COUNT)))
    with other_process(SegmentCache()):
        assert len(await search(home, of, "example 444")) == 14
        assert await search(home, of, "example 4443") == ["C-4443"]
        assert await search(home, of, "4443 xample") == ["C-4443"]
        assert await search(home, of, "example 4443", even="true") == []
        await import_rows(home, of, people(range(4443, 4446), "Bo"), ImportMode.UPSERT)
        assert await search(home, of, "example 4443") == []
        assert await search(home, of, "example 444") == others(
            444, 1444, 2444, 3444, *range(4440, 4443), *range(4446, 4450)
        )


async def test_a_search_that_stopped_early_can_be_continued(home: Tenant) -> None:
    of = await create_datasource(home, people(range(COUNT)))
    with other_process(SegmentCache()):
        for typed in ("e", "ex", "exa", "exam 4", "exam 44", "exam 449", "exam 4499"):
            async with home.ctx.db.reading() as tx:
                _, first = await service.look_up_rows(tx, home.actor, RowFilter(typed), datasource_id=of.id)
            assert [row.key for row in first] == (await search(home, of, typed))[: service.LOOKUP_PAGE_ROWS]
        assert [row.key for row in first] == ["C-4499"]


def others(*numbers: int) -> list[str]:
    return [f"C-{number}" for number in numbers]


async def test_search_works_with_a_small_cache(home: Tenant) -> None:
    of = await create_datasource(home, people(range(COUNT)))
    memory = SegmentCache(200_000)
    with other_process(memory):
        for number in (4444, 1717, 4321):
            assert await search(home, of, f"example {number}") == [f"C-{number}"]
            assert 0 < memory.size <= 200_000


@pytest.mark.slow
async def test_segments_merged_by_another_process_are_reloaded(home: Tenant) -> None:
    of = await create_datasource(home, people(range(COUNT)))
    await import_rows(home, of, people(range(0, COUNT, 2), "Bo"))
    memory = SegmentCache()
    with other_process(memory):
        assert len(await search(home, of, "bo 77")) == 5
        for key in [key for key in memory._entries if key[1]]:
            del memory._entries[key]
        await cleanup.delete_ended_rows(home.ctx.db, home.ctx.clock.now() + ROW_RETENTION_MS + 1)
        assert len(await search(home, of, "bo 77")) == 5


async def test_search_text_of_deleted_rows_is_removed(home: Tenant) -> None:
    of = await create_datasource(home, people(range(COUNT)))
    await import_rows(home, of, people(range(10, COUNT), "Ann Example"))
    assert await count(home, "datasource_texts WHERE text LIKE '%example 9 %'") == 1
    await cleanup.delete_ended_rows(home.ctx.db, home.ctx.clock.now() + ROW_RETENTION_MS + 1)
    assert await count(home, "datasource_texts WHERE text LIKE '%example 9 %'") == 0
    assert await search(home, of, "example 10") == ["C-10", *(f"C-{n}" for n in (*range(100, 110), *range(1000, 1100)))]


async def test_search_text_of_replaced_rows_is_removed_at_once(home: Tenant) -> None:
    of = await create_datasource(home, people(range(COUNT)))
    await import_rows(home, of, people(range(COUNT), "Bo"))
    assert await count(home, "datasource_texts WHERE text LIKE '%example%'") == 0
    assert len(await search(home, of, "bo")) == 1000


@pytest.mark.slow
async def test_existing_rows_are_found_after_the_upgrade(settings_without_tables: Settings) -> None:
    def before(connection: Connection) -> None:
        command.upgrade(upgrading.alembic_config(connection), "0013")

    await upgrading.run_in_transaction(settings_without_tables, before)
    await upgrading.run_in_transaction(settings_without_tables, with_rows)
    async with open_migrated_context(settings_without_tables) as ctx:
        home = await create_tenant(ctx)
        of = Datasource("dat_x", home.actor.customer_id, "x", "number", (), 3, 2, 1, 3, 0, 0, 0)
        async with ctx.db.writing() as tx:
            for table in (
                "datasources",
                "datasource_rows",
                "datasource_segments",
                "datasource_texts",
                "datasource_versions",
            ):
                await tx.execute(f"UPDATE {table} SET customer_id = $1", home.actor.customer_id)
        assert await search(home, of, "ull") == ["1", "3"]
        assert await search(home, of, "gone") == []
        async with ctx.db.reading() as tx:
            found = await row_store.list_after(tx, of, 0, 10)
            assert len(found) == 2
            times = await service.find_row_times(tx, of, found)
        assert set(times.values()) == {RowTimes(created=1, updated=1)}


def with_rows(connection: Connection) -> None:
    connection.execute(
        text(
            "INSERT INTO datasources (customer_id, id, name, key_column, columns, row_count, version, place,"
            " next_number, created, updated, revision) VALUES ('cus_x', 'dat_x', 'x', 'number',"
            """ '[["number","text",false],["name","text",false]]', 2, 2, 1, 3, 1, 1, 1)"""
        )
    )
    for number, name, until in ((1, "Müller", 2**62), (2, "Gone", 2), (3, "Full", 2**62)):
        connection.execute(
            text(
                "INSERT INTO datasource_rows (customer_id, datasource_id, number, key, since, until, data, search)"
                " VALUES ('cus_x', 'dat_x', :number, :key, 1, :until, :data, '')"
            ),
            {
                "number": (1 << 32) + number,
                "key": str(number),
                "until": until,
                "data": f'{{"name":"{name}","number":"{number}"}}',
            },
        )
