"""Uploaded files of rows between preview and import: kept for an hour, used by one task at a time, then removed."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from factories.row_files import csv_file
from fixtures.app_contexts import SetClock, create_tenant, open_migrated_context
from fixtures.server_process import eventually

from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import DatabaseBusy
from formwright.core.pagination import Window
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.imports.diff import BATCH_ROWS
from formwright.domain.datasources.models import Datasource
from formwright.domain.datasources.staged_files import jobs, service, store
from formwright.domain.datasources.staged_files.models import (
    HEARTBEAT_TIMEOUT_MS,
    MAX_UPLOADS,
    RETENTION_MS,
    Choices,
    TooManyUploads,
    Upload,
    UploadBusy,
    UploadNotFound,
    UploadState,
)
from formwright.settings import Settings

FILE = csv_file([["number", "name"], ["1", "a"], ["2", "b"]])


@dataclass
class Uploads:
    """A user's uploads, in a context whose clock can be set."""

    ctx: AppContext
    clock: SetClock
    actor: Actor

    async def stage(self, content: bytes = FILE, name: str = "Sites") -> Upload:
        async def chunks() -> AsyncIterator[bytes]:
            yield content

        return await service.stage(
            self.ctx.db,
            self.ctx.files,
            self.actor,
            chunks(),
            file_name="sites.csv",
            choices=Choices(name=name),
            datasource_id=None,
        )

    async def begin(self, upload: Upload, state: UploadState) -> Upload:
        return await jobs.start(self.ctx.db, self.actor, upload, state, upload.choices)

    async def preview(self, upload: Upload) -> Upload:
        taken = await self.begin(upload, UploadState.LOOKING)
        await jobs.analyze(self.ctx.db, self.ctx.files, self.actor, taken)
        return await self.reload(upload)

    async def import_upload(self, upload: Upload) -> Upload:
        taken = await self.begin(upload, UploadState.IMPORTING)
        await jobs.import_file(self.ctx.db, self.ctx.files, self.actor, taken)
        return await self.reload(upload)

    async def reload(self, upload: Upload) -> Upload:
        async with self.ctx.db.reading() as tx:
            return await service.get(tx, self.actor, self.clock.now(), upload_id=upload.id)

    async def has_rows(self) -> bool:
        """Return whether any part of an import is stored, visible or not."""
        async with self.ctx.db.reading() as tx:
            sql = "SELECT 1 FROM datasource_rows WHERE customer_id = $1 LIMIT 1"
            return await tx.fetch_one(sql, self.actor.customer_id) is not None

    async def list_datasources(self) -> list[Datasource]:
        async with self.ctx.db.reading() as tx:
            return list((await datasources.page(tx, self.actor, Window())).items)


