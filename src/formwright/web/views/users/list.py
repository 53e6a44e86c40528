"""People: the list of the account's users, and inviting one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.domain.identity_providers import identities
from formwright.domain.identity_providers.models import IdentityProvider
from formwright.domain.provisioning import users as provisioning
from formwright.domain.users import management
from formwright.domain.users.auth import emails
from formwright.domain.users.models import EmailTaken, Group, NewUser, Role, UserDetails, UserFilter, UserStatus
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor, account_mailer
from formwright.web.views.autocomplete import list_all_groups
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.list_pages import FilterField, ListPage, label_options, read_list_request, search_field
from formwright.web.views.users.labels import (
    LANGUAGES,
    GrantTargets,
    ScopeOptions,
    grant_rows,
    list_all_roles,
    load_grant_targets,
    read_grant,
    supported_language,
)

PATH = "/people"
_EMPTY_INPUT = {"email": "", "name": "", "language": "en", "role": "", "place": "", "groups": ()}


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person in the list."""

    url: str
    name: str
    email: str
    status: UserStatus
    roles: Sequence[str]
    groups: Sequence[str]
    access: str
    """How they came and sign in, unless that is with a password only."""


@dataclass(frozen=True, slots=True)
class PersonListPage:
    """The view model of the list."""

    people: ListPage[PersonRow]
    may_manage: bool


@get(PATH)
async def people_page(page: Page) -> Response:
    """The account's users, oldest first, filtered by name or email, status and group."""
    request = read_list_request(page, PATH, "q", "status", "group")
    values = request.values
    filter_ = UserFilter(
        statuses=[UserStatus(values["status"])] if values["status"] in set(UserStatus) else [],
        group_ids=[values["group"]] if values["group"] else [],
        text=values["q"] or None,
    )
    found = await management.page(page.tx, page.actor, filter_, request.window)
    group_names = {group.id: group.name for group in await list_all_groups(page.tx, page.visitor)}
    roles_by_id = {role.id: role for role in await list_all_roles(page.tx, page.visitor)}
    targets = await load_grant_targets(page.tx, page.visitor)
    access = await _describe_access(
        page.tx, page.visitor, [person.id for person in found.items], page.ctx.installation_provider
    )
    rows = [_person_row(person, roles_by_id, targets, group_names, access[person.id]) for person in found.items]
    view_model = PersonListPage(
        people=request.build(
            rows,
            found.next,
            search_field("Name or email"),
            FilterField("status", "Status", label_options(UserStatus), "Any status"),
            *([FilterField("group", "Group", [*group_names.items()], "Any group")] if group_names else []),
        ),
        may_manage=Permission.PEOPLE_MANAGE in page.actor.permissions,
    )
    return page.render("users/list.html", view_model, section="People")


async def _describe_access(
    tx: ReadTransaction, visitor: Visitor, user_ids: Sequence[str], installation: IdentityProvider | None
) -> Mapping[str, str]:
    """Return how each person came and signs in; "" for those who only have a password, or are invited to set one."""
    linked = await identities.list_provider_names(tx, visitor.actor, user_ids, installation)
    provisioned = await provisioning.list_provisioned(tx, visitor.actor, user_ids)
    with_password = await management.list_with_password(tx, visitor.actor, user_ids)

    def describe(user_id: str) -> str:
        ways = linked.get(user_id, [])
        if user_id in provisioned:
            ways = [*ways, "provisioned"]
        return " · ".join(["password", *ways] if ways and user_id in with_password else ways)

    return {user_id: describe(user_id) for user_id in user_ids}


def _person_row(
    person: UserDetails,
    roles_by_id: Mapping[str, Role],
    targets: GrantTargets,
    group_names: Mapping[str, str],
    access: str,
) -> PersonRow:
    return PersonRow(
        url=f"{PATH}/{person.id}",
        name=person.name,
        email=person.user.email,
        status=person.user.status,
        roles=[
            grant.role if grant.is_for_account else f"{grant.role}: {grant.target}"
            for grant in grant_rows(person.grants, roles_by_id, targets)
        ],
        groups=[group_names[group_id] for group_id in person.group_ids],
        access=access[:1].upper() + access[1:],
    )


@dataclass(frozen=True, slots=True)
class NewPersonPage:
    """The view model of the page that invites a person, with the rejected input and its errors."""

    entered: Mapping[str, Any]
    faults: Mapping[str, str]
    roles: Sequence[Role]
    groups: Sequence[Group]
    scopes: ScopeOptions
    languages: Mapping[str, str]


@get(PATH + "/new")
async def new_person_page(page: Page) -> Response:
    """The page that invites a person, by default in the language of the account."""
    allow(page.actor, Permission.PEOPLE_MANAGE)
    language = supported_language(page.visitor.customer.locale.partition("-")[0].lower())
    entered = _EMPTY_INPUT | {"place": f"account:{page.visitor.customer.id}", "language": language}
    return await _render_form(page, entered)


async def _render_form(page: Page, entered: Mapping[str, Any], faults: Mapping[str, str] | None = None) -> Response:
    view_model = NewPersonPage(
        entered=entered,
        faults=fault_texts(faults),
        roles=await list_all_roles(page.tx, page.visitor),
        groups=await list_all_groups(page.tx, page.visitor),
        scopes=(await load_grant_targets(page.tx, page.visitor)).options,
        languages=LANGUAGES,
    )
    status = 422 if faults else 200
    return page.render("users/new.html", view_model, section="People", status=status)


@post(PATH + "/new")
async def invite_person(page: Page) -> Response:
    """Invite a person, and open their page."""
    sent = await page.form()
    entered: dict[str, Any] = {name: read_text(sent, name) for name in _EMPTY_INPUT}
    entered["groups"] = [str(group_id) for group_id in sent.getall("groups", [])][:200]
    new = NewUser(
        entered["email"],
        entered["name"][:200],
        supported_language(entered["language"]),
        group_ids=entered["groups"],
        grants=[read_grant(sent)] if entered["role"] else [],
    )
    try:
        async with page.writing() as tx:
            created = await management.invite(tx, page.actor, new)
            await emails.update_invitation(tx, account_mailer(page), None, created)
    except EmailTaken as error:
        return await _render_form(page, entered, {"email": str(error)})
    except (Invalid, Conflict) as error:
        return await _render_form(page, entered, faults_by_field(error))
    return Redirect(f"{PATH}/{created.id}?done=invited")
