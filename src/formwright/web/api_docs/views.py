"""The pages of the API reference: an overview, a page per group of operations, the schemas, events and changes.

They are public.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from litestar import Request, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response

from formwright.context import AppContext
from formwright.web.api_docs.changelog import Announcement, list_announcements
from formwright.web.api_docs.markdown import Block, parse_prose
from formwright.web.api_docs.openapi_model import (
    OperationGroup,
    Property,
    SchemaDoc,
    list_events,
    list_operation_groups,
    list_schemas,
)
from formwright.web.api_docs.snippets import VARIABLE_BY_PREFIX
from formwright.web.session import SignInRequired, get_app_context, require_visitor
from formwright.web.templating import render_page

PATH = "/docs"


class Reference:
    """The content of the pages for one OpenAPI document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.groups: list[OperationGroup] = list_operation_groups(document)
        self.shapes: list[SchemaDoc] = list_schemas(document)
        self.events: list[Property] = list_events(document)
        self.changes: list[Announcement] = list_announcements(document)
        self.about: list[Block] = parse_prose(document["info"]["description"])


@cache
def _load_reference(house_document: Any) -> Reference:
    return Reference(house_document())


def get_reference(ctx: AppContext) -> Reference:
    """Return the reference for the document of this server. The document is parsed once."""
    return _load_reference(ctx.document)


async def _render(request: Request[Any, Any, Any], template: str, here: str, **context: Any) -> Response[str]:
    """Render a page of the reference.

    Signed-in people see the usual frame, and the examples contain their account's id.
    """
    ctx = get_app_context(request)
    try:
        frame = (await require_visitor(request)).template_frame
    except SignInRequired:
        frame = {}
    base = ctx.settings.base_url or f"{request.scope['scheme']}://{request.headers.get('host', 'localhost')}"
    return render_page(
        request,
        template,
        place="",
        docs=PATH,
        here=here,
        groups=get_reference(ctx).groups,
        base=f"{base}/api/v1.0",
        own_authority=base.startswith("https://localhost"),
        variables=sorted(VARIABLE_BY_PREFIX.values()),
        **context,
        **frame,
    )


@get(PATH)
async def overview_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Getting started, and a list of all operations."""
    about = get_reference(get_app_context(request)).about
    return await _render(request, "api_docs/overview.html", "", about=about)


@get(PATH + "/shapes")
async def shapes_page(request: Request[Any, Any, Any]) -> Response[str]:
    """All schemas."""
    return await _render(
        request, "api_docs/shapes.html", "shapes", shapes=get_reference(get_app_context(request)).shapes
    )


@get(PATH + "/events")
async def events_page(request: Request[Any, Any, Any]) -> Response[str]:
    """All event types."""
    return await _render(
        request, "api_docs/events.html", "events", events=get_reference(get_app_context(request)).events
    )


@get(PATH + "/changes")
async def changes_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Announced changes."""
    return await _render(
        request, "api_docs/changes.html", "changes", changes=get_reference(get_app_context(request)).changes
    )


@get(PATH + "/{slug:str}")
async def group_page(request: Request[Any, Any, Any], slug: FromPath[str]) -> Response[str]:
    """The operations of a group."""
    for group in get_reference(get_app_context(request)).groups:
        if group.slug == slug:
            return await _render(request, "api_docs/group.html", slug, group=group)
    raise NotFoundException


HANDLERS = [overview_page, shapes_page, events_page, changes_page, group_page]
