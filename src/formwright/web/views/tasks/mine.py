"""My tasks: what the visitor was given to do. Whoever has a task may do it, whatever else she may do here."""

from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service as forms
from formwright.domain.tasks import respond
from formwright.domain.tasks.models import Fulfilment, FulfilmentStatus, Task, TaskAnswered, TaskEnded, TaskStatus
from formwright.domain.users import service as people
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
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


@get(PATH)
async def my_tasks_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What the visitor has still to do, what is due first at the front."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        found = await respond.list_assigned(tx, visitor.customer.id, visitor.user.id)
        shown = [await _task_row(tx, visitor, task) for task in found]
    done = read_text(request.query_params, "done")
    return render_page(request, "tasks/mine.html", place="My tasks", tasks=shown, done=done, **visitor.template_frame)


async def _task_row(tx: ReadTransaction, visitor: Visitor, task: Task) -> dict[str, Any]:
    form = await forms.find(tx, Scope(visitor.customer.id), task.form_id)
    own = task.fulfilment_of(visitor.user.id)
    return {
        "url": f"{PATH}/{task.id}",
        "form": form.name if form else "",
        "message": task.message,
        "due": format_time(task.due_at, visitor.customer.time_zone) if task.due_at is not None else None,
        "overdue": task.overdue,
        "begun": own is not None and own.status is FulfilmentStatus.IN_PROGRESS,
    }


@get(PATH + "/{task_id:str}")
async def my_task_page(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Response[str]:
    """One of them: fill it in, or decline."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        task, own = await respond.get_assigned(tx, visitor.customer.id, visitor.user.id, task_id)
        shown = await _task_row(tx, visitor, task)
        giver = await _assigner_name(tx, visitor, task)
    awaited = respond.can_respond(task, own)
    over = "" if awaited else _end_notice(task, own)
    fill_url = f"/fill/{own.link}" if awaited else ""
    return render_page(
        request,
        "tasks/one_of_mine.html",
        place="My tasks",
        task=shown,
        over=over,
        fill_url=fill_url,
        giver=giver,
        **visitor.template_frame,
    )


def _end_notice(task: Task, own: Fulfilment) -> str:
    return _RESPONSE_NOTICES.get(own.status) or _END_NOTICES[task.status]


async def _assigner_name(tx: ReadTransaction, visitor: Visitor, task: Task) -> str:
    if not (task.updated_by or "").startswith("usr_") or task.revision > 1:
        return ""
    found = await people.find_many(tx, actors.system(visitor.customer.id), [task.updated_by or ""])
    return next((user.name for user in found.values()), "")


@post(PATH + "/{task_id:str}/decline", status_code=303)
async def decline_my_task(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Redirect:
    """The visitor will not do it, and may say why."""
    visitor, sent = await require_visitor(request), await request.form()
    reason = read_text(sent, "reason", respond.MAX_REASON_LENGTH)
    try:
        async with get_app_context(request).db.writing() as tx:
            await respond.decline(tx, visitor.customer.id, visitor.user.id, task_id, reason)
    except (TaskEnded, TaskAnswered):
        return Redirect(f"{PATH}/{task_id}", status_code=303)  # The page says what became of it.
    return Redirect(f"{PATH}?done=declined", status_code=303)


HANDLERS = [my_tasks_page, my_task_page, decline_my_task]