@pytest.fixture
async def uploads(own_settings: Settings) -> AsyncIterator[Uploads]:
    clock = SetClock(time.time_ns() // 1_000_000)
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        yield Uploads(ctx, clock, (await create_tenant(ctx)).actor)


async def test_a_preview_leaves_no_trace_and_an_import_removes_the_file(uploads: Uploads) -> None:
    upload = await uploads.preview(await uploads.stage())
    assert (upload.state, upload.preview.counts.inserted, upload.preview.faults) == (UploadState.LOOKED, 2, [])
    assert await uploads.list_datasources() == []
    assert await uploads.ctx.files.exists(upload.blob_key)
    done = await uploads.import_upload(upload)
    assert done.state is UploadState.DONE
    assert [(one.id, one.row_count) for one in await uploads.list_datasources()] == [(upload.datasource_id, 2)]
    assert not await uploads.ctx.files.exists(upload.blob_key)
    with pytest.raises(UploadBusy):
        await uploads.begin(done, UploadState.IMPORTING)


async def test_a_file_is_kept_for_an_hour(uploads: Uploads) -> None:
    old = await uploads.stage()
    uploads.clock.ms += RETENTION_MS - 1000
    young = await uploads.stage()
    assert await service.delete_idle(uploads.ctx.db, uploads.ctx.files, uploads.clock.now()) == 0
    uploads.clock.ms += 2000
    with pytest.raises(UploadNotFound):
        await uploads.reload(old)
    assert await service.delete_idle(uploads.ctx.db, uploads.ctx.files, uploads.clock.now()) == 1
    assert not await uploads.ctx.files.exists(old.blob_key)
    assert (await uploads.preview(young)).preview.total == 2


async def test_a_failed_import_keeps_the_file_and_says_why(uploads: Uploads) -> None:
    first, second = await uploads.preview(await uploads.stage()), await uploads.preview(await uploads.stage())
    await uploads.import_upload(first)
    refused = await uploads.import_upload(second)
    assert (refused.state, refused.preview.counts.inserted) == (UploadState.LOOKED, 2)
    assert [fault.code for fault in refused.preview.faults] == ["datasource.name_taken"]
    assert await uploads.ctx.files.exists(second.blob_key)


async def test_progress_is_saved_again_after_an_outage_of_the_database(
    uploads: Uploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = await uploads.begin(await uploads.stage(), UploadState.LOOKING)
    real, outages = store.save_progress, [DatabaseBusy(), DatabaseBusy()]

    async def save_progress(*args: Any) -> None:
        if outages:
            raise outages.pop()
        await real(*args)

    async def is_saved() -> bool:
        return (await uploads.reload(upload)).touched == uploads.clock.ms

    monkeypatch.setattr(store, "save_progress", save_progress)
    monkeypatch.setattr(jobs, "_PROGRESS_INTERVAL_S", 0.01)
    uploads.clock.ms += 5000
    reporter = asyncio.create_task(jobs._report_progress(uploads.ctx.db, upload, []))
    try:
        await eventually(is_saved)
    finally:
        reporter.cancel()
    assert not outages


@pytest.mark.slow
async def test_a_stopped_import_is_reported_and_can_be_repeated(uploads: Uploads) -> None:
    rows = [[n, f"name {n}"] for n in range(20 * BATCH_ROWS)]
    upload = await uploads.preview(await uploads.stage(csv_file([["number", "name"], *rows])))
    taken = await uploads.begin(upload, UploadState.IMPORTING)
    work = asyncio.create_task(jobs.import_file(uploads.ctx.db, uploads.ctx.files, uploads.actor, taken))
    await eventually(uploads.has_rows)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    stopped = await uploads.reload(upload)
    assert [fault.code for fault in stopped.preview.faults] == ["datasource.upload.interrupted"]
    assert await uploads.list_datasources() == []
    await uploads.import_upload(await uploads.preview(stopped))
    assert [one.row_count for one in await uploads.list_datasources()] == [len(rows)]


async def test_one_task_uses_a_file_until_it_has_been_silent_for_long(uploads: Uploads) -> None:
    upload = await uploads.begin(await uploads.stage(), UploadState.IMPORTING)
    with pytest.raises(UploadBusy):
        await uploads.begin(upload, UploadState.LOOKING)
    uploads.clock.ms += HEARTBEAT_TIMEOUT_MS + 1
    assert (await uploads.reload(upload)).is_interrupted(uploads.clock.now())
    assert (await uploads.preview(upload)).state is UploadState.LOOKED


async def test_an_account_has_a_limit_of_waiting_files(uploads: Uploads) -> None:
    kept = [await uploads.stage() for _ in range(MAX_UPLOADS)]
    with pytest.raises(TooManyUploads):
        await uploads.stage()
    await service.discard(uploads.ctx.db, uploads.ctx.files, uploads.actor, uploads.clock.now(), upload_id=kept[0].id)
    assert not await uploads.ctx.files.exists(kept[0].blob_key)
    await uploads.stage()


async def test_the_proposed_key_is_the_first_column_with_unique_values(uploads: Uploads) -> None:
    content = csv_file([["same", "gaps", "name", "number"], ["x", "", "a", "1"], ["x", "2", "b", "2"]])
    assert (await uploads.preview(await uploads.stage(content))).preview.key_column == "name"
    nothing = csv_file([["same", "also"], ["x", "y"], ["x", "y"]])
    assert (await uploads.preview(await uploads.stage(nothing))).preview.key_column == "same"
