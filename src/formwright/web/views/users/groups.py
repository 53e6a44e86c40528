"""Groups: the list, and one with its members and roles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.users import groups, management
from formwright.domain.users.models import Group, GroupEdit, Role, UserDetails, UserFilter
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.views.autocomplete import MAX_PLAIN_OPTIONS, choices_response, list_all_groups
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.users.labels import (
    GrantRow,
    ScopeOptions,
    grant_rows,
    list_all_roles,
    load_grant_targets,
    read_grant,
)

PATH = "/people/groups"
GROUP_PATH = PATH + "/{group_id:str}"
_NAME_ERROR = "Enter a name."
_NOTICES = {"created": "Group created. Add members and assign roles.", "saved": "Saved."}


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group in the list."""

    id: str
    name: str
    member_count: int
    grants: Sequence[GrantRow]


@dataclass(frozen=True, slots=True)
class GroupListPage:
    """The view model of the list, and of the dialog for a new group with the entered name."""

    groups: Sequence[GroupRow]
    is_dialog_open: bool
    name: str
    faults: Mapping[str, str]
    may_manage: bool


@dataclass(frozen=True, slots=True)
class GroupPage:
    """The view model of a group. `others` can be added as members.

    If there are many others, `search_url` searches for them; it is empty otherwise.
    """

    group: Group
    members: Sequence[UserDetails]
    others: Sequence[UserDetails]
    search_url: str
    grants: Sequence[GrantRow]
    roles: Sequence[Role]
    scopes: ScopeOptions
    name: str
    faults: Mapping[str, str]
    notice: str
    may_manage: bool


@get(PATH)
async def groups_page(page: Page) -> Response:
    """The account's groups, by name."""
    return await _render_list(page)


async def _render_list(page: Page, name: str = "", faults: dict[str, str] | None = None) -> Response:
    listed = await list_all_groups(page.tx, page.visitor)
    roles_by_id = {role.id: role for role in await list_all_roles(page.tx, page.visitor)}
    targets = await load_grant_targets(page.tx, page.visitor)
    view_model = GroupListPage(
        groups=[
            GroupRow(group.id, group.name, len(group.member_ids), grant_rows(group.grants, roles_by_id, targets))
            for group in listed
        ],
        is_dialog_open=bool(faults) or page.query.get("add") == "1",
        name=name,
        faults=fault_texts(faults),
        may_manage=Permission.PEOPLE_MANAGE in page.actor.permissions,
    )
    status = 422 if faults else 200
    return page.render("users/groups.html", view_model, section="People", status=status)


@post(PATH)
async def add_group(page: Page) -> Response:
    """Create a group without members."""
    name = read_text(await page.form(), "name", 200)
    if not name:
        return await _render_list(page, name, {"name": _NAME_ERROR})
    try:
        async with page.writing() as tx:
            created = await groups.create(tx, page.actor, GroupEdit(name))
    except Conflict as error:
        return await _render_list(page, name, {"name": str(error)})
    return Redirect(f"{PATH}/{created.id}?done=created")


@get(GROUP_PATH)
async def group_page(page: Page, group_id: str) -> Response:
    """A group with its members and roles."""
    return await _render_group(page, group_id)


async def _render_group(page: Page, group_id: str, faults: dict[str, str] | None = None, name: str = "") -> Response:
    group = await groups.get(page.tx, page.actor, group_id=group_id)
    members, others, search_url = await _load_people(page.tx, page.visitor, group)
    roles, targets = await list_all_roles(page.tx, page.visitor), await load_grant_targets(page.tx, page.visitor)
    view_model = GroupPage(
        group=group,
        members=members,
        others=others,
        search_url=search_url,
        grants=grant_rows(group.grants, {role.id: role for role in roles}, targets),
        roles=roles,
        scopes=targets.options,
        name=name or group.name,
        faults=fault_texts(faults),
        notice=_NOTICES.get(page.query.get("done", ""), ""),
        may_manage=Permission.PEOPLE_MANAGE in page.actor.permissions,
    )
    status = 422 if faults else 200
    return page.render("users/group.html", view_model, section="People", status=status)


async def _load_people(
    tx: ReadTransaction, visitor: Visitor, group: Group
) -> tuple[list[UserDetails], list[UserDetails], str]:
    """Return the members and the first others by name, and the URL that searches for others if they are many."""
    members = list(
        (await management.page(tx, visitor.actor, UserFilter(group_ids=[group.id]), Window(MAX_LIMIT))).items
    )
    member_ids = set(group.member_ids)
    first = await management.page(tx, visitor.actor, UserFilter(), Window(MAX_LIMIT))
    others = [person for person in first.items if person.id not in member_ids]
    search_url = f"{PATH}/choices?kind=people" if first.next or len(others) > MAX_PLAIN_OPTIONS else ""
    return sorted(members, key=_sort_key), sorted(others, key=_sort_key), search_url


def _sort_key(person: UserDetails) -> str:
    return person.name.casefold()


@get(PATH + "/choices")
async def group_choices(page: Page) -> Response:
    """Search results of the picker for new members."""
    return await choices_response(page, Permission.PEOPLE_MANAGE)


@post(GROUP_PATH)
async def rename_group(page: Page, group_id: str) -> Response:
    """Rename a group."""
    name = read_text(await page.form(), "name", 200)
    if not name:
        return await _render_group(page, group_id, {"name": _NAME_ERROR})
    return await _change_group(page, group_id, GroupEdit(name), name)


@post(GROUP_PATH + "/members")
async def change_members(page: Page, group_id: str) -> Response:
    """Add or remove a member of a group."""
    sent = await page.form()
    user_ids = [read_text(sent, "user")]
    is_removal = sent.get("act") == "remove"
    change = GroupEdit(remove_member_ids=user_ids) if is_removal else GroupEdit(add_member_ids=user_ids)
    return await _change_group(page, group_id, change)


@post(GROUP_PATH + "/grants")
async def change_grants(page: Page, group_id: str) -> Response:
    """Add or remove a role of a group."""
    sent = await page.form()
    grants = [read_grant(sent)]
    is_removal = sent.get("act") == "remove"
    change = GroupEdit(remove_grants=grants) if is_removal else GroupEdit(add_grants=grants)
    return await _change_group(page, group_id, change)


async def _change_group(page: Page, group_id: str, change: GroupEdit, name: str = "") -> Response:
    try:
        async with page.writing() as tx:
            await groups.edit(tx, page.actor, change, group_id=group_id)
    except Invalid as error:
        return await _render_group(page, group_id, faults_by_field(error))
    except Conflict as error:
        return await _render_group(page, group_id, {"name" if name else "": str(error)}, name)
    return Redirect(f"{PATH}/{group_id}?done=saved")
