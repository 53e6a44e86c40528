"""Who provisions: a Bearer token of the account."""

from formwright.asgi.credentials import count_request, count_unknown_keys, read_credential
from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor
from formwright.domain.provisioning import tokens


async def authenticate(ctx: AppContext, authorization: str) -> Actor:
    """Return the actor of the token in the Authorization header, and count the request.

    Raises `TokenMissing`, `TokenUnknown`, `TooManyUnknownKeys` or `TooManyRequests`.
    """
    secret = read_credential(authorization, "bearer")
    with count_unknown_keys(ctx):
        async with ctx.db.reading() as tx:
            token, actor = await tokens.authenticate(tx, secret)
    request_context.set_actor(actor)
    await count_request(ctx, actor)
    if tokens.is_stale(token, ctx.clock.now()):
        async with ctx.db.writing() as tx:
            await tokens.update_last_used(tx, token, secret)
    return actor
