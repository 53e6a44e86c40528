"""Operations that copy forms: within an account, and as a bundle into another one."""

from formwright.api.context import ReadContext, WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import form_bundles as schemas
from formwright.api.v1_0.schemas import forms
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.forms import bundles, copies
from formwright.domain.forms.bundles import FormBundle
from formwright.domain.forms.models import FormNotFound, VersionNotFound

_FORMS = "/forms/customer/{customerId}/forms"
_FORM = _FORMS + "/{formId}"
OPERATIONS = OperationGroup("Forms", reads=Permission.FORMS_READ, writes=Permission.FORMS_EDIT)


@OPERATIONS.declare("POST", ("copyForm", _FORM + "/copy"), location=_FORMS + "/{id}", raises=(FormNotFound, Invalid))
async def copy_form(call: WriteContext, form_id: str, body: schemas.FormCopy) -> forms.Form:
    """Copy a form.

    Creates a form with the fields and settings of one version of this form: `versionId` or, by default, the published
    version, or the newest draft if none is published. The copy has neither submissions nor an external id, and its
    version is a draft unless you set `publish`. Reading the form takes the permission `forms:read`.

    Records the event `form.created` and, with `publish`, `form.published`.
    """
    try:
        made = await copies.copy(
            call.tx,
            call.actor,
            form_id=form_id,
            version_id=body.version_id,
            name=body.name,
            folder_id=body.folder_id,
            publish=body.publish,
        )
    except VersionNotFound as error:
        raise Invalid.at("/versionId", error.code, error.detail) from None
    return forms.form(made)


@OPERATIONS.declare("GET", ("getFormBundle", _FORM + "/bundle"), raises=(FormNotFound,))
async def get_form_bundle(call: ReadContext, form_id: str) -> FormBundle:
    """Export a form as a bundle.

    Returns the published version or, if none is published, the newest draft as a document that `importFormBundle`
    imports into any account. It contains the name, description, tags, fields, settings and texts in all languages, and
    the names and columns of the data sources that lookups use; neither their rows, nor submissions or other
    versions. A form with lookups also takes the permission `datasources:read`.
    """
    return await bundles.export(call.tx, call.actor, form_id=form_id)


VERSION_OPERATIONS = OperationGroup("Forms", reads=Permission.FORMS_READ)


@VERSION_OPERATIONS.declare(
    "GET",
    ("getFormVersionBundle", _FORM + "/versions/{versionId}/bundle"),
    raises=(FormNotFound, VersionNotFound),
)
async def get_form_version_bundle(call: ReadContext, form_id: str, version_id: str) -> FormBundle:
    """Export a form version as a bundle.

    Returns any version, as `getFormBundle` does.
    """
    return await bundles.export(call.tx, call.actor, form_id=form_id, version_id=version_id)


@OPERATIONS.declare(
    "POST",
    ("importFormBundle", _FORMS + "/import-bundle"),
    location=_FORMS + "/{id}",
    raises=(Invalid,),
)
async def import_form_bundle(call: WriteContext, body: schemas.RawFormBundleImport) -> forms.Form:
    """Import a bundle.

    Creates a form from a bundle that this or another installation has exported. Lookups use the data sources of your
    account with the same names, or those that you name in `datasources`. If some are missing, or lack columns that
    the form uses, nothing is created and the response lists all of them (`bundle.datasource_missing`,
    `bundle.columns_missing`): send `dryRun=true` to find out first. The version is a draft unless you set `publish`.

    Records the event `form.created` and, with `publish`, `form.published`.
    """
    return forms.form(await bundles.import_bundle(call.tx, call.actor, body.to_domain()))
