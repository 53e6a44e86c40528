"""The question library as the script of the designer uses it: searching, comparing and saving blocks."""

from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Response

from formwright.asgi.validation import JsonMalformed, read_large_body
from formwright.core.errors import Conflict, DomainError, Invalid, Unavailable
from formwright.core.pagination import Window
from formwright.domain.forms.fields import AnyField, walk_fields
from formwright.domain.forms.form_settings import Language
from formwright.domain.question_blocks import service as blocks
from formwright.domain.question_blocks.models import BlockContent, NewBlock, QuestionBlock
from formwright.web.session import get_app_context, require_visitor
from formwright.web.views.designer.editor import fault_view, json_response
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR
from formwright.web.views.form_input import read_text

PATH = "/forms/question-library"
_MAX_CHOICES = 50


@get(PATH + "/choices")
async def block_choices(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return up to 50 blocks whose name contains `q` with their fields, and whether there are more."""
    visitor = await require_visitor(request)
    search = read_text(request.query_params, "q", 200).strip()
    async with get_app_context(request).db.reading() as tx:
        page = await blocks.page(tx, visitor.actor, Window(_MAX_CHOICES), text=search)
    return json_response({"blocks": [_block_view(block) for block in page.items], "more": page.next is not None})


def _block_view(block: QuestionBlock) -> dict[str, Any]:
    fields = block.content.fields
    about = {"id": block.id, "name": block.name, "description": block.description, "version": block.version}
    return about | {
        "fields": fields,
        "language": block.content.language,
        "count": sum(1 for _ in walk_fields(fields)),
    }


@get(PATH + "/{block_id:str}/versions")
async def block_versions(request: Request[Any, Any, Any], block_id: FromPath[str]) -> Response[bytes]:
    """Return the newest version of a block, and the version with the number `base` to compare it with."""
    visitor = await require_visitor(request)
    number = request.query_params.get("base", "")
    async with get_app_context(request).db.reading() as tx:
        latest = await blocks.get(tx, visitor.actor, block_id=block_id)
        wanted = int(number[:15]) if number.isdecimal() else latest.version
        base = await blocks.get_version(tx, visitor.actor, block_id=block_id, number=wanted)
    before = {"version": base.number, "fields": base.content.fields, "language": base.content.language}
    return json_response({"base": before, "latest": _block_view(latest)})


class BlockDraft(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """The questions of a new block, as the designer sends them."""

    name: str
    description: str
    fields: list[AnyField]
    language: Language


class VersionDraft(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """The questions of a new version of a block, and the version that the form has of it."""

    based_on: int
    fields: list[AnyField]
    language: Language


@post(PATH)
async def create_block(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Add a block to the library. Returns 422 with the errors if it is invalid."""
    visitor = await require_visitor(request)
    try:
        draft: BlockDraft = await read_large_body(await request.body(), BlockDraft)
        if not 1 <= len(draft.name.strip()) <= MAX_NAME:
            raise Invalid.at("/name", "value.name", NAME_ERROR)
        content = BlockContent(draft.fields, draft.language)
        new = NewBlock(draft.name.strip(), draft.description.strip()[:MAX_TEXT], content)
        async with get_app_context(request).db.writing() as tx:
            block = await blocks.create(tx, visitor.actor, new)
    except Unavailable:
        raise
    except (DomainError, JsonMalformed) as error:
        return _error_response(error)
    return json_response(_saved_view(block))


@post(PATH + "/{block_id:str}/versions")
async def create_block_version(request: Request[Any, Any, Any], block_id: FromPath[str]) -> Response[bytes]:
    """Replace the questions of a block. Returns 409 if the form has not its newest version."""
    visitor = await require_visitor(request)
    try:
        draft: VersionDraft = await read_large_body(await request.body(), VersionDraft)
        content = BlockContent(draft.fields, draft.language)
        async with get_app_context(request).db.writing() as tx:
            old = await blocks.get(tx, visitor.actor, block_id=block_id)
            new = NewBlock(old.name, old.description, content)
            block = await blocks.change(tx, visitor.actor, new, block_id=block_id, based_on=draft.based_on)
    except Unavailable:
        raise
    except (DomainError, JsonMalformed) as error:
        return _error_response(error)
    return json_response(_saved_view(block))


def _saved_view(block: QuestionBlock) -> dict[str, Any]:
    return {"id": block.id, "name": block.name, "version": block.version}


def _error_response(error: DomainError | JsonMalformed) -> Response[bytes]:
    if isinstance(error, Invalid):
        return json_response({"faults": [fault_view(fault) for fault in error.faults]}, 422)
    return json_response({"detail": str(error)}, 409 if isinstance(error, Conflict) else 400)


HANDLERS = [block_choices, block_versions, create_block, create_block_version]
