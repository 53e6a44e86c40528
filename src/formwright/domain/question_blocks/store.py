"""SQL of question blocks."""

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Position, Window, cut_page
from formwright.domain.question_blocks.models import BlockVersion, QuestionBlock

_BLOCK = (
    "SELECT id, customer_id, name, description, version, (SELECT v.content FROM question_block_versions AS v"
    " WHERE v.customer_id = $1 AND v.block_id = question_blocks.id AND v.number = question_blocks.version),"
    " created, updated, revision FROM question_blocks"
)
_VERSION = "SELECT block_id, number, content, created, created_by FROM question_block_versions"
_BLOCKS = RecordTable[QuestionBlock](
    "question_blocks",
    "customer_id, id, name, description, version, created, updated, revision",
    "name, description, version, updated, revision",
)
insert, update = _BLOCKS.insert, _BLOCKS.update


_block_reader = RecordReader(QuestionBlock)


_version_reader = RecordReader(BlockVersion)


async def insert_version(tx: WriteTransaction, block: QuestionBlock, created_by: str | None) -> None:
    """Store the content of a block as the version whose number the block has."""
    await tx.execute(
        "INSERT INTO question_block_versions (customer_id, block_id, number, content, created, created_by)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
        block.customer_id,
        block.id,
        block.version,
        msgspec.json.encode(block.content).decode(),
        block.updated,
        created_by,
    )


async def find(tx: ReadTransaction, scope: Scope, block_id: str) -> QuestionBlock | None:
    row = await tx.fetch_one(f"{_BLOCK} WHERE customer_id = $1 AND id = $2", scope.customer_id, block_id)
    return _block_reader(row) if row else None


async def page(tx: ReadTransaction, scope: Scope, window: Window, text: str) -> Page[QuestionBlock]:
    """Return a page of the blocks whose name contains the text, ignoring case, oldest first."""
    query = Query(_BLOCK, scope.customer_id)
    if text:
        postgres, sqlite = query.contains(text, "name", "name")
        query.where(f"/*postgres {postgres}*//*sqlite {sqlite}*/")
    return await _block_reader.page(tx, query, window)


async def page_of_versions(
    tx: ReadTransaction, scope: Scope, block_id: str, window: Window, number: int | None
) -> Page[BlockVersion]:
    """Return a page of the versions of a block in the order of their numbers; only that with `number` if given."""
    query = Query(_VERSION, scope.customer_id).where("block_id = ?", block_id)
    if number is not None:
        query.where("number = ?", number)
    if window.after is not None:
        query.where("number > ?", window.after.number)
    rows = await tx.fetch(f"{query.sql()} ORDER BY number LIMIT {window.limit + 1}", *query.args)
    found = [_version_reader(row) for row in rows]
    return cut_page(found, window.limit, lambda version: Position(version.number, version.block_id))


async def find_names(tx: ReadTransaction, scope: Scope, block_ids: set[str]) -> dict[str, tuple[str, int]]:
    """Return the name and the newest version of each of these blocks that exists."""
    query = Query("SELECT id, name, version FROM question_blocks", scope.customer_id).any_of("id", block_ids)
    return {row[0]: (row[1], row[2]) for row in await tx.fetch(query.sql(), *query.args)}
