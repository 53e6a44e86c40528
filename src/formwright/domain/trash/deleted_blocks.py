"""Deleting and restoring question blocks. Their versions stay in their table until the block is deleted permanently."""

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import require
from formwright.core.events import Event, EventType
from formwright.domain.question_blocks import service as blocks
from formwright.domain.question_blocks.models import BlockNotFound, QuestionBlock
from formwright.domain.trash import store
from formwright.domain.trash.models import Affected, TrashEntry, TrashKind
from formwright.domain.trash.removal import Removal, find_entry, move_to_trash, purge, touched


async def delete_block(tx: WriteTransaction, actor: Actor, *, block_id: str, permanently: bool = False) -> TrashEntry:
    """Move a question block into the trash. Its questions stay in the forms. Raises `BlockNotFound`.

    With `permanently`, it is deleted for good, also if it is in the trash already.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT, everywhere=True)
    block = await blocks.find(tx, scope, block_id)
    if block is None:
        entry = await find_entry(tx, scope, TrashKind.QUESTION_BLOCK, block_id) if permanently else None
        return await purge(tx, scope, require(entry, BlockNotFound))
    rows = {("question_blocks", "id"): [block.id]}
    removal = Removal(TrashKind.QUESTION_BLOCK, block.id, block.name, rows, Affected())
    tx.record(Event(EventType.QUESTION_BLOCK_DELETED, scope.customer_id, block))
    return await move_to_trash(tx, actor, scope, removal, now, permanently=permanently)


async def restore_block(tx: WriteTransaction, actor: Actor, *, block_id: str) -> QuestionBlock:
    """Restore a question block; one that is not deleted is returned unchanged. Raises `BlockNotFound`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT, everywhere=True)
    if block := await blocks.find(tx, scope, block_id):
        return block
    entry = require(await find_entry(tx, scope, TrashKind.QUESTION_BLOCK, block_id), BlockNotFound)
    rows = await store.list_rows(tx, scope, entry.id)
    await store.put_back(tx, scope, "question_blocks", [touched(row, now) for row in rows["question_blocks"]])
    await store.delete(tx, scope, entry.id)
    restored = await blocks.get(tx, actor, block_id=block_id)
    tx.record(Event(EventType.QUESTION_BLOCK_RESTORED, scope.customer_id, restored))
    return restored
