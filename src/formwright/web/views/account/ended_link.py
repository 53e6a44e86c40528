"""The page for a link of an email or of the setup that no longer works."""

from dataclasses import dataclass

from formwright.web.http import Response
from formwright.web.page import PublicPage


@dataclass(frozen=True, slots=True)
class EndedLinkPage:
    """Why the link no longer works, what to do next, and the URL and label of a button for it, if there is one."""

    title: str
    message: str
    next_step: str = ""
    action: tuple[str, str] | None = None


def render_ended_link(page: PublicPage, view_model: EndedLinkPage) -> Response:
    """Render the page with status 404."""
    return page.render("account/link_ended.html", view_model, status=404)
