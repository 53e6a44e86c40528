"""The operator's map file for signed-in people."""

from typing import Any

from litestar import Request, get
from litestar.exceptions import NotFoundException
from litestar.response import Response

from formwright.web.basemap import read_file_part
from formwright.web.session import get_app_context, require_visitor


@get("/basemap.pmtiles")
async def basemap_file(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A part of the PMTiles file."""
    await require_visitor(request)
    path = get_app_context(request).settings.map_file
    if path is None:
        raise NotFoundException
    return await read_file_part(request, path)


HANDLERS = [basemap_file]
