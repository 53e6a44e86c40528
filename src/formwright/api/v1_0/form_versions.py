"""Operations on versions of forms."""

from typing import Any

from formwright.api.context import ReadContext, WriteContext
from formwright.api.errors import ValidationError
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import forms as schemas
from formwright.api.v1_0.schemas.base import value_or_none
from formwright.api.v1_0.schemas.lists import ChangesQuery
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.forms import diff, versions
from formwright.domain.forms import service as forms
from formwright.domain.forms.answers.schema import answers_schema
from formwright.domain.forms.models import FormNotFound, VersionNotDraft, VersionNotFound
from formwright.domain.submissions import service as submissions

_VERSIONS = "/forms/customer/{customerId}/forms/{formId}/versions"
_VERSION = _VERSIONS + "/{versionId}"
OPERATIONS = OperationGroup("Forms", reads=Permission.FORMS_READ, writes=Permission.FORMS_EDIT)


@OPERATIONS.declare("GET", ("listFormVersions", _VERSIONS), raises=(FormNotFound,))
async def list_form_versions(call: ReadContext, form_id: str, query: ChangesQuery) -> List[schemas.FormVersion]:
    """List the versions of a form.

    Returns drafts and final versions, by default in order of creation, which is that of their numbers.
    """
    page = await versions.page(call.tx, call.actor, query.window(), form_id=form_id, times=query.times())
    return call.listing(page, schemas.version)


@OPERATIONS.declare(
    "POST",
    ("createFormVersion", _VERSIONS),
    location=_VERSION.replace("{versionId}", "{id}"),
    raises=(FormNotFound, Invalid),
)
async def create_form_version(call: WriteContext, form_id: str, body: schemas.FormVersionWrite) -> schemas.FormVersion:
    """Create a form version.

    The new version is a draft. The form keeps collecting answers with its published version until you publish the
    draft. If you omit `settings`, the version gets those of the newest version. All errors in the definition are
    reported at once, each with its pointer.

    Changes to drafts record no event.
    """
    record = await versions.create(
        call.tx,
        call.actor,
        form_id=form_id,
        fields=body.fields,
        settings=value_or_none(body.settings),
        remarks=value_or_none(body.remarks) or "",
    )
    return schemas.version(record)


@OPERATIONS.declare(
    "POST",
    ("validateFormVersion", _VERSIONS + "/validate"),
    permission=Permission.FORMS_READ,
    raises=(FormNotFound, Invalid),
)
async def validate_form_version(
    call: ReadContext, form_id: str, body: schemas.FormVersionWrite
) -> schemas.ValidationResult:
    """Validate a form definition.

    Checks `fields` and `settings` without saving anything. The response lists all errors with their pointers, and its
    status is 200 whether or not the definition is valid. A body that does not match the schema is rejected with 422.
    """
    await forms.get(call.tx, call.actor, form_id=form_id)
    errors = await versions.find_errors(call.tx, call.actor, body.fields, body.settings or None)
    return schemas.ValidationResult(
        valid=not errors, errors=[ValidationError(e.pointer, e.code, e.detail) for e in errors]
    )


@OPERATIONS.declare("GET", ("getFormVersion", _VERSION), raises=(VersionNotFound,))
async def get_form_version(call: ReadContext, form_id: str, version_id: str) -> schemas.FormVersion:
    """Get a form version.

    Returns the fields and settings of the version.
    """
    return schemas.version(await versions.get(call.tx, call.actor, form_id=form_id, version_id=version_id))


@OPERATIONS.declare("PUT", ("updateFormVersion", _VERSION), raises=(VersionNotFound, VersionNotDraft, Invalid))
async def update_form_version(
    call: WriteContext, form_id: str, version_id: str, body: schemas.FormVersionWrite
) -> schemas.FormVersion:
    """Update a form version.

    Replaces the fields of a draft, and its settings and remarks if you send them. Final versions never change: updating
    one returns 409 `form.version.not_draft`.

    Changes to drafts record no event.
    """
    record = await versions.change(
        call.tx,
        call.actor,
        form_id=form_id,
        version_id=version_id,
        fields=body.fields,
        settings=value_or_none(body.settings),
        remarks=value_or_none(body.remarks),
    )
    return schemas.version(record)


@OPERATIONS.declare(
    "POST",
    ("publishFormVersion", _VERSION + "/publish"),
    permission=Permission.FORMS_PUBLISH,
    raises=(FormNotFound, VersionNotFound, Invalid),
)
async def publish_form_version(call: WriteContext, form_id: str, version_id: str) -> schemas.Form:
    """Publish a form version.

    Makes the version final and opens the form with it. Submissions that have already been started keep their version.
    You can publish an earlier final version again. Publishing the version that is already published changes nothing.

    Records the event `form.published`.
    """
    return schemas.form(await forms.publish(call.tx, call.actor, form_id=form_id, version_id=version_id))


@OPERATIONS.declare("GET", ("getFormVersionSchema", _VERSION + "/schema"), raises=(VersionNotFound,))
async def get_form_version_schema(call: ReadContext, form_id: str, version_id: str) -> dict[str, Any]:
    """Get the answer schema of a form version.

    Returns a JSON Schema (2020-12) of the answers: their types and limits. It cannot express rules, so it only requires
    fields that are always shown.
    """
    version = await versions.get(call.tx, call.actor, form_id=form_id, version_id=version_id)
    return answers_schema(version.definition)


@OPERATIONS.declare("GET", ("getFormVersionChanges", _VERSION + "/changes"), raises=(VersionNotFound,))
async def get_form_version_changes(
    call: ReadContext, form_id: str, version_id: str, query: schemas.VersionChangesQuery
) -> schemas.FormVersionChanges:
    """Get the changes in a form version.

    Compares the version with an earlier one, by default the previous one. For each field that was added, removed or
    changed, the response says whether the change breaks consumers of the answers, and how many stored submissions have
    an answer to the field.
    """
    after = await versions.get(call.tx, call.actor, form_id=form_id, version_id=version_id)
    before = await versions.get_previous(call.tx, call.actor, after, since=query.since)
    changes = diff.compare_definitions(before.definition, after.definition)
    submission_counts = [
        await submissions.count_answered(
            call.tx, call.actor, form_id=form_id, field=change.before, repeat=change.repeat
        )
        for change in changes
    ]
    return schemas.FormVersionChanges(
        since=before.id,
        version_id=after.id,
        breaking=any(change.is_breaking for change in changes),
        changes=[schemas.field_change(change, count) for change, count in zip(changes, submission_counts, strict=True)],
    )
