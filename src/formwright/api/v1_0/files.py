"""Operations on files: photos, signatures and other files that answer fields of a form."""

from formwright.api.binary_bodies import FileUpload, ZipDownload
from formwright.api.context import ReadContext, RequestContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import files as schemas
from formwright.api.v1_0.submission_filters import complete_filter
from formwright.asgi.timeouts import disable_timeout
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import ContentTooLarge
from formwright.core.errors import Invalid
from formwright.domain.files import service as files
from formwright.domain.files.models import File, FileNotFound, TooManyUnusedFiles
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.saved_views.models import ViewNotFound
from formwright.domain.submissions import attachments, file_archive
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SearchNotReady, SearchTooBroad, SubmissionNotFound

_FILES = "/customers/{customerId}/files"
_SUBMISSIONS = "/customers/{customerId}/submissions"
OPERATIONS = OperationGroup("Submissions", reads=Permission.SUBMISSIONS_READ, writes=Permission.SUBMISSIONS_CREATE)


@OPERATIONS.declare(
    "POST",
    ("uploadFile", "/customers/{customerId}/forms/{formId}/files"),
    location=_FILES + "/{id}",
    raises=(FormNotFound, FormNotPublished, FormArchived, TooManyUnusedFiles, ContentTooLarge, Invalid),
)
async def upload_file(
    call: RequestContext, form_id: str, query: schemas.FileUploadQuery, body: FileUpload
) -> schemas.UploadedFile:
    """Upload a file.

    The body is the content of the file, of up to 100 MiB, with its media type as the `Content-Type`, and not a form
    (`multipart/form-data`). Use
    `application/octet-stream` if you do not know the type: the extension of `name` or the content then determines it.
    The content must match the type, and the field of the published version must accept it: photos are JPEG, PNG, WebP,
    HEIC or GIF images, and signatures are PNG images.

    Then use the `id` in the answer of a submission: in a list for fields of type `photo` and `file`, by itself for a
    `signature`. A file belongs to one submission. Files that no submission refers to are deleted after a day.
    """
    call.ctx.check_space()
    async with call.reading() as tx:
        _, version = await forms.get_for_answering(tx, call.actor, form_id=form_id)
    declared = files.Upload(attachments.find_target(version, query.field), query.name, body.content_type)
    record = await files.store_received(
        call.db, call.ctx.files, call.actor, declared, body.received, dry_run=query.dry_run
    )
    return schemas.file(record, _sign(call, record))


@OPERATIONS.declare("GET", ("getFile", _FILES + "/{fileId}"), raises=(FileNotFound,))
async def get_file(call: ReadContext, file_id: str) -> schemas.UploadedFile:
    """Get a file.

    Returns its name, type, size and SHA-256, and a download link that needs no API key and expires after 15 to 20
    minutes; call this operation again for a new link.
    """
    record = await files.get(call.tx, call.actor, file_id=file_id)
    return schemas.file(record, _sign(call, record))


@OPERATIONS.declare(
    "GET",
    ("listSubmissionFiles", _SUBMISSIONS + "/{submissionId}/files"),
    raises=(SubmissionNotFound,),
)
async def list_submission_files(
    call: ReadContext, submission_id: str, query: PageQuery
) -> List[schemas.SubmissionFile]:
    """List the files of a submission.

    Returns photos, signatures and other files in the order in which they were uploaded. Each has a download link that
    needs no API key and expires after 15 minutes; call this operation again for new links.
    """
    await submissions.get(call.tx, call.actor, submission_id=submission_id)
    page = await files.page_of_submission(call.tx, call.actor, query.window(), submission_id=submission_id)
    return call.listing(page, lambda record: schemas.submission_file(record, _sign(call, record)))


@OPERATIONS.declare(
    "GET",
    ("downloadSubmissionFiles", _SUBMISSIONS + "/files.zip"),
    raises=(ViewNotFound, SearchTooBroad, SearchNotReady),
)
async def download_submission_files(call: RequestContext, query: schemas.SubmissionFilesQuery) -> ZipDownload:
    """Download the files of submissions.

    Returns a ZIP archive with the files of all submissions that match the filters, which are those of
    `listSubmissions`. The archive has a folder for each form, in it one for each submission, named by its id, and the
    names of the files begin with the field: `Site visit/sub_01m7…/photos-2 quay.jpg`, or
    `defects-1-picture-1 crack.jpg` for a field in the first row of a repeat. Files whose content has been lost are
    listed in `missing.txt`.

    The archive is created while it is sent, so its size is not known in advance. An archive that was cut off has no
    directory at its end, and programs reject it.
    """
    async with call.reading(long=True) as tx:
        filter_, _ = await complete_filter(call, tx, query.to_filter(), query)
        if filter_.words:  # A search may fail, and an archive that has begun cannot report it.
            await submissions.count(tx, call.actor, filter_, limit=1)
    disable_timeout()
    return ZipDownload(file_archive.iter_zip(call.ctx.db, call.ctx.files, call.actor, filter_), "files.zip")


def _sign(call: RequestContext, record: File) -> schemas.FileLinks:
    link = call.ctx.file_links.sign(record.customer_id, record.id, call.ctx.clock.now())
    thumbnail = call.url(link.thumbnail_path(record.id)) if record.is_image else None
    return schemas.FileLinks(call.url(link.path(record.id)), thumbnail, int(link.expires) * 1000)
