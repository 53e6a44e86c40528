"""The account's own templates: the list, renaming and deleting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.forms import templates
from formwright.domain.forms.fields import walk_fields
from formwright.domain.forms.models import Template
from formwright.domain.forms.templates import NewTemplate
from formwright.domain.trash import deleted_forms as trash
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR

PATH = "/forms/templates"


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A template in the list."""

    id: str
    name: str
    description: str
    field_count: int
    updated: DisplayTime


@dataclass(frozen=True, slots=True)
class TemplateListPage:
    """The view model of the list. Dialogs ask about `to_rename` and `to_delete`.

    `entered` are the values of a dialog that the server rejected, and its error.
    """

    templates: Sequence[TemplateRow]
    created: Template | None
    to_rename: Template | None
    to_delete: Template | None
    entered: Mapping[str, str]
    may_edit: bool


@get(PATH)
async def templates_page(page: Page) -> Response:
    """The account's own templates, by name. `?change=` and `?remove=` open dialogs."""
    query = page.query
    own_templates = await _list_own_templates(page.tx, page.visitor)
    by_id = {template.id: template for template in own_templates}
    view_model = TemplateListPage(
        templates=[_template_row(page.visitor, template) for template in own_templates],
        created=by_id.get(query.get("created", "")),
        to_rename=by_id.get(query.get("change", "")),
        to_delete=by_id.get(query.get("remove", "")),
        entered={name: query.get(name, "") for name in ("name", "description", "fault")},
        may_edit=page.visitor.may_everywhere(Permission.FORMS_EDIT),
    )
    return page.render("forms/templates.html", view_model, section="Forms")


async def _list_own_templates(tx: ReadTransaction, visitor: Visitor) -> list[Template]:
    own_templates: list[Template] = []
    position: Position | None = None
    while True:
        page = await templates.page(tx, visitor.actor, Window(MAX_LIMIT, position))
        own_templates += [template for template in page.items if template.customer_id]
        if page.next is None:
            return sorted(own_templates, key=lambda template: template.name.casefold())
        position = page.next


def _template_row(visitor: Visitor, template: Template) -> TemplateRow:
    return TemplateRow(
        id=template.id,
        name=template.name,
        description=template.description,
        field_count=sum(1 for _ in walk_fields(template.definition.fields)),
        updated=format_time(template.updated, visitor.customer.time_zone),
    )


@post(PATH + "/{template_id:str}")
async def rename_template(page: Page, template_id: str) -> Redirect:
    """Change the name and description of a template."""
    sent = await page.form()
    name, description = (str(sent.get(part, "")).strip() for part in ("name", "description"))
    if not 1 <= len(name) <= MAX_NAME:
        return _redirect_with_fault(template_id, NAME_ERROR, name[:MAX_NAME], description[:MAX_TEXT])
    try:
        async with page.changing() as tx:
            old = await templates.get(tx, page.actor, template_id=template_id)
            new = NewTemplate(name, description[:MAX_TEXT], old.language, old.tags, old.definition)
            await templates.change(tx, page.actor, new, template_id=old.id)
    except (Invalid, Conflict):
        fault = "This template no longer works, for example because its data source was deleted."
        return _redirect_with_fault(template_id, fault, name, description[:MAX_TEXT])
    return Redirect(PATH)


def _redirect_with_fault(template_id: str, fault: str, name: str, description: str) -> Redirect:
    query = {"change": template_id, "fault": fault, "name": name, "description": description}
    return Redirect(f"{PATH}?{urlencode(query)}")


@post(PATH + "/{template_id:str}/remove")
async def remove_template(page: Page, template_id: str) -> Redirect:
    """Delete a template. Forms created from it are not affected."""
    async with page.writing() as tx:
        await trash.delete_template(tx, page.actor, template_id=template_id)
    return Redirect(PATH)
