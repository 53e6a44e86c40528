"""Staging, loading and discarding files. `jobs` analyses and imports them."""

from collections.abc import AsyncIterator

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import BlobStore
from formwright.core.db.interface import Database, ReadTransaction
from formwright.core.errors import Invalid, require
from formwright.core.tables.base import detect_format
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.staged_files import store
from formwright.domain.datasources.staged_files.models import (
    HEARTBEAT_TIMEOUT_MS,
    MAX_FILE,
    MAX_UPLOADS,
    RETENTION_MS,
    Choices,
    Preview,
    TooManyUploads,
    Upload,
    UploadNotFound,
    UploadState,
)


async def stage(
    db: Database,
    contents: BlobStore,
    actor: Actor,
    chunks: AsyncIterator[bytes],
    *,
    file_name: str,
    choices: Choices,
    datasource_id: str | None,
) -> Upload:
    """Store a file for a later import by the actor. Without a `datasource_id`, the import creates a data source."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    async with db.reading() as tx:
        if datasource_id is not None:
            await datasources.get(tx, actor, datasource_id=datasource_id)
        if await store.count_unfinished(tx, scope) >= MAX_UPLOADS:
            raise TooManyUploads()
    async with contents.receive(chunks, MAX_FILE) as received:
        if received.size == 0:
            raise Invalid.at("", "table.empty", "The file is empty.")
        async with db.writing() as tx:
            upload = Upload(
                id=tx.new_id("upl"),
                customer_id=scope.customer_id,
                user_id=actor.id,
                datasource_id=datasource_id or tx.new_id("dat"),
                is_new=datasource_id is None,
                file_name=file_name,
                kind="xlsx" if detect_format(received.head) == "xlsx" else "csv",
                size=received.size,
                state=UploadState.ARRIVED,
                choices=choices,
                preview=Preview(),
                seen=0,
                done=-1,
                touched=tx.now(),
            )
            await store.insert(tx, upload)
        # The record comes first: if the process is killed here, the cleanup finds the record and deletes the content.
        await contents.put(upload.blob_key, received)
    return upload


async def get(tx: ReadTransaction, actor: Actor, now: int, *, upload_id: str) -> Upload:
    """Return a file of the actor. Raises `UploadNotFound`, also for files of other users."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    return require(await store.find(tx, scope, actor.id, upload_id, now - RETENTION_MS), UploadNotFound)


async def list_importing(tx: ReadTransaction, actor: Actor, now: int) -> list[Upload]:
    """Return the account's files that are being imported right now."""
    return await store.list_importing(tx, allow(actor, Permission.DATASOURCES_READ), now - HEARTBEAT_TIMEOUT_MS)


async def discard(db: Database, contents: BlobStore, actor: Actor, now: int, *, upload_id: str) -> Upload:
    """Delete a file without importing it."""
    async with db.reading() as tx:
        upload = await get(tx, actor, now, upload_id=upload_id)
    await _delete(db, contents, upload)
    return upload


async def delete_idle(db: Database, contents: BlobStore, now: int) -> int:
    """Delete the files of all accounts that have not been used for an hour, and return how many."""
    deleted = 0
    while True:
        async with db.reading() as tx:
            idle = await store.find_idle(tx, now - RETENTION_MS)
        for upload in idle:
            await _delete(db, contents, upload)
        deleted += len(idle)
        if not idle:
            return deleted


async def _delete(db: Database, contents: BlobStore, upload: Upload) -> None:
    # The content first: after a crash in between, the cleanup still finds the row.
    await contents.delete(upload.blob_key)
    async with db.writing() as tx:
        await store.delete(tx, upload)
