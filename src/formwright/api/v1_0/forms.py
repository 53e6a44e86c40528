"""Forms and their versions."""

from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.wire import forms as wire
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.model import FormNotFound, VersionNotFound

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
async def create_form(call: Call, body: wire.FormCreate) -> wire.Form:
    """Create a form with its first version.

    With `publish` the version is final at once and the form can be filled under `fillPath`; else it is a draft.
    """
    async with call.writing() as tx:
        return wire.form(await forms.create(tx, call.actor, body.draft()))


@operation("GET", ("listForms", _FORMS), tag="Forms", permission=Permission.FORMS_READ, raises=(CustomerNotFound,))
async def list_forms(call: Call, query: PageQuery) -> List[wire.Form]:
    """List the account's forms in the order in which they were made."""
    async with call.reading() as tx:
        return call.listing(await forms.page(tx, call.actor, query.window()), wire.form)


@operation(
    "GET",
    ("getForm", _FORMS + "/{formId}"),
    tag="Forms",
    permission=Permission.FORMS_READ,
    raises=(CustomerNotFound, FormNotFound),
)
async def get_form(call: Call, form_id: str) -> wire.Form:
    """Read one form."""
    async with call.reading() as tx:
        return wire.form(await forms.get(tx, call.actor, form_id=form_id))


@operation(
    "GET",
    ("listVersions", _FORMS + "/{formId}/versions"),
    tag="Forms",
    permission=Permission.FORMS_READ,
    raises=(CustomerNotFound, FormNotFound),
)
async def list_versions(call: Call, form_id: str, query: PageQuery) -> List[wire.Version]:
    """List the versions of a form by their number."""
    async with call.reading() as tx:
        return call.listing(await forms.versions(tx, call.actor, query.window(), form_id=form_id), wire.version)


@operation(
    "GET",
    ("getVersion", _FORMS + "/{formId}/versions/{versionId}"),
    tag="Forms",
    permission=Permission.FORMS_READ,
    raises=(CustomerNotFound, VersionNotFound),
)
async def get_version(call: Call, form_id: str, version_id: str) -> wire.Version:
    """Read one version of a form with its fields."""
    async with call.reading() as tx:
        return wire.version(await forms.get_version(tx, call.actor, form_id=form_id, version_id=version_id))


OPERATIONS = [*create_form, *list_forms, *get_form, *list_versions, *get_version]
