"""Downloads of files through signed links, without an API key and outside any version of the API.

Browsers never display uploaded files as part of our site: they download them, with the verified media type, and would
run them in a sandbox without any permissions.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Response, Stream

from formwright.api.errors import problem
from formwright.asgi.request_errors import RequestError
from formwright.context import AppContext
from formwright.core.auth.actor import Scope
from formwright.core.errors import DomainError
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


Serve = Callable[[AppContext, Request[Any, Any, Any], str], Awaitable[Response[Any]]]


def download_routes() -> list[HTTPRouteHandler]:
    """Return the routes of signed links: to files, and to the thumbnails of photos."""
    return [_route("{file_id:str}", _serve), _route("{file_id:str}/thumbnail", _serve_thumbnail)]


def _route(path: str, serve: Serve) -> HTTPRouteHandler:
    async def handler(request: Request[Any, Any, Any], file_id: FromPath[str]) -> Response[Any]:
        try:
            return await serve(request.app.state.ctx, request, file_id)
        except DomainError as error:
            return problem(error, request.scope["state"]["request_id"])

    return HTTPRouteHandler(_PREFIX + path, http_method="GET", status_code=200)(handler)


async def _serve(ctx: AppContext, request: Request[Any, Any, Any], file_id: str) -> Response[Any]:
    link = _link(request.query_params)
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
    return Stream(content, status_code=200 if requested is None else 206, headers=headers)


async def _serve_thumbnail(ctx: AppContext, request: Request[Any, Any, Any], file_id: str) -> Response[Any]:
    link = _link(request.query_params)
    ctx.file_links.verify(link, file_id, ctx.clock.now())
    async with ctx.db.reading() as tx:
        file = await files.find(tx, Scope(link.customer), file_id=file_id)
    thumbnail = await render_thumbnail(ctx.files, file)
    headers = _HEADERS | {"content-type": thumbnail.type, "cache-control": _THUMBNAIL_CACHING}
    del headers["accept-ranges"]
    return Response(thumbnail.content, headers=headers)


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
    if match is None or match[0] == "bytes=-" or headers.get("if-range", f'"{file.hash}"') != f'"{file.hash}"':
        return None
    first, last = match.groups()
    if not first:
        return range(max(0, file.size - int(last)), file.size)
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1 if last else file.size, file.size))
