"""Settings, Organisation: the name, language and time zone of the account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from formwright.web.templating import render_view

PATH = "/settings/organisation"
_FIELDS = {"/name": "name", "/locale": "locale", "/timeZone": "zone"}


@dataclass(frozen=True, slots=True)
class OrganisationPage:
    """The form with the account's settings."""

    languages: Mapping[str, str]
    zones: Sequence[str]
    faults: Mapping[str, str]
    typed: Mapping[str, str]
    is_saved: bool


@cache
def list_time_zones() -> list[str]:
    """Return the time zones to choose from: UTC and those of cities."""
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
    """The form with the name, language and time zone of the account."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.CUSTOMER_EDIT)
    return _render(request, visitor, {})


def _render(request: Request[Any, Any, Any], visitor: Visitor, faults: dict[str, str], **typed: str) -> Response[str]:
    customer = visitor.customer
    view_model = OrganisationPage(
        languages=LANGUAGES,
        zones=list_time_zones(),
        faults=faults,
        typed={"name": customer.name, "locale": customer.locale, "zone": customer.time_zone} | typed,
        is_saved=request.query_params.get("saved") == "1" and not faults,
    )
    status = 422 if faults else 200
    return render_view(
        request, "settings/organisation.html", view_model, visitor=visitor, section="Settings", status=status
    )


@post(PATH, status_code=303)
async def change_organisation(request: Request[Any, Any, Any]) -> Response[Any]:
    """Save the account's settings."""
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
