"""Settings, Connections, Webhooks: the subscribers, and the ways to add and to change one."""

from collections.abc import Mapping
from typing import Any

from cryptography.fernet import InvalidToken
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.context import AppContext
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import Window
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import MAX_SUBSCRIBERS, NewSubscriber, Subscriber, SubscriberChange
from formwright.web.session import Visitor, get_app_context, own_cookie, visitor
from formwright.web.templating import page
from formwright.web.views.webhooks.delivery_health import describe_health
from formwright.web.views.webhooks.form import Typed, faults_of, form_of, offered, typed, typed_of, types_in_words

HERE = "/settings/connections/webhooks"
_NEW = "formwright_new_webhook"
_SHOWN_WITHIN_S = 60


def may_manage(who: Visitor) -> bool:
    """Whether she may change subscribers too."""
    return Permission.WEBHOOKS_MANAGE in who.actor.permissions


@get(HERE)
async def webhooks_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's subscribers."""
    who, ctx = await visitor(request), get_app_context(request)
    async with ctx.db.reading() as tx:
        found = (await webhooks.page(tx, who.actor, Window(MAX_SUBSCRIBERS))).items
    return page(
        request,
        "webhooks/overview.html",
        place="Settings",
        here=HERE,
        subscribers=[_shown(who, one, ctx.clock.now()) for one in found],
        limit=MAX_SUBSCRIBERS,
        may_manage=may_manage(who),
        **who.frame,
    )


def _shown(who: Visitor, one: Subscriber, now: int) -> dict[str, Any]:
    return {
        "page": f"{HERE}/{one.id}",
        "name": one.name,
        "url": one.url,
        "types": types_in_words(one.types),
        "forms": len(one.form_ids),
        "health": describe_health(one, now, who.customer.time_zone),
        "reason": one.reason or "",
    }


@get(HERE + "/new")
async def new_page(request: Request[Any, Any, Any]) -> Response[str]:
    """What a subscriber is made from."""
    who = await visitor(request)
    allow(who.actor, Permission.WEBHOOKS_MANAGE)
    return await _form(request, who, Typed())


async def _form(
    request: Request[Any, Any, Any],
    who: Visitor,
    given: Typed,
    one: Subscriber | None = None,
    faults: Mapping[str, str] | None = None,
) -> Response[str]:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        forms = await offered(tx, who, given)
    told = form_of(given, ctx.catalogue.types, one, faults or {})
    status = 422 if faults else 200
    return page(request, "webhooks/form.html", status, place="Settings", here=HERE, forms=forms, **told, **who.frame)


@post(HERE, status_code=303)
async def add(request: Request[Any, Any, Any]) -> Response[Any]:
    """Make a subscriber, and go where its secret is shown once."""
    who, ctx = await visitor(request), get_app_context(request)
    allow(who.actor, Permission.WEBHOOKS_MANAGE)
    given = typed(await request.form(), ctx.catalogue.types)
    if given.goes_on:
        return await _form(request, who, given)
    try:
        async with ctx.db.writing() as tx:
            await given.check(tx, who)
            new = NewSubscriber(given.name, given.url, given.types, given.form_ids, given.headers)
            made, secret = await webhooks.subscribe(
                tx, who.actor, new, secret_box=ctx.secret_box, check_url=ctx.address_policy.check_url
            )
    except Invalid as error:
        return await _form(request, who, given, None, faults_of(error, given, None))
    except Conflict as error:
        return await _form(request, who, given, None, {"/all": str(error)})
    return with_secret(ctx, made, secret)


def with_secret(ctx: AppContext, made: Subscriber, secret: str) -> Redirect:
    """To its page, where the secret is shown once. It travels sealed, in a cookie that lives a minute."""
    sealed = own_cookie(ctx.settings, _NEW, ctx.secret_box.close(f"{made.id}\n{secret}"), _SHOWN_WITHIN_S)
    return Redirect(f"{HERE}/{made.id}", status_code=303, cookies=[sealed])


def new_secret(request: Request[Any, Any, Any], subscriber_id: str) -> str:
    """The secret of a subscriber that was made in this moment; else nothing."""
    try:
        made, _, secret = get_app_context(request).secret_box.open(request.cookies.get(_NEW, "")).partition("\n")
    except InvalidToken:
        return ""
    return secret if made == subscriber_id else ""


def forget_secret(request: Request[Any, Any, Any], answer: Response[str]) -> Response[str]:
    """From here on it is shown no more."""
    if _NEW in request.cookies:
        answer.set_cookie(own_cookie(get_app_context(request).settings, _NEW, "", 0))
    return answer


@get(HERE + "/{subscriber_id:str}/edit")
async def edit_page(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[str]:
    """What of it can be another."""
    who = await visitor(request)
    allow(who.actor, Permission.WEBHOOKS_MANAGE)
    one = await _find(request, who, subscriber_id)
    return await _form(request, who, typed_of(one), one)


async def _find(request: Request[Any, Any, Any], who: Visitor, subscriber_id: str) -> Subscriber:
    async with get_app_context(request).db.reading() as tx:
        return await webhooks.get(tx, who.actor, subscriber_id=subscriber_id)


@post(HERE + "/{subscriber_id:str}", status_code=303)
async def change(request: Request[Any, Any, Any], subscriber_id: FromPath[str]) -> Response[Any]:
    """Change a subscriber."""
    who, ctx = await visitor(request), get_app_context(request)
    allow(who.actor, Permission.WEBHOOKS_MANAGE)
    one = await _find(request, who, subscriber_id)
    given = typed(await request.form(), ctx.catalogue.types)
    if given.goes_on:
        return await _form(request, who, given, one)
    headers = given.changed_headers(one)
    what = SubscriberChange(given.name, given.url, given.types, given.form_ids, headers=headers)
    try:
        async with ctx.db.writing() as tx:
            await given.check(tx, who, kept=one.form_ids)
            await webhooks.change(
                tx,
                who.actor,
                what,
                subscriber_id=one.id,
                secret_box=ctx.secret_box,
                check_url=ctx.address_policy.check_url,
            )
    except Invalid as error:
        return await _form(request, who, given, one, faults_of(error, given, one))
    return Redirect(f"{HERE}/{one.id}", status_code=303)


HANDLERS = [webhooks_page, new_page, add, edit_page, change]
