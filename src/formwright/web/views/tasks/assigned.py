"""Tasks: who was given what to fill, how far it has come, and giving more."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.clock import milliseconds
from formwright.core.crypto import SecretBox
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Conflict, Invalid, NotFound
from formwright.core.pagination import Window
from formwright.domain.forms import service as forms
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.models import (
    ENDED,
    RUNNING,
    CompleteWhen,
    Count,
    NewTask,
    Task,
    TaskChange,
    TaskFilter,
    TaskStatus,
)
from formwright.web.session import Visitor, get_app_context, origin_of, visitor
from formwright.web.templating import moment, page
from formwright.web.views.autocomplete import (
    choices,
    forms_listed,
    groups_listed,
    names_of,
    offered_of,
    people_listed,
    searched,
)
from formwright.web.views.form_input import faults_of, noted, text
from formwright.web.views.list_urls import address, place_of, turns

HERE = "/tasks"
_ROWS = 50
_ASKED = ("form", "status", "person", "overdue")
_NEW = {"form": "", "message": "", "publish": "", "due": "", "all": ""}
_LOOKS = {
    TaskStatus.SCHEDULED: ("Scheduled", "draft"),
    TaskStatus.OPEN: ("Open", "waiting"),
    TaskStatus.IN_PROGRESS: ("In progress", "started"),
    TaskStatus.COMPLETED: ("Completed", "approved"),
    TaskStatus.DECLINED: ("Declined", "rejected"),
    TaskStatus.REVOKED: ("Revoked", "archived"),
}


@get(HERE)
async def tasks_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's tasks, the newest first, found by form, state, person and whether they are overdue; and counts."""
    who = await visitor(request)
    scope = allow(who.actor, Permission.TASKS_READ)
    asked = {name: text(request.query_params, name, 60) for name in _ASKED}
    before = place_of(request.query_params.get("before", ""))
    wanted = TaskFilter(
        form_ids=[asked["form"]] if asked["form"] else [],
        statuses=[TaskStatus(asked["status"])] if asked["status"] in set(TaskStatus) else [],
        user_id=asked["person"] or None,
        overdue=True if asked["overdue"] else None,
    )
    async with get_app_context(request).db.reading() as tx:
        found = await tasks.page(tx, who.actor, Window(_ROWS, before), wanted, newest_first=True)
        by_form = await tasks.counts(tx, who.actor)
        by_user = await tasks.counts(tx, who.actor, by_user=True)
        missing = {one.form_id for one in found.items} | {one.id for one in by_form}
        named = {key: form.name for key in missing if (form := await forms.find(tx, scope, key))}
        recipients = {each.user_id for task in found.items for each in task.fulfilments[:3]}
        persons = names_of(await people_listed(tx, who, recipients | {one.id for one in by_user}))
    return page(
        request,
        "tasks/given.html",
        place="Tasks",
        tasks=[_shown(who, one, named, persons) for one in found.items],
        asked=asked,
        filtered=any(asked.values()),
        forms=named,
        persons=persons,
        statuses=[(status.value, words[0]) for status, words in _LOOKS.items()],
        by_form=_counted(by_form, named, "form"),
        by_person=_counted(by_user, persons, "person"),
        **turns(HERE, asked, before, found.next),
        may_manage=Permission.TASKS_MANAGE in who.actor.permissions,
        **who.frame,
    )


def _shown(who: Visitor, one: Task, named: Mapping[str, str], persons: Mapping[str, str]) -> dict[str, Any]:
    zone = who.customer.time_zone
    names = [persons.get(each.user_id, "someone else") for each in one.fulfilments[:3]]
    more = len(one.fulfilments) - len(names)
    return {
        "id": one.id,
        "url": f"{HERE}/{one.id}",
        "form": named.get(one.form_id, one.form_id),
        "status": _LOOKS[one.status],
        "who": ", ".join(names) + (f" and {more} more" if more else ""),
        "message": one.message,
        "due": moment(one.due_at, zone) if one.due_at is not None else None,
        "publish": moment(one.publish_at, zone) if one.publish_at is not None else None,
        "created": moment(one.created, zone),
        "overdue": one.overdue and one.status not in ENDED,
        "reason": one.reason or "",
        "all": one.complete_when is CompleteWhen.ALL,
        "running": one.status in RUNNING,
        "ended": one.status in ENDED,
    }


def _counted(counts: Iterable[Count], named: Mapping[str, str], filter_: str) -> list[dict[str, Any]]:
    return [
        {"name": named.get(one.id, "someone else"), "count": one, "url": address(HERE, {filter_: one.id})}
        for one in counts
    ]


