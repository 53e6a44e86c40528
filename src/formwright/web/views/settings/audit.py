"""Settings, Audit log: who did what, with the same filters as the API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Position, Window
from formwright.domain.api_keys import service as keys
from formwright.domain.audit import service as audit
from formwright.domain.audit.models import AuditEntry, AuditFilter
from formwright.domain.users import service as people
from formwright.web.http import Response, get
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.list_pages import (
    FilterField,
    ListPage,
    day_fields,
    list_url,
    parse_day_range,
    read_list_request,
)
from formwright.web.views.settings.audit_grouping import changed_properties, group_entries
from formwright.web.views.settings.audit_labels import RESOURCE_LABELS, describe_action, describe_actor

PATH = "/settings/audit"
_PAGE_SIZE = 50
_ENTRIES_READ = 500
"""How many entries are read for one page, because several entries can be grouped into one row."""
_MAX_PEOPLE = 200


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A row of the audit log: the newest entry of a group and, if it has several, all of them."""

    when: DisplayTime
    actor: str
    actor_url: str
    action: str
    resource_id: str
    resource_name: str
    resource_url: str
    changed: str
    address: str
    request_id: str
    is_about_actor: bool
    entries: Sequence[AuditEntry]


@dataclass(frozen=True, slots=True)
class AuditPage:
    """The audit log. `thing` is the id of the resource whose changes are listed; empty for all."""

    groups: ListPage[GroupRow]
    thing: str


@get(PATH)
async def audit_page(page: Page) -> Response:
    """The audit log, newest entries first."""
    allow(page.actor, Permission.AUDIT_READ)
    request = read_list_request(page, PATH, "who", "what", "thing", "from", "to", size=_ENTRIES_READ)
    values = request.values
    filter_, faults = _parse_filter(values, ZoneInfo(page.visitor.customer.time_zone))
    found = await audit.page(page.tx, page.actor, filter_, request.window)
    actors = _add_selected_actor(await _load_actors(page.tx, page.visitor), values["who"], found.items)
    resource_types = {values["what"]: values["what"]} | RESOURCE_LABELS if values["what"] else RESOURCE_LABELS
    groups = group_entries(found.items)
    # After the last group that is shown, so that the next page begins with a whole group.
    next_position = _position_of(groups[_PAGE_SIZE - 1][-1]) if len(groups) > _PAGE_SIZE else found.next
    rows = [_group_row(page.visitor, values, group) for group in groups[:_PAGE_SIZE]]
    view_model = AuditPage(
        groups=request.build(
            rows,
            next_position,
            FilterField("who", "Who", [*actors.items()], "Anyone"),
            FilterField("what", "What", [*resource_types.items()], "Anything"),
            *day_fields(),
            faults=faults,
        ),
        thing=values["thing"],
    )
    return page.render("settings/audit.html", view_model, section="Settings")


def _parse_filter(filters: Mapping[str, str], zone: ZoneInfo) -> tuple[AuditFilter, dict[str, str]]:
    """Return the filter and the errors by field. Invalid dates are ignored."""
    since, until, faults = parse_day_range(filters, zone)
    what = filters["what"]
    filter_ = AuditFilter(
        actor_id=filters["who"],
        action=what if "." in what else "",
        resource_type=what if "." not in what else "",
        resource_id=filters["thing"],
        since=since,
        until=until,
    )
    return filter_, faults


async def _load_actors(tx: ReadTransaction, visitor: Visitor) -> dict[str, str]:
    """Return the names of the people and API keys that the visitor may see, by id."""
    actors: dict[str, str] = {}
    if Permission.PEOPLE_READ in visitor.actor.permissions:
        actors |= {user.id: user.name for user in (await people.page(tx, visitor.actor, Window(_MAX_PEOPLE))).items}
    if Permission.KEYS_READ in visitor.actor.permissions:
        actors |= {key.id: f"{key.name} (API key)" for key in await keys.list_active(tx, visitor.actor)}
    return actors


def _add_selected_actor(actors: dict[str, str], selected: str, entries: Sequence[AuditEntry]) -> dict[str, str]:
    """Add the actor of the filter if it is not among the options, for example because they were deleted."""
    if selected and selected not in actors:
        actors[selected] = next((describe_actor(entry.actor) for entry in entries), selected)
    return actors


def _position_of(entry: AuditEntry) -> Position:
    return Position(entry.at, entry.id)


def _group_row(visitor: Visitor, filters: Mapping[str, str], group: Sequence[AuditEntry]) -> GroupRow:
    entry, actor = group[0], group[0].actor
    return GroupRow(
        when=format_time(entry.at, visitor.customer.time_zone),
        actor=describe_actor(actor),
        actor_url=list_url(PATH, filters, who=actor.id) if actor.id else "",
        action=describe_action(entry.action),
        resource_id=entry.resource_id,
        resource_name=entry.resource_name,
        resource_url=list_url(PATH, filters, thing=entry.resource_id),
        changed=", ".join(changed_properties(group)),
        address=actor.address,
        request_id=actor.request_id,
        is_about_actor=entry.resource_id == actor.id,
        entries=group if len(group) > 1 else [],
    )
