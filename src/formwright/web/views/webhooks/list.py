"""Settings, Connections, Webhooks: the list of webhooks, and the form that adds and changes one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import Window
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.delivery_stats import DeliveryStats, load_stats
from formwright.domain.webhooks.models import MAX_SUBSCRIBERS, NewSubscriber, Subscriber, SubscriberChange
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.sealed_cookies import forget_cookie, open_cookie, seal_cookie
from formwright.web.session import Visitor
from formwright.web.views.webhooks.delivery_health import HealthLabel, StatsView, describe_health, describe_stats
from formwright.web.views.webhooks.form import (
    WebhookForm,
    build_form_page,
    describe_types,
    fault_texts,
    load_form_options,
    read_webhook_form,
    webhook_form_of,
)

PATH = "/settings/connections/webhooks"
_NEW_WEBHOOK_COOKIE = "formwright_new_webhook"
_SECRET_SHOWN_S = 60


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook in the list."""

    page_url: str
    name: str
    url: str
    types: str
    form_count: int
    health: HealthLabel
    stats: StatsView
    reason: str


@dataclass(frozen=True, slots=True)
class WebhookListPage:
    """The list of webhooks."""

    here: str
    webhooks: Sequence[WebhookRow]
    limit: int
    may_manage: bool


def may_manage(visitor: Visitor) -> bool:
    """Whether the visitor may change webhooks."""
    return Permission.WEBHOOKS_MANAGE in visitor.actor.permissions


@get(PATH, long=True)
async def webhooks_page(page: Page) -> Response:
    """The account's webhooks."""
    now = page.ctx.clock.now()
    found = (await webhooks.page(page.tx, page.actor, Window(MAX_SUBSCRIBERS))).items
    stats = await load_stats(page.tx, page.actor, [subscriber.id for subscriber in found], now=now)
    view_model = WebhookListPage(
        here=PATH,
        webhooks=[_webhook_row(page.visitor, subscriber, stats[subscriber.id], now) for subscriber in found],
        limit=MAX_SUBSCRIBERS,
        may_manage=may_manage(page.visitor),
    )
    return page.render("webhooks/list.html", view_model, section="Settings")


def _webhook_row(visitor: Visitor, subscriber: Subscriber, stats: DeliveryStats, now: int) -> WebhookRow:
    return WebhookRow(
        page_url=f"{PATH}/{subscriber.id}",
        name=subscriber.name,
        url=subscriber.url,
        types=describe_types(subscriber.types),
        form_count=len(subscriber.form_ids),
        health=describe_health(subscriber, now, visitor.customer.time_zone, stats),
        stats=describe_stats(stats, now, visitor.customer.time_zone),
        reason=subscriber.reason or "",
    )


@get(PATH + "/new")
async def new_webhook_page(page: Page) -> Response:
    """The form that adds a webhook."""
    allow(page.actor, Permission.WEBHOOKS_MANAGE)
    return await _render_form(page, WebhookForm())


async def _render_form(
    page: Page, form: WebhookForm, subscriber: Subscriber | None = None, faults: Mapping[str, str] | None = None
) -> Response:
    options = await load_form_options(page.tx, page.visitor, form)
    view_model = build_form_page(PATH, form, page.ctx.catalogue.types, options, subscriber, faults or {})
    status = 422 if faults else 200
    return page.render("webhooks/form.html", view_model, section="Settings", status=status)


@post(PATH)
async def add_webhook(page: Page) -> Response:
    """Add a webhook and redirect to its page, which shows the secret once."""
    allow(page.actor, Permission.WEBHOOKS_MANAGE)
    form = read_webhook_form(await page.form(), page.ctx.catalogue.types)
    if form.rows_changed:
        return await _render_form(page, form)
    try:
        async with page.writing() as tx:
            await form.check(tx, page.visitor)
            new = NewSubscriber(form.name, form.url, form.types, form.form_ids, form.headers)
            created, secret = await webhooks.subscribe(
                tx, page.actor, new, secret_box=page.ctx.secret_box, check_url=page.ctx.address_policy.check_url
            )
    except Invalid as error:
        return await _render_form(page, form, None, fault_texts(error, form, None))
    except Conflict as error:
        return await _render_form(page, form, None, {"/all": str(error)})
    return redirect_with_secret(page.ctx, created, secret)


def redirect_with_secret(ctx: AppContext, subscriber: Subscriber, secret: str) -> Redirect:
    """Redirect to the webhook's page, which shows the secret once.

    The secret is carried in an encrypted cookie that expires after a minute.
    """
    cookie = seal_cookie(ctx, _NEW_WEBHOOK_COOKIE, f"{subscriber.id}\n{secret}", _SECRET_SHOWN_S)
    return Redirect(f"{PATH}/{subscriber.id}", cookies=[cookie])


def read_new_secret(page: PublicPage, subscriber_id: str) -> str:
    """Return the new secret of this webhook from the cookie, else an empty string."""
    # The cookie may be of another webhook, which was added in another tab.
    created_id, _, secret = open_cookie(page, _NEW_WEBHOOK_COOKIE).partition("\n")
    return secret if created_id == subscriber_id else ""


def forget_secret(page: PublicPage, response: Response) -> Response:
    """Delete the cookie with the new secret, so that it is not shown again."""
    return forget_cookie(page, response, _NEW_WEBHOOK_COOKIE)


@get(PATH + "/{subscriber_id:str}/edit")
async def edit_webhook_page(page: Page, subscriber_id: str) -> Response:
    """The form that changes a webhook."""
    allow(page.actor, Permission.WEBHOOKS_MANAGE)
    subscriber = await _load_subscriber(page, subscriber_id)
    return await _render_form(page, webhook_form_of(subscriber), subscriber)


async def _load_subscriber(page: Page, subscriber_id: str) -> Subscriber:
    return await webhooks.get(page.tx, page.actor, subscriber_id=subscriber_id)


@post(PATH + "/{subscriber_id:str}")
async def change_webhook(page: Page, subscriber_id: str) -> Response:
    """Save the changes to a webhook."""
    allow(page.actor, Permission.WEBHOOKS_MANAGE)
    subscriber = await _load_subscriber(page, subscriber_id)
    form = read_webhook_form(await page.form(), page.ctx.catalogue.types)
    if form.rows_changed:
        return await _render_form(page, form, subscriber)
    headers = form.changed_headers(subscriber)
    change = SubscriberChange(form.name, form.url, form.types, form.form_ids, headers=headers)
    try:
        async with page.writing() as tx:
            await form.check(tx, page.visitor, current_form_ids=subscriber.form_ids)
            await webhooks.change(
                tx,
                page.actor,
                change,
                subscriber_id=subscriber.id,
                secret_box=page.ctx.secret_box,
                check_url=page.ctx.address_policy.check_url,
            )
    except Invalid as error:
        return await _render_form(page, form, subscriber, fault_texts(error, form, subscriber))
    return Redirect(f"{PATH}/{subscriber.id}")
