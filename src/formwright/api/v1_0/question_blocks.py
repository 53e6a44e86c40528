"""Operations on question blocks."""

from functools import partial

from formwright.api.context import ReadContext, WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import question_blocks as schemas
from formwright.api.v1_0.schemas import trash as trash_wire
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.forms import references
from formwright.domain.question_blocks import service as blocks
from formwright.domain.question_blocks.models import BlockNotFound
from formwright.domain.trash import deleted_blocks

_BLOCKS = "/forms/customer/{customerId}/question-blocks"
_BLOCK = _BLOCKS + "/{blockId}"
OPERATIONS = OperationGroup("Forms", reads=Permission.FORMS_READ, writes=Permission.FORMS_EDIT)


@OPERATIONS.declare("GET", ("listQuestionBlocks", _BLOCKS))
async def list_blocks(call: ReadContext, query: schemas.QuestionBlockQuery) -> List[schemas.QuestionBlock]:
    """List question blocks.

    Returns the blocks of the question library in order of creation, each with the fields of its newest version.
    """
    return call.listing(await blocks.page(call.tx, call.actor, query.window(), text=query.q or ""), schemas.block)


@OPERATIONS.declare("POST", ("createQuestionBlock", _BLOCKS), location=_BLOCKS + "/{id}", raises=(Invalid,))
async def create_block(call: WriteContext, body: schemas.QuestionBlockWrite) -> schemas.QuestionBlock:
    """Create a question block.

    Adds fields to the question library. To use them, copy `fields` to a form and set `block` of each field to the id
    and version of the block and the name of the field in it, so that the form can be updated later. `block` of the
    fields that you send here is dropped: blocks contain no other blocks.

    Records the event `question_block.created`.
    """
    return schemas.block(await blocks.create(call.tx, call.actor, body.to_domain()))


@OPERATIONS.declare("GET", ("getQuestionBlock", _BLOCK), raises=(BlockNotFound,))
async def get_block(call: ReadContext, block_id: str) -> schemas.QuestionBlock:
    """Get a question block.

    Returns the block with the fields of its newest version.
    """
    return schemas.block(await blocks.get(call.tx, call.actor, block_id=block_id))


@OPERATIONS.declare("PUT", ("updateQuestionBlock", _BLOCK), raises=(BlockNotFound, Invalid))
async def update_block(call: WriteContext, block_id: str, body: schemas.QuestionBlockWrite) -> schemas.QuestionBlock:
    """Update a question block.

    Replaces the block: optional properties you omit get their default values. If `fields` or `language` differ, they
    become a new version. Earlier versions remain available. Forms that use the block do not change:
    `listQuestionBlockForms` returns those for which an update is available.

    Records the event `question_block.updated`, unless nothing changes.
    """
    return schemas.block(await blocks.change(call.tx, call.actor, body.to_domain(), block_id=block_id))


@OPERATIONS.declare("GET", ("listQuestionBlockVersions", _BLOCK + "/versions"), raises=(BlockNotFound,))
async def list_versions(
    call: ReadContext, block_id: str, query: schemas.QuestionBlockVersionQuery
) -> List[schemas.QuestionBlockVersion]:
    """List the versions of a question block.

    Returns all versions in the order of their numbers. Versions never change.
    """
    page = await blocks.page_of_versions(call.tx, call.actor, query.window(), block_id=block_id, number=query.number)
    return call.listing(page, schemas.version)


@OPERATIONS.declare("GET", ("listQuestionBlockForms", _BLOCK + "/forms"), raises=(BlockNotFound,))
async def list_forms(call: ReadContext, block_id: str, query: PageQuery) -> List[schemas.QuestionBlockUse]:
    """List the forms that use a question block.

    Returns the forms with fields of the block in their published version or newest draft, in order of creation, with
    the versions of the block that they use. A limited key only sees its forms.
    """
    record = await blocks.get(call.tx, call.actor, block_id=block_id)
    page = await references.list_block_uses(call.tx, call.actor, query.window(), block_id=block_id)
    return call.listing(page, partial(schemas.use, newest=record.version))


@OPERATIONS.declare("DELETE", ("deleteQuestionBlock", _BLOCK), raises=(BlockNotFound,))
async def delete_block(call: WriteContext, block_id: str, query: trash_wire.DeletionQuery) -> trash_wire.TrashItem:
    """Delete a question block.

    Moves the block to the trash with all of its versions. Forms keep the questions.

    Records the event `question_block.deleted`.
    """
    entry = await deleted_blocks.delete_block(call.tx, call.actor, block_id=block_id, permanently=query.permanent)
    return trash_wire.trash_item(entry)


@OPERATIONS.declare("POST", ("restoreQuestionBlock", _BLOCK + "/restore"), raises=(BlockNotFound,))
async def restore_block(call: WriteContext, block_id: str) -> schemas.QuestionBlock:
    """Restore a question block.

    Takes the block out of the trash with all of its versions. A block that is not deleted is returned unchanged.

    Records the event `question_block.restored`.
    """
    return schemas.block(await deleted_blocks.restore_block(call.tx, call.actor, block_id=block_id))