@get(HERE + "/new")
async def new_task_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Whom to give which form, and until when."""
    who = await visitor(request)
    allow(who.actor, Permission.TASKS_MANAGE)
    typed: dict[str, Any] = _NEW | {"form": text(request.query_params, "form"), "users": [], "groups": []}
    return await _new_page(request, who, typed)


async def _new_page(
    request: Request[Any, Any, Any], who: Visitor, typed: dict[str, Any], faults: dict[str, str] | None = None
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        offered = await forms_listed(tx, allow(who.actor, Permission.TASKS_MANAGE), typed["form"])
        listed, groups = await people_listed(tx, who, typed["users"]), await groups_listed(tx, who)
    return page(
        request,
        "tasks/new.html",
        422 if faults else 200,
        place="Tasks",
        typed=typed,
        faults=noted(faults),
        forms=offered,
        persons=offered_of(listed, typed["users"]),
        groups={one.id: one.name for one in groups},
        zone=who.customer.time_zone,
        search=searched(f"{HERE}/new"),
        **who.frame,
    )


@post(HERE + "/new", status_code=303)
async def give_task(request: Request[Any, Any, Any]) -> Response[Any]:
    """Give it, and show it; or say what is wrong."""
    who, sent = await visitor(request), await request.form()
    typed: dict[str, Any] = {name: text(sent, name, 6000) for name in _NEW}
    typed |= {name: [str(one) for one in sent.getall(name, [])][:1000] for name in ("users", "groups")}
    zone, faults = ZoneInfo(who.customer.time_zone), {}
    times = {}
    for name in ("publish", "due"):
        try:
            times[name] = _time(typed[name], zone)
        except (ValueError, OverflowError):
            faults[name] = "Enter a date and time like 2026-11-21 14:30."
    if not typed["form"]:
        faults["form"] = "Choose a form."
    if len(typed["message"]) > 5000:
        faults["message"] = "Enter at most 5,000 characters."
    if faults:
        return await _new_page(request, who, typed, faults)
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
            made = await tasks.create(tx, who.actor, form_id=typed["form"], new=new, base_url=origin_of(request))
    except Invalid as error:
        return await _new_page(request, who, typed, _beside(error))
    except (Conflict, NotFound) as error:
        return await _new_page(request, who, typed, {"form": str(error)})
    return Redirect(f"{HERE}/{made.id}", status_code=303)


def _beside(error: Invalid) -> dict[str, str]:
    """The faults by the field beside which they stand."""
    fields = {"recipients": "users", "dueAt": "due", "publishAt": "publish"}
    return {fields.get(one.pointer.split("/")[1], "form"): one.detail for one in error.faults}


def _time(typed: str, zone: ZoneInfo) -> int | None:
    return milliseconds(datetime.fromisoformat(typed).replace(tzinfo=zone)) if typed else None


@get(HERE + "/new/choices")
async def task_choices(request: Request[Any, Any, Any]) -> Response[bytes]:
    """What its pickers offer."""
    return await choices(request, Permission.TASKS_MANAGE)


@get(HERE + "/{task_id:str}")
async def task_page(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Response[str]:
    """One task, with what each of its recipients has done; `?ask=` asks whether it shall be ended."""
    return await _task_page(request, await visitor(request), task_id)


async def _task_page(
    request: Request[Any, Any, Any], who: Visitor, task_id: str, fault: str = "", status: int = 200
) -> Response[str]:
    may_manage = Permission.TASKS_MANAGE in who.actor.permissions
    async with get_app_context(request).db.reading() as tx:
        task = await tasks.get(tx, who.actor, task_id=task_id)
        form = await forms.find(tx, allow(who.actor, Permission.TASKS_READ), task.form_id)
        listed = await people_listed(tx, who, task.user_ids)
        groups = await groups_listed(tx, who) if may_manage else []
    persons, zone = names_of(listed), who.customer.time_zone
    return page(
        request,
        "tasks/one.html",
        status,
        place="Tasks",
        task=_shown(who, task, {task.form_id: form.name if form else ""}, persons),
        fulfilments=[
            {
                "who": persons.get(one.user_id, "someone else"),
                "status": _LOOKS[TaskStatus(one.status)],
                "at": moment(one.at, zone) if one.at is not None else None,
                "reason": one.reason or "",
                "submission": f"/submissions/{one.submission_id}" if one.submission_id else "",
            }
            for one in task.fulfilments
        ],
        may_manage=may_manage,
        ask=text(request.query_params, "ask"),
        fault=fault,
        persons=offered_of(listed, task.user_ids),
        groups={one.id: one.name for one in groups},
        chosen={*task.user_ids, *task.group_ids},
        search=searched(f"{HERE}/new"),
        **who.frame,
    )


_Step = Callable[[WriteTransaction, Actor], Awaitable[object]]


async def _change(request: Request[Any, Any, Any], who: Visitor, task_id: str, step: _Step) -> Response[Any]:
    """Do it, and show the task as it is then, or why it cannot be done."""
    try:
        async with get_app_context(request).db.writing() as tx:
            await step(tx, who.actor)
    except (Invalid, Conflict) as error:
        fault = " ".join(faults_of(error).values()) or str(error)
        return await _task_page(request, who, task_id, fault, 422)
    return Redirect(f"{HERE}/{task_id}", status_code=303)


@post(HERE + "/{task_id:str}/revoke", status_code=303)
async def revoke_task(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Response[Any]:
    """Take it back."""
    who, reason = await visitor(request), text(await request.form(), "reason", 1000) or None
    return await _change(request, who, task_id, partial(tasks.revoke, task_id=task_id, reason=reason))


@post(HERE + "/{task_id:str}/complete", status_code=303)
async def complete_task(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Response[Any]:
    """Say that it is done."""
    who, reason = await visitor(request), text(await request.form(), "reason", 1000) or None
    return await _change(request, who, task_id, partial(tasks.complete, task_id=task_id, reason=reason))


@post(HERE + "/{task_id:str}/reassign", status_code=303)
async def reassign_task(request: Request[Any, Any, Any], task_id: FromPath[str]) -> Response[Any]:
    """Give it to others."""
    who, sent = await visitor(request), await request.form()
    users, groups = ([str(one) for one in sent.getall(name, [])] for name in ("users", "groups"))
    to = TaskChange(user_ids=users, group_ids=groups)
    return await _change(
        request, who, task_id, partial(_give_to, seal=get_app_context(request).secret_box, task_id=task_id, to=to)
    )


async def _give_to(tx: WriteTransaction, actor: Actor, *, seal: SecretBox, task_id: str, to: TaskChange) -> None:
    await tasks.change(tx, actor, to, seal=seal, task_id=task_id)


HANDLERS = [tasks_page, new_task_page, task_choices, give_task, task_page, revoke_task, complete_task, reassign_task]
