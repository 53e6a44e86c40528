"""A person: their profile, their groups, their access and why they have it, and disabling them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Denied, Invalid
from formwright.domain.mail import service as mail
from formwright.domain.users import management
from formwright.domain.users.auth import emails, two_factor
from formwright.domain.users.explain_access import AccessReason, list_reasons
from formwright.domain.users.models import (
    EmailTaken,
    Group,
    Role,
    User,
    UserDetails,
    UserEdit,
    UserStatus,
)
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor, account_mailer
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.autocomplete import list_all_groups
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.permission_labels import PERMISSION_LABELS
from formwright.web.views.settings.mail import MailStatusView, mail_status
from formwright.web.views.users.labels import (
    LANGUAGES,
    GrantRow,
    GrantTargets,
    ScopeOptions,
    grant_rows,
    list_all_roles,
    load_grant_targets,
    read_grant,
)

PATH = "/people/{user_id:str}"
_NOTICES = {
    "invited": "Invitation created. It contains a link to set a password.",
    "saved": "Saved.",
    "role-added": "Role added.",
    "role-removed": "Role removed.",
    "disabled": "Disabled and signed out everywhere.",
    "enabled": "Enabled.",
    "sent": "New invitation created. The previous link no longer works.",
    "factor": "Two-factor authentication is off.",
}


@dataclass(frozen=True, slots=True)
class ProfileInput:
    """The values of the profile form. `offered_groups` are the groups that were ticked when the page was rendered."""

    name: str
    email: str
    language: str
    groups: Sequence[str]
    offered_groups: Sequence[str]


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """A grant that gives a permission, with the group from which the person has it, if any."""

    role: str
    role_id: str
    target: str
    group: str
    group_id: str


@dataclass(frozen=True, slots=True)
class AccessCheck:
    """Whether a person has a permission, and why. Invited and disabled people have grants but no access."""

    permission: str
    scope: str
    reasons: Sequence[ReasonRow]
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class PersonPage:
    """The view model of a person."""

    person: User
    joined: DisplayTime
    entered: ProfileInput
    faults: Mapping[str, str]
    notice: str
    languages: Mapping[str, str]
    groups: Sequence[Group]
    roles: Sequence[Role]
    scopes: ScopeOptions
    grants: Sequence[GrantRow]
    group_grants: Sequence[tuple[Group, Sequence[GrantRow]]]
    permissions: Mapping[str, Mapping[Permission, str]]
    access_check: AccessCheck | None
    invitation: MailStatusView | None
    has_two_factor: bool
    is_self: bool
    is_two_factor_dialog_open: bool
    is_disable_dialog_open: bool
    may_manage: bool


@get(PATH)
async def person_page(page: Page, user_id: str) -> Response:
    """A person of the account; `?permission=` and `?place=` explain why they have a permission for something."""
    return await _render(page, user_id)


async def _render(
    page: Page, user_id: str, entered: ProfileInput | None = None, faults: Mapping[str, str] | None = None
) -> Response:
    query = page.query
    details = await management.get(page.tx, page.actor, user_id=user_id)
    person = details.user
    roles = await list_all_roles(page.tx, page.visitor)
    groups = await list_all_groups(page.tx, page.visitor)
    targets = await load_grant_targets(page.tx, page.visitor)
    has_two_factor = await two_factor.is_enabled(page.tx, person.customer_id, person.id)
    invitation = await mail.find_latest(page.tx, person.customer_id, purpose=emails.INVITATION, subject_id=person.id)
    permission, scope = read_text(query, "permission"), read_text(query, "place")
    access_check = await _check_access(page.tx, page.visitor, details, targets, permission, scope)
    roles_by_id = {role.id: role for role in roles}
    view_model = PersonPage(
        person=person,
        joined=format_time(person.created, page.visitor.customer.time_zone),
        entered=entered or _current_values(details),
        faults=fault_texts(faults),
        notice=_NOTICES.get(query.get("done", ""), ""),
        languages=LANGUAGES | {person.language: LANGUAGES.get(person.language, person.language)},
        groups=groups,
        roles=roles,
        scopes=targets.options,
        grants=grant_rows(details.grants, roles_by_id, targets),
        group_grants=[
            (group, grant_rows(group.grants, roles_by_id, targets)) for group in groups if group.id in details.group_ids
        ],
        permissions=PERMISSION_LABELS,
        access_check=access_check,
        invitation=mail_status(page.visitor, invitation) if invitation else None,
        has_two_factor=has_two_factor,
        is_self=person.id == page.visitor.user.id,
        is_two_factor_dialog_open=query.get("factor") == "1",
        is_disable_dialog_open=query.get("disable") == "1",
        may_manage=Permission.PEOPLE_MANAGE in page.actor.permissions,
    )
    status = 422 if faults else 200
    return page.render("users/detail.html", view_model, section="People", status=status)


def _current_values(details: UserDetails) -> ProfileInput:
    user = details.user
    return ProfileInput(user.name, user.email, user.language, details.group_ids, offered_groups=details.group_ids)


async def _check_access(
    tx: ReadTransaction, visitor: Visitor, details: UserDetails, targets: GrantTargets, permission: str, scope: str
) -> AccessCheck | None:
    """Explain why a person has a permission, or that they don't; None for an unknown permission."""
    if permission not in set(Permission):
        return None
    kind, _, id_ = scope.partition(":")
    person, reasons = await list_reasons(
        tx,
        visitor.actor,
        user_id=details.id,
        form_id=id_ if kind == "form" else None,
        folder_id=id_ if kind == "folder" else None,
    )
    rows = [_reason_row(reason, targets) for reason in reasons if Permission(permission) in reason.permissions]
    is_active = person.user.status is UserStatus.ACTIVE
    return AccessCheck(permission, scope, rows, is_allowed=bool(rows) and is_active)


