"""Settings, Connections, OData feed: switching it on, and its address."""

from dataclasses import dataclass

from formwright.core.auth.actor import allow_everywhere
from formwright.core.auth.permissions import Permission
from formwright.domain.feeds import service as feeds
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page

PATH = "/settings/connections/odata"


@dataclass(frozen=True, slots=True)
class FeedPage:
    """Whether the feed is on, and its address."""

    is_enabled: bool
    address: str


@get(PATH)
async def feed_page(page: Page) -> Response:
    """The state and the address of the account's feed."""
    allow_everywhere(page.actor, Permission.CUSTOMER_EDIT)
    is_enabled = await feeds.is_enabled(page.tx, page.actor)
    view_model = FeedPage(is_enabled, f"{page.origin}/odata/v4/{page.visitor.customer.id}/")
    return page.render("settings/odata.html", view_model, section="Settings")


@post(PATH)
async def switch_feed(page: Page) -> Response:
    """Switch the feed on or off."""
    form = await page.form()
    async with page.writing() as tx:
        await feeds.switch(tx, page.actor, enabled=form.get("enabled") == "1")
    return Redirect(PATH)
