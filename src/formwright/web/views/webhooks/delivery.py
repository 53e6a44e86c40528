"""The page of one delivery: its request, its attempts and their responses."""

import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import msgspec

from formwright.core.errors import Conflict
from formwright.domain.webhooks import redelivery
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import Attempt, Invocation, InvocationStatus, Subscriber
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.webhooks.detail import DeliveryView, delivery_view, is_due_soon
from formwright.web.views.webhooks.list import PATH as WEBHOOKS_PATH
from formwright.web.views.webhooks.list import may_manage

PATH = WEBHOOKS_PATH + "/{subscriber_id:str}/deliveries/{invocation_id:str}"
_OUTCOME_LABELS = {
    "success": "Accepted by the receiver.",
    "refused": "Rejected by the receiver.",
    "dns": "The host name wasn’t found, or it resolves to an address that webhooks can’t access.",
    "forbidden": "Webhooks can’t access this address.",
    "connect": "Couldn’t connect.",
    "tls": "The TLS handshake or certificate check failed.",
    "timeout": "The response timed out.",
    "reset": "The connection was closed early.",
    "protocol": "The response wasn’t valid HTTP.",
    "interrupted": "The worker stopped during this attempt. The delivery may have arrived.",
    "secret": "The webhook’s secret can’t be decrypted.",
    "failed": "Unexpected error.",
}
"""What the outcome of an attempt means."""


@dataclass(frozen=True, slots=True)
class AttemptView:
    """One attempt: when it started, how long it took, and the response."""

    number: int
    when: DisplayTime
    duration: str
    outcome: str
    is_success: bool
    status: int | None
    error: str
    response: str


@dataclass(frozen=True, slots=True)
class DeliveryPage:
    """One delivery. `body` is empty once it has expired."""

    webhooks_url: str
    webhook_name: str
    webhook_url: str
    delivery: DeliveryView
    attempts: Sequence[AttemptView]
    headers: Sequence[tuple[str, str]]
    body: str
    curl: str
    error: str
    is_in_progress: bool
    may_cancel: bool
    may_retry: bool


@get(PATH)
async def delivery_page(page: Page, subscriber_id: str, invocation_id: str) -> Response:
    """A delivery with its attempts, the last one first."""
    return await _render(page, subscriber_id, invocation_id)


async def _render(page: Page, subscriber_id: str, invocation_id: str, status: int = 200, error: str = "") -> Response:
    subscriber = await webhooks.get(page.tx, page.actor, subscriber_id=subscriber_id)
    delivery = await webhooks.get_invocation(
        page.tx, page.actor, subscriber_id=subscriber.id, invocation_id=invocation_id
    )
    body = await redelivery.get_body(page.tx, page.actor, delivery)
    webhook_url, is_due = f"{WEBHOOKS_PATH}/{subscriber.id}", is_due_soon(delivery, subscriber, page.ctx.clock.now())
    view_model = DeliveryPage(
        webhooks_url=WEBHOOKS_PATH,
        webhook_name=subscriber.name,
        webhook_url=webhook_url,
        delivery=delivery_view(page.visitor, delivery, subscriber, webhook_url),
        attempts=[_attempt_view(page.visitor, attempt) for attempt in reversed(delivery.attempts)],
        headers=_request_headers(delivery),
        body=_indent_json(body),
        curl=_curl_command(subscriber, delivery, body) if body else "",
        error=error,
        is_in_progress=is_due,
        may_cancel=may_manage(page.visitor) and delivery.status is InvocationStatus.PENDING,
        may_retry=may_manage(page.visitor) and not is_due,
    )
    return page.render("webhooks/delivery.html", view_model, section="Settings", status=status)


def _attempt_view(visitor: Visitor, attempt: Attempt) -> AttemptView:
    return AttemptView(
        number=attempt.number,
        when=format_time(attempt.started, visitor.customer.time_zone),
        duration=f"{attempt.duration:,} ms",
        outcome=_OUTCOME_LABELS.get(attempt.outcome, attempt.outcome),
        is_success=attempt.outcome == "success",
        status=attempt.status_code,
        error=attempt.error or "",
        response=attempt.response_body or "",
    )


def _request_headers(delivery: Invocation) -> list[tuple[str, str]]:
    """Return the headers of every attempt. The signature differs, because it covers the time of the attempt."""
    last = delivery.attempts[-1].started // 1000 if delivery.attempts else None
    return [
        ("content-type", "application/json"),
        ("webhook-id", delivery.event_id),
        ("webhook-timestamp", f"{last} (last attempt)" if last else "Unix time of the attempt, in seconds"),
        ("webhook-signature", "v1, followed by an HMAC-SHA256 with the secret"),
    ]


def _curl_command(subscriber: Subscriber, delivery: Invocation, body: str) -> str:
    """Return a shell command that sends the delivery again, with placeholders for the secret parts."""
    headers = ["content-type: application/json", f"webhook-id: {delivery.event_id}"]
    headers += [f"{name}: VALUE" for name in subscriber.header_names]
    options = [f"-H {shlex.quote(header)}" for header in headers]
    return " \\\n  ".join(["curl -X POST", *options, f"--data-raw {shlex.quote(body)}", shlex.quote(subscriber.url)])


def _indent_json(body: str | None) -> str:
    return msgspec.json.format(body, indent=2) if body else ""


DeliveryAction = Callable[..., Awaitable[Invocation]]


async def _run_action(page: Page, action: DeliveryAction, subscriber_id: str, invocation_id: str) -> Response:
    try:
        async with page.writing() as tx:
            delivery = await action(tx, page.actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    except Conflict as error:
        return await _render(page, subscriber_id, invocation_id, 409, str(error))
    return Redirect(f"{WEBHOOKS_PATH}/{delivery.subscriber_id}/deliveries/{delivery.id}")


@post(PATH + "/retry")
async def retry_delivery(page: Page, subscriber_id: str, invocation_id: str) -> Response:
    """Send the delivery now."""
    return await _run_action(page, redelivery.retry, subscriber_id, invocation_id)


@post(PATH + "/cancel")
async def cancel_delivery(page: Page, subscriber_id: str, invocation_id: str) -> Response:
    """Cancel the delivery. It is not retried any more."""
    return await _run_action(page, redelivery.cancel, subscriber_id, invocation_id)
