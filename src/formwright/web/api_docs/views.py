"""The pages of the reference: an overview, one page for the operations of each group, and the shapes. For everybody."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from litestar import Request, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response

from formwright.context import AppContext
from formwright.web.api_docs.changelog import Change, changes
from formwright.web.api_docs.markdown import Block, prose
from formwright.web.api_docs.openapi_model import Group, Member, Shape, events, groups, shapes
from formwright.web.api_docs.snippets import VARIABLES
from formwright.web.session import SignInNeeded, get_app_context, visitor
from formwright.web.templating import page

HERE = "/docs"


class Reference:
    """What the pages show of one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.groups: list[Group] = groups(document)
        self.shapes: list[Shape] = shapes(document)
        self.events: list[Member] = events(document)
        self.changes: list[Change] = changes(document)
        self.about: list[Block] = prose(document["info"]["description"])


@cache
def _read(house_document: Any) -> Reference:
    return Reference(house_document())


def reference(ctx: AppContext) -> Reference:
    """That of the document which this house serves; it is read once."""
    return _read(ctx.document)


async def _page(request: Request[Any, Any, Any], template: str, here: str, **context: Any) -> Response[str]:
    """A page of the reference; whoever has signed in keeps the frame, and finds her account's id in the examples."""
    ctx = get_app_context(request)
    try:
        frame = (await visitor(request)).frame
    except SignInNeeded:
        frame = {}
    base = ctx.settings.base_url or f"{request.scope['scheme']}://{request.headers.get('host', 'localhost')}"
    return page(
        request,
        template,
        place="",
        docs=HERE,
        here=here,
        groups=reference(ctx).groups,
        base=f"{base}/api/v1.0",
        own_authority=base.startswith("https://localhost"),
        variables=sorted(VARIABLES.values()),
        **context,
        **frame,
    )


@get(HERE)
async def overview(request: Request[Any, Any, Any]) -> Response[str]:
    """How to begin, and every operation in a line."""
    about = reference(get_app_context(request)).about
    return await _page(request, "api_docs/overview.html", "", about=about)


@get(HERE + "/shapes")
async def shapes_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Every shape."""
    return await _page(request, "api_docs/shapes.html", "shapes", shapes=reference(get_app_context(request)).shapes)


@get(HERE + "/events")
async def events_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Every event."""
    return await _page(request, "api_docs/events.html", "events", events=reference(get_app_context(request)).events)


@get(HERE + "/changes")
async def changes_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What will change."""
    return await _page(request, "api_docs/changes.html", "changes", changes=reference(get_app_context(request)).changes)


@get(HERE + "/{slug:str}")
async def group_page(request: Request[Any, Any, Any], slug: FromPath[str]) -> Response[str]:
    """The operations of a group."""
    for group in reference(get_app_context(request)).groups:
        if group.slug == slug:
            return await _page(request, "api_docs/group.html", slug, group=group)
    raise NotFoundException


HANDLERS = [overview, shapes_page, events_page, changes_page, group_page]
