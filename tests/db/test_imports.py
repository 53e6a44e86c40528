"""Imports into data sources: concurrent ones, interrupted ones, and their remains."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any

import msgspec
import pytest
from fixtures.app_contexts import create_tenant, open_migrated_context

from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.core.pagination import Window
from formwright.core.tables.base import BadRow
from formwright.domain.datasources import cleanup, service
from formwright.domain.datasources.cell_types import TypeDetector
from formwright.domain.datasources.imports import importer
from formwright.domain.datasources.imports.diff import BATCH_ROWS
from formwright.domain.datasources.imports.row_sources import JsonRows, RowTexts
from formwright.domain.datasources.limits import ROW_RETENTION_MS
from formwright.domain.datasources.models import (
    Datasource,
    DatasourceBusy,
    DatasourceNameTaken,
    ImportCounts,
    ImportMode,
    ImportPlan,
    ImportSource,
    RowFilter,
)
from formwright.domain.datasources.service import DatasourceChanges
from formwright.settings import Settings

COUNT = 3 * BATCH_ROWS + 7


class Interrupted(Exception):
    """The import was interrupted."""


class SlowRows(JsonRows):
    """Rows that wait for `go` before they are validated, or `written`; `begun` is set when that starts."""

    def __init__(self, count: int, *, written: bool = False) -> None:
        super().__init__([{"number": f"C-{n}", "name": "customer y"} for n in range(count)])
        self.started, self.go, self._written = Event(), Event(), written

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        if (types is None) is self._written:
            self.started.set()
            assert self.go.wait(30)
        yield from super().rows(types)


class Rows(JsonRows):
    """Numbered rows whose second pass can be interrupted, or wait for something."""

    def __init__(self, count: int, name: str = "customer x", cut_at: int | None = None) -> None:
        super().__init__([{"number": f"C-{n}", "name": name} for n in range(count)])
        self._cut_at, self._pass = cut_at, 0

    def rows(self, types: TypeDetector | None = None) -> Iterator[tuple[int, RowTexts] | BadRow]:
        for line, row in enumerate(super().rows(types)):
            if types is None and line == self._cut_at:
                raise Interrupted()
            yield row


@dataclass
class DatasourceOwner:
    """An account with its data sources."""

    ctx: AppContext
    actor: Actor

    async def create(self, rows: JsonRows, name: str = "Customers") -> Datasource:
        plan, new_id = ImportPlan(ImportSource.JSON), self.ctx.ids.new("dat")
        found, _ = await service.create(
            self.ctx.db, self.actor, DatasourceChanges(name, "number"), rows, plan, datasource_id=new_id
        )
        return found

    async def replace(self, of: Datasource, rows: JsonRows) -> ImportCounts:
        _, report = await service.import_rows(
            self.ctx.db, self.actor, rows, ImportPlan(ImportSource.JSON), datasource_id=of.id
        )
        return report.counts

    async def names(self, of: Datasource) -> set[str]:
        """Return the names in any row, the same by pages and by search."""
        seen: dict[str, set[tuple[str, str]]] = {"": set(), "customer": set()}
        for text, found in seen.items():
            window = Window(1000)
            while True:
                async with self.ctx.db.reading() as tx:
                    now, page = await service.find_rows(tx, self.actor, RowFilter(text), window, datasource_id=of.id)
                found |= {(row.key, msgspec.json.decode(row.data)["name"]) for row in page.items}
                if page.next is None:
                    break
                window = Window(1000, page.next)
        assert seen[""] == seen["customer"]
        assert len(seen[""]) == now.row_count
        return {name for _, name in seen[""]}

    async def name_and_key(self, of: Datasource) -> tuple[str, str]:
        """Return the current name and key column."""
        async with self.ctx.db.reading() as tx:
            now = await service.get(tx, self.actor, datasource_id=of.id)
        return now.name, now.key_column

    async def count(self, table: str) -> int:
        async with self.ctx.db.reading() as tx:
            row = await tx.fetch_one(f"SELECT COUNT(*) FROM {table}")
        assert row
        return int(row[0])


@pytest.fixture
async def owner(own_settings: Settings) -> AsyncIterator[DatasourceOwner]:
    async with open_migrated_context(own_settings) as ctx:
        yield DatasourceOwner(ctx, (await create_tenant(ctx)).actor)


async def test_an_interrupted_import_leaves_everything_unchanged(owner: DatasourceOwner) -> None:
    of = await owner.create(Rows(COUNT))
    for cut_at in (1, BATCH_ROWS + 1, COUNT - 1):
        with pytest.raises(Interrupted):
            await owner.replace(of, Rows(COUNT + 50, "customer y", cut_at))
        assert await owner.names(of) == {"customer x"}
        assert await owner.count("datasource_rows") == COUNT
    assert (await owner.replace(of, Rows(COUNT - 5, "customer y"))) == ImportCounts(updated=COUNT - 5, deleted=5)
    assert await owner.names(of) == {"customer y"}


async def test_an_interrupted_first_import_creates_no_datasource(owner: DatasourceOwner) -> None:
    with pytest.raises(Interrupted):
        await owner.create(Rows(COUNT, cut_at=COUNT - 1))
    assert (await owner.count("datasources"), await owner.count("datasource_rows")) == (0, 0)


async def test_the_rows_of_a_killed_import_are_never_visible_and_are_removed(
    owner: DatasourceOwner, monkeypatch: Any
) -> None:
    """After a kill, nothing aborts the import: its rows and its lease remain."""
    of = await owner.create(Rows(COUNT))
    await kill_import(owner, of, monkeypatch)
    assert await owner.count("datasource_rows") > COUNT
    assert await owner.names(of) == {"customer x"}
    with pytest.raises(DatasourceBusy):
        await owner.replace(of, Rows(3))
    owner.ctx = await expire_leases(owner.ctx)
    assert await owner.replace(of, Rows(COUNT)) == ImportCounts(unchanged=COUNT)
    assert await owner.count("datasource_rows") == COUNT


async def test_an_import_killed_while_the_clock_was_ahead_blocks_nobody(
    owner: DatasourceOwner, monkeypatch: Any
) -> None:
    of = await owner.create(Rows(COUNT))
    await kill_import(owner, of, monkeypatch)
    async with owner.ctx.db.writing() as tx:
        await tx.execute("UPDATE datasources SET leased = leased + 86400000 WHERE lease IS NOT NULL")
    assert await owner.replace(of, Rows(COUNT)) == ImportCounts(unchanged=COUNT)


async def kill_import(owner: DatasourceOwner, of: Datasource | None, monkeypatch: Any) -> None:
    async def nobody(_: object) -> None:
        """The process is gone, so it aborts nothing."""

    with monkeypatch.context() as patch:
        patch.setattr(importer._Import, "_roll_back", nobody)
        rows = Rows(COUNT + 50, "customer y", COUNT - 1)
        with pytest.raises(Interrupted):
            await (owner.replace(of, rows) if of else owner.create(rows))


async def expire_leases(ctx: AppContext) -> AppContext:
    """Let the leases expire."""
    async with ctx.db.writing() as tx:
        await tx.execute("UPDATE datasources SET leased = 1 WHERE lease IS NOT NULL")
    return ctx


async def test_a_killed_first_import_frees_its_name_and_is_removed(owner: DatasourceOwner, monkeypatch: Any) -> None:
    await kill_import(owner, None, monkeypatch)
    with pytest.raises(DatasourceNameTaken):
        await owner.create(Rows(3))
    await expire_leases(owner.ctx)
    of = await owner.create(Rows(3))
    assert await owner.names(of) == {"customer x"}
    await cleanup.delete_ended_rows(owner.ctx.db, owner.ctx.clock.now())
    assert (await owner.count("datasources"), await owner.count("datasource_rows")) == (1, 3)


async def test_an_import_whose_lease_expired_cannot_go_on(owner: DatasourceOwner, monkeypatch: Any) -> None:
    """Another import began while it slept: its writes are refused, and the other's rows stay."""
    of = await owner.create(Rows(COUNT))
    wake, asleep = asyncio.Event(), asyncio.Event()
    write = importer._Import._write_batch

    async def slow(self: Any, tx: Any, batch: Any) -> None:
        await write(self, tx, batch)
        if batch[0].cells["name"] == "customer y":
            asleep.set()

    real_to_thread = asyncio.to_thread

    async def waiting(work: Any, *args: Any) -> Any:
        if asleep.is_set() and work is next and not wake.is_set():
            await wake.wait()
        return await real_to_thread(work, *args)

    monkeypatch.setattr(importer._Import, "_write_batch", slow)
    monkeypatch.setattr(asyncio, "to_thread", waiting)
    sleeper = asyncio.create_task(owner.replace(of, Rows(COUNT, "customer y")))
    await asleep.wait()
    await expire_leases(owner.ctx)
    assert await owner.replace(of, Rows(5, "customer z")) == ImportCounts(updated=5, deleted=COUNT - 5)
    wake.set()
    with pytest.raises(DatasourceBusy):
        await sleeper
    assert await owner.names(of) == {"customer z"}


