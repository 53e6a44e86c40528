"""The way to what is under Settings."""

from typing import Any

from litestar import Request, get
from litestar.response import Response

from formwright.web.session import visitor
from formwright.web.templating import page


@get("/settings")
async def settings_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What can be set."""
    who = await visitor(request)
    return page(request, "settings/overview.html", place="Settings", **who.frame)


HANDLERS = [settings_page]
