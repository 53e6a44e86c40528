"""The overview: the page on which people start."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from formwright.core.auth.permissions import Permission
from formwright.domain.overview import checklist
from formwright.domain.overview import service as overview
from formwright.domain.overview.checklist import Step
from formwright.domain.overview.models import DAYS, MAX_COUNT, MAX_PER_DAY, DormantForm, Overview
from formwright.domain.tasks import respond
from formwright.domain.webhooks.models import Subscriber
from formwright.web.charts import Chart, ChartKind, ChartSeries
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import HOME, Visitor
from formwright.web.views.invites.labels import STATUS_LABELS, StatusLabel
from formwright.web.views.webhooks.delivery_health import HealthLabel, describe_health

_FIGURES = frozenset(
    {Permission.SUBMISSIONS_READ, Permission.TASKS_READ, Permission.INVITES_READ, Permission.WEBHOOKS_READ}
)
"""The permissions for the lists that the overview counts."""
_STEPS = {
    Step.FORM: ("Create a form", "Start with a blank form, a template or an Excel file.", "/forms/new"),
    Step.SHARE: ("Publish and share it", "Anyone with its link can respond. You can also invite people.", "/forms"),
    Step.RESPONSE: ("Get the first response", "Fill in the form yourself to see what arrives.", "/submissions"),
    Step.CONNECT: ("Connect a system", "Add an API key or a webhook to use responses elsewhere.", "/settings"),
}
"""The label, the text and the URL of each step."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A number with its label, and the list that it counts. `look` is the CSS class of numbers that need somebody.

    With `is_alert`, it has a bell.
    """

    number: str
    label: str
    url: str
    look: str = ""
    is_alert: bool = False


@dataclass(frozen=True, slots=True)
class InviteRow:
    """The number of invites with a status, and the URL of their list."""

    status: StatusLabel
    count: str
    url: str


@dataclass(frozen=True, slots=True)
class FailingRow:
    """A webhook that fails, with what waits for it."""

    name: str
    url: str
    health: HealthLabel
    backlog: str
    reason: str


@dataclass(frozen=True, slots=True)
class DormantRow:
    """A form that stopped receiving, and the URL of its submissions."""

    name: str
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class ChecklistRow:
    """A step of the checklist: what to do, why, and where."""

    label: str
    text: str
    url: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """The view model of the page. What the visitor may not see is None; `chart` is None without submissions, too.

    `is_dismissed`: the visitor has hidden the checklist, and can show it again.
    """

    checklist: Sequence[ChecklistRow]
    is_dismissed: bool
    tiles: Sequence[Tile]
    chart: Chart | None
    invites: Sequence[InviteRow] | None
    failing: Sequence[FailingRow] | None
    dormant: Sequence[DormantRow] | None
    may_create_forms: bool
    is_empty: bool


@get(HOME)
async def overview_page(page: Page) -> Response:
    """What the account received, what waits for somebody, and what does not work.

    People who only fill in forms start with the list of these.
    """
    if not _FIGURES & page.actor.permissions:
        return Redirect("/forms")
    now = page.ctx.clock.now()
    found = await overview.load(page.tx, page.actor, time_zone=page.visitor.customer.time_zone, now=now)
    to_do = await checklist.load(page.tx, page.actor)
    own_tasks = len(await respond.list_assigned(page.tx, page.visitor.customer.id, page.visitor.user.id))
    tiles = list(_list_tiles(found, own_tasks))
    chart = _submissions_chart(found.days, found.per_day) if found.per_day and any(found.per_day) else None
    view_model = OverviewPage(
        checklist=[ChecklistRow(*_STEPS[step], is_done) for step, is_done in to_do.steps.items()],
        is_dismissed=to_do.is_dismissed,
        tiles=tiles,
        chart=chart,
        invites=_invite_rows(found) if found.invites else None,
        failing=[_failing_row(page.visitor, one, backlog, now) for one, backlog in found.failing or ()],
        dormant=[_dormant_row(one) for one in found.dormant or ()],
        may_create_forms=page.visitor.may_everywhere(Permission.FORMS_EDIT),
        is_empty=not (chart or found.invites or found.failing or found.dormant or any(t.number != "0" for t in tiles)),
    )
    return page.render("overview.html", view_model, section="Overview")


@post(f"{HOME}/checklist/dismiss")
async def dismiss_checklist(page: Page) -> Redirect:
    """Hide the checklist for this person."""
    async with page.writing() as tx:
        await checklist.dismiss(tx, page.actor)
    return Redirect(HOME)


@post(f"{HOME}/checklist/restore")
async def restore_checklist(page: Page) -> Redirect:
    """Show the checklist to this person again."""
    async with page.writing() as tx:
        await checklist.restore(tx, page.actor)
    return Redirect(f"{HOME}#checklist")


def _list_tiles(found: Overview, own_tasks: int) -> Iterator[Tile]:
    if found.per_day is not None:
        more = "+" if max(found.per_day) > MAX_PER_DAY else ""
        received = sum(min(count, MAX_PER_DAY) for count in found.per_day)
        yield Tile(f"{received:,}{more}", f"Submissions in the last {DAYS} days", f"/submissions?days={DAYS}")
    if found.failing:
        label = "Failing webhook" if len(found.failing) == 1 else "Failing webhooks"
        yield Tile(f"{len(found.failing):,}", label, "/settings/connections/webhooks", "bad", is_alert=True)
    if found.waiting is not None:
        yield Tile(_bounded(found.waiting), "Waiting for review", "/submissions?status=SUBMITTED")
    if found.overdue is not None:
        yield Tile(_bounded(found.overdue), "Overdue tasks", "/tasks?overdue=1", "bad" if found.overdue else "")
    if own_tasks:
        yield Tile(f"{own_tasks:,}", "My open tasks", "/my/tasks")


def _bounded(count: int) -> str:
    return f"{MAX_COUNT:,}+" if count > MAX_COUNT else f"{count:,}"


def _submissions_chart(days: Sequence[date], per_day: Sequence[int]) -> Chart:
    labels = [f"{day.day} {day:%b}" for day in days]
    most = max(per_day)
    best = labels[list(per_day).index(most)]
    if most > MAX_PER_DAY:
        text = f"Days with more than {MAX_PER_DAY:,} submissions are shown as {MAX_PER_DAY:,}."
    else:
        text = f"{sum(per_day):,} in {DAYS} days. Most on {best}: {most:,}."
    values = [min(count, MAX_PER_DAY) for count in per_day]
    series = [ChartSeries("Submissions", values)]
    return Chart("submissions-per-day", "Submissions per day", ChartKind.COLUMNS, "Day", labels, series, text)


def _invite_rows(found: Overview) -> list[InviteRow]:
    counts = found.invites or {}
    return [
        InviteRow(label, _bounded(counts[status]), f"/invites?status={status.value}")
        for status, label in STATUS_LABELS.items()
        if counts.get(status)
    ]


def _failing_row(visitor: Visitor, subscriber: Subscriber, backlog: int, now: int) -> FailingRow:
    waiting = f"{_bounded(backlog)} {'delivery' if backlog == 1 else 'deliveries'} waiting" if backlog else ""
    return FailingRow(
        name=subscriber.name,
        url=f"/settings/connections/webhooks/{subscriber.id}",
        health=describe_health(subscriber, now, visitor.customer.time_zone),
        backlog=waiting,
        reason=subscriber.reason or "",
    )


def _dormant_row(dormant: DormantForm) -> DormantRow:
    usual = "every day" if dormant.usual_gap == 1 else f"at least every {dormant.usual_gap} days"
    last = dormant.last_day
    text = f"Nothing for {dormant.silent_days} days, since {last.day} {last:%b %Y}. Before, it received {usual}."
    return DormantRow(dormant.form.name, f"/submissions?form={dormant.form.id}", text)