async def test_a_name_changed_during_validation_stays(owner: DatasourceOwner) -> None:
    of, rows = await owner.create(Rows(3)), SlowRows(5)
    importing_ = asyncio.create_task(owner.replace(of, rows))
    await asyncio.to_thread(rows.started.wait, 30)
    await service.update(owner.ctx.db, owner.actor, DatasourceChanges("Clients"), datasource_id=of.id)
    other = await owner.create(Rows(1))
    rows.go.set()
    assert await importing_ == ImportCounts(inserted=2, updated=3)
    assert await owner.name_and_key(of) == ("Clients", "number")
    assert await owner.name_and_key(other) == ("Customers", "number")


async def test_a_name_taken_by_another_during_the_import_is_refused(owner: DatasourceOwner) -> None:
    of, rows = await owner.create(Rows(3)), SlowRows(COUNT, written=True)
    plan = ImportPlan(ImportSource.JSON)
    importing_ = asyncio.create_task(
        service.import_rows(owner.ctx.db, owner.actor, rows, plan, DatasourceChanges("Clients"), datasource_id=of.id)
    )
    await asyncio.to_thread(rows.started.wait, 30)
    other = await owner.create(Rows(1), "Clients")
    rows.go.set()
    with pytest.raises(DatasourceNameTaken):
        await importing_
    assert (await owner.name_and_key(of), await owner.name_and_key(other)) == (
        ("Customers", "number"),
        ("Clients", "number"),
    )
    assert await owner.names(of) == {"customer x"}


