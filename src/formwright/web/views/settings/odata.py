"""Settings, Connections, OData feed: switching it on, and its address."""

from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth.actor import allow_everywhere
from formwright.core.auth.permissions import Permission
from formwright.domain.feeds import service as feeds
from formwright.web.session import get_app_context, public_origin, require_visitor
from formwright.web.templating import render_view

PATH = "/settings/connections/odata"


@dataclass(frozen=True, slots=True)
class FeedPage:
    """Whether the feed is on, and its address."""

    is_enabled: bool
    address: str


@get(PATH)
async def feed_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The state and the address of the account's feed."""
    visitor = await require_visitor(request)
    allow_everywhere(visitor.actor, Permission.CUSTOMER_EDIT)
    async with get_app_context(request).db.reading() as tx:
        is_enabled = await feeds.is_enabled(tx, visitor.actor)
    view_model = FeedPage(is_enabled, f"{public_origin(request)}/odata/v4/{visitor.customer.id}/")
    return render_view(request, "settings/odata.html", view_model, visitor=visitor, section="Settings")


@post(PATH, status_code=303)
async def switch_feed(request: Request[Any, Any, Any]) -> Response[Any]:
    """Switch the feed on or off."""
    visitor, form = await require_visitor(request), await request.form()
    async with get_app_context(request).db.writing() as tx:
        await feeds.switch(tx, visitor.actor, enabled=form.get("enabled") == "1")
    return Redirect(PATH, status_code=303)


HANDLERS = [feed_page, switch_feed]
