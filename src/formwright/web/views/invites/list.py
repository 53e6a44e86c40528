"""Invites: who was asked to fill which form, how far it has come, and asking more people."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.errors import Invalid
from formwright.core.pagination import Window
from formwright.domain.forms import service as forms
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import LASTS_MS, Filter, Invite, InviteMailer, InviteStatus, NewInvite
from formwright.web.session import Visitor, get_app_context, origin_of, visitor
from formwright.web.templating import day_begins, ending, moment, page
from formwright.web.views.autocomplete import choices, forms_listed, offered_of, people_listed, searched
from formwright.web.views.form_input import noted, text
from formwright.web.views.invites.labels import WORDS
from formwright.web.views.list_urls import address, days_between, place_of, turns

HERE = "/invites"
MOST = 200
"""So many people can be asked at once in the page; more over the API."""
_ROWS = 50
_ASKED = ("form", "status", "email", "from", "to")
_NEW = {"form": "", "people": "", "message": "", "until": ""}
# A comma parts two people only behind an address: some write a name as "Doe, Jane".
_PERSON = re.compile(r"[^@;\n]*@[^,;\n]*|[^;\n]+")
_NAMED = re.compile(r"(?P<name>[^<>]*)<(?P<email>[^<>]*)>")


@get(HERE)
async def invites_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's invites, the newest first; found by form, state, address and day."""
    who = await visitor(request)
    scope = allow(who.actor, Permission.INVITES_READ)
    asked = {name: text(request.query_params, name, 254) for name in _ASKED}
    before = place_of(request.query_params.get("before", ""))
    wanted, faults = _wanted(asked, ZoneInfo(who.customer.time_zone))
    async with get_app_context(request).db.reading() as tx:
        found = await invites.page(tx, who.actor, wanted, Window(_ROWS, before), newest_first=True)
        offered = {form.id: form.name for form in await forms.list_open(tx, scope)}
        missing = {one.form_id for one in found.items} | {asked["form"]} - {""}
        named = offered | {
            key: form.name for key in missing - offered.keys() if (form := await forms.find(tx, scope, key))
        }
    return page(
        request,
        "invites/overview.html",
        place="Invites",
        invites=[_shown(who, one, named) for one in found.items],
        asked=asked,
        faults=noted(faults),
        filtered=any(asked.values()),
        forms=offered | {key: name for key, name in named.items() if key == asked["form"]},
        statuses=[(status.value, words.name) for status, words in WORDS.items()],
        **turns(HERE, asked, before, found.next),
        may_manage=Permission.INVITES_MANAGE in who.actor.permissions,
        **who.frame,
    )


def _shown(who: Visitor, one: Invite, named: Mapping[str, str]) -> dict[str, Any]:
    zone = who.customer.time_zone
    return {
        "url": f"{HERE}/{one.id}",
        "name": one.name,
        "email": one.email,
        "form": named.get(one.form_id, one.form_id),
        "status": WORDS[one.status],
        "created": moment(one.created, zone),
        "expires": ending(one.expires, zone),
    }


def _wanted(asked: Mapping[str, str], zone: ZoneInfo) -> tuple[Filter, dict[str, str]]:
    """What is asked for, and what of it cannot be read: that is shown beside its field, and does not count."""
    since, until, faults = days_between(asked, zone)
    wanted = Filter(
        form_ids=[asked["form"]] if asked["form"] else [],
        statuses=[InviteStatus(asked["status"])] if asked["status"] in set(InviteStatus) else [],
        email=asked["email"].lower() or None,
        since=since,
        until=until,
    )
    return wanted, faults


