"""Invites: the form that invites people to fill in a form."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import DEFAULT_VALIDITY_MS, NewInvite
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.templating import start_of_day
from formwright.web.views.autocomplete import (
    assignable_names,
    choices_response,
    list_fillable_forms,
    list_visible_people,
    search_urls,
)
from formwright.web.views.form_input import fault_texts, read_text
from formwright.web.views.invites.emails import invite_mailer, render_links
from formwright.web.views.invites.list import PATH as INVITES_PATH
from formwright.web.views.list_pages import list_url

PATH = INVITES_PATH + "/new"
MAX_INVITES = 200
"""How many people the page can invite at once. The API accepts more."""
_MAX_MESSAGE = 5000
_BLANK = {"form": "", "people": "", "message": "", "until": ""}
# A comma separates two people only after an email address, because names can be written as "Doe, Jane".
_PERSON_PATTERN = re.compile(r"[^@;\n]*@[^,;\n]*|[^;\n]+")
_NAME_AND_EMAIL = re.compile(r"(?P<name>[^<>]*)<(?P<email>[^<>]*)>")


@dataclass(frozen=True, slots=True)
class InvitePeoplePage:
    """The form that invites people: what was entered, the errors by field, and the options."""

    typed: Mapping[str, Any]
    faults: Mapping[str, str]
    forms: Sequence[tuple[str, str]]
    max_invites: int
    people: Mapping[str, str]
    search_urls: Mapping[str, str]


@get(PATH)
async def new_invites_page(page: Page) -> Response:
    """The form that invites people; `?form=` preselects the form to fill in."""
    allow(page.actor, Permission.INVITES_MANAGE)
    zone = ZoneInfo(page.visitor.customer.time_zone)
    until = datetime.fromtimestamp((page.ctx.clock.now() + DEFAULT_VALIDITY_MS) / 1000, zone).date()
    form_id = read_text(page.query, "form")
    return await _render_form(page, _BLANK | {"users": [], "until": until.isoformat(), "form": form_id})


async def _render_form(page: Page, typed: dict[str, Any], faults: dict[str, str] | None = None) -> Response:
    may_read_people = Permission.PEOPLE_READ in page.actor.permissions
    forms = await list_fillable_forms(page.tx, allow(page.actor, Permission.INVITES_MANAGE), typed["form"])
    users = await list_visible_people(page.tx, page.visitor, typed["users"]) if may_read_people else []
    people = assignable_names(users, typed["users"])
    view_model = InvitePeoplePage(
        typed=typed,
        faults=fault_texts(faults),
        forms=forms,
        max_invites=MAX_INVITES,
        people=people,
        search_urls=search_urls(PATH, forms=forms, people=people),
    )
    status = 422 if faults else 200
    return page.render("invites/new.html", view_model, section="Invites", status=status)


@get(PATH + "/choices")
async def invite_choices(page: Page) -> Response:
    """The options of the pickers, as JSON."""
    return await choices_response(page, Permission.INVITES_MANAGE)


@post(PATH)
async def send_invites(page: Page) -> Response:
    """Invite all people, or none if there are errors. Redirects to the invite, or to the list of the form's invites."""
    form = await page.form()
    typed: dict[str, Any] = {name: read_text(form, name, 60_000) for name in _BLANK}
    typed["users"] = list(dict.fromkeys(str(value) for value in form.getall("users", [])))[: MAX_INVITES + 1]
    people = _parse_people(typed["people"])
    expires, faults = _parse_expiry(typed["until"], ZoneInfo(page.visitor.customer.time_zone))
    faults |= _check_input(typed, len(people) + len(typed["users"]))
    if faults:
        return await _render_form(page, typed, faults)
    new = _new_invites(typed, people, expires)
    try:
        async with page.writing() as tx:
            created = await invites.create_many(tx, page.actor, invite_mailer(page), new)
            undelivered = [invite.id for invite in created if invite.needs_delivery]
            links = await invites.create_links(tx, page.actor, page.origin, invite_ids=undelivered)
    except Invalid as error:
        return await _render_form(page, typed, _faults_by_input(error, people))
    if links:
        return render_links(page, links)
    if len(created) == 1:
        return Redirect(f"{INVITES_PATH}/{created[0].id}?done=sent")
    return Redirect(list_url(INVITES_PATH, {"form": typed["form"]}))


def _check_input(typed: Mapping[str, Any], count: int) -> dict[str, str]:
    faults: dict[str, str] = {}
    if not 0 < count <= MAX_INVITES:
        faults["people"] = f"Invite at most {MAX_INVITES} people at once." if count else "Enter at least one person."
    if len(typed["message"]) > _MAX_MESSAGE:
        faults["message"] = f"Enter at most {_MAX_MESSAGE:,} characters."
    return faults


def _new_invites(typed: Mapping[str, Any], people: Sequence[tuple[str, str]], expires: int | None) -> list[NewInvite]:
    form_id, message = typed["form"], typed["message"]
    by_email = [
        NewInvite(form_id, email=email, name=name[:200], message=message, expires=expires) for name, email in people
    ]
    by_user = [NewInvite(form_id, user_id=user_id, message=message, expires=expires) for user_id in typed["users"]]
    return [*by_email, *by_user]


def _parse_people(typed: str) -> list[tuple[str, str]]:
    """Return the name and email address of each person.

    People are separated by line breaks, semicolons or commas; a name may precede the address in angle brackets.
    """
    found: dict[str, tuple[str, str]] = {}
    for part in _PERSON_PATTERN.findall(typed):
        match = _NAME_AND_EMAIL.fullmatch(part := part.strip(", \t\r"))
        name, email = (match["name"].strip(' "'), match["email"].strip()) if match else ("", part)
        if email:
            found.setdefault(email.lower(), (name, email))
    return list(found.values())


def _parse_expiry(typed: str, zone: ZoneInfo) -> tuple[int | None, dict[str, str]]:
    """Return the end of the day, or None for the default, and the error if it is not a date."""
    try:
        return (start_of_day(date.fromisoformat(typed) + timedelta(days=1), zone) if typed else None), {}
    except (ValueError, OverflowError):
        return None, {"until": "Enter a date like 2026-11-21."}


def _faults_by_input(error: Invalid, people: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the validation errors by the name of the input. Errors of names and addresses say whose they are."""
    inputs = {"formId": "form", "expiresAt": "until", "email": "people", "name": "people", "userId": "users"}
    faults: dict[str, str] = {}
    for fault in error.faults:
        _, index, property_, *_ = [*fault.pointer.split("/"), ""]
        name = inputs.get(property_, "")
        if name == "people":
            text = f"{people[int(index)][1]}: {fault.detail}"
            faults[name] = f"{faults[name]} {text}" if name in faults else text
        else:
            faults.setdefault(name, fault.detail)
    return faults
