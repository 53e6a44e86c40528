"""Emails to the visitor about the new submissions of a form: the menu above the list, and its choice."""

from formwright.domain.submission_alerts import service as alerts
from formwright.domain.submission_alerts.models import AlertFrequency
from formwright.web.http import Redirect, post
from formwright.web.page import Page
from formwright.web.views.form_input import read_text

FREQUENCIES = {"": "Never", AlertFrequency.IMMEDIATE: "At once", AlertFrequency.DAILY: "Daily"}
NOTICES = {
    "off": "You get no emails about new submissions.",
    AlertFrequency.IMMEDIATE.lower(): "You get an email when there are new submissions, at most one per minute.",
    AlertFrequency.DAILY.lower(): "You get an email at 7:00 if there are new submissions.",
}


@post("/forms/{form_id:str}/alert")
async def set_alert(page: Page, form_id: str) -> Redirect:
    """Set how often the visitor gets emails about the new submissions of a form; anything unknown means never."""
    sent = read_text(await page.form(), "frequency", 20)
    frequency = AlertFrequency(sent) if sent in set(AlertFrequency) else None
    async with page.writing() as tx:
        await alerts.set_frequency(tx, page.actor, frequency, form_id=form_id)
    return Redirect(f"/submissions?form={form_id}&alert={(frequency or 'off').lower()}")
