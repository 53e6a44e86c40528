"""Emails to the visitor about the new submissions of a form: the menu above the list, and its choice."""

from typing import Any

from litestar import Request, post
from litestar.params import FromPath
from litestar.response import Redirect

from formwright.domain.submission_alerts import service as alerts
from formwright.domain.submission_alerts.models import AlertFrequency
from formwright.web.session import get_app_context, require_visitor
from formwright.web.views.form_input import read_text

FREQUENCIES = {"": "Never", AlertFrequency.IMMEDIATE: "At once", AlertFrequency.DAILY: "Daily"}
NOTICES = {
    "off": "You get no emails about new submissions.",
    AlertFrequency.IMMEDIATE.lower(): "You get an email when there are new submissions, at most one per minute.",
    AlertFrequency.DAILY.lower(): "You get an email at 7:00 if there are new submissions.",
}


@post("/forms/{form_id:str}/alert", status_code=303)
async def set_alert(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Set how often the visitor gets emails about the new submissions of a form; anything unknown means never."""
    visitor, sent = await require_visitor(request), read_text(await request.form(), "frequency", 20)
    frequency = AlertFrequency(sent) if sent in set(AlertFrequency) else None
    async with get_app_context(request).db.writing() as tx:
        await alerts.set_frequency(tx, visitor.actor, frequency, form_id=form_id)
    return Redirect(f"/submissions?form={form_id}&alert={(frequency or 'off').lower()}", status_code=303)


HANDLERS = [set_alert]
