"""The question library: the list of blocks, the forms that use a block, and renaming."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.pagination import Window
from formwright.domain.forms import references
from formwright.domain.forms.fields import walk_fields
from formwright.domain.forms.models import FormStatus
from formwright.domain.forms.references import BlockUse
from formwright.domain.question_blocks import service as blocks
from formwright.domain.question_blocks.models import NewBlock, QuestionBlock
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import DisplayTime, format_time, render_view
from formwright.web.views.designer.blocks import PATH
from formwright.web.views.designer.labels import FieldOutline, field_outline
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR
from formwright.web.views.form_input import read_text
from formwright.web.views.list_urls import ListPage, build_list_page, parse_position

_PAGE_SIZE = 25


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A block in the list. `form_count` counts the forms that the visitor may see."""

    id: str
    name: str
    description: str
    version: int
    field_count: int
    form_count: int
    updated: DisplayTime


@dataclass(frozen=True, slots=True)
class BlockListPage:
    """The view model of the list. `search` is what the names contain."""

    blocks: ListPage[BlockRow]
    search: str
    may_edit: bool


@dataclass(frozen=True, slots=True)
class UseRow:
    """A form that uses the block, with the versions of the block in its published version and its draft."""

    name: str
    url: str
    is_archived: bool
    published: Sequence[int]
    draft: Sequence[int]
    is_outdated: bool


@dataclass(frozen=True, slots=True)
class BlockPage:
    """The view model of a block. `fault` is what is wrong with the name `entered` in the dialog.

    Without `sees_all_forms`, the visitor has access to some forms only.
    """

    block: QuestionBlock
    fields: Sequence[FieldOutline]
    uses: ListPage[UseRow]
    sees_all_forms: bool
    is_renaming: bool
    entered: tuple[str, str]
    fault: str
    may_edit: bool


@get(PATH)
async def library_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The blocks of the account in order of creation; `?q=` searches their names."""
    visitor, query = await require_visitor(request), request.query_params
    position = parse_position(query.get("after", ""))
    search = read_text(query, "q", 200).strip()
    async with get_app_context(request).db.reading() as tx:
        page = await blocks.page(tx, visitor.actor, Window(_PAGE_SIZE, position), text=search)
        counts = await references.count_block_forms(tx, visitor.actor) if page.items else {}
    rows = [_block_row(visitor, block, counts.get(block.id, 0)) for block in page.items]
    view_model = BlockListPage(
        blocks=build_list_page(PATH, rows, page.next, position=position, filters={"q": search}),
        search=search,
        may_edit=visitor.may_everywhere(Permission.FORMS_EDIT),
    )
    return render_view(request, "forms/question_library.html", view_model, visitor=visitor, section="Forms")


def _block_row(visitor: Visitor, block: QuestionBlock, form_count: int) -> BlockRow:
    return BlockRow(
        id=block.id,
        name=block.name,
        description=block.description,
        version=block.version,
        field_count=sum(1 for _ in walk_fields(block.content.fields)),
        form_count=form_count,
        updated=format_time(block.updated, visitor.customer.time_zone),
    )


@get(PATH + "/{block_id:str}")
async def block_page(request: Request[Any, Any, Any], block_id: FromPath[str]) -> Response[str]:
    """A block: its questions and the forms that use it. `?change=1` opens the dialog to rename it."""
    return await _render_block(request, block_id)


async def _render_block(
    request: Request[Any, Any, Any], block_id: str, entered: tuple[str, str] | None = None
) -> Response[str]:
    visitor, query = await require_visitor(request), request.query_params
    position = parse_position(query.get("after", ""))
    async with get_app_context(request).db.reading() as tx:
        block = await blocks.get(tx, visitor.actor, block_id=block_id)
        page = await references.list_block_uses(tx, visitor.actor, Window(_PAGE_SIZE, position), block_id=block.id)
    rows = [_use_row(use, block.version) for use in page.items]
    may_edit = visitor.may_everywhere(Permission.FORMS_EDIT)
    view_model = BlockPage(
        block=block,
        fields=field_outline(block.content.fields, block.content.language),
        uses=build_list_page(f"{PATH}/{block.id}", rows, page.next, position=position),
        sees_all_forms=visitor.may_everywhere(Permission.FORMS_READ),
        is_renaming=may_edit and (entered is not None or query.get("change") == "1"),
        entered=entered or (block.name, block.description),
        fault=NAME_ERROR if entered else "",
        may_edit=may_edit,
    )
    response = render_view(request, "forms/question_block.html", view_model, visitor=visitor, section="Forms")
    response.status_code = 422 if entered else 200
    return response


def _use_row(use: BlockUse, newest: int) -> UseRow:
    return UseRow(
        name=use.form.name,
        url=f"/forms/{use.form.id}/design",
        is_archived=use.form.status is FormStatus.ARCHIVED,
        published=use.published,
        draft=use.draft,
        is_outdated=use.is_outdated(newest),
    )


@post(PATH + "/{block_id:str}")
async def rename_block(request: Request[Any, Any, Any], block_id: FromPath[str]) -> Response[Any]:
    """Change the name and description of a block."""
    visitor, sent = await require_visitor(request), await request.form()
    name, description = (str(sent.get(part, "")).strip() for part in ("name", "description"))
    if not 1 <= len(name) <= MAX_NAME:
        return await _render_block(request, block_id, (name[:MAX_NAME], description[:MAX_TEXT]))
    async with get_app_context(request).db.writing() as tx:
        old = await blocks.get(tx, visitor.actor, block_id=block_id)
        new = NewBlock(name, description[:MAX_TEXT], old.content)
        await blocks.change(tx, visitor.actor, new, block_id=block_id)
    return Redirect(f"{PATH}/{block_id}", status_code=303)


HANDLERS = [library_page, block_page, rename_block]
