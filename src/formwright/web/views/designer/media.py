"""The media files of a form in the designer."""

from collections.abc import Awaitable, Callable

from formwright.asgi.timeouts import disable_timeout
from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.core.blobs import ContentTooLarge, ReceivedBlob
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid, split_pointer
from formwright.domain.files import form_media, media_archive
from formwright.domain.files.filenames import content_disposition
from formwright.domain.files.form_media import TooManyMedia
from formwright.domain.files.models import File, FileNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form
from formwright.web.file_urls import sign_media_url
from formwright.web.http import JsonResponse, Response, Stream, UploadFile, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import PAGE_HEADERS
from formwright.web.uploaded_files import FORM_OVERHEAD, clean_file_name, iter_chunks

_PATH = "/forms/{form_id:str}/design/media"
_MAX_REASONS = 5
_DELETED = "Storing the file took too long. Upload it again."


async def list_form_media(ctx: AppContext, tx: ReadTransaction, visitor: Visitor, form: Form) -> list[dict[str, str]]:
    """Return the media of a form for the script of the designer."""
    return [_view(ctx, file) for file in await form_media.list_all(tx, visitor.actor, form_id=form.id)]


def _view(ctx: AppContext, file: File) -> dict[str, str]:
    """Return a file with its `kind`: image, audio or video."""
    kind = file.type.partition("/")[0]
    return {"id": file.id, "name": file.name, "kind": kind, "url": sign_media_url(ctx, file.customer_id, file.id)}


# The framework's default limit is for bodies in memory; files are spooled to disk.
@post(_PATH, request_max_body_size=form_media.MAX_SIZE + FORM_OVERHEAD)
async def add_media(page: Page, form_id: str) -> Response:
    """Add a file to the media of the form. Returns it in a list, or the reason why it was rejected."""

    async def add(ctx: AppContext, actor: Actor, file: UploadFile, received: ReceivedBlob) -> list[File]:
        name, type_ = clean_file_name(file.filename), file.content_type
        return [await form_media.add(ctx.db, ctx.files, actor, received, form_id=form_id, name=name, type_=type_)]

    return await _receive(page, form_id, form_media.MAX_SIZE, add)


@post(_PATH + "/archive", request_max_body_size=media_archive.MAX_ARCHIVE + FORM_OVERHEAD)
async def add_archive(page: Page, form_id: str) -> Response:
    """Add the files of a ZIP archive to the media of the form. Returns them, or the reasons why they were rejected."""

    async def add(ctx: AppContext, actor: Actor, _: UploadFile, received: ReceivedBlob) -> list[File]:
        return await media_archive.add_all(ctx.db, ctx.files, actor, received, form_id=form_id)

    return await _receive(page, form_id, media_archive.MAX_ARCHIVE, add)


Add = Callable[[AppContext, Actor, UploadFile, ReceivedBlob], Awaitable[list[File]]]


async def _receive(page: Page, form_id: str, limit: int, add: Add) -> Response:
    """Receive a file and `add` it."""
    disable_timeout()
    sent = await page.form()
    await forms.get(page.tx, page.actor, form_id=form_id)
    file = sent.get("file")
    try:
        if not isinstance(file, UploadFile) or not file.filename:
            raise Invalid.at("", "file.empty", "Choose a file first.")
        page.ctx.check_space()
        async with page.ctx.files.receive(iter_chunks(file), limit) as received:
            added = await add(page.ctx, page.actor, file, received)
    except _REFUSALS as error:
        return _refusal(error)
    return JsonResponse([_view(page.ctx, one) for one in added], 201)


@get("/forms/{form_id:str}/media.zip")
async def download_media(page: Page, form_id: str) -> Stream:
    """All media of the form as a ZIP archive."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    found = await form_media.list_all(page.tx, page.actor, form_id=form_id)
    headers = PAGE_HEADERS | {"content-disposition": content_disposition(f"{form.name}.media.zip")}
    return Stream(media_archive.iter_zip(page.ctx.files, found), headers=headers | {"content-type": "application/zip"})


@post(_PATH + "/{media_id:str}/remove")
async def remove_media(page: Page, form_id: str, media_id: str) -> Response:
    """Remove a file from the media of the form."""
    async with page.writing() as tx:
        await forms.get(tx, page.actor, form_id=form_id)
        await form_media.remove(tx, page.actor, form_id=form_id, file_id=media_id)
    return JsonResponse({}, 200)


_REFUSALS = (Invalid, TooManyMedia, ContentTooLarge, FileNotFound)


def _refusal(error: Invalid | TooManyMedia | ContentTooLarge | FileNotFound) -> Response:
    """Return why files were rejected. Those of an archive are named."""
    if isinstance(error, FileNotFound):
        return JsonResponse({"detail": _DELETED}, 422)
    if not isinstance(error, Invalid):
        return JsonResponse({"detail": str(error)}, 422)
    named = [("/".join(split_pointer(fault.pointer)), fault.detail) for fault in error.faults]
    reasons = [f"{name}: {detail}" if name else detail for name, detail in named[:_MAX_REASONS]]
    more = len(named) - len(reasons)
    return JsonResponse({"detail": " ".join([*reasons, *([f"And {more} more."] if more else [])])}, 422)
