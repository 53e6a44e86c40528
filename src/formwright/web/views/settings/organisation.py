"""Settings, Organisation: the name, the language and the time zone of the account."""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.errors import Invalid
from formwright.domain.customers import service as customers
from formwright.web.languages import LANGUAGES
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import page

HERE = "/settings/organisation"
_FIELDS = {"/name": "name", "/locale": "locale", "/timeZone": "zone"}


@cache
def zones() -> list[str]:
    """The time zones to choose from: places and UTC."""
    places = (
        "Africa/",
        "America/",
        "Antarctica/",
        "Asia/",
        "Atlantic/",
        "Australia/",
        "Europe/",
        "Indian/",
        "Pacific/",
    )
    return ["UTC", *sorted(zone for zone in available_timezones() if zone.startswith(places))]


@get(HERE)
async def organisation_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What it is called, and how it tells the time."""
    who = await visitor(request)
    allow(who.actor, Permission.CUSTOMER_EDIT)
    return _page(request, who, {})


def _page(request: Request[Any, Any, Any], who: Visitor, faults: dict[str, str], **typed: str) -> Response[str]:
    of = who.customer
    return page(
        request,
        "settings/organisation.html",
        422 if faults else 200,
        place="Settings",
        languages=LANGUAGES,
        zones=zones(),
        faults=faults,
        typed={"name": of.name, "locale": of.locale, "zone": of.time_zone} | typed,
        saved=request.query_params.get("saved") == "1" and not faults,
        **who.frame,
    )


@post(HERE, status_code=303)
async def change_organisation(request: Request[Any, Any, Any]) -> Response[Any]:
    """Change it."""
    who, form = await visitor(request), await request.form()
    allow(who.actor, Permission.CUSTOMER_EDIT)
    name, locale, zone = (str(form.get(field, ""))[:1000] for field in ("name", "locale", "zone"))
    try:
        async with get_app_context(request).db.writing() as tx:
            await customers.change(tx, who.actor, name=name, locale=locale, time_zone=zone)
    except Invalid as error:
        faults = {_FIELDS[fault.pointer]: fault.detail for fault in error.faults}
        return _page(request, who, faults, name=name, locale=locale, zone=zone)
    return Redirect(f"{HERE}?saved=1", status_code=303)


HANDLERS = [organisation_page, change_organisation]
