"""The account's templates: which there are, what they are called, and taking one away."""

from typing import Any
from urllib.parse import urlencode

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.forms import templates
from formwright.domain.forms.definition import walk_fields
from formwright.domain.forms.models import Template
from formwright.domain.forms.templates import NewTemplate
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR

PATH = "/forms/templates"


@get(PATH)
async def templates_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's own templates by name; `?change=` and `?remove=` ask about one."""
    visitor, asked = await require_visitor(request), request.query_params
    async with get_app_context(request).db.reading() as tx:
        own = await _list_own_templates(tx, visitor)
    by_id = {one.id: one for one in own}
    return render_page(
        request,
        "forms/templates.html",
        place="Forms",
        templates=[_template_row(visitor, one) for one in own],
        made=by_id.get(asked.get("made", "")),
        change=by_id.get(asked.get("change", "")),
        remove=by_id.get(asked.get("remove", "")),
        typed={name: asked.get(name, "") for name in ("name", "description", "fault")},
        may_edit=visitor.may_everywhere(Permission.FORMS_EDIT),
        **visitor.template_frame,
    )


async def _list_own_templates(tx: ReadTransaction, visitor: Visitor) -> list[Template]:
    found: list[Template] = []
    place: Position | None = None
    while True:
        part = await templates.page(tx, visitor.actor, Window(MAX_LIMIT, place))
        found += [one for one in part.items if one.customer_id]
        if part.next is None:
            return sorted(found, key=lambda one: one.name.casefold())
        place = part.next


def _template_row(visitor: Visitor, one: Template) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "description": one.description,
        "fields": sum(1 for _ in walk_fields(one.definition.fields)),
        "updated": format_time(one.updated, visitor.customer.time_zone),
    }


@post(PATH + "/{template_id:str}", status_code=303)
async def rename_template(request: Request[Any, Any, Any], template_id: FromPath[str]) -> Redirect:
    """Another name and description; what it asks stays."""
    visitor, sent = await require_visitor(request), await request.form()
    name, description = (str(sent.get(part, "")).strip() for part in ("name", "description"))
    if not 1 <= len(name) <= MAX_NAME:
        return _redirect_with_fault(template_id, NAME_ERROR, name[:MAX_NAME], description[:MAX_TEXT])
    try:
        async with get_app_context(request).db.writing() as tx:
            was = await templates.get(tx, visitor.actor, template_id=template_id)
            new = NewTemplate(name, description[:MAX_TEXT], was.language, was.tags, was.definition)
            await templates.change(tx, visitor.actor, new, template_id=was.id)
    except (Invalid, Conflict):
        fault = "This template no longer works, for example because its data source was deleted."
        return _redirect_with_fault(template_id, fault, name, description[:MAX_TEXT])
    return Redirect(PATH, status_code=303)


def _redirect_with_fault(template_id: str, fault: str, name: str, description: str) -> Redirect:
    asked = {"change": template_id, "fault": fault, "name": name, "description": description}
    return Redirect(f"{PATH}?{urlencode(asked)}", status_code=303)


@post(PATH + "/{template_id:str}/remove", status_code=303)
async def remove_template(request: Request[Any, Any, Any], template_id: FromPath[str]) -> Redirect:
    """Take it away; forms made from it stay."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await templates.delete(tx, visitor.actor, template_id=template_id)
    return Redirect(PATH, status_code=303)


HANDLERS = [templates_page, rename_template, remove_template]
