"""The page *Go to*, and its results as a part that the dialog of other pages loads while somebody types."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, get
from litestar.response import Response

from formwright.web.session import get_app_context, require_visitor
from formwright.web.templating import render_view
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
async def go_to_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The search as a page, for browsers without JavaScript."""
    return await _render(request, "go_to/page.html")


@get(PATH + "/results")
async def go_to_results(request: Request[Any, Any, Any]) -> Response[str]:
    """The results for `?q=` as a part of a page."""
    return await _render(request, "go_to/_results.html")


async def _render(request: Request[Any, Any, Any], template: str) -> Response[str]:
    visitor = await require_visitor(request)
    text = read_text(request.query_params, "q", _MAX_TEXT)
    async with get_app_context(request).db.reading() as tx:
        groups = await results.find(tx, visitor, text)
    view_model = GoToPage(text, groups, sum(len(group.results) for group in groups))
    return render_view(request, template, view_model, visitor=visitor)


HANDLERS = [go_to_page, go_to_results]
