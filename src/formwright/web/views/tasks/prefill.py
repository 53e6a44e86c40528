"""Pre-filled answers of a new task: the form in a dialog of the page that assigns it, and the check of its answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from formwright.asgi.validation import BodyTooComplex, JsonMalformed, read_large_body
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid, NotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import AnyField, flatten_sections
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.links.prefill import validate_prefill
from formwright.domain.forms.models import Version
from formwright.web.fill.form_page import FormPage, find_assets
from formwright.web.fill.media import find_media
from formwright.web.fill.messages import find_no_script_message
from formwright.web.fill.page_data import form_data
from formwright.web.fill.position_map import allow_map, map_data
from formwright.web.http import JsonResponse, Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import PAGE_HEADERS
from formwright.web.views.form_input import read_text
from formwright.web.views.tasks.assigned import PATH as TASKS_PATH

PATH = TASKS_PATH + "/new/answers"
MAX_LENGTH = 1_000_000
"""How long the answers may be as JSON."""
_FILE_WIDGETS = {"photo", "audio", "video", "file", "signature"}
# The page is shown in an iframe of the page that assigns the task.
_SECURITY_POLICY = PAGE_HEADERS["content-security-policy"].replace("frame-ancestors 'none'", "frame-ancestors 'self'")


class PrefilledAnswers(msgspec.Struct, forbid_unknown_fields=True):
    """The answers to check."""

    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Prefill:
    """Answers as JSON, and the labels of their fields."""

    text: str = ""
    labels: tuple[str, ...] = ()


@get(PATH)
async def prefill_page(page: Page) -> Response:
    """The form `?form=` without its files, in which no answer is required."""
    form_id = read_text(page.query, "form")
    allow(page.actor, Permission.TASKS_MANAGE)
    if not form_id:
        return Redirect(f"{TASKS_PATH}/new")
    form, version = await _get_form(page.tx, page.visitor, form_id)
    media = await find_media(page.ctx, page.tx, form, version)
    language = version.definition.settings.language
    settings = page.ctx.settings
    data = form_data(version, f"/fill/{form.link}") | map_data(settings, version)
    data |= {"survey": _without_files(data["survey"]), "steps": _without_required(data["steps"])}
    # As on the page that edits answers, the device stores nothing, and defaults fill in nothing.
    data["editor"] = "prefill"
    data["correct"] = {"url": f"{PATH}?form={form.id}", "files": {}}
    view_model = FormPage(
        form=form,
        account=page.visitor.customer,
        language="en",
        no_script=find_no_script_message("en"),
        form_data=data | media,
        assets=find_assets(data, language),
    )
    response = page.render("tasks/prefill.html", view_model)
    response.headers["content-security-policy"] = _SECURITY_POLICY
    allow_map(response, settings, version)
    return response


async def _get_form(tx: ReadTransaction, visitor: Visitor, form_id: str) -> tuple[Any, Version]:
    return await forms.get_for_answering(tx, visitor.actor, form_id=form_id, permission=Permission.TASKS_MANAGE)


def _without_files(node: Any) -> Any:
    """Return a copy of the survey without required marks and questions for files, which belong to one submission."""
    if isinstance(node, list):
        return [_without_files(each) for each in node if not _is_file(each)]
    if isinstance(node, dict):
        return {name: _without_files(value) for name, value in node.items() if name != "isRequired"}
    return node


def _is_file(node: Any) -> bool:
    return isinstance(node, dict) and node.get("type") == "widget" and node.get("widget") in _FILE_WIDGETS


def _without_required(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = [{name: value for name, value in step.items() if name != "required"} for step in steps]
    return [step | {"rows": _without_required(step["rows"])} if "rows" in step else step for step in kept]


@post(PATH)
async def check_prefill(page: Page) -> Response:
    """Return the labels of the answered fields, or 422 with the errors of the answers. Nothing is saved."""
    form_id = read_text(page.query, "form")
    allow(page.actor, Permission.TASKS_MANAGE)
    try:
        sent: PrefilledAnswers = await read_large_body(await page.body(), PrefilledAnswers)
        _, version = await _get_form(page.tx, page.visitor, form_id)
        faults = (await validate_prefill(page.tx, page.actor, version, sent.data))[1]
    except (JsonMalformed, BodyTooComplex, Conflict) as error:
        return JsonResponse({"errors": [{"pointer": "", "detail": str(error)}]}, 422)
    if faults:
        return JsonResponse({"errors": [{"pointer": each.pointer, "detail": each.detail} for each in faults]}, 422)
    return JsonResponse({"data": _editable(version, sent.data), "labels": list_labels(version, sent.data)}, 200)


def _editable(version: Version, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers without calculated ones, which follow from the others when the form is filled in."""
    return {field.name: data[field.name] for field in _list_fields(version) if field.name in data}


def _list_fields(version: Version) -> list[AnyField]:
    fields = flatten_sections(version.definition.fields)
    return [field for field in fields if field.calculate is msgspec.UNSET]


def list_labels(version: Version, data: Mapping[str, Any]) -> list[str]:
    """Return the labels of the fields with an answer, in the language of the form."""
    language = version.definition.settings.language
    return [label_text(field.label, (language,)) for field in _list_fields(version) if field.name in data]


async def parse_answers(text: str) -> dict[str, Any]:
    """Return the answers that the page sent as JSON. Raises `Invalid` if they are no JSON object, or too many."""
    try:
        return dict(await read_large_body(text.encode() or b"{}", dict[str, Any]))
    except (JsonMalformed, BodyTooComplex, Invalid):
        raise Invalid.at("/data", "value.type", "Fill in the answers again.") from None


async def describe_prefill(tx: ReadTransaction, visitor: Visitor, form_id: str, text: str) -> Prefill:
    """Return the entered answers with their labels; without labels if the form can't be filled in."""
    try:
        _, version = await _get_form(tx, visitor, form_id)
        return Prefill(text, tuple(list_labels(version, await parse_answers(text))))
    except (Conflict, NotFound, Invalid):
        return Prefill()
