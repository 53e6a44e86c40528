"""Groups of people: which there are, who is in one, and what it is given."""

from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.core.ids import is_id
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.users import groups, management
from formwright.domain.users.models import Group, GroupEdit, GroupNotFound, UserDetails, UserFilter
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import page
from formwright.web.views.autocomplete import FEW, choices, every_group
from formwright.web.views.form_input import faults_of, noted, text
from formwright.web.views.users.labels import every_role, grant_of, lines, places

HERE = "/people/groups"
ONE = HERE + "/{group_id:str}"
_NAME_WRONG = "Write a name."
_DONE = {"made": "Made. Now put people into it, and give it something.", "saved": "Saved."}


@get(HERE)
async def groups_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's groups by name."""
    return await _list(request, await visitor(request))


async def _list(
    request: Request[Any, Any, Any], who: Visitor, name: str = "", faults: dict[str, str] | None = None
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        found = await every_group(tx, who)
        named, where = {one.id: one for one in await every_role(tx, who)}, await places(tx, who)
    return page(
        request,
        "users/groups.html",
        422 if faults else 200,
        place="People",
        groups=[
            {"id": one.id, "name": one.name, "members": len(one.member_ids), "grants": lines(one.grants, named, where)}
            for one in found
        ],
        add=bool(faults) or request.query_params.get("add") == "1",
        name=name,
        faults=noted(faults),
        may_manage=Permission.PEOPLE_MANAGE in who.actor.permissions,
        **who.frame,
    )


@post(HERE, status_code=303)
async def add_group(request: Request[Any, Any, Any]) -> Response[Any]:
    """A new group, still empty."""
    who, name = await visitor(request), text(await request.form(), "name", 200)
    if not name:
        return await _list(request, who, name, {"name": _NAME_WRONG})
    try:
        async with get_app_context(request).db.writing() as tx:
            made = await groups.create(tx, who.actor, GroupEdit(name))
    except Conflict as error:
        return await _list(request, who, name, {"name": str(error)})
    return Redirect(f"{HERE}/{made.id}?done=made", status_code=303)


@get(ONE)
async def group_page(request: Request[Any, Any, Any], group_id: FromPath[str]) -> Response[str]:
    """One group with its members and what it is given."""
    return await _page(request, await visitor(request), group_id)


async def _page(
    request: Request[Any, Any, Any], who: Visitor, group_id: str, faults: dict[str, str] | None = None, name: str = ""
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        group = await groups.get(tx, who.actor, group_id=_id(group_id))
        members, others, search = await _people(tx, who, group)
        roles, where = await every_role(tx, who), await places(tx, who)
    return page(
        request,
        "users/group.html",
        422 if faults else 200,
        place="People",
        group=group,
        members=members,
        others=others,
        search=search,
        grants=lines(group.grants, {role.id: role for role in roles}, where),
        roles=roles,
        places=where.groups,
        name=name or group.name,
        faults=noted(faults),
        done=_DONE.get(request.query_params.get("done", ""), ""),
        may_manage=Permission.PEOPLE_MANAGE in who.actor.permissions,
        **who.frame,
    )


async def _people(tx: ReadTransaction, who: Visitor, group: Group) -> tuple[list[UserDetails], list[UserDetails], str]:
    """The members by name, others who could be added, and where one searches for them where they are many."""
    inside = list((await management.page(tx, who.actor, UserFilter(group_ids=[group.id]), Window(MAX_LIMIT))).items)
    known = set(group.member_ids)
    first = await management.page(tx, who.actor, UserFilter(), Window(MAX_LIMIT))
    others = [one for one in first.items if one.id not in known]
    search = f"{HERE}/choices?kind=people" if first.next or len(others) > FEW else ""
    return sorted(inside, key=_by_name), sorted(others, key=_by_name), search


def _by_name(one: UserDetails) -> str:
    return one.name.casefold()


def _id(group_id: str) -> str:
    if not is_id(group_id, "grp"):
        raise GroupNotFound()
    return group_id


@get(HERE + "/choices")
async def group_choices(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Whom the picker of new members offers."""
    return await choices(request, Permission.PEOPLE_MANAGE)


@post(ONE, status_code=303)
async def rename_group(request: Request[Any, Any, Any], group_id: FromPath[str]) -> Response[Any]:
    """Call it otherwise."""
    name = text(await request.form(), "name", 200)
    if not name:
        return await _page(request, await visitor(request), group_id, {"name": _NAME_WRONG})
    return await _change(request, group_id, GroupEdit(name), name)


@post(ONE + "/members", status_code=303)
async def change_members(request: Request[Any, Any, Any], group_id: FromPath[str]) -> Response[Any]:
    """Put somebody into it, or take her out."""
    sent = await request.form()
    whom = [text(sent, "user")]
    return await _change(
        request,
        group_id,
        GroupEdit(remove_member_ids=whom) if sent.get("act") == "leave" else GroupEdit(add_member_ids=whom),
    )


@post(ONE + "/grants", status_code=303)
async def change_grants(request: Request[Any, Any, Any], group_id: FromPath[str]) -> Response[Any]:
    """Give it a role for something, or take it away."""
    sent = await request.form()
    grant = [grant_of(sent)]
    return await _change(
        request, group_id, GroupEdit(remove_grants=grant) if sent.get("act") == "take" else GroupEdit(add_grants=grant)
    )


async def _change(request: Request[Any, Any, Any], group_id: str, what: GroupEdit, name: str = "") -> Response[Any]:
    who = await visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            await groups.edit(tx, who.actor, what, group_id=_id(group_id))
    except Invalid as error:
        return await _page(request, who, group_id, faults_of(error))
    except Conflict as error:
        return await _page(request, who, group_id, {"name" if name else "": str(error)}, name)
    return Redirect(f"{HERE}/{group_id}?done=saved", status_code=303)


HANDLERS = [groups_page, add_group, group_choices, group_page, rename_group, change_members, change_grants]
