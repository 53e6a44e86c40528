"""Uploads while a form is filled in. The file is uploaded first, then the answer refers to it by id."""

from typing import Any
from urllib.parse import unquote

import msgspec

from formwright.asgi.timeouts import disable_timeout
from formwright.core.auth.actor import Actor
from formwright.core.blobs import ContentTooLarge
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.core.ids import is_id
from formwright.domain.files.models import MAX_SIZE, Target
from formwright.domain.files.service import Upload, upload
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import VersionNotFound
from formwright.domain.quotas.models import LinkSource
from formwright.domain.submissions import attachments
from formwright.web.fill.limits import FillPage, admit_file
from formwright.web.fill.link_access import is_personal, open_link
from formwright.web.http import JsonResponse, Response, post
from formwright.web.page import PublicPage


class FileAdded(msgspec.Struct):
    """The response to an upload. The page puts the id into the answer."""

    id: str
    name: str
    type: str
    size: int


# The framework's limit is for bodies that are read into memory. This one is streamed, and counted while it arrives.
@post("/fill/{token:str}/files", request_max_body_size=None)
async def add_file(page: FillPage, token: str) -> Response:
    """Store the request body as a file for the field named by the query. `X-File-Name` is percent-encoded UTF-8."""
    if _content_length(page) > 2 * MAX_SIZE:
        raise ContentTooLarge(f"A file may have at most {MAX_SIZE // 2**20} MiB.")
    disable_timeout()  # A large file can take minutes to reach a remote bucket.
    async with page.ctx.db.reading() as tx:
        actor, target = await _find_target(tx, token, page.query, page.ctx.clock.now())
    upload_request = Upload(
        target, _decode_file_name(page.headers.get("x-file-name", "")), page.headers.get("content-type", "")
    )
    source = LinkSource(actor.customer_id, None if is_personal(token) else target.form_id)
    async with admit_file(page.ctx, source, _content_length(page), page.stream()) as chunks:
        file = await upload(page.ctx.db, page.ctx.files, actor, upload_request, chunks)
    return JsonResponse(FileAdded(file.id, file.name, file.type, file.size), 201)


async def _find_target(tx: ReadTransaction, token: str, query: Any, now: int) -> tuple[Actor, Target]:
    """Return the caller and the field to upload to.

    The field is looked up in the version named by `version`, else in the published one. Raises `Invalid` if it takes no
    files.
    """
    actor, form_id = await open_link(tx, token, now)
    version_id = query.get("version")
    if version_id is not None and not is_id(version_id, "ver"):
        raise VersionNotFound()
    _, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=version_id)
    return actor, attachments.find_target(version, query.get("field", ""))


def _content_length(page: PublicPage) -> int:
    length = page.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 19 else 0


def _decode_file_name(header: str) -> str:
    try:
        return unquote(header, errors="strict")
    except UnicodeDecodeError:
        raise Invalid.at("", "file.name", "X-File-Name must be UTF-8, percent-encoded.") from None
