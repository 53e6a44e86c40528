"""What a picker offers as one types: forms, people, groups; `static/pick.js` asks for it."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec
from litestar import Request
from litestar.response import Response

from formwright.core.auth.actor import Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import fold_case
from formwright.core.pagination import MAX_LIMIT, Place, Window
from formwright.domain.forms import service as forms
from formwright.domain.users import groups, management
from formwright.domain.users import service as people
from formwright.domain.users.models import Group, User, UserFilter, UserStatus
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.views.form_input import text

FEW = 10
"""So many are chosen from a plain list, by whomever; of more one also searches."""
_OFFERED = 20
_WORKING = (UserStatus.ACTIVE, UserStatus.INVITED)
Line = tuple[str, str, str]
"""The id, the name, and what tells two of one name apart."""


async def choices(request: Request[Any, Any, Any], permission: Permission) -> Response[bytes]:
    """Up to 20 of the `kind` whose name holds `q`, for who may do what it is for, and whether there are more."""
    who, asked = await visitor(request), request.query_params
    allow(who.actor, permission)
    typed = text(asked, "q", 200).strip()
    async with get_app_context(request).db.reading() as tx:
        match asked.get("kind", ""):
            case "forms":
                found = await _forms(tx, who, permission, typed)
            case "people":
                found = await _people(tx, who, typed)
            case "groups":
                found = await _groups(tx, who, typed)
            case _:
                found = []
    items = [{"id": id_, "name": name, "about": about} for id_, name, about in found[:_OFFERED]]
    body = msgspec.json.encode({"items": items, "more": len(found) > _OFFERED})
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


async def _forms(tx: ReadTransaction, who: Visitor, permission: Permission, typed: str) -> list[Line]:
    return [(form.id, form.name, "") for form in await forms.list_open(tx, allow(who.actor, permission), typed)]


async def _people(tx: ReadTransaction, who: Visitor, typed: str) -> list[Line]:
    if Permission.PEOPLE_READ not in who.actor.permissions:
        return [(who.user.id, who.user.name, who.user.email)]
    wanted = UserFilter(statuses=_WORKING, text=typed or None)
    found = (await management.page(tx, who.actor, wanted, Window(_OFFERED + 1))).items
    return [(one.user.id, one.user.name, one.user.email) for one in found]


async def _groups(tx: ReadTransaction, who: Visitor, typed: str) -> list[Line]:
    found = await groups_listed(tx, who)
    return [(one.id, one.name, "") for one in found if fold_case(typed) in fold_case(one.name)]


async def every_group(tx: ReadTransaction, who: Visitor, user_id: str | None = None) -> list[Group]:
    """All groups of the account by name, or those in which a person is."""
    found: list[Group] = []
    place: Place | None = None
    while True:
        page = await groups.page(tx, who.actor, Window(MAX_LIMIT, place), user_id=user_id)
        found += page.items
        if (place := page.next) is None:
            return sorted(found, key=lambda group: group.name.casefold())


async def groups_listed(tx: ReadTransaction, who: Visitor) -> list[Group]:
    """All groups of the account by name, none where she may know none."""
    return await every_group(tx, who) if Permission.PEOPLE_READ in who.actor.permissions else []


async def people_listed(tx: ReadTransaction, who: Visitor, chosen: Iterable[str] = ()) -> list[User]:
    """The first thousand people of the account, and those who are chosen; herself where she may know no other."""
    if Permission.PEOPLE_READ not in who.actor.permissions:
        return [who.user]
    listed = list((await people.page(tx, who.actor, Window(MAX_LIMIT))).items)
    missing = set(chosen) - {one.id for one in listed}
    return listed + list((await people.find_many(tx, who.actor, missing)).values())


def names_of(listed: Iterable[User]) -> dict[str, str]:
    """Their names by id."""
    return {one.id: one.name for one in listed}


def offered_of(listed: Iterable[User], chosen: Collection[str]) -> dict[str, str]:
    """The same without those who are disabled; who is one of them and chosen all the same is said to be disabled."""
    return {
        one.id: f"{one.name} (disabled)" if one.status is UserStatus.DISABLED else one.name
        for one in listed
        if one.status is not UserStatus.DISABLED or one.id in chosen
    }


async def forms_listed(tx: ReadTransaction, scope: Scope, chosen: str) -> list[tuple[str, str]]:
    """The newest thousand forms that can be filled now, by name, and the one that is chosen."""
    listed = {form.id: form.name for form in await forms.list_open(tx, scope)}
    form = await forms.find(tx, scope, chosen) if chosen and chosen not in listed else None
    return sorted((listed | ({form.id: form.name} if form else {})).items(), key=lambda line: line[1].casefold())


def searched(here: str) -> Callable[[str, Mapping[str, str] | list[Any]], str]:
    """For a template: where a picker of this kind asks, empty where a plain list is enough."""
    return lambda kind, listed: f"{here}/choices?kind={kind}" if len(listed) > FEW else ""
