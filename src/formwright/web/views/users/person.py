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
from formwright.web.session import Visitor, get_app_context, office_of, visitor
from formwright.web.templating import moment, page
from formwright.web.views.autocomplete import every_group
from formwright.web.views.form_input import faults_of, noted, text
from formwright.web.views.settings.mail import sent
from formwright.web.views.users.labels import LANGUAGES, WORDS, Places, every_role, grant_of, lines, places

HERE = "/people/{user_id:str}"
_DONE = {
    "invited": "Invited. A mail with a link to set a password is on its way.",
    "saved": "Saved.",
    "given": "Given.",
    "taken": "Taken away.",
    "disabled": "Disabled, and signed out everywhere.",
    "enabled": "Enabled again.",
    "sent": "The invitation is on its way once more. The link that was sent before does not work any more.",
    "factor": "The second factor is off. Signing in needs the password alone.",
}


@get(HERE)
async def person_page(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Response[str]:
    """A person of the account; `?permission=` asks why she may do something."""
    return await _page(request, await visitor(request), user_id)


async def _page(request: Request[Any, Any, Any], who: Visitor, user_id: str, **given: Any) -> Response[str]:
    asked = request.query_params
    async with get_app_context(request).db.reading() as tx:
        one = await management.get(tx, who.actor, user_id=_id(user_id))
        roles, groups, where = await every_role(tx, who), await every_group(tx, who), await places(tx, who)
        factor = await two_factor.is_enabled(tx, one.user.customer_id, one.id)
        invitation = await mail.latest(tx, one.user.customer_id, purpose=emails.INVITATION, subject_id=one.id)
        why = await _why(tx, who, one, where, text(asked, "permission"), text(asked, "place"))
    named = {role.id: role for role in roles}
    context: dict[str, Any] = {"faults": {}, "typed": _as_it_is(one), "disable": asked.get("disable") == "1"} | given
    return page(
        request,
        "users/person.html",
        422 if context["faults"] else 200,
        place="People",
        one=one.user,
        joined=moment(one.user.created, who.customer.time_zone),
        groups=groups,
        grants=lines(one.grants, named, where),
        through=[(group, lines(group.grants, named, where)) for group in groups if group.id in one.group_ids],
        roles=roles,
        places=where.groups,
        languages=LANGUAGES | {one.user.language: LANGUAGES.get(one.user.language, one.user.language)},
        permissions=WORDS,
        why=why,
        done=_DONE.get(asked.get("done", ""), ""),
        herself=one.id == who.user.id,
        factor=factor,
        ask_factor=asked.get("factor") == "1",
        invitation=sent(get_app_context(request), who, invitation) if invitation else None,
        may_manage=Permission.PEOPLE_MANAGE in who.actor.permissions,
        **context | {"faults": noted(context["faults"])},
        **who.frame,
    )


def _as_it_is(one: UserDetails) -> dict[str, Any]:
    user = one.user
    return {
        "email": user.email,
        "name": user.name,
        "language": user.language,
        "groups": one.group_ids,
        "shown": one.group_ids,
    }


def _id(user_id: str) -> str:
    if not is_id(user_id, "usr"):
        raise UserNotFound()
    return user_id


async def _why(
    tx: ReadTransaction, who: Visitor, one: UserDetails, where: Places, permission: str, value: str
) -> dict[str, Any] | None:
    """The answer to what was asked; None where nothing was."""
    if permission not in set(Permission):
        return None
    kind, _, id_ = value.partition(":")
    person, found = await list_reasons(
        tx,
        who.actor,
        user_id=one.id,
        form_id=id_ if kind == "form" else None,
        folder_id=id_ if kind == "folder" else None,
    )
    because = [_reason(reason, where) for reason in found if Permission(permission) in reason.permissions]
    active = person.user.status is UserStatus.ACTIVE
    return {"permission": permission, "place": value, "because": because, "may": bool(because) and active}


def _reason(reason: AccessReason, where: Places) -> dict[str, str]:
    return {
        "role": reason.role.name,
        "role_id": reason.role.id,
        "where": where.name(reason.grant),
        "group": reason.group.name if reason.group else "",
        "group_id": reason.group.id if reason.group else "",
    }


@post(HERE, status_code=303)
async def change_person(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Response[Any]:
    """Change what she is called, her address, her language and her groups."""
    sent = await request.form()
    typed: dict[str, Any] = {name: text(sent, name) for name in ("email", "name", "language")}
    typed |= {name: [str(one) for one in sent.getall(name, [])][:200] for name in ("groups", "shown")}
    what = UserEdit(
        email=typed["email"], name=typed["name"][:200], language=typed["language"][:35], group_ids=typed["groups"]
    )
    return await _change(request, user_id, what, "saved", typed=typed)


def _only_touched(what: UserEdit, was: UserDetails, shown: list[str]) -> UserEdit:
    """The groups that were ticked or not as the page showed them, and of all others what is so by now."""
    ticked = set(what.group_ids or ())
    left = set(was.group_ids) - (set(shown) - ticked)
    return replace(what, group_ids=sorted(left | (ticked - set(shown))))


@post(HERE + "/grants", status_code=303)
async def change_grants(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Response[Any]:
    """Give her a role for something, or take it away."""
    sent = await request.form()
    grant = grant_of(sent)
    if sent.get("act") == "take":
        return await _change(request, user_id, UserEdit(remove_grants=[grant]), "taken")
    return await _change(request, user_id, UserEdit(add_grants=[grant]), "given")


@post(HERE + "/status", status_code=303)
async def change_status(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Response[Any]:
    """Shut her out, or let her come back."""
    enable = (await request.form()).get("status") == UserStatus.ACTIVE
    what = UserEdit(status=UserStatus.ACTIVE if enable else UserStatus.DISABLED)
    return await _change(request, user_id, what, "enabled" if enable else "disabled")


async def _change(
    request: Request[Any, Any, Any], user_id: str, what: UserEdit, done: str, **typed: Any
) -> Response[Any]:
    who = await visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            was = await management.get(tx, who.actor, user_id=_id(user_id))
            if shown := typed.get("typed", {}).get("shown"):
                what = _only_touched(what, was, shown)
            person = await management.edit(tx, who.actor, what, user_id=user_id)
            await emails.update_invitation(tx, office_of(request), was, person)
    except EmailTaken as error:
        return await _page(request, who, user_id, faults={"email": str(error)}, **typed)
    except (Invalid, Conflict) as error:
        return await _page(request, who, user_id, faults=faults_of(error), **typed)
    except Denied as error:
        if Permission.PEOPLE_MANAGE not in who.actor.permissions:
            raise
        return await _page(request, who, user_id, faults={"": str(error)}, **typed)
    return Redirect(f"/people/{user_id}?done={done}", status_code=303)


HANDLERS = [person_page, change_person, change_grants, change_status]