async def test_rows_validated_with_another_key_column_are_refused(owner: DatasourceOwner) -> None:
    of, rows = await owner.create(Rows(3)), SlowRows(5)
    importing_ = asyncio.create_task(owner.replace(of, rows))
    await asyncio.to_thread(rows.started.wait, 30)
    by_name = JsonRows([{"number": "C-1", "name": "Ann"}])
    await service.import_rows(
        owner.ctx.db,
        owner.actor,
        by_name,
        ImportPlan(ImportSource.JSON),
        DatasourceChanges(key_column="name"),
        datasource_id=of.id,
    )
    rows.go.set()
    with pytest.raises(DatasourceBusy):
        await importing_
    assert await owner.name_and_key(of) == ("Customers", "name")


async def test_a_reader_sees_either_the_old_rows_or_the_new_ones(owner: DatasourceOwner) -> None:
    of = await owner.create(Rows(COUNT))
    over = asyncio.Event()

    async def read() -> set[frozenset[str]]:
        seen = set()
        while not over.is_set():
            seen.add(frozenset(await read_page(owner, of)))
            await asyncio.sleep(0.001)
        return seen

    reading = asyncio.create_task(read())
    await owner.replace(of, Rows(COUNT, "customer y"))
    over.set()
    assert await reading <= {frozenset({"customer x"}), frozenset({"customer y"})}


async def read_page(owner: DatasourceOwner, of: Datasource) -> set[str]:
    async with owner.ctx.db.reading() as tx:
        _, page = await service.find_rows(tx, owner.actor, RowFilter(), Window(1000), datasource_id=of.id)
    return {msgspec.json.decode(row.data)["name"] for row in page.items}


async def test_replaced_rows_are_kept_for_a_week(owner: DatasourceOwner) -> None:
    of = await owner.create(Rows(10))
    await owner.replace(of, Rows(10, "customer y"))
    now = owner.ctx.clock.now()
    assert await cleanup.delete_ended_rows(owner.ctx.db, now) == 0
    assert await cleanup.delete_ended_rows(owner.ctx.db, now + ROW_RETENTION_MS + 1) == 10
    assert await owner.count("datasource_rows") == 10
    assert await owner.names(of) == {"customer y"}


async def test_an_upsert_of_a_few_rows_leaves_the_rest_untouched(owner: DatasourceOwner) -> None:
    of = await owner.create(Rows(COUNT))
    rows = JsonRows([{"number": f"C-{n}", "name": "customer y"} for n in range(0, COUNT, 500)])
    await service.import_rows(
        owner.ctx.db, owner.actor, rows, ImportPlan(ImportSource.JSON, ImportMode.UPSERT), datasource_id=of.id
    )
    changed = len(range(0, COUNT, 500))
    assert await owner.count("datasource_rows") == COUNT + changed
    assert await owner.count("datasource_rows WHERE since = 1 AND until > 2") == COUNT - changed
