"""Forms."""

from formwright.api.context import RequestContext
from formwright.api.operations import operation
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import forms as wire
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates
from formwright.domain.forms.models import FormFilter, FormNotFound, NoDraft, TemplateNotFound

_FORMS = "/forms/customer/{customerId}/forms"


@operation(
    "POST",
    ("createForm", "/forms"),
    ("createCustomerForm", _FORMS),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    status=201,
    location=_FORMS + "/{id}",
    raises=(CustomerNotFound, Invalid),
)
async def create_form(call: RequestContext, body: wire.FormCreate) -> wire.Form:
    """Create a form with its first version, from `fields` or from a template.

    With `publish` the version is final at once and the form can be filled under `fillPath`; else it is a draft.
    """
    if (body.fields is None) == (body.template_id is None):
        raise Invalid.at("/fields", "form.origin", "Name exactly one of fields and templateId.")
    if body.name is None and body.template_id is None:
        raise Invalid.at("/name", "value.required", "This is required.")
    async with call.writing() as tx:
        try:
            origin = await templates.get(tx, call.actor, template_id=body.template_id) if body.template_id else None
        except TemplateNotFound as error:
            raise Invalid.at("/templateId", error.code, error.detail) from None
        return wire.form(await forms.create(tx, call.actor, body.draft(origin)))


@operation("GET", ("listForms", _FORMS), tag="Forms", permission=Permission.FORMS_READ, raises=(CustomerNotFound,))
async def list_forms(call: RequestContext, query: wire.FormQuery) -> List[wire.Form]:
    """List the account's forms in the order in which they were made, or those of a folder with all below it."""
    async with call.reading() as tx:
        which = FormFilter(datasource_id=query.datasource_id)
        page = await forms.page(tx, call.actor, query.window(), which, folder_id=query.folder_id)
    return call.listing(page, wire.form)


@operation(
    "GET",
    ("getForm", _FORMS + "/{formId}"),
    tag="Forms",
    permission=Permission.FORMS_READ,
    raises=(CustomerNotFound, FormNotFound),
)
async def get_form(call: RequestContext, form_id: str) -> wire.Form:
    """Read one form."""
    async with call.reading() as tx:
        return wire.form(await forms.get(tx, call.actor, form_id=form_id))


@operation(
    "PUT",
    ("updateForm", _FORMS + "/{formId}"),
    tag="Forms",
    permission=Permission.FORMS_EDIT,
    raises=(CustomerNotFound, FormNotFound, NoDraft, Invalid),
)
async def update_form(call: RequestContext, form_id: str, body: wire.FormUpdate) -> wire.Form:
    """Change a form: what it is called, where it lies, whether it is archived, and what it asks.

    What is left out stays as it is. `fields` and `settings` go into the newest version if that is a draft, else into a
    new one; `publish`, with them or alone, makes the newest version final and opens the form with it.
    """
    async with call.writing() as tx:
        return wire.form(await forms.change(tx, call.actor, body.change(), form_id=form_id))


OPERATIONS = [*create_form, *list_forms, *get_form, *update_form]
