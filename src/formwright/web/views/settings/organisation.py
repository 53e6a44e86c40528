"""Settings, Organisation: the name, the language and the time zone of the account."""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.customers import service as customers
from formwright.web.languages import LANGUAGES
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import render_page

PATH = "/settings/organisation"
_FIELDS = {"/name": "name", "/locale": "locale", "/timeZone": "zone"}


@cache
def list_time_zones() -> list[str]:
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


@get(PATH)
async def organisation_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What it is called, and how it tells the time."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.CUSTOMER_EDIT)
    return _render(request, visitor, {})


def _render(request: Request[Any, Any, Any], visitor: Visitor, faults: dict[str, str], **typed: str) -> Response[str]:
    of = visitor.customer
    return render_page(
        request,
        "settings/organisation.html",
        422 if faults else 200,
        place="Settings",
        languages=LANGUAGES,
        zones=list_time_zones(),
        faults=faults,
        typed={"name": of.name, "locale": of.locale, "zone": of.time_zone} | typed,
        saved=request.query_params.get("saved") == "1" and not faults,
        **visitor.template_frame,
    )


@post(PATH, status_code=303)
async def change_organisation(request: Request[Any, Any, Any]) -> Response[Any]:
    """Change it."""
    visitor, form = await require_visitor(request), await request.form()
    allow(visitor.actor, Permission.CUSTOMER_EDIT)
    name, locale, zone = (str(form.get(field, ""))[:1000] for field in ("name", "locale", "zone"))
    try:
        async with get_app_context(request).db.writing() as tx:
            await customers.update(tx, visitor.actor, name=name, locale=locale, time_zone=zone)
    except Invalid as error:
        faults = {_FIELDS[fault.pointer]: fault.detail for fault in error.faults}
        return _render(request, visitor, faults, name=name, locale=locale, zone=zone)
    return Redirect(f"{PATH}?saved=1", status_code=303)


HANDLERS = [organisation_page, change_organisation]
