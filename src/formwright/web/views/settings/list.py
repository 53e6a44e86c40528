"""The overview of the settings pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, get
from litestar.response import Response

from formwright.web.navigation import Destination, visible_settings
from formwright.web.session import require_visitor
from formwright.web.templating import render_view


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The view model of the overview: its links, by heading."""

    pages: Mapping[str, Sequence[Destination]]


@get("/settings")
async def settings_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Links to the settings pages that the visitor may see."""
    visitor = await require_visitor(request)
    view_model = SettingsPage(visible_settings(visitor.actor.permissions))
    return render_view(request, "settings/list.html", view_model, visitor=visitor, section="Settings")


HANDLERS = [settings_page]
