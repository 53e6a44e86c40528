"""Rate limits of API keys, as configured by the operator, and of addresses that send unknown keys."""

from formwright.api.errors import RequestError
from formwright.api.request import Request
from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.core.auth.request_context import current
from formwright.domain.api_keys.rate_limits import RateLimitStatus

WINDOW_S = 60


class TooManyRequests(RequestError):
    status = 429
    code = "rate.exceeded"
    detail = "This key has asked as often as it may within a minute. Wait as many seconds as Retry-After says."

    def __init__(self, allowance: RateLimitStatus) -> None:
        super().__init__()
        self.headers = {"retry-after": str(allowance.wait_s)}


class TooManyUnknownKeys(RequestError):
    status = 429
    code = "rate.unknown_keys"
    detail = "Too many unknown keys came from this address. Wait a minute, and check the key."
    headers = {"retry-after": str(WINDOW_S)}


async def consume_shared(ctx: AppContext, request: Request, actor: Actor) -> None:
    """Count a request against the limit that all processes share. Raises `TooManyRequests` if it is used up."""
    allowance = request.allowance = await ctx.rates.refill(ctx.db, actor)
    if allowance.wait_s:
        raise TooManyRequests(allowance)


def count_unknown_key(ctx: AppContext) -> None:
    """Count a request with an unknown key. Raises `TooManyUnknownKeys` if its address has sent too many."""
    caller = current()
    if ctx.rates.limit and caller and ctx.rates.unknown.record(caller.address, ctx.clock.now()):
        raise TooManyUnknownKeys()
