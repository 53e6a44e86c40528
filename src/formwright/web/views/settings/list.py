"""The overview of the settings pages."""

from typing import Any

from litestar import Request, get
from litestar.response import Response

from formwright.web.session import require_visitor
from formwright.web.templating import render_view


@get("/settings")
async def settings_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Links to the settings pages that the visitor may see."""
    visitor = await require_visitor(request)
    return render_view(request, "settings/list.html", visitor=visitor, section="Settings")


HANDLERS = [settings_page]
