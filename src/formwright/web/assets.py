"""Static files, under the name of their present state: each is compressed once, when it is first asked for."""

import gzip
from functools import cache, lru_cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from litestar import Request, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Response

from formwright.web.templating import STATIC, static_version

_CACHE_HEADERS = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
_COMPRESSIBLE_TYPES = ("text/", "application/", "image/svg")


def static_files_handler() -> HTTPRouteHandler:
    """Their handler. A browser may keep what it got for good."""

    @get(f"/static/{static_version()}/{{path:path}}", sync_to_thread=True)
    def file(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[bytes]:
        found = _files_by_name().get(str(path).lstrip("/"))
        if found is None:
            raise NotFoundException
        type_ = guess_type(found.name)[0] or "application/octet-stream"
        if type_.startswith(_COMPRESSIBLE_TYPES) and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(_gzip_file(found), media_type=type_, headers=_CACHE_HEADERS | {"content-encoding": "gzip"})
        return Response(found.read_bytes(), media_type=type_, headers=_CACHE_HEADERS)

    return file


@cache
def _files_by_name() -> dict[str, Path]:
    """By name, as they were at the start: what is asked for never becomes a path."""
    return {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}


@lru_cache(maxsize=512)
def _gzip_file(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 9, mtime=0)
