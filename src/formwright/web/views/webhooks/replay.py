"""Webhooks: replay past events, and rotate the secret."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.webhooks import event_log, redelivery, secret_rotation
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.redelivery import Replay, ReplayRequest
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.templating import start_of_day
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
            # People enter the first event to send, and the service starts after an event.
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
async def replay_page(page: Page, subscriber_id: str) -> Response:
    """The form that replays past events."""
    return await _render(page, subscriber_id, _ReplayForm())


async def _render(
    page: Page,
    subscriber_id: str,
    form: _ReplayForm,
    *,
    faults: Mapping[str, str] | None = None,
    done: Replay | None = None,
) -> Response:
    allow(page.actor, Permission.WEBHOOKS_MANAGE)
    subscriber = await webhooks.get(page.tx, page.actor, subscriber_id=subscriber_id)
    view_model = ReplayPage(
        list_url=WEBHOOKS_PATH,
        here=f"{WEBHOOKS_PATH}/{subscriber.id}",
        name=subscriber.name,
        typed=form,
        faults=faults or {},
        done=done,
    )
    status = 422 if faults else 200
    return page.render("webhooks/replay.html", view_model, section="Settings", status=status)


@post(PATH + "/replay")
async def replay_events(page: Page, subscriber_id: str) -> Response:
    """Queue the matching events from there on again, say how many, and offer to replay the rest."""
    sent = await page.form()
    form = _ReplayForm(*(str(sent.get(name, "")).strip() for name in ("by", "day", "after")))
    try:
        replay_request = form.to_request(ZoneInfo(page.visitor.customer.time_zone))
        async with page.writing() as tx:
            done = await redelivery.replay(tx, page.actor, replay_request, subscriber_id=subscriber_id)
    except Invalid as error:
        oldest = await event_log.oldest_sequence(page.tx, page.actor)
        return await _render(page, subscriber_id, form, faults=_fault_texts(error, oldest))
    return await _render(page, subscriber_id, _ReplayForm("event", "", str(done.through + 1)), done=done)


def _fault_texts(error: Invalid, oldest: int | None) -> dict[str, str]:
    fields = {"/since": "day", "/afterSequence": "after"}
    expired = f"Older events have expired. Replay from event {oldest} or later."
    return {
        fields.get(fault.pointer, fault.pointer[1:]): expired if fault.code == "replay.not_kept" else fault.detail
        for fault in error.faults
    }


@post(PATH + "/secret")
async def rotate_secret(page: Page, subscriber_id: str) -> Redirect:
    """Rotate the secret and redirect to the webhook's page, which shows the new one once."""
    form = await page.form()
    hours = next((hours for hours in OVERLAPS if hours == form.get("overlap")), "24")
    async with page.writing() as tx:
        subscriber, secret = await secret_rotation.rotate(
            tx,
            page.actor,
            subscriber_id=subscriber_id,
            overlap_ms=int(hours) * _HOUR_MS,
            secret_box=page.ctx.secret_box,
        )
    return redirect_with_secret(page.ctx, subscriber, secret)
