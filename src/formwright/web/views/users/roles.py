"""Roles: the list, and creating and editing them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from formwright.web.templating import render_view
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.permission_labels import PermissionGroup, describe_permissions, permission_boxes
from formwright.web.views.users.labels import list_all_roles

PATH = "/people/roles"
ROLE_PATH = PATH + "/{role_id:str}"


@dataclass(frozen=True, slots=True)
class RoleRow:
    """A role with what it allows."""

    id: str
    name: str
    is_built_in: bool
    permissions: Sequence[str]


@dataclass(frozen=True, slots=True)
class RoleListPage:
    """The view model of the list."""

    roles: Sequence[RoleRow]
    may_manage: bool


@dataclass(frozen=True, slots=True)
class RolePage:
    """The view model of a role; `role_id` is empty for a new one. Built-in roles can't be changed."""

    role_id: str
    name: str
    is_built_in: bool
    permission_groups: Sequence[PermissionGroup]
    faults: Mapping[str, str]
    is_saved: bool
    may_change: bool


@get(PATH)
async def roles_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The built-in roles, then the account's own."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        rows = [
            RoleRow(role.id, role.name, role.built_in, describe_permissions(role.permissions))
            for role in await list_all_roles(tx, visitor)
        ]
    view_model = RoleListPage(rows, may_manage=Permission.PEOPLE_MANAGE in visitor.actor.permissions)
    return render_view(request, "users/roles.html", view_model, visitor=visitor, section="People")


@get(PATH + "/new")
async def new_role_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The page for a new role."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.PEOPLE_MANAGE)
    return _render_form(request, visitor, "", [])


@get(ROLE_PATH)
async def role_page(request: Request[Any, Any, Any], role_id: FromPath[str]) -> Response[str]:
    """A role with its permissions."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        role = await roles.get(tx, visitor.actor, role_id=_check_role_id(role_id))
    return _render_form(request, visitor, role.name, list(role.permissions), role_id=role.id, is_built_in=role.built_in)


def _render_form(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    name: str,
    chosen: list[Permission],
    *,
    role_id: str = "",
    is_built_in: bool = False,
    faults: dict[str, str] | None = None,
) -> Response[str]:
    view_model = RolePage(
        role_id=role_id,
        name=name,
        is_built_in=is_built_in,
        permission_groups=permission_boxes(chosen),
        faults=fault_texts(faults),
        is_saved=request.query_params.get("done") == "saved",
        may_change=Permission.PEOPLE_MANAGE in visitor.actor.permissions and not is_built_in,
    )
    status = 422 if faults else 200
    return render_view(request, "users/role.html", view_model, visitor=visitor, section="People", status=status)


def _check_role_id(role_id: str) -> str:
    if not is_id(role_id, "rol"):
        raise RoleNotFound()
    return role_id


@post(PATH + "/new", status_code=303)
async def add_role(request: Request[Any, Any, Any]) -> Response[Any]:
    """Create a role."""
    return await _save_role(request, "")


@post(ROLE_PATH, status_code=303)
async def change_role(request: Request[Any, Any, Any], role_id: FromPath[str]) -> Response[Any]:
    """Change a role, for everyone who has it."""
    return await _save_role(request, _check_role_id(role_id))


async def _save_role(request: Request[Any, Any, Any], role_id: str) -> Response[Any]:
    visitor, sent = await require_visitor(request), await request.form()
    name = read_text(sent, "name", 200)
    chosen = [Permission(name) for name in sent.getall("permissions", []) if name in set(Permission)]
    faults = {} if name else {"name": "Enter a name."}
    faults |= {} if chosen else {"permissions": "Select at least one permission."}
    if faults:
        return _render_form(request, visitor, name, chosen, role_id=role_id, faults=faults)
    try:
        async with get_app_context(request).db.writing() as tx:
            if role_id:
                await roles.edit(tx, visitor.actor, role_id=role_id, name=name, permissions=chosen)
            else:
                role_id = (await roles.create(tx, visitor.actor, name=name, permissions=chosen)).id
    except Invalid as error:
        return _render_form(request, visitor, name, chosen, role_id=role_id, faults=faults_by_field(error))
    except Conflict as error:
        return _render_form(request, visitor, name, chosen, role_id=role_id, faults={"name": str(error)})
    return Redirect(f"{PATH}/{role_id}?done=saved", status_code=303)


HANDLERS = [roles_page, new_role_page, role_page, add_role, change_role]
