"""Settings, Audit log: who did what, found by the same filters as over the API."""

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from litestar import Request, get
from litestar.response import Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Position, Window
from formwright.domain.api_keys import service as keys
from formwright.domain.audit import service as audit
from formwright.domain.audit.models import AuditEntry, AuditFilter
from formwright.domain.users import service as people
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.list_urls import list_url, pager_urls, parse_day_range, parse_place
from formwright.web.views.settings.audit_grouping import changed_properties, group_entries
from formwright.web.views.settings.audit_labels import RESOURCE_LABELS, describe_action, describe_actor

PATH = "/settings/audit"
_PAGE_SIZE = 50
_ENTRIES_READ = 500
"""Lines that are read for the rows of a page: many of them may stand as one."""
_MAX_PEOPLE = 200
_FILTER_NAMES = ("who", "what", "thing", "from", "to")


@get(PATH)
async def audit_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What was done, the newest first."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.AUDIT_READ)
    asked = {name: request.query_params.get(name, "")[:100] for name in _FILTER_NAMES}
    before = parse_place(request.query_params.get("before", ""))
    zone = ZoneInfo(visitor.customer.time_zone)
    wanted, faults = _parse_filter(asked, zone)
    async with get_app_context(request).db.reading() as tx:
        found = await audit.page(tx, visitor.actor, wanted, Window(_ENTRIES_READ, before))
        offered = await _load_actors(tx, visitor)
    rows = group_entries(found.items)
    following = _place_of(rows[_PAGE_SIZE - 1][-1]) if len(rows) > _PAGE_SIZE else found.next
    return render_page(
        request,
        "settings/audit.html",
        place="Settings",
        here=PATH,
        asked=asked,
        faults=faults,
        filtered=any(asked.values()),
        rows=[_group_row(visitor, asked, row) for row in rows[:_PAGE_SIZE]],
        offered=_add_selected_actor(offered, asked["who"], found.items),
        nouns=RESOURCE_LABELS,
        **pager_urls(PATH, asked, before, following),
        **visitor.template_frame,
    )


def _parse_filter(asked: Mapping[str, str], zone: ZoneInfo) -> tuple[AuditFilter, dict[str, str]]:
    """What is asked for, and what of it cannot be read: that is shown beside its field, and does not count."""
    since, until, faults = parse_day_range(asked, zone)
    noun = asked["what"]
    wanted = AuditFilter(
        actor_id=asked["who"],
        action=noun if "." in noun else "",
        resource_type=noun if "." not in noun else "",
        resource_id=asked["thing"],
        since=since,
        until=until,
    )
    return wanted, faults


async def _load_actors(tx: ReadTransaction, visitor: Visitor) -> dict[str, str]:
    """Whom one can choose: the people and keys that the visitor may see, by id."""
    offered: dict[str, str] = {}
    if Permission.PEOPLE_READ in visitor.actor.permissions:
        offered |= {user.id: user.name for user in (await people.page(tx, visitor.actor, Window(_MAX_PEOPLE))).items}
    if Permission.KEYS_READ in visitor.actor.permissions:
        offered |= {key.id: f"{key.name} (API key)" for key in await keys.list_active(tx, visitor.actor)}
    return offered


def _add_selected_actor(offered: dict[str, str], asked: str, found: Any) -> dict[str, str]:
    """Also who is asked for and not among them: someone gone, or a link."""
    if asked and asked not in offered:
        offered[asked] = next((describe_actor(line.actor) for line in found), asked)
    return offered


def _place_of(line: AuditEntry) -> Position:
    return Position(line.at, line.id)


def _group_row(visitor: Visitor, asked: Mapping[str, str], sitting: Sequence[AuditEntry]) -> dict[str, Any]:
    """A row: the newest line of a sitting, and where there are more, all of them."""
    line = sitting[0]
    return {
        "when": format_time(line.at, visitor.customer.time_zone),
        "who": describe_actor(line.actor),
        "by": line.actor.type,
        "who_url": list_url(PATH, asked, who=line.actor.id) if line.actor.id else "",
        "did": describe_action(line.action),
        "name": line.resource_name,
        "herself": line.resource_id == line.actor.id,
        "thing": line.resource_id,
        "thing_url": list_url(PATH, asked, thing=line.resource_id),
        "changed": ", ".join(changed_properties(sitting)),
        "address": line.actor.address,
        "request": line.actor.request_id,
        "each": [_entry_row(visitor, one) for one in sitting] if len(sitting) > 1 else [],
    }


def _entry_row(visitor: Visitor, line: AuditEntry) -> dict[str, Any]:
    return {
        "when": format_time(line.at, visitor.customer.time_zone),
        "changed": ", ".join(line.changed),
        "request": line.actor.request_id,
    }


HANDLERS = [audit_page]
