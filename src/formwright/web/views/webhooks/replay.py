"""What of the log is sent to a subscriber once more, and another secret for it."""

from dataclasses import dataclass
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.webhooks import event_log, redelivery, secret_rotation
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.redelivery import Replay, ReplayRequest
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import render_page, start_of_day
from formwright.web.views.webhooks.list import PATH as LIST
from formwright.web.views.webhooks.list import redirect_with_secret

PATH = LIST + "/{subscriber_id:str}"
_HOUR_MS = 3_600_000
OVERLAPS = {"24": "For 1 day", "168": "For 7 days", "0": "Revoke now"}
"""For how long the old secret signs too, in hours."""


@dataclass(frozen=True, slots=True)
class _ReplayForm:
    """From where on, as it was typed."""

    by: str = "day"
    day: str = ""
    after: str = ""

    def to_request(self, zone: ZoneInfo) -> ReplayRequest:
        if self.by == "event":
            if not (self.after.isascii() and self.after.isdigit() and len(self.after) < 19):
                raise Invalid.at("/after", "value.invalid", "Enter an event number, such as 4711.")
            return ReplayRequest(after=int(self.after) - 1 if int(self.after) else 0)
        try:
            return ReplayRequest(since=start_of_day(date.fromisoformat(self.day), zone))
        except (ValueError, OverflowError):
            raise Invalid.at("/day", "value.invalid", "Choose a date.") from None


@get(PATH + "/replay")
async def replay_page(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[str]:
    """From where on events are sent again."""
    return await _render(request, await require_visitor(request), subscriber_id, _ReplayForm())


async def _render(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    subscriber_id: str,
    asked: _ReplayForm,
    *,
    faults: dict[str, str] | None = None,
    done: Replay | None = None,
) -> Response[str]:
    allow(visitor.actor, Permission.WEBHOOKS_MANAGE)
    async with get_app_context(request).db.reading() as tx:
        one = await webhooks.get(tx, visitor.actor, subscriber_id=subscriber_id)
    return render_page(
        request,
        "webhooks/replay.html",
        422 if faults else 200,
        place="Settings",
        list=LIST,
        here=f"{LIST}/{one.id}",
        one=one,
        asked=asked,
        faults=faults or {},
        done=done,
        **visitor.template_frame,
    )


@post(PATH + "/replay", status_code=200)
async def replay_events(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[Any]:
    """Send what the subscriber wants of the log from there on once more; says how many, and offers the rest."""
    visitor, ctx, sent = await require_visitor(request), get_app_context(request), await request.form()
    asked = _ReplayForm(*(str(sent.get(name, "")).strip() for name in ("by", "day", "after")))
    try:
        wish = asked.to_request(ZoneInfo(visitor.customer.time_zone))
        async with ctx.db.writing() as tx:
            done = await redelivery.replay(tx, visitor.actor, wish, subscriber_id=subscriber_id)
    except Invalid as error:
        async with ctx.db.reading() as tx:
            oldest = await event_log.oldest_sequence(tx, visitor.actor)
        where = {"/since": "day", "/afterSequence": "after"}
        kept = f"Older events have expired. Replay from event {oldest} or later."
        told = {
            where.get(fault.pointer, fault.pointer[1:]): kept if fault.code == "replay.not_kept" else fault.detail
            for fault in error.faults
        }
        return await _render(request, visitor, subscriber_id, asked, faults=told)
    return await _render(request, visitor, subscriber_id, _ReplayForm("event", "", str(done.through + 1)), done=done)


@post(PATH + "/secret", status_code=303)
async def rotate_secret(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Redirect:
    """Another secret, and go where it is shown once."""
    visitor, ctx, sent = await require_visitor(request), get_app_context(request), await request.form()
    hours = next((hours for hours in OVERLAPS if hours == sent.get("overlap")), "24")
    async with ctx.db.writing() as tx:
        one, secret = await secret_rotation.rotate(
            tx, visitor.actor, subscriber_id=subscriber_id, overlap_ms=int(hours) * _HOUR_MS, secret_box=ctx.secret_box
        )
    return redirect_with_secret(ctx, one, secret)


HANDLERS = [replay_page, replay_events, rotate_secret]
