"""Tasks: the list of assigned tasks with their progress, and the page of one task."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import NEWEST_FIRST
from formwright.domain.forms import service as forms
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.models import (
    ENDED_STATUSES,
    RUNNING_STATUSES,
    CompleteWhen,
    Fulfilment,
    Task,
    TaskChange,
    TaskCount,
    TaskFilter,
    TaskStatus,
)
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_optional_time, format_time
from formwright.web.views.autocomplete import (
    assignable_names,
    list_visible_groups,
    list_visible_people,
    names_by_id,
    search_urls,
)
from formwright.web.views.form_input import faults_by_field, read_text
from formwright.web.views.list_pages import FilterField, ListPage, list_url, read_list_request

PATH = "/tasks"
_LISTED_PEOPLE = 3
FILTER_NAMES = ("form", "status", "person", "overdue")
_SOMEONE = "someone else"
STATUS_LABELS = {
    TaskStatus.SCHEDULED: ("Scheduled", "draft"),
    TaskStatus.OPEN: ("Open", "waiting"),
    TaskStatus.IN_PROGRESS: ("In progress", "started"),
    TaskStatus.COMPLETED: ("Completed", "approved"),
    TaskStatus.DECLINED: ("Declined", "rejected"),
    TaskStatus.REVOKED: ("Revoked", "archived"),
}
"""The label and the CSS class of each status."""


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task as the list and its own page show it."""

    url: str
    form: str
    status: tuple[str, str]
    assignees: str
    message: str
    due: DisplayTime | None
    publish: DisplayTime | None
    created: DisplayTime
    is_overdue: bool
    reason: str
    needs_everyone: bool
    is_running: bool
    has_ended: bool


@dataclass(frozen=True, slots=True)
class CountRow:
    """How many tasks a form or a person has, and the URL of their list."""

    name: str
    count: TaskCount
    url: str


@dataclass(frozen=True, slots=True)
class TaskListPage:
    """The list of tasks."""

    tasks: ListPage[TaskView]
    by_form: Sequence[CountRow]
    by_person: Sequence[CountRow]
    calendar_url: str
    may_manage: bool


@get(PATH)
async def tasks_page(page: Page) -> Response:
    """The account's tasks, newest first, filtered by form, status, person and overdue, and their counts."""
    scope = allow(page.actor, Permission.TASKS_READ)
    request = read_list_request(page, PATH, *FILTER_NAMES)
    filter_ = replace(parse_filter(request.values), times=NEWEST_FIRST)
    found = await tasks.page(page.tx, page.actor, request.window, filter_)
    by_form = await tasks.count_tasks(page.tx, page.actor)
    by_user = await tasks.count_tasks(page.tx, page.actor, by_user=True)
    form_ids = {task.form_id for task in found.items} | {count.id for count in by_form}
    form_names = {form_id: form.name for form_id in form_ids if (form := await forms.find(page.tx, scope, form_id))}
    user_ids = list_assignee_ids(found.items) | {count.id for count in by_user}
    people = names_by_id(await list_visible_people(page.tx, page.visitor, user_ids))
    rows = [task_view(page.visitor, task, form_names, people) for task in found.items]
    view_model = TaskListPage(
        tasks=request.build(rows, found.next, *filter_fields(form_names, people)),
        by_form=_count_rows(by_form, form_names, "form"),
        by_person=_count_rows(by_user, people, "person"),
        calendar_url=list_url(f"{PATH}/calendar", request.values),
        may_manage=Permission.TASKS_MANAGE in page.actor.permissions,
    )
    return page.render("tasks/assigned.html", view_model, section="Tasks")


def filter_fields(form_names: Mapping[str, str], people: Mapping[str, str]) -> list[FilterField]:
    """Return the fields that filter tasks, with the names of forms and people by id."""
    return [
        FilterField("form", "Form", [*form_names.items()], "All forms"),
        FilterField(
            "status", "Status", [(status, label) for status, (label, _) in STATUS_LABELS.items()], "Any status"
        ),
        FilterField("person", "Person", [*people.items()], "Anyone"),
        FilterField("overdue", "Due", [("1", "Overdue")], "Any time"),
    ]


def parse_filter(filters: Mapping[str, str]) -> TaskFilter:
    """Return the filter of the tasks; unknown values filter nothing."""
    return TaskFilter(
        form_ids=[filters["form"]] if filters["form"] else [],
        statuses=[TaskStatus(filters["status"])] if filters["status"] in set(TaskStatus) else [],
        user_id=filters["person"] or None,
        overdue=True if filters["overdue"] else None,
    )


def task_view(visitor: Visitor, task: Task, form_names: Mapping[str, str], people: Mapping[str, str]) -> TaskView:
    """Return the task as lists show it, with the names of its form and assignees."""
    zone = visitor.customer.time_zone
    return TaskView(
        url=f"{PATH}/{task.id}",
        form=form_names.get(task.form_id, task.form_id),
        status=STATUS_LABELS[task.status],
        assignees=_list_assignees(task, people),
        message=task.message,
        due=format_optional_time(task.due_at, zone),
        publish=format_optional_time(task.publish_at, zone),
        created=format_time(task.created, zone),
        is_overdue=task.overdue and task.status not in ENDED_STATUSES,
        reason=task.reason or "",
        needs_everyone=task.complete_when is CompleteWhen.ALL,
        is_running=task.status in RUNNING_STATUSES,
        has_ended=task.status in ENDED_STATUSES,
    )


