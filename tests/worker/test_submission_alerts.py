"""Emails about new submissions: who gets them, how many, and what counts as new."""

import uuid
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX
from factories.submissions import started, submission
from factories.users import built_in, user
from factories.web_client import visit

from formwright.core.clock import to_milliseconds
from formwright.core.pagination import Window
from formwright.domain.mail import service as mails
from formwright.domain.submission_alerts.models import AlertFrequency, next_due
from formwright.worker.submission_alerts import SubmissionAlerts


async def run(account: Account) -> None:
    """Let the alerts of the account be due, and run the worker."""
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE submission_alerts SET due = 0 WHERE customer_id = $1", account.id)
        await tx.execute("UPDATE due_work SET due = 0 WHERE kind = 'SUBMISSION_ALERT' AND customer_id = $1", account.id)
    worker = SubmissionAlerts(account.ctx)
    while await worker.run_batch():
        pass


async def subjects(account: Account) -> list[tuple[str, str]]:
    """Return address and subject of the account's emails about submissions, oldest first."""
    async with account.ctx.db.reading() as tx:
        found = (await mails.page(tx, account.actor, Window(100))).items
    return [(mail.address, mail.subject) for mail in reversed(found) if mail.purpose == "submission_alert"]


async def ask(account: Account, form_id: str, frequency: str, user_id: str = "") -> str:
    async with visit(account, user_id) as site:
        response = await site.post(f"/forms/{form_id}/alert", {"frequency": frequency})
        return (
            (await site.http.get(response.headers["location"])).text
            if response.is_redirect
            else str(response.status_code)
        )


async def test_only_what_arrived_since_the_last_email_is_counted(account: Account, stranger: Account) -> None:
    new_form, other = await form(account, name="Round {count}\n<b>"), await form(account)
    await submission(account, new_form)
    assert "at most one per minute" in await ask(account, new_form["id"], "IMMEDIATE")
    await run(account)
    assert await subjects(account) == []
    first = await submission(account, new_form)
    await submission(account, new_form, submittedAt="2020-01-01T00:00:00Z")
    await submission(account, other)
    await started(account, new_form, str(uuid.uuid4()))
    await submission(stranger, await form(stranger))
    await run(account)
    assert await subjects(account) == [(account.owner.email, "2 new: Round {count} <b>")]
    path = f"{PREFIX}/customers/{account.id}/submissions/{first['id']}"
    assert (await account.api.put(path, json={"status": "APPROVED"})).is_success
    await run(account)
    assert len(await subjects(account)) == 1
    # One that was submitted and approved between two emails is new.
    last = await submission(account, new_form)
    path = f"{PREFIX}/customers/{account.id}/submissions/{last['id']}"
    assert (await account.api.put(path, json={"status": "APPROVED"})).is_success
    await run(account)
    assert (await subjects(account))[1:] == [(account.owner.email, "1 new: Round {count} <b>")]
    assert "no emails about new submissions" in await ask(account, new_form["id"], "SOMETIMES")
    await submission(account, new_form)
    await run(account)
    assert len(await subjects(account)) == 2
    assert await subjects(stranger) == []


async def test_only_people_who_may_see_the_submissions_are_told(account: Account, stranger: Account) -> None:
    new_form, other = await form(account), await form(account)
    viewer = await built_in(account, "Data viewer")
    someone = await user(account, "Ann")
    path = f"{PREFIX}/customers/{account.id}/users/{someone.id}"
    grant = {"roleId": viewer, "resource": {"type": "form", "id": new_form["id"]}}
    assert (await account.api.put(path, json={"grants": [grant]})).is_success
    assert await ask(account, other["id"], "DAILY", someone.id) == "404"
    assert await ask(account, (await form(stranger))["id"], "DAILY") == "404"
    assert "at 7:00" in await ask(account, new_form["id"], "DAILY", someone.id)
    assert (await account.api.put(path, json={"grants": []})).is_success
    await submission(account, new_form)
    await run(account)
    assert await subjects(account) == []
    assert (await account.api.put(path, json={"grants": [grant]})).is_success
    await submission(account, new_form)
    await run(account)
    assert await subjects(account) == [(someone.email, f"1 new: {new_form['name']}")]


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-03-28T06:59", "2026-03-28T07:00"),
        ("2026-03-28T07:00", "2026-03-29T07:00"),
        ("2026-10-24T23:00", "2026-10-25T07:00"),
    ],
)
def test_daily_emails_are_due_in_the_morning_of_the_account(now: str, due: str) -> None:
    zone = "Europe/Berlin"
    times = [to_milliseconds(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))) for text in (now, due)]
    assert next_due(AlertFrequency.DAILY, times[0], zone) == times[1]
    assert datetime.fromtimestamp(times[1] / 1000, UTC).minute == 0
