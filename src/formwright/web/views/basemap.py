"""The operator's map file for signed-in people."""

from formwright.web.basemap import read_file_part
from formwright.web.http import NotFoundException, Response, get
from formwright.web.page import Page


@get("/basemap.pmtiles")
async def basemap_file(page: Page) -> Response:
    """A part of the PMTiles file."""
    path = page.ctx.settings.map_file
    if path is None:
        raise NotFoundException
    return await read_file_part(page, path)
