"""People: who belongs to the account, and inviting one more."""

from typing import Any
from urllib.parse import urlencode

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import Window
from formwright.domain.users import management
from formwright.domain.users.auth import emails
from formwright.domain.users.models import EmailTaken, NewUser, Role, UserDetails, UserFilter, UserStatus
from formwright.web.session import Visitor, get_app_context, office_of, visitor
from formwright.web.templating import page
from formwright.web.views.autocomplete import every_group
from formwright.web.views.form_input import faults_of, noted, text
from formwright.web.views.list_urls import place_of, written
from formwright.web.views.users.labels import LANGUAGES, Places, every_role, grant_of, language_of, lines, places

HERE = "/people"
_ROWS = 50
_NEW = {"email": "", "name": "", "language": "en", "role": "", "place": "", "groups": ()}


@get(HERE)
async def people_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The people of the account, the first to come at the front; found by name, status or group."""
    who, asked = await visitor(request), request.query_params
    search, status, group = (text(asked, name, 100) for name in ("q", "status", "group"))
    statuses = [UserStatus(status)] if status in set(UserStatus) else []
    wanted = UserFilter(statuses, [group] if group else [], text=search or None)
    after = place_of(asked.get("after", ""))
    async with get_app_context(request).db.reading() as tx:
        found = await management.page(tx, who.actor, wanted, Window(_ROWS, after))
        known = {one.id: one for one in await every_group(tx, who)}
        named, where = {one.id: one for one in await every_role(tx, who)}, await places(tx, who)
    keep = {name: value for name, value in (("q", search), ("status", status), ("group", group)) if value}
    following = keep | {"after": written(found.next)} if found.next else None
    return page(
        request,
        "users/overview.html",
        place="People",
        people=[_shown(one, named, where) | {"groups": [known[g].name for g in one.group_ids]} for one in found.items],
        asked={"q": search, "status": status, "group": group},
        filtered=bool(keep),
        groups=[(one.id, one.name) for one in known.values()],
        statuses=[(one.value, one.value.capitalize()) for one in UserStatus],
        next_url=f"{HERE}?{urlencode(following)}" if following else "",
        first_url=f"{HERE}?{urlencode(keep)}" if after else "",
        may_manage=Permission.PEOPLE_MANAGE in who.actor.permissions,
        **who.frame,
    )


def _shown(one: UserDetails, named: dict[str, Role], where: Places) -> dict[str, Any]:
    given = lines(one.grants, named, where)
    return {
        "url": f"{HERE}/{one.id}",
        "name": one.name,
        "email": one.user.email,
        "status": one.user.status,
        "roles": [
            line["role"] + ("" if line["place"].startswith("account:") else f": {line['where']}") for line in given
        ],
    }


@get(HERE + "/new")
async def new_person_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Whom to invite, and what she may do."""
    who = await visitor(request)
    allow(who.actor, Permission.PEOPLE_MANAGE)
    language = language_of(who.customer.locale.partition("-")[0].lower())
    return await _new_page(request, who, _NEW | {"place": f"account:{who.customer.id}", "language": language})


async def _new_page(
    request: Request[Any, Any, Any], who: Visitor, typed: dict[str, Any], faults: dict[str, str] | None = None
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        roles, groups, where = await every_role(tx, who), await every_group(tx, who), await places(tx, who)
    return page(
        request,
        "users/person_new.html",
        422 if faults else 200,
        place="People",
        typed=typed,
        faults=noted(faults),
        roles=roles,
        groups=groups,
        places=where.groups,
        languages=LANGUAGES,
        **who.frame,
    )


@post(HERE + "/new", status_code=303)
async def invite_person(request: Request[Any, Any, Any]) -> Response[Any]:
    """Invite her, and go to her page."""
    who, sent = await visitor(request), await request.form()
    typed: dict[str, Any] = {name: text(sent, name) for name in _NEW}
    typed["groups"] = [str(one) for one in sent.getall("groups", [])][:200]
    grants = [grant_of(sent)] if typed["role"] else []
    new = NewUser(
        typed["email"], typed["name"][:200], language_of(typed["language"]), group_ids=typed["groups"], grants=grants
    )
    try:
        async with get_app_context(request).db.writing() as tx:
            made = await management.invite(tx, who.actor, new)
            await emails.update_invitation(tx, office_of(request), None, made)
    except EmailTaken as error:
        return await _new_page(request, who, typed, {"email": str(error)})
    except (Invalid, Conflict) as error:
        return await _new_page(request, who, typed, faults_of(error))
    return Redirect(f"{HERE}/{made.id}?done=invited", status_code=303)


HANDLERS = [
    people_page,
    new_person_page,
    invite_person,
]
