"""The question library as the script of the designer uses it: searching, comparing and saving blocks."""

from typing import Any

import msgspec

from formwright.asgi.validation import JsonMalformed, read_large_body
from formwright.core.errors import Conflict, DomainError, Invalid, Unavailable
from formwright.core.pagination import Window
from formwright.domain.forms.fields import AnyField, walk_fields
from formwright.domain.forms.form_settings import Language
from formwright.domain.question_blocks import service as blocks
from formwright.domain.question_blocks.models import BlockContent, NewBlock, QuestionBlock
from formwright.web.http import JsonResponse, Response, get, post
from formwright.web.page import Page
from formwright.web.views.designer.editor import fault_view
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR
from formwright.web.views.form_input import read_text

PATH = "/forms/question-library"
_MAX_CHOICES = 50


@get(PATH + "/choices")
async def block_choices(page: Page) -> Response:
    """Return up to 50 blocks whose name contains `q` with their fields, and whether there are more."""
    search = read_text(page.query, "q", 200).strip()
    found = await blocks.page(page.tx, page.actor, Window(_MAX_CHOICES), text=search)
    return JsonResponse({"blocks": [_block_view(block) for block in found.items], "more": found.next is not None})


def _block_view(block: QuestionBlock) -> dict[str, Any]:
    fields = block.content.fields
    about = {"id": block.id, "name": block.name, "description": block.description, "version": block.version}
    return about | {
        "fields": fields,
        "language": block.content.language,
        "count": sum(1 for _ in walk_fields(fields)),
    }


@get(PATH + "/{block_id:str}/versions")
async def block_versions(page: Page, block_id: str) -> Response:
    """Return the newest version of a block, and the version with the number `base` to compare it with."""
    number = page.query.get("base", "")
    latest = await blocks.get(page.tx, page.actor, block_id=block_id)
    wanted = int(number[:15]) if number.isdecimal() else latest.version
    base = await blocks.get_version(page.tx, page.actor, block_id=block_id, number=wanted)
    before = {"version": base.number, "fields": base.content.fields, "language": base.content.language}
    return JsonResponse({"base": before, "latest": _block_view(latest)})


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
async def create_block(page: Page) -> Response:
    """Add a block to the library. Returns 422 with the errors if it is invalid."""
    try:
        draft: BlockDraft = await read_large_body(await page.body(), BlockDraft)
        if not 1 <= len(draft.name.strip()) <= MAX_NAME:
            raise Invalid.at("/name", "value.name", NAME_ERROR)
        content = BlockContent(draft.fields, draft.language)
        new = NewBlock(draft.name.strip(), draft.description.strip()[:MAX_TEXT], content)
        async with page.writing() as tx:
            block = await blocks.create(tx, page.actor, new)
    except Unavailable:
        raise
    except (DomainError, JsonMalformed) as error:
        return _error_response(error)
    return JsonResponse(_saved_view(block))


@post(PATH + "/{block_id:str}/versions")
async def create_block_version(page: Page, block_id: str) -> Response:
    """Replace the questions of a block. Returns 409 if the form has not its newest version."""
    try:
        draft: VersionDraft = await read_large_body(await page.body(), VersionDraft)
        content = BlockContent(draft.fields, draft.language)
        async with page.changing() as tx:
            old = await blocks.get(tx, page.actor, block_id=block_id)
            new = NewBlock(old.name, old.description, content)
            block = await blocks.change(tx, page.actor, new, block_id=block_id, based_on=draft.based_on)
    except Unavailable:
        raise
    except (DomainError, JsonMalformed) as error:
        return _error_response(error)
    return JsonResponse(_saved_view(block))


def _saved_view(block: QuestionBlock) -> dict[str, Any]:
    return {"id": block.id, "name": block.name, "version": block.version}


def _error_response(error: DomainError | JsonMalformed) -> Response:
    if isinstance(error, Invalid):
        return JsonResponse({"faults": [fault_view(fault) for fault in error.faults]}, 422)
    return JsonResponse({"detail": str(error)}, 409 if isinstance(error, Conflict) else 400)
