"""Settings, Audit log: who did what, found by the same filters as over the API."""

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from litestar import Request, get
from litestar.response import Response

from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Place, Window
from formwright.domain.api_keys import service as keys
from formwright.domain.audit import service as audit
from formwright.domain.audit.models import Entry, Filter
from formwright.domain.users import service as people
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import moment, page
from formwright.web.views.list_urls import address, days_between, place_of, turns
from formwright.web.views.settings.audit_grouping import changed, sittings
from formwright.web.views.settings.audit_labels import NOUNS, did, who_of

HERE = "/settings/audit"
_ROWS = 50
_READ = 500
"""Lines that are read for the rows of a page: many of them may stand as one."""
_OFFERED = 200
_MEMBERS = ("who", "what", "thing", "from", "to")


@get(HERE)
async def audit_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What was done, the newest first."""
    who = await visitor(request)
    allow(who.actor, Permission.AUDIT_READ)
    asked = {name: request.query_params.get(name, "")[:100] for name in _MEMBERS}
    before = place_of(request.query_params.get("before", ""))
    zone = ZoneInfo(who.customer.time_zone)
    wanted, faults = _filter(asked, zone)
    async with get_app_context(request).db.reading() as tx:
        found = await audit.page(tx, who.actor, wanted, Window(_READ, before))
        offered = await _offered(tx, who)
    rows = sittings(found.items)
    following = _place(rows[_ROWS - 1][-1]) if len(rows) > _ROWS else found.next
    return page(
        request,
        "settings/audit.html",
        place="Settings",
        here=HERE,
        asked=asked,
        faults=faults,
        filtered=any(asked.values()),
        rows=[_shown(who, asked, row) for row in rows[:_ROWS]],
        offered=_with_asked(offered, asked["who"], found.items),
        nouns=NOUNS,
        **turns(HERE, asked, before, following),
        **who.frame,
    )


def _filter(asked: Mapping[str, str], zone: ZoneInfo) -> tuple[Filter, dict[str, str]]:
    """What is asked for, and what of it cannot be read: that is shown beside its field, and does not count."""
    since, until, faults = days_between(asked, zone)
    noun = asked["what"]
    wanted = Filter(
        actor_id=asked["who"],
        action=noun if "." in noun else "",
        resource_type=noun if "." not in noun else "",
        resource_id=asked["thing"],
        since=since,
        until=until,
    )
    return wanted, faults


async def _offered(tx: ReadTransaction, who: Visitor) -> dict[str, str]:
    """Whom one can choose: the people and keys that the visitor may see, by id."""
    offered: dict[str, str] = {}
    if Permission.PEOPLE_READ in who.actor.permissions:
        offered |= {user.id: user.name for user in (await people.page(tx, who.actor, Window(_OFFERED))).items}
    if Permission.KEYS_READ in who.actor.permissions:
        offered |= {key.id: f"{key.name} (API key)" for key in await keys.list_active(tx, who.actor)}
    return offered


def _with_asked(offered: dict[str, str], asked: str, found: Any) -> dict[str, str]:
    """Also who is asked for and not among them: someone gone, or a link."""
    if asked and asked not in offered:
        offered[asked] = next((who_of(line.hand) for line in found), asked)
    return offered


def _place(line: Entry) -> Place:
    return Place(line.at, line.id)


def _shown(who: Visitor, asked: Mapping[str, str], sitting: Sequence[Entry]) -> dict[str, Any]:
    """A row: the newest line of a sitting, and where there are more, all of them."""
    line = sitting[0]
    return {
        "when": moment(line.at, who.customer.time_zone),
        "who": who_of(line.hand),
        "by": line.hand.by,
        "who_url": address(HERE, asked, who=line.hand.id) if line.hand.id else "",
        "did": did(line.action),
        "name": line.resource_name,
        "herself": line.resource_id == line.hand.id,
        "thing": line.resource_id,
        "thing_url": address(HERE, asked, thing=line.resource_id),
        "changed": ", ".join(changed(sitting)),
        "address": line.hand.address,
        "request": line.hand.request_id,
        "each": [_one(who, one) for one in sitting] if len(sitting) > 1 else [],
    }


def _one(who: Visitor, line: Entry) -> dict[str, Any]:
    return {
        "when": moment(line.at, who.customer.time_zone),
        "changed": ", ".join(line.changed),
        "request": line.hand.request_id,
    }


HANDLERS = [audit_page]
