"""Search results of pickers: forms, people and groups. `static/picker.js` requests them while somebody types."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from formwright.core.auth.actor import Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import fold_case
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.forms import service as forms
from formwright.domain.users import groups, management
from formwright.domain.users import service as people
from formwright.domain.users.models import Group, User, UserFilter, UserStatus
from formwright.web.http import JsonResponse, Response
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.views.form_input import read_text

MAX_PLAIN_OPTIONS = 10
"""With more options than this, a list gets a search field."""
MAX_CHOICES = 20
_ASSIGNABLE_STATUSES = (UserStatus.ACTIVE, UserStatus.INVITED)
Choice = tuple[str, str, str]
"""The ID, the name, and a detail that distinguishes options with the same name."""


async def choices_response(page: Page, permission: Permission) -> Response:
    """Return up to 20 options of the `kind` whose name contains `q`, and whether there are more."""
    query = page.query
    allow(page.actor, permission)
    search = read_text(query, "q", 200).strip()
    match query.get("kind", ""):
        case "forms":
            found = await _find_forms(page.tx, page.visitor, permission, search)
        case "people":
            found = await _find_people(page.tx, page.visitor, search)
        case "groups":
            found = await _find_groups(page.tx, page.visitor, search)
        case _:
            found = []
    return list_choices(found)


def list_choices(found: Sequence[Choice]) -> Response:
    """Return the first 20 options, and whether there are more."""
    items = [{"id": id_, "name": name, "about": about} for id_, name, about in found[:MAX_CHOICES]]
    return JsonResponse({"items": items, "more": len(found) > MAX_CHOICES})


async def _find_forms(tx: ReadTransaction, visitor: Visitor, permission: Permission, search: str) -> list[Choice]:
    return [(form.id, form.name, "") for form in await forms.list_open(tx, allow(visitor.actor, permission), search)]


async def _find_people(tx: ReadTransaction, visitor: Visitor, search: str) -> list[Choice]:
    if Permission.PEOPLE_READ not in visitor.actor.permissions:
        return [(visitor.user.id, visitor.user.name, visitor.user.email)]
    return await find_assignable_people(tx, visitor, search, MAX_CHOICES + 1)


async def find_assignable_people(tx: ReadTransaction, visitor: Visitor, search: str, limit: int) -> list[Choice]:
    """Return the first people whose name contains the text and who are not disabled."""
    filter_ = UserFilter(statuses=_ASSIGNABLE_STATUSES, text=search or None)
    people = (await management.page(tx, visitor.actor, filter_, Window(limit))).items
    return [(person.user.id, person.user.name, person.user.email) for person in people]


async def _find_groups(tx: ReadTransaction, visitor: Visitor, search: str) -> list[Choice]:
    groups = await list_visible_groups(tx, visitor)
    return [(group.id, group.name, "") for group in groups if fold_case(search) in fold_case(group.name)]


async def list_all_groups(tx: ReadTransaction, visitor: Visitor, user_id: str | None = None) -> list[Group]:
    """Return all groups of the account sorted by name, or only those of a person."""
    all_groups: list[Group] = []
    position: Position | None = None
    while True:
        page = await groups.page(tx, visitor.actor, Window(MAX_LIMIT, position), user_id=user_id)
        all_groups += page.items
        if (position := page.next) is None:
            return sorted(all_groups, key=lambda group: group.name.casefold())


async def list_visible_groups(tx: ReadTransaction, visitor: Visitor) -> list[Group]:
    """Return all groups of the account sorted by name; none if the visitor may not see people."""
    return await list_all_groups(tx, visitor) if Permission.PEOPLE_READ in visitor.actor.permissions else []


async def list_visible_people(tx: ReadTransaction, visitor: Visitor, chosen_ids: Iterable[str] = ()) -> list[User]:
    """Return the first thousand people and the chosen ones; only the visitor if they may not see other people."""
    if Permission.PEOPLE_READ not in visitor.actor.permissions:
        return [visitor.user]
    users = list((await people.page(tx, visitor.actor, Window(MAX_LIMIT))).items)
    missing_ids = set(chosen_ids) - {user.id for user in users}
    return users + list((await people.find_many(tx, visitor.actor, missing_ids)).values())


def names_by_id(users: Iterable[User]) -> dict[str, str]:
    """Return the names by user ID."""
    return {user.id: user.name for user in users}


def assignable_names(users: Iterable[User], chosen_ids: Collection[str]) -> dict[str, str]:
    """Return the names by user ID without disabled people. If one is chosen, they are included and marked."""
    return {
        user.id: f"{user.name} (disabled)" if user.status is UserStatus.DISABLED else user.name
        for user in users
        if user.status is not UserStatus.DISABLED or user.id in chosen_ids
    }


async def list_fillable_forms(tx: ReadTransaction, scope: Scope, chosen_id: str) -> list[tuple[str, str]]:
    """Return ID and name of the newest thousand open forms and the chosen one, sorted by name."""
    names = {form.id: form.name for form in await forms.list_open(tx, scope)}
    form = await forms.find(tx, scope, chosen_id) if chosen_id and chosen_id not in names else None
    return sorted((names | ({form.id: form.name} if form else {})).items(), key=lambda option: option[1].casefold())


def search_urls(base_path: str, **options: Collection[Any]) -> dict[str, str]:
    """By kind of picker, the URL that searches for more than its options; empty if a plain list is enough."""
    return {
        kind: f"{base_path}/choices?kind={kind}" if len(found) > MAX_PLAIN_OPTIONS else ""
        for kind, found in options.items()
    }
