"""The background of maps: outlines of countries, the operator's PMTiles file, or tiles of the operator's server."""

import asyncio
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from formwright.settings import Settings
from formwright.web.http import HTTPException, Response
from formwright.web.page import PublicPage
from formwright.web.templating import PAGE_HEADERS

_RANGE = re.compile(r"bytes=([0-9]{1,15})-([0-9]{1,15})?")
_MAX_PART = 4 * 1024 * 1024
"""More than any tile or directory needs, so that no request reads the whole file into memory."""
_POLICY = "content-security-policy"


@dataclass(frozen=True, slots=True)
class Basemap:
    """The URL of the file or of the tiles, both empty for outlines of countries, and the attribution."""

    file_url: str
    tiles_url: str
    attribution: str


def basemap(settings: Settings) -> Basemap:
    """Return the basemap of this installation."""
    file_url = "/basemap.pmtiles" if settings.map_file else ""
    return Basemap(file_url, "" if file_url else settings.map_tiles, settings.map_attribution)


def allow_basemap(response: Response, settings: Settings) -> None:
    """Let this page load tiles from the operator's tile server, if there is one. Other pages must not."""
    if tiles_url := basemap(settings).tiles_url:
        parts = urlsplit(tiles_url)
        policy = response.headers.get(_POLICY, PAGE_HEADERS[_POLICY]).replace(
            "img-src 'self'", f"img-src 'self' {parts.scheme}://{parts.netloc}"
        )
        response.headers[_POLICY] = policy


async def read_file_part(page: PublicPage, path: Path) -> Response:
    """Return the part of a file in the range of the request (RFC 9110, 14), of at most 4 MiB.

    Raises `HTTPException` without a range: the whole file may have many gigabytes, and a part of it without a range
    would be taken for the whole.
    """
    match = _RANGE.fullmatch(page.headers.get("range", ""))
    if match is None:
        raise HTTPException(status_code=400)
    first = int(match[1])
    return await asyncio.to_thread(_read_part, path, first, int(match[2] or first + _MAX_PART - 1))


def _read_part(path: Path, first: int, last: int) -> Response:
    with path.open("rb") as file:
        # Of the open file and not of its path: the operator may replace the file between the two.
        state = os.fstat(file.fileno())
        headers = {
            "etag": f'"{state.st_mtime_ns:x}-{state.st_size:x}"',
            "accept-ranges": "bytes",
            "cache-control": "private, max-age=3600",
        }
        if first >= state.st_size or last < first:
            return Response(b"", status_code=416, headers=headers | {"content-range": f"bytes */{state.st_size}"})
        file.seek(first)
        content = file.read(min(last - first + 1, _MAX_PART))
    headers["content-range"] = f"bytes {first}-{first + len(content) - 1}/{state.st_size}"
    return Response(content, status_code=206, media_type="application/octet-stream", headers=headers)
