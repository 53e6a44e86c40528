"""My tasks: the tasks assigned to the visitor. An assignee needs no permission to complete a task."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service as forms
from formwright.domain.tasks import respond
from formwright.domain.tasks.models import Fulfilment, FulfilmentStatus, Task, TaskAnswered, TaskEnded, TaskStatus
from formwright.domain.users import service as people
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_optional_time
from formwright.web.views.form_input import read_text

PATH = "/my/tasks"
_RESPONSE_NOTICES = {
    FulfilmentStatus.COMPLETED: "You completed this task. There’s nothing more to do.",
    FulfilmentStatus.DECLINED: "You declined this task.",
}
_END_NOTICES = {
    TaskStatus.COMPLETED: "This task is already completed.",
    TaskStatus.REVOKED: "This task was revoked. Your response is no longer needed.",
    TaskStatus.DECLINED: "This task has ended.",
}


@dataclass(frozen=True, slots=True)
class MyTaskView:
    """A task as its assignee sees it."""

    url: str
    form: str
    message: str
    due: DisplayTime | None
    is_overdue: bool
    is_started: bool


@dataclass(frozen=True, slots=True)
class MyTaskListPage:
    """The open tasks of the visitor."""

    tasks: Sequence[MyTaskView]
    is_declined: bool


@dataclass(frozen=True, slots=True)
class MyTaskPage:
    """One task of the visitor. `end_notice` is empty while a response is expected."""

    task: MyTaskView
    end_notice: str
    fill_url: str
    assigner: str


@get(PATH)
async def my_tasks_page(page: Page) -> Response:
    """The open tasks of the visitor, earliest due date first."""
    found = await respond.list_assigned(page.tx, page.visitor.customer.id, page.visitor.user.id)
    rows = [await _load_task_view(page.tx, page.visitor, task) for task in found]
    view_model = MyTaskListPage(rows, is_declined=page.query.get("done") == "declined")
    return page.render("tasks/mine.html", view_model, section="My tasks")


async def _load_task_view(tx: ReadTransaction, visitor: Visitor, task: Task) -> MyTaskView:
    form = await forms.find(tx, Scope(visitor.customer.id), task.form_id)
    own = task.fulfilment_of(visitor.user.id)
    return MyTaskView(
        url=f"{PATH}/{task.id}",
        form=form.name if form else "",
        message=task.message,
        due=format_optional_time(task.due_at, visitor.customer.time_zone),
        is_overdue=task.overdue,
        is_started=own is not None and own.status is FulfilmentStatus.IN_PROGRESS,
    )


@get(PATH + "/{task_id:str}")
async def my_task_page(page: Page, task_id: str) -> Response:
    """One task of the visitor, to fill in the form or decline."""
    task, own = await respond.get_assigned(page.tx, page.visitor.customer.id, page.visitor.user.id, task_id)
    view = await _load_task_view(page.tx, page.visitor, task)
    assigner = await _load_assigner_name(page.tx, page.visitor, task)
    awaited = respond.can_respond(task, own)
    view_model = MyTaskPage(
        view,
        end_notice="" if awaited else _end_notice(task, own),
        fill_url=f"/fill/{own.link}" if awaited else "",
        assigner=assigner,
    )
    return page.render("tasks/my_task.html", view_model, section="My tasks")


def _end_notice(task: Task, own: Fulfilment) -> str:
    return _RESPONSE_NOTICES.get(own.status) or _END_NOTICES[task.status]


async def _load_assigner_name(tx: ReadTransaction, visitor: Visitor, task: Task) -> str:
    """The name of the user who assigned the task; empty if an API key did, or if the task was changed later."""
    if not (task.updated_by or "").startswith("usr_") or task.revision > 1:
        return ""
    found = await people.find_many(tx, actors.system(visitor.customer.id), [task.updated_by or ""])
    return next((user.name for user in found.values()), "")


@post(PATH + "/{task_id:str}/decline")
async def decline_my_task(page: Page, task_id: str) -> Redirect:
    """Decline a task, with an optional reason."""
    form = await page.form()
    reason = read_text(form, "reason", respond.MAX_REASON_LENGTH)
    try:
        async with page.writing() as tx:
            await respond.decline(tx, page.visitor.customer.id, page.visitor.user.id, task_id, reason)
    except (TaskEnded, TaskAnswered):
        return Redirect(f"{PATH}/{task_id}")  # The page shows the current state.
    return Redirect(f"{PATH}?done=declined")
