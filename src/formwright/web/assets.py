"""Static files, served under a versioned path so that browsers can cache them forever.

Compressible files are compressed once: with brotli by `scripts/assets.py`, which can take its time, and with gzip on
first use.
"""

import asyncio
import gzip
from functools import cache, lru_cache
from mimetypes import guess_type
from pathlib import Path

from formwright.web.bundles import FOLDER
from formwright.web.http import NotFoundException, Response, Route, get
from formwright.web.page import PublicPage
from formwright.web.templating import static_version

_CACHE_HEADERS = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
_COMPRESSIBLE_TYPES = ("text/", "application/", "image/svg")


def static_files_handler() -> Route:
    """Return the handler of `/static/<version>/`. Responses are immutable: a changed file gets another path."""

    @get(f"/static/{static_version()}/{{path:path}}")
    async def file(page: PublicPage, path: str) -> Response:
        name = str(path).lstrip("/")
        if (file_path := _files_by_name().get(name)) is None:
            raise NotFoundException
        media_type = guess_type(file_path.name)[0] or "application/octet-stream"
        headers = _CACHE_HEADERS | _source_map(name)
        accepted = page.headers.get("accept-encoding", "")
        encoding, content = await asyncio.to_thread(_encode, file_path, accepted, media_type)
        if encoding:
            headers |= {"content-encoding": encoding}
        return Response(content, media_type=media_type, headers=headers)

    return file


@cache
def _files_by_name() -> dict[str, Path]:
    """The files by relative name, listed once. A requested name is looked up here and never used as a path."""
    return {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.is_file()}


def _source_map(name: str) -> dict[str, str]:
    """Return the header with which developer tools find the source map of a script; wheels contain none."""
    return {"sourcemap": f"/static/{static_version()}/{name}.map"} if f"{name}.map" in _files_by_name() else {}


def _encode(path: Path, accepted: str, media_type: str) -> tuple[str, bytes]:
    """Return the encoding and the content of a file in the best encoding that the browser accepts."""
    if "br" in accepted and (compressed := path.with_name(path.name + ".br")).exists():
        return "br", compressed.read_bytes()
    if "gzip" in accepted and media_type.startswith(_COMPRESSIBLE_TYPES):
        return "gzip", _gzip_file(path)
    return "", path.read_bytes()


@lru_cache(maxsize=512)
def _gzip_file(path: Path) -> bytes:
    # Without the time, which is part of the gzip format, all processes send the same bytes.
    return gzip.compress(path.read_bytes(), 9, mtime=0)
