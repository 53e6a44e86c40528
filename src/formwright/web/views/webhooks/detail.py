"""One subscriber: what was and will be sent to it, and what can be done about it."""

from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.errors import Conflict, Denied
from formwright.core.pagination import Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.webhooks import redelivery
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import (
    TEST_SEQUENCE,
    Invocation,
    InvocationStatus,
    Subscriber,
    SubscriberChange,
    SubscriberStatus,
)
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.list_urls import pager_urls, parse_place
from formwright.web.views.webhooks.delivery_health import describe_health
from formwright.web.views.webhooks.form import describe_types
from formwright.web.views.webhooks.list import PATH as LIST
from formwright.web.views.webhooks.list import forget_secret, may_manage, read_new_secret
from formwright.web.views.webhooks.replay import OVERLAPS

PATH = LIST + "/{subscriber_id:str}"
_PAGE_SIZE = 50
STATUS_LABELS = {
    InvocationStatus.PENDING: ("Pending", "waiting"),
    InvocationStatus.SUCCEEDED: ("Delivered", "approved"),
    InvocationStatus.FAILED: ("Failed", "rejected"),
    InvocationStatus.CANCELLED: ("Cancelled", "archived"),
    InvocationStatus.EXPIRED: ("Expired", "archived"),
}
"""How each status is called, and how it looks."""


@get(PATH)
async def webhook_page(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[str]:
    """A subscriber, with its deliveries."""
    answer = await _render(request, await require_visitor(request), subscriber_id)
    return forget_secret(request, answer)


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, subscriber_id: str, status: int = 200, error: str = ""
) -> Response[str]:
    asked, ctx = request.query_params, get_app_context(request)
    wanted = next((one for one in InvocationStatus if one == asked.get("status")), None)
    before = parse_place(asked.get("before", ""))
    async with ctx.db.reading() as tx:
        one = await webhooks.get(tx, visitor.actor, subscriber_id=subscriber_id)
        found = await webhooks.page_invocations(
            tx, visitor.actor, Window(_PAGE_SIZE, before), subscriber_id=one.id, status=wanted
        )
        named = [await _load_form_name(tx, visitor, form_id) for form_id in one.form_ids]
    here = f"{LIST}/{one.id}"
    return render_page(
        request,
        "webhooks/one.html",
        status,
        place="Settings",
        list=LIST,
        here=here,
        one=_subscriber_view(visitor, one, named, ctx.clock.now()),
        secret=read_new_secret(request, one.id),
        error=error,
        deliveries=[delivery_view(visitor, invocation, one, here) for invocation in found.items],
        statuses=[(one.value, word, one is wanted) for one, (word, _) in STATUS_LABELS.items()],
        filtered=wanted is not None,
        **pager_urls(here, {"status": wanted or ""}, before, found.next),
        under_way=before is None and any(is_due_soon(invocation, one, ctx.clock.now()) for invocation in found.items),
        ask=asked.get("ask", ""),
        overlaps=OVERLAPS,
        may_manage=may_manage(visitor),
        **visitor.template_frame,
    )


async def _load_form_name(tx: Any, visitor: Visitor, form_id: str) -> str:
    try:
        return (await forms.get(tx, visitor.actor, form_id=form_id)).name
    except (FormNotFound, Denied):
        return form_id


def _subscriber_view(visitor: Visitor, one: Subscriber, named: list[str], now: int) -> dict[str, Any]:
    zone, health = visitor.customer.time_zone, one.health
    return {
        "id": one.id,
        "name": one.name,
        "url": one.url,
        "types": describe_types(one.types),
        "forms": named,
        "headers": one.header_names,
        "status": one.status,
        "health": describe_health(one, now, zone),
        "reason": one.reason or "",
        "failing": format_time(health.failing_since, zone) if health.failing_since else None,
        "held": format_time(health.paused_until, zone) if health.paused_until and health.paused_until > now else None,
        "created": format_time(one.created, zone),
    }


def delivery_view(visitor: Visitor, one: Invocation, to: Subscriber, here: str) -> dict[str, Any]:
    """A delivery as lists and its own page show it."""
    zone, last, next_try = (
        visitor.customer.time_zone,
        one.attempts[-1] if one.attempts else None,
        _next_attempt(one, to),
    )
    word, sort = STATUS_LABELS[one.status]
    answered = f"answered {last.status_code}" if last and last.status_code else last.outcome if last else ""
    return {
        "url": f"{here}/deliveries/{one.id}",
        "id": one.id,
        "event_id": one.event_id,
        "type": one.type,
        "sequence": one.sequence,
        "is_test": one.sequence == TEST_SEQUENCE,
        "status": one.status,
        "word": word,
        "sort": sort,
        "tries": len(one.attempts),
        "last": answered,
        "created": format_time(one.created, zone),
        "due": format_time(next_try, zone) if next_try and one.attempts else None,
        "waits": one.status is InvocationStatus.PENDING and next_try is None,
    }


def is_due_soon(one: Invocation, to: Subscriber, now: int) -> bool:
    """Whether something is about to become of it: then its page looks again."""
    next_try = _next_attempt(one, to)
    return next_try is not None and next_try < now + 60_000


def _next_attempt(one: Invocation, to: Subscriber) -> int | None:
    """When it is sent, as far as that is known; None where it has ended, or waits until its subscriber is enabled."""
    if one.status is not InvocationStatus.PENDING or to.status is SubscriberStatus.DISABLED:
        return None
    return max(one.due or 0, to.health.paused_until or 0)


async def _set_status(request: Request[Any, Any, Any], subscriber_id: str, status: SubscriberStatus) -> Redirect:
    visitor, ctx = await require_visitor(request), get_app_context(request)
    async with ctx.db.writing() as tx:
        one = await webhooks.change(
            tx,
            visitor.actor,
            SubscriberChange(status=status),
            subscriber_id=subscriber_id,
            secret_box=ctx.secret_box,
            check_url=ctx.address_policy.check_url,
        )
    return Redirect(f"{LIST}/{one.id}", status_code=303)


@post(PATH + "/disable", status_code=303)
async def disable_webhook(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Redirect:
    """Send nothing to it for now; what comes waits."""
    return await _set_status(request, subscriber_id, SubscriberStatus.DISABLED)


@post(PATH + "/enable", status_code=303)
async def enable_webhook(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Redirect:
    """Send to it again, what waited first."""
    return await _set_status(request, subscriber_id, SubscriberStatus.ACTIVE)


@post(PATH + "/delete", status_code=303)
async def delete_webhook(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Redirect:
    """Take it away, with what waits for it."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await webhooks.unsubscribe(tx, visitor.actor, subscriber_id=subscriber_id)
    return Redirect(LIST, status_code=303)


@post(PATH + "/test", status_code=303)
async def send_test(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[Any]:
    """Send a test, and go where what comes back appears."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    try:
        async with ctx.db.writing() as tx:
            test = ctx.catalogue.build_test_event(visitor.customer.id, tx.new_id("evt"), tx.now())
            sent = await redelivery.send_test(tx, visitor.actor, test, subscriber_id=subscriber_id)
    except Conflict as error:
        return await _render(request, visitor, subscriber_id, 409, str(error))
    return Redirect(f"{LIST}/{sent.subscriber_id}/deliveries/{sent.id}", status_code=303)


HANDLERS = [webhook_page, disable_webhook, enable_webhook, delete_webhook, send_test]
