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
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import render_page
from formwright.web.views.autocomplete import MAX_PLAIN_OPTIONS, choices_response, list_all_groups
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.users.labels import grant_rows, list_all_roles, load_grant_targets, read_grant

PATH = "/people/groups"
GROUP_PATH = PATH + "/{group_id:str}"
_NAME_ERROR = "Enter a name."
_NOTICES = {"made": "Group created. Add members and assign roles.", "saved": "Saved."}


@get(PATH)
async def groups_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's groups by name."""
    return await _render_list(request, await require_visitor(request))


async def _render_list(
    request: Request[Any, Any, Any], visitor: Visitor, name: str = "", faults: dict[str, str] | None = None
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        found = await list_all_groups(tx, visitor)
        named, where = {one.id: one for one in await list_all_roles(tx, visitor)}, await load_grant_targets(tx, visitor)
    return render_page(
        request,
        "users/groups.html",
        422 if faults else 200,
        place="People",
        groups=[
            {
                "id": one.id,
                "name": one.name,
                "members": len(one.member_ids),
                "grants": grant_rows(one.grants, named, where),
            }
            for one in found
        ],
        add=bool(faults) or request.query_params.get("add") == "1",
        name=name,
        faults=fault_texts(faults),
        may_manage=Permission.PEOPLE_MANAGE in visitor.actor.permissions,
        **visitor.template_frame,
    )


@post(PATH, status_code=303)
async def add_group(request: Request[Any, Any, Any]) -> Response[Any]:
    """A new group, still empty."""
    visitor, name = await require_visitor(request), read_text(await request.form(), "name", 200)
    if not name:
        return await _render_list(request, visitor, name, {"name": _NAME_ERROR})
    try:
        async with get_app_context(request).db.writing() as tx:
            made = await groups.create(tx, visitor.actor, GroupEdit(name))
    except Conflict as error:
        return await _render_list(request, visitor, name, {"name": str(error)})
    return Redirect(f"{PATH}/{made.id}?done=made", status_code=303)


@get(GROUP_PATH)
async def group_page(request: Request[Any, Any, Any], group_id: FromPath[str]) -> Response[str]:
    """One group with its members and what it is given."""
    return await _render_group(request, await require_visitor(request), group_id)


async def _render_group(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    group_id: str,
    faults: dict[str, str] | None = None,
    name: str = "",
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        group = await groups.get(tx, visitor.actor, group_id=_check_group_id(group_id))
        members, others, search = await _load_people(tx, visitor, group)
        roles, where = await list_all_roles(tx, visitor), await load_grant_targets(tx, visitor)
    return render_page(
        request,
        "users/group.html",
        422 if faults else 200,
        place="People",
        group=group,
        members=members,
        others=others,
        search=search,
        grants=grant_rows(group.grants, {role.id: role for role in roles}, where),
        roles=roles,
        places=where.groups,
        name=name or group.name,
        faults=fault_texts(faults),
        done=_NOTICES.get(request.query_params.get("done", ""), ""),
        may_manage=Permission.PEOPLE_MANAGE in visitor.actor.permissions,
        **visitor.template_frame,
    )


async def _load_people(
    tx: ReadTransaction, visitor: Visitor, group: Group
) -> tuple[list[UserDetails], list[UserDetails], str]:
    """The members by name, others who could be added, and where one searches for them where they are many."""
    members = list(
        (await management.page(tx, visitor.actor, UserFilter(group_ids=[group.id]), Window(MAX_LIMIT))).items
    )
    member_ids = set(group.member_ids)
    first = await management.page(tx, visitor.actor, UserFilter(), Window(MAX_LIMIT))
    others = [person for person in first.items if person.id not in member_ids]
    search = f"{PATH}/choices?kind=people" if first.next or len(others) > MAX_PLAIN_OPTIONS else ""
    return sorted(members, key=_sort_key), sorted(others, key=_sort_key), search


def _sort_key(person: UserDetails) -> str:
    return person.name.casefold()


def _check_group_id(group_id: str) -> str:
    if not is_id(group_id, "grp"):
        raise GroupNotFound()
    return group_id


@get(PATH + "/choices")
async def group_choices(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Whom the picker of new members offers."""
    return await choices_response(request, Permission.PEOPLE_MANAGE)


@post(GROUP_PATH, status_code=303)
async def rename_group(request: Request[Any, Any, Any], group_id: FromPath[str]) -> Response[Any]:
    """Call it otherwise."""
    name = read_text(await request.form(), "name", 200)
    if not name:
        return await _render_group(request, await require_visitor(request), group_id, {"name": _NAME_ERROR})
    return await _change_group(request, group_id, GroupEdit(name), name)


@post(GROUP_PATH + "/members", status_code=303)
async def change_members(request: Request[Any, Any, Any], group_id: FromPath[str]) -> Response[Any]:
    """Put somebody into it, or take her out."""
    sent = await request.form()
    whom = [read_text(sent, "user")]
    return await _change_group(
        request,
        group_id,
        GroupEdit(remove_member_ids=whom) if sent.get("act") == "leave" else GroupEdit(add_member_ids=whom),
    )


@post(GROUP_PATH + "/grants", status_code=303)
async def change_grants(request: Request[Any, Any, Any], group_id: FromPath[str]) -> Response[Any]:
    """Give it a role for something, or take it away."""
    sent = await request.form()
    grant = [read_grant(sent)]
    return await _change_group(
        request, group_id, GroupEdit(remove_grants=grant) if sent.get("act") == "take" else GroupEdit(add_grants=grant)
    )


async def _change_group(
    request: Request[Any, Any, Any], group_id: str, change: GroupEdit, name: str = ""
) -> Response[Any]:
    visitor = await require_visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            await groups.edit(tx, visitor.actor, change, group_id=_check_group_id(group_id))
    except Invalid as error:
        return await _render_group(request, visitor, group_id, faults_by_field(error))
    except Conflict as error:
        return await _render_group(request, visitor, group_id, {"name" if name else "": str(error)}, name)
    return Redirect(f"{PATH}/{group_id}?done=saved", status_code=303)


HANDLERS = [groups_page, add_group, group_choices, group_page, rename_group, change_members, change_grants]
