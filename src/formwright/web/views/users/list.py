"""People: who belongs to the account, and inviting one more."""

from typing import Any
from urllib.parse import urlencode

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import Window
from formwright.domain.users import management
from formwright.domain.users.auth import emails
from formwright.domain.users.models import EmailTaken, NewUser, Role, UserDetails, UserFilter, UserStatus
from formwright.web.session import Visitor, account_mailer, get_app_context, require_visitor
from formwright.web.templating import render_page
from formwright.web.views.autocomplete import list_all_groups
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.list_urls import format_place, parse_place
from formwright.web.views.users.labels import (
    LANGUAGES,
    GrantTargets,
    grant_rows,
    list_all_roles,
    load_grant_targets,
    read_grant,
    supported_language,
)

PATH = "/people"
_PAGE_SIZE = 50
_BLANK = {"email": "", "name": "", "language": "en", "role": "", "place": "", "groups": ()}


@get(PATH)
async def people_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The people of the account, the first to come at the front; found by name, status or group."""
    visitor, asked = await require_visitor(request), request.query_params
    search, status, group = (read_text(asked, name, 100) for name in ("q", "status", "group"))
    statuses = [UserStatus(status)] if status in set(UserStatus) else []
    wanted = UserFilter(statuses, [group] if group else [], text=search or None)
    after = parse_place(asked.get("after", ""))
    async with get_app_context(request).db.reading() as tx:
        found = await management.page(tx, visitor.actor, wanted, Window(_PAGE_SIZE, after))
        known = {one.id: one for one in await list_all_groups(tx, visitor)}
        named, where = {one.id: one for one in await list_all_roles(tx, visitor)}, await load_grant_targets(tx, visitor)
    keep = {name: value for name, value in (("q", search), ("status", status), ("group", group)) if value}
    following = keep | {"after": format_place(found.next)} if found.next else None
    return render_page(
        request,
        "users/overview.html",
        place="People",
        people=[
            _person_row(one, named, where) | {"groups": [known[g].name for g in one.group_ids]} for one in found.items
        ],
        asked={"q": search, "status": status, "group": group},
        filtered=bool(keep),
        groups=[(one.id, one.name) for one in known.values()],
        statuses=[(one.value, one.value.capitalize()) for one in UserStatus],
        next_url=f"{PATH}?{urlencode(following)}" if following else "",
        first_url=f"{PATH}?{urlencode(keep)}" if after else "",
        may_manage=Permission.PEOPLE_MANAGE in visitor.actor.permissions,
        **visitor.template_frame,
    )


def _person_row(person: UserDetails, roles_by_id: dict[str, Role], targets: GrantTargets) -> dict[str, Any]:
    given = grant_rows(person.grants, roles_by_id, targets)
    return {
        "url": f"{PATH}/{person.id}",
        "name": person.name,
        "email": person.user.email,
        "status": person.user.status,
        "roles": [
            line["role"] + ("" if line["place"].startswith("account:") else f": {line['where']}") for line in given
        ],
    }


@get(PATH + "/new")
async def new_person_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Whom to invite, and what she may do."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.PEOPLE_MANAGE)
    language = supported_language(visitor.customer.locale.partition("-")[0].lower())
    return await _render_form(
        request, visitor, _BLANK | {"place": f"account:{visitor.customer.id}", "language": language}
    )


async def _render_form(
    request: Request[Any, Any, Any], visitor: Visitor, typed: dict[str, Any], faults: dict[str, str] | None = None
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        roles, groups, where = (
            await list_all_roles(tx, visitor),
            await list_all_groups(tx, visitor),
            await load_grant_targets(tx, visitor),
        )
    return render_page(
        request,
        "users/person_new.html",
        422 if faults else 200,
        place="People",
        typed=typed,
        faults=fault_texts(faults),
        roles=roles,
        groups=groups,
        places=where.groups,
        languages=LANGUAGES,
        **visitor.template_frame,
    )


@post(PATH + "/new", status_code=303)
async def invite_person(request: Request[Any, Any, Any]) -> Response[Any]:
    """Invite her, and go to her page."""
    visitor, sent = await require_visitor(request), await request.form()
    typed: dict[str, Any] = {name: read_text(sent, name) for name in _BLANK}
    typed["groups"] = [str(one) for one in sent.getall("groups", [])][:200]
    grants = [read_grant(sent)] if typed["role"] else []
    new = NewUser(
        typed["email"],
        typed["name"][:200],
        supported_language(typed["language"]),
        group_ids=typed["groups"],
        grants=grants,
    )
    try:
        async with get_app_context(request).db.writing() as tx:
            made = await management.invite(tx, visitor.actor, new)
            await emails.update_invitation(tx, account_mailer(request), None, made)
    except EmailTaken as error:
        return await _render_form(request, visitor, typed, {"email": str(error)})
    except (Invalid, Conflict) as error:
        return await _render_form(request, visitor, typed, faults_by_field(error))
    return Redirect(f"{PATH}/{made.id}?done=invited", status_code=303)


HANDLERS = [
    people_page,
    new_person_page,
    invite_person,
]
