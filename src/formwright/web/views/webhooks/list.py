"""Settings, Connections, Webhooks: the subscribers, and the ways to add and to change one."""

from collections.abc import Mapping
from typing import Any

from cryptography.fernet import InvalidToken
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import Window
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import MAX_SUBSCRIBERS, NewSubscriber, Subscriber, SubscriberChange
from formwright.web.session import Visitor, get_app_context, make_cookie, require_visitor
from formwright.web.templating import render_page
from formwright.web.views.webhooks.delivery_health import describe_health
from formwright.web.views.webhooks.form import (
    WebhookForm,
    describe_types,
    fault_texts,
    form_view,
    load_form_options,
    read_webhook_form,
    webhook_form_of,
)

PATH = "/settings/connections/webhooks"
_NEW_WEBHOOK_COOKIE = "formwright_new_webhook"
_SECRET_SHOWN_S = 60


def may_manage(visitor: Visitor) -> bool:
    """Whether she may change subscribers too."""
    return Permission.WEBHOOKS_MANAGE in visitor.actor.permissions


@get(PATH)
async def webhooks_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's subscribers."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    async with ctx.db.reading() as tx:
        found = (await webhooks.page(tx, visitor.actor, Window(MAX_SUBSCRIBERS))).items
    return render_page(
        request,
        "webhooks/overview.html",
        place="Settings",
        here=PATH,
        subscribers=[_subscriber_row(visitor, one, ctx.clock.now()) for one in found],
        limit=MAX_SUBSCRIBERS,
        may_manage=may_manage(visitor),
        **visitor.template_frame,
    )


def _subscriber_row(visitor: Visitor, one: Subscriber, now: int) -> dict[str, Any]:
    return {
        "page": f"{PATH}/{one.id}",
        "name": one.name,
        "url": one.url,
        "types": describe_types(one.types),
        "forms": len(one.form_ids),
        "health": describe_health(one, now, visitor.customer.time_zone),
        "reason": one.reason or "",
    }


@get(PATH + "/new")
async def new_webhook_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What a subscriber is made from."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.WEBHOOKS_MANAGE)
    return await _render_form(request, visitor, WebhookForm())


async def _render_form(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    given: WebhookForm,
    one: Subscriber | None = None,
    faults: Mapping[str, str] | None = None,
) -> Response[str]:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        forms = await load_form_options(tx, visitor, given)
    told = form_view(given, ctx.catalogue.types, one, faults or {})
    status = 422 if faults else 200
    return render_page(
        request,
        "webhooks/form.html",
        status,
        place="Settings",
        here=PATH,
        forms=forms,
        **told,
        **visitor.template_frame,
    )


@post(PATH, status_code=303)
async def add_webhook(request: Request[Any, Any, Any]) -> Response[Any]:
    """Make a subscriber, and go where its secret is shown once."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    allow(visitor.actor, Permission.WEBHOOKS_MANAGE)
    given = read_webhook_form(await request.form(), ctx.catalogue.types)
    if given.rows_changed:
        return await _render_form(request, visitor, given)
    try:
        async with ctx.db.writing() as tx:
            await given.check(tx, visitor)
            new = NewSubscriber(given.name, given.url, given.types, given.form_ids, given.headers)
            made, secret = await webhooks.subscribe(
                tx, visitor.actor, new, secret_box=ctx.secret_box, check_url=ctx.address_policy.check_url
            )
    except Invalid as error:
        return await _render_form(request, visitor, given, None, fault_texts(error, given, None))
    except Conflict as error:
        return await _render_form(request, visitor, given, None, {"/all": str(error)})
    return redirect_with_secret(ctx, made, secret)


def redirect_with_secret(ctx: AppContext, made: Subscriber, secret: str) -> Redirect:
    """To its page, where the secret is shown once. It travels sealed, in a cookie that lives a minute."""
    sealed = make_cookie(
        ctx.settings, _NEW_WEBHOOK_COOKIE, ctx.secret_box.close(f"{made.id}\n{secret}"), _SECRET_SHOWN_S
    )
    return Redirect(f"{PATH}/{made.id}", status_code=303, cookies=[sealed])


def read_new_secret(request: Request[Any, Any, Any], subscriber_id: str) -> str:
    """The secret of a subscriber that was made in this moment; else nothing."""
    try:
        made, _, secret = (
            get_app_context(request).secret_box.open(request.cookies.get(_NEW_WEBHOOK_COOKIE, "")).partition("\n")
        )
    except InvalidToken:
        return ""
    return secret if made == subscriber_id else ""


def forget_secret(request: Request[Any, Any, Any], answer: Response[str]) -> Response[str]:
    """From here on it is shown no more."""
    if _NEW_WEBHOOK_COOKIE in request.cookies:
        answer.set_cookie(make_cookie(get_app_context(request).settings, _NEW_WEBHOOK_COOKIE, "", 0))
    return answer


@get(PATH + "/{subscriber_id:str}/edit")
async def edit_webhook_page(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[str]:
    """What of it can be another."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.WEBHOOKS_MANAGE)
    one = await _load_subscriber(request, visitor, subscriber_id)
    return await _render_form(request, visitor, webhook_form_of(one), one)


async def _load_subscriber(request: Request[Any, Any, Any], visitor: Visitor, subscriber_id: str) -> Subscriber:
    async with get_app_context(request).db.reading() as tx:
        return await webhooks.get(tx, visitor.actor, subscriber_id=subscriber_id)


@post(PATH + "/{subscriber_id:str}", status_code=303)
async def change_webhook(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[Any]:
    """Change a subscriber."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    allow(visitor.actor, Permission.WEBHOOKS_MANAGE)
    one = await _load_subscriber(request, visitor, subscriber_id)
    given = read_webhook_form(await request.form(), ctx.catalogue.types)
    if given.rows_changed:
        return await _render_form(request, visitor, given, one)
    headers = given.changed_headers(one)
    what = SubscriberChange(given.name, given.url, given.types, given.form_ids, headers=headers)
    try:
        async with ctx.db.writing() as tx:
            await given.check(tx, visitor, kept=one.form_ids)
            await webhooks.change(
                tx,
                visitor.actor,
                what,
                subscriber_id=one.id,
                secret_box=ctx.secret_box,
                check_url=ctx.address_policy.check_url,
            )
    except Invalid as error:
        return await _render_form(request, visitor, given, one, fault_texts(error, given, one))
    return Redirect(f"{PATH}/{one.id}", status_code=303)


HANDLERS = [webhooks_page, new_webhook_page, add_webhook, edit_webhook_page, change_webhook]
