"""The page of one webhook: its settings, health and deliveries, and the actions on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Denied
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.webhooks import redelivery
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.delivery_stats import DeliveryStats, load_stats
from formwright.domain.webhooks.models import (
    TEST_SEQUENCE,
    Invocation,
    InvocationStatus,
    Subscriber,
    SubscriberChange,
    SubscriberStatus,
)
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.list_pages import FilterField, ListPage, read_list_request
from formwright.web.views.webhooks.delivery_health import HealthLabel, StatsView, describe_health, describe_stats
from formwright.web.views.webhooks.form import describe_types
from formwright.web.views.webhooks.list import PATH as WEBHOOKS_PATH
from formwright.web.views.webhooks.list import forget_secret, may_manage, read_new_secret
from formwright.web.views.webhooks.replay import OVERLAPS

PATH = WEBHOOKS_PATH + "/{subscriber_id:str}"
STATUS_LABELS = {
    InvocationStatus.PENDING: ("Pending", "waiting"),
    InvocationStatus.SUCCEEDED: ("Delivered", "approved"),
    InvocationStatus.FAILED: ("Failed", "rejected"),
    InvocationStatus.CANCELLED: ("Cancelled", "archived"),
    InvocationStatus.EXPIRED: ("Expired", "archived"),
}
"""The label and the CSS class of each status."""
OUTCOME_WORDS = {
    "dns": "Unknown host",
    "forbidden": "Forbidden address",
    "connect": "No connection",
    "tls": "TLS error",
    "timeout": "Timeout",
    "reset": "Closed early",
    "protocol": "Invalid HTTP",
    "interrupted": "Interrupted",
    "secret": "Invalid secret",
    "failed": "Error",
}
"""Short labels of the outcomes without a response."""


@dataclass(frozen=True, slots=True)
class WebhookView:
    """A webhook as its page shows it."""

    name: str
    url: str
    types: str
    forms: Sequence[str]
    headers: Sequence[str]
    is_active: bool
    health: HealthLabel
    stats: StatsView
    reason: str
    failing_since: DisplayTime | None
    paused_until: DisplayTime | None
    created: DisplayTime


@dataclass(frozen=True, slots=True)
class DeliveryView:
    """A delivery as the list and its own page show it. `due` is the time of the next attempt after a failed one."""

    url: str
    type: str
    sequence: int
    is_test: bool
    status: InvocationStatus
    word: str
    sort: str
    attempts: int
    response: str
    created: DisplayTime
    due: DisplayTime | None
    is_queued: bool


@dataclass(frozen=True, slots=True)
class WebhookPage:
    """One webhook with its deliveries. `ask` names the dialog that is open."""

    webhooks_url: str
    here: str
    webhook: WebhookView
    secret: str
    error: str
    deliveries: ListPage[DeliveryView]
    is_in_progress: bool
    retried: str
    has_failed: bool
    ask: str
    overlaps: Mapping[str, str]
    may_manage: bool


@get(PATH)
async def webhook_page(page: Page, subscriber_id: str) -> Response:
    """A webhook with its deliveries, newest first."""
    response = await _render(page, subscriber_id)
    return forget_secret(page, response)


async def _render(page: Page, subscriber_id: str, status: int = 200, error: str = "") -> Response:
    query, here = page.query, f"{WEBHOOKS_PATH}/{subscriber_id}"
    request = read_list_request(page, here, "status")
    selected = next((each for each in InvocationStatus if each == request.values["status"]), None)
    subscriber = await webhooks.get(page.tx, page.actor, subscriber_id=subscriber_id)
    stats = (await load_stats(page.tx, page.actor, [subscriber.id], now=page.ctx.clock.now()))[subscriber.id]
    found = await webhooks.page_invocations(
        page.tx, page.actor, request.window, subscriber_id=subscriber.id, status=selected
    )
    has_failed = await redelivery.has_failed(page.tx, page.actor, subscriber_id=subscriber.id)
    form_names = [await _load_form_name(page.tx, page.visitor, form_id) for form_id in subscriber.form_ids]
    now, rows = page.ctx.clock.now(), [delivery_view(page.visitor, each, subscriber, here) for each in found.items]
    view_model = WebhookPage(
        webhooks_url=WEBHOOKS_PATH,
        here=here,
        webhook=_webhook_view(page.visitor, subscriber, stats, form_names, now),
        secret=read_new_secret(page, subscriber.id),
        error=error,
        deliveries=request.build(
            rows,
            found.next,
            FilterField(
                "status", "Status", [(each, label) for each, (label, _) in STATUS_LABELS.items()], "Any status"
            ),
        ),
        is_in_progress=request.position is None and any(is_due_soon(each, subscriber, now) for each in found.items),
        retried=_describe_retried(query.get("retried", "")),
        has_failed=has_failed,
        ask=query.get("ask", ""),
        overlaps=OVERLAPS,
        may_manage=may_manage(page.visitor),
    )
    return page.render("webhooks/detail.html", view_model, section="Settings", status=status)


def _describe_retried(count: str) -> str:
    """Return what *Retry all failed* did just before; empty if it was not pressed."""
    if not (count.isascii() and count.isdecimal() and len(count) < 9):
        return ""
    number = int(count)
    return (
        f"{number:,} {'delivery is' if number == 1 else 'deliveries are'} sent again now."
        if number
        else ("No failed deliveries to retry.")
    )


async def _load_form_name(tx: ReadTransaction, visitor: Visitor, form_id: str) -> str:
    """Return the name of a form, or its id if the visitor may not see it."""
    try:
        return (await forms.get(tx, visitor.actor, form_id=form_id)).name
    except (FormNotFound, Denied):
        return form_id


def _webhook_view(
    visitor: Visitor, subscriber: Subscriber, stats: DeliveryStats, form_names: Sequence[str], now: int
) -> WebhookView:
    zone, health = visitor.customer.time_zone, subscriber.health
    is_paused = health.paused_until is not None and health.paused_until > now
    return WebhookView(
        name=subscriber.name,
        url=subscriber.url,
        types=describe_types(subscriber.types),
        forms=form_names,
        headers=subscriber.header_names,
        is_active=subscriber.status is SubscriberStatus.ACTIVE,
        health=describe_health(subscriber, now, zone, stats),
        stats=describe_stats(stats, now, zone),
        reason=subscriber.reason or "",
        failing_since=format_time(health.failing_since, zone) if health.failing_since else None,
        paused_until=format_time(health.paused_until, zone) if health.paused_until and is_paused else None,
        created=format_time(subscriber.created, zone),
    )


def delivery_view(visitor: Visitor, delivery: Invocation, subscriber: Subscriber, webhook_url: str) -> DeliveryView:
    """Return a delivery as pages show it. `webhook_url` is the URL of the webhook's page."""
    zone, next_attempt = visitor.customer.time_zone, _next_attempt(delivery, subscriber)
    last = delivery.attempts[-1] if delivery.attempts else None
    word, sort = STATUS_LABELS[delivery.status]
    return DeliveryView(
        url=f"{webhook_url}/deliveries/{delivery.id}",
        type=delivery.type,
        sequence=delivery.sequence,
        is_test=delivery.sequence == TEST_SEQUENCE,
        status=delivery.status,
        word=word,
        sort=sort,
        attempts=len(delivery.attempts),
        response=str(last.status_code or OUTCOME_WORDS.get(last.outcome, last.outcome)) if last else "",
        created=format_time(delivery.created, zone),
        due=format_time(next_attempt, zone) if next_attempt and delivery.attempts else None,
        is_queued=delivery.status is InvocationStatus.PENDING and next_attempt is None,
    )


