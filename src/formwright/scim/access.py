"""Who provisions: a Bearer token of the account."""

from formwright.asgi.request_errors import TooManyRequests, count_unknown_key
from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor
from formwright.domain.provisioning import tokens
from formwright.domain.provisioning.models import TokenUnknown


async def authenticate(ctx: AppContext, authorization: str) -> Actor:
    """Return the actor of the token in the Authorization header, and count the request.

    Raises `TokenMissing`, `TokenUnknown`, `TooManyUnknownKeys` or `TooManyRequests`.
    """
    scheme, _, secret = authorization.strip().partition(" ")
    secret = secret.strip() if scheme.lower() == "bearer" else ""
    try:
        async with ctx.db.reading() as tx:
            token, actor = await tokens.authenticate(tx, secret)
    except TokenUnknown:
        count_unknown_key(ctx)
        raise
    request_context.set_actor(actor)
    if limit := ctx.rates.limit:
        allowance = ctx.rates.consume(actor, limit) or await ctx.rates.refill(ctx.db, actor, limit)
        if allowance.wait_s:
            raise TooManyRequests(allowance)
    if tokens.is_stale(token, ctx.clock.now()):
        async with ctx.db.writing() as tx:
            await tokens.update_last_used(tx, token, secret)
    return actor