def list_assignee_ids(found: Iterable[Task]) -> set[str]:
    """Return the users whose names `task_view` shows."""
    return {each.user_id for task in found for each in task.fulfilments[:_LISTED_PEOPLE]}


def _list_assignees(task: Task, people: Mapping[str, str]) -> str:
    names = [people.get(each.user_id, _SOMEONE) for each in task.fulfilments[:_LISTED_PEOPLE]]
    more = len(task.fulfilments) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _count_rows(counts: Iterable[TaskCount], names: Mapping[str, str], filter_name: str) -> list[CountRow]:
    return [CountRow(names.get(count.id, _SOMEONE), count, list_url(PATH, {filter_name: count.id})) for count in counts]


@dataclass(frozen=True, slots=True)
class FulfilmentRow:
    """What one assignee has done."""

    person: str
    status: tuple[str, str]
    since: DisplayTime | None
    reason: str
    submission_url: str


@dataclass(frozen=True, slots=True)
class TaskPage:
    """One task. `ask` names the dialog that is open."""

    task: TaskView
    fulfilments: Sequence[FulfilmentRow]
    may_manage: bool
    ask: str
    fault: str
    people: Mapping[str, str]
    groups: Mapping[str, str]
    assigned_ids: set[str]
    search_urls: Mapping[str, str]


@get(PATH + "/{task_id:str}")
async def task_page(page: Page, task_id: str) -> Response:
    """One task with the progress of each assignee; `?ask=` opens the dialog to revoke or complete it."""
    return await _render_task(page, task_id)


async def _render_task(page: Page, task_id: str, fault: str = "", status: int = 200) -> Response:
    may_manage = Permission.TASKS_MANAGE in page.actor.permissions
    task = await tasks.get(page.tx, page.actor, task_id=task_id)
    form = await forms.find(page.tx, allow(page.actor, Permission.TASKS_READ), task.form_id)
    users = await list_visible_people(page.tx, page.visitor, task.user_ids)
    groups = await list_visible_groups(page.tx, page.visitor) if may_manage else []
    names = names_by_id(users)
    people, group_names = assignable_names(users, task.user_ids), {group.id: group.name for group in groups}
    view_model = TaskPage(
        task=task_view(page.visitor, task, {task.form_id: form.name if form else ""}, names),
        fulfilments=[_fulfilment_row(page.visitor, each, names) for each in task.fulfilments],
        may_manage=may_manage,
        ask=read_text(page.query, "ask"),
        fault=fault,
        people=people,
        groups=group_names,
        assigned_ids={*task.user_ids, *task.group_ids},
        search_urls=search_urls(f"{PATH}/new", people=people, groups=group_names),
    )
    return page.render("tasks/detail.html", view_model, section="Tasks", status=status)


def _fulfilment_row(visitor: Visitor, fulfilment: Fulfilment, names: Mapping[str, str]) -> FulfilmentRow:
    return FulfilmentRow(
        person=names.get(fulfilment.user_id, _SOMEONE),
        status=STATUS_LABELS[TaskStatus(fulfilment.status)],
        since=format_optional_time(fulfilment.at, visitor.customer.time_zone),
        reason=fulfilment.reason or "",
        submission_url=f"/submissions/{fulfilment.submission_id}" if fulfilment.submission_id else "",
    )


_Action = Callable[[WriteTransaction, Actor], Awaitable[object]]


async def _run_action(page: Page, task_id: str, action: _Action) -> Response:
    """Run the action and redirect to the task. If it fails, show the task with the reason."""
    try:
        async with page.writing() as tx:
            await action(tx, page.actor)
    except (Invalid, Conflict) as error:
        fault = " ".join(faults_by_field(error).values()) or str(error)
        return await _render_task(page, task_id, fault, 422)
    return Redirect(f"{PATH}/{task_id}")


@post(PATH + "/{task_id:str}/revoke")
async def revoke_task(page: Page, task_id: str) -> Response:
    """Revoke a task, with an optional reason."""
    reason = read_text(await page.form(), "reason", 1000) or None
    return await _run_action(page, task_id, partial(tasks.revoke, task_id=task_id, reason=reason))


@post(PATH + "/{task_id:str}/complete")
async def complete_task(page: Page, task_id: str) -> Response:
    """Mark a task as completed, with an optional reason."""
    reason = read_text(await page.form(), "reason", 1000) or None
    return await _run_action(page, task_id, partial(tasks.complete, task_id=task_id, reason=reason))


@post(PATH + "/{task_id:str}/reassign")
async def reassign_task(page: Page, task_id: str) -> Response:
    """Change the assignees of a task."""
    form = await page.form()
    users, groups = ([str(value) for value in form.getall(name, [])] for name in ("users", "groups"))
    change = TaskChange(user_ids=users, group_ids=groups)
    secret_box = page.ctx.secret_box
    action = partial(_reassign, secret_box=secret_box, task_id=task_id, change=change)
    return await _run_action(page, task_id, action)


async def _reassign(
    tx: WriteTransaction, actor: Actor, *, secret_box: SecretBox, task_id: str, change: TaskChange
) -> None:
    await tasks.change(tx, actor, change, secret_box=secret_box, task_id=task_id)
