"""The verbs of files of rows: keep one, look after it, let it go. What is done with its rows is in `working`."""

from collections.abc import AsyncIterator

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.blobs import BlobStore
from formwright.core.db.interface import Database, ReadTransaction
from formwright.core.errors import Invalid
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.parsers.base import detect_format
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
    """Keep a file for the actor until it is taken in; without a datasource it becomes a new one."""
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
                fresh=datasource_id is None,
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
        # Written down first: what is killed here leaves a row, and with it the place to be cleared.
        await contents.put(upload.place, received)
    return upload


async def get(tx: ReadTransaction, actor: Actor, now: int, *, upload_id: str) -> Upload:
    """The actor's own file, as long as it waits."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    upload = await store.find(tx, scope, actor.id, upload_id, now - RETENTION_MS)
    if upload is None:
        raise UploadNotFound()
    return upload


async def list_importing(tx: ReadTransaction, actor: Actor, now: int) -> list[Upload]:
    """The imports of the account's files that go on right now."""
    return await store.list_importing(tx, allow(actor, Permission.DATASOURCES_READ), now - HEARTBEAT_TIMEOUT_MS)


async def discard(db: Database, contents: BlobStore, actor: Actor, now: int, *, upload_id: str) -> Upload:
    """Let a file go that is not to be taken in."""
    async with db.reading() as tx:
        upload = await get(tx, actor, now, upload_id=upload_id)
    await _delete(db, contents, upload)
    return upload


async def delete_idle(db: Database, contents: BlobStore, now: int) -> int:
    """Let go what nobody has touched for an hour, in all accounts; answers how many files."""
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
    await contents.remove(upload.place)
    async with db.writing() as tx:
        await store.delete(tx, upload)
