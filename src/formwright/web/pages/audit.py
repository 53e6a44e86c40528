"""Settings, Audit log: who did what, found by the same filters as over the API."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from litestar import Request, get
from litestar.response import Response

from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.kernel.paging import Window
from formwright.core.storage.database import Reading
from formwright.domain.audit import service as audit
from formwright.domain.audit.model import Entry, Filter
from formwright.domain.keys import service as keys
from formwright.domain.people import service as people
from formwright.web.pages.audit_words import NOUNS, did, who_of
from formwright.web.pages.datasources import place_of
from formwright.web.render import day_begins, moment, page
from formwright.web.session import Visitor, house_of, visitor

HERE = "/settings/audit"
_ROWS = 50
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
    async with house_of(request).db.reading() as tx:
        found = await audit.page(tx, who.actor, wanted, Window(_ROWS, before))
        offered = await _offered(tx, who)
    return page(
        request,
        "audit.html",
        place="Settings",
        here=HERE,
        asked=asked,
        faults=faults,
        filtered=any(asked.values()),
        lines=[_shown(who, asked, line) for line in found.items],
        offered=_with_asked(offered, asked["who"], found.items),
        nouns=NOUNS,
        newest_url=_address(asked) if before else "",
        next_url=_address(asked, before=f"{found.next.number}.{found.next.id}") if found.next else "",
        **who.frame,
    )


def _filter(asked: Mapping[str, str], zone: ZoneInfo) -> tuple[Filter, dict[str, str]]:
    """What is asked for, and what of it cannot be read: that is shown beside its field, and does not count."""
    days: dict[str, int] = {}
    faults: dict[str, str] = {}
    for name, later in (("from", 0), ("to", 1)):
        try:
            if asked[name]:
                days[name] = day_begins(date.fromisoformat(asked[name]) + timedelta(days=later), zone)
        except (ValueError, OverflowError):
            faults[name] = "Write a day like 2026-11-21."
    noun = asked["what"]
    wanted = Filter(
        actor_id=asked["who"],
        action=noun if "." in noun else "",
        resource_type=noun if "." not in noun else "",
        resource_id=asked["thing"],
        since=days.get("from"),
        until=days.get("to"),
    )
    return wanted, faults


async def _offered(tx: Reading, who: Visitor) -> dict[str, str]:
    """Whom one can choose: the people and keys that the visitor may see, by id."""
    offered: dict[str, str] = {}
    if Permission.PEOPLE_READ in who.actor.permissions:
        offered |= {user.id: user.name for user in (await people.page(tx, who.actor, Window(_OFFERED))).items}
    if Permission.KEYS_READ in who.actor.permissions:
        offered |= {key.id: f"{key.name} (API key)" for key in await keys.live(tx, who.actor)}
    return offered


def _with_asked(offered: dict[str, str], asked: str, found: Any) -> dict[str, str]:
    """Also who is asked for and not among them: someone gone, or a link."""
    if asked and asked not in offered:
        offered[asked] = next((who_of(line.hand) for line in found), asked)
    return offered


def _shown(who: Visitor, asked: Mapping[str, str], line: Entry) -> dict[str, Any]:
    return {
        "when": moment(line.at, who.customer.time_zone),
        "who": who_of(line.hand),
        "by": line.hand.by,
        "who_url": _address(asked, who=line.hand.id) if line.hand.id else "",
        "did": did(line.action),
        "name": line.resource_name,
        "herself": line.resource_id == line.hand.id,
        "thing": line.resource_id,
        "thing_url": _address(asked, thing=line.resource_id),
        "changed": ", ".join(line.changed),
        "address": line.hand.address,
        "request": line.hand.request_id,
    }


def _address(asked: Mapping[str, str], **more: str) -> str:
    given = {name: value for name, value in ({**asked} | more).items() if value}
    return f"{HERE}?{urlencode(given)}" if given else HERE


HANDLERS = [audit_page]
