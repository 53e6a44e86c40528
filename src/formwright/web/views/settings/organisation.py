"""Settings, Organisation: the name, language and time zone of the account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from zoneinfo import available_timezones

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.customers import service as customers
from formwright.web.http import Redirect, Response, get, post
from formwright.web.languages import LANGUAGES
from formwright.web.page import Page

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
async def organisation_page(page: Page) -> Response:
    """The form with the name, language and time zone of the account."""
    allow(page.actor, Permission.CUSTOMER_EDIT)
    return _render(page, {})


def _render(page: Page, faults: dict[str, str], **typed: str) -> Response:
    customer = page.visitor.customer
    view_model = OrganisationPage(
        languages=LANGUAGES,
        zones=list_time_zones(),
        faults=faults,
        typed={"name": customer.name, "locale": customer.locale, "zone": customer.time_zone} | typed,
        is_saved=page.query.get("saved") == "1" and not faults,
    )
    status = 422 if faults else 200
    return page.render("settings/organisation.html", view_model, section="Settings", status=status)


@post(PATH)
async def change_organisation(page: Page) -> Response:
    """Save the account's settings."""
    form = await page.form()
    allow(page.actor, Permission.CUSTOMER_EDIT)
    name, locale, zone = (str(form.get(field, ""))[:1000] for field in ("name", "locale", "zone"))
    try:
        async with page.writing() as tx:
            await customers.update(tx, page.actor, name=name, locale=locale, time_zone=zone)
    except Invalid as error:
        faults = {_FIELDS[fault.pointer]: fault.detail for fault in error.faults}
        return _render(page, faults, name=name, locale=locale, zone=zone)
    return Redirect(f"{PATH}?saved=1")
