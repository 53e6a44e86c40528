"""Tasks: a calendar of a month with the tasks that are due on each day."""

from calendar import Calendar
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.forms import service as forms
from formwright.domain.tasks import service as tasks
from formwright.web.http import Response, get
from formwright.web.page import Page
from formwright.web.templating import start_of_day
from formwright.web.views.autocomplete import list_visible_people, names_by_id
from formwright.web.views.list_pages import ListFilter, list_url, read_list_request
from formwright.web.views.tasks.assigned import (
    FILTER_NAMES,
    TaskView,
    filter_fields,
    list_assignee_ids,
    parse_filter,
    task_view,
)
from formwright.web.views.tasks.assigned import PATH as TASKS_PATH

PATH = TASKS_PATH + "/calendar"
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_FIRST_YEAR, _LAST_YEAR = 1971, 9998


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day and the tasks that are due on it, the earliest first. Days of other months have none."""

    number: int
    title: str
    is_in_month: bool
    is_today: bool
    tasks: Sequence[TaskView]


@dataclass(frozen=True, slots=True)
class TaskCalendarPage:
    """The calendar of a month. `has_more` is set if it has more tasks than are shown."""

    title: str
    weeks: Sequence[Sequence[CalendarDay]]
    weekdays: Sequence[str]
    count: int
    has_more: bool
    filter: ListFilter
    previous_url: str
    next_url: str
    today_url: str
    list_url: str
    may_manage: bool


@get(PATH)
async def task_calendar_page(page: Page) -> Response:
    """The tasks due in the month `?month=YYYY-MM`, by default the current one, with the filters of the list."""
    scope, zone = allow(page.actor, Permission.TASKS_READ), ZoneInfo(page.visitor.customer.time_zone)
    request = read_list_request(page, PATH, *FILTER_NAMES)
    filters = request.values
    today = datetime.fromtimestamp(page.ctx.clock.now() / 1000, zone).date()
    first = _parse_month(page.query.get("month", ""), today)
    filter_ = replace(
        parse_filter(filters), due_from=start_of_day(first, zone), due_to=start_of_day(_add_month(first, 1), zone)
    )
    found = await tasks.page(page.tx, page.actor, Window(MAX_LIMIT), filter_)
    form_ids = {task.form_id for task in found.items} | ({filters["form"]} - {""})
    form_names = {form_id: form.name for form_id in form_ids if (form := await forms.find(page.tx, scope, form_id))}
    user_ids = list_assignee_ids(found.items) | ({filters["person"]} - {""})
    people = names_by_id(await list_visible_people(page.tx, page.visitor, user_ids))
    by_day: dict[date, list[TaskView]] = {}
    for task in sorted(found.items, key=lambda task: (task.due_at or 0, task.id)):
        day = datetime.fromtimestamp((task.due_at or 0) / 1000, zone).date()
        by_day.setdefault(day, []).append(task_view(page.visitor, task, form_names, people))
    view_model = TaskCalendarPage(
        title=f"{first:%B %Y}",
        weeks=_build_weeks(first, today, by_day),
        weekdays=_WEEKDAYS,
        count=len(found.items),
        has_more=found.next is not None,
        filter=replace(
            request.build_filter(filter_fields(form_names, people), {}),
            hidden=[("month", f"{first:%Y-%m}")],
            clear_url=_month_url(first, {}),
        ),
        previous_url=_month_url(_add_month(first, -1), filters),
        next_url=_month_url(_add_month(first, 1), filters),
        today_url=list_url(PATH, filters),
        list_url=list_url(TASKS_PATH, filters),
        may_manage=Permission.TASKS_MANAGE in page.actor.permissions,
    )
    return page.render("tasks/calendar.html", view_model, section="Tasks")


def _parse_month(text: str, today: date) -> date:
    """Return the first day of the month; that of today if the text is no month."""
    try:
        first = date.fromisoformat(f"{text}-01")
    except ValueError:
        return today.replace(day=1)
    return first if _FIRST_YEAR <= first.year <= _LAST_YEAR else today.replace(day=1)


def _add_month(first: date, months: int) -> date:
    return (first + timedelta(days=31) if months > 0 else first - timedelta(days=1)).replace(day=1)


def _month_url(first: date, filters: Mapping[str, str]) -> str:
    return list_url(PATH, filters, month=f"{first:%Y-%m}")


def _build_weeks(first: date, today: date, by_day: Mapping[date, Sequence[TaskView]]) -> list[list[CalendarDay]]:
    return [
        [
            CalendarDay(
                number=day.day,
                title=f"{day:%A}, {day.day} {day:%B}",
                is_in_month=day.month == first.month,
                is_today=day == today,
                tasks=by_day.get(day, ()),
            )
            for day in week
        ]
        for week in Calendar().monthdatescalendar(first.year, first.month)
    ]
