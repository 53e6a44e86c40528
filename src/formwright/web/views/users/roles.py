"""Roles: which there are, and what each allows, in plain words."""

from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict, Invalid
from formwright.core.ids import is_id
from formwright.domain.users import roles
from formwright.domain.users.models import RoleNotFound
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import render_page
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.users.labels import describe_permissions, list_all_roles, permission_boxes

PATH = "/people/roles"
ROLE_PATH = PATH + "/{role_id:str}"


@get(PATH)
async def roles_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The built-in roles, then the account's own."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        found = await list_all_roles(tx, visitor)
    shown = [
        {"id": role.id, "name": role.name, "built_in": role.built_in, "may": describe_permissions(role.permissions)}
        for role in found
    ]
    return render_page(
        request,
        "users/roles.html",
        place="People",
        roles=shown,
        may_manage=Permission.PEOPLE_MANAGE in visitor.actor.permissions,
        **visitor.template_frame,
    )


@get(PATH + "/new")
async def new_role_page(request: Request[Any, Any, Any]) -> Response[str]:
    """A role to be made."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.PEOPLE_MANAGE)
    return await _render_form(request, visitor, "", [])


@get(ROLE_PATH)
async def role_page(request: Request[Any, Any, Any], role_id: FromPath[str]) -> Response[str]:
    """What a role allows."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        role = await roles.get(tx, visitor.actor, role_id=_check_role_id(role_id))
    return await _render_form(
        request, visitor, role.name, list(role.permissions), role_id=role.id, built_in=role.built_in
    )


async def _render_form(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    name: str,
    chosen: list[Permission],
    *,
    role_id: str = "",
    built_in: bool = False,
    faults: dict[str, str] | None = None,
) -> Response[str]:
    return render_page(
        request,
        "users/role.html",
        422 if faults else 200,
        place="People",
        role_id=role_id,
        name=name,
        groups=permission_boxes(chosen),
        built_in=built_in,
        faults=fault_texts(faults),
        done=request.query_params.get("done") == "saved",
        may_change=Permission.PEOPLE_MANAGE in visitor.actor.permissions and not built_in,
        **visitor.template_frame,
    )


def _check_role_id(role_id: str) -> str:
    if not is_id(role_id, "rol"):
        raise RoleNotFound()
    return role_id


@post(PATH + "/new", status_code=303)
async def add_role(request: Request[Any, Any, Any]) -> Response[Any]:
    """Make it."""
    return await _save_role(request, "")


@post(ROLE_PATH, status_code=303)
async def change_role(request: Request[Any, Any, Any], role_id: FromPath[str]) -> Response[Any]:
    """Change it, for all who have it."""
    return await _save_role(request, _check_role_id(role_id))


async def _save_role(request: Request[Any, Any, Any], role_id: str) -> Response[Any]:
    visitor, sent = await require_visitor(request), await request.form()
    name = read_text(sent, "name", 200)
    chosen = [Permission(one) for one in sent.getall("permissions", []) if one in set(Permission)]
    faults = {} if name else {"name": "Enter a name."}
    faults |= {} if chosen else {"permissions": "Select at least one permission."}
    if faults:
        return await _render_form(request, visitor, name, chosen, role_id=role_id, faults=faults)
    try:
        async with get_app_context(request).db.writing() as tx:
            if role_id:
                await roles.edit(tx, visitor.actor, role_id=role_id, name=name, permissions=chosen)
            else:
                role_id = (await roles.create(tx, visitor.actor, name=name, permissions=chosen)).id
    except Invalid as error:
        return await _render_form(request, visitor, name, chosen, role_id=role_id, faults=faults_by_field(error))
    except Conflict as error:
        return await _render_form(request, visitor, name, chosen, role_id=role_id, faults={"name": str(error)})
    return Redirect(f"{PATH}/{role_id}?done=saved", status_code=303)


HANDLERS = [roles_page, new_role_page, role_page, add_role, change_role]
