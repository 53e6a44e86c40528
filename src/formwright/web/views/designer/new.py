"""A new form: blank, from a template, or from a file."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, TextField, answerable_fields
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import NewForm, Template
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.views.folders import editable_folder_options, list_all_folders

MAX_NAME = 200
MAX_TEXT = 2000
NAME_ERROR = f"Enter a name (up to {MAX_NAME} characters)."
_LISTED_FIELDS = 6


@dataclass(frozen=True, slots=True)
class TemplateCard:
    """A template with the labels of its first fields, and the number of further ones."""

    id: str
    name: str
    description: str
    field_labels: Sequence[str]
    more_fields: int


@dataclass(frozen=True, slots=True)
class ImportFault:
    """An error in an imported file. `position` is where it is, such as the sheet, the row and the column, if known."""

    position: str
    detail: str


@dataclass(frozen=True, slots=True)
class NewFormPage:
    """The view model of the page for a new form, with the rejected input and its errors."""

    own_templates: Sequence[TemplateCard]
    global_templates: Sequence[TemplateCard]
    folders: Sequence[tuple[str, str]]
    may_edit_everywhere: bool
    folder: str
    name: str
    name_fault: str
    import_faults: Sequence[ImportFault]
    bundle_faults: Sequence[ImportFault]


@get("/forms/new")
async def new_form_page(page: Page) -> Response:
    """The page for a new form."""
    return await render_new_form(page, folder=page.query.get("folder", ""))


async def render_new_form(
    page: Page,
    status: int = 200,
    *,
    folder: str,
    name: str = "",
    name_fault: str = "",
    import_faults: Sequence[ImportFault] = (),
    bundle_faults: Sequence[ImportFault] = (),
) -> Response:
    """Render the page, with the rejected input and its errors."""
    listed = (await templates.page(page.tx, page.actor, Window(MAX_LIMIT))).items
    folders = await list_all_folders(page.tx, page.actor)
    view_model = NewFormPage(
        own_templates=[_template_card(template) for template in listed if template.customer_id],
        global_templates=[_template_card(template) for template in listed if not template.customer_id],
        folders=editable_folder_options(page.visitor, folders),
        may_edit_everywhere=page.visitor.may_everywhere(Permission.FORMS_EDIT),
        folder=folder,
        name=name,
        name_fault=name_fault,
        import_faults=import_faults,
        bundle_faults=bundle_faults,
    )
    return page.render("designer/new.html", view_model, section="Forms", status=status)


def _template_card(template: Template) -> TemplateCard:
    language = template.definition.settings.language
    labels = [label_text(field.label, (language,)) for field in answerable_fields(template.definition.fields).values()]
    more_fields = max(0, len(labels) - _LISTED_FIELDS)
    return TemplateCard(template.id, template.name, template.description, labels[:_LISTED_FIELDS], more_fields)


@dataclass(frozen=True, slots=True)
class _NewFormInput:
    name: str
    folder: str
    template: str


@post("/forms/new")
async def create_form(page: Page) -> Response:
    """Create the form as a draft, and open it in the designer."""
    form = await page.form()
    sent = _NewFormInput(*(str(form.get(part, "")).strip() for part in ("name", "folder", "template")))
    if len(sent.name) > MAX_NAME or not (sent.name or sent.template):
        return await render_new_form(page, 422, name_fault=NAME_ERROR, name=sent.name[:1000], folder=sent.folder)
    try:
        async with page.writing() as tx:
            origin = await templates.get(tx, page.actor, template_id=sent.template) if sent.template else None
            created = await forms.create(tx, page.actor, _draft(sent, origin))
    except Invalid as error:
        return await render_new_form(page, 422, name_fault=error.faults[0].detail, name=sent.name, folder=sent.folder)
    return Redirect(f"/forms/{created.id}/design")


def _draft(sent: _NewFormInput, origin: Template | None) -> NewForm:
    definition = origin.definition if origin else Definition([_first_field()], FormSettings())
    return NewForm(
        name=sent.name or (origin.name if origin else ""),
        description=origin.description if origin else "",
        tags=origin.tags if origin else (),
        fields=definition.fields,
        settings=definition.settings,
        publish=False,
        folder_id=sent.folder or None,
    )


def _first_field() -> AnyField:
    """Return the field of a blank form. A form without fields can't be saved."""
    return TextField(name="first_question", label="First question")
