"""The overview of the settings pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.web.http import Response, get
from formwright.web.navigation import Destination, visible_settings
from formwright.web.page import Page


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The view model of the overview: its links, by heading."""

    pages: Mapping[str, Sequence[Destination]]


@get("/settings")
async def settings_page(page: Page) -> Response:
    """Links to the settings pages that the visitor may see."""
    view_model = SettingsPage(visible_settings(page.actor.permissions))
    return page.render("settings/list.html", view_model, section="Settings")
