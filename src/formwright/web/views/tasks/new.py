"""Tasks: the form that assigns a task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.clock import to_milliseconds
from formwright.core.errors import Conflict, Invalid, NotFound
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.models import CompleteWhen, NewTask
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.templating import PAGE_HEADERS
from formwright.web.views.autocomplete import (
    assignable_names,
    choices_response,
    list_fillable_forms,
    list_visible_groups,
    list_visible_people,
    search_urls,
)
from formwright.web.views.form_input import fault_texts, read_text
from formwright.web.views.tasks.assigned import PATH as TASKS_PATH
from formwright.web.views.tasks.prefill import MAX_LENGTH, Prefill, describe_prefill, parse_answers

PATH = TASKS_PATH + "/new"
_MAX_MESSAGE = 5000
# One more than allowed, so that a text that is too long is rejected and not cut off.
_MAX_LENGTHS = {"message": _MAX_MESSAGE + 1, "data": MAX_LENGTH + 1}
_BLANK = {"form": "", "message": "", "publish": "", "due": "", "all": "", "data": ""}
# The pre-filled answers are entered in an iframe.
_SECURITY_POLICY = PAGE_HEADERS["content-security-policy"] + "; frame-src 'self'"


@dataclass(frozen=True, slots=True)
class AssignTaskPage:
    """The form that assigns a task: what was entered, the errors by field, and the options."""

    typed: Mapping[str, Any]
    faults: Mapping[str, str]
    forms: Sequence[tuple[str, str]]
    people: Mapping[str, str]
    groups: Mapping[str, str]
    prefill: Prefill
    zone: str
    search_urls: Mapping[str, str]


@get(PATH)
async def new_task_page(page: Page) -> Response:
    """The form that assigns a task; `?form=` preselects the form to fill in."""
    allow(page.actor, Permission.TASKS_MANAGE)
    typed: dict[str, Any] = _BLANK | {"form": read_text(page.query, "form"), "users": [], "groups": []}
    return await _render_form(page, typed)


async def _render_form(page: Page, typed: dict[str, Any], faults: dict[str, str] | None = None) -> Response:
    forms = await list_fillable_forms(page.tx, allow(page.actor, Permission.TASKS_MANAGE), typed["form"])
    people = assignable_names(await list_visible_people(page.tx, page.visitor, typed["users"]), typed["users"])
    groups = {group.id: group.name for group in await list_visible_groups(page.tx, page.visitor)}
    prefill = (
        await describe_prefill(page.tx, page.visitor, typed["form"], typed["data"]) if typed["data"] else Prefill()
    )
    view_model = AssignTaskPage(
        typed=typed,
        faults=fault_texts(faults),
        forms=forms,
        people=people,
        groups=groups,
        prefill=prefill,
        zone=page.visitor.customer.time_zone,
        search_urls=search_urls(PATH, forms=forms, people=people, groups=groups),
    )
    status = 422 if faults else 200
    response = page.render("tasks/new.html", view_model, section="Tasks", status=status)
    response.headers["content-security-policy"] = _SECURITY_POLICY
    return response


@post(PATH)
async def assign_task(page: Page) -> Response:
    """Assign a task and redirect to it, or show the form again with its errors."""
    form = await page.form()
    typed: dict[str, Any] = {name: read_text(form, name, _MAX_LENGTHS.get(name, 300)) for name in _BLANK}
    typed |= {name: [str(value) for value in form.getall(name, [])][:1000] for name in ("users", "groups")}
    times, faults = _parse_times(typed, ZoneInfo(page.visitor.customer.time_zone))
    if not typed["form"]:
        faults["form"] = "Choose a form."
    if len(typed["message"]) > _MAX_MESSAGE:
        faults["message"] = f"Enter at most {_MAX_MESSAGE:,} characters."
    data: dict[str, Any] = {}
    try:
        data = await parse_answers(typed["data"])
    except Invalid as error:
        typed["data"], faults["data"] = "", error.faults[0].detail
    if faults:
        return await _render_form(page, typed, faults)
    new = NewTask(
        typed["users"],
        typed["groups"],
        message=typed["message"],
        data=data,
        publish_at=times["publish"],
        due_at=times["due"],
        complete_when=CompleteWhen.ALL if typed["all"] else CompleteWhen.ANY,
    )
    base_url = page.origin
    try:
        async with page.writing() as tx:
            task = await tasks.create(tx, page.actor, form_id=typed["form"], new=new, base_url=base_url)
    except Invalid as error:
        return await _render_form(page, typed, _faults_by_input(error))
    except (Conflict, NotFound) as error:
        return await _render_form(page, typed, {"form": str(error)})
    return Redirect(f"{TASKS_PATH}/{task.id}")


def _parse_times(typed: Mapping[str, str], zone: ZoneInfo) -> tuple[dict[str, int | None], dict[str, str]]:
    """Return the times in milliseconds and the errors, both by field."""
    times: dict[str, int | None] = {}
    faults: dict[str, str] = {}
    for name in ("publish", "due"):
        try:
            text = typed[name]
            times[name] = to_milliseconds(datetime.fromisoformat(text).replace(tzinfo=zone)) if text else None
        except (ValueError, OverflowError):
            faults[name] = "Enter a date and time like 2026-11-21 14:30."
    return times, faults


def _faults_by_input(error: Invalid) -> dict[str, str]:
    """Return the validation errors by the name of the input on the page."""
    inputs = {"recipients": "users", "dueAt": "due", "publishAt": "publish", "data": "data"}
    faults: dict[str, str] = {}
    for fault in error.faults:
        _, property_, *path = fault.pointer.split("/")
        field = f"{path[0]}: " if property_ == "data" and path else ""
        faults.setdefault(inputs.get(property_, "form"), field + fault.detail)
    return faults


@get(PATH + "/choices")
async def task_choices(page: Page) -> Response:
    """The options of the pickers, as JSON."""
    return await choices_response(page, Permission.TASKS_MANAGE)
