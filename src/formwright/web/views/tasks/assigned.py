"""Tasks: who was given what to fill, how far it has come, and giving more."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.clock import to_milliseconds
from formwright.core.crypto import SecretBox
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Conflict, Invalid, NotFound
from formwright.core.pagination import Window
from formwright.domain.forms import service as forms
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.models import (
    ENDED_STATUSES,
    RUNNING_STATUSES,
    CompleteWhen,
    NewTask,
    Task,
    TaskChange,
    TaskCount,
    TaskFilter,
    TaskStatus,
)
from formwright.web.session import Visitor, get_app_context, public_origin, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.autocomplete import (
    assignable_names,
    choices_response,
    list_fillable_forms,
    list_visible_groups,
    list_visible_people,
    names_by_id,
    search_url_builder,
)
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.list_urls import list_url, pager_urls, parse_place

PATH = "/tasks"
_PAGE_SIZE = 50
_FILTER_NAMES = ("form", "status", "person", "overdue")
_BLANK = {"form": "", "message": "", "publish": "", "due": "", "all": ""}
_STATUS_LABELS = {
    TaskStatus.SCHEDULED: ("Scheduled", "draft"),
    TaskStatus.OPEN: ("Open", "waiting"),
    TaskStatus.IN_PROGRESS: ("In progress", "started"),
    TaskStatus.COMPLETED: ("Completed", "approved"),
    TaskStatus.DECLINED: ("Declined", "rejected"),
    TaskStatus.REVOKED: ("Revoked", "archived"),
}


@get(PATH)
async def tasks_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's tasks, the newest first, found by form, state, person and whether they are overdue; and counts."""
    visitor = await require_visitor(request)
    scope = allow(visitor.actor, Permission.TASKS_READ)
    asked = {name: read_text(request.query_params, name, 60) for name in _FILTER_NAMES}
    before = parse_place(request.query_params.get("before", ""))
    wanted = TaskFilter(
        form_ids=[asked["form"]] if asked["form"] else [],
        statuses=[TaskStatus(asked["status"])] if asked["status"] in set(TaskStatus) else [],
        user_id=asked["person"] or None,
        overdue=True if asked["overdue"] else None,
    )
    async with get_app_context(request).db.reading() as tx:
        found = await tasks.page(tx, visitor.actor, Window(_PAGE_SIZE, before), wanted, newest_first=True)
        by_form = await tasks.count_tasks(tx, visitor.actor)
        by_user = await tasks.count_tasks(tx, visitor.actor, by_user=True)
        missing = {one.form_id for one in found.items} | {one.id for one in by_form}
        named = {key: form.name for key in missing if (form := await forms.find(tx, scope, key))}
        recipients = {each.user_id for task in found.items for each in task.fulfilments[:3]}
        persons = names_by_id(await list_visible_people(tx, visitor, recipients | {one.id for one in by_user}))
    return render_page(
        request,
        "tasks/given.html",
        place="Tasks",
        tasks=[_task_row(visitor, one, named, persons) for one in found.items],
        asked=asked,
        filtered=any(asked.values()),
        forms=named,
        persons=persons,
        statuses=[(status.value, words[0]) for status, words in _STATUS_LABELS.items()],
        by_form=_count_rows(by_form, named, "form"),
        by_person=_count_rows(by_user, persons, "person"),
        **pager_urls(PATH, asked, before, found.next),
        may_manage=Permission.TASKS_MANAGE in visitor.actor.permissions,
        **visitor.template_frame,
    )


def _task_row(visitor: Visitor, one: Task, named: Mapping[str, str], persons: Mapping[str, str]) -> dict[str, Any]:
    zone = visitor.customer.time_zone
    names = [persons.get(each.user_id, "someone else") for each in one.fulfilments[:3]]
    more = len(one.fulfilments) - len(names)
    return {
        "id": one.id,
        "url": f"{PATH}/{one.id}",
        "form": named.get(one.form_id, one.form_id),
        "status": _STATUS_LABELS[one.status],
        "who": ", ".join(names) + (f" and {more} more" if more else ""),
        "message": one.message,
        "due": format_time(one.due_at, zone) if one.due_at is not None else None,
        "publish": format_time(one.publish_at, zone) if one.publish_at is not None else None,
        "created": format_time(one.created, zone),
        "overdue": one.overdue and one.status not in ENDED_STATUSES,
        "reason": one.reason or "",
        "all": one.complete_when is CompleteWhen.ALL,
        "running": one.status in RUNNING_STATUSES,
        "ended": one.status in ENDED_STATUSES,
    }


