"""One delivery: what was sent, and what came back in each try."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.errors import Conflict
from formwright.domain.webhooks import redelivery
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import Attempt, Invocation, InvocationStatus
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.webhooks.detail import delivery_view, is_due_soon
from formwright.web.views.webhooks.list import PATH as LIST
from formwright.web.views.webhooks.list import may_manage

PATH = LIST + "/{subscriber_id:str}/deliveries/{invocation_id:str}"
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
"""What each outcome of a try means."""


@get(PATH)
async def delivery_page(
    request: Request[Any, Any, Any], subscriber_id: FromPath[str], invocation_id: FromPath[str]
) -> Response[str]:
    """A delivery with its tries."""
    return await _render(request, await require_visitor(request), subscriber_id, invocation_id)


async def _render(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    subscriber_id: str,
    invocation_id: str,
    status: int = 200,
    error: str = "",
) -> Response[str]:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        one = await webhooks.get(tx, visitor.actor, subscriber_id=subscriber_id)
        found = await webhooks.get_invocation(tx, visitor.actor, subscriber_id=one.id, invocation_id=invocation_id)
        body = await redelivery.get_body(tx, visitor.actor, found)
    here = f"{LIST}/{one.id}"
    return render_page(
        request,
        "webhooks/delivery.html",
        status,
        place="Settings",
        list=LIST,
        subscriber={"name": one.name, "page": here},
        one=delivery_view(visitor, found, one, here),
        attempts=[_attempt_row(visitor, attempt) for attempt in reversed(found.attempts)],
        headers=_request_headers(found),
        body=_indent_json(body),
        error=error,
        under_way=is_due_soon(found, one, ctx.clock.now()),
        may_cancel=may_manage(visitor) and found.status is InvocationStatus.PENDING,
        may_retry=may_manage(visitor) and not is_due_soon(found, one, ctx.clock.now()),
        **visitor.template_frame,
    )


def _attempt_row(visitor: Visitor, one: Attempt) -> dict[str, Any]:
    return {
        "number": one.number,
        "when": format_time(one.started, visitor.customer.time_zone),
        "duration": f"{one.duration:,} ms",
        "words": _OUTCOME_LABELS.get(one.outcome, one.outcome),
        "good": one.outcome == "success",
        "status": one.status_code,
        "error": one.error or "",
        "answer": one.response_body or "",
    }


def _request_headers(found: Invocation) -> list[tuple[str, str]]:
    """What every try carries; the signature is another each time, as it covers the time of the try."""
    last = found.attempts[-1].started // 1000 if found.attempts else None
    return [
        ("content-type", "application/json"),
        ("webhook-id", found.event_id),
        ("webhook-timestamp", f"{last} (last attempt)" if last else "Unix time of the attempt, in seconds"),
        ("webhook-signature", "v1, followed by an HMAC-SHA256 with the secret"),
    ]


def _indent_json(body: str | None) -> str:
    return msgspec.json.format(body, indent=2) if body else ""


DeliveryAction = Callable[..., Awaitable[Invocation]]


async def _run_action(
    request: Request[Any, Any, Any], act: DeliveryAction, subscriber_id: str, invocation_id: str
) -> Response[Any]:
    visitor = await require_visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            done = await act(tx, visitor.actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    except Conflict as error:
        return await _render(request, visitor, subscriber_id, invocation_id, 409, str(error))
    return Redirect(f"{LIST}/{done.subscriber_id}/deliveries/{done.id}", status_code=303)


@post(PATH + "/retry", status_code=303)
async def retry_delivery(
    request: Request[Any, Any, Any], subscriber_id: FromPath[str], invocation_id: FromPath[str]
) -> Response[Any]:
    """Send it now."""
    return await _run_action(request, redelivery.retry, subscriber_id, invocation_id)


@post(PATH + "/cancel", status_code=303)
async def cancel_delivery(
    request: Request[Any, Any, Any], subscriber_id: FromPath[str], invocation_id: FromPath[str]
) -> Response[Any]:
    """Send it no more."""
    return await _run_action(request, redelivery.cancel, subscriber_id, invocation_id)


HANDLERS = [delivery_page, retry_delivery, cancel_delivery]
