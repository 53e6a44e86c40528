"""Operations on forms."""

from formwright.api.context import ReadContext, WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import forms as schemas
from formwright.api.v1_0.schemas.base import value_or_none
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates, upserts
from formwright.domain.forms.models import FormChange, FormExternalIdTaken, FormNotFound, NoDraft, TemplateNotFound

_FORMS = "/forms/customer/{customerId}/forms"
OPERATIONS = OperationGroup("Forms", reads=Permission.FORMS_READ, writes=Permission.FORMS_EDIT)


@OPERATIONS.declare(
    "POST",
    ("createForm", "/forms"),
    ("createCustomerForm", _FORMS),
    location=_FORMS + "/{id}",
    raises=(FormExternalIdTaken, Invalid),
)
async def create_form(call: WriteContext, body: schemas.FormCreate) -> schemas.Form:
    """Create a form.

    Send either `fields` or `templateId`. With `publish: true`, the form opens with its first version at `fillPath`;
    otherwise the version is a draft. All errors in the definition are reported at once, each with its pointer.

    Records the event `form.created` and, with `publish`, `form.published`. `/forms` and
    `/forms/customer/{customerId}/forms` are equivalent.
    """
    if (body.fields is None) == (body.template_id is None):
        raise Invalid.at("/fields", "form.origin", "Send exactly one of fields and templateId.")
    if body.name is None and body.template_id is None:
        raise Invalid.at("/name", "value.required", "This is required.")
    try:
        origin = await templates.get(call.tx, call.actor, template_id=body.template_id) if body.template_id else None
    except TemplateNotFound as error:
        raise Invalid.at("/templateId", error.code, error.detail) from None
    return schemas.form(await forms.create(call.tx, call.actor, body.draft(origin)))


@OPERATIONS.declare("GET", ("listForms", _FORMS))
async def list_forms(call: ReadContext, query: schemas.FormQuery) -> List[schemas.Form]:
    """List forms.

    Returns the forms of the account, by default in order of creation. A form is listed if it matches all filters.
    """
    page = await forms.page(call.tx, call.actor, query.window(), query.to_filter(), folder_id=query.folder_id)
    return call.listing(page, schemas.form)


@OPERATIONS.declare("GET", ("getForm", _FORMS + "/{formId}"), raises=(FormNotFound,))
async def get_form(call: ReadContext, form_id: str) -> schemas.Form:
    """Get a form.

    The fields are part of its versions: get the version `publishedVersionId` for those that people currently fill in.
    """
    return schemas.form(await forms.get(call.tx, call.actor, form_id=form_id))


@OPERATIONS.declare(
    "PUT",
    ("updateForm", _FORMS + "/{formId}"),
    raises=(FormNotFound, FormExternalIdTaken, NoDraft, Invalid),
)
async def update_form(call: WriteContext, form_id: str, body: schemas.FormUpdate) -> schemas.Form:
    """Update a form.

    Properties you omit stay unchanged. `fields` and `settings` go into the newest version if that is a draft, otherwise
    into a new draft. `publish: true`, with them or alone, publishes the newest version; if that is not a draft, the
    response is 409 `form.no_draft`. An archived form accepts no submissions; set `status` to `ACTIVE` to restore it.

    Records the events `form.updated`, `form.archived` and `form.published` as applicable. Changes to drafts record no
    event.
    """
    return schemas.form(await forms.change(call.tx, call.actor, body.change(), form_id=form_id))


@OPERATIONS.declare("PUT", ("upsertForm", _FORMS + "/by-external-id"), raises=(FormExternalIdTaken, NoDraft, Invalid))
async def upsert_form(call: WriteContext, body: schemas.FormUpsert) -> schemas.Form:
    """Create or update a form by external id.

    Updates the form with this `externalId` as `updateForm` does or, if there is none, creates one as `createForm` does.
    If the newest version is published and has the same `fields` and `settings`, no other version is created or
    published.

    Records the events of that operation.
    """
    found = await upserts.find(call.tx, call.actor, body.external_id)
    if found is None:
        made = await forms.create(call.tx, call.actor, body.to_domain())
        change = FormChange(status=value_or_none(body.status))
        return schemas.form(await forms.change(call.tx, call.actor, change, form_id=made.id))
    return schemas.form(await upserts.update(call.tx, call.actor, found, body.change()))
