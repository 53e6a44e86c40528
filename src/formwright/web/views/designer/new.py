"""A new form: blank, from a template, or from an Excel file."""

from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates
from formwright.domain.forms.definition import (
    Definition,
    FormSettings,
    NoteField,
    SectionField,
    TextField,
    flatten_sections,
    label_text,
)
from formwright.domain.forms.models import NewForm, Template
from formwright.web.session import get_app_context, require_visitor
from formwright.web.templating import render_page
from formwright.web.views.folders import editable_folder_options, list_all_folders

MAX_NAME = 200
MAX_TEXT = 2000
NAME_ERROR = f"Enter a name (up to {MAX_NAME} characters)."
_LISTED_FIELDS = 6


@get("/forms/new")
async def new_form_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The ways to begin."""
    return await render_new_form(request, folder=request.query_params.get("folder", ""))


async def render_new_form(request: Request[Any, Any, Any], status: int = 200, **given: Any) -> Response[str]:
    """The page with the ways to begin, and what was wrong with one of them."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        found = (await templates.page(tx, visitor.actor, Window(MAX_LIMIT))).items
        folders = await list_all_folders(tx, visitor.actor)
    context = {"error": "", "name": "", "folder": "", "excel": []} | given
    return render_page(
        request,
        "designer/new.html",
        status,
        place="Forms",
        own=[_template_card(one) for one in found if one.customer_id],
        shipped=[_template_card(one) for one in found if not one.customer_id],
        folders=editable_folder_options(visitor, folders, context["folder"]),
        may_root=visitor.may_everywhere(Permission.FORMS_EDIT),
        **context,
        **visitor.template_frame,
    )


def _template_card(template: Template) -> dict[str, Any]:
    language = template.definition.settings.language
    asked = [
        field
        for field in flatten_sections(template.definition.fields)
        if not isinstance(field, NoteField | SectionField)
    ]
    return {
        "id": template.id,
        "name": template.name,
        "description": template.description,
        "holds": [label_text(field.label, (language,)) for field in asked[:_LISTED_FIELDS]],
        "more": max(0, len(asked) - _LISTED_FIELDS),
    }


@dataclass(frozen=True, slots=True)
class _NewFormInput:
    name: str
    folder: str
    template: str


@post("/forms/new", status_code=303)
async def create_form(request: Request[Any, Any, Any]) -> Response[Any]:
    """Make the form as a draft, and go where it is built."""
    visitor, form = await require_visitor(request), await request.form()
    sent = _NewFormInput(*(str(form.get(part, "")).strip() for part in ("name", "folder", "template")))
    if len(sent.name) > MAX_NAME or not (sent.name or sent.template):
        return await render_new_form(request, 422, error=NAME_ERROR, name=sent.name[:1000], folder=sent.folder)
    try:
        async with get_app_context(request).db.writing() as tx:
            origin = await templates.get(tx, visitor.actor, template_id=sent.template) if sent.template else None
            made = await forms.create(tx, visitor.actor, _draft(sent, origin))
    except Invalid as error:
        return await render_new_form(request, 422, error=error.faults[0].detail, name=sent.name, folder=sent.folder)
    return Redirect(f"/forms/{made.id}/design", status_code=303)


def _draft(sent: _NewFormInput, origin: Template | None) -> NewForm:
    begun = origin.definition if origin else Definition([_first_field()], FormSettings())
    return NewForm(
        name=sent.name or (origin.name if origin else ""),
        description=origin.description if origin else "",
        tags=origin.tags if origin else (),
        fields=begun.fields,
        settings=begun.settings,
        publish=False,
        folder_id=sent.folder or None,
    )


def _first_field() -> TextField:
    """A form without any field cannot be kept: the blank one begins with one."""
    return TextField(name="question", label="First question")


HANDLERS = [new_form_page, create_form]
