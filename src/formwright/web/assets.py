"""Static files, served under a versioned path so that browsers can cache them forever.

Compressible files are gzipped once, on first use.
"""

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
    """Return the handler of `/static/<version>/`. Responses are immutable: a changed file gets another path."""

    @get(f"/static/{static_version()}/{{path:path}}", sync_to_thread=True)
    def file(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[bytes]:
        file_path = _files_by_name().get(str(path).lstrip("/"))
        if file_path is None:
            raise NotFoundException
        media_type = guess_type(file_path.name)[0] or "application/octet-stream"
        if media_type.startswith(_COMPRESSIBLE_TYPES) and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(
                _gzip_file(file_path), media_type=media_type, headers=_CACHE_HEADERS | {"content-encoding": "gzip"}
            )
        return Response(file_path.read_bytes(), media_type=media_type, headers=_CACHE_HEADERS)

    return file


@cache
def _files_by_name() -> dict[str, Path]:
    """The files by relative name, listed once. A requested name is looked up here and never used as a path."""
    return {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}


@lru_cache(maxsize=512)
def _gzip_file(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 9, mtime=0)
