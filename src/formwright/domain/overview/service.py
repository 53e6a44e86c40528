"""Loads the overview: each figure in the scope in which the actor may read the list it leads to."""

from collections.abc import Sequence
from datetime import date, timedelta

from formwright.core.auth.actor import Actor, is_allowed
from formwright.core.auth.permissions import Permission
from formwright.core.clock import start_of_day, to_local
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormFilter, FormStatus
from formwright.domain.invites import service as invites
from formwright.domain.overview import rhythm
from formwright.domain.overview.models import DAYS, MAX_COUNT, MAX_PER_DAY, DormantForm, Overview
from formwright.domain.submissions import activity
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionFilter, SubmissionStatus
from formwright.domain.tasks import service as tasks
from formwright.domain.webhooks import service as webhooks

_LIMIT = MAX_COUNT + 1
_MAX_DORMANT = 20
_WAITING = SubmissionFilter(statuses=[SubmissionStatus.SUBMITTED])


async def load(tx: ReadTransaction, actor: Actor, *, time_zone: str, now: int) -> Overview:
    """Return the overview at the time `now`; days are those of the time zone. Counting stops after `MAX_COUNT`."""
    today, held = to_local(now, time_zone).date(), actor.permissions
    days = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
    reads_submissions = Permission.SUBMISSIONS_READ in held
    return Overview(
        days=days,
        per_day=await _count_per_day(tx, actor, days, time_zone) if reads_submissions else None,
        waiting=await submissions.count(tx, actor, _WAITING, limit=_LIMIT) if reads_submissions else None,
        overdue=await tasks.count_overdue(tx, actor, limit=_LIMIT) if Permission.TASKS_READ in held else None,
        invites=await invites.count_by_status(tx, actor, limit=_LIMIT) if Permission.INVITES_READ in held else None,
        failing=await webhooks.list_failing(tx, actor, limit=_LIMIT) if Permission.WEBHOOKS_READ in held else None,
        dormant=(
            await _find_dormant(tx, actor, today, time_zone)
            if reads_submissions and Permission.FORMS_READ in held
            else None
        ),
    )


async def _count_per_day(
    tx: ReadTransaction, actor: Actor, days: Sequence[date], time_zone: str, form_id: str | None = None
) -> list[int]:
    bounds = [start_of_day(day, time_zone) or 0 for day in [*days, days[-1] + timedelta(days=1)]]
    limit = 1 if form_id else MAX_PER_DAY + 1
    return await activity.count_by_period(tx, actor, bounds, limit=limit, form_id=form_id)


async def _find_dormant(tx: ReadTransaction, actor: Actor, today: date, time_zone: str) -> list[DormantForm]:
    """Return the forms that stopped receiving, the most recent first, among the newest 1,000 that are published."""
    page = await forms.page(tx, actor, Window(MAX_LIMIT), FormFilter(status=FormStatus.ACTIVE), newest_first=True)
    readable = {
        form.id: form
        for form in page.items
        if form.published_version_id
        and is_allowed(actor, Permission.SUBMISSIONS_READ, form_id=form.id, folder_id=form.folder_id)
    }
    last = {
        form_id: to_local(at, time_zone).date()
        for form_id, at in (await activity.last_received(tx, actor, list(readable))).items()
    }
    silent = {
        form_id: day
        for form_id, day in last.items()
        if rhythm.MIN_SILENT_DAYS <= (today - day).days <= rhythm.MAX_SILENT_DAYS
    }
    newest_first = sorted(silent, key=lambda form_id: silent[form_id], reverse=True)[:_MAX_DORMANT]
    found = [await _examine(tx, actor, readable[one], silent[one], today, time_zone) for one in newest_first]
    return [one for one in found if one]


async def _examine(
    tx: ReadTransaction, actor: Actor, form: Form, last: date, today: date, time_zone: str
) -> DormantForm | None:
    """Return the form if it had a steady rhythm until its last day, and has been silent for longer since."""
    days = [last - timedelta(days=ago) for ago in reversed(range(rhythm.WINDOW_DAYS))]
    received = await _count_per_day(tx, actor, days, time_zone, form.id)
    silence = rhythm.find_silence([day for day, count in zip(days, received, strict=True) if count], today)
    return DormantForm(form, last, *silence) if silence else None
