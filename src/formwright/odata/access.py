"""Who reads a feed: HTTP Basic with an API key as the password, because Excel and Power BI send no other header."""

import base64
import binascii

from formwright.asgi.request_errors import TooManyRequests, count_unknown_key
from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor
from formwright.domain.api_keys import authentication
from formwright.domain.api_keys.models import KeyMissing, KeyUnknown
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.feeds import service as feeds


async def authenticate(ctx: AppContext, authorization: str, customer_id: str) -> Actor:
    """Return the actor of the API key in the Authorization header, and count the request.

    Raises `KeyMissing`, `KeyUnknown`, `KeyExpired`, `CustomerNotFound` for another account, `FeedDisabled`,
    or `TooManyRequests`.
    """
    key, now = _read_password(authorization), ctx.clock.now()
    if not key:
        raise KeyMissing("Sign in with HTTP Basic: the password is an API key, and the user name can be anything.")
    try:
        async with ctx.db.reading() as tx:
            credential = await authentication.authenticate(tx, key, now)
            actor = credential.actor
            request_context.set_actor(actor)
            if actor.customer_id != customer_id:
                raise CustomerNotFound()
            await feeds.require_enabled(tx, actor)
    except KeyUnknown:
        count_unknown_key(ctx)
        raise
    ctx.usage.record(actor, now)
    if limit := ctx.rates.limit_of(credential.identity.rate_limit):
        allowance = ctx.rates.consume(actor, limit) or await ctx.rates.refill(ctx.db, actor, limit)
        if allowance.wait_s:
            raise TooManyRequests(allowance)
    return actor


def _read_password(authorization: str) -> str:
    """Return the password (RFC 7617), or "" if there is none."""
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(encoded.strip(), validate=True).decode().partition(":")[2].strip()
    except (binascii.Error, ValueError):
        return ""