def is_due_soon(delivery: Invocation, subscriber: Subscriber, now: int) -> bool:
    """Whether an attempt is due within a minute. Its page then refreshes by itself."""
    next_attempt = _next_attempt(delivery, subscriber)
    return next_attempt is not None and next_attempt < now + 60_000


def _next_attempt(delivery: Invocation, subscriber: Subscriber) -> int | None:
    """Return the time of the next attempt; None if there is none, or if it waits for the webhook to be enabled."""
    if delivery.status is not InvocationStatus.PENDING or subscriber.status is SubscriberStatus.DISABLED:
        return None
    return max(delivery.due or 0, subscriber.health.paused_until or 0)


async def _set_status(page: Page, subscriber_id: str, status: SubscriberStatus) -> Redirect:
    async with page.writing() as tx:
        subscriber = await webhooks.change(
            tx,
            page.actor,
            SubscriberChange(status=status),
            subscriber_id=subscriber_id,
            secret_box=page.ctx.secret_box,
            check_url=page.ctx.address_policy.check_url,
        )
    return Redirect(f"{WEBHOOKS_PATH}/{subscriber.id}")


@post(PATH + "/disable")
async def disable_webhook(page: Page, subscriber_id: str) -> Redirect:
    """Disable the webhook. New events are queued."""
    return await _set_status(page, subscriber_id, SubscriberStatus.DISABLED)


@post(PATH + "/enable")
async def enable_webhook(page: Page, subscriber_id: str) -> Redirect:
    """Enable the webhook. Queued events are delivered first."""
    return await _set_status(page, subscriber_id, SubscriberStatus.ACTIVE)


@post(PATH + "/delete")
async def delete_webhook(page: Page, subscriber_id: str) -> Redirect:
    """Delete the webhook and its queued deliveries."""
    async with page.writing() as tx:
        await webhooks.unsubscribe(tx, page.actor, subscriber_id=subscriber_id)
    return Redirect(WEBHOOKS_PATH)


@post(PATH + "/test")
async def send_test(page: Page, subscriber_id: str) -> Response:
    """Send a test event and redirect to its delivery, where the response appears."""
    try:
        async with page.writing() as tx:
            test = page.ctx.catalogue.build_test_event(page.visitor.customer.id, tx.new_id("evt"), tx.now())
            delivery = await redelivery.send_test(tx, page.actor, test, subscriber_id=subscriber_id)
    except Conflict as error:
        return await _render(page, subscriber_id, 409, str(error))
    return Redirect(f"{WEBHOOKS_PATH}/{delivery.subscriber_id}/deliveries/{delivery.id}")


@post(PATH + "/retry-failed")
async def retry_failed(page: Page, subscriber_id: str) -> Response:
    """Send all failed deliveries again whose events are still stored."""
    try:
        async with page.writing() as tx:
            count = (await redelivery.retry_failed(tx, page.actor, subscriber_id=subscriber_id)).count
    except Conflict as error:
        return await _render(page, subscriber_id, 409, str(error))
    return Redirect(f"{WEBHOOKS_PATH}/{subscriber_id}?retried={count}")
