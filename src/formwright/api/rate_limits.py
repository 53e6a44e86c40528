"""The rate limit of API keys, as configured by the operator."""

from formwright.api.http_messages import Request
from formwright.asgi.request_errors import TooManyRequests
from formwright.context import AppContext
from formwright.core.auth.actor import Actor


async def consume_shared(ctx: AppContext, request: Request, actor: Actor, limit: int) -> None:
    """Count a request against the limit that all processes share. Raises `TooManyRequests` if it is used up."""
    allowance = request.allowance = await ctx.rates.refill(ctx.db, actor, limit)
    if allowance.wait_s:
        raise TooManyRequests(allowance)
