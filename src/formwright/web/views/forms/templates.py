"""The account's templates: which there are, what they are called, and taking one away."""

from typing import Any
from urllib.parse import urlencode

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import MAX_LIMIT, Place, Window
from formwright.domain.forms import templates
from formwright.domain.forms.definition import walk_fields
from formwright.domain.forms.models import Template
from formwright.domain.forms.templates import NewTemplate
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import moment, page
from formwright.web.views.designer.new import LONGEST_NAME, LONGEST_TEXT, NAME_WRONG

HERE = "/forms/templates"


@get(HERE)
async def templates_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's own templates by name; `?change=` and `?remove=` ask about one."""
    who, asked = await visitor(request), request.query_params
    async with get_app_context(request).db.reading() as tx:
        own = await _own(tx, who)
    by_id = {one.id: one for one in own}
    return page(
        request,
        "forms/templates.html",
        place="Forms",
        templates=[_shown(who, one) for one in own],
        made=by_id.get(asked.get("made", "")),
        change=by_id.get(asked.get("change", "")),
        remove=by_id.get(asked.get("remove", "")),
        typed={name: asked.get(name, "") for name in ("name", "description", "fault")},
        may_edit=who.may_everywhere(Permission.FORMS_EDIT),
        **who.frame,
    )


async def _own(tx: ReadTransaction, who: Visitor) -> list[Template]:
    found: list[Template] = []
    place: Place | None = None
    while True:
        part = await templates.page(tx, who.actor, Window(MAX_LIMIT, place))
        found += [one for one in part.items if one.customer_id]
        if part.next is None:
            return sorted(found, key=lambda one: one.name.casefold())
        place = part.next


def _shown(who: Visitor, one: Template) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "description": one.description,
        "fields": sum(1 for _ in walk_fields(one.definition.fields)),
        "updated": moment(one.updated, who.customer.time_zone),
    }


@post(HERE + "/{template_id:str}", status_code=303)
async def rename(request: Request[Any, Any, Any], template_id: FromPath[str]) -> Redirect:
    """Another name and description; what it asks stays."""
    who, sent = await visitor(request), await request.form()
    name, description = (str(sent.get(part, "")).strip() for part in ("name", "description"))
    if not 1 <= len(name) <= LONGEST_NAME:
        return _again(template_id, NAME_WRONG, name[:LONGEST_NAME], description[:LONGEST_TEXT])
    try:
        async with get_app_context(request).db.writing() as tx:
            was = await templates.get(tx, who.actor, template_id=template_id)
            new = NewTemplate(name, description[:LONGEST_TEXT], was.language, was.tags, was.definition)
            await templates.change(tx, who.actor, new, template_id=was.id)
    except (Invalid, Conflict):
        fault = "This template no longer works, for example because its data source was deleted."
        return _again(template_id, fault, name, description[:LONGEST_TEXT])
    return Redirect(HERE, status_code=303)


def _again(template_id: str, fault: str, name: str, description: str) -> Redirect:
    asked = {"change": template_id, "fault": fault, "name": name, "description": description}
    return Redirect(f"{HERE}?{urlencode(asked)}", status_code=303)


@post(HERE + "/{template_id:str}/remove", status_code=303)
async def remove(request: Request[Any, Any, Any], template_id: FromPath[str]) -> Redirect:
    """Take it away; forms made from it stay."""
    who = await visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await templates.delete(tx, who.actor, template_id=template_id)
    return Redirect(HERE, status_code=303)


HANDLERS = [templates_page, rename, remove]
