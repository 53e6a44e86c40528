"""What a picker offers as one types: forms, people, groups; `static/picker.js` asks for it."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec
from litestar import Request
from litestar.response import Response

from formwright.core.auth.actor import Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import fold_case
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.forms import service as forms
from formwright.domain.users import groups, management
from formwright.domain.users import service as people
from formwright.domain.users.models import Group, User, UserFilter, UserStatus
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.views.form_input import read_text

MAX_PLAIN_OPTIONS = 10
"""So many are chosen from a plain list, by whomever; of more one also searches."""
_MAX_CHOICES = 20
_ASSIGNABLE_STATUSES = (UserStatus.ACTIVE, UserStatus.INVITED)
Choice = tuple[str, str, str]
"""The id, the name, and what tells two of one name apart."""


async def choices_response(request: Request[Any, Any, Any], permission: Permission) -> Response[bytes]:
    """Up to 20 of the `kind` whose name holds `q`, for who may do what it is for, and whether there are more."""
    visitor, query = await require_visitor(request), request.query_params
    allow(visitor.actor, permission)
    search = read_text(query, "q", 200).strip()
    async with get_app_context(request).db.reading() as tx:
        match query.get("kind", ""):
            case "forms":
                found = await _find_forms(tx, visitor, permission, search)
            case "people":
                found = await _find_people(tx, visitor, search)
            case "groups":
                found = await _find_groups(tx, visitor, search)
            case _:
                found = []
    items = [{"id": id_, "name": name, "about": about} for id_, name, about in found[:_MAX_CHOICES]]
    body = msgspec.json.encode({"items": items, "more": len(found) > _MAX_CHOICES})
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


async def _find_forms(tx: ReadTransaction, visitor: Visitor, permission: Permission, search: str) -> list[Choice]:
    return [(form.id, form.name, "") for form in await forms.list_open(tx, allow(visitor.actor, permission), search)]


async def _find_people(tx: ReadTransaction, visitor: Visitor, search: str) -> list[Choice]:
    if Permission.PEOPLE_READ not in visitor.actor.permissions:
        return [(visitor.user.id, visitor.user.name, visitor.user.email)]
    filter_ = UserFilter(statuses=_ASSIGNABLE_STATUSES, text=search or None)
    people = (await management.page(tx, visitor.actor, filter_, Window(_MAX_CHOICES + 1))).items
    return [(person.user.id, person.user.name, person.user.email) for person in people]


async def _find_groups(tx: ReadTransaction, visitor: Visitor, search: str) -> list[Choice]:
    groups = await list_visible_groups(tx, visitor)
    return [(group.id, group.name, "") for group in groups if fold_case(search) in fold_case(group.name)]


async def list_all_groups(tx: ReadTransaction, visitor: Visitor, user_id: str | None = None) -> list[Group]:
    """All groups of the account by name, or those in which a person is."""
    all_groups: list[Group] = []
    place: Position | None = None
    while True:
        page = await groups.page(tx, visitor.actor, Window(MAX_LIMIT, place), user_id=user_id)
        all_groups += page.items
        if (place := page.next) is None:
            return sorted(all_groups, key=lambda group: group.name.casefold())


async def list_visible_groups(tx: ReadTransaction, visitor: Visitor) -> list[Group]:
    """All groups of the account by name, none where she may know none."""
    return await list_all_groups(tx, visitor) if Permission.PEOPLE_READ in visitor.actor.permissions else []


async def list_visible_people(tx: ReadTransaction, visitor: Visitor, chosen_ids: Iterable[str] = ()) -> list[User]:
    """The first thousand people of the account, and those who are chosen; herself where she may know no other."""
    if Permission.PEOPLE_READ not in visitor.actor.permissions:
        return [visitor.user]
    users = list((await people.page(tx, visitor.actor, Window(MAX_LIMIT))).items)
    missing_ids = set(chosen_ids) - {user.id for user in users}
    return users + list((await people.find_many(tx, visitor.actor, missing_ids)).values())


def names_by_id(users: Iterable[User]) -> dict[str, str]:
    """Their names by id."""
    return {user.id: user.name for user in users}


def assignable_names(users: Iterable[User], chosen_ids: Collection[str]) -> dict[str, str]:
    """The same without those who are disabled; who is one of them and chosen all the same is said to be disabled."""
    return {
        user.id: f"{user.name} (disabled)" if user.status is UserStatus.DISABLED else user.name
        for user in users
        if user.status is not UserStatus.DISABLED or user.id in chosen_ids
    }


async def list_fillable_forms(tx: ReadTransaction, scope: Scope, chosen_id: str) -> list[tuple[str, str]]:
    """The newest thousand forms that can be filled now, by name, and the one that is chosen."""
    names = {form.id: form.name for form in await forms.list_open(tx, scope)}
    form = await forms.find(tx, scope, chosen_id) if chosen_id and chosen_id not in names else None
    return sorted((names | ({form.id: form.name} if form else {})).items(), key=lambda line: line[1].casefold())


def search_url_builder(base_path: str) -> Callable[[str, Mapping[str, str] | list[Any]], str]:
    """For a template: where a picker of this kind asks, empty where a plain list is enough."""
    return lambda kind, options: f"{base_path}/choices?kind={kind}" if len(options) > MAX_PLAIN_OPTIONS else ""
