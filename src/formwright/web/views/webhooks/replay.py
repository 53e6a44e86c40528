"""Webhooks: replay past events, and rotate the secret."""

from collections.abc import Mapping
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
from formwright.web.templating import render_view, start_of_day
from formwright.web.views.webhooks.list import PATH as WEBHOOKS_PATH
from formwright.web.views.webhooks.list import redirect_with_secret

PATH = WEBHOOKS_PATH + "/{subscriber_id:str}"
_HOUR_MS = 3_600_000
OVERLAPS = {"24": "For 1 day", "168": "For 7 days", "0": "Revoke now"}
"""How long the old secret stays valid: hours, and the label."""


@dataclass(frozen=True, slots=True)
class _ReplayForm:
    """The submitted start of the replay: a day, or the number of an event."""

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


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """The form that replays past events, with the result of the last replay."""

    list_url: str
    here: str
    name: str
    typed: _ReplayForm
    faults: Mapping[str, str]
    done: Replay | None


@get(PATH + "/replay")
async def replay_page(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[str]:
    """The form that replays past events."""
    return await _render(request, await require_visitor(request), subscriber_id, _ReplayForm())


async def _render(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    subscriber_id: str,
    form: _ReplayForm,
    *,
    faults: Mapping[str, str] | None = None,
    done: Replay | None = None,
) -> Response[str]:
    allow(visitor.actor, Permission.WEBHOOKS_MANAGE)
    async with get_app_context(request).db.reading() as tx:
        subscriber = await webhooks.get(tx, visitor.actor, subscriber_id=subscriber_id)
    view_model = ReplayPage(
        list_url=WEBHOOKS_PATH,
        here=f"{WEBHOOKS_PATH}/{subscriber.id}",
        name=subscriber.name,
        typed=form,
        faults=faults or {},
        done=done,
    )
    status = 422 if faults else 200
    return render_view(request, "webhooks/replay.html", view_model, visitor=visitor, section="Settings", status=status)


@post(PATH + "/replay", status_code=200)
async def replay_events(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[Any]:
    """Queue the matching events from there on again, say how many, and offer to replay the rest."""
    visitor, ctx, sent = await require_visitor(request), get_app_context(request), await request.form()
    form = _ReplayForm(*(str(sent.get(name, "")).strip() for name in ("by", "day", "after")))
    try:
        replay_request = form.to_request(ZoneInfo(visitor.customer.time_zone))
        async with ctx.db.writing() as tx:
            done = await redelivery.replay(tx, visitor.actor, replay_request, subscriber_id=subscriber_id)
    except Invalid as error:
        async with ctx.db.reading() as tx:
            oldest = await event_log.oldest_sequence(tx, visitor.actor)
        return await _render(request, visitor, subscriber_id, form, faults=_fault_texts(error, oldest))
    return await _render(request, visitor, subscriber_id, _ReplayForm("event", "", str(done.through + 1)), done=done)


def _fault_texts(error: Invalid, oldest: int | None) -> dict[str, str]:
    fields = {"/since": "day", "/afterSequence": "after"}
    expired = f"Older events have expired. Replay from event {oldest} or later."
    return {
        fields.get(fault.pointer, fault.pointer[1:]): expired if fault.code == "replay.not_kept" else fault.detail
        for fault in error.faults
    }


@post(PATH + "/secret", status_code=303)
async def rotate_secret(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Redirect:
    """Rotate the secret and redirect to the webhook's page, which shows the new one once."""
    visitor, ctx, form = await require_visitor(request), get_app_context(request), await request.form()
    hours = next((hours for hours in OVERLAPS if hours == form.get("overlap")), "24")
    async with ctx.db.writing() as tx:
        subscriber, secret = await secret_rotation.rotate(
            tx, visitor.actor, subscriber_id=subscriber_id, overlap_ms=int(hours) * _HOUR_MS, secret_box=ctx.secret_box
        )
    return redirect_with_secret(ctx, subscriber, secret)


HANDLERS = [replay_page, replay_events, rotate_secret]
