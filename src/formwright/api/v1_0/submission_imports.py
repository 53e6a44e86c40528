"""Imports of submissions from files."""

from dataclasses import replace

from formwright.api.binary_bodies import TableUpload
from formwright.api.context import ReadContext, RequestContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import submission_imports as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import ContentTooLarge
from formwright.core.errors import Invalid
from formwright.core.tables.encodings import parse_charset
from formwright.domain.customers import service as customers
from formwright.domain.forms.models import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.imports.models import ImportNotFound, TooManyImports

_IMPORTS = "/customers/{customerId}/submission-imports"
OPERATIONS = OperationGroup("Submissions", reads=Permission.SUBMISSIONS_READ, writes=Permission.SUBMISSIONS_CREATE)


@OPERATIONS.declare(
    "POST",
    ("importSubmissions", "/customers/{customerId}/forms/{formId}/submission-imports"),
    location=_IMPORTS + "/{id}",
    raises=(FormNotFound, FormNotPublished, FormArchived, TooManyImports, ContentTooLarge, Invalid),
)
async def import_submissions(
    call: RequestContext, form_id: str, query: schemas.SubmissionImportQuery, body: TableUpload
) -> schemas.SubmissionImport:
    """Import submissions from a file.

    The body is a CSV, .xlsx or .xls file with a submission in each row and the names of the columns in the first row.
    The import runs in the background: read it with `getSubmissionImport` until `endedAt` is not null.

    Each row is checked as `createSubmission` checks a submission, before the first one is written. If a row is invalid,
    nothing is imported, and `errors` names the line, the column and the reason. With `skipBadRows=true`, the valid rows
    are imported. If the server stops during the import, another one continues, and no row is imported twice.

    The rows of a repeat are JSON in a cell, or in a workbook rows of a sheet with the name of the repeat, whose column
    `id` has the same value as the column `id` of the submission.

    Records the event `submission.submitted` for each submission. With `silent=true`, no webhooks are sent.
    """
    call.ctx.check_space()
    async with call.reading() as tx:
        customer = await customers.get(tx, call.actor)
    options = query.to_options(parse_charset(body.content_type), customer.time_zone)
    record = await imports.create(
        call.db,
        call.ctx.files,
        call.actor,
        body.received,
        form_id=form_id,
        kind=body.kind,
        file_name=query.name,
        options=options,
        dry_run=query.dry_run,
    )
    if query.dry_run:
        return schemas.submission_import(record)
    # The response for an `Idempotency-Key` joins this transaction: otherwise, a repeat could start a second import.
    async with call.writing() as tx:
        now = tx.now()
        await imports.queue(tx, record, now)
    return schemas.submission_import(replace(record, updated=now))


@OPERATIONS.declare("GET", ("listSubmissionImports", _IMPORTS))
async def list_submission_imports(
    call: ReadContext, query: schemas.SubmissionImportListQuery
) -> List[schemas.SubmissionImport]:
    """List imports of submissions.

    Returns the imports of the last 30 days, newest first.
    """
    page = await imports.page(call.tx, call.actor, query.window(), form_id=query.form_id)
    return call.listing(page, schemas.submission_import)


@OPERATIONS.declare("GET", ("getSubmissionImport", _IMPORTS + "/{importId}"), raises=(ImportNotFound,))
async def get_submission_import(call: ReadContext, import_id: str) -> schemas.SubmissionImport:
    """Get an import of submissions.

    Returns its status, its progress, and the errors of invalid rows.
    """
    return schemas.submission_import(await imports.get(call.tx, call.actor, import_id=import_id))
