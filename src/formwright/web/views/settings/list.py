"""The way to what is under Settings."""

from typing import Any

from litestar import Request, get
from litestar.response import Response

from formwright.web.session import require_visitor
from formwright.web.templating import render_page


@get("/settings")
async def settings_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What can be set."""
    visitor = await require_visitor(request)
    return render_page(request, "settings/overview.html", place="Settings", **visitor.template_frame)


HANDLERS = [settings_page]
