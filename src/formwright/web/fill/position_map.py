"""The map on which people place points: what the page of a form needs for it, and the operator's map file."""

from typing import Any

from formwright.domain.forms.fields import walk_fields
from formwright.domain.forms.models import Version
from formwright.settings import Settings
from formwright.web.basemap import allow_basemap, basemap, read_file_part
from formwright.web.fill.assets import map_modules
from formwright.web.fill.link_access import open_link
from formwright.web.http import NotFoundException, Response, get
from formwright.web.page import PublicPage
from formwright.web.templating import asset


def map_data(settings: Settings, version: Version, link: str = "") -> dict[str, Any]:
    """Return what `static/fill/widgets/map_picker.js` reads, as part of `form_data`; nothing without such fields.

    `link` is the path of the fill page, under which people who are not signed in get the operator's map file.
    """
    if not _has_positions(version):
        return {}
    found = basemap(settings)
    return {
        "map": {
            "styles": asset("map.css"),
            # Read by the service worker, which keeps all files that the page names.
            "modules": map_modules(has_file=bool(found.file_url)),
            "outlines": asset("world-atlas/countries-110m.json"),
            "file": found.file_url and f"{link}{found.file_url}",
            "tiles": found.tiles_url,
            "attribution": found.attribution,
        }
    }


def allow_map(response: Response, settings: Settings, version: Version) -> None:
    """Let the page of a form with such fields load tiles from the operator's tile server, if there is one."""
    if _has_positions(version):
        allow_basemap(response, settings)


def _has_positions(version: Version) -> bool:
    return any(field.shape for field in walk_fields(version.definition.fields))


@get("/fill/{token:str}/basemap.pmtiles")
async def fill_basemap_file(page: PublicPage, token: str) -> Response:
    """A part of the operator's map file, for the people who have a link."""
    async with page.ctx.db.reading() as tx:
        await open_link(tx, token, page.ctx.clock.now())
    if page.ctx.settings.map_file is None:
        raise NotFoundException
    return await read_file_part(page, page.ctx.settings.map_file)
