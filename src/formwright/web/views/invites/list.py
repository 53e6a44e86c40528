"""Invites: the list of invites with their progress."""

from collections.abc import Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.pagination import ListOrder, TimeFilter
from formwright.domain.forms import service as forms
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import Invite, InviteFilter, InviteStatus
from formwright.web.http import Response, get
from formwright.web.page import Page
from formwright.web.templating import DisplayTime, format_end
from formwright.web.views.invites.labels import STATUS_LABELS, StatusLabel, label_status
from formwright.web.views.list_pages import (
    FilterField,
    ListPage,
    day_fields,
    parse_day_range,
    read_list_request,
    search_field,
)

PATH = "/invites"


@dataclass(frozen=True, slots=True)
class InviteListPage:
    """The list of invites: each with the name of its form, its status, and until when it is valid."""

    invites: ListPage[tuple[Invite, str, StatusLabel, DisplayTime]]
    may_manage: bool


@get(PATH)
async def invites_page(page: Page) -> Response:
    """The account's invites, newest first, filtered by form, status, email address and date."""
    scope = allow(page.actor, Permission.INVITES_READ)
    request = read_list_request(page, PATH, "form", "status", "email", "from", "to")
    chosen = request.values["form"]
    filter_, faults = _parse_filter(request.values, ZoneInfo(page.visitor.customer.time_zone))
    found = await invites.page(page.tx, page.actor, filter_, request.window)
    names = {form.id: form.name for form in await forms.list_open(page.tx, scope)}
    # Archived forms are not offered as a filter, but their invites still show their name.
    missing = {invite.form_id for invite in found.items} | {chosen} - {"", *names}
    more = {form_id: form.name for form_id in missing if (form := await forms.find(page.tx, scope, form_id))}
    chosen_form = [(chosen, more[chosen])] if chosen in more else []
    form_names, zone = names | more, page.visitor.customer.time_zone
    rows = [
        (one, form_names.get(one.form_id, one.form_id), label_status(one), format_end(one.expires, zone))
        for one in found.items
    ]
    view_model = InviteListPage(
        invites=request.build(
            rows,
            found.next,
            search_field("Email", "email"),
            FilterField("form", "Form", [*names.items(), *chosen_form], "All forms"),
            FilterField("status", "Status", [(one, label.name) for one, label in STATUS_LABELS.items()], "Any status"),
            *day_fields(),
            faults=faults,
        ),
        may_manage=Permission.INVITES_MANAGE in page.actor.permissions,
    )
    return page.render("invites/list.html", view_model, section="Invites")


def _parse_filter(filters: Mapping[str, str], zone: ZoneInfo) -> tuple[InviteFilter, dict[str, str]]:
    """Return the filter and the errors by field. Invalid dates are ignored."""
    since, until, faults = parse_day_range(filters, zone)
    filter_ = InviteFilter(
        form_ids=[filters["form"]] if filters["form"] else [],
        statuses=[InviteStatus(filters["status"])] if filters["status"] in set(InviteStatus) else [],
        email=filters["email"].lower() or None,
        times=TimeFilter(since, until, order=ListOrder.CREATED_DESC),
    )
    return filter_, faults
