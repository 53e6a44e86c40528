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
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import moment, page
from formwright.web.views.list_urls import place_of, turns
from formwright.web.views.webhooks.delivery_health import describe_health
from formwright.web.views.webhooks.form import types_in_words
from formwright.web.views.webhooks.list import HERE as LIST
from formwright.web.views.webhooks.list import forget_secret, may_manage, new_secret
from formwright.web.views.webhooks.replay import OVERLAPS

HERE = LIST + "/{subscriber_id:str}"
_ROWS = 50
WORDS = {
    InvocationStatus.PENDING: ("Waiting", "waiting"),
    InvocationStatus.SUCCEEDED: ("Delivered", "approved"),
    InvocationStatus.FAILED: ("Failed", "rejected"),
    InvocationStatus.CANCELLED: ("Cancelled", "archived"),
    InvocationStatus.EXPIRED: ("Not kept", "archived"),
}
"""How each status is called, and how it looks."""


@get(HERE)
async def webhook_page(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[str]:
    """A subscriber, with its deliveries."""
    answer = await _page(request, await visitor(request), subscriber_id)
    return forget_secret(request, answer)


async def _page(
    request: Request[Any, Any, Any], who: Visitor, subscriber_id: str, status: int = 200, error: str = ""
) -> Response[str]:
    asked, ctx = request.query_params, get_app_context(request)
    wanted = next((one for one in InvocationStatus if one == asked.get("status")), None)
    before = place_of(asked.get("before", ""))
    async with ctx.db.reading() as tx:
        one = await webhooks.get(tx, who.actor, subscriber_id=subscriber_id)
        found = await webhooks.page_invocations(
            tx, who.actor, Window(_ROWS, before), subscriber_id=one.id, status=wanted
        )
        named = [await _form_name(tx, who, form_id) for form_id in one.form_ids]
    here = f"{LIST}/{one.id}"
    return page(
        request,
        "webhooks/one.html",
        status,
        place="Settings",
        list=LIST,
        here=here,
        one=_shown(who, one, named, ctx.clock.now()),
        secret=new_secret(request, one.id),
        error=error,
        deliveries=[delivery_shown(who, invocation, one, here) for invocation in found.items],
        statuses=[(one.value, word, one is wanted) for one, (word, _) in WORDS.items()],
        filtered=wanted is not None,
        **turns(here, {"status": wanted or ""}, before, found.next),
        under_way=before is None and any(is_soon(invocation, one, ctx.clock.now()) for invocation in found.items),
        ask=asked.get("ask", ""),
        overlaps=OVERLAPS,
        may_manage=may_manage(who),
        **who.frame,
    )


async def _form_name(tx: Any, who: Visitor, form_id: str) -> str:
    try:
        return (await forms.get(tx, who.actor, form_id=form_id)).name
    except (FormNotFound, Denied):
        return form_id


def _shown(who: Visitor, one: Subscriber, named: list[str], now: int) -> dict[str, Any]:
    zone, health = who.customer.time_zone, one.health
    return {
        "id": one.id,
        "name": one.name,
        "url": one.url,
        "types": types_in_words(one.types),
        "forms": named,
        "headers": one.header_names,
        "status": one.status,
        "health": describe_health(one, now, zone),
        "reason": one.reason or "",
        "failing": moment(health.failing_since, zone) if health.failing_since else None,
        "held": moment(health.paused_until, zone) if health.paused_until and health.paused_until > now else None,
        "created": moment(one.created, zone),
    }


def delivery_shown(who: Visitor, one: Invocation, to: Subscriber, here: str) -> dict[str, Any]:
    """A delivery as lists and its own page show it."""
    zone, last, next_try = who.customer.time_zone, one.attempts[-1] if one.attempts else None, _next_try(one, to)
    word, sort = WORDS[one.status]
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
        "created": moment(one.created, zone),
        "due": moment(next_try, zone) if next_try and one.attempts else None,
        "waits": one.status is InvocationStatus.PENDING and next_try is None,
    }


def is_soon(one: Invocation, to: Subscriber, now: int) -> bool:
    """Whether something is about to become of it: then its page looks again."""
    next_try = _next_try(one, to)
    return next_try is not None and next_try < now + 60_000


def _next_try(one: Invocation, to: Subscriber) -> int | None:
    """When it is sent, as far as that is known; None where it has ended, or waits until its subscriber is enabled."""
    if one.status is not InvocationStatus.PENDING or to.status is SubscriberStatus.DISABLED:
        return None
    return max(one.due or 0, to.health.paused_until or 0)


async def _switch(request: Request[Any, Any, Any], subscriber_id: str, status: SubscriberStatus) -> Redirect:
    who, ctx = await visitor(request), get_app_context(request)
    async with ctx.db.writing() as tx:
        one = await webhooks.change(
            tx,
            who.actor,
            SubscriberChange(status=status),
            subscriber_id=subscriber_id,
            secret_box=ctx.secret_box,
            check_url=ctx.address_policy.check_url,
        )
    return Redirect(f"{LIST}/{one.id}", status_code=303)


@post(HERE + "/disable", status_code=303)
async def disable(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Redirect:
    """Send nothing to it for now; what comes waits."""
    return await _switch(request, subscriber_id, SubscriberStatus.DISABLED)


@post(HERE + "/enable", status_code=303)
async def enable(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Redirect:
    """Send to it again, what waited first."""
    return await _switch(request, subscriber_id, SubscriberStatus.ACTIVE)


@post(HERE + "/delete", status_code=303)
async def delete(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Redirect:
    """Take it away, with what waits for it."""
    who = await visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await webhooks.unsubscribe(tx, who.actor, subscriber_id=subscriber_id)
    return Redirect(LIST, status_code=303)


@post(HERE + "/test", status_code=303)
async def send_test(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[Any]:
    """Send a test, and go where what comes back appears."""
    who, ctx = await visitor(request), get_app_context(request)
    try:
        async with ctx.db.writing() as tx:
            test = ctx.catalogue.build_test_event(who.customer.id, tx.new_id("evt"), tx.now())
            sent = await redelivery.send_test(tx, who.actor, test, subscriber_id=subscriber_id)
    except Conflict as error:
        return await _page(request, who, subscriber_id, 409, str(error))
    return Redirect(f"{LIST}/{sent.subscriber_id}/deliveries/{sent.id}", status_code=303)


HANDLERS = [webhook_page, disable, enable, delete, send_test]
