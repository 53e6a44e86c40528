"""Deletes files that no submission has referred to for a day, and contents that no other file has."""

from formwright.core.auth.actor import Scope
from formwright.core.blobs import BlobStore
from formwright.core.db import account_lock
from formwright.core.db.interface import Database
from formwright.domain.files import store
from formwright.domain.files.models import UNUSED_RETENTION_MS

_BATCH_FILES = 200


async def delete_unreferenced(db: Database, blobs: BlobStore, now: int) -> int:
    """Delete such files of all accounts and return how many. If it is interrupted, the next call continues."""
    before = now - UNUSED_RETENTION_MS
    async with db.reading() as tx:
        accounts = await store.find_accounts_with_unused(tx, before)
    deleted = 0
    for customer_id in accounts:
        while count := await _delete_batch(db, blobs, Scope(customer_id), before):
            deleted += count
    return deleted


async def _delete_batch(db: Database, blobs: BlobStore, scope: Scope, before: int) -> int:
    """Mark the files, delete their contents, and then their rows. Each step can be repeated after an interruption."""
    async with db.writing() as tx:
        # The account lock keeps others from attaching or uploading files until the commit, after which these files
        # cannot be attached any more.
        await account_lock.next_timestamp(tx, scope.customer_id)
        files = await store.mark_for_deletion(tx, scope, before, _BATCH_FILES)
        blob_keys = {file.blob_key for file in files}
        unused = blob_keys - await store.filter_used_keys(tx, scope, sorted(blob_keys))
    for blob_key in sorted(unused):
        await blobs.delete(blob_key)
    async with db.writing() as tx:
        await store.delete(tx, scope, [file.id for file in files])
    return len(files)
