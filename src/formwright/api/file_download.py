"""Downloads of files through signed links, without an API key and outside any version of the API.

Browsers never display uploaded files as part of our site: they download them, with the verified media type, and would
run them in a sandbox without any permissions.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from formwright.asgi.http_response import HttpResponse
from formwright.asgi.interfaces import ProgramRequest, ProgramRoute
from formwright.asgi.request_errors import RequestError
from formwright.context import AppContext
from formwright.core.auth.actor import Scope
from formwright.domain.exports import service as exports
from formwright.domain.exports.formats import FORMATS
from formwright.domain.files import service as files
from formwright.domain.files.filenames import content_disposition
from formwright.domain.files.models import FileNotFound
from formwright.domain.files.signed_links import FileLink
from formwright.domain.files.thumbnails import render_thumbnail

_PREFIX = "/files/"
_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")
_THUMBNAIL_CACHING = "private, max-age=300"
"""A gallery shows the same thumbnails again and again, and their links are the same for five minutes."""
_HEADERS = {
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cache-control": "private, no-store",
    "referrer-policy": "no-referrer",
    "accept-ranges": "bytes",
}


class RangeUnsatisfiable(RequestError):
    """The requested range begins after the end of the file."""

    status = 416
    code = "file.range"
    detail = "The range begins after the end of the file. The Content-Range header contains its size."

    def __init__(self, size: int) -> None:
        super().__init__()
        self.headers = {"content-range": f"bytes */{size}"}


def download_routes() -> list[ProgramRoute]:
    """Return the routes of signed links: to files, and to the thumbnails of photos."""
    path = _PREFIX + "{file_id:str}"
    return [ProgramRoute(path, _serve), ProgramRoute(path + "/thumbnail", _serve_thumbnail)]


async def _serve(request: ProgramRequest) -> HttpResponse:
    ctx, file_id, link = request.ctx, request.path_params["file_id"], _link(request.query)
    ctx.file_links.verify(link, file_id, ctx.clock.now())
    file = await _find_content(ctx, Scope(link.customer), file_id)
    headers = _HEADERS | {
        "content-type": file.type,
        "content-disposition": content_disposition(file.name),
        "etag": f'"{file.hash}"',
    }
    requested = _parse_range(request.headers, file)
    if requested is not None and not requested:
        raise RangeUnsatisfiable(file.size)
    part = requested or range(file.size)
    headers["content-length"] = str(len(part))
    if requested is not None:
        headers["content-range"] = f"bytes {part.start}-{part.stop - 1}/{file.size}"
    content = await ctx.files.read(file.blob_key, part.start, part.stop)
    return HttpResponse(200 if requested is None else 206, headers=headers, chunks=content)


async def _serve_thumbnail(request: ProgramRequest) -> HttpResponse:
    ctx, file_id, link = request.ctx, request.path_params["file_id"], _link(request.query)
    ctx.file_links.verify(link, file_id, ctx.clock.now())
    async with ctx.db.reading() as tx:
        file = await files.find(tx, Scope(link.customer), file_id=file_id)
    thumbnail = await render_thumbnail(ctx.files, file)
    headers = _HEADERS | {"content-type": thumbnail.type, "cache-control": _THUMBNAIL_CACHING}
    del headers["accept-ranges"]
    return HttpResponse(200, thumbnail.content, headers=headers)


@dataclass(frozen=True, slots=True)
class _Content:
    """A file to download."""

    name: str
    type: str
    size: int
    hash: str
    blob_key: str


async def _find_content(ctx: AppContext, scope: Scope, file_id: str) -> _Content:
    """Return an uploaded file or, for an id such as `run_….0`, a file of an export. Raises `FileNotFound`."""
    run_id, _, number = file_id.partition(".")
    async with ctx.db.reading() as tx:
        # Ids of uploaded files contain no dot.
        if not number.isdecimal():
            file = await files.find(tx, scope, file_id=file_id)
            return _Content(file.name, file.type, file.size, file.hash, file.blob_key)
        found = await exports.find_file(tx, scope, ctx.clock.now(), run_id=run_id, number=int(number))
    if found is None:
        raise FileNotFound()
    kind = found.name.rpartition(".")[2]
    type_ = FORMATS[kind].media_type if kind in FORMATS else "application/json"
    return _Content(found.name, type_, found.size, found.sha256, found.key)


def _link(query: Mapping[str, str]) -> FileLink:
    return FileLink(query.get("customer", ""), query.get("expires", ""), query.get("signature", ""))


def _parse_range(headers: Mapping[str, str], file: _Content) -> range | None:
    """Return the requested range (RFC 9110, section 14.2): None for the whole file, empty if it is after its end.

    Requests for several ranges, or with an `If-Range` of other content, get the whole file.
    """
    match = _RANGE.fullmatch(headers.get("range", ""))
    # The hash is a strong ETag, which `If-Range` requires. A date in `If-Range` never equals it, so the whole file is
    # sent.
    if match is None or match[0] == "bytes=-" or headers.get("if-range", f'"{file.hash}"') != f'"{file.hash}"':
        return None
    first, last = match.groups()
    if not first:
        # More bytes than the file has mean the whole file (RFC 9110, section 14.1.2).
        return range(max(0, file.size - int(last)), file.size)
    # The range is invalid, so it may be ignored (RFC 9110, section 14.2).
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1 if last else file.size, file.size))