def _count_rows(counts: Iterable[TaskCount], named: Mapping[str, str], filter_: str) -> list[dict[str, Any]]:
    return [
        {"name": named.get(one.id, "someone else"), "count": one, "url": list_url(PATH, {filter_: one.id})}
        for one in counts
    ]


@get(PATH + "/new")
async def new_task_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Whom to give which form, and until when."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.TASKS_MANAGE)
    typed: dict[str, Any] = _BLANK | {"form": read_text(request.query_params, "form"), "users": [], "groups": []}
    return await _render_form(request, visitor, typed)


async def _render_form(
    request: Request[Any, Any, Any], visitor: Visitor, typed: dict[str, Any], faults: dict[str, str] | None = None
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        offered = await list_fillable_forms(tx, allow(visitor.actor, Permission.TASKS_MANAGE), typed["form"])
        listed, groups = await list_visible_people(tx, visitor, typed["users"]), await list_visible_groups(tx, visitor)
    return render_page(
        request,
        "tasks/new.html",
        422 if faults else 200,
        place="Tasks",
        typed=typed,
        faults=fault_texts(faults),
        forms=offered,
        persons=assignable_names(listed, typed["users"]),
        groups={one.id: one.name for one in groups},
        zone=visitor.customer.time_zone,
        search=search_url_builder(f"{PATH}/new"),
        **visitor.template_frame,
    )


@post(PATH + "/new", status_code=303)
async def assign_task(request: Request[Any, Any, Any]) -> Response[Any]:
    """Give it, and show it; or say what is wrong."""
    visitor, sent = await require_visitor(request), await request.form()
    typed: dict[str, Any] = {name: read_text(sent, name, 6000) for name in _BLANK}
    typed |= {name: [str(one) for one in sent.getall(name, [])][:1000] for name in ("users", "groups")}
    zone, faults = ZoneInfo(visitor.customer.time_zone), {}
    times = {}
    for name in ("publish", "due"):
        try:
            times[name] = _parse_time(typed[name], zone)
        except (ValueError, OverflowError):
            faults[name] = "Enter a date and time like 2026-11-21 14:30."
    if not typed["form"]:
        faults["form"] = "Choose a form."
    if len(typed["message"]) > 5000:
        faults["message"] = "Enter at most 5,000 characters."
    if faults:
        return await _render_form(request, visitor, typed, faults)
    new = NewTask(
        typed["users"],
        typed["groups"],
        message=typed["message"],
        publish_at=times["publish"],
        due_at=times["due"],
        complete_when=CompleteWhen.ALL if typed["all"] else CompleteWhen.ANY,
    )
    try:
        async with get_app_context(request).db.writing() as tx:
            made = await tasks.create(
                tx, visitor.actor, form_id=typed["form"], new=new, base_url=public_origin(request)
            )
    except Invalid as error:
        return await _render_form(request, visitor, typed, _faults_by_input(error))
    except (Conflict, NotFound) as error:
        return await _render_form(request, visitor, typed, {"form": str(error)})
    return Redirect(f"{PATH}/{made.id}", status_code=303)


def _faults_by_input(error: Invalid) -> dict[str, str]:
    """The faults by the field beside which they stand."""
    fields = {"recipients": "users", "dueAt": "due", "publishAt": "publish"}
    return {fields.get(one.pointer.split("/")[1], "form"): one.detail for one in error.faults}


def _parse_time(typed: str, zone: ZoneInfo) -> int | None:
    return to_milliseconds(datetime.fromisoformat(typed).replace(tzinfo=zone)) if typed else None


@get(PATH + "/new/choices")
async def task_choices(request: Request[Any, Any, Any]) -> Response[bytes]:
    """What its pickers offer."""
    return await choices_response(request, Permission.TASKS_MANAGE)


@get(PATH + "/{task_id:str}")
async def task_page(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Response[str]:
    """One task, with what each of its recipients has done; `?ask=` asks whether it shall be ended."""
    return await _render_task(request, await require_visitor(request), task_id)


async def _render_task(
    request: Request[Any, Any, Any], visitor: Visitor, task_id: str, fault: str = "", status: int = 200
) -> Response[str]:
    may_manage = Permission.TASKS_MANAGE in visitor.actor.permissions
    async with get_app_context(request).db.reading() as tx:
        task = await tasks.get(tx, visitor.actor, task_id=task_id)
        form = await forms.find(tx, allow(visitor.actor, Permission.TASKS_READ), task.form_id)
        listed = await list_visible_people(tx, visitor, task.user_ids)
        groups = await list_visible_groups(tx, visitor) if may_manage else []
    persons, zone = names_by_id(listed), visitor.customer.time_zone
    return render_page(
        request,
        "tasks/one.html",
        status,
        place="Tasks",
        task=_task_row(visitor, task, {task.form_id: form.name if form else ""}, persons),
        fulfilments=[
            {
                "who": persons.get(one.user_id, "someone else"),
                "status": _STATUS_LABELS[TaskStatus(one.status)],
                "at": format_time(one.at, zone) if one.at is not None else None,
                "reason": one.reason or "",
                "submission": f"/submissions/{one.submission_id}" if one.submission_id else "",
            }
            for one in task.fulfilments
        ],
        may_manage=may_manage,
        ask=read_text(request.query_params, "ask"),
        fault=fault,
        persons=assignable_names(listed, task.user_ids),
        groups={one.id: one.name for one in groups},
        chosen={*task.user_ids, *task.group_ids},
        search=search_url_builder(f"{PATH}/new"),
        **visitor.template_frame,
    )


_Action = Callable[[WriteTransaction, Actor], Awaitable[object]]


async def _run_action(request: Request[Any, Any, Any], visitor: Visitor, task_id: str, step: _Action) -> Response[Any]:
    """Do it, and show the task as it is then, or why it cannot be done."""
    try:
        async with get_app_context(request).db.writing() as tx:
            await step(tx, visitor.actor)
    except (Invalid, Conflict) as error:
        fault = " ".join(faults_by_field(error).values()) or str(error)
        return await _render_task(request, visitor, task_id, fault, 422)
    return Redirect(f"{PATH}/{task_id}", status_code=303)


@post(PATH + "/{task_id:str}/revoke", status_code=303)
async def revoke_task(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Response[Any]:
    """Take it back."""
    visitor, reason = await require_visitor(request), read_text(await request.form(), "reason", 1000) or None
    return await _run_action(request, visitor, task_id, partial(tasks.revoke, task_id=task_id, reason=reason))


@post(PATH + "/{task_id:str}/complete", status_code=303)
async def complete_task(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Response[Any]:
    """Say that it is done."""
    visitor, reason = await require_visitor(request), read_text(await request.form(), "reason", 1000) or None
    return await _run_action(request, visitor, task_id, partial(tasks.complete, task_id=task_id, reason=reason))


@post(PATH + "/{task_id:str}/reassign", status_code=303)
async def reassign_task(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Response[Any]:
    """Give it to others."""
    visitor, sent = await require_visitor(request), await request.form()
    users, groups = ([str(one) for one in sent.getall(name, [])] for name in ("users", "groups"))
    to = TaskChange(user_ids=users, group_ids=groups)
    return await _run_action(
        request,
        visitor,
        task_id,
        partial(_reassign, secret_box=get_app_context(request).secret_box, task_id=task_id, to=to),
    )


async def _reassign(tx: WriteTransaction, actor: Actor, *, secret_box: SecretBox, task_id: str, to: TaskChange) -> None:
    await tasks.change(tx, actor, to, secret_box=secret_box, task_id=task_id)


HANDLERS = [tasks_page, new_task_page, task_choices, assign_task, task_page, revoke_task, complete_task, reassign_task]
