"""Media of forms: images, audio and video that people see while they fill in a form."""

from formwright.api.binary_bodies import FileUpload, MediaArchiveUpload, ZipDownload
from formwright.api.context import ReadContext, RequestContext, WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import form_media as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.files import form_media, media_archive
from formwright.domain.files.form_media import TooManyMedia
from formwright.domain.files.models import File, FileNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound

_MEDIA = "/forms/customer/{customerId}/forms/{formId}/media"
OPERATIONS = OperationGroup("Forms", reads=Permission.FORMS_READ, writes=Permission.FORMS_EDIT)


@OPERATIONS.declare("GET", ("listFormMedia", _MEDIA), raises=(FormNotFound,))
async def list_form_media(call: ReadContext, form_id: str) -> List[schemas.FormMedia]:
    """List the media of a form.

    Returns the files that `media` of fields and options name, in the order of their names, on a single page.
    """
    await forms.get(call.tx, call.actor, form_id=form_id)
    found = await form_media.list_all(call.tx, call.actor, form_id=form_id)
    return List([_shape(call, file) for file in found], next_cursor=None, next=None)


@OPERATIONS.declare(
    "POST",
    ("addFormMedia", _MEDIA),
    status=201,
    raises=(FormNotFound, FileNotFound, TooManyMedia, Invalid),
)
async def add_form_media(
    call: RequestContext, form_id: str, query: schemas.FormMediaQuery, body: FileUpload
) -> schemas.FormMedia:
    """Add a media file to a form.

    The body is an image (JPEG, PNG, WebP or GIF), a sound (MP3, M4A, WAV, Ogg or WebM) or a video (MP4, WebM or 3GP)
    of up to 25 MiB. Fields and options of all versions refer to it by its `name`; a file with the same name is
    replaced. A form can have 500 files and 200 MiB. If storing the file takes more than a day, the response is 404
    `file.not_found`: send it again.
    """
    call.ctx.check_space()
    async with call.reading() as tx:
        await forms.get(tx, call.actor, form_id=form_id)
    added = await form_media.add(
        call.db,
        call.ctx.files,
        call.actor,
        body.received,
        form_id=form_id,
        name=query.name,
        type_=body.content_type,
        dry_run=query.dry_run,
    )
    return _shape(call, added)


@OPERATIONS.declare("DELETE", ("deleteFormMedia", _MEDIA + "/{mediaId}"), raises=(FormNotFound, FileNotFound))
async def delete_form_media(call: WriteContext, form_id: str, media_id: str) -> None:
    """Delete a media file of a form.

    Questions and options that name it are shown without it.
    """
    await forms.get(call.tx, call.actor, form_id=form_id)
    await form_media.remove(call.tx, call.actor, form_id=form_id, file_id=media_id)


@OPERATIONS.declare("GET", ("downloadFormMedia", _MEDIA + ".zip"), raises=(FormNotFound,))
async def download_form_media(call: ReadContext, form_id: str) -> ZipDownload:
    """Download the media of a form.

    Returns a ZIP archive with all media, which `importFormMedia` adds to another form. Files whose content has been
    lost are listed in `missing.txt`.
    """
    form = await forms.get(call.tx, call.actor, form_id=form_id)
    found = await form_media.list_all(call.tx, call.actor, form_id=form_id)
    return ZipDownload(media_archive.iter_zip(call.ctx.files, found), f"{form.name}.media.zip")


@OPERATIONS.declare(
    "POST",
    ("importFormMedia", _MEDIA + ".zip"),
    raises=(FormNotFound, FileNotFound, TooManyMedia, Invalid),
)
async def import_form_media(
    call: RequestContext, form_id: str, query: schemas.FormMediaImportQuery, body: MediaArchiveUpload
) -> schemas.FormMediaImport:
    """Add the media in a ZIP archive to a form.

    The archive is one of `downloadFormMedia`, or has been made otherwise; folders and hidden files in it are ignored.
    Each file is added as `addFormMedia` does. If any cannot be media, the response names all of these files, and none
    is added.
    """
    call.ctx.check_space()
    async with call.reading() as tx:
        await forms.get(tx, call.actor, form_id=form_id)
    added = await media_archive.add_all(
        call.db, call.ctx.files, call.actor, body.received, form_id=form_id, dry_run=query.dry_run
    )
    return schemas.FormMediaImport([_shape(call, file) for file in added])


def _shape(call: RequestContext, file: File) -> schemas.FormMedia:
    return schemas.form_media(file, call.url(call.ctx.file_links.sign_permanently(file.customer_id, file.id)))
