"""The question library: the list of blocks, the forms that use a block, and renaming."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.permissions import Permission
from formwright.domain.forms import references
from formwright.domain.forms.fields import walk_fields
from formwright.domain.forms.references import BlockUse
from formwright.domain.question_blocks import service as blocks
from formwright.domain.question_blocks.models import NewBlock, QuestionBlock
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.views.designer.blocks import PATH
from formwright.web.views.designer.labels import FieldOutline, field_outline
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR
from formwright.web.views.list_pages import ListPage, read_list_request, search_field

_PAGE_SIZE = 25


@dataclass(frozen=True, slots=True)
class BlockListPage:
    """The view model of the list: each block, the number of its questions, and of the forms the visitor may see."""

    blocks: ListPage[tuple[QuestionBlock, int, int]]
    may_edit: bool


@dataclass(frozen=True, slots=True)
class BlockPage:
    """The view model of a block. `fault` is what is wrong with the name `entered` in the dialog.

    Without `sees_all_forms`, the visitor has access to some forms only.
    """

    block: QuestionBlock
    fields: Sequence[FieldOutline]
    uses: ListPage[BlockUse]
    sees_all_forms: bool
    is_renaming: bool
    entered: tuple[str, str]
    fault: str
    may_edit: bool


@get(PATH)
async def library_page(page: Page) -> Response:
    """The blocks of the account in order of creation; `?q=` searches their names."""
    request = read_list_request(page, PATH, "q")
    found = await blocks.page(page.tx, page.actor, request.window, text=request.values["q"])
    counts = await references.count_block_forms(page.tx, page.actor) if found.items else {}
    rows = [(one, sum(1 for _ in walk_fields(one.content.fields)), counts.get(one.id, 0)) for one in found.items]
    view_model = BlockListPage(
        blocks=request.build(rows, found.next, search_field("Search blocks")),
        may_edit=page.visitor.may_everywhere(Permission.FORMS_EDIT),
    )
    return page.render("forms/question_library.html", view_model, section="Forms")


@get(PATH + "/{block_id:str}")
async def block_page(page: Page, block_id: str) -> Response:
    """A block: its questions and the forms that use it. `?change=1` opens the dialog to rename it."""
    return await _render_block(page, block_id)


async def _render_block(page: Page, block_id: str, entered: tuple[str, str] | None = None) -> Response:
    request = read_list_request(page, f"{PATH}/{block_id}")
    block = await blocks.get(page.tx, page.actor, block_id=block_id)
    found = await references.list_block_uses(page.tx, page.actor, request.window, block_id=block.id)
    may_edit = page.visitor.may_everywhere(Permission.FORMS_EDIT)
    view_model = BlockPage(
        block=block,
        fields=field_outline(block.content.fields, block.content.language),
        uses=request.build(found.items, found.next),
        sees_all_forms=page.visitor.may_everywhere(Permission.FORMS_READ),
        is_renaming=may_edit and (entered is not None or page.query.get("change") == "1"),
        entered=entered or (block.name, block.description),
        fault=NAME_ERROR if entered else "",
        may_edit=may_edit,
    )
    response = page.render("forms/question_block.html", view_model, section="Forms")
    response.status_code = 422 if entered else 200
    return response


@post(PATH + "/{block_id:str}")
async def rename_block(page: Page, block_id: str) -> Response:
    """Change the name and description of a block."""
    sent = await page.form()
    name, description = (str(sent.get(part, "")).strip() for part in ("name", "description"))
    if not 1 <= len(name) <= MAX_NAME:
        return await _render_block(page, block_id, (name[:MAX_NAME], description[:MAX_TEXT]))
    async with page.changing() as tx:
        old = await blocks.get(tx, page.actor, block_id=block_id)
        new = NewBlock(name, description[:MAX_TEXT], old.content)
        await blocks.change(tx, page.actor, new, block_id=block_id)
    return Redirect(f"{PATH}/{block_id}")
