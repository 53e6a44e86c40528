"""Rate limits: for each API key, as the operator configured it, and for addresses that send unknown keys."""

from formwright.api.errors import RequestError
from formwright.api.request import Request
from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.core.auth.request_context import current
from formwright.domain.api_keys.rate_limits import RateLimitStatus

_MINUTE_S = 60


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
    headers = {"retry-after": str(_MINUTE_S)}


async def draw(ctx: AppContext, request: Request, actor: Actor) -> None:
    """Count a request with what all processes have left; `TooManyRequests` when that is nothing."""
    allowance = request.allowance = await ctx.rates.refill(ctx.db, actor)
    if allowance.wait_s:
        raise TooManyRequests(allowance)


def guessed(ctx: AppContext) -> None:
    """A key that opens nothing came; `TooManyUnknownKeys` when too many came from where it came from."""
    caller = current()
    if ctx.rates.limit and caller and ctx.rates.unknown.record(caller.address, ctx.clock.now()):
        raise TooManyUnknownKeys()
