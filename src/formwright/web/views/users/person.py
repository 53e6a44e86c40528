"""One person: what she is called, her groups, what she may do and why, and whether she can sign in."""

from dataclasses import replace
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Denied, Invalid
from formwright.core.ids import is_id
from formwright.domain.mail import service as mail
from formwright.domain.users import management
from formwright.domain.users.auth import emails, two_factor
from formwright.domain.users.explain_access import AccessReason, list_reasons
from formwright.domain.users.models import EmailTaken, UserDetails, UserEdit, UserNotFound, UserStatus
from formwright.web.session import Visitor, account_mailer, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.autocomplete import list_all_groups
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.settings.mail import mail_status
from formwright.web.views.users.labels import (
    LANGUAGES,
    PERMISSION_LABELS,
    GrantTargets,
    grant_rows,
    list_all_roles,
    load_grant_targets,
    read_grant,
)

PATH = "/people/{user_id:str}"
_NOTICES = {
    "invited": "Invitation sent. It contains a link to set a password.",
    "saved": "Saved.",
    "given": "Role added.",
    "taken": "Role removed.",
    "disabled": "Disabled and signed out everywhere.",
    "enabled": "Enabled.",
    "sent": "Invitation resent. The previous link no longer works.",
    "factor": "Two-factor authentication is off.",
}


@get(PATH)
async def person_page(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Response[str]:
    """A person of the account; `?permission=` asks why she may do something."""
    return await _render(request, await require_visitor(request), user_id)


async def _render(request: Request[Any, Any, Any], visitor: Visitor, user_id: str, **given: Any) -> Response[str]:
    asked = request.query_params
    async with get_app_context(request).db.reading() as tx:
        one = await management.get(tx, visitor.actor, user_id=_check_user_id(user_id))
        roles, groups, where = (
            await list_all_roles(tx, visitor),
            await list_all_groups(tx, visitor),
            await load_grant_targets(tx, visitor),
        )
        factor = await two_factor.is_enabled(tx, one.user.customer_id, one.id)
        invitation = await mail.find_latest(tx, one.user.customer_id, purpose=emails.INVITATION, subject_id=one.id)
        why = await _explain_permission(
            tx, visitor, one, where, read_text(asked, "permission"), read_text(asked, "place")
        )
    named = {role.id: role for role in roles}
    context: dict[str, Any] = {
        "faults": {},
        "typed": _current_values(one),
        "disable": asked.get("disable") == "1",
    } | given
    return render_page(
        request,
        "users/person.html",
        422 if context["faults"] else 200,
        place="People",
        one=one.user,
        joined=format_time(one.user.created, visitor.customer.time_zone),
        groups=groups,
        grants=grant_rows(one.grants, named, where),
        through=[(group, grant_rows(group.grants, named, where)) for group in groups if group.id in one.group_ids],
        roles=roles,
        places=where.groups,
        languages=LANGUAGES | {one.user.language: LANGUAGES.get(one.user.language, one.user.language)},
        permissions=PERMISSION_LABELS,
        why=why,
        done=_NOTICES.get(asked.get("done", ""), ""),
        herself=one.id == visitor.user.id,
        factor=factor,
        ask_factor=asked.get("factor") == "1",
        invitation=mail_status(get_app_context(request), visitor, invitation) if invitation else None,
        may_manage=Permission.PEOPLE_MANAGE in visitor.actor.permissions,
        **context | {"faults": fault_texts(context["faults"])},
        **visitor.template_frame,
    )


def _current_values(person: UserDetails) -> dict[str, Any]:
    user = person.user
    return {
        "email": user.email,
        "name": user.name,
        "language": user.language,
        "groups": person.group_ids,
        "shown": person.group_ids,
    }


def _check_user_id(user_id: str) -> str:
    if not is_id(user_id, "usr"):
        raise UserNotFound()
    return user_id


async def _explain_permission(
    tx: ReadTransaction, visitor: Visitor, one: UserDetails, targets: GrantTargets, permission: str, value: str
) -> dict[str, Any] | None:
    """The answer to what was asked; None where nothing was."""
    if permission not in set(Permission):
        return None
    kind, _, id_ = value.partition(":")
    person, found = await list_reasons(
        tx,
        visitor.actor,
        user_id=one.id,
        form_id=id_ if kind == "form" else None,
        folder_id=id_ if kind == "folder" else None,
    )
    because = [_reason_row(reason, targets) for reason in found if Permission(permission) in reason.permissions]
    active = person.user.status is UserStatus.ACTIVE
    return {"permission": permission, "place": value, "because": because, "may": bool(because) and active}


def _reason_row(reason: AccessReason, targets: GrantTargets) -> dict[str, str]:
    return {
        "role": reason.role.name,
        "role_id": reason.role.id,
        "where": targets.name(reason.grant),
        "group": reason.group.name if reason.group else "",
        "group_id": reason.group.id if reason.group else "",
    }


@post(PATH, status_code=303)
async def change_person(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Response[Any]:
    """Change what she is called, her address, her language and her groups."""
    sent = await request.form()
    typed: dict[str, Any] = {name: read_text(sent, name) for name in ("email", "name", "language")}
    typed |= {name: [str(one) for one in sent.getall(name, [])][:200] for name in ("groups", "shown")}
    what = UserEdit(
        email=typed["email"], name=typed["name"][:200], language=typed["language"][:35], group_ids=typed["groups"]
    )
    return await _change_person(request, user_id, what, "saved", typed=typed)


def _merge_groups(change: UserEdit, before: UserDetails, offered_ids: list[str]) -> UserEdit:
    """The groups that were ticked or not as the page showed them, and of all others what is so by now."""
    ticked = set(change.group_ids or ())
    left = set(before.group_ids) - (set(offered_ids) - ticked)
    return replace(change, group_ids=sorted(left | (ticked - set(offered_ids))))


@post(PATH + "/grants", status_code=303)
async def change_grants(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Response[Any]:
    """Give her a role for something, or take it away."""
    sent = await request.form()
    grant = read_grant(sent)
    if sent.get("act") == "take":
        return await _change_person(request, user_id, UserEdit(remove_grants=[grant]), "taken")
    return await _change_person(request, user_id, UserEdit(add_grants=[grant]), "given")


@post(PATH + "/status", status_code=303)
async def change_status(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Response[Any]:
    """Shut her out, or let her come back."""
    enable = (await request.form()).get("status") == UserStatus.ACTIVE
    what = UserEdit(status=UserStatus.ACTIVE if enable else UserStatus.DISABLED)
    return await _change_person(request, user_id, what, "enabled" if enable else "disabled")


async def _change_person(
    request: Request[Any, Any, Any], user_id: str, change: UserEdit, done: str, **typed: Any
) -> Response[Any]:
    visitor = await require_visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            was = await management.get(tx, visitor.actor, user_id=_check_user_id(user_id))
            if shown := typed.get("typed", {}).get("shown"):
                change = _merge_groups(change, was, shown)
            person = await management.edit(tx, visitor.actor, change, user_id=user_id)
            await emails.update_invitation(tx, account_mailer(request), was, person)
    except EmailTaken as error:
        return await _render(request, visitor, user_id, faults={"email": str(error)}, **typed)
    except (Invalid, Conflict) as error:
        return await _render(request, visitor, user_id, faults=faults_by_field(error), **typed)
    except Denied as error:
        if Permission.PEOPLE_MANAGE not in visitor.actor.permissions:
            raise
        return await _render(request, visitor, user_id, faults={"": str(error)}, **typed)
    return Redirect(f"/people/{user_id}?done={done}", status_code=303)


HANDLERS = [person_page, change_person, change_grants, change_status]
