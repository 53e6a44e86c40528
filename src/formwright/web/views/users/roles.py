"""Roles: which there are, and what each allows, in plain words."""

from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.errors import Conflict, Invalid
from formwright.core.ids import is_id
from formwright.domain.users import roles
from formwright.domain.users.models import RoleNotFound
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import page
from formwright.web.views.form_input import faults_of, noted, text
from formwright.web.views.users.labels import boxes, every_role, in_words

HERE = "/people/roles"
ONE = HERE + "/{role_id:str}"


@get(HERE)
async def roles_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The built-in roles, then the account's own."""
    who = await visitor(request)
    async with get_app_context(request).db.reading() as tx:
        found = await every_role(tx, who)
    shown = [
        {"id": role.id, "name": role.name, "built_in": role.built_in, "may": in_words(role.permissions)}
        for role in found
    ]
    return page(
        request,
        "users/roles.html",
        place="People",
        roles=shown,
        may_manage=Permission.PEOPLE_MANAGE in who.actor.permissions,
        **who.frame,
    )


@get(HERE + "/new")
async def new_role_page(request: Request[Any, Any, Any]) -> Response[str]:
    """A role to be made."""
    who = await visitor(request)
    allow(who.actor, Permission.PEOPLE_MANAGE)
    return await _page(request, who, "", [])


@get(ONE)
async def role_page(request: Request[Any, Any, Any], role_id: FromPath[str]) -> Response[str]:
    """What a role allows."""
    who = await visitor(request)
    async with get_app_context(request).db.reading() as tx:
        role = await roles.get(tx, who.actor, role_id=_id(role_id))
    return await _page(request, who, role.name, list(role.permissions), role_id=role.id, built_in=role.built_in)


async def _page(
    request: Request[Any, Any, Any],
    who: Visitor,
    name: str,
    chosen: list[Permission],
    *,
    role_id: str = "",
    built_in: bool = False,
    faults: dict[str, str] | None = None,
) -> Response[str]:
    return page(
        request,
        "users/role.html",
        422 if faults else 200,
        place="People",
        role_id=role_id,
        name=name,
        groups=boxes(chosen),
        built_in=built_in,
        faults=noted(faults),
        done=request.query_params.get("done") == "saved",
        may_change=Permission.PEOPLE_MANAGE in who.actor.permissions and not built_in,
        **who.frame,
    )


def _id(role_id: str) -> str:
    if not is_id(role_id, "rol"):
        raise RoleNotFound()
    return role_id


@post(HERE + "/new", status_code=303)
async def add_role(request: Request[Any, Any, Any]) -> Response[Any]:
    """Make it."""
    return await _write(request, "")


@post(ONE, status_code=303)
async def change_role(request: Request[Any, Any, Any], role_id: FromPath[str]) -> Response[Any]:
    """Change it, for all who have it."""
    return await _write(request, _id(role_id))


async def _write(request: Request[Any, Any, Any], role_id: str) -> Response[Any]:
    who, sent = await visitor(request), await request.form()
    name = text(sent, "name", 200)
    chosen = [Permission(one) for one in sent.getall("permissions", []) if one in set(Permission)]
    faults = {} if name else {"name": "Write a name."}
    faults |= {} if chosen else {"permissions": "Choose at least one thing that it allows."}
    if faults:
        return await _page(request, who, name, chosen, role_id=role_id, faults=faults)
    try:
        async with get_app_context(request).db.writing() as tx:
            if role_id:
                await roles.edit(tx, who.actor, role_id=role_id, name=name, permissions=chosen)
            else:
                role_id = (await roles.create(tx, who.actor, name=name, permissions=chosen)).id
    except Invalid as error:
        return await _page(request, who, name, chosen, role_id=role_id, faults=faults_of(error))
    except Conflict as error:
        return await _page(request, who, name, chosen, role_id=role_id, faults={"name": str(error)})
    return Redirect(f"{HERE}/{role_id}?done=saved", status_code=303)


HANDLERS = [roles_page, new_role_page, role_page, add_role, change_role]
