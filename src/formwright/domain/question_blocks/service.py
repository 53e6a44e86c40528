"""Creating, changing, loading and listing question blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope, allow, allow_everywhere
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import require
from formwright.core.events import Event, EventType, changed_properties
from formwright.core.pagination import Page, Window
from formwright.domain.forms import versions
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.fields.block_references import block_ids, without_references
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.question_blocks import store
from formwright.domain.question_blocks.models import (
    ID_PREFIX,
    BlockContent,
    BlockNotFound,
    BlockOutdated,
    BlockVersion,
    NewBlock,
    QuestionBlock,
)


async def create(tx: WriteTransaction, actor: Actor, new: NewBlock) -> QuestionBlock:
    """Add a block to the question library. Raises `Invalid` with all errors of its questions.

    References of its fields to other blocks are dropped.
    """
    scope = allow_everywhere(actor, Permission.FORMS_EDIT)
    content = await _check_content(tx, actor, new.content)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    block_id = tx.new_id(ID_PREFIX)
    block = QuestionBlock(block_id, scope.customer_id, new.name, new.description, 1, content, now, now, 1)
    await store.insert(tx, block)
    await store.insert_version(tx, block, actor.author_id)
    tx.record(Event(EventType.QUESTION_BLOCK_CREATED, scope.customer_id, block))
    return block


async def change(
    tx: WriteTransaction, actor: Actor, new: NewBlock, *, block_id: str, based_on: int | None = None
) -> QuestionBlock:
    """Replace a block. Does nothing if it stays the same. Different questions become a new version.

    Forms that use the block do not change. Raises `BlockNotFound`, `Invalid`, and `BlockOutdated` if the newest version
    is not the one that the change is `based_on`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT, everywhere=True)
    block = await get(tx, actor, block_id=block_id)
    if based_on not in (None, block.version):
        raise BlockOutdated()
    content = block.content
    if new.content != content:
        content = await _check_content(tx, actor, new.content)
    is_new_version = content != block.content
    changed = replace(
        block,
        name=new.name,
        description=new.description,
        version=block.version + is_new_version,
        content=content,
    )
    if changed == block:
        return block
    changed = replace(changed, updated=now, revision=block.revision + 1)
    await store.update(tx, changed)
    if is_new_version:
        await store.insert_version(tx, changed, actor.author_id)
    names = changed_properties(block, changed)
    differences = (*(name for name in names if name not in ("content", "version")), *_changed_content(block, changed))
    tx.record(Event(EventType.QUESTION_BLOCK_UPDATED, scope.customer_id, changed, changed=differences))
    return changed


async def _check_content(tx: ReadTransaction, actor: Actor, content: BlockContent) -> BlockContent:
    fields = without_references(content.fields)
    await versions.check_definition(tx, actor, Definition(fields, FormSettings(language=content.language)))
    return BlockContent(fields, content.language)


def _changed_content(before: QuestionBlock, after: QuestionBlock) -> tuple[str, ...]:
    return changed_properties(before.content, after.content)


async def get(tx: ReadTransaction, actor: Actor, *, block_id: str) -> QuestionBlock:
    """Return a block of the account. Raises `BlockNotFound`."""
    return require(await find(tx, allow(actor, Permission.FORMS_READ), block_id), BlockNotFound)


async def find(tx: ReadTransaction, scope: Scope, block_id: str) -> QuestionBlock | None:
    """Return a block of the account, or None. For packages that have checked a permission of their own."""
    return await store.find(tx, scope, block_id)


async def page(tx: ReadTransaction, actor: Actor, window: Window, *, text: str = "") -> Page[QuestionBlock]:
    """Return a page of the blocks whose name contains the text, ignoring case, oldest first."""
    return await store.page(tx, allow(actor, Permission.FORMS_READ), window, text)


async def page_of_versions(
    tx: ReadTransaction, actor: Actor, window: Window, *, block_id: str, number: int | None = None
) -> Page[BlockVersion]:
    """Return a page of the versions of a block by number, or only that with `number`. Raises `BlockNotFound`."""
    scope = allow(actor, Permission.FORMS_READ)
    await get(tx, actor, block_id=block_id)
    return await store.page_of_versions(tx, scope, block_id, window, number)


async def get_version(tx: ReadTransaction, actor: Actor, *, block_id: str, number: int) -> BlockVersion:
    """Return a version of a block. Raises `BlockNotFound` if there is no such block or version."""
    found = await page_of_versions(tx, actor, Window(1), block_id=block_id, number=number)
    if not found.items:
        raise BlockNotFound()
    return found.items[0]


async def list_used(
    tx: ReadTransaction, actor: Actor, fields: Sequence[AnyField]
) -> Mapping[str, tuple[str, int] | None]:
    """Return the name and the newest version of each block that these fields come from; None if it no longer exists."""
    scope = allow(actor, Permission.FORMS_READ)
    used = block_ids(fields)
    found = await store.find_names(tx, scope, used) if used else {}
    return {block_id: found.get(block_id) for block_id in sorted(used)}
