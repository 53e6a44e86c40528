"""Invites: who was asked to fill which form, how far it has come, and asking more people."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.pagination import Window
from formwright.domain.forms import service as forms
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import (
    DEFAULT_VALIDITY_MS,
    Invite,
    InviteFilter,
    InviteMailer,
    InviteStatus,
    NewInvite,
)
from formwright.web.session import Visitor, get_app_context, public_origin, require_visitor
from formwright.web.templating import format_end, format_time, render_page, start_of_day
from formwright.web.views.autocomplete import (
    assignable_names,
    choices_response,
    list_fillable_forms,
    list_visible_people,
    search_url_builder,
)
from formwright.web.views.form_input import fault_texts, read_text
from formwright.web.views.invites.labels import STATUS_LABELS
from formwright.web.views.list_urls import list_url, pager_urls, parse_day_range, parse_place

PATH = "/invites"
MAX_INVITES = 200
"""So many people can be asked at once in the page; more over the API."""
_PAGE_SIZE = 50
_FILTER_NAMES = ("form", "status", "email", "from", "to")
_BLANK = {"form": "", "people": "", "message": "", "until": ""}
# A comma parts two people only behind an address: some write a name as "Doe, Jane".
_PERSON_PATTERN = re.compile(r"[^@;\n]*@[^,;\n]*|[^;\n]+")
_NAME_AND_EMAIL = re.compile(r"(?P<name>[^<>]*)<(?P<email>[^<>]*)>")


@get(PATH)
async def invites_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's invites, the newest first; found by form, state, address and day."""
    visitor = await require_visitor(request)
    scope = allow(visitor.actor, Permission.INVITES_READ)
    asked = {name: read_text(request.query_params, name, 254) for name in _FILTER_NAMES}
    before = parse_place(request.query_params.get("before", ""))
    wanted, faults = _parse_filter(asked, ZoneInfo(visitor.customer.time_zone))
    async with get_app_context(request).db.reading() as tx:
        found = await invites.page(tx, visitor.actor, wanted, Window(_PAGE_SIZE, before), newest_first=True)
        offered = {form.id: form.name for form in await forms.list_open(tx, scope)}
        missing = {one.form_id for one in found.items} | {asked["form"]} - {""}
        named = offered | {
            key: form.name for key in missing - offered.keys() if (form := await forms.find(tx, scope, key))
        }
    return render_page(
        request,
        "invites/overview.html",
        place="Invites",
        invites=[_invite_row(visitor, one, named) for one in found.items],
        asked=asked,
        faults=fault_texts(faults),
        filtered=any(asked.values()),
        forms=offered | {key: name for key, name in named.items() if key == asked["form"]},
        statuses=[(status.value, words.name) for status, words in STATUS_LABELS.items()],
        **pager_urls(PATH, asked, before, found.next),
        may_manage=Permission.INVITES_MANAGE in visitor.actor.permissions,
        **visitor.template_frame,
    )


def _invite_row(visitor: Visitor, one: Invite, named: Mapping[str, str]) -> dict[str, Any]:
    zone = visitor.customer.time_zone
    return {
        "url": f"{PATH}/{one.id}",
        "name": one.name,
        "email": one.email,
        "form": named.get(one.form_id, one.form_id),
        "status": STATUS_LABELS[one.status],
        "created": format_time(one.created, zone),
        "expires": format_end(one.expires, zone),
    }


def _parse_filter(asked: Mapping[str, str], zone: ZoneInfo) -> tuple[InviteFilter, dict[str, str]]:
    """What is asked for, and what of it cannot be read: that is shown beside its field, and does not count."""
    since, until, faults = parse_day_range(asked, zone)
    wanted = InviteFilter(
        form_ids=[asked["form"]] if asked["form"] else [],
        statuses=[InviteStatus(asked["status"])] if asked["status"] in set(InviteStatus) else [],
        email=asked["email"].lower() or None,
        since=since,
        until=until,
    )
    return wanted, faults