def _reason_row(reason: AccessReason, targets: GrantTargets) -> ReasonRow:
    return ReasonRow(
        role=reason.role.name,
        role_id=reason.role.id,
        target=targets.name(reason.grant),
        group=reason.group.name if reason.group else "",
        group_id=reason.group.id if reason.group else "",
    )


@post(PATH)
async def change_person(page: Page, user_id: str) -> Response:
    """Change the name, email address, language and groups of a person."""
    sent = await page.form()
    entered = ProfileInput(
        name=read_text(sent, "name"),
        email=read_text(sent, "email"),
        language=read_text(sent, "language"),
        groups=[str(group_id) for group_id in sent.getall("groups", [])][:200],
        offered_groups=[str(group_id) for group_id in sent.getall("offered", [])][:200],
    )
    change = UserEdit(
        email=entered.email, name=entered.name[:200], language=entered.language[:35], group_ids=entered.groups
    )
    return await _change_person(page, user_id, change, "saved", entered)


def _merge_groups(change: UserEdit, before: UserDetails, offered_ids: Sequence[str]) -> UserEdit:
    """Apply only the groups that the visitor ticked or unticked. Others may have changed since the page was opened."""
    ticked = set(change.group_ids or ())
    left = set(before.group_ids) - (set(offered_ids) - ticked)
    return replace(change, group_ids=sorted(left | (ticked - set(offered_ids))))


@post(PATH + "/grants")
async def change_grants(page: Page, user_id: str) -> Response:
    """Add or remove a role of a person."""
    sent = await page.form()
    grant = read_grant(sent)
    if sent.get("act") == "remove":
        return await _change_person(page, user_id, UserEdit(remove_grants=[grant]), "role-removed")
    return await _change_person(page, user_id, UserEdit(add_grants=[grant]), "role-added")


@post(PATH + "/status")
async def change_status(page: Page, user_id: str) -> Response:
    """Disable a person, which signs them out, or enable them again."""
    if (await page.form()).get("status") == UserStatus.ACTIVE:
        return await _change_person(page, user_id, UserEdit(status=UserStatus.ACTIVE), "enabled")
    return await _change_person(page, user_id, UserEdit(status=UserStatus.DISABLED), "disabled")


async def _change_person(
    page: Page, user_id: str, change: UserEdit, done: str, entered: ProfileInput | None = None
) -> Response:
    try:
        async with page.changing() as tx:
            before = await management.get(tx, page.actor, user_id=user_id)
            if entered and entered.offered_groups:
                change = _merge_groups(change, before, entered.offered_groups)
            mailer = account_mailer(page)
            after = await management.edit(tx, page.actor, change, user_id=user_id, secret_box=mailer.secret_box)
            await emails.update_invitation(tx, mailer, before, after)
    except EmailTaken as error:
        return await _render(page, user_id, entered, {"email": str(error)})
    except (Invalid, Conflict) as error:
        return await _render(page, user_id, entered, faults_by_field(error))
    except Denied as error:
        # People without this permission get the error page. Others see the reason beside what they entered.
        if Permission.PEOPLE_MANAGE not in page.actor.permissions:
            raise
        return await _render(page, user_id, entered, {"": str(error)})
    return Redirect(f"/people/{user_id}?done={done}")
