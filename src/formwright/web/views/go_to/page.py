"""The page *Go to*, and its results as a part that the dialog of other pages loads while somebody types."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.web.http import Response, get
from formwright.web.page import Page
from formwright.web.views.form_input import read_text
from formwright.web.views.go_to import results
from formwright.web.views.go_to.results import ResultGroup

PATH = "/go-to"
_MAX_TEXT = 200


@dataclass(frozen=True, slots=True)
class GoToPage:
    """The view model of the page and of the part."""

    text: str
    groups: Sequence[ResultGroup]
    count: int


@get(PATH)
async def go_to_page(page: Page) -> Response:
    """The search as a page, for browsers without JavaScript."""
    return await _render(page, "go_to/page.html")


@get(PATH + "/results")
async def go_to_results(page: Page) -> Response:
    """The results for `?q=` as a part of a page."""
    return await _render(page, "go_to/_results.html")


async def _render(page: Page, template: str) -> Response:
    text = read_text(page.query, "q", _MAX_TEXT)
    groups = await results.find(page, text)
    view_model = GoToPage(text, groups, sum(len(group.results) for group in groups))
    return page.render(
        template,
        view_model,
    )
