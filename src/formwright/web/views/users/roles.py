"""Roles: the list, and creating and editing them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict, Invalid
from formwright.domain.users import roles
from formwright.domain.users.models import Role
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.permission_labels import PermissionGroup, describe_permissions, permission_boxes
from formwright.web.views.users.labels import list_all_roles

PATH = "/people/roles"
ROLE_PATH = PATH + "/{role_id:str}"


@dataclass(frozen=True, slots=True)
class RoleListPage:
    """The view model of the list: the roles with what they allow."""

    roles: Sequence[tuple[Role, Sequence[str]]]
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
async def roles_page(page: Page) -> Response:
    """The built-in roles, then the account's own."""
    found = await list_all_roles(page.tx, page.visitor)
    rows = [(role, describe_permissions(role.permissions)) for role in found]
    view_model = RoleListPage(rows, may_manage=Permission.PEOPLE_MANAGE in page.actor.permissions)
    return page.render("users/roles.html", view_model, section="People")


@get(PATH + "/new")
async def new_role_page(page: Page) -> Response:
    """The page for a new role."""
    allow(page.actor, Permission.PEOPLE_MANAGE)
    return _render_form(page, "", [])


@get(ROLE_PATH)
async def role_page(page: Page, role_id: str) -> Response:
    """A role with its permissions."""
    role = await roles.get(page.tx, page.actor, role_id=role_id)
    return _render_form(page, role.name, list(role.permissions), role_id=role.id, is_built_in=role.built_in)


def _render_form(
    page: Page,
    name: str,
    chosen: list[Permission],
    *,
    role_id: str = "",
    is_built_in: bool = False,
    faults: dict[str, str] | None = None,
) -> Response:
    view_model = RolePage(
        role_id=role_id,
        name=name,
        is_built_in=is_built_in,
        permission_groups=permission_boxes(chosen),
        faults=fault_texts(faults),
        is_saved=page.query.get("done") == "saved",
        may_change=Permission.PEOPLE_MANAGE in page.actor.permissions and not is_built_in,
    )
    status = 422 if faults else 200
    return page.render("users/role.html", view_model, section="People", status=status)


@post(PATH + "/new")
async def add_role(page: Page) -> Response:
    """Create a role."""
    return await _save_role(page, "")


@post(ROLE_PATH)
async def change_role(page: Page, role_id: str) -> Response:
    """Change a role, for everyone who has it."""
    return await _save_role(page, role_id)


async def _save_role(page: Page, role_id: str) -> Response:
    sent = await page.form()
    name = read_text(sent, "name", 200)
    chosen = [Permission(name) for name in sent.getall("permissions", []) if name in set(Permission)]
    faults = {} if name else {"name": "Enter a name."}
    faults |= {} if chosen else {"permissions": "Select at least one permission."}
    if faults:
        return _render_form(page, name, chosen, role_id=role_id, faults=faults)
    try:
        async with page.writing() as tx:
            if role_id:
                await roles.edit(tx, page.actor, role_id=role_id, name=name, permissions=chosen)
            else:
                role_id = (await roles.create(tx, page.actor, name=name, permissions=chosen)).id
    except Invalid as error:
        return _render_form(page, name, chosen, role_id=role_id, faults=faults_by_field(error))
    except Conflict as error:
        return _render_form(page, name, chosen, role_id=role_id, faults={"name": str(error)})
    return Redirect(f"{PATH}/{role_id}?done=saved")
