"""Who reads a feed: HTTP Basic with an API key as the password, because Excel and Power BI send no other header."""

import base64
import binascii

from formwright.asgi.credentials import count_request, count_unknown_keys, read_credential
from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor
from formwright.domain.api_keys import authentication
from formwright.domain.api_keys.models import KeyMissing
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
    with count_unknown_keys(ctx):
        async with ctx.db.reading() as tx:
            credential = await authentication.authenticate(tx, key, now)
            actor = credential.actor
            request_context.set_actor(actor)
            if actor.customer_id != customer_id:
                # Not `Denied`, which would reveal that the account exists.
                raise CustomerNotFound()
            await feeds.require_enabled(tx, actor)
    ctx.usage.record(actor, now)
    await count_request(ctx, actor, credential.identity.rate_limit)
    return actor


def _read_password(authorization: str) -> str:
    """Return the password (RFC 7617), or "" if there is none."""
    encoded = read_credential(authorization, "basic")
    try:
        return base64.b64decode(encoded, validate=True).decode().partition(":")[2].strip()
    except (binascii.Error, ValueError):
        return ""