@get(HERE + "/new")
async def new_invites_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Whom to ask, to fill which form, and until when."""
    who = await visitor(request)
    allow(who.actor, Permission.INVITES_MANAGE)
    zone = ZoneInfo(who.customer.time_zone)
    until = datetime.fromtimestamp((get_app_context(request).clock.now() + LASTS_MS) / 1000, zone).date()
    typed: dict[str, Any] = _NEW | {"users": [], "until": until.isoformat(), "form": text(request.query_params, "form")}
    return await _new_page(request, who, typed)


async def _new_page(
    request: Request[Any, Any, Any], who: Visitor, typed: dict[str, Any], faults: dict[str, str] | None = None
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        offered = await forms_listed(tx, allow(who.actor, Permission.INVITES_MANAGE), typed["form"])
        may_know = Permission.PEOPLE_READ in who.actor.permissions
        listed = await people_listed(tx, who, typed["users"]) if may_know else []
    return page(
        request,
        "invites/new.html",
        422 if faults else 200,
        place="Invites",
        typed=typed,
        faults=noted(faults),
        forms=offered,
        most=MOST,
        persons=offered_of(listed, typed["users"]),
        search=searched(f"{HERE}/new"),
        **who.frame,
    )


@get(HERE + "/new/choices")
async def invite_choices(request: Request[Any, Any, Any]) -> Response[bytes]:
    """What its pickers offer."""
    return await choices(request, Permission.INVITES_MANAGE)


@post(HERE + "/new", status_code=303)
async def send_invites(request: Request[Any, Any, Any]) -> Response[Any]:
    """Ask all of them, or nobody and say why; go to the one, or to the list of those of the form."""
    who, ctx, sent = await visitor(request), get_app_context(request), await request.form()
    typed: dict[str, Any] = {name: text(sent, name, 60_000) for name in _NEW}
    typed["users"] = list(dict.fromkeys(str(one) for one in sent.getall("users", [])))[: MOST + 1]
    people, expires, faults = _people(typed["people"]), *_until(typed["until"], ZoneInfo(who.customer.time_zone))
    count = len(people) + len(typed["users"])
    if not 0 < count <= MOST:
        faults["people"] = f"Invite at most {MOST} people at once." if count else "Enter at least one person."
    if len(typed["message"]) > 5000:
        faults["message"] = "Enter at most 5,000 characters."
    if faults:
        return await _new_page(request, who, typed, faults)
    asked = [
        NewInvite(typed["form"], email=email, name=name[:200], message=typed["message"], expires=expires)
        for name, email in people
    ]
    asked += [
        NewInvite(typed["form"], user_id=user, message=typed["message"], expires=expires) for user in typed["users"]
    ]
    try:
        async with ctx.db.writing() as tx:
            made = await invites.create_all(tx, who.actor, InviteMailer(ctx.secret_box, origin_of(request)), asked)
    except Invalid as error:
        return await _new_page(request, who, typed, _faults(error, people))
    if len(made) == 1:
        return Redirect(f"{HERE}/{made[0].id}?done=sent", status_code=303)
    return Redirect(address(HERE, {"form": typed["form"]}), status_code=303)


def _people(typed: str) -> list[tuple[str, str]]:
    """Name and address of each, as people write them: one a line or with commas, with the name before it or not."""
    found: dict[str, tuple[str, str]] = {}
    for part in _PERSON.findall(typed):
        named = _NAMED.fullmatch(part := part.strip(", \t\r"))
        name, email = (named["name"].strip(' "'), named["email"].strip()) if named else ("", part)
        if email:
            found.setdefault(email.lower(), (name, email))
    return list(found.values())


def _until(typed: str, zone: ZoneInfo) -> tuple[int | None, dict[str, str]]:
    """The end of the day; None where none is given, which is as usual."""
    try:
        return (day_begins(date.fromisoformat(typed) + timedelta(days=1), zone) if typed else None), {}
    except (ValueError, OverflowError):
        return None, {"until": "Enter a date like 2026-11-21."}


def _faults(error: Invalid, people: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What is wrong, by the field of the page; with an address or a name it says whose."""
    fields = {"formId": "form", "expiresAt": "until", "email": "people", "name": "people", "userId": "users"}
    found: dict[str, str] = {}
    for fault in error.faults:
        _, index, member, *_ = [*fault.pointer.split("/"), ""]
        field = fields.get(member, "")
        if field == "people":
            said = f"{people[int(index)][1]}: {fault.detail}"
            found[field] = f"{found[field]} {said}" if field in found else said
        else:
            found.setdefault(field, fault.detail)
    return found


HANDLERS = [invites_page, new_invites_page, invite_choices, send_invites]