@get(PATH + "/new")
async def new_invites_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Whom to ask, to fill which form, and until when."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.INVITES_MANAGE)
    zone = ZoneInfo(visitor.customer.time_zone)
    until = datetime.fromtimestamp((get_app_context(request).clock.now() + DEFAULT_VALIDITY_MS) / 1000, zone).date()
    typed: dict[str, Any] = _BLANK | {
        "users": [],
        "until": until.isoformat(),
        "form": read_text(request.query_params, "form"),
    }
    return await _render_form(request, visitor, typed)


async def _render_form(
    request: Request[Any, Any, Any], visitor: Visitor, typed: dict[str, Any], faults: dict[str, str] | None = None
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        offered = await list_fillable_forms(tx, allow(visitor.actor, Permission.INVITES_MANAGE), typed["form"])
        may_know = Permission.PEOPLE_READ in visitor.actor.permissions
        listed = await list_visible_people(tx, visitor, typed["users"]) if may_know else []
    return render_page(
        request,
        "invites/new.html",
        422 if faults else 200,
        place="Invites",
        typed=typed,
        faults=fault_texts(faults),
        forms=offered,
        most=MAX_INVITES,
        persons=assignable_names(listed, typed["users"]),
        search=search_url_builder(f"{PATH}/new"),
        **visitor.template_frame,
    )


@get(PATH + "/new/choices")
async def invite_choices(request: Request[Any, Any, Any]) -> Response[bytes]:
    """What its pickers offer."""
    return await choices_response(request, Permission.INVITES_MANAGE)


@post(PATH + "/new", status_code=303)
async def send_invites(request: Request[Any, Any, Any]) -> Response[Any]:
    """Ask all of them, or nobody and say why; go to the one, or to the list of those of the form."""
    visitor, ctx, sent = await require_visitor(request), get_app_context(request), await request.form()
    typed: dict[str, Any] = {name: read_text(sent, name, 60_000) for name in _BLANK}
    typed["users"] = list(dict.fromkeys(str(one) for one in sent.getall("users", [])))[: MAX_INVITES + 1]
    people, expires, faults = (
        _parse_people(typed["people"]),
        *_parse_expiry(typed["until"], ZoneInfo(visitor.customer.time_zone)),
    )
    count = len(people) + len(typed["users"])
    if not 0 < count <= MAX_INVITES:
        faults["people"] = f"Invite at most {MAX_INVITES} people at once." if count else "Enter at least one person."
    if len(typed["message"]) > 5000:
        faults["message"] = "Enter at most 5,000 characters."
    if faults:
        return await _render_form(request, visitor, typed, faults)
    asked = [
        NewInvite(typed["form"], email=email, name=name[:200], message=typed["message"], expires=expires)
        for name, email in people
    ]
    asked += [
        NewInvite(typed["form"], user_id=user, message=typed["message"], expires=expires) for user in typed["users"]
    ]
    try:
        async with ctx.db.writing() as tx:
            made = await invites.create_many(
                tx, visitor.actor, InviteMailer(ctx.secret_box, public_origin(request)), asked
            )
    except Invalid as error:
        return await _render_form(request, visitor, typed, _faults_by_input(error, people))
    if len(made) == 1:
        return Redirect(f"{PATH}/{made[0].id}?done=sent", status_code=303)
    return Redirect(list_url(PATH, {"form": typed["form"]}), status_code=303)


def _parse_people(typed: str) -> list[tuple[str, str]]:
    """Name and address of each, as people write them: one a line or with commas, with the name before it or not."""
    found: dict[str, tuple[str, str]] = {}
    for part in _PERSON_PATTERN.findall(typed):
        named = _NAME_AND_EMAIL.fullmatch(part := part.strip(", \t\r"))
        name, email = (named["name"].strip(' "'), named["email"].strip()) if named else ("", part)
        if email:
            found.setdefault(email.lower(), (name, email))
    return list(found.values())


def _parse_expiry(typed: str, zone: ZoneInfo) -> tuple[int | None, dict[str, str]]:
    """The end of the day; None where none is given, which is as usual."""
    try:
        return (start_of_day(date.fromisoformat(typed) + timedelta(days=1), zone) if typed else None), {}
    except (ValueError, OverflowError):
        return None, {"until": "Enter a date like 2026-11-21."}


def _faults_by_input(error: Invalid, people: Sequence[tuple[str, str]]) -> dict[str, str]:
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
